//! Leases, and the choice of the next cell.

use super::cells::Counters;
use super::columns::{parse_spec, read_spec};
use super::pairs::PairRow;
use super::pairs::read_idx;
use super::sql::{Columns, execute, execute_many, row, rows, rows_many};
use super::workers::read_mib;
use super::{StoreError, Tx};
use engine::havannah::BoardSize;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, LeaseId, WorkerId};
use protocol::memory::Mib;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaseState {
    /// Held by its worker until the deadline.
    Active,
    /// Its pair is complete.
    Finished,
    /// The deadline passed.
    Lapsed,
    /// The worker returned it.
    Returned,
    /// Another worker completed the pair, or the game made no progress.
    Revoked,
}

impl LeaseState {
    pub(crate) fn name(self) -> &'static str {
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

/// The columns of a [`LeaseRow`].
macro_rules! lease {
    () => {
        "lease.id, lease.cell, lease.idx, lease.worker, lease.state, lease.granted_ms, lease.deadline_ms, lease.plies, \
         lease.progress_ms, lease.replays, lease.most_plies, lease.call_number AS given_in_call, lease.ended_ms, lease.experiment, \
         lease.charge_us, lease.prior_us, lease.spent_us"
    };
}

/// The columns of the pair of a lease.
macro_rules! pair_of_lease {
    () => {
        "pair.state AS pair_state, pair.lease AS pair_lease, pair.first, pair.second, pair.failures, pair.aside_ms, pair.abandoned"
    };
}

/// A row of `lease`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LeaseRow {
    pub(crate) id: LeaseId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) worker: WorkerId,
    pub(crate) state: LeaseState,
    pub(crate) granted_ms: i64,
    pub(crate) deadline_ms: i64,
    pub(crate) plies: u32,
    /// When its plies last changed.
    pub(crate) progress_ms: i64,
    /// For a recheck, the play that it repeats, by its lease.
    pub(crate) rechecks: Option<LeaseId>,
    /// The most plies that its games can have; unknown for imported leases.
    pub(crate) most_plies: Option<u32>,
    /// The number of the worker's call that got the lease.
    pub(crate) call: u64,
    /// When it ended, if it is not active.
    pub(crate) ended_ms: Option<i64>,
    /// The experiment that is charged for it; none for rechecks and imported leases.
    pub(crate) experiment: Option<ExperimentId>,
    /// Core microseconds that the experiment is charged; an estimate while the lease is active.
    pub(crate) charge_us: i64,
    /// Core microseconds that the budget suggests on the reference machine, for the part of the games that was played.
    pub(crate) prior_us: i64,
    /// Core microseconds of the games that were delivered under it.
    pub(crate) spent_us: i64,
}

impl LeaseRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            id: LeaseId(row.uuid("id")?),
            cell: CellId(row.uuid("cell")?),
            idx: read_idx(row)?,
            worker: WorkerId(row.uuid("worker")?),
            state: LeaseState::read(&row.text("state")?)?,
            granted_ms: row.bigint("granted_ms")?,
            deadline_ms: row.bigint("deadline_ms")?,
            plies: u32::try_from(row.bigint("plies")?).map_err(StoreError::unreadable("lease.plies"))?,
            progress_ms: row.bigint("progress_ms")?,
            rechecks: row.maybe_uuid("replays")?.map(LeaseId),
            most_plies: row
                .maybe_bigint("most_plies")?
                .map(|plies| u32::try_from(plies).map_err(StoreError::unreadable("lease.most_plies")))
                .transpose()?,
            call: row.count("given_in_call")?,
            ended_ms: row.maybe_bigint("ended_ms")?,
            experiment: row.maybe_uuid("experiment")?.map(ExperimentId),
            charge_us: row.bigint("charge_us")?,
            prior_us: row.bigint("prior_us")?,
            spent_us: row.bigint("spent_us")?,
        })
    }

    /// The lease with the charge that it has after it ended in this state: the core time of its games, and of a game that was
    /// not finished the part of the estimate that its plies suggest. A game takes about a third of the cells of its board.
    pub(super) fn settled(self, state: LeaseState) -> Self {
        if state == LeaseState::Finished {
            return Self { charge_us: self.spent_us, ..self };
        }
        let most = f64::from(self.most_plies.unwrap_or_default().max(1));
        let played = (3.0 * f64::from(self.plies) / most).min(1.0);
        let charge_us = self.spent_us.max((played * self.charge_us as f64) as i64);
        let part = (charge_us as f64 / self.charge_us.max(1) as f64).min(1.0);
        Self { charge_us, prior_us: (part * self.prior_us as f64) as i64, ..self }
    }
}

/// A lease and its pair from one row.
fn lease_and_pair(row: &dyn Columns) -> Result<(LeaseRow, PairRow), StoreError> {
    Ok((LeaseRow::from_row(row)?, PairRow::from_named(row, "pair_state", "pair_lease")?))
}

/// What the games of a lease are checked against.
#[derive(Debug, Clone)]
pub(crate) struct LeasedCell {
    pub(crate) worker: WorkerId,
    pub(crate) cell: CellId,
    pub(crate) idx: u32,
    pub(crate) spec: Arc<CellSpec>,
    /// The play that is played again under it, if it is no lease of its pair.
    pub(crate) rechecks: Option<LeaseId>,
}

/// A cell that may be played next, as an experiment plans it.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) cell: CellId,
    pub(crate) experiment: ExperimentId,
    pub(crate) case_label: String,
    pub(crate) baseline_label: String,
    /// Pairs that the experiment plans.
    pub(crate) pairs: i64,
    /// The complete pairs that its stopping rule has read, if it has one that has not decided.
    pub(crate) pairs_read: Option<i64>,
    /// The cell's weight times the attention that the policy gives its case.
    pub(crate) share: f64,
    /// The tie-break between cells of equal priority.
    pub(crate) tie_break: i64,
    pub(crate) counters: Counters,
    pub(crate) spec: CellSpec,
}

impl Candidate {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            cell: CellId(row.uuid("id")?),
            experiment: ExperimentId(row.uuid("experiment")?),
            case_label: row.text("case_label")?,
            baseline_label: row.text("baseline_label")?,
            pairs: row.bigint("planned")?,
            pairs_read: row.maybe_bigint("pairs_read")?,
            share: row.real("share")?,
            tie_break: row.bigint("shuffle")?,
            counters: Counters::from_row(row)?,
            spec: read_spec(row)?,
        })
    }
}

/// The lease of a pair for which the stopping rule of a full cell waits.
pub(crate) struct AwaitedPair {
    pub(crate) candidate: Candidate,
    pub(crate) lease: LeaseId,
}

/// What a worker can play, or what a cell requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Capabilities {
    /// Board sizes as a bit mask, see column `needs`.
    pub(crate) sizes: i64,
    /// Memory for the trees of both players together.
    pub(crate) memory_mib: i64,
}

impl Tx {
    /// The open cells of an experiment that these capabilities suffice for, in the order of priority and tie-break.
    pub(super) async fn next_cells(
        &mut self,
        semantics: u32,
        experiment: ExperimentId,
        capabilities: Capabilities,
        most: i64,
    ) -> Result<Vec<Candidate>, StoreError> {
        rows!(
            &mut *self,
            Candidate::from_row,
            "SELECT cell.*, ec.experiment, ec.case_label, ec.baseline_label, ec.pairs AS planned, ec.share, ec.shuffle, \
             CASE WHEN ec.stop_rule IS NOT NULL AND ec.stop_decision IS NULL THEN ec.stop_ll + ec.stop_ld + ec.stop_wl + ec.stop_dd \
             + ec.stop_wd + ec.stop_ww END AS pairs_read \
             FROM experiment_cell ec JOIN cell ON cell.id = ec.cell \
             WHERE ec.state = 'open' AND ec.semantics = $1 AND (ec.needs & $2) <> 0 AND ec.experiment = $3 \
             AND (cell.memory_mib IS NULL OR cell.memory_mib <= $4) \
             ORDER BY ec.priority, ec.shuffle LIMIT $5",
            i64::from(semantics),
            capabilities.sizes,
            experiment.0,
            capabilities.memory_mib,
            most,
        )
    }

    /// The pairs of full cells for which stopping rules wait, `most` at most, those held longest first. The active leases are
    /// read first: they are few.
    pub(super) async fn awaited(
        &mut self,
        semantics: u32,
        most: i64,
    ) -> Result<Vec<AwaitedPair>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok(AwaitedPair {
                candidate: Candidate::from_row(row)?,
                lease: LeaseId(row.uuid("lease")?)
            }),
            "SELECT cell.*, ec.experiment, ec.case_label, ec.baseline_label, ec.pairs AS planned, ec.share, ec.shuffle, \
             lease.idx AS pairs_read, lease.id AS lease FROM lease \
             CROSS JOIN experiment_cell ec CROSS JOIN cell WHERE ec.cell = lease.cell AND cell.id = lease.cell \
             AND lease.state = 'active' AND lease.deadline_ms > 0 AND lease.replays IS NULL AND ec.state = 'full' AND ec.closed IS NULL \
             AND ec.semantics = $1 AND ec.stop_rule IS NOT NULL AND ec.stop_decision IS NULL \
             AND lease.idx = ec.stop_ll + ec.stop_ld + ec.stop_wl + ec.stop_dd + ec.stop_wd + ec.stop_ww \
             ORDER BY lease.granted_ms LIMIT $2",
            i64::from(semantics),
            most,
        )
    }

    /// Board sizes of the open cells of one experiment, or of all, ascending. The recursion jumps from size to size in
    /// the index instead of reading every cell.
    pub(super) async fn sizes_in_play_of(
        &mut self,
        semantics: u32,
        experiment: Option<ExperimentId>,
    ) -> Result<Vec<BoardSize>, StoreError> {
        let read = |row: &dyn Columns| {
            u8::try_from(row.bigint("size")?)
                .ok()
                .and_then(|n| BoardSize::new(n).ok())
                .ok_or_else(|| StoreError::unreadable("experiment_cell.size")("outside 3 to 10"))
        };
        match experiment {
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

    /// For the open cells of one experiment, or of all: the memory that the least demanding needs, in MiB, and how many
    /// need more than `than`. None if there are none such.
    pub(crate) async fn memory_in_play_of(
        &mut self,
        semantics: u32,
        experiment: Option<ExperimentId>,
        than: Mib,
    ) -> Result<Option<(Mib, u64)>, StoreError> {
        let read = |row: &dyn Columns| {
            let least = row.maybe_bigint("least")?.map(read_mib).transpose()?;
            Ok((least, row.count("cells")?))
        };
        let found = match experiment {
            None => row!(
                &mut *self,
                read,
                "SELECT MIN(cell.memory_mib) AS least, COUNT(*) AS cells FROM experiment_cell ec \
                 JOIN cell ON cell.id = ec.cell WHERE ec.state = 'open' AND ec.semantics = $1 AND cell.memory_mib > $2",
                i64::from(semantics),
                i64::from(than.0),
            )?,
            Some(experiment) => row!(
                &mut *self,
                read,
                "SELECT MIN(cell.memory_mib) AS least, COUNT(*) AS cells FROM experiment_cell ec \
                 JOIN cell ON cell.id = ec.cell WHERE ec.state = 'open' AND ec.semantics = $1 AND cell.memory_mib > $2 \
                 AND ec.experiment = $3",
                i64::from(semantics),
                i64::from(than.0),
                experiment.0,
            )?,
        };
        Ok(found.and_then(|(least, cells)| Some((least?, cells))))
    }

    /// Stores leases, new or changed.
    pub(super) async fn put_leases(&mut self, leases: &[LeaseRow]) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO lease (id, cell, idx, worker, state, granted_ms, deadline_ms, plies, progress_ms, replays, \
             most_plies, call_number, ended_ms, experiment, charge_us, prior_us, spent_us) \
             VALUES {rows} ON CONFLICT (id) DO UPDATE SET state = excluded.state, \
             deadline_ms = excluded.deadline_ms, plies = excluded.plies, progress_ms = excluded.progress_ms, \
             ended_ms = excluded.ended_ms, charge_us = excluded.charge_us, prior_us = excluded.prior_us, \
             spent_us = excluded.spent_us",
            leases,
            |lease| lease.id.0,
            lease.cell.0,
            i64::from(lease.idx),
            lease.worker.0,
            lease.state.name(),
            lease.granted_ms,
            lease.deadline_ms,
            i64::from(lease.plies),
            lease.progress_ms,
            lease.rechecks.map(|lease| lease.0),
            lease.most_plies.map(i64::from),
            lease.call.cast_signed(),
            lease.ended_ms,
            lease.experiment.map(|experiment| experiment.0),
            lease.charge_us,
            lease.prior_us,
            lease.spent_us,
        )?;
        Ok(())
    }

    /// Leases, whatever their state, with their pairs.
    pub(super) async fn leases(
        &mut self,
        leases: &[LeaseId],
    ) -> Result<Vec<(LeaseRow, PairRow)>, StoreError> {
        rows_many!(
            &mut *self,
            lease_and_pair,
            concat!(
                "SELECT ",
                lease!(),
                ", ",
                pair_of_lease!(),
                " FROM lease JOIN pair ON pair.cell = lease.cell AND pair.idx = lease.idx WHERE lease.id IN ({rows})"
            ),
            leases,
            |lease| lease.0,
        )
    }

    /// The active leases of workers.
    pub(super) async fn active_leases(&mut self, workers: &[WorkerId]) -> Result<Vec<LeaseRow>, StoreError> {
        rows_many!(
            &mut *self,
            LeaseRow::from_row,
            concat!("SELECT ", lease!(), " FROM lease WHERE state = 'active' AND worker IN ({rows})"),
            workers,
            |worker| worker.0,
        )
    }

    /// Active leases whose deadline has passed.
    pub(crate) async fn expired_leases(&mut self, now_ms: i64) -> Result<Vec<LeaseRow>, StoreError> {
        rows!(
            &mut *self,
            LeaseRow::from_row,
            concat!(
                "SELECT ",
                lease!(),
                " FROM lease WHERE state = 'active' AND deadline_ms > 0 AND deadline_ms < $1 ORDER BY deadline_ms"
            ),
            now_ms,
        )
    }

    /// Gives every active lease this deadline, and sets the progress of its game to `now_ms`: no worker is at fault for time
    /// without a coordinator or with a wrong clock. When the clock went back by `back_ms`, the time of the grant moves with it,
    /// so that later events do not look older.
    pub(crate) async fn extend_all_leases(
        &mut self,
        now_ms: i64,
        deadline_ms: i64,
        back_ms: i64,
    ) -> Result<u64, StoreError> {
        execute!(&mut *self, "UPDATE worker SET progress_ms = $1 WHERE progress_ms <> $1", now_ms)?;
        execute!(
            &mut *self,
            "UPDATE lease SET deadline_ms = $2, progress_ms = $1, \
             granted_ms = CASE WHEN granted_ms - $3 > $1 THEN $1 ELSE granted_ms - $3 END WHERE state = 'active'",
            now_ms,
            deadline_ms,
            back_ms,
        )
    }

    /// What the games of leases are checked against.
    pub(crate) async fn leased_cells(
        &mut self,
        leases: &[LeaseId],
    ) -> Result<HashMap<LeaseId, LeasedCell>, StoreError> {
        let found = rows_many!(
            &mut *self,
            |row| Ok((
                LeaseId(row.uuid("id")?),
                WorkerId(row.uuid("worker")?),
                CellId(row.uuid("cell")?),
                read_idx(row)?,
                row.maybe_uuid("replays")?.map(LeaseId),
                row.text("spec")?,
            )),
            "SELECT lease.id, lease.worker, lease.cell, lease.idx, lease.replays, cell.spec \
             FROM lease JOIN cell ON cell.id = lease.cell WHERE lease.id IN ({rows})",
            leases,
            |lease| lease.0,
        )?;
        // Most leases of a call are of few cells.
        let mut specs: HashMap<CellId, Arc<CellSpec>> = HashMap::new();
        let leased = found.into_iter().map(|(lease, worker, cell, idx, rechecks, text)| {
            let spec = match specs.entry(cell) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(new) => new.insert(Arc::new(parse_spec(&text)?)).clone(),
            };
            Ok((lease, LeasedCell { worker, cell, idx, spec, rechecks }))
        });
        leased.collect()
    }
}
