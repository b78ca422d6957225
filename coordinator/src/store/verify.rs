//! Verification: rebuilds every counter from the games alone.

mod endings;
mod levels;
mod values;
mod worker_cells;

use super::cells::{Counters, counters};
use super::columns::read_policy;
use super::games::readable_outcome;
use super::pairs::read_idx;
use super::sql::{Columns, rows};
use super::stopping::{RowStopping, Stopping};
use super::{StoreError, Tx};
use engine::havannah::Outcome;
use engine::side::Side;
use protocol::experiment::Policy;
use protocol::ids::{CellId, ExperimentId};
use sqlx::types::Uuid;
use stats::Reading;
use std::collections::BTreeMap;
pub use values::UnknownValue;

/// Pairs read at a time.
const PAGE: i64 = 5_000;

/// A counter that contradicts the games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CounterMismatch {
    /// The row of the counter, such as `cell 6f…`, `pair 3 of cell 6f…`, `experiment quickstart`, `worker node7`.
    pub place: String,
    /// The counter.
    pub counter: String,
    /// The stored value.
    pub stored: i64,
    /// The value rebuilt from the games.
    pub rebuilt: i64,
}

impl std::fmt::Display for CounterMismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { place, counter, stored, rebuilt } = self;
        write!(f, "{place}: {counter} is {stored}, the games give {rebuilt}")
    }
}

/// The result of a check of the whole database.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verification {
    /// Cells checked.
    pub cells: u64,
    /// Pairs checked.
    pub pairs: u64,
    /// Counted games read.
    pub games: u64,
    /// Every difference; empty when all totals are right.
    pub differences: Vec<CounterMismatch>,
    /// Stored values that this program does not know. A game with such a value is in none of the rebuilt totals.
    pub unknown: Vec<UnknownValue>,
}

impl Verification {
    /// Whether every total is right and every value is known.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.differences.is_empty() && self.unknown.is_empty()
    }

    fn compare(&mut self, place: impl FnOnce() -> String, counter: &str, stored: i64, rebuilt: i64) {
        if stored != rebuilt {
            let difference = CounterMismatch { place: place(), counter: counter.to_owned(), stored, rebuilt };
            self.differences.push(difference);
        }
    }
}

/// A pair with its counted games, first the one with the case as White.
struct PairWithGames {
    cell: CellId,
    idx: u32,
    state: String,
    points: [Option<i64>; 2],
    games: [Option<CountedGame>; 2],
    lent: bool,
    aside: bool,
}

/// What a counted game adds to the counters: outcome, plies and core time.
type CountedGame = (Outcome, i64, Option<i64>);

/// The columns of a game, with the prefix of its half. A game with unknown values is left out here: [`values::unknown`]
/// lists it.
fn read_game(
    row: &dyn Columns,
    [winner, kind, plies, core_us]: [&'static str; 4],
) -> Result<Option<CountedGame>, StoreError> {
    let Some(plies) = row.maybe_bigint(plies)? else {
        return Ok(None);
    };
    let (winner, kind, core_us) =
        (row.maybe_text(winner)?, row.maybe_text(kind)?, row.maybe_bigint(core_us)?);
    Ok(readable_outcome(winner.as_deref(), kind.as_deref()).ok().map(|outcome| (outcome, plies, core_us)))
}

/// Rebuilds every counter and compares.
pub(crate) async fn rebuild(tx: &mut Tx) -> Result<Verification, StoreError> {
    let mut found = Verification { unknown: values::unknown(tx).await?, ..Verification::default() };
    let mut rebuilt = rebuild_cells(tx, &mut found).await?;
    rebuild_voids(tx, &mut rebuilt).await?;

    let stored = rows!(
        &mut *tx,
        |row| Ok((CellId(row.uuid("id")?), Counters::from_row(row)?)),
        concat!("SELECT id, ", counters!(), " FROM cell ORDER BY id"),
    )?;
    found.cells = stored.len() as u64;
    for (cell, stored) in &stored {
        let counters = rebuilt.get(cell).copied().unwrap_or_default();
        for ((name, stored), (_, rebuilt)) in stored.named().into_iter().zip(counters.named()) {
            found.compare(|| format!("cell {cell}"), name, stored, rebuilt);
        }
    }
    verify_experiments(tx, &rebuilt, &mut found).await?;
    verify_workers(tx, &mut found).await?;
    levels::verify(tx, &mut found).await?;
    worker_cells::verify(tx, &mut found).await?;
    endings::verify(tx, &mut found).await?;
    Ok(found)
}

/// The void games of every cell.
async fn rebuild_voids(tx: &mut Tx, cells: &mut BTreeMap<CellId, Counters>) -> Result<(), StoreError> {
    let voids = rows!(
        &mut *tx,
        |row| Ok((CellId(row.uuid("cell")?), row.bigint("void_games")?)),
        "SELECT cell, CAST(SUM(void_games) AS BIGINT) AS void_games FROM (SELECT cell, voids AS void_games FROM abandoned \
         WHERE voids <> 0 UNION ALL SELECT cell, 1 AS void_games FROM game WHERE status = 'excluded') voided GROUP BY cell",
    )?;
    for (cell, voids) in voids {
        cells.entry(cell).or_default().void_games += voids;
    }
    Ok(())
}

/// The counters of every cell that has pairs, and the differences between pairs and their games.
async fn rebuild_cells(
    tx: &mut Tx,
    found: &mut Verification,
) -> Result<BTreeMap<CellId, Counters>, StoreError> {
    let mut cells: BTreeMap<CellId, Counters> = BTreeMap::new();
    let mut after = (Uuid::nil(), -1);
    loop {
        let page = rows!(
            &mut *tx,
            |row| Ok(PairWithGames {
                cell: CellId(row.uuid("cell")?),
                idx: read_idx(row)?,
                state: row.text("state")?,
                points: [row.maybe_bigint("first")?, row.maybe_bigint("second")?],
                games: [
                    read_game(row, ["white_winner", "white_kind", "white_plies", "white_us"])?,
                    read_game(row, ["black_winner", "black_kind", "black_plies", "black_us"])?,
                ],
                lent: row.maybe_uuid("lent")?.is_some(),
                aside: row.maybe_bigint("aside_ms")?.is_some(),
            }),
            "SELECT pair.cell, pair.idx, pair.state, pair.first, pair.second, pair.aside_ms, lease.id AS lent, \
             w.winner AS white_winner, w.kind AS white_kind, w.plies AS white_plies, w.core_us AS white_us, \
             b.winner AS black_winner, b.kind AS black_kind, b.plies AS black_plies, b.core_us AS black_us FROM pair \
             LEFT JOIN lease ON lease.cell = pair.cell AND lease.idx = pair.idx AND lease.state = 'active' \
             AND lease.replays IS NULL \
             LEFT JOIN game w ON w.cell = pair.cell AND w.idx = pair.idx AND w.half = 0 AND w.status = 'counted' \
             LEFT JOIN game b ON b.cell = pair.cell AND b.idx = pair.idx AND b.half = 1 AND b.status = 'counted' \
             WHERE (pair.cell, pair.idx) > ($1, $2) ORDER BY pair.cell, pair.idx LIMIT $3",
            after.0,
            after.1,
            PAGE,
        )?;
        let Some(last) = page.last() else {
            return Ok(cells);
        };
        after = (last.cell.0, i64::from(last.idx));
        for pair in &page {
            found.pairs += 1;
            rebuild_pair(pair, cells.entry(pair.cell).or_default(), found);
        }
    }
}

fn rebuild_pair(pair: &PairWithGames, counters: &mut Counters, found: &mut Verification) {
    let place = || format!("pair {} of cell {}", pair.idx, pair.cell);
    counters.pairs_started += 1;
    counters.pairs_in_flight += i64::from(pair.lent);
    counters.pairs_aside += i64::from(pair.aside);
    let mut points = [None; 2];
    for case_side in Side::BOTH {
        if let Some((outcome, plies, core_us)) = pair.games[case_side.index()] {
            found.games += 1;
            counters.count_game(1, case_side, outcome, plies);
            counters.count_time(1, core_us);
            points[case_side.index()] = Some(outcome.half_points(case_side));
        }
    }
    let state = match points {
        [Some(first), Some(second)] => {
            counters.count_pair(1, first, second);
            2
        }
        _ => i64::from(pair.lent),
    };
    let stored = match pair.state.as_str() {
        "open" => Some(0),
        "leased" => Some(1),
        "done" => Some(2),
        // Listed among the unknown values.
        _ => None,
    };
    if let Some(stored) = stored {
        found.compare(place, "state (0 open, 1 leased, 2 done)", stored, state);
    }
    for (name, half) in [("first", 0), ("second", 1)] {
        let unplayed = |points: Option<i64>| points.unwrap_or(-1);
        found.compare(place, name, unplayed(pair.points[half]), unplayed(points[half].map(i64::from)));
    }
}

/// A cell of an experiment, as it is stored.
struct StoredPlanRow {
    experiment: Uuid,
    position: i64,
    cell: CellId,
    pairs: i64,
    share: f64,
    priority: f64,
    state: String,
    closed: Option<i64>,
    held: bool,
    /// None if its name is unknown; that is listed among the unknown values.
    policy: Option<Policy>,
    stopping: Option<Stopping>,
}

impl StoredPlanRow {
    async fn read(tx: &mut Tx) -> Result<Vec<Self>, StoreError> {
        rows!(
            &mut *tx,
            |row| Ok(Self {
                experiment: row.uuid("experiment")?,
                position: row.bigint("position")?,
                cell: CellId(row.uuid("cell")?),
                pairs: row.bigint("pairs")?,
                share: row.real("share")?,
                priority: row.real("priority")?,
                state: row.text("state")?,
                closed: row.maybe_bigint("closed")?,
                held: row.bigint("held")? > 0,
                policy: read_policy(row).ok(),
                stopping: Stopping::from_row(row)?,
            }),
            "SELECT experiment, position, cell, pairs, share, priority, ec.state, closed, experiment.policy, stop_rule, stop_ll, \
             stop_ld, stop_wl, stop_dd, stop_wd, stop_ww, stop_decision, \
             CAST(CASE WHEN paused_ms IS NULL AND stopped_ms IS NULL \
             AND archived_ms IS NULL THEN 0 ELSE 1 END AS BIGINT) \
             AS held FROM experiment_cell ec JOIN experiment ON experiment.id = ec.experiment",
        )
    }
}

/// The totals of experiments, and the priorities.
async fn verify_experiments(
    tx: &mut Tx,
    cells: &BTreeMap<CellId, Counters>,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let planned = StoredPlanRow::read(tx).await?;
    let mut totals: BTreeMap<Uuid, [i64; 5]> = BTreeMap::new();
    for row in &planned {
        let counters = cells.get(&row.cell).copied().unwrap_or_default();
        if row.closed.is_none() {
            let total = totals.entry(row.experiment).or_default();
            total[0] += counters.games_towards(row.pairs);
            total[1] += counters.pairs_in_flight;
            total[2] += counters.pairs_aside;
            total[3] += 1;
            total[4] += 2 * row.pairs;
        }
        verify_row(row, counters, found);
    }
    let ruled: Vec<_> = planned
        .iter()
        .filter_map(|row| Some(((ExperimentId(row.experiment), row.position), row.cell, row.stopping?)))
        .collect();
    verify_rules(tx, &ruled, found).await?;
    verify_totals(tx, &totals, found).await
}

/// The priority and the state of a cell of an experiment.
fn verify_row(row: &StoredPlanRow, counters: Counters, found: &mut Verification) {
    let place = || format!("row {} of experiment {}", row.position, row.experiment);
    let parts = |priority: f64| (priority * 1e6).round() as i64;
    // The last digits of an older program's priority may differ.
    if let Some(priority) = row.policy.map(|policy| counters.priority(policy, row.share))
        && (row.priority - priority).abs() > 1e-9 * priority
    {
        found.compare(place, "priority, in millionths", parts(row.priority), parts(priority));
    }
    if let "open" | "full" | "off" = row.state.as_str() {
        let off = i64::from(row.held || row.closed.is_some());
        found.compare(
            place,
            "off (1) because of a pause, a stop, the archive or a revision",
            i64::from(row.state == "off"),
            off,
        );
    }
    if let "open" | "full" = row.state.as_str() {
        let open = i64::from(row.state == "open");
        let is_stopped = row.stopping.is_some_and(|stopping| stopping.is_decided());
        found.compare(
            place,
            "open (1) or full (0)",
            open,
            i64::from(counters.is_open(row.pairs) && !is_stopped),
        );
    }
}

/// The totals of experiments. `totals` are the sums over their cells.
async fn verify_totals(
    tx: &mut Tx,
    totals: &BTreeMap<Uuid, [i64; 5]>,
    found: &mut Verification,
) -> Result<(), StoreError> {
    let experiments = rows!(
        &mut *tx,
        |row| Ok((
            row.uuid("id")?,
            row.text("name")?,
            [
                row.bigint("games_done")?,
                row.bigint("pairs_in_flight")?,
                row.bigint("pairs_aside")?,
                row.bigint("cells")?,
                row.bigint("games_planned")?,
                row.bigint("revision")?,
                row.bigint("core_us")?,
                row.bigint("prior_us")?
            ],
            row.bigint("games_unasked")?,
            [row.bigint("newest")?, row.bigint("charged_us")?, row.bigint("suggested_us")?]
        )),
        "SELECT id, name, games_done, pairs_in_flight, pairs_aside, cells, games_planned, revision, core_us, prior_us, games_unasked, \
         COALESCE((SELECT MAX(number) FROM experiment_revision WHERE experiment_revision.experiment = experiment.id), 0) \
         AS newest, COALESCE(charges.charged, 0) AS charged_us, COALESCE(charges.suggested, 0) AS suggested_us \
         FROM experiment LEFT JOIN (SELECT experiment, CAST(SUM(charge_us) AS BIGINT) AS charged, \
         CAST(SUM(prior_us) AS BIGINT) AS suggested FROM lease WHERE experiment IS NOT NULL GROUP BY experiment) charges \
         ON charges.experiment = experiment.id ORDER BY id",
    )?;
    for (id, name, stored, unasked, [newest, charged_us, suggested_us]) in experiments {
        let [done, in_flight, aside, cells, planned] = totals.get(&id).copied().unwrap_or_default();
        // The final games of a tune are unknown before its points are asked for.
        let rebuilt = [done, in_flight, aside, cells, planned + unasked, newest, charged_us, suggested_us];
        let counters = [
            "games_done",
            "pairs_in_flight",
            "pairs_aside",
            "cells",
            "games_planned",
            "revision",
            "core_us",
            "prior_us",
        ];
        for (counter, (stored, rebuilt)) in counters.into_iter().zip(stored.into_iter().zip(rebuilt)) {
            found.compare(|| format!("experiment {name}"), counter, stored, rebuilt);
        }
    }
    Ok(())
}

/// Stopping rules read their cells again from the beginning.
async fn verify_rules(
    tx: &mut Tx,
    ruled: &[((ExperimentId, i64), CellId, Stopping)],
    found: &mut Verification,
) -> Result<(), StoreError> {
    let again = |(row, cell, stopping): &((ExperimentId, i64), CellId, Stopping)| RowStopping {
        row: *row,
        cell: *cell,
        stopping: Stopping { reading: Reading::default(), ..*stopping },
    };
    let mut rebuilt: Vec<_> = ruled.iter().map(again).collect();
    tx.read_on(&mut rebuilt).await?;
    for (((experiment, position), _, stored), rebuilt) in ruled.iter().zip(&rebuilt) {
        let place = || format!("the stopping rule of row {position} of experiment {experiment}");
        let counts = |stopping: &Stopping| <[u64; 6]>::from(stopping.reading.counts).map(u64::cast_signed);
        let names = ["ll", "ld", "wl", "dd", "wd", "ww"];
        for (name, (stored, rebuilt)) in
            names.into_iter().zip(counts(stored).into_iter().zip(counts(&rebuilt.stopping)))
        {
            found.compare(place, name, stored, rebuilt);
        }
        let number =
            |stopping: &Stopping| stopping.reading.decision.map_or(0, |decision| decision as i64 + 1);
        found.compare(place, "number of the decision", number(stored), number(&rebuilt.stopping));
    }
    Ok(())
}

async fn verify_workers(tx: &mut Tx, found: &mut Verification) -> Result<(), StoreError> {
    let workers = rows!(
        &mut *tx,
        |row| Ok((row.text("name")?, row.bigint("games")?, row.bigint("counted")?)),
        "SELECT name, games, COALESCE(played.games_played, 0) AS counted FROM worker \
         LEFT JOIN (SELECT worker, COUNT(*) AS games_played FROM game WHERE status = 'counted' GROUP BY worker) \
         played ON played.worker = worker.id ORDER BY name, id",
    )?;
    for (name, stored, counted) in workers {
        found.compare(|| format!("worker {name}"), "games", stored, counted);
    }
    Ok(())
}
