//! The history of an experiment: its revisions, and what people changed while it ran.

use super::overview::one;
use super::stall::Standing;
use crate::store::{AuditRow, ExperimentRow, StoreError, Tx};
use protocol::ids::ExperimentId;
use protocol::life::{ExperimentHistory, GamesUntil, Revision};
use protocol::operate::AuditEntry;

/// Changes that a history lists at most.
const MOST: i64 = 1_000;

/// Points of the games over time.
const MOST_TIMES: usize = 400;

/// Changes that a report lists.
pub(super) const LATEST: i64 = 20;

/// Everything that happened to an experiment.
pub(crate) async fn history(
    tx: &mut Tx,
    standing: &Standing,
    row: ExperimentRow,
) -> Result<ExperimentHistory, StoreError> {
    let revisions = tx.revisions(row.id).await?.into_iter().map(|row| Revision {
        number: row.number.unsigned_abs(),
        content: row.content,
        applied_ms: row.applied_ms,
        who: row.who,
    });
    let (revisions, changes) = (revisions.collect(), latest(tx, row.id, MOST).await?);
    let games = games_until(&tx.games_over_time(row.id).await?, standing.now_ms, row.games_done);
    Ok(ExperimentHistory { summary: one(tx, standing, row).await?, revisions, changes, games })
}

/// Sums of the games counted so far, at most about [`MOST_TIMES`]. The last one is `done`; games of before the times were noted, such as those
/// of a shared cell, were there from the beginning.
fn games_until(counted: &[(i64, u64)], now_ms: i64, done: u64) -> Vec<GamesUntil> {
    let all: u64 = counted.iter().map(|(_, games)| games).sum();
    let mut games = done.saturating_sub(all);
    let every = counted.len().div_ceil(MOST_TIMES).max(1);
    let mut until = Vec::new();
    for (number, (at_ms, more)) in counted.iter().enumerate() {
        games += more;
        if number % every == 0 || number + 1 == counted.len() {
            until.push(GamesUntil { at_ms: (*at_ms).min(now_ms), games });
        }
    }
    until
}

/// The latest changes of an experiment, the last one first.
pub(super) async fn latest(tx: &mut Tx, id: ExperimentId, most: i64) -> Result<Vec<AuditEntry>, StoreError> {
    let rows = tx.timeline(id, i64::MAX, most).await?;
    let entry = |AuditRow { seq, at_ms, who, action, what, detail }| AuditEntry {
        seq,
        at_ms,
        who,
        action,
        what,
        detail,
    };
    Ok(rows.into_iter().map(entry).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_end_with_the_games_that_are_counted_now() {
        let until = games_until(&[(100, 4), (200, 6)], 150, 12);
        assert_eq!(until, [GamesUntil { at_ms: 100, games: 6 }, GamesUntil { at_ms: 150, games: 12 }]);
        let many: Vec<(i64, u64)> = (0..10_000).map(|hour| (hour, 1)).collect();
        let until = games_until(&many, i64::MAX, 10_000);
        assert!(until.len() <= MOST_TIMES + 1);
        assert_eq!(until.last(), Some(&GamesUntil { at_ms: 9_999, games: 10_000 }));
    }
}
