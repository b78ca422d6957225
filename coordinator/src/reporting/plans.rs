//! The plans of experiments, and the points of their charts.

use super::confidence::CONFIDENCE;
use super::names::names;
use super::stopping::{stopping, verdict};
use super::swept::{declared_scales, note_swept};
use crate::store::{Counters, ExperimentRow, PlannedCellRow, Stopping as Stored, StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::experiment::{CellSpec, NamedCell, remarks};
use protocol::ids::{CellId, ExperimentId};
use protocol::lease::ParamSet;
use protocol::report::{MissingPairs, Point, Series, StopOutcome, Stopping};
use protocol::tune::Tune;
use protocol::words::counted;
use stats::abandoned;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// The most experiments whose plans stay in memory.
const PLANS_KEPT: usize = 16;

/// The plans of the experiments that were viewed. A plan changes only with the edition of its rows, so a report reads only the
/// counters.
#[derive(Default)]
pub(crate) struct PlanCache(Mutex<HashMap<ExperimentId, (i64, Arc<CachedPlan>)>>);

/// The part of a report that does not depend on the games.
pub(super) struct CachedPlan {
    /// In the order in which they were added, with those that a revision closed.
    pub(super) cells: Vec<PlannedCellRow>,
    /// Cells that differ in size only, without points, in the order of the file.
    pub(super) series: Vec<Series>,
    /// For every cell, its index in `series`; none for closed cells.
    pub(super) line_of: Vec<Option<usize>>,
    /// Closed cells that differ from those of `series` in the version of the engine, as series without points.
    earlier: Vec<Series>,
    /// For every cell, its index in `earlier`.
    earlier_line_of: Vec<Option<usize>>,
    pub(super) sizes: Vec<BoardSize>,
    /// Remarks on the plan for people.
    pub(super) remarks: Vec<String>,
    /// The ids of the cells in ascending order, in which games are listed.
    pub(super) by_id: Vec<CellId>,
}

impl PlanCache {
    pub(super) async fn get(&self, tx: &mut Tx, row: &ExperimentRow) -> Result<Arc<CachedPlan>, StoreError> {
        if let Some((edition, plan)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&row.id)
            && *edition == row.edition
        {
            return Ok(plan.clone());
        }
        let (cells, order) = (tx.planned_cells(row.id).await?, tx.order_of_plan(row.id).await?);
        let tune = tx.tune(row.id).await?;
        let plan = Arc::new(CachedPlan::of(cells, order.as_deref(), tune.as_ref()));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= PLANS_KEPT {
            kept.clear();
        }
        kept.insert(row.id, (row.edition, plan.clone()));
        Ok(plan)
    }
}

/// The cells that are in the plan.
fn open(cells: &[PlannedCellRow]) -> impl Iterator<Item = &PlannedCellRow> {
    cells.iter().filter(|cell| !cell.is_closed)
}

/// The indices of the cells in the plan, in the order of the file. Cells that the file lacks come last: their revision is being
/// stored.
fn in_order(cells: &[PlannedCellRow], order: Option<&[CellId]>) -> Vec<usize> {
    let mut places: Vec<usize> = (0..cells.len()).filter(|place| !cells[*place].is_closed).collect();
    if let Some(order) = order {
        let in_file: HashMap<&CellId, usize> = order.iter().zip(0..).collect();
        places.sort_by_key(|place| in_file.get(&cells[*place].cell).copied().unwrap_or(usize::MAX));
    }
    places
}

/// The closed cells that differ from those of a series in the version of the engine alone, as series without points, and for
/// every cell its index among them.
fn earlier(
    cells: &[PlannedCellRow],
    series: &[Series],
    line_of: &[Option<usize>],
) -> (Vec<Series>, Vec<Option<usize>>) {
    let (mut earlier, mut places) = (Vec::new(), vec![None; cells.len()]);
    let newest = series.iter().map(|line| line.semantics).max().unwrap_or_default();
    let is_older = |cell: &PlannedCellRow| cell.is_closed && cell.spec.semantics != newest;
    if !cells.iter().any(is_older) {
        return (earlier, places);
    }
    let of_any_version = |cell: &PlannedCellRow| CellSpec { semantics: 0, ..cell.spec.clone() }.id();
    let lines: HashMap<CellId, usize> =
        cells.iter().zip(line_of).filter_map(|(cell, line)| Some((of_any_version(cell), (*line)?))).collect();
    let mut place_of: HashMap<(usize, u32), usize> = HashMap::new();
    for (cell, place) in cells.iter().zip(&mut places).filter(|(cell, _)| is_older(cell)) {
        let Some(line) = lines.get(&of_any_version(cell)) else { continue };
        let semantics = cell.spec.semantics;
        *place = Some(*place_of.entry((*line, semantics)).or_insert_with(|| {
            earlier.push(Series { semantics, ..series[*line].clone() });
            earlier.len() - 1
        }));
    }
    (earlier, places)
}

impl CachedPlan {
    /// Joins cells that differ only in size to series, in the order of the file, which is that of the cells if none is given. The
    /// cells of a tune may differ in the seed, too: it makes one for each point, and with a book for each size.
    pub(super) fn of(cells: Vec<PlannedCellRow>, order: Option<&[CellId]>, tune: Option<&Tune>) -> Self {
        let mut series: Vec<Series> = Vec::new();
        let mut place: HashMap<String, usize> = HashMap::new();
        let (mut line_of, mut first_cells) = (vec![None; cells.len()], Vec::new());
        for index in in_order(&cells, order) {
            let row = &cells[index];
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
                    spec.book.map(|book| book.name()),
                    tune.is_none().then_some(spec.seed)
                )
            );
            let line = *place.entry(key).or_insert(series.len());
            if line == series.len() {
                first_cells.push(row.cell);
                series.push(Series {
                    label: row.case_label.clone(),
                    name: String::new(),
                    group: row.case_group.clone(),
                    case: spec.case.clone(),
                    swept: ParamSet::default(),
                    logarithmic: Vec::new(),
                    baseline_label: row.baseline_label.clone(),
                    baseline: spec.baseline.clone(),
                    budget: spec.budget,
                    semantics: spec.semantics,
                    confirmation: None,
                    promoted: None,
                    points: Vec::new(),
                });
            }
            line_of[index] = Some(line);
        }
        for (name, series) in names(&series, &first_cells).into_iter().zip(&mut series) {
            series.name = name;
        }
        note_swept(&mut series, &tune.map(declared_scales).unwrap_or_default());
        let (earlier, earlier_line_of) = earlier(&cells, &series, &line_of);
        let sizes: BTreeSet<BoardSize> = open(&cells).map(|cell| cell.spec.size).collect();
        let by_id: BTreeSet<CellId> = cells.iter().map(|cell| cell.cell).collect();
        // A tune may begin with its baseline, and plays a point more than once.
        let plain = open(&cells).filter(|_| tune.is_none());
        let remarks = remarks(plain.map(|cell| NamedCell {
            group: &cell.case_group,
            case: &cell.case_label,
            baseline: &cell.baseline_label,
            spec: &cell.spec,
        }));
        Self {
            remarks,
            sizes: sizes.into_iter().collect(),
            by_id: by_id.into_iter().collect(),
            cells,
            series,
            line_of,
            earlier,
            earlier_line_of,
        }
    }

    /// The cells from this one on, in the order of their ids.
    pub(super) fn from(&self, cell: CellId) -> &[CellId] {
        &self.by_id[self.by_id.partition_point(|id| *id < cell)..]
    }

    /// The series, with a point for every cell from these counters and stopping rules. `is_stopped`: a person stopped the
    /// experiment.
    pub(super) fn series(
        &self,
        counters: &[Counters],
        rules: &[(CellId, Stored)],
        is_stopped: bool,
    ) -> Result<Vec<Series>, StoreError> {
        self.with_points((&self.series, &self.line_of), counters, rules, is_stopped)
    }

    /// As [`CachedPlan::series`], for the closed cells of earlier versions of the engine.
    pub(super) fn earlier(&self, counters: &[Counters]) -> Result<Vec<Series>, StoreError> {
        self.with_points((&self.earlier, &self.earlier_line_of), counters, &[], true)
    }

    fn with_points(
        &self,
        (series, line_of): (&[Series], &[Option<usize>]),
        counters: &[Counters],
        rules: &[(CellId, Stored)],
        is_stopped: bool,
    ) -> Result<Vec<Series>, StoreError> {
        let rules: HashMap<CellId, &Stored> = rules.iter().map(|(cell, rule)| (*cell, rule)).collect();
        let mut series = series.to_vec();
        for ((cell, line), counters) in self.cells.iter().zip(line_of).zip(counters) {
            let Some(line) = line else { continue };
            let place = (cell.cell, cell.spec.size, cell.pairs);
            let point = point(place, counters, (rules.get(&cell.cell).copied(), is_stopped))?;
            series[*line].points.push(Point { weight: Some(cell.weight), ..point });
        }
        for line in &mut series {
            line.points.sort_by_key(|point| point.size);
        }
        Ok(series)
    }
}

/// The point of a cell on a board with its planned pairs and its stopping rule. `is_stopped`: a person stopped the experiment.
pub(super) fn point(
    (cell, size, planned): (CellId, BoardSize, u64),
    counters: &Counters,
    (rule, is_stopped): (Option<&Stored>, bool),
) -> Result<Point, StoreError> {
    // No counter is below 0: CHECK constraints in the database ensure it.
    let count = |counter: i64| counter.unsigned_abs();
    let pair_counts = counters.pair_counts.map(count);
    let summary = stats::live_summary(&counters.complete(), &counters.unfinished(), CONFIDENCE);
    let decided = counters.wins + counters.losses;
    Ok(Point {
        cell,
        size,
        games: count(counters.games),
        games_planned: 2 * planned,
        weight: None,
        pairs_in_flight: count(counters.pairs_in_flight),
        pairs_aside: count(counters.pairs_aside),
        wins: count(counters.wins),
        draws: count(counters.draws),
        losses: count(counters.losses),
        void_games: count(counters.void_games),
        pairs: count(counters.pairs_done),
        pair_counts,
        estimate: summary,
        verdict: verdict(summary.as_ref(), rule)?,
        words: summary.as_ref().map(stats::sequence_words),
        first_move_rate: (decided > 0).then(|| counters.first_move_wins as f64 / decided as f64),
        win_kinds: counters.win_kinds.map(count),
        mean_plies: (counters.games > 0).then(|| counters.plies as f64 / counters.games as f64),
        stopping: rule.map(|rule| stopping_of(counters, rule, planned, is_stopped)).transpose()?,
        missing: missing(counters),
    })
}

/// The stopping rule of a cell. It reads the pairs in their order, so a slow pair delays all later ones.
fn stopping_of(
    counters: &Counters,
    rule: &Stored,
    planned: u64,
    is_stopped: bool,
) -> Result<Stopping, StoreError> {
    let mut found = stopping(rule, planned, (is_stopped, &counters.unfinished()))?;
    let later = counters.pairs_done.unsigned_abs().saturating_sub(found.pairs);
    if found.outcome == StopOutcome::Open && later > 0 {
        found.words += &format!("; {} played beyond the next one that it needs", counted(later, "pair"));
    }
    Ok(found)
}

/// How the pairs that were begun and are not complete could change the result of a cell.
fn missing(counters: &Counters) -> Option<MissingPairs> {
    let unfinished = counters.unfinished();
    let (low, high) = abandoned::missing_bounds(&counters.complete(), &unfinished)?;
    let words = abandoned::missing_words((low, high), unfinished.pairs, counters.pairs_aside.unsigned_abs());
    Some(MissingPairs { pairs: unfinished.pairs, games: unfinished.games, low, high, words })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::lease::Budget;

    fn row(sims: u64, semantics: u32, is_closed: bool) -> PlannedCellRow {
        let spec = CellSpec {
            semantics,
            case: ParamSet::default(),
            baseline: ParamSet::default(),
            size: BoardSize::new(4).expect("a size"),
            budget: Budget::Sims(sims),
            opening_plies: 2,
            book: None,
            seed: 1,
        };
        PlannedCellRow {
            cell: spec.id(),
            case_group: "rave".to_owned(),
            case_label: "k".to_owned(),
            baseline_label: "uct".to_owned(),
            pairs: 4,
            weight: 1.0,
            is_closed,
            spec,
        }
    }

    #[test]
    fn cells_that_differ_in_the_engine_alone_are_earlier_series_of_the_same_cases() {
        // An older engine's cells of a case that is played, and of one that is not; one that a revision closed; two that are
        // played.
        let cells = vec![
            row(100, 5, true),
            row(300, 5, true),
            row(200, 6, true),
            row(100, 6, false),
            row(400, 6, false),
        ];
        let plan = CachedPlan::of(cells, None, None);
        assert_eq!(plan.series.iter().map(|line| line.semantics).collect::<Vec<_>>(), [6, 6]);
        let counters = vec![Counters::default(); 5];
        let [earlier] = &plan.earlier(&counters).expect("points")[..] else { panic!("one series") };
        assert_eq!(
            (earlier.semantics, earlier.budget, &earlier.name),
            (5, Budget::Sims(100), &plan.series[0].name)
        );
        assert_eq!(
            earlier.points.iter().map(|point| point.cell).collect::<Vec<_>>(),
            [row(100, 5, true).spec.id()]
        );
    }
}
