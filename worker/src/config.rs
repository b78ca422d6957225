//! The configuration of a worker.

use crate::affinity::Pinning;
use crate::calibrate::Plan;
use crate::log_tail::LogTail;
use crate::memory;
use crate::quiet_hours::QuietHours;
use protocol::memory::Mib;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use tokio::time::Instant;

/// The configuration of a worker.
#[derive(Debug, Clone)]
pub struct Config {
    /// The coordinator's address, such as `http://host:8437`.
    pub coordinator: String,
    /// The worker's token.
    pub token: String,
    /// The state directory, created if absent. Each worker needs a directory of its own.
    pub dir: PathBuf,
    /// The number of games played at once, one thread each.
    pub slots: NonZeroUsize,
    /// Memory per slot for the trees of a game's two players. The worker gets no games that may need more.
    pub memory: Mib,
    /// The machine's name, for people.
    pub name: String,
    /// Group labels for `gauntlet fleet` commands.
    pub labels: Vec<String>,
    /// How the machine's speed is measured.
    pub calibration: Plan,
    /// The worker leaves after this many games, if given. It finishes the pairs that it has begun.
    pub max_games: Option<u64>,
    /// The worker takes no more work from this moment on, if given, and leaves when its games are finished.
    pub leave_at: Option<Instant>,
    /// The worker leaves after it had nothing to play for this long, if given.
    pub max_idle: Option<Duration>,
    /// The worker takes no more work during these hours.
    pub quiet_hours: Vec<QuietHours>,
    /// The processors that the slots are pinned to.
    pub pinning: Pinning,
    /// The number added to the niceness of the slots.
    pub niceness: i32,
    /// The longest time for the games in play to end after the order to finish.
    pub grace: Duration,
    /// The shortest time between two checkpoints of a game under way. Zero means a checkpoint at every move.
    pub checkpoint_every: Duration,
    /// The last lines of this process' log, which the worker reports while a client views the machine.
    pub log: LogTail,
}

impl Config {
    /// The longest wait for an absent coordinator before the first game, if there is one.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        let left = self.leave_at.map(|at| at.saturating_duration_since(Instant::now()));
        [left, self.max_idle].into_iter().flatten().min()
    }

    /// A worker with `slots` slots that works until it gets the order to stop.
    #[must_use]
    pub fn new(
        coordinator: impl Into<String>,
        token: impl Into<String>,
        dir: impl Into<PathBuf>,
        name: impl Into<String>,
        slots: NonZeroUsize,
    ) -> Self {
        Self {
            coordinator: coordinator.into(),
            token: token.into(),
            dir: dir.into(),
            memory: memory::per_slot(slots),
            slots,
            name: name.into(),
            labels: Vec::new(),
            calibration: Plan::default(),
            max_games: None,
            leave_at: None,
            max_idle: None,
            quiet_hours: Vec::new(),
            pinning: Pinning::Off,
            niceness: 0,
            grace: Duration::from_secs(600),
            checkpoint_every: Duration::from_secs(30),
            log: LogTail::default(),
        }
    }
}
