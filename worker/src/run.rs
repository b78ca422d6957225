//! A worker from its settings to its end.

use crate::calibrate::{CalibrationError, Plan};
use crate::client::{ClientError, CoordinatorApi, HttpCoordinator};
use crate::session::Session;
use crate::slot::{Desk, Slot};
use crate::spool::Spool;
use crate::state::{StateDir, StateError};
use std::future::Future;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::mpsc::unbounded_channel;
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
    /// The system gives no more threads.
    #[error("cannot start a slot")]
    Thread(#[source] std::io::Error),
}

/// Works for the coordinator over HTTP until cancelled, drained or refused. On cancellation the games in hand are
/// dropped within a moment, the spool is sent, and a last call returns the leases.
///
/// # Errors
/// See [`WorkerError`]. Being cancelled or drained is none, nor is an absent coordinator: the worker waits for it.
pub fn run(
    config: Config,
    cancel: CancellationToken,
) -> Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>> {
    Box::pin(async move {
        let api = HttpCoordinator::new(&config.coordinator, &config.token)?;
        run_against(api, config, cancel).await
    })
}

/// As [`run`], in a directory that was locked before: `config.dir` is the same one.
///
/// # Errors
/// As [`run`].
pub fn run_in(
    state: StateDir,
    config: Config,
    cancel: CancellationToken,
) -> Pin<Box<dyn Future<Output = Result<(), WorkerError>> + Send>> {
    Box::pin(async move {
        let api = HttpCoordinator::new(&config.coordinator, &config.token)?;
        work(api, state, config, cancel).await
    })
}

/// As [`run`], for any way of reaching a coordinator.
///
/// # Errors
/// As [`run`].
pub async fn run_against<A: CoordinatorApi>(
    api: A,
    config: Config,
    cancel: CancellationToken,
) -> Result<(), WorkerError> {
    let state = StateDir::open(&config.dir)?;
    work(api, state, config, cancel).await
}

async fn work<A: CoordinatorApi>(
    api: A,
    state: StateDir,
    config: Config,
    cancel: CancellationToken,
) -> Result<(), WorkerError> {
    let state = Arc::new(state);
    let (spool, waiting) = Spool::open(state.spool_path())?;
    let (sender, events) = unbounded_channel();
    let slot = Slot {
        desk: Arc::new(Desk::default()),
        speeds: Arc::default(),
        spool: Arc::new(spool),
        spooled: Arc::new(AtomicUsize::new(waiting.len())),
        plan: config.calibration,
        events: sender,
    };
    info!(
        "worker {} ({}) for {}: {} slots, {} games in the spool, state in {}",
        config.name,
        state.worker(),
        config.coordinator,
        config.slots,
        waiting.len(),
        config.dir.display()
    );
    Session::new(api, state, &slot, waiting, config).run(slot, events, cancel).await
}
