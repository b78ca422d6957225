//! What pages and exports show, made from counters.

use super::stall::Standing;
use crate::pairs::{opening, pair_seed};
use crate::stats;
use crate::stats::{PairCounts, left};
use crate::store::{
    Counters, ExperimentRow, GameRow, PairState, PlannedCellRow, Play, PlayRow, StoreError, Tx,
};
use crate::terms::alive_since;
use engine::havannah::{BoardSize, Notation};
use protocol::games::{GameLine, GameReport, GamesPage};
use protocol::ids::{CellId, ExperimentId, LeaseId};
use protocol::report::{
    AsidePair, ExperimentReport, ExperimentState, ExperimentSummary, MissingPairs, Overview, Point, Series,
    WorkerReport, WorkersPage,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// Rates are taken over so many milliseconds.
const RATE_WINDOW_MS: i64 = 300_000;

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;

/// Pairs set aside that a report lists at most.
const MOST_ASIDE: i64 = 100;

/// Workers that the first screen names.
pub(crate) const WORKERS_SHOWN: u32 = 50;

/// Games or workers in a page at most.
const LARGEST_PAGE: u32 = 1_000;

/// The experiment with this id, or the active or newest one with this name.
pub(crate) async fn find(tx: &mut Tx, key: &str) -> Result<Option<ExperimentRow>, StoreError> {
    if let Ok(id) = key.parse::<ExperimentId>()
        && let Some(row) = tx.experiment(id).await?
    {
        return Ok(Some(row));
    }
    tx.experiment_named(key).await
}

/// Games a minute by experiment.
async fn rates(tx: &mut Tx, now_ms: i64) -> Result<HashMap<ExperimentId, f64>, StoreError> {
    let recent = tx.recent_games((now_ms - RATE_WINDOW_MS, now_ms)).await?;
    let per_minute = |(id, games, since_ms): (ExperimentId, u64, i64)| {
        // The first bucket may have begun a moment ago: ten seconds are the least a rate is taken over.
        let minutes = (now_ms - since_ms).max(10_000) as f64 / 60_000.0;
        (id, games as f64 / minutes)
    };
    Ok(recent.into_iter().map(per_minute).collect())
}

fn summary(
    row: ExperimentRow,
    rates: &HashMap<ExperimentId, f64>,
    stalled: Option<String>,
) -> ExperimentSummary {
    let games_per_minute = rates.get(&row.id).copied().unwrap_or(0.0);
    let left = row.games_planned.saturating_sub(row.games_done) as f64;
    let running = row.state == ExperimentState::Active && games_per_minute > 0.0 && stalled.is_none();
    ExperimentSummary {
        id: row.id,
        name: row.name,
        question: row.question,
        state: row.state,
        cells: row.cells,
        games_planned: row.games_planned,
        games_done: row.games_done,
        pairs_in_flight: row.pairs_in_flight,
        pairs_aside: row.pairs_aside,
        games_per_minute,
        seconds_left: running.then(|| left / games_per_minute * 60.0),
        stalled,
        created_ms: row.created_ms,
    }
}

/// The first screen.
pub(crate) async fn overview(
    tx: &mut Tx,
    standing: &Standing,
    sync_ms: u64,
    version: &str,
) -> Result<Overview, StoreError> {
    let now_ms = standing.now_ms;
    let rates = rates(tx, now_ms).await?;
    let mut experiments = Vec::new();
    for row in tx.experiments().await? {
        let stalled = standing.of_experiment(tx, &row).await?;
        experiments.push(summary(row, &rates, stalled));
    }
    let WorkersPage { workers, .. } = workers(tx, (now_ms, sync_ms), 0, WORKERS_SHOWN).await?;
    let fleet = tx.fleet(alive_since(now_ms, sync_ms)).await?;
    Ok(Overview {
        experiments,
        workers,
        fleet,
        trouble: standing.trouble.clone(),
        version: version.to_owned(),
    })
}

/// Some of the workers.
pub(crate) async fn workers(
    tx: &mut Tx,
    (now_ms, sync_ms): (i64, u64),
    offset: u32,
    limit: u32,
) -> Result<WorkersPage, StoreError> {
    let alive_ms = alive_since(now_ms, sync_ms);
    let limit = limit.clamp(1, LARGEST_PAGE);
    let rows = tx.workers_page(alive_ms, i64::from(offset), i64::from(limit)).await?;
    let workers = rows.into_iter().map(|row| WorkerReport {
        id: row.id,
        name: row.name,
        version: row.version,
        slots: row.slots,
        seconds_since_seen: (now_ms - row.seen_ms).max(0) as f64 / 1000.0,
        alive: row.seen_ms >= alive_ms,
        pairs_held: row.pairs_held,
        games: row.games,
        speeds: row.speeds,
        no_work: row.no_work,
        resting: row.resting,
        directive: row.directive,
        labels: row.labels,
        quarantine: row.quarantine,
        suspicion: row.marked.map(|sum| sum.words()),
        biased: stats::is_biased(row.compared).map(|_| stats::bias_words(row.compared)),
    });
    Ok(WorkersPage { workers: workers.collect(), offset: u64::from(offset) })
}

/// Experiments whose plans are kept in memory at most.
const PLANS_KEPT: usize = 16;

/// Plans of experiments that somebody looked at. A plan never changes, so there is nothing to be brought up to date:
/// a report reads the counters only.
#[derive(Default)]
pub(crate) struct Plans(Mutex<HashMap<ExperimentId, Arc<Plan>>>);

/// What a report shows of an experiment whatever was played.
struct Plan {
    /// In the order of the file.
    cells: Vec<PlannedCellRow>,
    /// Cells that differ in size only, without points.
    series: Vec<Series>,
    /// Of every cell, its place in `series`.
    line_of: Vec<usize>,
    sizes: Vec<BoardSize>,
    /// The cells' ids in their order, in which games are listed.
    by_id: Vec<CellId>,
}

impl Plans {
    async fn get(&self, tx: &mut Tx, id: ExperimentId) -> Result<Arc<Plan>, StoreError> {
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

/// One experiment in full.
pub(crate) async fn experiment(
    tx: &mut Tx,
    plans: &Plans,
    row: ExperimentRow,
    standing: &Standing,
) -> Result<ExperimentReport, StoreError> {
    let plan = plans.get(tx, row.id).await?;
    let counters = tx.counters_of(row.id).await?;
    let rates = rates(tx, standing.now_ms).await?;
    let stalled = standing.of_experiment(tx, &row).await?;
    let aside = if row.pairs_aside > 0 { aside(tx, row.id, &plan.cells).await? } else { Vec::new() };
    Ok(ExperimentReport {
        summary: summary(row, &rates, stalled),
        sizes: plan.sizes.clone(),
        series: plan.series(&counters),
        confidence: CONFIDENCE,
        interval_method: stats::INTERVAL_METHOD.to_owned(),
        aside,
    })
}

/// The pairs set aside in these cells of an experiment, the latest first.
async fn aside(
    tx: &mut Tx,
    experiment: ExperimentId,
    cells: &[PlannedCellRow],
) -> Result<Vec<AsidePair>, StoreError> {
    let rows = tx.suspended_pairs(experiment, MOST_ASIDE).await?;
    let aside = rows.into_iter().filter_map(|row| {
        let cell = cells.iter().find(|cell| cell.cell == row.pair.cell)?;
        let PairState::Suspended(since_ms) = row.pair.state else { return None };
        let (case, baseline) = (&cell.case_label, &cell.baseline_label);
        Some(AsidePair {
            cell: cell.cell,
            what: format!("{case} against {baseline}, size {}", cell.spec.size),
            pair: row.pair.idx,
            failures: row.pair.failures.unsigned_abs(),
            why: row.trouble,
            since_ms,
        })
    });
    Ok(aside.collect())
}

impl Plan {
    /// Gathers cells that differ in size only, in the order of the file.
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

    /// Its cells from this one on, in the order of their ids.
    fn from(&self, cell: CellId) -> &[CellId] {
        &self.by_id[self.by_id.partition_point(|id| *id < cell)..]
    }

    /// The series with a point for every cell, whose counters these are.
    fn series(&self, counters: &[Counters]) -> Vec<Series> {
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
    // CHECK constraints keep every counter from going below 0.
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

/// What the pairs of a cell could hide that were started and are missing.
fn missing(counters: &Counters, rate: Option<f64>) -> Option<MissingPairs> {
    let pairs = (counters.pairs_open() + counters.pairs_aside).unsigned_abs();
    let (low, high) = left::missing_bounds(rate, counters.pairs_done.unsigned_abs(), pairs)?;
    let words = left::missing_words((low, high), pairs, counters.pairs_aside.unsigned_abs());
    Some(MissingPairs { pairs, low, high, words })
}

fn line(row: &PlayRow) -> GameLine {
    let play = &row.play;
    GameLine {
        id: play.id,
        lease: play.lease,
        cell: play.cell,
        pair: play.idx,
        case_side: play.case_side,
        outcome: play.outcome,
        plies: play.plies,
        status: play.status,
        reason: row.reason.clone(),
        worker: play.worker,
        worker_name: row.worker_name.clone(),
        received_ms: row.received_ms,
    }
}

/// Cells of which a page of games asks at once whether they have any: as many as go into one statement.
const CELLS_AT_ONCE: usize = 64;

/// Before the first play of a cell: its pair, half and lease.
const BEFORE_ALL: (i64, i64, LeaseId) = (-1, -1, LeaseId(uuid::Uuid::nil()));

/// A page of games after `after`, a place named by an earlier page. None when it names no place.
pub(crate) async fn games(
    tx: &mut Tx,
    plans: &Plans,
    experiment: ExperimentId,
    after: Option<&str>,
    limit: u32,
) -> Result<Option<GamesPage>, StoreError> {
    let first = (CellId(uuid::Uuid::nil()), BEFORE_ALL);
    let after = match after {
        None => first,
        Some(text) => match read_place(text) {
            Some((cell, idx, half, lease)) => (cell, (idx, half, lease)),
            None => return Ok(None),
        },
    };
    let limit = limit.clamp(1, LARGEST_PAGE);
    let plan = plans.get(tx, experiment).await?;
    let mut rows = Vec::new();
    // Cell by cell, so that only the index of the one that is shown is read.
    'page: for cells in plan.from(after.0).chunks(CELLS_AT_ONCE) {
        let played = tx.cells_with_games(cells).await?;
        for cell in cells.iter().filter(|cell| played.contains(cell)) {
            let place = if *cell == after.0 { after.1 } else { BEFORE_ALL };
            let left = i64::from(limit) - rows.len() as i64;
            if left == 0 {
                break 'page;
            }
            rows.extend(tx.plays_after(*cell, place, left).await?);
        }
    }
    let full = rows.len() == limit as usize;
    let next = rows.last().filter(|_| full).map(|row| {
        let Play { cell, idx, case_side, lease, .. } = row.play;
        format!("{}.{idx}.{}.{}", cell.0.simple(), case_side.index(), lease.0.simple())
    });
    Ok(Some(GamesPage { games: rows.iter().map(line).collect(), next }))
}

/// Reads `cell.pair.half.lease`.
fn read_place(text: &str) -> Option<(CellId, i64, i64, LeaseId)> {
    let mut parts = text.split('.');
    let place = (
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then_some(place)
}

/// The play of `lease`, or the counted one, or any.
pub(crate) fn chosen_play(plays: &[GameRow], lease: Option<LeaseId>) -> Option<&GameRow> {
    match lease {
        None => plays.first(),
        Some(lease) => plays.iter().find(|game| game.row.play.lease == lease),
    }
}

/// A play among those of its game; none if its moves are not kept any more.
pub(crate) fn game(chosen: &GameRow, plays: &[GameRow]) -> Option<GameReport> {
    let size = chosen.spec.size;
    Some(GameReport {
        line: line(&chosen.row),
        opening: Notation::Gui.write_list(size, &opening(&chosen.spec, chosen.row.play.idx)),
        seed: pair_seed(&chosen.spec, chosen.row.play.idx),
        spec: chosen.spec.clone(),
        play: chosen.record.clone()?,
        other_plays: plays
            .iter()
            .map(|row| row.row.play.lease)
            .filter(|lease| *lease != chosen.row.play.lease)
            .collect(),
    })
}
