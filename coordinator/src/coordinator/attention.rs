//! The task that follows the attention of cases: see [`crate::scheduling::shares`].

use super::repeating::{Failing, every};
use super::{BoxFuture, Coordinator};
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::scheduling::shares;
use crate::store::StoreError;
use crate::writer::changing;
use protocol::ids::ExperimentId;
use std::collections::HashMap;
use std::convert::Infallible;
use std::time::Duration;

/// The time between two updates.
const LOOK: Duration = Duration::from_secs(5);

/// Shares are computed again after this part of an experiment's games was added, and after this number at least.
const NEW_GAMES: (f64, u64) = (0.02, 32);

/// A share that differs from the stored one by less than this factor is not worth a write.
const WORTH_A_WRITE: f64 = 1.1;

/// The most cells whose shares one transaction changes.
const PART: usize = 250;

impl Coordinator {
    /// Every five seconds: updates the attention of the cases of experiments whose policy judges cases.
    pub(crate) async fn follow_attention(&self) -> Infallible {
        let mut seen = HashMap::new();
        let mut failing = Failing::default();
        let mut ticks = every(LOOK);
        loop {
            ticks.tick().await;
            failing.note(
                self.attend_to_new(&mut seen).await,
                "the shares of cases stay as they are until they can be stored",
            );
        }
    }

    /// Updates the attention of every case; gives the number of cells whose share changed. [`Coordinator::serve`] does so by
    /// itself.
    ///
    /// # Errors
    /// When the database fails.
    pub fn attend(&self) -> BoxFuture<'static, Result<u64, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move { Ok(coordinator.attend_to_new(&mut HashMap::new()).await?) })
    }

    /// As [`Coordinator::attend`], for experiments with enough games since they were `seen`: by games and edition then.
    async fn attend_to_new(&self, seen: &mut HashMap<ExperimentId, (u64, i64)>) -> Result<u64, StoreError> {
        let mut tx = self.inner.store.intake_conn().await?;
        let experiments = tx.attended_experiments(engine::SEMANTICS).await?;
        drop(tx);
        seen.retain(|id, _| experiments.iter().any(|experiment| experiment.id == *id));
        let mut changed = 0;
        for experiment in experiments {
            let now = (experiment.games_done, experiment.edition);
            let is_new = seen.get(&experiment.id).is_none_or(|(games, edition)| {
                let few = ((NEW_GAMES.0 * *games as f64) as u64).max(NEW_GAMES.1);
                *edition != experiment.edition || experiment.games_done.abs_diff(*games) >= few
            });
            if is_new {
                changed += self.attend_to(experiment.id).await?;
                seen.insert(experiment.id, now);
            }
        }
        Ok(changed)
    }

    async fn attend_to(&self, id: ExperimentId) -> Result<u64, StoreError> {
        let mut tx = self.inner.store.intake_conn().await?;
        let Some((policy, cells)) = tx.played_cells(id).await? else { return Ok(0) };
        drop(tx);
        // With thousands of cases this takes long.
        let wanted = compute(move || {
            let wanted = cells.iter().zip(shares(policy, &cells));
            let changed = wanted.filter(|(cell, share)| is_worth_a_write(cell.share, *share));
            changed.map(|(cell, share)| (cell.position, share)).collect::<Vec<_>>()
        });
        let wanted = wanted.await?;
        for part in wanted.chunks(PART) {
            let part = part.to_vec();
            let change =
                changing(move |tx, _| Box::pin(async move { tx.set_shares(id, policy, &part).await }));
            self.inner.writer.change(change).await?;
        }
        Ok(wanted.len() as u64)
    }
}

fn is_worth_a_write(stored: f64, wanted: f64) -> bool {
    wanted / stored >= WORTH_A_WRITE || stored / wanted >= WORTH_A_WRITE
}
