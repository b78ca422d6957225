//! The analysis of an experiment.

mod comparisons;
mod rows;

use super::confidence::CONFIDENCE;
use super::plans::Plans;
use crate::computing::compute;
use crate::store::{ExperimentRow, StoreError, Tx};
use protocol::analysis::ExperimentAnalysis;
use protocol::ids::ExperimentId;
use protocol::report::ExperimentState;
use stats::sweep::{SweepAnalysis, analyse};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Analyses that stay in memory at most.
const KEPT: usize = 16;

/// The latest analyses with the revision of the database that they were read from, at least. As long as nothing is
/// committed, an analysis is computed once.
#[derive(Default)]
pub(crate) struct Analyses(Mutex<HashMap<ExperimentId, (i64, Arc<ExperimentAnalysis>)>>);

impl Analyses {
    /// The analysis at this revision, if there is one.
    pub(crate) fn at(&self, revision: i64, id: ExperimentId) -> Option<Arc<ExperimentAnalysis>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&id).filter(|(of, _)| *of == revision).map(|(_, analysis)| analysis.clone())
    }

    /// Keeps an analysis. `revision` was asked for before the rows were read.
    pub(crate) fn keep(&self, revision: i64, analysis: ExperimentAnalysis) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(analysis.id, (revision, Arc::new(analysis)));
    }
}

/// Analyses an experiment from its counters, and compares its best cases pair by pair.
pub(crate) async fn analysis(
    tx: &mut Tx,
    plans: &Plans,
    row: ExperimentRow,
) -> Result<ExperimentAnalysis, StoreError> {
    let plan = plans.get(tx, &row).await?;
    let counters = tx.counters_of(row.id).await?;
    let looks_on_the_way = !tx.stopping_rules(row.id).await?.is_empty();
    let all_played = row.games_done >= row.games_planned;
    let places = rows::places(&plan);
    let players = rows::players(&plan);
    let cells = rows::cells(&plan, &places, &players, &counters);
    let given = cells.iter().map(|cell| cell.row.clone()).collect::<Vec<_>>();
    // With ten thousand cells this takes a second: no other answer should wait for the thread.
    let analysed = compute(move || analyse(&given, CONFIDENCE)).await;
    let sweep = match analysed {
        Ok(Ok(sweep)) => sweep,
        // Cells are distinct and their weights are above 0, so only a defect comes here.
        Ok(Err(error)) => {
            tracing::error!(experiment.id = %row.id, "the experiment cannot be analysed: {error}");
            empty()
        }
        Err(error) => {
            tracing::error!(experiment.id = %row.id, "the analysis of the experiment ended: {error}");
            empty()
        }
    };
    let comparisons = comparisons::comparisons(tx, &sweep, &cells).await?;
    Ok(ExperimentAnalysis {
        id: row.id,
        name: row.name,
        question: row.question,
        has_ended: matches!(row.state, ExperimentState::Finished | ExperimentState::Stopped) || all_played,
        is_complete: all_played && !looks_on_the_way,
        games_done: row.games_done,
        games_planned: row.games_planned,
        sweep,
        series: rows::names(&plan, &players),
        comparisons,
    })
}

fn empty() -> SweepAnalysis {
    SweepAnalysis { confidence: CONFIDENCE, fields: Vec::new(), ratings: Vec::new() }
}
