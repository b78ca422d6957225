//! Exclusion and restoration of single games, and the retry of suspended pairs.

use crate::admission::check_signed;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::reporting;
use crate::store::WriteBatch;
use crate::writer::changing;
use crate::{scheduling, tally};
use protocol::games::GameStatus;
use protocol::ids::{GameId, LeaseId};
use protocol::report::Retried;
use protocol::words::counted;

impl Coordinator {
    /// Excludes a stored play for `reason` and in the name of `who`: the play of `lease`, or the counted one. The play
    /// stays stored, its game is played again, and [`Coordinator::restore`] undoes the change.
    ///
    /// # Errors
    /// When there is no such play, a text is empty or too long, or the database fails.
    pub fn exclude(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        reason: &str,
        who: &str,
    ) -> BoxFuture<'static, Result<(), CoordinatorError>> {
        let coordinator = self.clone();
        let checked = check_signed(reason, who).map(|()| (reason.to_owned(), who.to_owned()));
        Box::pin(async move {
            let (reason, who) = checked?;
            let lease = coordinator.which_play(game, lease, GameStatus::Counted).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let mut batch = WriteBatch::new(tx, now_ms);
                    let done = tally::exclude(&mut batch, (game, lease), (&reason, &who)).await?;
                    if done {
                        let what = format!("game {game} under lease {lease}");
                        let number = tx.number_change(&who, ("exclude", &what, &reason), now_ms).await?;
                        let experiments = tx.experiments_of_games(&[game]).await?;
                        tx.put_on_timelines(number, &experiments).await?;
                    }
                    Ok(done)
                })
            });
            let done = coordinator.inner.writer.change(change).await?;
            if done { Ok(()) } else { Err(no_play(game, lease)) }
        })
    }

    /// Restores an excluded play in the name of `who`: the play of `lease`, or the only excluded one. The play counts
    /// unless another play of its game was counted meanwhile. Gives its new status.
    ///
    /// # Errors
    /// When there is no such play, or the database fails.
    pub fn restore(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        who: &str,
    ) -> BoxFuture<'static, Result<GameStatus, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        Box::pin(async move {
            let lease = coordinator.which_play(game, lease, GameStatus::Excluded).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let status = tally::restore(&mut WriteBatch::new(tx, now_ms), (game, lease)).await?;
                    if let Some(status) = status {
                        let what = format!("game {game} under lease {lease}");
                        let change = ("restore", what.as_str(), &*format!("now {status}"));
                        let number = tx.number_change(&who, change, now_ms).await?;
                        let experiments = tx.experiments_of_games(&[game]).await?;
                        tx.put_on_timelines(number, &experiments).await?;
                    }
                    Ok(status)
                })
            });
            let status = coordinator.inner.writer.change(change).await?;
            status.ok_or_else(|| no_play(game, lease))
        })
    }

    /// The play that a request names: that of `lease`, or the only one with this status.
    async fn which_play(
        &self,
        game: GameId,
        lease: Option<LeaseId>,
        status: GameStatus,
    ) -> Result<LeaseId, CoordinatorError> {
        if let Some(lease) = lease {
            return Ok(lease);
        }
        let plays = self.inner.store.read().await?.play_statuses(game).await?;
        let fitting: Vec<LeaseId> =
            plays.iter().filter(|(_, found)| *found == status).map(|(lease, _)| *lease).collect();
        match fitting[..] {
            [lease] => Ok(lease),
            _ if plays.is_empty() => Err(CoordinatorError::unknown("game", game.to_string())),
            _ => {
                let list: Vec<String> =
                    plays.iter().map(|(lease, found)| format!("{lease} ({found})")).collect();
                let list = list.join(", ");
                Err(CoordinatorError::Refused(match fitting.len() {
                    0 => format!("game {game} has no play that is {status}; its plays are {list}"),
                    plays => {
                        format!("game {game} has {plays} {status} plays: name one by its lease, of {list}")
                    }
                }))
            }
        }
    }

    /// Reopens the suspended pairs of an experiment, as if they had never failed.
    ///
    /// # Errors
    /// When there is no such experiment, or the database fails.
    pub fn retry(&self, key: &str, who: &str) -> BoxFuture<'static, Result<Retried, CoordinatorError>> {
        let (inner, key, who) = (self.inner.clone(), key.to_owned(), who.to_owned());
        Box::pin(async move {
            let row = reporting::find(&mut inner.store.read().await?, &key).await?;
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let pairs = scheduling::retry(&mut WriteBatch::new(tx, now_ms), row.id).await?;
                    if pairs > 0 {
                        let detail = format!("{} set aside, handed out again", counted(pairs, "pair"));
                        tx.note_on_timeline((row.id, &row.name), &who, ("retry", &detail), now_ms).await?;
                    }
                    Ok(pairs)
                })
            });
            Ok(Retried { pairs: inner.writer.change(change).await? })
        })
    }
}

fn no_play(game: GameId, lease: LeaseId) -> CoordinatorError {
    CoordinatorError::unknown("play", format!("{game} under lease {lease}"))
}
