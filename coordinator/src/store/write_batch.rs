//! The rows that a group of requests touches: read together, changed in memory, and written together.
//!
//! Pairs, leases, plays and counters are read and changed only through [`WriteBatch`], so that a request sees the
//! changes of earlier requests in its group before they are written. Statements that read these tables directly go
//! through [`WriteBatch::written`]. The batch belongs to one transaction and is never kept for the next, because
//! another coordinator may write in between.

use super::abandoned::{ASKED_MS, Abandonment, Held, PresentWorker};
use super::cells::Changes;
use super::endings::EndingChanges;
use super::games::NewPlay;
use super::paces::PaceChanges;
use super::rechecks::{LEAST_DRAWS_KEPT, draw};
use super::worker_cells::MachineResultChanges;
use super::{
    AwaitedPair, Candidate, Capabilities, Contender, Counters, ExperimentFilter, LeaseRow, LeaseState,
    PairRow, Play, StoreError, Tx,
};
use crate::log_sums::LogSums;
use protocol::games::PlayRecord;
use protocol::ids::{CellId, ExperimentId, GameId, LeaseId, WorkerId};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Core microseconds of a game that are accepted however short its lease was held: clocks may differ by that much.
const SHORT_US: i64 = 1_000_000;

/// The most pairs of full cells that are read in a group of requests.
const MOST_AWAITED: i64 = 64;

/// The rows that a group of requests has read and changed.
pub(crate) struct WriteBatch<'a> {
    tx: &'a mut Tx,
    /// The time of the group, in milliseconds since 1970.
    pub(crate) now_ms: i64,
    /// The sums to be logged for the group.
    pub(crate) log: LogSums,
    /// Leases that were looked up; `None` for those that do not exist.
    leases: HashMap<LeaseId, Option<LeaseRow>>,
    /// Workers whose active leases are all among `leases`, with the ids of these.
    of_worker: HashMap<WorkerId, BTreeSet<LeaseId>>,
    changed_leases: BTreeSet<LeaseId>,
    pairs: HashMap<(CellId, u32), PairRow>,
    changed_pairs: BTreeSet<(CellId, u32)>,
    /// Games whose stored plays are all among `plays`.
    known_games: HashSet<GameId>,
    plays: HashSet<(GameId, LeaseId)>,
    new_plays: Vec<NewPlay>,
    /// Numbers that plays draw are stored if they are below this one. See [`NewPlay::draw`].
    pub(crate) draws_kept: f64,
    troubles: BTreeMap<(CellId, u32), String>,
    abandoned: BTreeMap<Held, Abandonment>,
    /// The machines that are present, once they were looked up.
    present: Option<Arc<[PresentWorker]>>,
    changes: Changes,
    paces: PaceChanges,
    own: MachineResultChanges,
    endings: EndingChanges,
    /// Cells in which games were counted or uncounted that can be compared with those of other machines.
    paced: BTreeSet<CellId>,
}

impl<'a> WriteBatch<'a> {
    /// An empty batch.
    pub(crate) fn new(tx: &'a mut Tx, now_ms: i64) -> Self {
        Self {
            tx,
            now_ms,
            log: LogSums::default(),
            leases: HashMap::new(),
            of_worker: HashMap::new(),
            changed_leases: BTreeSet::new(),
            pairs: HashMap::new(),
            changed_pairs: BTreeSet::new(),
            known_games: HashSet::new(),
            plays: HashSet::new(),
            new_plays: Vec::new(),
            draws_kept: LEAST_DRAWS_KEPT,
            troubles: BTreeMap::new(),
            abandoned: BTreeMap::new(),
            present: None,
            changes: Changes::default(),
            paces: PaceChanges::default(),
            own: MachineResultChanges::default(),
            endings: EndingChanges::default(),
            paced: BTreeSet::new(),
        }
    }

    /// The transaction, for tables that the batch does not hold.
    pub(crate) fn tx(&mut self) -> &mut Tx {
        self.tx
    }

    /// Writes all changes; gives the transaction, for statements that read tables which the batch holds.
    pub(crate) async fn written(&mut self) -> Result<&mut Tx, StoreError> {
        let pairs: Vec<_> =
            std::mem::take(&mut self.changed_pairs).iter().map(|key| self.pairs[key]).collect();
        self.tx.put_pairs(&pairs).await?;
        let changed = std::mem::take(&mut self.changed_leases);
        let mut leases: Vec<_> = changed.iter().filter_map(|id| self.leases[id]).collect();
        // A pair has at most one active lease. So the leases that end are written before those that begin.
        leases.sort_by_key(|lease| lease.state == LeaseState::Active);
        self.tx.put_leases(&leases).await?;
        self.tx.insert_plays(&std::mem::take(&mut self.new_plays)).await?;
        self.tx.note_troubles(&Vec::from_iter(std::mem::take(&mut self.troubles))).await?;
        let abandoned = Vec::from_iter(std::mem::take(&mut self.abandoned));
        if !abandoned.is_empty() {
            self.tx.note_abandoned(&abandoned, self.now_ms).await?;
        }
        self.changes.flush(self.tx, self.now_ms).await?;
        self.paces.flush(self.tx).await?;
        self.own.flush(self.tx).await?;
        self.endings.flush(self.tx).await?;
        Ok(self.tx)
    }

    /// Reads in advance what the group will look up: the active leases of `workers`, those that calls `touch` or go on with (`held`), the
    /// pairs of all but the latter, and the stored plays of `games`. A machine with short games holds a thousand leases, and most of
    /// them stay as they are.
    pub(crate) async fn read(
        &mut self,
        workers: &[WorkerId],
        (touched, held): (&HashSet<LeaseId>, &HashSet<LeaseId>),
        games: &[GameId],
    ) -> Result<(), StoreError> {
        self.of_worker.extend(workers.iter().map(|worker| (*worker, BTreeSet::new())));
        self.tx.active_leases(workers).await?.into_iter().for_each(|lease| self.cache_lease(lease));
        let stays = |lease: &LeaseRow| held.contains(&lease.id) && !touched.contains(&lease.id);
        let changing = self.leases.values().flatten().filter(|lease| !stays(lease));
        let pairs: BTreeSet<(CellId, u32)> = changing
            .map(|lease| (lease.cell, lease.idx))
            .filter(|pair| !self.pairs.contains_key(pair))
            .collect();
        let pairs = self.tx.pairs(&Vec::from_iter(pairs)).await?;
        self.pairs.extend(pairs.into_iter().map(|pair| ((pair.cell, pair.idx), pair)));
        let unknown: BTreeSet<LeaseId> =
            touched.union(held).copied().filter(|lease| !self.leases.contains_key(lease)).collect();
        let unknown = Vec::from_iter(unknown);
        self.leases.extend(unknown.iter().map(|lease| (*lease, None)));
        self.tx.leases(&unknown).await?.into_iter().for_each(|lease| self.cache_lease_and_pair(lease));
        self.known_games.extend(games);
        self.plays.extend(self.tx.plays_of(&Vec::from_iter(self.known_games.iter().copied())).await?);
        Ok(())
    }

    /// Adds a stored lease and its pair, unless the batch holds them already and may have changed them.
    fn cache_lease_and_pair(&mut self, (lease, pair): (LeaseRow, PairRow)) {
        self.pairs.entry((pair.cell, pair.idx)).or_insert(pair);
        self.cache_lease(lease);
    }

    /// Adds a stored lease, unless the batch holds it already and may have changed it.
    fn cache_lease(&mut self, lease: LeaseRow) {
        let known = self.leases.entry(lease.id).or_default();
        known.get_or_insert(lease);
        if let Some(of_worker) = self.of_worker.get_mut(&lease.worker) {
            of_worker.insert(lease.id);
        }
    }

    /// A lease, whatever its state.
    pub(crate) async fn lease(&mut self, lease: LeaseId) -> Result<Option<LeaseRow>, StoreError> {
        if let Some(known) = self.leases.get(&lease) {
            return Ok(*known);
        }
        let stored = self.tx.leases(&[lease]).await?.pop();
        match stored {
            Some(stored) => self.cache_lease_and_pair(stored),
            None => drop(self.leases.insert(lease, None)),
        }
        Ok(stored.map(|(lease, _)| lease))
    }

    /// A worker's active leases, in the order of their ids.
    pub(crate) async fn active_leases(&mut self, worker: WorkerId) -> Result<Vec<LeaseRow>, StoreError> {
        if !self.of_worker.contains_key(&worker) {
            let known = self.leases.values().flatten().filter(|lease| lease.worker == worker);
            self.of_worker.insert(worker, known.map(|lease| lease.id).collect());
            for lease in self.tx.active_leases(&[worker]).await? {
                self.cache_lease(lease);
            }
        }
        let leases = self.of_worker[&worker].iter().filter_map(|lease| self.leases[lease]);
        Ok(leases.filter(|lease| lease.state == LeaseState::Active).collect())
    }

    /// Active leases whose deadline has passed.
    pub(crate) async fn expired_leases(&mut self) -> Result<Vec<LeaseRow>, StoreError> {
        let mut expired = self.tx.expired_leases(self.now_ms).await?;
        for lease in &mut expired {
            self.cache_lease(*lease);
            *lease = self.leases[&lease.id].unwrap_or(*lease);
        }
        expired.retain(|lease| lease.state == LeaseState::Active && lease.deadline_ms < self.now_ms);
        Ok(expired)
    }

    /// Stores a lease, new or changed.
    pub(crate) fn put_lease(&mut self, lease: LeaseRow) {
        self.leases.insert(lease.id, Some(lease));
        self.changed_leases.insert(lease.id);
        if let Some(of_worker) = self.of_worker.get_mut(&lease.worker) {
            of_worker.insert(lease.id);
        }
    }

    /// Moves a lease to another state.
    pub(crate) async fn set_lease_state(
        &mut self,
        lease: LeaseId,
        state: LeaseState,
    ) -> Result<(), StoreError> {
        if let Some(lease) = self.lease(lease).await? {
            let is_over = state != LeaseState::Active;
            // A lease that had ended already keeps its charge.
            let settles = is_over && lease.state == LeaseState::Active;
            let after = if settles { lease.settled(state) } else { lease };
            self.correct(&lease, &after);
            self.put_lease(LeaseRow { state, ended_ms: is_over.then_some(self.now_ms), ..after });
        }
        Ok(())
    }

    pub(crate) async fn pair(&mut self, cell: CellId, idx: u32) -> Result<Option<PairRow>, StoreError> {
        if let Some(pair) = self.pairs.get(&(cell, idx)) {
            return Ok(Some(*pair));
        }
        let stored = self.tx.pair(cell, idx).await?;
        self.pairs.extend(stored.map(|pair| ((cell, idx), pair)));
        Ok(stored)
    }

    /// Stores a pair, new or changed.
    pub(crate) fn put_pair(&mut self, pair: PairRow) {
        self.pairs.insert((pair.cell, pair.idx), pair);
        self.changed_pairs.insert((pair.cell, pair.idx));
    }

    /// Notes the last failure of a pair.
    pub(crate) fn note_trouble(&mut self, pair: &PairRow, trouble: String) {
        self.troubles.insert((pair.cell, pair.idx), trouble);
    }

    /// Notes that a machine abandoned the pair of a lease; with `times` 0, that the pair failed and continues.
    pub(crate) fn note_abandoned(&mut self, lease: &LeaseRow, note: Abandonment) {
        self.changes.of(lease.cell).void_games += note.voids;
        let nothing = Abandonment { times: 0, failures: 0, voids: 0, ..note };
        let noted = self.abandoned.entry((lease.cell, lease.idx, lease.worker)).or_insert(nothing);
        let (times, failures) = (noted.times + note.times, noted.failures + note.failures);
        *noted = Abandonment { times, failures, voids: noted.voids + note.voids, ..note };
    }

    /// The machines that are present: with a call within a lease's time, and a recent request for work.
    pub(crate) async fn present_workers(
        &mut self,
        lease_ms: i64,
    ) -> Result<Arc<[PresentWorker]>, StoreError> {
        if let Some(present) = &self.present {
            return Ok(present.clone());
        }
        let present = self.tx.present_workers(self.now_ms - lease_ms, self.now_ms - ASKED_MS).await?;
        Ok(self.present.insert(present.into()).clone())
    }

    /// Whether any play of a game is stored, once [`WriteBatch::has_play`] has asked for one of them.
    pub(crate) fn is_played(&self, game: GameId) -> bool {
        self.plays.iter().any(|(played, _)| *played == game)
    }

    /// Whether this play of a game is stored.
    pub(crate) async fn has_play(&mut self, game: GameId, lease: LeaseId) -> Result<bool, StoreError> {
        if self.known_games.insert(game) {
            self.plays.extend(self.tx.plays_of(&[game]).await?);
        }
        Ok(self.plays.contains(&(game, lease)))
    }

    /// Stores a play of a game.
    pub(crate) fn insert_play(&mut self, play: &Play, record: &PlayRecord) -> Result<(), StoreError> {
        let record = serde_json::to_string(record).map_err(StoreError::unreadable("a game's record"))?;
        let draw = Some(draw()).filter(|number| *number < self.draws_kept);
        self.new_plays.push(NewPlay { play: *play, record, received_ms: self.now_ms, draw });
        self.plays.insert((play.id, play.lease));
        Ok(())
    }

    /// The open cells of an experiment with the lowest priority value, as [`Tx::next_cells`] gives them, with their present
    /// counters.
    ///
    /// Some pairs of this group may be leased but not written yet. A lease only moves its cell further back, so the first
    /// cells in the stored order still contain the right ones if `most` is larger by the number of these leases. A cell that
    /// moved forward may be missing in that order, so its change is written first.
    pub(crate) async fn next_cells(
        &mut self,
        experiment: ExperimentId,
        capabilities: Capabilities,
        most: i64,
    ) -> Result<Vec<Candidate>, StoreError> {
        self.flush_reopened().await?;
        let mut cells = self.tx.next_cells(engine::SEMANTICS, experiment, capabilities, most).await?;
        for cell in &mut cells {
            self.changes.apply(cell.cell, &mut cell.counters);
        }
        Ok(cells)
    }

    /// The pairs of full cells for which stopping rules wait, of experiments that pass the filter.
    pub(crate) async fn awaited(
        &mut self,
        filter: &ExperimentFilter,
    ) -> Result<Vec<AwaitedPair>, StoreError> {
        let mut awaited = self.written().await?.awaited(engine::SEMANTICS, MOST_AWAITED).await?;
        awaited.retain(|one| filter.allows(one.candidate.experiment));
        Ok(awaited)
    }

    /// Writes the changes if a cell may have become open, or may come earlier.
    async fn flush_reopened(&mut self) -> Result<(), StoreError> {
        if self.changes.any(|change| change.pairs_taken() < 0) {
            self.written().await?;
        }
        Ok(())
    }

    /// The experiments that compete for workers, with their present virtual times.
    pub(crate) async fn contenders(&mut self) -> Result<Vec<Contender>, StoreError> {
        self.flush_reopened().await?;
        let mut contenders = self.tx.contenders(engine::SEMANTICS).await?;
        for contender in &mut contenders {
            contender.charge(self.changes.unwritten_us(contender.id));
        }
        Ok(contenders)
    }

    /// Stores the places of experiments in the queue.
    pub(crate) async fn put_contenders(&mut self, moved: &[Contender]) -> Result<(), StoreError> {
        // The charges of this group are part of these virtual times.
        if moved.is_empty() { Ok(()) } else { self.written().await?.put_contenders(moved).await }
    }

    /// Charges the experiment of a new lease, which begins at this virtual time.
    pub(crate) fn begin(&mut self, lease: &LeaseRow, start: Option<f64>) {
        if let Some(experiment) = lease.experiment {
            let charge = self.changes.charge(experiment);
            charge.core_us += lease.charge_us;
            charge.prior_us += lease.prior_us;
            charge.start = start.or(charge.start);
        }
    }

    /// Adds a game that was played under a lease of another database to the charges of the lease and of its experiment. The
    /// experiment keeps its place in the queue.
    pub(crate) fn charge_past(&mut self, lease: LeaseRow, core_us: i64, prior_us: i64) {
        if let Some(experiment) = lease.experiment {
            let charge = self.changes.charge(experiment);
            charge.past_us += core_us;
            charge.prior_us += prior_us;
        }
        self.put_lease(LeaseRow {
            charge_us: lease.charge_us + core_us,
            prior_us: lease.prior_us + prior_us,
            spent_us: lease.spent_us + core_us,
            ..lease
        });
    }

    /// Charges the experiment of a lease for the difference between two states of it.
    fn correct(&mut self, before: &LeaseRow, after: &LeaseRow) {
        if let Some(experiment) = before.experiment {
            let charge = self.changes.charge(experiment);
            charge.core_us += after.charge_us - before.charge_us;
            charge.prior_us += after.prior_us - before.prior_us;
        }
    }

    /// Adds the core time of a delivered play to its lease; gives the play with the accepted core time: at most two cores since
    /// the lease was granted.
    pub(crate) async fn spend(&mut self, play: &Play) -> Result<Play, StoreError> {
        let (Some(lease), Some(core_us)) = (self.lease(play.lease).await?, play.core_us) else {
            return Ok(*play);
        };
        let held_us = (self.now_ms - lease.granted_ms).max(0).saturating_mul(1_000);
        let most_us = held_us.saturating_mul(2).saturating_add(SHORT_US) - lease.spent_us;
        let core_us = core_us.min(most_us).max(0);
        let mut after = LeaseRow { spent_us: lease.spent_us + core_us, ..lease };
        if lease.state != LeaseState::Active {
            after.charge_us = after.charge_us.max(after.spent_us);
            self.correct(&lease, &after);
        }
        self.put_lease(after);
        Ok(Play { core_us: Some(core_us), ..*play })
    }

    /// Adds the effort of both sides of a counted play to the sums of its machine; with `sign` −1, subtracts it.
    pub(crate) fn note_pace(&mut self, play: &Play, sign: i64) {
        if let Some(work) = &play.work {
            self.paces.note(play.worker, work, sign);
            self.paced.insert(play.cell);
        }
    }

    /// Adds a counted play to the games of its machine in its cell, and to the endings of its cell; with `sign` −1, subtracts it.
    pub(crate) fn note_in_cell(&mut self, play: &Play, sign: i64) {
        self.own.note(play, sign);
        self.endings.note(play, sign);
    }

    /// Takes the cells in which comparable plays were counted or uncounted since the last call.
    pub(crate) fn take_paced(&mut self) -> BTreeSet<CellId> {
        std::mem::take(&mut self.paced)
    }

    /// Notes that a complete pair of a cell was uncounted, or that a game that was excluded counts again.
    pub(crate) fn note_uncounted(&mut self, cell: CellId) {
        self.changes.note_uncounted(cell);
    }

    /// The change of a cell's counters so far.
    pub(crate) fn change(&mut self, cell: CellId) -> &mut Counters {
        self.changes.of(cell)
    }
}
