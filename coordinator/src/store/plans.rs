//! The rows of an experiment's plan, and their changes by a revision. A revision adds rows, closes rows and changes rows; no row
//! is ever deleted.

use super::cells::{Counters, counters, row_state, waiting};
use super::columns::read_policy;
use super::sql::{Columns, execute, execute_many, row, rows, rows_many, write_json};
use super::stopping::{RowStopping, Stopping, read_rule, rule_text};
use super::{StoreError, Tx};
use protocol::experiment::{CellSpec, Experiment, PlannedCell, Policy, StopRule};
use protocol::ids::{CellId, ExperimentId, PlayerId};
use protocol::lease::ParamSet;
use stats::Reading;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// How an experiment plans a cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CellPlan {
    pub(crate) case_group: String,
    pub(crate) case_label: String,
    pub(crate) baseline_group: String,
    pub(crate) baseline_label: String,
    pub(crate) weight: f64,
    pub(crate) pairs: i64,
    pub(crate) stop: Option<StopRule>,
}

impl From<&PlannedCell> for CellPlan {
    fn from(planned: &PlannedCell) -> Self {
        Self {
            case_group: planned.case.group.clone(),
            case_label: planned.case.label.clone(),
            baseline_group: planned.baseline.group.clone(),
            baseline_label: planned.baseline.label.clone(),
            weight: planned.weight,
            pairs: i64::from(planned.pairs),
            stop: planned.stop,
        }
    }
}

/// A row of a plan.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlanRow {
    pub(crate) position: i64,
    pub(crate) cell: CellId,
    pub(crate) plan: CellPlan,
    /// Whether a revision took the cell out of the plan.
    pub(crate) is_closed: bool,
}

impl PlanRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            position: row.bigint("position")?,
            cell: CellId(row.uuid("cell")?),
            plan: CellPlan {
                case_group: row.text("case_group")?,
                case_label: row.text("case_label")?,
                baseline_group: row.text("baseline_group")?,
                baseline_label: row.text("baseline_label")?,
                weight: row.real("weight")?,
                pairs: row.bigint("pairs")?,
                stop: read_rule(row)?,
            },
            is_closed: row.maybe_bigint("closed")?.is_some(),
        })
    }
}

/// A row before a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PreviousRow {
    /// There was none.
    Absent,
    /// The cell was out of the plan.
    Closed,
    /// The plan had this many pairs of the cell.
    Planned(i64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowChange {
    pub(crate) position: i64,
    pub(crate) cell: CellId,
    pub(crate) before: PreviousRow,
    /// The place of the cell in the new plan; none if the plan closes the cell.
    pub(crate) after: Option<usize>,
}

/// A part of a revision, which is stored in one transaction.
pub(crate) struct PlanPart {
    pub(crate) id: ExperimentId,
    pub(crate) experiment: Arc<Experiment>,
    /// The edition of the rows for which the changes were computed; none for the first part of a new experiment.
    pub(crate) edition: Option<i64>,
    /// The number of the revision.
    pub(crate) revision: i64,
    /// Whether the experiment is the coordinator's own control.
    pub(crate) is_control: bool,
    pub(crate) changes: Vec<RowChange>,
}

/// Changes of an experiment's totals by changes of its rows.
#[derive(Debug, Clone, Copy, Default)]
struct PlanTotals {
    cells: i64,
    games_planned: i64,
    games_done: i64,
    pairs_in_flight: i64,
    pairs_aside: i64,
}

impl PlanTotals {
    /// The changes by a part, whose cells have these counters.
    fn of(part: &PlanPart, counters: &HashMap<CellId, Counters>) -> Result<Self, StoreError> {
        let mut totals = Self::default();
        for change in &part.changes {
            let counters = counters.get(&change.cell).ok_or(StoreError::Null("cell"))?;
            if let PreviousRow::Planned(pairs) = change.before {
                totals.count(-1, pairs, counters);
            }
            if let Some(place) = change.after {
                totals.count(1, i64::from(part.experiment.cells[place].pairs), counters);
            }
        }
        Ok(totals)
    }

    /// Adds a row of this many pairs; with `sign` −1, takes the row away.
    fn count(&mut self, sign: i64, pairs: i64, counters: &Counters) {
        self.cells += sign;
        self.games_planned += sign * 2 * pairs;
        self.games_done += sign * counters.games_towards(pairs);
        self.pairs_in_flight += sign * counters.pairs_in_flight;
        self.pairs_aside += sign * counters.pairs_aside;
    }
}

/// The bit of a cell's size in the mask of calibrated sizes. The budget makes no difference, because the worker's speed
/// on the size comes with every result.
fn needs(spec: &CellSpec) -> i64 {
    1 << spec.size.get()
}

/// The tie-break between cells of equal priority, which does not depend on size or case.
fn shuffled(cell: CellId) -> i64 {
    (cell.0.as_u64_pair().0 >> 1) as i64
}

/// The engine semantics of an experiment's cells, which all have the same.
pub(super) fn semantics_of(experiment: &Experiment) -> i64 {
    experiment.cells.first().map_or(engine::SEMANTICS, |cell| cell.spec.semantics).into()
}

impl Tx {
    /// All rows of an experiment's plan, closed ones too.
    pub(crate) async fn plan_rows(&mut self, id: ExperimentId) -> Result<Vec<PlanRow>, StoreError> {
        rows!(
            &mut *self,
            PlanRow::from_row,
            "SELECT position, cell, case_group, case_label, baseline_group, baseline_label, weight, pairs, closed, stop_rule \
             FROM experiment_cell WHERE experiment = $1 ORDER BY position",
            id.0,
        )
    }

    /// Notes in changes the stored state of their rows.
    pub(crate) async fn read_befores(
        &mut self,
        id: ExperimentId,
        changes: &mut [RowChange],
    ) -> Result<(), StoreError> {
        let rows = rows_many!(
            &mut *self,
            |row| {
                let is_closed = row.maybe_bigint("closed")?.is_some();
                let pairs = row.bigint("pairs")?;
                Ok((
                    row.bigint("position")?,
                    if is_closed { PreviousRow::Closed } else { PreviousRow::Planned(pairs) },
                ))
            },
            "SELECT position, pairs, closed FROM (VALUES {rows}) AS wanted \
             JOIN experiment_cell ON experiment = column1 AND position = column2",
            changes,
            |change| id.0,
            change.position,
        )?;
        let stored: HashMap<i64, PreviousRow> = rows.into_iter().collect();
        for change in changes {
            change.before = stored.get(&change.position).copied().unwrap_or(PreviousRow::Absent);
        }
        Ok(())
    }

    /// Stores a part of a revision. Gives false, and stores nothing, if the rows have changed since the part was computed.
    pub(crate) async fn store_part(&mut self, part: &PlanPart, now_ms: i64) -> Result<bool, StoreError> {
        let (is_held, policy) = match part.edition {
            None => {
                let known = row!(
                    &mut *self,
                    |row| row.uuid("id"),
                    "SELECT id FROM experiment WHERE id = $1 OR name = $2 LIMIT 1",
                    part.id.0,
                    part.experiment.name.as_str(),
                )?;
                if known.is_some() {
                    return Ok(false);
                }
                self.insert_experiment(part, now_ms).await?;
                (false, part.experiment.policy)
            }
            Some(edition) => {
                let found = row!(
                    &mut *self,
                    |row| Ok((row.bigint("edition")?, row.maybe_bigint("paused_ms")?, read_policy(row)?)),
                    "SELECT edition, paused_ms, policy FROM experiment WHERE id = $1 AND stopped_ms IS NULL AND archived_ms IS NULL",
                    part.id.0,
                )?;
                match found {
                    Some((found, paused_ms, policy)) if found == edition => (paused_ms.is_some(), policy),
                    _ => return Ok(false),
                }
            }
        };
        let totals = self.change_rows(part, (is_held, policy), now_ms).await?;
        execute!(
            &mut *self,
            "UPDATE experiment SET edition = edition + 1, cells = cells + $2, games_planned = games_planned + $3, \
             games_done = games_done + $4, pairs_in_flight = pairs_in_flight + $5, pairs_aside = pairs_aside + $6 WHERE id = $1",
            part.id.0,
            // The row of a new experiment has these two from the beginning.
            part.edition.map_or(0, |_| totals.cells),
            part.edition.map_or(0, |_| totals.games_planned),
            totals.games_done,
            totals.pairs_in_flight,
            totals.pairs_aside,
        )?;
        Ok(true)
    }

    /// Inserts a new experiment with the size of its first part.
    async fn insert_experiment(&mut self, part: &PlanPart, now_ms: i64) -> Result<(), StoreError> {
        let experiment = &part.experiment;
        let planned = || part.changes.iter().filter_map(|change| Some(&experiment.cells[change.after?]));
        execute!(
            &mut *self,
            "INSERT INTO experiment (id, name, question, weight, semantics, created_ms, cells, games_planned, \
             games_done, pairs_in_flight, pairs_aside, revision, edition, policy, is_control) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, 0, 0, 0, 0, $9, $10)",
            part.id.0,
            experiment.name.as_str(),
            experiment.question.as_str(),
            experiment.weight,
            semantics_of(experiment),
            now_ms,
            planned().count() as i64,
            planned().map(|cell| 2 * i64::from(cell.pairs)).sum::<i64>(),
            experiment.policy.name(),
            i64::from(part.is_control),
        )?;
        Ok(())
    }

    /// Changes the rows of a part; gives the changes of the experiment's totals.
    async fn change_rows(
        &mut self,
        part: &PlanPart,
        (is_held, policy): (bool, Policy),
        now_ms: i64,
    ) -> Result<PlanTotals, StoreError> {
        let planned: Vec<(&RowChange, &PlannedCell)> = part
            .changes
            .iter()
            .filter_map(|change| Some((change, &part.experiment.cells[change.after?])))
            .collect();
        let new: Vec<_> =
            planned.iter().copied().filter(|(row, _)| row.before == PreviousRow::Absent).collect();
        self.insert_cells(&new, now_ms).await?;
        let ids: Vec<CellId> = part.changes.iter().map(|change| change.cell).collect();
        let counters = self.counters_of_cells(&ids).await?;
        let totals = PlanTotals::of(part, &counters)?;
        self.put_rows(part, &planned, &counters, (is_held, policy)).await?;
        self.read_rules(part.id, &planned).await?;
        self.close_rows(part).await?;
        Ok(totals)
    }

    /// Stores the rows of cells that are in the plan.
    async fn put_rows(
        &mut self,
        part: &PlanPart,
        planned: &[(&RowChange, &PlannedCell)],
        counters: &HashMap<CellId, Counters>,
        (is_held, policy): (bool, Policy),
    ) -> Result<(), StoreError> {
        let of = |change: &RowChange| counters.get(&change.cell).copied().unwrap_or_default();
        // The trials of a tune are played in their order. Otherwise a trial on a light size, a second one of the same point, or
        // one with an unlucky tie-break would wait behind the new cells that are added all the time. With this share the last
        // pair of every cell has the same priority, which is half a pair more than was taken, divided by the share.
        let in_order = part.experiment.tune.is_some();
        let share =
            |cell: &PlannedCell| if in_order { 2.0 * f64::from(cell.pairs) - 1.0 } else { cell.weight };
        let tie_break = |row: &RowChange| if in_order { row.position } else { shuffled(row.cell) };
        execute_many!(
            &mut *self,
            "INSERT INTO experiment_cell (experiment, position, cell, case_group, case_label, baseline_group, \
             baseline_label, size, weight, share, pairs, semantics, needs, shuffle, priority, state, stop_rule) \
             VALUES {rows} \
             ON CONFLICT (experiment, position) DO UPDATE SET case_group = excluded.case_group, \
             case_label = excluded.case_label, baseline_group = excluded.baseline_group, \
             baseline_label = excluded.baseline_label, weight = excluded.weight, share = excluded.share, \
             pairs = excluded.pairs, priority = excluded.priority, state = excluded.state, closed = NULL, \
             stop_rule = excluded.stop_rule, stop_ll = 0, stop_ld = 0, stop_wl = 0, stop_dd = 0, stop_wd = 0, stop_ww = 0, \
             stop_decision = NULL",
            planned,
            |planned| part.id.0,
            planned.0.position,
            planned.0.cell.0,
            planned.1.case.group.as_str(),
            planned.1.case.label.as_str(),
            planned.1.baseline.group.as_str(),
            planned.1.baseline.label.as_str(),
            i64::from(planned.1.spec.size.get()),
            planned.1.weight,
            share(planned.1),
            i64::from(planned.1.pairs),
            i64::from(planned.1.spec.semantics),
            needs(&planned.1.spec),
            tie_break(planned.0),
            of(planned.0).priority(policy, share(planned.1)),
            row_state(is_held, of(planned.0).is_open(i64::from(planned.1.pairs))),
            rule_text(planned.1.stop.as_ref()),
        )?;
        Ok(())
    }

    /// Lets the stopping rules of rows that were stored read: their cells may have results already.
    async fn read_rules(
        &mut self,
        id: ExperimentId,
        planned: &[(&RowChange, &PlannedCell)],
    ) -> Result<(), StoreError> {
        let ruled = planned.iter().filter_map(|(change, cell)| Some((change, cell.stop?)));
        let mut reading: Vec<RowStopping> = ruled
            .map(|(change, rule)| RowStopping {
                row: (id, change.position),
                cell: change.cell,
                stopping: Stopping { rule, reading: Reading::default() },
            })
            .collect();
        self.read_on(&mut reading).await?;
        self.put_readings(&reading).await
    }

    /// Closes the rows of cells that the plan no longer has.
    async fn close_rows(&mut self, part: &PlanPart) -> Result<(), StoreError> {
        let closed: Vec<i64> =
            part.changes.iter().filter(|change| change.after.is_none()).map(|row| row.position).collect();
        execute_many!(
            &mut *self,
            "UPDATE experiment_cell SET state = 'off', closed = column3 FROM (VALUES {rows}) AS change \
             WHERE experiment = column1 AND position = column2",
            &closed,
            |position| part.id.0,
            *position,
            part.revision,
        )?;
        Ok(())
    }

    /// Stores cells and their players unless they exist.
    async fn insert_cells(
        &mut self,
        planned: &[(&RowChange, &PlannedCell)],
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let mut players: BTreeMap<PlayerId, &ParamSet> = BTreeMap::new();
        let mut cells = Vec::new();
        for (change, PlannedCell { spec, .. }) in planned {
            let [case, baseline] = [&spec.case, &spec.baseline].map(|params| {
                let id = params.player_id();
                players.insert(id, params);
                id
            });
            cells.push((change.cell, case, baseline, spec));
        }
        let players: Vec<_> = players.into_iter().collect();
        execute_many!(
            &mut *self,
            "INSERT INTO player (id, params, created_ms) VALUES {rows} ON CONFLICT (id) DO NOTHING",
            &players,
            |player| player.0.0,
            write_json(player.1),
            now_ms,
        )?;
        execute_many!(
            &mut *self,
            "INSERT INTO cell (id, case_player, baseline_player, semantics, size, spec, memory_mib) VALUES {rows} \
             ON CONFLICT (id) DO UPDATE SET memory_mib = excluded.memory_mib",
            &cells,
            |cell| cell.0.0,
            cell.1.0,
            cell.2.0,
            i64::from(cell.3.semantics),
            i64::from(cell.3.size.get()),
            write_json(cell.3),
            i64::from(cell.3.memory().0),
        )?;
        Ok(())
    }

    /// The counters of those of the cells that are stored.
    pub(crate) async fn counters_of_cells(
        &mut self,
        cells: &[CellId],
    ) -> Result<HashMap<CellId, Counters>, StoreError> {
        let found = rows_many!(
            &mut *self,
            |row| {
                let waiting = row.bigint("waiting")?;
                Ok((CellId(row.uuid("id")?), Counters { waiting, ..Counters::from_row(row)? }))
            },
            concat!(
                "SELECT id, ",
                counters!(),
                ", ",
                waiting!(),
                " AS waiting FROM cell WHERE id IN ({rows})"
            ),
            cells,
            |cell| cell.0,
        )?;
        Ok(found.into_iter().collect())
    }
}
