//! Adds plays to the counters and removes them, and updates the pairs and leases that depend on the counters.

use crate::store::{LeaseRow, LeaseState, PairState, Play, StoreError, WriteBatch};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};
use stats::ComparedGames;
use std::collections::{BTreeMap, HashSet};

/// Counts a play, unless another play of the same game is counted already. Returns whether the play was counted. The
/// caller stores the play itself.
pub(crate) async fn count(batch: &mut WriteBatch<'_>, play: &Play) -> Result<bool, StoreError> {
    let mut pair = batch.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let half = play.case_side.index();
    if pair.points[half].is_some() {
        return Ok(false);
    }
    let change = batch.change(play.cell);
    change.count_game(1, play.case_side, play.outcome, i64::from(play.plies));
    change.count_time(1, play.core_us);
    pair.points[half] = Some(play.outcome.half_points(play.case_side));
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(1, first, second);
        match pair.state {
            PairState::Leased(lease) => {
                change.pairs_in_flight -= 1;
                let own = lease == play.lease;
                batch
                    .set_lease_state(lease, if own { LeaseState::Finished } else { LeaseState::Revoked })
                    .await?;
            }
            PairState::Suspended(_) => change.pairs_aside -= 1,
            PairState::Open | PairState::Done => {}
        }
        pair.state = PairState::Done;
    }
    batch.put_pair(pair);
    batch.note_pace(play, 1);
    batch.note_in_cell(play, 1);
    if let Some(off) = play.ratio_off {
        batch.tx().add_compared(&[(play.worker, ComparedGames::of(off))]).await?;
    }
    Ok(true)
}

/// Counts the late plays of a lease's pair, for a lease that has ended. Late plays were held back only in favour of this lease's
/// holder, so each one whose game the holder has not delivered counts.
pub(crate) async fn count_late(batch: &mut WriteBatch<'_>, lease: &LeaseRow) -> Result<(), StoreError> {
    for play in batch.written().await?.late_plays(lease.cell, lease.idx, lease.granted_ms).await? {
        if count(batch, &play).await? {
            let counted = GameStatus::Counted;
            batch.written().await?.set_play_status(play.id, play.lease, counted, None).await?;
            batch.tx().add_worker_games(play.worker, 1).await?;
            // A machine that delivers a game after it abandoned it has chosen the time of delivery.
            batch.tx().draw_lowest(play.id, play.lease).await?;
        }
    }
    Ok(())
}

/// Removes a counted play from the counters. Its game is open again.
async fn uncount(batch: &mut WriteBatch<'_>, play: &Play) -> Result<(), StoreError> {
    let mut pair = batch.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let change = batch.change(play.cell);
    change.count_game(-1, play.case_side, play.outcome, i64::from(play.plies));
    change.count_time(-1, play.core_us);
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(-1, first, second);
        batch.note_uncounted(play.cell);
        pair.state = PairState::Open;
    }
    pair.points[play.case_side.index()] = None;
    batch.put_pair(pair);
    batch.note_pace(play, -1);
    batch.note_in_cell(play, -1);
    if let Some(off) = play.ratio_off {
        batch.tx().add_compared(&[(play.worker, -ComparedGames::of(off))]).await?;
    }
    Ok(())
}

/// Excludes a play from the results, with a reason and an author. The play stays stored, and its game is played again.
/// Returns whether the play exists.
pub(crate) async fn exclude(
    batch: &mut WriteBatch<'_>,
    (game, lease): (GameId, LeaseId),
    (reason, by): (&str, &str),
) -> Result<bool, StoreError> {
    let Some(play) = batch.written().await?.play(game, lease).await? else {
        return Ok(false);
    };
    if play.status == GameStatus::Counted {
        uncount(batch, &play).await?;
        batch.tx().add_worker_games(play.worker, -1).await?;
    }
    batch.change(play.cell).void_games += i64::from(play.status != GameStatus::Excluded);
    batch.written().await?.set_play_status(game, lease, GameStatus::Excluded, Some((reason, by))).await?;
    Ok(true)
}

/// Counts a play that is no longer excluded, unless another play of the same game is counted, or the play is a recheck. A recheck
/// never counts: it repeats the game of another machine. Returns the new status of the play.
async fn count_again(batch: &mut WriteBatch<'_>, play: &Play) -> Result<GameStatus, StoreError> {
    let is_recheck = batch.lease(play.lease).await?.is_some_and(|lease| lease.rechecks.is_some());
    let counts = !is_recheck && count(batch, play).await?;
    if counts {
        batch.note_uncounted(play.cell);
    }
    Ok(if counts { GameStatus::Counted } else { GameStatus::Superseded })
}

/// Restores an excluded play. The play counts unless another play of the same game was counted meanwhile, or it is a recheck.
/// Returns the new status of the play; none if the play does not exist.
pub(crate) async fn restore(
    batch: &mut WriteBatch<'_>,
    (game, lease): (GameId, LeaseId),
) -> Result<Option<GameStatus>, StoreError> {
    let Some(play) = batch.written().await?.play(game, lease).await? else {
        return Ok(None);
    };
    if play.status != GameStatus::Excluded {
        return Ok(Some(play.status));
    }
    batch.change(play.cell).void_games -= 1;
    let status = count_again(batch, &play).await?;
    if status == GameStatus::Counted {
        batch.tx().add_worker_games(play.worker, 1).await?;
    }
    batch.written().await?.set_play_status(game, lease, status, None).await?;
    Ok(Some(status))
}

/// Excludes the counted ones of these plays under one audit entry with this number. Returns how many were excluded.
pub(crate) async fn exclude_all(
    batch: &mut WriteBatch<'_>,
    plays: &[(GameId, LeaseId)],
    (reason, by, number): (&str, &str, i64),
) -> Result<u64, StoreError> {
    let mut counted = batch.written().await?.some_plays(plays).await?;
    counted.retain(|play| play.status == GameStatus::Counted);
    for play in &counted {
        uncount(batch, play).await?;
        batch.change(play.cell).void_games += 1;
    }
    let done: Vec<_> = counted.iter().map(|play| (*play, GameStatus::Excluded)).collect();
    batch.written().await?.set_play_statuses(&done, Some((reason, by, number))).await?;
    add_games(batch, &counted, -1).await?;
    Ok(counted.len() as u64)
}

/// Restores the excluded ones of these plays. Returns how many were restored, and how many of them count again.
pub(crate) async fn restore_all(
    batch: &mut WriteBatch<'_>,
    plays: &[(GameId, LeaseId)],
) -> Result<(u64, u64), StoreError> {
    let mut excluded = batch.written().await?.some_plays(plays).await?;
    excluded.retain(|play| play.status == GameStatus::Excluded);
    let leases = excluded.iter().map(|play| play.lease).collect();
    batch.read(&[], (&leases, &HashSet::new()), &[]).await?;
    let (mut done, mut counted) = (Vec::with_capacity(excluded.len()), Vec::new());
    for play in excluded {
        batch.change(play.cell).void_games -= 1;
        let status = count_again(batch, &play).await?;
        done.push((play, status));
        counted.extend((status == GameStatus::Counted).then_some(play));
    }
    batch.written().await?.set_play_statuses(&done, None).await?;
    add_games(batch, &counted, 1).await?;
    Ok((done.len() as u64, counted.len() as u64))
}

/// Adds `each` to a worker's number of games for every play of the worker.
async fn add_games(batch: &mut WriteBatch<'_>, plays: &[Play], each: i64) -> Result<(), StoreError> {
    let mut games: BTreeMap<_, i64> = BTreeMap::new();
    plays.iter().for_each(|play| *games.entry(play.worker).or_default() += each);
    for (worker, games) in games {
        batch.tx().add_worker_games(worker, games).await?;
    }
    Ok(())
}
