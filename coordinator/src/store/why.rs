//! Queries that explain the scheduler's choices. No call of a worker runs them.

use super::Stopping;
use super::columns::read_policy;
use super::sql::{Columns, row, rows};
use super::workers::{read_directive, read_mib};
use super::{StoreError, Tx};
use protocol::experiment::Policy;
use protocol::ids::{CellId, ExperimentId, GameId, WorkerId};
use protocol::memory::Mib;
use protocol::sync::Directive;

/// A cell's row in an experiment, with its counters.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCellState {
    pub(crate) id: ExperimentId,
    pub(crate) experiment: String,
    pub(crate) policy: Policy,
    /// The factor of the policy on the cell's weight.
    pub(crate) attention: f64,
    pub(crate) case_group: String,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    /// The stopping rule, if the experiment has one for the cell.
    pub(crate) stopping: Option<Stopping>,
    pub(crate) size: i64,
    /// The memory that its players may need.
    pub(crate) memory: Option<Mib>,
    pub(crate) semantics: i64,
    pub(crate) state: String,
    /// The revision that closed it, if one did.
    pub(crate) closed: Option<i64>,
    pub(crate) is_paused: bool,
    pub(crate) is_archived: bool,
    pub(crate) is_stopped: bool,
    pub(crate) priority: f64,
    pub(crate) tie_break: i64,
    pub(crate) pairs: i64,
    pub(crate) done: i64,
    pub(crate) in_flight: i64,
    pub(crate) aside: i64,
}

impl PlannedCellState {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: ExperimentId(row.uuid("experiment")?),
            experiment: row.text("name")?,
            policy: read_policy(row)?,
            attention: row.real("share")? / row.real("weight")?,
            case_group: row.text("case_group")?,
            case_label: row.text("case_label")?,
            baseline_label: row.text("baseline_label")?,
            stopping: Stopping::from_row(row)?,
            size: row.bigint("size")?,
            memory: row.maybe_bigint("memory_mib")?.map(read_mib).transpose()?,
            semantics: row.bigint("semantics")?,
            state: row.text("state")?,
            closed: row.maybe_bigint("closed")?,
            is_paused: row.maybe_bigint("paused_ms")?.is_some(),
            is_archived: row.maybe_bigint("archived_ms")?.is_some(),
            is_stopped: row.maybe_bigint("stopped_ms")?.is_some(),
            priority: row.real("priority")?,
            tie_break: row.bigint("shuffle")?,
            pairs: row.bigint("pairs")?,
            done: row.bigint("pairs_done")?,
            in_flight: row.bigint("pairs_in_flight")?,
            aside: row.bigint("pairs_aside")?,
        })
    }
}

/// A machine in quarantine of which games count.
#[derive(Debug, Clone)]
pub(crate) struct QuarantinedMachine {
    pub(crate) id: WorkerId,
    pub(crate) name: String,
    pub(crate) games: u64,
}

/// Present workers that take no work for the same reason, or that take work.
#[derive(Debug, Clone)]
pub(crate) struct WorkerGroup {
    pub(crate) workers: u64,
    pub(crate) directive: Directive,
    pub(crate) resting: Option<String>,
    pub(crate) quarantined: bool,
    /// The largest memory of one of them for a game's players.
    pub(crate) memory: Option<Mib>,
}

impl WorkerGroup {
    /// Whether they take work.
    pub(crate) fn is_willing(&self) -> bool {
        self.directive == Directive::Work && self.resting.is_none() && !self.quarantined
    }
}

impl Tx {
    /// Machines in quarantine of which games count, most games first.
    pub(crate) async fn quarantined_with_games(&mut self) -> Result<Vec<QuarantinedMachine>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(QuarantinedMachine {
                id: WorkerId(row.uuid("id")?),
                name: row.text("name")?,
                games: row.count("games")?,
            }),
            "SELECT id, name, games FROM worker WHERE quarantine IS NOT NULL AND games > 0 ORDER BY games DESC, id",
        )
    }

    /// The disputed games of an experiment, `most` at most, the oldest dispute first.
    pub(crate) async fn disputed_games(
        &mut self,
        experiment: ExperimentId,
        most: i64,
    ) -> Result<Vec<GameId>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(GameId(row.uuid("game")?)),
            // Two halves, each with the condition of a partial index: every report runs this, and `replay` grows with the games.
            "SELECT game FROM (SELECT game, cell, disputed_ms FROM replay WHERE state = 'wanted' AND disputed_ms IS NOT NULL \
             UNION ALL SELECT game, cell, disputed_ms FROM replay WHERE lent IS NOT NULL AND disputed_ms IS NOT NULL) disputed \
             WHERE EXISTS (SELECT 1 FROM experiment_cell ec WHERE ec.experiment = $1 AND ec.cell = disputed.cell) \
             ORDER BY disputed_ms, game LIMIT $2",
            experiment.0,
            most,
        )
    }

    /// The workers that called since `alive_ms` and have not left, grouped by the obstacle to their play, the largest group
    /// first.
    pub(crate) async fn alike_workers(&mut self, alive_ms: i64) -> Result<Vec<WorkerGroup>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(WorkerGroup {
                workers: row.count("workers")?,
                directive: read_directive(&row.text("directive")?)?,
                resting: row.maybe_text("resting")?,
                quarantined: row.count("barred")? > 0,
                memory: row.maybe_bigint("most")?.map(read_mib).transpose()?,
            }),
            "SELECT directive, resting, CAST(CASE WHEN quarantine IS NULL THEN 0 ELSE 1 END AS BIGINT) AS barred, \
             COUNT(*) AS workers, MAX(memory_mib) AS most FROM worker \
             WHERE seen_ms >= $1 AND away_ms IS NULL AND slots > 0 \
             GROUP BY directive, resting, CAST(CASE WHEN quarantine IS NULL THEN 0 ELSE 1 END AS BIGINT) \
             ORDER BY COUNT(*) DESC, resting",
            alive_ms,
        )
    }

    /// The worker that called last, and when.
    pub(crate) async fn last_heard(&mut self) -> Result<Option<(String, i64)>, StoreError> {
        row!(
            &mut *self,
            |row| Ok((row.text("name")?, row.bigint("seen_ms")?)),
            "SELECT name, seen_ms FROM worker WHERE slots > 0 ORDER BY seen_ms DESC, id LIMIT 1"
        )
    }

    /// The last call of the machine that left last, if any has left or has not called since `alive_ms`.
    pub(crate) async fn last_left(&mut self, alive_ms: i64) -> Result<Option<i64>, StoreError> {
        let last = row!(
            &mut *self,
            |row| row.maybe_bigint("seen_ms"),
            "SELECT MAX(seen_ms) AS seen_ms FROM worker WHERE slots > 0 AND (seen_ms < $1 OR away_ms IS NOT NULL)",
            alive_ms,
        )?;
        Ok(last.flatten())
    }

    /// Whether an experiment has an open cell whose players need no more memory than this.
    pub(crate) async fn has_open_cell(
        &mut self,
        experiment: ExperimentId,
        memory: Mib,
    ) -> Result<bool, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("size"),
            "SELECT ec.size FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
             WHERE ec.state = 'open' AND ec.experiment = $1 \
             AND (cell.memory_mib IS NULL OR cell.memory_mib <= $2) LIMIT 1",
            experiment.0,
            i64::from(memory.0),
        )?;
        Ok(found.is_some())
    }

    /// The rows of a cell in every experiment that has it, the active ones first.
    pub(crate) async fn places_of_cell(&mut self, cell: CellId) -> Result<Vec<PlannedCellState>, StoreError> {
        rows!(
            &mut *self,
            PlannedCellState::from_row,
            "SELECT ec.experiment, experiment.name, experiment.policy, ec.share, ec.weight, ec.case_group, ec.case_label, \
             ec.baseline_label, ec.size, ec.stop_rule, ec.stop_ll, ec.stop_ld, ec.stop_wl, ec.stop_dd, ec.stop_wd, ec.stop_ww, \
             ec.stop_decision, ec.semantics, ec.state, ec.closed, ec.priority, experiment.paused_ms, experiment.archived_ms, \
             experiment.stopped_ms, ec.shuffle, \
             ec.pairs, cell.pairs_done, cell.pairs_in_flight, cell.pairs_aside, cell.memory_mib FROM experiment_cell ec \
             JOIN cell ON cell.id = ec.cell JOIN experiment ON experiment.id = ec.experiment WHERE ec.cell = $1 \
             ORDER BY experiment.created_ms DESC, experiment.id",
            cell.0,
        )
    }

    /// The number of an experiment's open cells that come before one of this priority.
    pub(crate) async fn open_cells_before(
        &mut self,
        experiment: ExperimentId,
        priority: f64,
        tie_break: i64,
    ) -> Result<u64, StoreError> {
        let count = row!(
            &mut *self,
            |row| row.count("cells"),
            "SELECT COUNT(*) AS cells FROM experiment_cell ec WHERE ec.state = 'open' AND ec.experiment = $1 \
             AND (ec.priority, ec.shuffle) < ($2, $3)",
            experiment.0,
            priority,
            tie_break,
        )?;
        Ok(count.unwrap_or_default())
    }

    /// The engine semantics of an experiment's cells.
    pub(crate) async fn semantics_of(&mut self, id: ExperimentId) -> Result<Option<i64>, StoreError> {
        row!(
            &mut *self,
            |row| row.bigint("semantics"),
            "SELECT semantics FROM experiment WHERE id = $1",
            id.0,
        )
    }
}
