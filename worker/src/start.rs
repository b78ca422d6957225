//! A start of the worker: its number, and what earlier starts left in the state directory.

use crate::checkpoint::{Checkpoint, Checkpoints};
use crate::config::Config;
use crate::selftest::recall;
use crate::slot::{Event, Gathering, Slot};
use crate::spool::Spool;
use crate::state::{StateDir, StateError};
use protocol::result::FinishedGame;
use std::fs;
use std::sync::Arc;
use tokio::sync::mpsc::UnboundedReceiver;

/// A start of the worker.
pub(crate) struct Start {
    pub(crate) state: Arc<StateDir>,
    /// The number of this start, larger than all earlier ones.
    pub(crate) number: u64,
    /// Finished games that wait in the spool.
    pub(crate) waiting: Vec<FinishedGame>,
    /// Games under way when the previous start ended.
    pub(crate) unfinished: Vec<Checkpoint>,
    /// The slot to clone for every thread.
    pub(crate) slot: Slot,
    /// The writer of the short games of all slots.
    pub(crate) gathering: Gathering,
}

impl Start {
    /// Begins a start in this directory. The second value receives the events of the slots.
    pub(crate) fn new(
        state: StateDir,
        config: &Config,
    ) -> Result<(Self, UnboundedReceiver<Event>), StateError> {
        let number = state.begin()?;
        let (spool, waiting) = Spool::open(state.spool_path())?;
        // A checkpoint names the build by its self-test, whose games take many seconds if they are not cached.
        if fs::read_dir(state.checkpoints_path()).is_ok_and(|mut files| files.next().is_some()) {
            recall(&config.dir);
        }
        let (checkpoints, mut unfinished) =
            Checkpoints::open(state.checkpoints_path(), config.checkpoint_every)?;
        // The worker was killed after it spooled the game and before it removed the checkpoint.
        unfinished.retain(|checkpoint| {
            let play = (checkpoint.kept.game, checkpoint.lease.id);
            let is_finished = waiting.iter().any(|game| (game.game, game.lease) == play);
            if is_finished {
                checkpoints.remove(checkpoint.lease.id);
            }
            !is_finished
        });
        let (slot, gathering, events) = Slot::new(spool, waiting.len(), checkpoints, config.calibration);
        Ok((Self { state: Arc::new(state), number, waiting, unfinished, slot, gathering }, events))
    }
}
