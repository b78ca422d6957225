//! Experiments, their cells, and queries of them for pages.

use super::cells::{Counters, counters, waiting};
use super::columns::read_spec;
use super::sql::{Columns, row, rows};
use super::stopping::Stopping;
use super::{ExperimentFilter, StoreError, Tx};
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId};
use protocol::report::ExperimentState;
use sqlx::types::Uuid;

/// Whether an experiment lacks suspended pairs. A pair that is suspended in a cell that a rule has stopped is not needed.
macro_rules! lacks_suspended {
    () => {
        "(experiment.pairs_aside > 0 AND EXISTS (SELECT 1 FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
         WHERE ec.experiment = experiment.id AND ec.closed IS NULL AND ec.stop_decision IS NULL AND cell.pairs_aside > 0))"
    };
}

/// Whether something is left to play in an experiment, paused or not: pairs of a cell that no rule has stopped, or points of a
/// tune that were not asked for.
macro_rules! lacks_games {
    () => {
        "(experiment.games_done < experiment.games_planned AND (experiment.games_unasked > 0 OR EXISTS (SELECT 1 FROM experiment_cell ec \
         JOIN cell ON cell.id = ec.cell WHERE ec.experiment = experiment.id AND ec.closed IS NULL AND ec.stop_decision IS NULL \
         AND cell.pairs_done < ec.pairs)))"
    };
}

/// The statement for rows of experiments that meet a condition, in an order.
macro_rules! experiments {
    ($rest:literal) => {
        concat!(
            "SELECT experiment.*, CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells, \
             CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec WHERE ec.experiment = experiment.id \
             AND ec.stop_decision IS NOT NULL) THEN 'yes' ELSE 'no' END AS stopped_cells, \
             (SELECT CAST(COALESCE(SUM(2 * (ec.pairs - cell.pairs_done)), 0) AS BIGINT) FROM experiment_cell ec \
             JOIN cell ON cell.id = ec.cell WHERE ec.experiment = experiment.id AND ec.closed IS NULL \
             AND ec.stop_decision IS NOT NULL AND cell.pairs_done < ec.pairs) AS games_not_needed, \
             CASE WHEN EXISTS (SELECT 1 FROM tune WHERE tune.experiment = experiment.id) THEN 'yes' ELSE 'no' END AS is_tune, \
             CASE WHEN ",
            lacks_suspended!(),
            " THEN 'yes' ELSE 'no' END AS lacks_suspended FROM experiment",
            $rest
        )
    };
}

/// A row of `experiment`, with its recent games.
#[derive(Debug, Clone)]
pub(crate) struct ExperimentRow {
    pub(crate) id: ExperimentId,
    pub(crate) name: String,
    pub(crate) question: String,
    pub(crate) state: ExperimentState,
    pub(crate) cells: u64,
    pub(crate) games_planned: u64,
    pub(crate) games_done: u64,
    /// Planned games of cells that a rule ended before they were played.
    pub(crate) games_not_needed: u64,
    pub(crate) pairs_in_flight: u64,
    pub(crate) pairs_aside: u64,
    /// Core microseconds that its leases were charged.
    pub(crate) core_us: u64,
    pub(crate) created_ms: i64,
    /// The share of the workers, relative to other experiments.
    pub(crate) weight: f64,
    /// The number of the newest revision; 0 while the first is being stored.
    pub(crate) revision: u64,
    /// The number of the last change of its rows in `experiment_cell`.
    pub(crate) edition: i64,
    pub(crate) paused_ms: Option<i64>,
    /// The time at which it was stopped for good.
    pub(crate) stopped_ms: Option<i64>,
    pub(crate) archived_ms: Option<i64>,
    pub(crate) tags: Vec<String>,
    /// Whether it is the coordinator's own control.
    pub(crate) is_control: bool,
    /// Whether it looks for the best setting of some parameters.
    pub(crate) is_tune: bool,
}

impl ExperimentRow {
    /// Planned games that are not played yet, and that no rule made unnecessary.
    pub(crate) fn games_missing(&self) -> u64 {
        self.games_planned.saturating_sub(self.games_done + self.games_not_needed)
    }

    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        let games_planned = row.count("games_planned")?;
        let games_done = row.count("games_done")?;
        let (pairs_in_flight, pairs_aside) = (row.count("pairs_in_flight")?, row.count("pairs_aside")?);
        let (paused_ms, archived_ms) = (row.maybe_bigint("paused_ms")?, row.maybe_bigint("archived_ms")?);
        let stopped_ms = row.maybe_bigint("stopped_ms")?;
        let idle = pairs_in_flight == 0 && row.text("open_cells")? == "no";
        let state = if archived_ms.is_some() {
            ExperimentState::Archived
        } else if games_done >= games_planned {
            ExperimentState::Finished
        } else if stopped_ms.is_some() {
            ExperimentState::Stopped
        } else if paused_ms.is_some() {
            ExperimentState::Paused
        } else if idle && row.text("lacks_suspended")? == "yes" {
            ExperimentState::Stuck
        } else if idle && row.text("stopped_cells")? == "yes" {
            // Rules stopped the cells whose planned games are missing.
            ExperimentState::Finished
        } else {
            ExperimentState::Active
        };
        Ok(Self {
            id: ExperimentId(row.uuid("id")?),
            name: row.text("name")?,
            question: row.text("question")?,
            state,
            cells: row.count("cells")?,
            games_planned,
            games_done,
            games_not_needed: row.count("games_not_needed")?,
            pairs_in_flight,
            pairs_aside,
            core_us: row.count("core_us")?,
            created_ms: row.bigint("created_ms")?,
            weight: row.real("weight")?,
            revision: row.count("revision")?,
            edition: row.bigint("edition")?,
            paused_ms,
            stopped_ms,
            archived_ms,
            tags: serde_json::from_str(&row.text("tags")?)
                .map_err(StoreError::unreadable("experiment.tags"))?,
            is_control: row.bigint("is_control")? > 0,
            is_tune: row.text("is_tune")? == "yes",
        })
    }
}

/// The games that active experiments still lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Missing {
    pub(crate) games: u64,
    pub(crate) pairs_in_flight: u64,
    pub(crate) pairs_aside: u64,
    /// Games of tunes whose points are asked for when there are results.
    pub(crate) games_unasked: u64,
}

/// A cell as an experiment plans it.
#[derive(Debug, Clone)]
pub(crate) struct PlannedCellRow {
    pub(crate) cell: CellId,
    pub(crate) case_group: String,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    pub(crate) pairs: u64,
    /// The share of the experiment's games: the product of the weights of case, baseline, size and budget.
    pub(crate) weight: f64,
    /// Whether a revision took the cell out of the plan.
    pub(crate) is_closed: bool,
    pub(crate) spec: CellSpec,
}

impl PlannedCellRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            cell: CellId(row.uuid("id")?),
            case_group: row.text("case_group")?,
            case_label: row.text("case_label")?,
            baseline_label: row.text("baseline_label")?,
            pairs: row.count("pairs")?,
            weight: row.real("weight")?,
            is_closed: row.maybe_bigint("closed")?.is_some(),
            spec: read_spec(row)?,
        })
    }
}

/// A cell's position and counters, as [`Tx::counters_of`] asks for them.
fn read_counters(text: &str) -> Result<(i64, Counters), StoreError> {
    let mut words = text.split(' ');
    let mut number =
        |column| words.next().unwrap_or_default().parse().map_err(StoreError::unreadable(column));
    let (position, counters) = (number("position")?, Counters::in_order(&mut number)?);
    Ok((position, Counters { waiting: number("waiting")?, ..counters }))
}

impl Tx {
    pub(crate) async fn experiment(&mut self, id: ExperimentId) -> Result<Option<ExperimentRow>, StoreError> {
        row!(&mut *self, ExperimentRow::from_row, experiments!(" WHERE id = $1"), id.0)
    }

    pub(crate) async fn experiment_named(&mut self, name: &str) -> Result<Option<ExperimentRow>, StoreError> {
        row!(&mut *self, ExperimentRow::from_row, experiments!(" WHERE name = $1"), name,)
    }

    /// The ids and names of the experiments in a range of ids, `most` at most.
    pub(crate) async fn experiments_between(
        &mut self,
        (first, last): (Uuid, Uuid),
        most: i64,
    ) -> Result<Vec<(ExperimentId, String)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("id")?), row.text("name")?)),
            "SELECT id, name FROM experiment WHERE id >= $1 AND id <= $2 ORDER BY id LIMIT $3",
            first,
            last,
            most,
        )
    }

    /// Every experiment, the newest first.
    pub(crate) async fn experiments(&mut self) -> Result<Vec<ExperimentRow>, StoreError> {
        rows!(&mut *self, ExperimentRow::from_row, experiments!(" ORDER BY created_ms DESC, id"))
    }

    /// An experiment's cells in the order in which they were added, closed ones too.
    pub(crate) async fn planned_cells(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<PlannedCellRow>, StoreError> {
        rows!(
            &mut *self,
            PlannedCellRow::from_row,
            "SELECT cell.id, cell.spec, case_group, case_label, baseline_label, pairs, weight, closed FROM experiment_cell \
             JOIN cell ON cell.id = experiment_cell.cell WHERE experiment = $1 ORDER BY position",
            id.0,
        )
    }

    /// The counters of an experiment's cells, in the order of [`Tx::planned_cells`]. They are read as one text, because ten
    /// thousand rows of twenty values take several times as long to transfer as to find.
    pub(crate) async fn counters_of(&mut self, id: ExperimentId) -> Result<Vec<Counters>, StoreError> {
        let text = row!(
            &mut *self,
            |row| row.maybe_text("counters"),
            concat!(
                "SELECT string_agg(concat_ws(' ', position, ",
                counters!(),
                ", ",
                waiting!(),
                "), ';') AS counters FROM experiment_cell JOIN cell ON cell.id = experiment_cell.cell WHERE experiment = $1"
            ),
            id.0,
        )?;
        let text = text.flatten().unwrap_or_default();
        let mut cells = text.split_terminator(';').map(read_counters).collect::<Result<Vec<_>, _>>()?;
        // No database guarantees the order in which it joins rows to a text.
        cells.sort_unstable_by_key(|(position, _)| *position);
        Ok(cells.into_iter().map(|(_, counters)| counters).collect())
    }

    /// The stopping rules of an experiment's cells, for cells that have one.
    pub(crate) async fn stopping_rules(
        &mut self,
        id: ExperimentId,
    ) -> Result<Vec<(CellId, Stopping)>, StoreError> {
        let ruled = rows!(
            &mut *self,
            |row| Ok((CellId(row.uuid("cell")?), Stopping::from_row(row)?)),
            "SELECT cell, stop_rule, stop_ll, stop_ld, stop_wl, stop_dd, stop_wd, stop_ww, stop_decision \
             FROM experiment_cell WHERE experiment = $1 AND stop_rule IS NOT NULL",
            id.0,
        )?;
        Ok(ruled.into_iter().filter_map(|(cell, stopping)| Some((cell, stopping?))).collect())
    }

    /// The games that active experiments that pass the filter still lack; none if there is no such experiment. The coordinator's
    /// own control has no end and lacks nothing.
    pub(crate) async fn missing(
        &mut self,
        filter: &ExperimentFilter,
        semantics: u32,
    ) -> Result<Option<Missing>, StoreError> {
        let all = rows!(
            &mut *self,
            |row| Ok((
                ExperimentId(row.uuid("id")?),
                Missing {
                    games: row.count("missing")?,
                    pairs_in_flight: row.count("pairs_in_flight")?,
                    pairs_aside: row.count("pairs_aside")?,
                    games_unasked: row.count("games_unasked")?,
                }
            )),
            // Nothing is missing where rules stopped every cell that lacks games.
            concat!(
                "SELECT id, CASE WHEN pairs_in_flight = 0 AND NOT ",
                lacks_suspended!(),
                " AND EXISTS (SELECT 1 FROM experiment_cell ec WHERE ec.experiment = experiment.id \
                 AND ec.stop_decision IS NOT NULL) AND NOT EXISTS (SELECT 1 FROM experiment_cell ec \
                 WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN CAST(0 AS BIGINT) \
                 ELSE games_planned - games_done END AS missing, pairs_in_flight, pairs_aside, games_unasked FROM experiment \
                 WHERE is_control = 0 AND paused_ms IS NULL AND stopped_ms IS NULL AND archived_ms IS NULL \
                 AND semantics = $1"
            ),
            i64::from(semantics),
        )?;
        let wanted = all.into_iter().filter(|(id, _)| filter.allows(*id));
        // Pairs in flight or suspended in a cell of a finished experiment may be lacking in other experiments, but not
        // in this one.
        let missed = wanted.map(|(_, missing)| if missing.games > 0 { missing } else { Missing::default() });
        Ok(missed.reduce(|a, b| Missing {
            games: a.games + b.games,
            pairs_in_flight: a.pairs_in_flight + b.pairs_in_flight,
            pairs_aside: a.pairs_aside + b.pairs_aside,
            games_unasked: a.games_unasked + b.games_unasked,
        }))
    }

    /// Whether something is left to play in an experiment, paused or not.
    pub(crate) async fn lacks_games(&mut self, id: ExperimentId) -> Result<bool, StoreError> {
        let lacks = row!(
            &mut *self,
            |row| row.bigint("lacks"),
            concat!("SELECT CAST(1 AS BIGINT) AS lacks FROM experiment WHERE id = $1 AND ", lacks_games!()),
            id.0,
        )?;
        Ok(lacks.is_some())
    }

    /// The names of paused experiments that pass the filter and lack games.
    pub(crate) async fn paused(
        &mut self,
        filter: &ExperimentFilter,
        semantics: u32,
    ) -> Result<Vec<String>, StoreError> {
        let all = rows!(
            &mut *self,
            |row| Ok((ExperimentId(row.uuid("id")?), row.text("name")?)),
            concat!(
                "SELECT id, name FROM experiment WHERE is_control = 0 AND paused_ms IS NOT NULL \
                 AND stopped_ms IS NULL AND archived_ms IS NULL AND semantics = $1 AND ",
                lacks_games!(),
                " ORDER BY name"
            ),
            i64::from(semantics),
        )?;
        Ok(all.into_iter().filter(|(id, _)| filter.allows(*id)).map(|(_, name)| name).collect())
    }
}
