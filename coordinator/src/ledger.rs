//! Counting a game and taking it back: the pair, the counters and the leases that hang on it.

use crate::store::{Changes, LeaseState, PairState, Play, StoreError, Tx};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};

/// Counts a play unless its half of the pair has a counted one; gives whether it did. The play itself is stored by the
/// caller.
pub(crate) async fn count(tx: &mut Tx, play: &Play, changes: &mut Changes) -> Result<bool, StoreError> {
    let mut pair = tx.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let half = play.case_side.index();
    if pair.points[half].is_some() {
        return Ok(false);
    }
    let change = changes.of(play.cell);
    change.count_game(1, play.case_side, play.outcome, i64::from(play.plies));
    pair.points[half] = Some(play.outcome.half_points(play.case_side));
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(1, first, second);
        if let PairState::Leased(lease) = pair.state {
            change.pairs_in_flight -= 1;
            let own = lease == play.lease;
            tx.set_lease_state(lease, if own { LeaseState::Finished } else { LeaseState::Revoked }).await?;
        }
        if let PairState::Aside(_) = pair.state {
            change.pairs_aside -= 1;
        }
        pair.state = PairState::Done;
    }
    tx.put_pair(&pair).await?;
    Ok(true)
}

/// Takes a counted play out of the counters: its half of the pair is wanted again.
async fn uncount(tx: &mut Tx, play: &Play, changes: &mut Changes) -> Result<(), StoreError> {
    let mut pair = tx.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let change = changes.of(play.cell);
    change.count_game(-1, play.case_side, play.outcome, i64::from(play.plies));
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(-1, first, second);
        pair.state = PairState::Open;
    }
    pair.points[play.case_side.index()] = None;
    tx.put_pair(&pair).await
}

/// Takes a play out of the results, with a reason and a name. It stays stored, and its game is played again. Gives
/// whether there is such a play.
pub(crate) async fn exclude(
    tx: &mut Tx,
    (game, lease): (GameId, LeaseId),
    (reason, by): (&str, &str),
    now_ms: i64,
) -> Result<bool, StoreError> {
    let Some(play) = tx.play(game, lease).await? else {
        return Ok(false);
    };
    if play.status == GameStatus::Counted {
        let mut changes = Changes::default();
        uncount(tx, &play, &mut changes).await?;
        changes.flush(tx, now_ms).await?;
        tx.add_worker_games(play.worker, -1).await?;
    }
    tx.set_play_status(game, lease, GameStatus::Excluded, Some((reason, by))).await?;
    Ok(true)
}

/// Puts an excluded play back: it counts unless another play of the same game was counted meanwhile. Gives what became
/// of it, if there is such a play.
pub(crate) async fn restore(
    tx: &mut Tx,
    (game, lease): (GameId, LeaseId),
    now_ms: i64,
) -> Result<Option<GameStatus>, StoreError> {
    let Some(play) = tx.play(game, lease).await? else {
        return Ok(None);
    };
    if play.status != GameStatus::Excluded {
        return Ok(Some(play.status));
    }
    let mut changes = Changes::default();
    let status = if count(tx, &play, &mut changes).await? {
        changes.flush(tx, now_ms).await?;
        tx.add_worker_games(play.worker, 1).await?;
        GameStatus::Counted
    } else {
        GameStatus::Superseded
    };
    tx.set_play_status(game, lease, status, None).await?;
    Ok(Some(status))
}
