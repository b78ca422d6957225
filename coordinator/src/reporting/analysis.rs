//! The analysis of an experiment.

mod agreement;
mod comparisons;
mod rows;

use super::confidence::CONFIDENCE;
use super::past::was_replanned;
use super::plans::PlanCache;
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::store::{ExperimentRow, Tx};
use engine::havannah::BoardSize;
use protocol::analysis::ExperimentAnalysis;
use protocol::ids::ExperimentId;
use protocol::report::ExperimentState;
use stats::sweep::{Basis, SweepAnalysis, analyse};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The most analyses in memory.
const KEPT: usize = 16;

/// The latest analyses, each with a revision of the database that is no newer than its rows. Between two commits an analysis is
/// computed once.
#[derive(Default)]
pub(crate) struct Analyses(Mutex<HashMap<AnalysisKey, (i64, Arc<ExperimentAnalysis>)>>);

/// An experiment, and one of its sizes or all of them.
type AnalysisKey = (ExperimentId, Option<BoardSize>);

impl Analyses {
    /// The analysis at this revision, if there is one.
    pub(crate) fn at(&self, revision: i64, key: AnalysisKey) -> Option<Arc<ExperimentAnalysis>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.get(&key).filter(|(of, _)| *of == revision).map(|(_, analysis)| analysis.clone())
    }

    /// Keeps an analysis. `revision` must have been read before the rows.
    pub(crate) fn keep(&self, revision: i64, analysis: ExperimentAnalysis) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert((analysis.id, analysis.size), (revision, Arc::new(analysis)));
    }
}

/// Analyses an experiment, or one of its sizes, from its counters, and compares its best cases pair by pair.
pub(crate) async fn analysis(
    tx: &mut Tx,
    plans: &PlanCache,
    row: ExperimentRow,
    size: Option<BoardSize>,
) -> Result<ExperimentAnalysis, CoordinatorError> {
    let plan = plans.get(tx, &row).await?;
    let mut places = rows::places(&plan);
    if let Some(size) = size {
        let sizes: BTreeSet<BoardSize> = places.iter().map(|place| plan.cells[*place].spec.size).collect();
        if !sizes.contains(&size) {
            return Err(CoordinatorError::NoMatch(not_played_on(&row.name, size, &sizes)));
        }
        places.retain(|place| plan.cells[*place].spec.size == size);
    }
    let counters = tx.counters_of(row.id).await?;
    // A tune chooses its points by the results, and a person who plans more pairs for a cell may have seen the results before.
    let looks_on_the_way =
        row.is_tune || !tx.stopping_rules(row.id).await?.is_empty() || was_replanned(tx, &row).await?;
    let (games_done, games_planned) = match size {
        None => (row.games_done, row.games_planned),
        Some(_) => rows::games(&plan, &places, &counters),
    };
    let all_played = games_done >= games_planned;
    let players = rows::players(&plan);
    let mut cells = rows::cells(&plan, &places, &players, &counters);
    let is_complete = all_played && !looks_on_the_way;
    let basis = if is_complete { Basis::Complete } else { Basis::AnyLook };
    if is_complete {
        agreement::fill_in(tx, &mut cells).await?;
    }
    let given = cells.iter().map(|cell| cell.row.clone()).collect::<Vec<_>>();
    // With ten thousand cells this takes a second, so it runs outside the threads that answer requests.
    let analysed = compute(move || analyse(&given, CONFIDENCE, basis)).await;
    let sweep = match analysed {
        Ok(Ok(sweep)) => sweep,
        // Cells are distinct and their weights are above 0, so this is a defect.
        Ok(Err(error)) => {
            tracing::error!(experiment.id = %row.id, "the experiment cannot be analysed: {error}");
            empty(basis)
        }
        Err(error) => {
            tracing::error!(experiment.id = %row.id, "the analysis of the experiment ended: {error}");
            empty(basis)
        }
    };
    // Paired differences hold for a fixed number of openings.
    let comparisons =
        if is_complete { comparisons::comparisons(tx, &sweep, &cells).await? } else { Vec::new() };
    Ok(ExperimentAnalysis {
        id: row.id,
        name: row.name,
        question: row.question,
        size,
        has_ended: matches!(row.state, ExperimentState::Finished | ExperimentState::Stopped) || all_played,
        is_complete,
        games_done,
        games_planned,
        sweep,
        series: rows::names(&plan, &players),
        comparisons,
    })
}

fn not_played_on(name: &str, size: BoardSize, sizes: &BTreeSet<BoardSize>) -> String {
    let sizes: Vec<String> = sizes.iter().map(BoardSize::to_string).collect();
    format!("`{name}` is not played on size {size}; its sizes are {}", sizes.join(", "))
}

fn empty(basis: Basis) -> SweepAnalysis {
    SweepAnalysis { confidence: CONFIDENCE, basis, fields: Vec::new(), ratings: Vec::new() }
}
