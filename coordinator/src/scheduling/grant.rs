//! Who plays what next.
//!
//! The rule is ParamLog's: the cell with the fewest games for the product of its weights comes first. Here pairs are
//! counted, those leased as well as those done, because counting finished games only sends a large cluster to one
//! cell until its first results arrive. The quotient stands in an indexed column and is kept up to date with the
//! counters, so that ten thousand cells cost no more than ten. Cells of equal priority follow in an order that is
//! fixed by their ids and has nothing to do with size or case: all sizes progress evenly.
//!
//! Within a cell, pairs that were given back or are half finished go out first, then the next pair that was never
//! started, never one beyond the plan, and last those that were lent and did not come back, the oftener the later: a
//! pair that no worker brings to its end holds up no other. Who let a pair go gets it again when nobody else would, and
//! one that failed too often is set aside, handed out no more until somebody puts it back: see [`super::let_go`].

use super::capabilities::sizes;
use super::description::{described, missing};
use super::let_go::{Found, Machine, open_pair};
use super::queue::Queue;
use crate::principal::Principal;
use crate::store::{
    ActiveLease, Candidate, Capabilities, ExperimentFilter, LeaseState, PairRow, PairState, StoreError,
    WriteBatch,
};
use crate::terms::Terms;
use engine::havannah::BoardSize;
use engine::side::Side;
use protocol::experiment::CellSpec;
use protocol::ids::{CellId, LeaseId, WorkerId};
use protocol::lease::Lease;
use std::collections::HashSet;

/// What decides which leases a worker gets.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grant<'a> {
    pub(crate) worker: WorkerId,
    pub(crate) principal: &'a Principal,
    /// The number of its call.
    pub(crate) call: u64,
    /// At most so many.
    pub(crate) want: u32,
    pub(crate) capabilities: Capabilities,
    pub(crate) terms: &'a Terms,
}

impl Grant<'_> {
    /// A new lease of so many games of a pair.
    pub(crate) fn lease(
        &self,
        id: LeaseId,
        (cell, idx): (CellId, u32),
        (size, games): (BoardSize, usize),
        now_ms: i64,
    ) -> ActiveLease {
        ActiveLease {
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
        }
    }

    fn machine(&self) -> Machine<'_> {
        (self.worker, self.principal)
    }
}

/// Cells that are passed over in a call, because what is open in them waits for others, at most.
const MOST_BARRED: usize = 16;

/// Lends out pairs, the most wanted first, until there are as many leases as wanted; gives whether something waits for
/// others, because this machine let it go.
pub(crate) async fn grant(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    queue: &mut Queue,
    leases: &mut Vec<Lease>,
) -> Result<bool, StoreError> {
    let mut barred = HashSet::new();
    while leases.len() < grant.want as usize && barred.len() < MOST_BARRED {
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
    let mut found = Found::Nothing;
    if counters.pairs_open() > 0 {
        let requirements = Capabilities { sizes: sizes([spec.size]), memory_mib: i64::from(spec.memory().0) };
        found = open_pair(batch, (cell, requirements), grant.machine(), unstarted, grant.terms).await?;
    }
    let pair = match found {
        Found::Waits => return Ok(None),
        Found::Pair(pair) => pair,
        Found::Nothing => {
            let idx = u32::try_from(counters.pairs_started);
            let idx = idx.map_err(StoreError::unreadable("cell.pairs_started"))?;
            counters.pairs_started += 1;
            batch.change(cell).pairs_started += 1;
            PairRow { cell, idx, state: PairState::Open, points: [None, None], failures: 0, let_go: 0 }
        }
    };
    counters.pairs_in_flight += 1;
    let labels = (candidate.case_label.clone(), candidate.baseline_label.clone());
    Ok(Some(lend_pair(batch, pair, (spec, labels), grant)))
}

/// Lends out a pair that is in nobody's hands.
fn lend_pair(
    batch: &mut WriteBatch<'_>,
    pair: PairRow,
    (spec, labels): (&CellSpec, (String, String)),
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
    batch.put_lease(grant.lease(id, (pair.cell, pair.idx), games, batch.now_ms));
    described((id, grant.terms.lease_ms), (pair.cell, pair.idx), spec, labels, missing)
}

/// Lends out pairs that were set aside and that no machine of this principal failed, until there are as many leases as
/// wanted: they may be sound, and who failed them not.
pub(crate) async fn grant_suspended(
    batch: &mut WriteBatch<'_>,
    grant: &Grant<'_>,
    filter: &ExperimentFilter,
    leases: &mut Vec<Lease>,
) -> Result<(), StoreError> {
    let most = (engine::SEMANTICS, grant.terms.most_failures);
    while leases.len() < grant.want as usize {
        let suspended =
            batch.written().await?.suspended_pair_for(grant.machine(), grant.capabilities, most).await?;
        let Some(found) = suspended.into_iter().find(|found| filter.allows(found.experiment)) else { break };
        leases.push(lend_pair(batch, found.pair, (&found.spec, found.labels), grant));
    }
    Ok(())
}
