//! Which pairs a worker gets.
//!
//! The experiment with the smallest charge for its weight comes first: see [`super::fair`]. In an experiment, its policy orders
//! the cells: see [`crate::priority`]. By default the cell with the fewest pairs for the product of its weights comes first, as
//! in ParamLog. Both leased and finished pairs count: with finished pairs alone, a large cluster would send every worker to the
//! same cell until the first results arrive. The priority is an indexed column that changes with the counters, so a lease costs
//! the same with ten cells and with ten thousand. Cells of equal priority follow in the order of a tie-break that depends on
//! their ids only, so all sizes and cases progress evenly.
//!
//! Within a cell the order is: pairs that were returned or are half finished; the next pair that was never started, up to the
//! plan; pairs that were leased and failed, those with the fewest failures first. So a pair that no worker finishes delays no
//! other pair, except where a stopping rule waits for it: see [`mod@super::overtaken`]. A worker that abandoned a pair gets it
//! again only when no other worker would take it. A pair that failed too often is suspended until a person retries it: see
//! [`super::abandoned`].

use super::abandoned::{Machine, OpenPair, open_pair};
use super::capabilities::requirements;
use super::cost::{LeaseCost, expected};
use super::description::{described, missing};
use super::overtaken::{held_for_long, overtaken};
use super::queue::Queue;
use crate::principal::Principal;
use crate::store::{
    AwaitedPair, Candidate, Capabilities, Counters, ExperimentFilter, LeaseRow, LeaseState, PairRow,
    PairState, StoreError, WriteBatch,
};
use crate::terms::Terms;
use engine::havannah::BoardSize;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, ExperimentId, LeaseId, WorkerId};
use protocol::lease::Lease;
use protocol::sync::PrefetchDemand;
use std::collections::HashSet;

/// The request for leases that a worker makes with a call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grant<'a> {
    pub(crate) worker: WorkerId,
    pub(crate) principal: &'a Principal,
    /// The number of the call.
    pub(crate) call: u64,
    /// The largest number of leases.
    pub(crate) want: u32,
    /// The leases that suffice, measured in play ahead.
    pub(crate) ahead: Option<PrefetchDemand>,
    pub(crate) capabilities: Capabilities,
    pub(crate) terms: &'a Terms,
}

impl Grant<'_> {
    /// A new lease of a pair, of which `games` games are to be played.
    pub(crate) fn lease(
        &self,
        id: LeaseId,
        (cell, idx): (CellId, u32),
        (size, games): (BoardSize, usize),
        now_ms: i64,
    ) -> LeaseRow {
        LeaseRow {
            id,
            cell,
            idx,
            worker: self.worker,
            state: LeaseState::Active,
            granted_ms: now_ms,
            deadline_ms: now_ms + self.terms.lease_ms,
            plies: 0,
            progress_ms: now_ms,
            rechecks: None,
            most_plies: Some((size.cells() * games) as u32),
            call: self.call,
            ended_ms: None,
            experiment: None,
            charge_us: 0,
            prior_us: 0,
            spent_us: 0,
        }
    }

    /// Whether these leases are as many as the worker wants.
    pub(crate) fn is_satisfied(&self, leases: &[Lease]) -> bool {
        let suffice = |ahead: PrefetchDemand| {
            let waiting = leases.get(ahead.free as usize..).unwrap_or_default();
            let expected_us = waiting.iter().fold(0_u64, |sum, lease| sum.saturating_add(lease.expected_us));
            !waiting.is_empty() && expected_us >= ahead.expected_us
        };
        leases.len() >= self.want as usize || self.ahead.is_some_and(suffice)
    }

    fn machine(&self) -> Machine<'_> {
        (self.worker, self.principal)
    }
}

/// Cells that one call skips at most, because their open pairs wait for other machines.
const MOST_BARRED: usize = 16;

/// Leases pairs in the order of priority, up to the number wanted. Gives whether some pairs wait for other machines because this
/// worker abandoned them.
pub(crate) async fn grant(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    queue: &mut Queue,
    leases: &mut Vec<Lease>,
) -> Result<bool, StoreError> {
    let mut barred = HashSet::new();
    while !grant.is_satisfied(leases) && barred.len() < MOST_BARRED {
        let Some(candidate) = queue.next(batch, grant.capabilities, &barred).await? else { break };
        match lend(batch, queue, &candidate, grant).await? {
            Some(lease) => leases.push(lease),
            None => drop(barred.insert(candidate.cell)),
        }
    }
    Ok(!barred.is_empty())
}

async fn lend(
    batch: &mut WriteBatch<'_>,
    queue: &mut Queue,
    candidate: &Candidate,
    grant: &Grant<'_>,
) -> Result<Option<Lease>, StoreError> {
    let (cell, spec) = (candidate.cell, &candidate.spec);
    let counters = queue.counters(candidate);
    let unstarted = counters.pairs_started < candidate.pairs;
    let before = *counters;
    let mut found = OpenPair::Nothing;
    if let Some(pair) = overtaken(batch, candidate, before, grant.machine(), grant.terms).await? {
        counters.pairs_in_flight -= 1;
        found = OpenPair::Pair(pair);
    } else if counters.pairs_open() > 0 {
        found = open_pair(batch, (cell, requirements(spec)), grant.machine(), unstarted, grant.terms).await?;
    }
    let pair = match found {
        OpenPair::Waits => return Ok(None),
        OpenPair::Pair(pair) => pair,
        OpenPair::Nothing => {
            let idx = u32::try_from(counters.pairs_started);
            let idx = idx.map_err(StoreError::unreadable("cell.pairs_started"))?;
            counters.pairs_started += 1;
            batch.change(cell).pairs_started += 1;
            PairRow { cell, idx, state: PairState::Open, points: [None, None], failures: 0, abandoned: 0 }
        }
    };
    Ok(Some(lend_of(batch, queue, candidate, (pair, grant))))
}

/// Leases a pair of a candidate that no machine holds.
fn lend_of(
    batch: &mut WriteBatch<'_>,
    queue: &mut Queue,
    candidate: &Candidate,
    (pair, grant): (PairRow, &Grant<'_>),
) -> Lease {
    let spec = &candidate.spec;
    let counters = queue.counters(candidate);
    counters.pairs_in_flight += 1;
    let counters = *counters;
    let cost = expected(spec, &counters, queue.ratio(candidate.experiment), missing(&pair).count());
    let start = queue.charge(candidate.experiment, cost.charge_us);
    let labels = (candidate.case_label.clone(), candidate.baseline_label.clone());
    lend_pair(batch, pair, (spec, labels), (candidate.experiment, cost, start), grant)
}

/// Leases pairs for which stopping rules of full cells wait, and which other machines have held for long, up to the number
/// wanted. A pair that was leased is removed from `awaited`.
pub(crate) async fn grant_awaited(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    (queue, awaited): (&mut Queue, &mut Vec<AwaitedPair>),
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let mut place = 0;
    while place < awaited.len() && !grant.is_satisfied(leases) {
        let machine = (grant.machine(), grant.capabilities);
        match held_for_long(batch, &awaited[place], machine, grant.terms).await? {
            Some(pair) => {
                let AwaitedPair { candidate, .. } = awaited.swap_remove(place);
                queue.counters(&candidate).pairs_in_flight -= 1;
                leases.push(lend_of(batch, queue, &candidate, (pair, grant)));
            }
            None => place += 1,
        }
    }
    Ok(())
}

/// Leases a pair that no worker holds, charged to an experiment, from its virtual time `start` on.
fn lend_pair(
    batch: &mut WriteBatch<'_>,
    pair: PairRow,
    (spec, labels): (&CellSpec, (String, String)),
    (experiment, cost, start): (ExperimentId, LeaseCost, Option<f64>),
    grant: &Grant<'_>,
) -> Lease {
    let id = LeaseId::random();
    if let PairState::Suspended(_) = pair.state {
        batch.change(pair.cell).pairs_aside -= 1;
    }
    batch.change(pair.cell).pairs_in_flight += 1;
    batch.put_pair(PairRow { state: PairState::Leased(id), ..pair });
    let missing: Vec<Side> = missing(&pair).collect();
    let games = (spec.size, missing.len());
    let lease = grant.lease(id, (pair.cell, pair.idx), games, batch.now_ms);
    let LeaseCost { charge_us, prior_us } = cost;
    let lease = LeaseRow { experiment: Some(experiment), charge_us, prior_us, ..lease };
    batch.begin(&lease, start);
    batch.put_lease(lease);
    described((id, grant.terms.lease_ms, charge_us), (pair.cell, pair.idx), spec, labels, missing)
}

/// Leases suspended pairs that no machine of this principal failed, up to the number wanted. The fault may be with those machines
/// and not with the pair.
pub(crate) async fn grant_suspended(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    filter: &ExperimentFilter,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let most = (engine::SEMANTICS, grant.terms.most_failures);
    while !grant.is_satisfied(leases) {
        let suspended =
            batch.written().await?.suspended_pair_for(grant.machine(), grant.capabilities, most).await?;
        let Some(found) = suspended.into_iter().find(|found| filter.allows(found.experiment)) else { break };
        let cost = expected(&found.spec, &Counters::default(), 1.0, missing(&found.pair).count());
        let charge = (found.experiment, cost, None);
        leases.push(lend_pair(batch, found.pair, (&found.spec, found.labels), charge, grant));
    }
    Ok(())
}
