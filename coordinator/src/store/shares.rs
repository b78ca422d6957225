//! The experiments that compete for workers, and their places in the fair queue (see [`crate::scheduling`]).

use super::Counters;
use super::columns::{read_policy, read_spec};
use super::sql::{Columns, execute, execute_many, row, rows, rows_many};
use super::{StoreError, Tx};
use protocol::experiment::Policy;
use protocol::ids::{CellId, ExperimentId, PlayerId};
use std::collections::HashMap;

/// An experiment with cells to play, or one that had some when the last pair was leased.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contender {
    pub(crate) id: ExperimentId,
    pub(crate) name: String,
    pub(crate) weight: f64,
    pub(crate) policy: Policy,
    /// Whether it is active and has a cell to be played.
    pub(crate) waits: bool,
    /// Charged core seconds divided by the weight, since it entered the queue first.
    pub(crate) virtual_time: f64,
    /// The virtual time at which its last lease began, or at which it entered; none if it is not in the queue.
    pub(crate) virtual_start: Option<f64>,
    /// When it last got a lease, or a lease of it ended, or it entered.
    pub(crate) served_ms: i64,
    /// Core microseconds that it was charged, and what the budgets suggested for the same.
    pub(crate) core_us: i64,
    pub(crate) prior_us: i64,
    /// Whether it is the coordinator's own control.
    pub(crate) is_control: bool,
}

impl Contender {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: ExperimentId(row.uuid("id")?),
            name: row.text("name")?,
            weight: row.real("weight")?,
            policy: read_policy(row)?,
            waits: row.text("open_cells")? == "yes",
            virtual_time: row.real("virtual_time")?,
            virtual_start: row.maybe_real("virtual_start")?,
            served_ms: row.bigint("served_ms")?,
            core_us: row.bigint("core_us")?,
            prior_us: row.bigint("prior_us")?,
            is_control: row.bigint("is_control")? > 0,
        })
    }

    /// The virtual time after a charge.
    pub(crate) fn charge(&mut self, core_us: i64) {
        self.virtual_time += core_us as f64 / 1e6 / self.weight;
    }
}

/// An experiment whose policy gives cases attention.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AttendedExperiment {
    pub(crate) id: ExperimentId,
    pub(crate) games_done: u64,
    /// The number of changes of its plan.
    pub(crate) edition: i64,
}

/// A cell of a plan, with the results of its pairs.
#[derive(Debug, Clone)]
pub(crate) struct PlayedCell {
    pub(crate) position: i64,
    /// The share that is stored.
    pub(crate) share: f64,
    pub(crate) case: PlayerId,
    /// The baseline and the budget in words. Only cases with equal ones are compared.
    pub(crate) against: (PlayerId, String),
    /// The product of weights in the file.
    pub(crate) weight: f64,
    /// LL, LD, WL, DD, WD, WW.
    pub(crate) pair_counts: [i64; 6],
}

/// Why the weights of cells cannot be changed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum WeightError {
    /// The policy of the experiment gives cases attention.
    Policy(Policy),
    /// The plan does not have this cell.
    Unknown(CellId),
}

impl Tx {
    /// The experiments that wait for workers, and those in the queue that no longer wait, in the order of ids.
    pub(crate) async fn contenders(&mut self, semantics: u32) -> Result<Vec<Contender>, StoreError> {
        rows!(
            &mut *self,
            Contender::from_row,
            "SELECT id, name, weight, policy, virtual_time, virtual_start, served_ms, core_us, prior_us, \
             is_control, CASE WHEN EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells \
             FROM experiment WHERE semantics = $1 \
             AND (games_done < games_planned OR virtual_start IS NOT NULL) ORDER BY id",
            i64::from(semantics),
        )
    }

    /// The largest virtual time of any experiment.
    pub(crate) async fn largest_virtual_time(&mut self, semantics: u32) -> Result<f64, StoreError> {
        let largest = row!(
            &mut *self,
            |row| row.maybe_real("largest"),
            "SELECT MAX(virtual_time) AS largest FROM experiment WHERE semantics = $1",
            i64::from(semantics),
        )?;
        Ok(largest.flatten().unwrap_or_default())
    }

    /// Stores the places of experiments in the queue.
    pub(crate) async fn put_contenders(&mut self, moved: &[Contender]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "UPDATE experiment SET virtual_time = column2, virtual_start = column3, served_ms = column4 \
             FROM (VALUES {rows}) AS change WHERE id = column1",
            moved,
            |contender| contender.id.0,
            contender.virtual_time,
            contender.virtual_start,
            contender.served_ms,
        )?;
        Ok(())
    }

    /// The experiments with open cells whose policy gives cases attention.
    pub(crate) async fn attended_experiments(
        &mut self,
        semantics: u32,
    ) -> Result<Vec<AttendedExperiment>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(AttendedExperiment {
                id: ExperimentId(row.uuid("id")?),
                games_done: row.count("games_done")?,
                edition: row.bigint("edition")?,
            }),
            "SELECT id, games_done, edition FROM experiment WHERE semantics = $1 \
             AND games_done < games_planned AND policy IN ('best', 'race') ORDER BY id",
            i64::from(semantics),
        )
    }

    pub(crate) async fn policy(&mut self, id: ExperimentId) -> Result<Option<Policy>, StoreError> {
        row!(&mut *self, read_policy, "SELECT policy FROM experiment WHERE id = $1", id.0)
    }

    /// The policy of an experiment, and the cells of its plan.
    pub(crate) async fn played_cells(
        &mut self,
        id: ExperimentId,
    ) -> Result<Option<(Policy, Vec<PlayedCell>)>, StoreError> {
        let Some(policy) = self.policy(id).await? else { return Ok(None) };
        let cells = rows!(
            &mut *self,
            |row| Ok(PlayedCell {
                position: row.bigint("position")?,
                share: row.real("share")?,
                case: PlayerId(row.uuid("case_player")?),
                against: (PlayerId(row.uuid("baseline_player")?), read_spec(row)?.budget.to_string()),
                weight: row.real("weight")?,
                pair_counts: [
                    row.bigint("ll")?,
                    row.bigint("ld")?,
                    row.bigint("wl")?,
                    row.bigint("dd")?,
                    row.bigint("wd")?,
                    row.bigint("ww")?
                ],
            }),
            "SELECT ec.position, ec.share, ec.weight, cell.case_player, cell.baseline_player, cell.spec, cell.ll, cell.ld, \
             cell.wl, cell.dd, cell.wd, cell.ww FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
             WHERE ec.experiment = $1 AND ec.closed IS NULL ORDER BY ec.position",
            id.0,
        )?;
        Ok(Some((policy, cells)))
    }

    /// Changes the shares of an experiment's cells, by their positions, unless its policy has changed meanwhile.
    pub(crate) async fn set_shares(
        &mut self,
        id: ExperimentId,
        policy: Policy,
        shares: &[(i64, f64)],
    ) -> Result<(), StoreError> {
        if self.policy(id).await? != Some(policy) {
            return Ok(());
        }
        let counters = rows_many!(
            &mut *self,
            |row| Ok((row.bigint("position")?, Counters::from_row(row)?)),
            "SELECT ec.position, cell.* FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
             WHERE (ec.experiment, ec.position) IN (VALUES {rows})",
            shares,
            |share| id.0,
            share.0,
        )?;
        let counters: HashMap<i64, Counters> = counters.into_iter().collect();
        let placed: Vec<(i64, f64, f64)> = shares
            .iter()
            .filter_map(|(position, share)| {
                Some((*position, *share, counters.get(position)?.priority(policy, *share)))
            })
            .collect();
        execute_many!(
            &mut *self,
            "UPDATE experiment_cell SET share = column3, priority = column4 FROM (VALUES {rows}) AS change \
             WHERE experiment = column1 AND position = column2",
            &placed,
            |placed| id.0,
            placed.0,
            placed.1,
            placed.2,
        )?;
        Ok(())
    }

    /// Sets the shares of an experiment's open cells to this many times their weights; gives the number of changed cells, or why
    /// nothing is changed.
    pub(crate) async fn weigh_cells(
        &mut self,
        id: ExperimentId,
        cells: &[CellId],
        factor: f64,
    ) -> Result<Result<u64, WeightError>, StoreError> {
        let policy = self.policy(id).await?.ok_or(StoreError::Null("experiment"))?;
        if policy.weighs_cases() {
            return Ok(Err(WeightError::Policy(policy)));
        }
        let known = rows_many!(
            &mut *self,
            |row| Ok((
                CellId(row.uuid("cell")?),
                (row.bigint("position")?, row.real("weight")?, row.real("share")?)
            )),
            "SELECT cell, position, weight, share FROM experiment_cell \
             WHERE closed IS NULL AND (experiment, cell) IN (VALUES {rows})",
            cells,
            |cell| id.0,
            cell.0,
        )?;
        let known: HashMap<CellId, (i64, f64, f64)> = known.into_iter().collect();
        if let Some(unknown) = cells.iter().find(|cell| !known.contains_key(cell)) {
            return Ok(Err(WeightError::Unknown(*unknown)));
        }
        let changed: Vec<(i64, f64)> = known
            .into_values()
            .filter(|(_, weight, share)| weight * factor != *share)
            .map(|(position, weight, _)| (position, weight * factor))
            .collect();
        self.set_shares(id, policy, &changed).await?;
        Ok(Ok(changed.len() as u64))
    }

    /// Sets the policy of an experiment. Its cells start again with their weights as shares.
    pub(super) async fn set_policy(&mut self, id: ExperimentId, policy: Policy) -> Result<(), StoreError> {
        let changed = execute!(
            &mut *self,
            "UPDATE experiment SET policy = $2 WHERE id = $1 AND policy <> $2",
            id.0,
            policy.name(),
        )?;
        if changed == 0 {
            return Ok(());
        }
        let weights = rows!(
            &mut *self,
            |row| Ok((row.bigint("position")?, row.real("weight")?)),
            "SELECT position, weight FROM experiment_cell WHERE experiment = $1 ORDER BY position",
            id.0,
        )?;
        self.set_shares(id, policy, &weights).await
    }
}
