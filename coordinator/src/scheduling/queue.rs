//! The experiments in their fair order and their cells with the highest priority, for one group of calls: read once, and
//! kept in order while pairs are leased.

use super::{cost, fair};
use crate::store::{Candidate, Capabilities, Contender, Counters, ExperimentFilter, StoreError, WriteBatch};
use protocol::experiment::Policy;
use protocol::ids::{CellId, ExperimentId};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::Arc;

/// The least number of cells that are read of an experiment when several experiments wait.
const READ_AHEAD: i64 = 16;

/// Cells in the order of [`mod@super::grant`], of experiments in the order of [`mod@super::fair`].
///
/// A new lease can only move its cell further back. So a line never needs to hold more cells than pairs are leased after
/// it was read.
pub(crate) struct Queue {
    filter: ExperimentFilter,
    /// The most pairs that will be leased.
    most: i64,
    /// The experiments that wait and pass the filter, once they were read.
    contenders: Option<Vec<Contender>>,
    /// One line of cells for each experiment and set of capabilities.
    lines: HashMap<(ExperimentId, Capabilities), ExperimentQueue>,
    /// The counters of the cells in all lines, with the leases of this group.
    counters: HashMap<CellId, Counters>,
    /// Pairs leased in this group so far.
    leased: i64,
}

/// Cells of one experiment, and their places by priority and tie-break. The priority is held as its bits, which sort like
/// the number from 0 on.
struct ExperimentQueue {
    policy: Policy,
    cells: Vec<Arc<Candidate>>,
    places: BinaryHeap<Reverse<(u64, i64, usize)>>,
    /// The line may lack cells once this many pairs are leased in the group.
    good_until: i64,
    /// The number of cells to be read when it may lack some.
    next_read: i64,
}

impl Queue {
    /// A queue of the experiments that pass the filter, from which at most `most` pairs are leased.
    pub(crate) fn new(filter: ExperimentFilter, most: i64) -> Self {
        Self { filter, most, contenders: None, lines: HashMap::new(), counters: HashMap::new(), leased: 0 }
    }

    /// The counters of a cell, to be changed when one of its pairs is leased.
    pub(crate) fn counters(&mut self, candidate: &Candidate) -> &mut Counters {
        self.counters.entry(candidate.cell).or_insert(candidate.counters)
    }

    /// What games of an experiment take, relative to what their budgets suggest.
    pub(crate) fn ratio(&self, experiment: ExperimentId) -> f64 {
        let contenders = || self.contenders.iter().flatten();
        let own = contenders().find(|contender| contender.id == experiment);
        own.map_or(1.0, |own| cost::ratio(own, contenders()))
    }

    /// Charges an experiment for a lease of one of its pairs; gives the virtual time at which the lease begins.
    pub(crate) fn charge(&mut self, experiment: ExperimentId, charge_us: i64) -> Option<f64> {
        self.leased += 1;
        let contender = self.contenders.iter_mut().flatten().find(|contender| contender.id == experiment)?;
        let start = contender.virtual_time;
        contender.charge(charge_us);
        Some(start)
    }

    /// The first open cell that a worker with these `capabilities` can play and that is not `barred`, of the experiment
    /// with the smallest virtual time that has one.
    pub(crate) async fn next(
        &mut self,
        batch: &mut WriteBatch<'_>,
        capabilities: Capabilities,
        barred: &HashSet<CellId>,
    ) -> Result<Option<Arc<Candidate>>, StoreError> {
        let order = self.in_order(batch).await?;
        let last = order.len().saturating_sub(1);
        for (turn, (experiment, policy, is_control)) in order.into_iter().enumerate() {
            // The control has its share beside other experiments. It does not fill the time after they have nothing more to give.
            if is_control && turn == last {
                continue;
            }
            let next = self.next_of((experiment, policy), batch, capabilities, barred).await?;
            if next.is_some() {
                return Ok(next);
            }
        }
        Ok(None)
    }

    /// The experiments by virtual time, and whether each is the control.
    async fn in_order(
        &mut self,
        batch: &mut WriteBatch<'_>,
    ) -> Result<Vec<(ExperimentId, Policy, bool)>, StoreError> {
        if self.contenders.is_none() {
            self.contenders = Some(contenders(batch, &self.filter).await?);
        }
        let mut order: Vec<&Contender> = self.contenders.iter().flatten().collect();
        order.sort_by(|a, b| a.virtual_time.total_cmp(&b.virtual_time).then(a.id.cmp(&b.id)));
        let described = |contender: &Contender| (contender.id, contender.policy, contender.is_control);
        Ok(order.into_iter().map(described).collect())
    }

    async fn next_of(
        &mut self,
        (experiment, policy): (ExperimentId, Policy),
        batch: &mut WriteBatch<'_>,
        capabilities: Capabilities,
        barred: &HashSet<CellId>,
    ) -> Result<Option<Arc<Candidate>>, StoreError> {
        let key = (experiment, capabilities);
        loop {
            let read = match self.lines.get(&key) {
                None => Some(self.first_read()),
                Some(line) => (line.good_until <= self.leased).then_some(line.next_read),
            };
            if let Some(ahead) = read {
                // Leases of this group are not written yet, and each moves one cell back.
                let most = ahead + self.leased;
                let cells = batch.next_cells(experiment, capabilities, most).await?;
                for cell in &cells {
                    self.counters.entry(cell.cell).or_insert(cell.counters);
                }
                let mut line = ExperimentQueue::of(policy, cells, &self.counters);
                line.next_read = 2 * ahead;
                line.good_until =
                    if (line.cells.len() as i64) < most { i64::MAX } else { self.leased + ahead };
                self.lines.insert(key, line);
            }
            let Some(line) = self.lines.get_mut(&key) else { return Ok(None) };
            let next = line.next(&self.counters, barred);
            if next.is_some() || barred.is_empty() || line.good_until == i64::MAX {
                return Ok(next);
            }
            // Cells beyond those that were read may have a pair for this worker.
            line.good_until = 0;
        }
    }

    /// The number of cells that are read first of an experiment. With many experiments each gets few of the leases.
    fn first_read(&self) -> i64 {
        let experiments = self.contenders.as_ref().map_or(1, Vec::len).max(1) as i64;
        (self.most / experiments).max(READ_AHEAD).min(self.most).max(1)
    }
}

/// The experiments that wait and pass the filter, after [`fair::update`] has brought the queue up to date.
async fn contenders(
    batch: &mut WriteBatch<'_>,
    filter: &ExperimentFilter,
) -> Result<Vec<Contender>, StoreError> {
    let mut contenders = batch.contenders().await?;
    // The process that leases the other experiments lets them enter the queue.
    contenders.retain(|contender| filter.allows(contender.id));
    let idle = match fair::queue_time(&contenders) {
        Some(_) => 0.0,
        None => batch.tx().largest_virtual_time(engine::SEMANTICS).await?,
    };
    let moved = fair::update(&mut contenders, idle, batch.now_ms);
    batch.put_contenders(&moved).await?;
    contenders.retain(|contender| contender.waits);
    Ok(contenders)
}

impl ExperimentQueue {
    fn of(policy: Policy, cells: Vec<Candidate>, counters: &HashMap<CellId, Counters>) -> Self {
        let present = |cell: &Candidate| counters.get(&cell.cell).copied().unwrap_or(cell.counters);
        let places = cells
            .iter()
            .enumerate()
            .map(|(index, cell)| Reverse(place(policy, cell, &present(cell), index)))
            .collect();
        let cells = cells.into_iter().map(Arc::new).collect();
        Self { policy, cells, places, good_until: 0, next_read: 0 }
    }

    /// The first open cell that is not barred, which stays in line.
    fn next(
        &mut self,
        counters: &HashMap<CellId, Counters>,
        barred: &HashSet<CellId>,
    ) -> Option<Arc<Candidate>> {
        let mut passed = Vec::new();
        let mut next = None;
        while let Some(Reverse((priority, tie_break, index))) = self.places.pop() {
            let candidate = &self.cells[index];
            if barred.contains(&candidate.cell) {
                passed.push(Reverse((priority, tie_break, index)));
                continue;
            }
            let present = counters.get(&candidate.cell).unwrap_or(&candidate.counters);
            if !present.is_open(candidate.pairs) {
                continue;
            }
            // The next caller finds that the place of the cell has changed, and moves it.
            let place = place(self.policy, candidate, present, index);
            self.places.push(Reverse(place));
            if priority == place.0 {
                next = Some(candidate.clone());
                break;
            }
        }
        self.places.extend(passed);
        next
    }
}

fn place(policy: Policy, cell: &Candidate, counters: &Counters, index: usize) -> (u64, i64, usize) {
    (counters.priority(policy, cell.share).to_bits(), cell.tie_break, index)
}
