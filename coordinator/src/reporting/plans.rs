//! The plans of experiments, and the points of their charts.

use crate::store::{Counters, PlannedCellRow, StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::ids::{CellId, ExperimentId};
use protocol::report::{MissingPairs, Point, Series};
use stats::{PairCounts, left};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Confidence of every interval.
pub(super) const CONFIDENCE: f64 = 0.95;

/// Experiments whose plans stay in memory at most.
const PLANS_KEPT: usize = 16;

/// The plans of the experiments that were viewed. A plan never changes, so a report reads only the counters.
#[derive(Default)]
pub(crate) struct Plans(Mutex<HashMap<ExperimentId, Arc<Plan>>>);

/// The part of a report that does not depend on the games.
pub(super) struct Plan {
    /// In the order of the file.
    pub(super) cells: Vec<PlannedCellRow>,
    /// Cells that differ in size only, without points.
    pub(super) series: Vec<Series>,
    /// For every cell, its place in `series`.
    pub(super) line_of: Vec<usize>,
    pub(super) sizes: Vec<BoardSize>,
    /// The ids of the cells in ascending order, in which games are listed.
    pub(super) by_id: Vec<CellId>,
}

impl Plans {
    pub(super) async fn get(&self, tx: &mut Tx, id: ExperimentId) -> Result<Arc<Plan>, StoreError> {
        if let Some(plan) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return Ok(plan.clone());
        }
        let plan = Arc::new(Plan::of(tx.planned_cells(id).await?));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= PLANS_KEPT {
            kept.clear();
        }
        kept.insert(id, plan.clone());
        Ok(plan)
    }
}

impl Plan {
    /// Joins cells that differ only in size to series, in the order of the file.
    fn of(cells: Vec<PlannedCellRow>) -> Self {
        let mut series: Vec<Series> = Vec::new();
        let mut place: HashMap<String, usize> = HashMap::new();
        let mut line_of = Vec::with_capacity(cells.len());
        for row in &cells {
            let spec = &row.spec;
            let key = format!(
                "{:?}",
                (
                    &row.case_group,
                    &row.case_label,
                    &row.baseline_label,
                    &spec.case,
                    &spec.baseline,
                    spec.budget,
                    spec.opening_plies,
                    spec.seed
                )
            );
            let index = *place.entry(key).or_insert(series.len());
            if index == series.len() {
                series.push(Series {
                    label: row.case_label.clone(),
                    group: row.case_group.clone(),
                    case: spec.case.clone(),
                    baseline_label: row.baseline_label.clone(),
                    baseline: spec.baseline.clone(),
                    budget: spec.budget,
                    points: Vec::new(),
                });
            }
            line_of.push(index);
        }
        let sizes: BTreeSet<BoardSize> = cells.iter().map(|cell| cell.spec.size).collect();
        let by_id: BTreeSet<CellId> = cells.iter().map(|cell| cell.cell).collect();
        Self {
            sizes: sizes.into_iter().collect(),
            by_id: by_id.into_iter().collect(),
            cells,
            series,
            line_of,
        }
    }

    /// The cells from this one on, in the order of their ids.
    pub(super) fn from(&self, cell: CellId) -> &[CellId] {
        &self.by_id[self.by_id.partition_point(|id| *id < cell)..]
    }

    /// The series, with a point for every cell from these counters.
    pub(super) fn series(&self, counters: &[Counters]) -> Vec<Series> {
        let mut series = self.series.clone();
        for ((cell, line), counters) in self.cells.iter().zip(&self.line_of).zip(counters) {
            series[*line].points.push(point(cell.cell, cell.spec.size, cell.pairs, counters));
        }
        for line in &mut series {
            line.points.sort_by_key(|point| point.size);
        }
        series
    }
}

fn point(cell: CellId, size: BoardSize, pairs: u64, counters: &Counters) -> Point {
    // No counter is below 0: CHECK constraints in the database ensure it.
    let count = |counter: i64| counter.unsigned_abs();
    let pair_counts = counters.pair_counts.map(count);
    let summary = stats::summary(&PairCounts::from(pair_counts), CONFIDENCE);
    let decided = counters.wins + counters.losses;
    Point {
        cell,
        size,
        games: count(counters.games),
        games_planned: 2 * pairs,
        pairs_in_flight: count(counters.pairs_in_flight),
        pairs_aside: count(counters.pairs_aside),
        wins: count(counters.wins),
        draws: count(counters.draws),
        losses: count(counters.losses),
        pairs: count(counters.pairs_done),
        pair_counts,
        rate: summary.map(|summary| summary.rate),
        low: summary.map(|summary| summary.low),
        high: summary.map(|summary| summary.high),
        elo: summary.and_then(|summary| summary.elo),
        design_effect: summary.map(|summary| summary.design_effect),
        first_move_rate: (decided > 0).then(|| counters.first_move_wins as f64 / decided as f64),
        win_kinds: counters.win_kinds.map(count),
        mean_plies: (counters.games > 0).then(|| counters.plies as f64 / counters.games as f64),
        missing: missing(counters, summary.map(|summary| summary.rate)),
    }
}

/// How the started but missing pairs of a cell could change its result.
fn missing(counters: &Counters, rate: Option<f64>) -> Option<MissingPairs> {
    let pairs = (counters.pairs_open() + counters.pairs_aside).unsigned_abs();
    let (low, high) = left::missing_bounds(rate, counters.pairs_done.unsigned_abs(), pairs)?;
    let words = left::missing_words((low, high), pairs, counters.pairs_aside.unsigned_abs());
    Some(MissingPairs { pairs, low, high, words })
}
