//! Short games on their way to the spool: those that all slots finish within a tenth of a second, or before a slot has nothing to
//! play, share a file and a flush. The slots go on meanwhile, so the end of the process takes these games with it. A game that takes
//! a second is no short one.

use super::Event;
use crate::spool::Spool;
use protocol::result::FinishedGame;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tracing::error;

/// How long games are gathered, from the first one on.
const GATHERING: Duration = Duration::from_millis(100);

/// Writes short games, and reports them when they are on disk.
#[derive(Debug)]
pub(crate) struct Gathering {
    arriving: Receiver<Event>,
    /// Tells that a slot has nothing to play: its next leases may wait for these games.
    idle: Receiver<()>,
    spool: Arc<Spool>,
    events: UnboundedSender<Event>,
}

impl Gathering {
    pub(super) fn new(
        arriving: Receiver<Event>,
        idle: Receiver<()>,
        spool: Arc<Spool>,
        events: UnboundedSender<Event>,
    ) -> Self {
        Self { arriving, idle, spool, events }
    }

    /// Works until the last slot has ended.
    pub(crate) fn run(self) {
        while let Ok(first) = self.arriving.recv() {
            // The slots need not wake this thread for each game.
            let _ = self.idle.recv_timeout(GATHERING);
            self.write(std::iter::once(first).chain(self.arriving.try_iter()).collect());
        }
    }

    /// Writes what has arrived.
    #[cfg(test)]
    pub(crate) fn write_arrived(&self) {
        self.write(self.arriving.try_iter().collect());
    }

    fn write(&self, events: Vec<Event>) {
        let game = |event: &Event| match event {
            Event::Finished { game, .. } => Some(FinishedGame::clone(game)),
            _ => None,
        };
        let games: Vec<FinishedGame> = events.iter().filter_map(game).collect();
        if let Err(error) = self.spool.put(&games) {
            error!(
                "cannot spool {} games: {error}; they are kept in memory and lost if this worker dies",
                games.len()
            );
        }
        for event in events {
            // The receiver is gone only when the process ends.
            let _ = self.events.send(event);
        }
    }
}
