//! The history of an experiment: its revisions, and what people changed while it ran.

use super::overview::one;
use super::stall::FleetState;
use crate::store::{AuditRow, ExperimentRow, Slice, StoreError, Tx};
use protocol::ids::ExperimentId;
use protocol::life::{ExperimentHistory, GamesUntil, Revision};
use protocol::operate::AuditEntry;

/// The most changes that a history lists.
const MOST: i64 = 1_000;

/// The most points of the chart of games over time.
const MOST_TIMES: usize = 400;

/// Changes that a report lists.
pub(super) const LATEST: i64 = 20;

/// Everything that happened to an experiment.
pub(crate) async fn history(
    tx: &mut Tx,
    standing: &FleetState,
    row: ExperimentRow,
) -> Result<ExperimentHistory, StoreError> {
    let revisions = tx.revisions(row.id).await?.into_iter().map(|row| Revision {
        number: row.number.unsigned_abs(),
        content: row.content,
        applied_ms: row.applied_ms,
        who: row.who,
    });
    let (revisions, changes) = (revisions.collect(), latest(tx, row.id, MOST).await?);
    let games =
        games_until(&tx.games_over_time(row.id).await?, (row.created_ms, standing.now_ms), row.games_done);
    Ok(ExperimentHistory { summary: one(tx, standing, row).await?, revisions, changes, games })
}

/// Sums of the games counted so far, at most about [`MOST_TIMES`], from the first time on at which games were counted. The last
/// one is `done`. Games without a time, such as those of a shared cell, count from the start.
fn games_until(counted: &[Slice], (applied_ms, now_ms): (i64, i64), done: u64) -> Vec<GamesUntil> {
    let all: u64 = counted.iter().map(|slice| slice.games).sum();
    let mut games = done.saturating_sub(all);
    let every = counted.len().div_ceil(MOST_TIMES).max(1);
    let mut until = Vec::new();
    // The first games arrived after the plan was applied and within their slice of time.
    if let Some(first) = counted.first() {
        until.push(GamesUntil { at_ms: applied_ms.clamp(first.from_ms, first.to_ms).min(now_ms), games });
    }
    for (number, slice) in counted.iter().enumerate() {
        games += slice.games;
        if number % every == 0 || number + 1 == counted.len() {
            until.push(GamesUntil { at_ms: slice.to_ms.min(now_ms), games });
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

    const HOUR_MS: i64 = 3_600_000;

    #[test]
    fn the_sums_end_with_the_games_that_are_counted_now() {
        let at = |at_ms, games| GamesUntil { at_ms, games };
        let slice = |from_ms, to_ms, games| Slice { from_ms, to_ms, games };
        let two = [slice(10_000, 20_000, 4), slice(20_000, 30_000, 6)];
        let until = games_until(&two, (13_000, 27_000), 12);
        assert_eq!(until, [at(13_000, 2), at(20_000, 6), at(27_000, 12)]);
        let many: Vec<Slice> =
            (0..10_000).map(|hour| slice(hour * HOUR_MS, (hour + 1) * HOUR_MS, 1)).collect();
        let until = games_until(&many, (0, i64::MAX), 10_000);
        assert!(until.len() <= MOST_TIMES + 2);
        assert_eq!(until.last(), Some(&at(10_000 * HOUR_MS, 10_000)));
    }

    #[test]
    fn a_run_of_two_minutes_begins_without_games_and_ends_when_it_ended() {
        let bucket = |from_ms| Slice { from_ms, to_ms: from_ms + 10_000, games: 5 };
        let every_ten_seconds: Vec<Slice> = (0..12).map(|number| bucket(number * 10_000)).collect();
        let until = games_until(&every_ten_seconds, (1_000, 500_000), 60);
        assert_eq!(until.len(), 13);
        assert_eq!((until[0].at_ms, until[0].games), (1_000, 0));
        assert_eq!((until[6].at_ms, until[6].games), (60_000, 30));
        assert_eq!((until[12].at_ms, until[12].games), (120_000, 60));
        assert_eq!(games_until(&[], (0, 9), 0), []);
    }
}
