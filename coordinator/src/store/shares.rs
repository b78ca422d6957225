//! The experiments that compete for workers, and their places in the fair queue (see [`crate::scheduling`]).

use super::sql::{Columns, execute_many, row, rows};
use super::{StoreError, Tx};
use protocol::experiment::Policy;
use protocol::ids::ExperimentId;

/// An experiment with cells to be played, or one that had some when the last pair was leased.
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
        })
    }

    /// The virtual time after a charge.
    pub(crate) fn charge(&mut self, core_us: i64) {
        self.virtual_time += core_us as f64 / 1e6 / self.weight;
    }
}

/// Column `policy`.
pub(super) fn read_policy(row: &dyn Columns) -> Result<Policy, StoreError> {
    let name = row.text("policy")?;
    Policy::named(&name).ok_or_else(|| StoreError::unreadable("experiment.policy")(name))
}

impl Tx {
    /// The experiments that wait for workers, and those that are in the queue and wait no more, in the order of ids.
    pub(crate) async fn contenders(&mut self, semantics: u32) -> Result<Vec<Contender>, StoreError> {
        rows!(
            &mut *self,
            Contender::from_row,
            "SELECT id, name, weight, policy, virtual_time, virtual_start, served_ms, core_us, prior_us, \
             CASE WHEN state = 'active' AND EXISTS (SELECT 1 FROM experiment_cell ec \
             WHERE ec.experiment = experiment.id AND ec.state = 'open') THEN 'yes' ELSE 'no' END AS open_cells \
             FROM experiment WHERE semantics = $1 \
             AND ((state = 'active' AND games_done < games_planned) OR virtual_start IS NOT NULL) ORDER BY id",
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
}
