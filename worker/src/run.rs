//! Running a worker, from its configuration to its end.

use crate::affinity::{self, AffinityError, Pinning};
use crate::calibrate::{CalibrationError, Plan};
use crate::client::{ClientError, CoordinatorApi, HttpCoordinator};
use crate::memory;
use crate::quiet::QuietHours;
use crate::selftest::self_test;
use crate::session::Session;
use crate::start::Start;
use crate::state::{StateDir, StateError};
use protocol::memory::Mib;
use protocol::words::counted;
use std::future::Future;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use tracing::info;

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
    /// The worker takes no more work after this time, if given, and leaves when its games are finished.
    pub max_time: Option<Duration>,
    /// The worker leaves when it had nothing to play for this long, if given.
    pub max_idle: Option<Duration>,
    /// The worker takes no more work during these hours.
    pub quiet_hours: Vec<QuietHours>,
    /// The processors that the slots are pinned to.
    pub pinning: Pinning,
    /// The number added to the niceness of the slots.
    pub niceness: i32,
    /// The longest time for the games under way to end after the worker was told to finish.
    pub grace: Duration,
    /// The shortest time between two checkpoints of a game under way. Zero means a checkpoint at every move.
    pub checkpoint_every: Duration,
}

impl Config {
    /// A worker with `slots` slots that works until it is told to stop.
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
            max_time: None,
            max_idle: None,
            quiet_hours: Vec::new(),
            pinning: Pinning::Off,
            niceness: 0,
            grace: Duration::from_secs(600),
            checkpoint_every: Duration::from_secs(30),
        }
    }
}

/// The two ways to stop a worker.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// Take no more work, finish the games under way within the grace time, and leave.
    pub finish: CancellationToken,
    /// Leave at once: keep checkpoints of the games under way for the next start and return the other leases.
    pub leave: CancellationToken,
}

impl From<CancellationToken> for Stop {
    fn from(leave: CancellationToken) -> Self {
        Self { leave, ..Self::default() }
    }
}

/// Why a worker stopped without being told to.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The state directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The address or the token cannot be used.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The coordinator refuses this worker.
    #[error("{why}")]
    Refused {
        /// The coordinator's reason.
        why: String,
    },
    /// The machine's speed cannot be measured.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// This program cannot play what the coordinator leases.
    #[error("{count} leases in a row could not be played, the last because: {why}")]
    Unplayable {
        /// The number of leases.
        count: usize,
        /// The reason for the last one.
        why: String,
    },
    /// This build plays other games than the coordinator's.
    #[error("{why}")]
    SelfTest {
        /// The differences, move by move.
        why: String,
    },
    /// The slots cannot be pinned as configured.
    #[error(transparent)]
    Affinity(#[from] AffinityError),
    /// The system cannot start another thread.
    #[error("cannot start a slot")]
    Thread(#[source] std::io::Error),
}

/// Works for the coordinator over HTTP until cancelled, drained or refused. On cancellation the worker writes checkpoints
/// of the games under way, sends the spool, and returns the other leases with a last call.
///
/// # Errors
/// See [`WorkerError`]. Cancellation and draining are not errors. An absent coordinator is not an error: the worker waits
/// for it.
pub fn run(config: Config, stop: impl Into<Stop>) -> Working {
    let stop = stop.into();
    Box::pin(async move { run_in(StateDir::open(&config.dir)?, config, stop).await })
}

/// As [`run`], in a state directory that is already locked; it must be `config.dir`.
///
/// # Errors
/// As [`run`].
pub fn run_in(state: StateDir, config: Config, stop: impl Into<Stop>) -> Working {
    let stop = stop.into();
    Box::pin(async move {
        let api = HttpCoordinator::new(&config.coordinator, &config.token)?;
        work(api, state, config, stop).await
    })
}

/// The future of a running worker. It is boxed to keep the futures of its callers small.
pub type Working = Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>>;

/// As [`run`], for any implementation of the coordinator's interface.
///
/// # Errors
/// As [`run`].
pub async fn run_against<A: CoordinatorApi>(
    api: A,
    config: Config,
    stop: impl Into<Stop>,
) -> Result<(), WorkerError> {
    let state = StateDir::open(&config.dir)?;
    work(api, state, config, stop.into()).await
}

async fn work<A: CoordinatorApi>(
    api: A,
    state: StateDir,
    config: Config,
    stop: Stop,
) -> Result<(), WorkerError> {
    let placed = affinity::processors(&config.pinning, config.slots)?;
    let (start, events) = Start::new(state, &config)?;
    info!(
        "worker {} ({}) for {}: {} with {} each for a game's trees, {} in the spool, {} to go on with, state in {}",
        config.name,
        start.state.worker(),
        config.coordinator,
        counted(config.slots.get() as u64, "slot"),
        config.memory,
        start.waiting.len(),
        start.unfinished.len(),
        config.dir.display()
    );
    // No game is under way yet, so that both ways to stop are the same.
    tokio::select! {
        () = stop.finish.cancelled() => return Ok(()),
        () = stop.leave.cancelled() => return Ok(()),
        tested = self_test(&api, &config.dir) => tested?,
    }
    let (session, slot) = Session::new(api, start, config);
    session.run(slot, placed, events, stop).await
}
