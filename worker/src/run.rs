//! A worker from its settings to its end.

use crate::calibrate::{CalibrationError, Plan};
use crate::client::{ClientError, CoordinatorApi, HttpCoordinator};
use crate::memory;
use crate::placement::{self, Pinning, PlacementError};
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

/// What a worker needs to know.
#[derive(Debug, Clone)]
pub struct Config {
    /// The coordinator's address, such as `http://host:8437`.
    pub coordinator: String,
    /// The token that admits this worker.
    pub token: String,
    /// Its state directory, created if absent. One worker a directory.
    pub dir: PathBuf,
    /// Games played at once, one thread each.
    pub slots: NonZeroUsize,
    /// What each slot has for the trees of a game's two players: it asks for no games that may need more.
    pub memory: Mib,
    /// The machine's name, for people.
    pub name: String,
    /// What it is called by besides, when many machines are told something at once.
    pub labels: Vec<String>,
    /// How its speed is measured.
    pub calibration: Plan,
    /// Leaves after this many games, if given. Pairs begun are played to their end.
    pub max_games: Option<u64>,
    /// Takes no more work after this time, if given, and leaves when the games in hand are finished.
    pub max_time: Option<Duration>,
    /// Leaves when it had nothing to play for so long, if given.
    pub max_idle: Option<Duration>,
    /// Takes no more work during these hours.
    pub quiet_hours: Vec<QuietHours>,
    /// Which processors its slots keep to.
    pub pinning: Pinning,
    /// What is added to the niceness of its slots.
    pub niceness: i32,
    /// How long the games in hand may take to end once it was told to finish.
    pub grace: Duration,
    /// How often a game under way is written down, at most, so that a restart goes on with it; at every move
    /// if zero.
    pub checkpoint_every: Duration,
}

impl Config {
    /// A worker on `slots` cores that works until it is told to stop.
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

/// The two ways of telling a worker to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// Take no more work, finish the games in hand within the grace time, and leave.
    pub finish: CancellationToken,
    /// Keep the games in hand for the next start as far as they are, give the other leases back, and leave at
    /// once.
    pub leave: CancellationToken,
}

impl From<CancellationToken> for Stop {
    fn from(leave: CancellationToken) -> Self {
        Self { leave, ..Self::default() }
    }
}

/// Why a worker stopped that was not told to.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The state directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The address or the token cannot be used.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The coordinator wants none of this worker.
    #[error("{why}")]
    Refused {
        /// In the coordinator's words.
        why: String,
    },
    /// The machine's speed cannot be measured.
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    /// This program cannot play what the coordinator leases.
    #[error("{count} leases in a row could not be played, the last because: {why}")]
    Unplayable {
        /// How many.
        count: usize,
        /// Why the last one was not.
        why: String,
    },
    /// This build plays other games than the coordinator's.
    #[error("{why}")]
    SelfTest {
        /// Which, move by move.
        why: String,
    },
    /// The slots cannot be placed as asked for.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The system gives no more threads.
    #[error("cannot start a slot")]
    Thread(#[source] std::io::Error),
}

/// Works for the coordinator over HTTP until cancelled, drained or refused. On cancellation the games in hand
/// are written down within a moment, the spool is sent, and a last call returns the other leases.
///
/// # Errors
/// See [`WorkerError`]. Being cancelled or drained is none, nor is an absent coordinator: the worker
/// waits for it.
pub fn run(config: Config, stop: impl Into<Stop>) -> Working {
    let stop = stop.into();
    Box::pin(async move { run_in(StateDir::open(&config.dir)?, config, stop).await })
}

/// As [`run`], in a directory that was locked before: `config.dir` is the same one.
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

/// A worker at work. Boxed, because its callers await much else beside it.
pub type Working = Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>>;

/// As [`run`], for any way of reaching a coordinator.
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
    let placed = placement::processors(&config.pinning, config.slots)?;
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
    // Nothing is in hand yet: whichever way it is told to stop, it stops.
    tokio::select! {
        () = stop.finish.cancelled() => return Ok(()),
        () = stop.leave.cancelled() => return Ok(()),
        tested = self_test(&api, &config.dir) => tested?,
    }
    let (session, slot) = Session::new(api, start, config);
    session.run(slot, placed, events, stop).await
}
