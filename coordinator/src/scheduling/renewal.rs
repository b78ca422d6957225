//! Full terms for all leases, after a start of the coordinator and after a step of the clock. It also moves stored times, none of
//! which may lie in the future.

use crate::clock::{DueRenewal, WORTH_A_WORD, in_words};
use crate::store::{StoreError, Tx};
use protocol::words::counted;

/// The action of the audit entries for steps of the clock.
pub(crate) const ACTION: &str = "clock";

/// How long `gauntlet why` reports a step of the clock, in milliseconds.
const NEWS_MS: i64 = 3_600_000;

/// After the clock was set forward, no record is dropped for its age for so long, in milliseconds. If the clock is wrong, every
/// record looks older than it is.
const WAIT_MS: i64 = 86_400_000;

/// Gives every lease a full term from `now_ms`; gives their number.
pub(crate) async fn renew(
    tx: &mut Tx,
    mut owed: DueRenewal,
    lease_ms: i64,
    now_ms: i64,
) -> Result<u64, StoreError> {
    if owed.start && owed.step_ms == 0 {
        // The last stored time is the best estimate of the clock before.
        let ahead_ms = tx.last_call().await?.map_or(0, |last_ms| last_ms - now_ms);
        if ahead_ms > WORTH_A_WORD {
            owed.step_ms = -ahead_ms;
            tracing::warn!(
                "the clock was set {} or more since a coordinator last ran on this database",
                in_words(-ahead_ms)
            );
        }
    }
    let leases =
        tx.extend_all_leases(now_ms, now_ms.saturating_add(lease_ms), (-owed.step_ms).max(0)).await?;
    // The silence of workers continues while no coordinator runs.
    tx.move_last_calls(if owed.start { 0 } else { owed.step_ms }, now_ms).await?;
    tx.forget_games_to_come(now_ms).await?;
    if owed.step_ms != 0 {
        let what = format!("set {}", in_words(owed.step_ms));
        let detail = format!("{} got a full term from then", counted(leases, "lease"));
        tx.note_change("coordinator", (ACTION, &what, &detail), now_ms).await?;
    }
    Ok(leases)
}

/// The last step of the clock in words, if it is recent.
pub(crate) async fn recent_step(tx: &mut Tx, now_ms: i64) -> Result<Option<String>, StoreError> {
    let last = tx.last_change(ACTION).await?;
    let last = last.filter(|step| (now_ms - step.at_ms).abs() < NEWS_MS);
    Ok(last.map(|step| {
        let ago = match (now_ms - step.at_ms).max(0) / 60_000 {
            0 => "less than a minute".to_owned(),
            minutes => format!("{minutes} min"),
        };
        format!("the coordinator's clock was {} ({ago} ago): {}", step.what, step.detail)
    }))
}

/// Whether the clock was set forward so recently that no record should be dropped for its age.
pub(crate) async fn is_too_new(tx: &mut Tx, now_ms: i64) -> Result<bool, StoreError> {
    let last = tx.last_change(ACTION).await?;
    Ok(last.is_some_and(|step| step.what.starts_with("set forward") && now_ms - step.at_ms < WAIT_MS))
}
