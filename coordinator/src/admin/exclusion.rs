//! Exclusion of all games of a machine, and their restoration, as one change.
//!
//! Games that a machine sent before its quarantine stay counted until a person excludes them. The change is one entry of the
//! audit, and every play holds its number, so that the change can be undone as one. It is made in parts, so that the writer can
//! store results in between. If it is interrupted, the same command completes it.

use crate::admission::check_signed;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::store::WriteBatch;
use crate::tally;
use crate::writer::changing;
use protocol::ids::{GameId, LeaseId};
use protocol::operate::{ExcludeGamesRequest, GamesChanged, RestoreGamesRequest};
use protocol::words::counted;
use std::collections::BTreeSet;

/// Plays that are changed in one transaction.
const PART: usize = 200;

impl Coordinator {
    /// Excludes all counted games of machines, in the name of `who`. The games stay stored and are played again;
    /// [`Coordinator::restore_games`] undoes the change.
    ///
    /// # Errors
    /// When there is no such machine, a text is empty or too long, or the database fails.
    pub fn exclude_games(
        &self,
        request: ExcludeGamesRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<GamesChanged, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        let checked = check_signed(&request.why, &who);
        self.run_detached(async move {
            checked?;
            let ExcludeGamesRequest { machines, since_ms, why } = request;
            let rows = coordinator.find_machines(&machines).await?;
            let times = (since_ms.unwrap_or(i64::MIN), coordinator.inner.clock.now_ms());
            let mut plays = Vec::new();
            let mut tx = coordinator.inner.store.read().await?;
            for row in &rows {
                plays.extend(tx.counted_plays_of(row.id, times).await?);
            }
            drop(tx);
            if plays.is_empty() {
                return Ok(GamesChanged::default());
            }
            let what = format!("all games of {machines}");
            let since = since_ms.map_or(String::new(), |ms| format!(" since {ms} ms"));
            let detail = format!("{}{since}: {why}", counted(plays.len() as u64, "game"));
            let (noted, note) = (who.clone(), (what, detail));
            let change = changing(move |tx, now_ms| {
                Box::pin(async move { tx.number_change(&noted, ("exclude", &note.0, &note.1), now_ms).await })
            });
            let number = coordinator.inner.writer.change(change).await?;
            let mut changed = GamesChanged::default();
            for part in plays.chunks(PART) {
                let (part, why, who): (Vec<(GameId, LeaseId)>, _, _) =
                    (part.to_vec(), why.clone(), who.clone());
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move {
                        let mut batch = WriteBatch::new(tx, now_ms);
                        let games = tally::exclude_all(&mut batch, &part, (&why, &who, number)).await?;
                        batch.written().await?;
                        let experiments = tx.experiments_of_games(&games_of(&part)).await?;
                        tx.put_on_timelines(number, &experiments).await?;
                        Ok(games)
                    })
                });
                changed.games += coordinator.inner.writer.change(change).await?;
            }
            Ok(changed)
        })
    }

    /// Restores all games of machines that [`Coordinator::exclude_games`] excluded, in the name of `who`. Each counts
    /// again unless another play of it was counted meanwhile.
    ///
    /// # Errors
    /// When there is no such machine, or the database fails.
    pub fn restore_games(
        &self,
        request: RestoreGamesRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<GamesChanged, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        self.run_detached(async move {
            let RestoreGamesRequest { machines } = request;
            let rows = coordinator.find_machines(&machines).await?;
            let mut plays = Vec::new();
            let mut tx = coordinator.inner.store.read().await?;
            for row in &rows {
                plays.extend(tx.plays_taken_out(row.id).await?);
            }
            drop(tx);
            let (mut changed, mut experiments) = (GamesChanged::default(), BTreeSet::new());
            for part in plays.chunks(PART) {
                let part = part.to_vec();
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move {
                        let mut batch = WriteBatch::new(tx, now_ms);
                        let done = tally::restore_all(&mut batch, &part).await?;
                        batch.written().await?;
                        Ok((done, tx.experiments_of_games(&games_of(&part)).await?))
                    })
                });
                let ((games, counted), of) = coordinator.inner.writer.change(change).await?;
                experiments.extend(of);
                changed.games += games;
                changed.counted += counted;
            }
            if changed.games > 0 {
                let what = format!("all games of {machines}");
                let detail =
                    format!("{}, of which {} count again", counted(changed.games, "game"), changed.counted);
                let change = changing(move |tx, now_ms| {
                    Box::pin(async move {
                        let number = tx.number_change(&who, ("restore", &what, &detail), now_ms).await?;
                        tx.put_on_timelines(number, &Vec::from_iter(experiments)).await
                    })
                });
                coordinator.inner.writer.change(change).await?;
            }
            Ok(changed)
        })
    }
}

fn games_of(plays: &[(GameId, LeaseId)]) -> Vec<GameId> {
    plays.iter().map(|(game, _)| *game).collect()
}
