//! Running a worker, from its start to its end.

use crate::affinity;
use crate::client::{CoordinatorApi, HttpCoordinator};
use crate::config::Config;
use crate::selftest::{SelftestOutcome, self_test};
use crate::session::Session;
use crate::start::Start;
use crate::state::StateDir;
use crate::stop::{Stop, WorkerError};
use protocol::words::counted;
use std::future::Future;
use std::pin::Pin;
use tracing::info;

/// Works for the coordinator over HTTP until cancelled, drained or refused. On cancellation the worker writes checkpoints
/// of the games under way, sends the spool, and returns the other leases with a last call.
///
/// # Errors
/// See [`WorkerError`]. Cancellation and draining are not errors. An absent coordinator is not an error: the worker waits
/// for it, as long as the configuration allows.
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
        tested = self_test(&api, &config.dir, config.patience()) => {
            if tested? == SelftestOutcome::Unanswered {
                info!("this worker leaves because no coordinator answered for as long as it waits");
                return Ok(());
            }
        }
    }
    let (session, slot, gathering) = Session::new(api, start, config);
    session.run((slot, gathering), placed, events, stop).await
}
