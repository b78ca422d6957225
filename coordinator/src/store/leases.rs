//! Leases, and the choice of the next cell.

use super::experiments::read_spec;
use super::games::read_idx;
use super::sql::{Columns, execute, row, rows};
use super::{StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, LeaseId, WorkerId};

/// Where a lease stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseState {
    /// Held by its worker until the deadline.
    Active,
    /// Its pair is complete.
    Finished,
    /// The deadline passed.
    Lapsed,
    /// The worker let go.
    Returned,
    /// Somebody else completed the pair, or the game stood still.
    Revoked,
}

impl LeaseState {
    fn name(self) -> &'static str {
        match self {
            LeaseState::Active => "active",
            LeaseState::Finished => "finished",
            LeaseState::Lapsed => "lapsed",
            LeaseState::Returned => "returned",
            LeaseState::Revoked => "revoked",
        }
    }

    fn read(name: &str) -> Result<Self, StoreError> {
        [Self::Active, Self::Finished, Self::Lapsed, Self::Returned, Self::Revoked]
            .into_iter()
            .find(|state| state.name() == name)
            .ok_or_else(|| StoreError::unreadable("lease.state")(name))
    }
}

/// A row of `lease`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ActiveLease {
    pub(crate) id: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) worker: WorkerId,
    pub(crate) state: LeaseState,
    pub(crate) plies: u32,
    /// When its plies last changed.
    pub(crate) progress_ms: i64,
    /// The play that is played again under it, if it is no lease of its pair.
    pub(crate) replays: Option<LeaseId>,
}

impl ActiveLease {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: LeaseId(row.uuid("id")?),
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            worker: WorkerId(row.uuid("worker")?),
            state: LeaseState::read(&row.text("state")?)?,
            plies: u32::try_from(row.bigint("plies")?).map_err(StoreError::unreadable("lease.plies"))?,
            progress_ms: row.bigint("progress_ms")?,
            replays: row.maybe_uuid("replays")?.map(LeaseId),
        })
    }
}

/// What a lease's games must look like.
#[derive(Debug, Clone)]
pub(crate) struct LeasedCell {
    pub(crate) worker: WorkerId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) spec: CellSpec,
    /// The play that is played again under it, if it is no lease of its pair.
    pub(crate) replays: Option<LeaseId>,
}

/// The cell to play next.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) cell: CellId,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    pub(crate) pairs_started: u32,
    /// Pairs that the experiment plans.
    pub(crate) pairs: i64,
    pub(crate) spec: CellSpec,
}

impl Candidate {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            cell: CellId(row.uuid("cell")?),
            case_label: row.text("case_label")?,
            baseline_label: row.text("baseline_label")?,
            pairs_started: u32::try_from(row.bigint("pairs_started")?)
                .map_err(StoreError::unreadable("cell.pairs_started"))?,
            pairs: row.bigint("pairs")?,
            spec: read_spec(row)?,
        })
    }
}

impl Tx {
    /// The open cell of least priority whose needs are among `calibrated` (a set of bits, see `needs`), ties in
    /// their fixed shuffled order; of one experiment if asked.
    pub(crate) async fn next_cell(
        &mut self,
        semantics: u32,
        calibrated: i64,
        only: Option<ExperimentId>,
    ) -> Result<Option<Candidate>, StoreError> {
        match only {
            None => row!(
                &mut *self,
                Candidate::from_row,
                "SELECT ec.cell, ec.case_label, ec.baseline_label, cell.pairs_started, ec.pairs, cell.spec \
                 FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
                 WHERE ec.state = 'open' AND ec.semantics = $1 AND (ec.needs & $2) <> 0 \
                 ORDER BY ec.priority, ec.shuffle LIMIT 1",
                i64::from(semantics),
                calibrated,
            ),
            Some(experiment) => row!(
                &mut *self,
                Candidate::from_row,
                "SELECT ec.cell, ec.case_label, ec.baseline_label, cell.pairs_started, ec.pairs, cell.spec \
                 FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
                 WHERE ec.state = 'open' AND ec.semantics = $1 AND (ec.needs & $2) <> 0 AND ec.experiment = $3 \
                 ORDER BY ec.priority, ec.shuffle LIMIT 1",
                i64::from(semantics),
                calibrated,
                experiment.0,
            ),
        }
    }

    /// Board sizes of the cells that have pairs to give, ascending. The recursion jumps from size to size in the
    /// index instead of reading every cell.
    pub(crate) async fn sizes_in_play(
        &mut self,
        semantics: u32,
        only: Option<ExperimentId>,
    ) -> Result<Vec<BoardSize>, StoreError> {
        let read = |row: &dyn Columns| {
            u8::try_from(row.bigint("size")?)
                .ok()
                .and_then(|n| BoardSize::new(n).ok())
                .ok_or_else(|| StoreError::unreadable("experiment_cell.size")("outside 3 to 10"))
        };
        match only {
            None => rows!(
                &mut *self,
                read,
                "WITH RECURSIVE sizes (size) AS ( \
                 SELECT MIN(size) FROM experiment_cell WHERE state = 'open' AND semantics = $1 UNION ALL \
                 SELECT (SELECT MIN(ec.size) FROM experiment_cell ec \
                     WHERE ec.state = 'open' AND ec.semantics = $1 AND ec.size > sizes.size) \
                 FROM sizes WHERE sizes.size IS NOT NULL) SELECT size FROM sizes WHERE size IS NOT NULL",
                i64::from(semantics),
            ),
            Some(experiment) => rows!(
                &mut *self,
                read,
                "WITH RECURSIVE sizes (size) AS ( \
                 SELECT MIN(size) FROM experiment_cell WHERE state = 'open' AND semantics = $1 AND experiment = $2 \
                 UNION ALL SELECT (SELECT MIN(ec.size) FROM experiment_cell ec WHERE ec.state = 'open' \
                     AND ec.semantics = $1 AND ec.experiment = $2 AND ec.size > sizes.size) \
                 FROM sizes WHERE sizes.size IS NOT NULL) SELECT size FROM sizes WHERE size IS NOT NULL",
                i64::from(semantics),
                experiment.0,
            ),
        }
    }

    /// Records a new active lease: of a pair, or to play again what was played under the lease `replays`.
    pub(crate) async fn insert_lease(
        &mut self,
        lease: LeaseId,
        (cell, idx): (CellId, u32),
        worker: WorkerId,
        now_ms: i64,
        deadline_ms: i64,
        replays: Option<LeaseId>,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO lease (id, cell, idx, worker, state, granted_ms, deadline_ms, plies, progress_ms, replays) \
             VALUES ($1, $2, $3, $4, 'active', $5, $6, 0, $5, $7)",
            lease.0,
            cell.0,
            i64::from(idx),
            worker.0,
            now_ms,
            deadline_ms,
            replays.map(|lease| lease.0),
        )?;
        Ok(())
    }

    /// A lease, whatever its state.
    pub(crate) async fn lease(&mut self, lease: LeaseId) -> Result<Option<ActiveLease>, StoreError> {
        row!(
            &mut *self,
            ActiveLease::from_row,
            "SELECT id, cell, idx, worker, state, plies, progress_ms, replays FROM lease WHERE id = $1",
            lease.0,
        )
    }

    /// A worker's active leases.
    pub(crate) async fn active_leases(&mut self, worker: WorkerId) -> Result<Vec<ActiveLease>, StoreError> {
        rows!(
            &mut *self,
            ActiveLease::from_row,
            "SELECT id, cell, idx, worker, state, plies, progress_ms, replays FROM lease \
             WHERE worker = $1 AND state = 'active' ORDER BY id",
            worker.0,
        )
    }

    /// Active leases whose deadline has passed.
    pub(crate) async fn expired_leases(&mut self, now_ms: i64) -> Result<Vec<ActiveLease>, StoreError> {
        rows!(
            &mut *self,
            ActiveLease::from_row,
            "SELECT id, cell, idx, worker, state, plies, progress_ms, replays FROM lease \
             WHERE state = 'active' AND deadline_ms < $1 ORDER BY deadline_ms",
            now_ms,
        )
    }

    /// Moves a lease to another state.
    pub(crate) async fn set_lease_state(
        &mut self,
        lease: LeaseId,
        state: LeaseState,
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE lease SET state = $2 WHERE id = $1", lease.0, state.name())?;
        Ok(())
    }

    /// Gives all active leases of a worker a later deadline.
    pub(crate) async fn extend_leases(
        &mut self,
        worker: WorkerId,
        deadline_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE lease SET deadline_ms = $2 WHERE worker = $1 AND state = 'active'",
            worker.0,
            deadline_ms,
        )?;
        Ok(())
    }

    /// Notes how far the games of a lease are.
    pub(crate) async fn note_plies(
        &mut self,
        lease: LeaseId,
        plies: u32,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE lease SET plies = $2, progress_ms = $3 WHERE id = $1",
            lease.0,
            i64::from(plies),
            now_ms,
        )?;
        Ok(())
    }

    /// Gives every active lease at least this deadline, and counts its games as having moved on at `now_ms`: what
    /// happened while no coordinator ran is nobody's fault.
    pub(crate) async fn extend_all_leases(
        &mut self,
        now_ms: i64,
        deadline_ms: i64,
    ) -> Result<u64, StoreError> {
        execute!(&mut *self, "UPDATE worker SET progress_ms = $1 WHERE progress_ms < $1", now_ms)?;
        execute!(
            &mut *self,
            "UPDATE lease SET deadline_ms = CASE WHEN deadline_ms < $2 THEN $2 ELSE deadline_ms END, \
             progress_ms = $1 WHERE state = 'active'",
            now_ms,
            deadline_ms,
        )
    }

    /// What the games of a lease must look like.
    pub(crate) async fn leased_cell(&mut self, lease: LeaseId) -> Result<Option<LeasedCell>, StoreError> {
        row!(
            &mut *self,
            |row| Ok(LeasedCell {
                worker: WorkerId(row.uuid("worker")?),
                cell: CellId(row.uuid("cell")?),
                idx: read_idx(row)?,
                spec: read_spec(row)?,
                replays: row.maybe_uuid("replays")?.map(LeaseId),
            }),
            "SELECT lease.worker, lease.cell, lease.idx, lease.replays, cell.spec FROM lease JOIN cell ON cell.id = lease.cell \
             WHERE lease.id = $1",
            lease.0,
        )
    }
}
