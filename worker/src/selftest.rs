//! The self-test before work: does this build play the same games as the coordinator's build?
//!
//! The games are played once per build and machine, and stored in a file that names both. The file saves time. It is no proof,
//! because a user who can write the file can also start another program.

use crate::backoff::Backoff;
use crate::checksummed::{add_checksum, verify_checksum};
use crate::client::{CallError, CoordinatorApi};
use crate::state::{create_private_dir, write_durably};
use crate::stop::WorkerError;
use protocol::hex::hex;
use protocol::selftest::{Trial, differences, remember, trials};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};
use tracing::{debug, info, warn};

/// The file, in a directory of the worker or of the user.
const FILE: &str = "self-test";

/// The content of the file.
#[derive(Serialize, Deserialize)]
struct SelftestRecord {
    /// The program and the processor.
    by: String,
    trials: Vec<Trial>,
}

/// Reads the stored games of this build on this machine from `dir`. Returns whether there are any.
pub fn recall(dir: &Path) -> bool {
    let path = dir.join(FILE);
    if !path.exists() {
        return false;
    }
    let kept = this_build_here().ok().and_then(|by| remembered(&path, &by));
    kept.map(remember).is_some()
}

/// Plays the games and stores them in `dir` for [`recall`]. On a busy machine this takes long.
pub fn keep(dir: &Path) {
    let by = match this_build_here() {
        Ok(by) => by,
        Err(error) => return debug!("the self-test is played again at the next start: {error}"),
    };
    let path = dir.join(FILE);
    let content = SelftestRecord { by, trials: trials().to_vec() };
    let content = add_checksum(&serde_json::to_vec(&content).expect("text serialises"));
    let kept = create_private_dir(dir)
        .map_err(io::Error::other)
        .and_then(|()| write_durably(&path, &path.with_extension("new"), &content));
    if let Err(error) = kept {
        debug!("the self-test is played again at the next start: {error}");
    }
}

/// The content of a file, if it is whole and from the same build on the same machine.
fn remembered(path: &Path, by: &str) -> Option<Vec<Trial>> {
    let content = std::fs::read(path).ok()?;
    let kept: SelftestRecord = serde_json::from_slice(verify_checksum(&content).ok()?).ok()?;
    (kept.by == by && !kept.trials.is_empty()).then_some(kept.trials)
}

/// A digest of the program's file and of the processor's description.
fn this_build_here() -> io::Result<String> {
    let mut digest = Sha256::new();
    digest.update(std::fs::read(std::env::current_exe()?)?);
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    // Only the first processor's: their number and their present speeds may change.
    let same =
        ["vendor_id", "cpu family", "model", "stepping", "microcode", "flags", "CPU implementer", "Features"];
    let lines = processor.lines().take_while(|line| !line.is_empty());
    for line in lines.filter(|line| same.iter().any(|start| line.starts_with(start))) {
        digest.update(line);
    }
    Ok(hex(&digest.finalize()))
}

/// The most differences shown: with a wrong build all games differ.
const MOST_SHOWN: usize = 4;

/// How a self-test ended that found no difference.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SelftestOutcome {
    /// This build plays the coordinator's games.
    Same,
    /// No coordinator answered in time.
    Unanswered,
}

/// Plays the games and compares them with the coordinator's. It waits for the coordinator, at most for `patience` if that is
/// given.
///
/// # Errors
/// When the games differ (the error shows the first different moves), or when the coordinator refuses this worker.
pub(crate) async fn self_test<A: CoordinatorApi>(
    api: &A,
    dir: &Path,
    patience: Option<Duration>,
) -> Result<SelftestOutcome, WorkerError> {
    let dir = dir.to_owned();
    let ours = tokio::task::spawn_blocking(move || {
        if !recall(&dir) {
            keep(&dir);
        }
        trials()
    });
    let mut backoff = Backoff::default();
    let mut said = false;
    let ends = patience.map(|patience| Instant::now() + patience);
    let theirs = loop {
        match api.self_test().await {
            Ok(theirs) => break theirs,
            Err(CallError::Stop { why }) => return Err(WorkerError::Refused { why }),
            Err(CallError::Untrusted { why }) => return Err(WorkerError::Untrusted { why }),
            Err(CallError::Retry { after, why }) => {
                if !std::mem::replace(&mut said, true) {
                    warn!("no new work: {why}");
                }
                let next = Instant::now() + backoff.after_failure(after);
                if ends.is_some_and(|ends| next > ends) {
                    return Ok(SelftestOutcome::Unanswered);
                }
                sleep_until(next).await;
            }
        }
    };
    let ours = ours
        .await
        .map_err(|error| WorkerError::SelfTest { why: format!("the self-test ended badly: {error}") })?;
    let mut lines = differences(ours, &theirs);
    if lines.is_empty() {
        info!("self-test: this build plays the coordinator's {} games move by move", theirs.len());
        return Ok(SelftestOutcome::Same);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_set_is_remembered_of_the_same_build_on_the_same_machine_alone() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("cache");
        let path = dir.join(FILE);
        assert!(!recall(&dir), "nothing is kept");
        keep(&dir);
        assert!(recall(&dir));
        let by = this_build_here().expect("a program");
        assert_eq!(remembered(&path, &by).as_deref(), Some(trials()));
        assert_eq!(remembered(&path, "another"), None, "another build, or another processor");
        let whole = std::fs::read(&path).expect("kept");
        for byte in (0..whole.len()).step_by(97) {
            let mut spoilt = whole.clone();
            spoilt[byte] ^= 1;
            std::fs::write(&path, spoilt).expect("written");
            assert_eq!(remembered(&path, &by), None, "byte {byte}");
        }
        assert!(!recall(&dir));
        keep(&dir);
        assert_eq!(std::fs::read(&path).expect("kept"), whole, "what is spoilt is played and kept anew");
    }
}
