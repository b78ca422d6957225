//! Counting a game and taking it back: the pair, the counters and the leases that hang on it.

use crate::store::{Books, LeaseState, PairState, Play, StoreError};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};

/// Counts a play unless its half of the pair has a counted one; gives whether it did. The play itself is stored by the
/// caller.
pub(crate) async fn count(books: &mut Books<'_>, play: &Play) -> Result<bool, StoreError> {
    let mut pair = books.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let half = play.case_side.index();
    if pair.points[half].is_some() {
        return Ok(false);
    }
    let change = books.change(play.cell);
    change.count_game(1, play.case_side, play.outcome, i64::from(play.plies));
    pair.points[half] = Some(play.outcome.half_points(play.case_side));
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(1, first, second);
        match pair.state {
            PairState::Leased(lease) => {
                change.pairs_in_flight -= 1;
                let own = lease == play.lease;
                books
                    .set_lease_state(lease, if own { LeaseState::Finished } else { LeaseState::Revoked })
                    .await?;
            }
            PairState::Aside(_) => change.pairs_aside -= 1,
            PairState::Open | PairState::Done => {}
        }
        pair.state = PairState::Done;
    }
    books.put_pair(pair);
    Ok(true)
}

/// Takes a counted play out of the counters: its half of the pair is wanted again.
async fn uncount(books: &mut Books<'_>, play: &Play) -> Result<(), StoreError> {
    let mut pair = books.pair(play.cell, play.idx).await?.ok_or(StoreError::Null("pair"))?;
    let change = books.change(play.cell);
    change.count_game(-1, play.case_side, play.outcome, i64::from(play.plies));
    if let [Some(first), Some(second)] = pair.points {
        change.count_pair(-1, first, second);
        pair.state = PairState::Open;
    }
    pair.points[play.case_side.index()] = None;
    books.put_pair(pair);
    Ok(())
}

/// Takes a play out of the results, with a reason and a name. It stays stored, and its game is played again. Gives
/// whether there is such a play.
pub(crate) async fn exclude(
    books: &mut Books<'_>,
    (game, lease): (GameId, LeaseId),
    (reason, by): (&str, &str),
) -> Result<bool, StoreError> {
    let Some(play) = books.written().await?.play(game, lease).await? else {
        return Ok(false);
    };
    if play.status == GameStatus::Counted {
        uncount(books, &play).await?;
        books.tx().add_worker_games(play.worker, -1).await?;
    }
    books.written().await?.set_play_status(game, lease, GameStatus::Excluded, Some((reason, by))).await?;
    Ok(true)
}

/// Puts an excluded play back: it counts unless another play of the same game was counted meanwhile. Gives what became
/// of it, if there is such a play.
pub(crate) async fn restore(
    books: &mut Books<'_>,
    (game, lease): (GameId, LeaseId),
) -> Result<Option<GameStatus>, StoreError> {
    let Some(play) = books.written().await?.play(game, lease).await? else {
        return Ok(None);
    };
    if play.status != GameStatus::Excluded {
        return Ok(Some(play.status));
    }
    let status = if count(books, &play).await? {
        books.tx().add_worker_games(play.worker, 1).await?;
        GameStatus::Counted
    } else {
        GameStatus::Superseded
    };
    books.written().await?.set_play_status(game, lease, status, None).await?;
    Ok(Some(status))
}
