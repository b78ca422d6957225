//! Reconciles the leases that a worker lists with the stored ones.

use super::call::MOST_LEASES;
use crate::log_sums::Event;
use crate::scheduling::{Overdue, Progress, abandon_lease, fail_lease, may_continue, overdue, revive};
use crate::store::{LeaseRow, LeaseState, StoreError, WriteBatch};
use crate::terms::Terms;
use protocol::ids::LeaseId;
use protocol::sync::SyncRequest;
use std::collections::{HashMap, HashSet};

/// A deadline within this time of a full term is not extended: a worker with short games calls often and holds many leases, most
/// of which end long before their deadline.
const FRESH_MS: i64 = 1_000;

/// The leases that a worker holds after its call.
#[derive(Debug, Default)]
pub(super) struct ReconciledLeases {
    /// Leases that the worker lists but no longer holds.
    pub(super) revoked: Vec<LeaseId>,
    /// Leases that the worker does not know, because their answer did not reach it.
    pub(super) unheard: Vec<LeaseRow>,
    /// When one of the worker's games last moved on.
    pub(super) progress_ms: i64,
}

/// The circumstances of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct CallContext {
    /// The worker was restarted: another process made the call before.
    pub(super) restarted: bool,
    /// The worker had left in good order.
    pub(super) was_away: bool,
    /// The worker may get leases.
    pub(super) can_lease: bool,
    /// When one of its games last moved on.
    pub(super) progress_ms: i64,
}

/// Extends the leases that the worker lists, and ends those that it does not list: it returned them in good order, or lost them
/// with the process before (if the worker was restarted without having left). A lease that the worker cannot know, because its
/// answer did not arrive, is described again, up to the number of leases wanted.
pub(super) async fn reconcile(
    batch: &mut WriteBatch<'_>,
    request: &SyncRequest,
    context: CallContext,
    terms: &Terms,
) -> Result<ReconciledLeases, StoreError> {
    let mut reconciler = LeaseReconciler {
        request,
        context,
        listed: request.held.iter().map(|held| (held.lease, held.plies)).collect(),
        active: Vec::new(),
        revoked: Vec::new(),
        unheard: Vec::new(),
    };
    reconciler.sort_stored(batch, terms).await?;
    reconciler.revive_lapsed(batch).await?;
    let progress_ms = reconciler.extend(batch, terms).await?;
    let LeaseReconciler { revoked, unheard, .. } = reconciler;
    Ok(ReconciledLeases { revoked, unheard, progress_ms })
}

/// The leases of a worker while its call is compared with what is stored.
struct LeaseReconciler<'r> {
    request: &'r SyncRequest,
    context: CallContext,
    /// The leases that the worker lists, with the moves played.
    listed: HashMap<LeaseId, u32>,
    /// Those that the worker may go on with.
    active: Vec<LeaseRow>,
    /// See [`ReconciledLeases`].
    revoked: Vec<LeaseId>,
    /// See [`ReconciledLeases`]. They are among the active ones.
    unheard: Vec<LeaseRow>,
}

impl LeaseReconciler<'_> {
    /// Sorts the stored leases of the worker, and ends those that it no longer holds.
    async fn sort_stored(&mut self, batch: &mut WriteBatch<'_>, terms: &Terms) -> Result<(), StoreError> {
        let request = self.request;
        let CallContext { restarted, was_away, can_lease, .. } = self.context;
        let trouble = format!("worker {} ended without notice and started again", request.name);
        let heard = |lease: &LeaseRow| restarted || request.heard.is_none_or(|heard| lease.call <= heard);
        let most_unheard = if can_lease { request.want.min(MOST_LEASES) as usize } else { 0 };
        for lease in batch.active_leases(request.worker).await? {
            let is_listed = self.listed.contains_key(&lease.id);
            match (is_listed, restarted && !was_away) {
                // The game itself may have killed the process.
                (true, true) if !may_continue(batch, &lease, &trouble, terms).await? => {
                    self.revoked.push(lease.id);
                }
                (true, _) => self.active.push(lease),
                (false, true) => fail_lease(batch, &lease, LeaseState::Returned, &trouble, terms).await?,
                (false, false)
                    if !heard(&lease) && lease.rechecks.is_none() && self.unheard.len() < most_unheard =>
                {
                    self.unheard.push(lease);
                    self.active.push(lease);
                }
                // This includes leases of an answer that the worker reports as lost: the coordinator cannot check that.
                (false, false) => abandon_lease(batch, &lease, LeaseState::Returned).await?,
            }
        }
        Ok(())
    }

    /// Revives listed leases that lapsed. If a worker was disconnected and no other worker has taken its pair, it resumes the
    /// game.
    async fn revive_lapsed(&mut self, batch: &mut WriteBatch<'_>) -> Result<(), StoreError> {
        let CallContext { restarted, was_away, .. } = self.context;
        let settled: HashSet<LeaseId> =
            self.active.iter().map(|lease| lease.id).chain(self.revoked.iter().copied()).collect();
        for held in &self.request.held {
            if settled.contains(&held.lease) {
                continue;
            }
            let lease = batch.lease(held.lease).await?;
            let lapsed = lease.filter(|lease| {
                let is_possible = Progress::of(lease, held.plies, restarted) != Progress::Impossible;
                let is_own = lease.worker == self.request.worker && lease.rechecks.is_none();
                is_own && is_possible && lease.state == LeaseState::Lapsed
            });
            let revived = match lapsed {
                Some(lease) => revive(batch, &lease, !was_away).await?,
                None => None,
            };
            match revived {
                Some(lease) => self.active.push(lease),
                None => self.revoked.push(held.lease),
            }
        }
        Ok(())
    }

    /// Extends the active leases, and ends those without progress for too long. Gives when one of the worker's games last moved
    /// on.
    async fn extend(&mut self, batch: &mut WriteBatch<'_>, terms: &Terms) -> Result<i64, StoreError> {
        let (now_ms, worker) = (batch.now_ms, &self.request.name);
        let reported = |lease: &LeaseRow| self.listed.get(&lease.id).copied().unwrap_or(lease.plies);
        let progress = |lease: &LeaseRow| Progress::of(lease, reported(lease), self.context.restarted);
        let moved = self.active.iter().any(|lease| progress(lease) == Progress::Moved);
        let progress_ms = if moved { now_ms } else { self.context.progress_ms };
        let deadline_ms = now_ms + terms.lease_ms;
        for lease in &self.active {
            match progress(lease) {
                Progress::Moved => {
                    let plies = reported(lease);
                    batch.put_lease(LeaseRow { plies, progress_ms: now_ms, deadline_ms, ..*lease });
                    continue;
                }
                // The lease is not extended, so it lapses.
                Progress::Impossible => continue,
                Progress::Still => {}
            }
            match overdue(lease, progress_ms, now_ms, terms) {
                None if (0..FRESH_MS).contains(&(deadline_ms - lease.deadline_ms)) => continue,
                None => {
                    batch.put_lease(LeaseRow { deadline_ms, ..*lease });
                    continue;
                }
                Some(Overdue::NeverBegun) => abandon_lease(batch, lease, LeaseState::Revoked).await?,
                Some(Overdue::Stood) => {
                    let plies = lease.plies;
                    batch.log.note(Event::StoodStill, lease.worker, || {
                        format!("that of lease {} by {worker}, at ply {plies}", lease.id)
                    });
                    let trouble = format!("it stood still at ply {plies} on worker {worker}");
                    fail_lease(batch, lease, LeaseState::Revoked, &trouble, terms).await?;
                }
            }
            self.unheard.retain(|unheard| unheard.id != lease.id);
            if self.listed.contains_key(&lease.id) {
                self.revoked.push(lease.id);
            }
        }
        Ok(progress_ms)
    }
}
