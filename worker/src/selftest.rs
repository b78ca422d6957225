//! Before work: whether this build plays the games the coordinator's build plays.

use crate::backoff::Backoff;
use crate::client::{CallError, CoordinatorApi};
use crate::run::WorkerError;
use protocol::selftest::{differences, trials};
use tracing::{info, warn};

/// Differences that are shown; a wrong build shows in all of them alike.
const MOST_SHOWN: usize = 4;

/// Plays the set and compares it with the coordinator's, for which it waits.
///
/// # Errors
/// When the games differ, with the first moves that do, or the coordinator wants none of this worker.
pub(crate) async fn self_test<A: CoordinatorApi>(api: &A) -> Result<(), WorkerError> {
    let mut backoff = Backoff::default();
    let mut said = false;
    let theirs = loop {
        match api.self_test().await {
            Ok(theirs) => break theirs,
            Err(CallError::Stop { why }) => return Err(WorkerError::Refused { why }),
            Err(CallError::Retry { after, why }) => {
                if !std::mem::replace(&mut said, true) {
                    warn!("no new work: {why}");
                }
                tokio::time::sleep(backoff.after_failure(after)).await;
            }
        }
    };
    let ours = tokio::task::spawn_blocking(trials).await;
    let ours =
        ours.map_err(|error| WorkerError::SelfTest { why: format!("the self-test ended badly: {error}") })?;
    let mut lines = differences(ours, &theirs);
    if lines.is_empty() {
        info!("self-test: this build plays the coordinator's {} games move by move", theirs.len());
        return Ok(());
    }
    let unshown = lines.len().saturating_sub(MOST_SHOWN);
    lines.truncate(MOST_SHOWN);
    if unshown > 0 {
        lines.push(format!("and {unshown} more"));
    }
    let why = format!(
        "this build plays other games than the coordinator's:\n    {}\ninstall the same version on both",
        lines.join("\n    ")
    );
    Err(WorkerError::SelfTest { why })
}
