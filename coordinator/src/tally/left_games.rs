//! Keeps the results of games that a machine abandoned beside the results that it delivered, and marks machines that seem to
//! choose the results that they deliver.

use crate::store::{LeftKey, LeftRow, Play, StoreError, WriteBatch};
use protocol::ids::WorkerId;
use stats::left::{LeftSum, excess, is_no_chance, tests_after};
use std::collections::BTreeMap;

/// The author of marks in the audit log.
const BY_DELIVERY: &str = "coordinator: delivery";

/// Notes a play that was just counted, if its worker has abandoned pairs (`chooses`) or if its pair was abandoned.
pub(crate) async fn note(batch: &mut WriteBatch<'_>, play: &Play, chooses: bool) -> Result<(), StoreError> {
    let points = usize::from(play.outcome.half_points(play.case_side));
    if chooses {
        batch.left((play.worker, play.cell, play.case_side.index())).own[points] += 1;
    }
    let pair = batch.pair(play.cell, play.idx).await?;
    if pair.is_some_and(|pair| pair.let_go > 0) {
        for by in batch.written().await?.let_go_by(play.cell, play.idx).await? {
            if by.worker != play.worker {
                batch.left((by.worker, play.cell, play.case_side.index())).left[points] += 1;
            }
        }
    }
    Ok(())
}

fn points([_, draws, wins]: [i64; 3]) -> i64 {
    draws + 2 * wins
}

impl LeftRow {
    /// The change of the machine's sums when the row `before` becomes this row.
    fn adds(&self, before: &Self) -> LeftSum {
        let games = |of: [i64; 3]| of.iter().sum::<i64>();
        let (after, earlier) = (excess(self.own, self.left), excess(before.own, before.left));
        LeftSum {
            own_games: games(self.own) - games(before.own),
            own_points: points(self.own) - points(before.own),
            left_games: games(self.left) - games(before.left),
            left_points: points(self.left) - points(before.left),
            excess: after.0 - earlier.0,
            variance: after.1 - earlier.1,
        }
    }

    fn without(&self, more: &Self) -> Self {
        let less = |a: [i64; 3], b: [i64; 3]| std::array::from_fn(|index| a[index] - b[index]);
        Self { own: less(self.own, more.own), left: less(self.left, more.left) }
    }
}

/// Stores the noted results, and marks machines that seem to choose. Only cells in which the machine abandoned a pair have rows.
pub(crate) async fn apply(batch: &mut WriteBatch<'_>) -> Result<(), StoreError> {
    let noted: Vec<(LeftKey, LeftRow)> = batch.take_left();
    if noted.is_empty() {
        return Ok(());
    }
    let now_ms = batch.now_ms;
    let tx = batch.written().await?;
    let more: BTreeMap<LeftKey, LeftRow> = noted.iter().copied().collect();
    let mut sums: BTreeMap<WorkerId, LeftSum> = BTreeMap::new();
    for (key, after) in tx.add_left_games(&noted).await? {
        let adds = after.adds(&after.without(&more[&key]));
        *sums.entry(key.0).or_default() += adds;
    }
    for (worker, adds) in sums {
        let (sum, marked) = tx.add_left_sum(worker, &adds).await?;
        let test = tests_after(sum.left_games);
        if marked || test == tests_after(sum.left_games - adds.left_games) {
            continue;
        }
        let strata = tx.left_games_of(worker).await?;
        if !is_no_chance(&strata, tx.worker_count().await?, test) {
            continue;
        }
        let (name, words) = (tx.mark_worker(worker, now_ms).await?, sum.words());
        tracing::error!(worker.id = %worker, worker.name = name, "machine {name}: {words}");
        tx.note_change(BY_DELIVERY, ("mark", &format!("machine {name} ({worker})"), &words), now_ms).await?;
    }
    Ok(())
}
