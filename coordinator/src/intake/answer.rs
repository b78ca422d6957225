//! The answers to a group of calls: leases, or the reason why there are no more.

use super::call::{JudgedSync, MOST_LEASES, SyncResult};
use super::call_stage::{AcknowledgedCall, CallStage};
use super::reconcile::ReconciledLeases;
use crate::checking::rechecks;
use crate::scheduling::{
    CellDescriptions, Grant, Queue, abandon_lease, described_again, grant, grant_awaited, grant_suspended,
    is_newcomer, most_leases, most_leases_of_token, no_work,
};
use crate::store::{
    AwaitedPair, Capabilities, Checker, LeaseState, Missing, StoreError, WorkerAfter, WriteBatch,
};
use crate::terms::Terms;
use engine::havannah::BoardSize;
use protocol::lease::Lease;
use protocol::memory::Mib;
use protocol::sync::{Directive, NoWork, NoWorkCode, SyncRequest, SyncResponse};
use std::collections::{BTreeSet, HashMap};

/// Gives leases to the workers of a group.
pub(super) struct LeaseGranter<'a> {
    terms: &'a Terms,
    queue: Queue,
    /// Whether any games wait for a recheck.
    rechecks: bool,
    /// Whether any pair is suspended; none before the lookup.
    any_suspended: Option<bool>,
    /// The pairs of full cells for which stopping rules wait; none before the lookup.
    awaited: Option<Vec<AwaitedPair>>,
    /// For each token, the leases that its newcomers may still get in this group.
    newcomers: HashMap<String, i64>,
    /// The specifications for leases that are described again.
    words: CellDescriptions,
}

/// The leases that a worker gets.
pub(super) struct GrantedLeases {
    /// Whether the worker gets fewer leases than it may.
    is_short: bool,
    capabilities: Capabilities,
    leases: Vec<Lease>,
    /// Why the worker may get none.
    barred: Option<NoWork>,
}

impl<'a> LeaseGranter<'a> {
    /// For the calls of a group.
    pub(super) async fn new(
        batch: &mut WriteBatch<'_>,
        terms: &'a Terms,
        calls: &[CallStage<'_>],
    ) -> Result<Self, StoreError> {
        let mut wanted = 0;
        let mut newcomers = BTreeSet::new();
        for call in calls {
            if let CallStage::InTurn(AcknowledgedCall { call, after, .. }) = call
                && call.request.want > 0
            {
                wanted += call.request.want.min(MOST_LEASES);
                newcomers.extend(call.token.as_deref().filter(|_| is_newcomer(after.delivered)));
            }
        }
        let newcomers = batch.tx().held_by_tokens(&Vec::from_iter(newcomers)).await?;
        let newcomers =
            newcomers.into_iter().map(|(token, games, leases)| (token, most_leases_of_token(games) - leases));
        // Also for workers that want no work: one without measured speeds gets the sizes of games that wait for a recheck.
        if terms.rechecks() {
            rechecks::choose(batch, terms.replay_share).await?;
        }
        let rechecks = wanted > 0 && terms.rechecks() && batch.tx().any_recheck_waits().await?;
        Ok(Self {
            terms,
            queue: Queue::new(terms.filter.clone(), i64::from(wanted)),
            rechecks,
            any_suspended: None,
            awaited: None,
            newcomers: newcomers.collect(),
            words: CellDescriptions::new(),
        })
    }

    pub(super) async fn offer(
        &mut self,
        batch: &mut WriteBatch<'_>,
        taken: &AcknowledgedCall<'_>,
        suspect: bool,
    ) -> Result<GrantedLeases, StoreError> {
        let (request, directive) = (&taken.call.request, taken.after.directive);
        let quarantine = if suspect { batch.tx().quarantine(request.worker).await? } else { None };
        let barred = if let Some(why) = quarantine {
            let message =
                format!("this machine is in quarantine: {why}; `gauntlet fleet release` ends the quarantine");
            Some(NoWork { code: NoWorkCode::Quarantined, message })
        } else if directive != Directive::Work {
            let message =
                format!("a person told this worker to {directive}; `gauntlet fleet resume` ends that");
            Some(NoWork { code: NoWorkCode::Paused, message })
        } else {
            None
        };
        let mut leases = Vec::new();
        for unheard in &taken.reconciled.unheard {
            match described_again(batch, unheard, &mut self.words, self.terms).await? {
                Some(lease) if barred.is_none() => leases.push(lease),
                // The coordinator cannot check that the answer was lost. If this were free, a worker could abandon pairs at no
                // cost.
                _ => abandon_lease(batch, unheard, LeaseState::Returned).await?,
            }
        }
        let mut wanted = Grant {
            worker: request.worker,
            principal: &taken.call.principal,
            call: request.sequence,
            want: if barred.is_none() { request.want.min(MOST_LEASES) } else { 0 },
            ahead: request.ahead,
            capabilities: taken.after.capabilities,
            terms: self.terms,
        };
        let mut full = None;
        if !wanted.is_satisfied(&leases) {
            let room = self.room(batch, taken).await?.max(0);
            let most = leases.len() + usize::try_from(room).unwrap_or(usize::MAX);
            if most < wanted.want as usize {
                wanted.want = most as u32;
                full = Some(NoWork {
                    code: NoWorkCode::EnoughInHand,
                    message: "this machine holds as many pairs as it may before it has delivered more games"
                        .into(),
                });
            }
        }
        if self.rechecks {
            let call = taken.call;
            let checker = Checker {
                worker: request.worker,
                token: call.token.as_deref(),
                principal: &call.principal,
                capabilities: wanted.capabilities,
            };
            rechecks::grant(batch, &wanted, &checker, &mut leases).await?;
        }
        let waits = grant(batch, &wanted, &mut self.queue, &mut leases).await?;
        if !wanted.is_satisfied(&leases) {
            let mut awaited = match self.awaited.take() {
                Some(awaited) => awaited,
                None => batch.awaited(&self.terms.filter).await?,
            };
            grant_awaited(batch, &wanted, (&mut self.queue, &mut awaited), &mut leases).await?;
            self.awaited = Some(awaited);
        }
        if !wanted.is_satisfied(&leases) && self.is_any_suspended(batch).await? {
            grant_suspended(batch, &wanted, &self.terms.filter, &mut leases).await?;
        }
        if let Some(left) = taken.call.token.as_deref().and_then(|token| self.newcomers.get_mut(token)) {
            *left -= leases.len() as i64;
        }
        let is_short = !wanted.is_satisfied(&leases);
        let barred = barred.or(full.filter(|_| leases.len() >= wanted.want as usize)).or_else(|| {
            (is_short && waits).then(|| NoWork {
                code: NoWorkCode::AllLeased,
                message: "only pairs that this machine gave up are left: another machine is to play them, and this one \
                          gets them when no other is there"
                    .into(),
            })
        });
        Ok(GrantedLeases { is_short, capabilities: wanted.capabilities, leases, barred })
    }

    /// How many more leases a machine may hold.
    async fn room(
        &self,
        batch: &mut WriteBatch<'_>,
        taken: &AcknowledgedCall<'_>,
    ) -> Result<i64, StoreError> {
        let (call, delivered) = (taken.call, taken.after.delivered);
        let held = batch.active_leases(call.request.worker).await?.len() as i64;
        let room = most_leases(call.request.slots, delivered) - held;
        if room <= 0 || !is_newcomer(delivered) {
            return Ok(room);
        }
        // The common limit of a token does not apply to machines of this process, nor to a machine whose token is first stored by
        // this call.
        let left = call.token.as_deref().and_then(|token| self.newcomers.get(token)).copied();
        Ok(room.min(left.unwrap_or(room)))
    }

    async fn is_any_suspended(&mut self, batch: &mut WriteBatch<'_>) -> Result<bool, StoreError> {
        if self.any_suspended.is_none() {
            self.any_suspended = Some(batch.written().await?.is_any_suspended().await?);
        }
        Ok(self.any_suspended.unwrap_or(false))
    }
}

/// Twice the time in which a tune stores the points that follow from results.
const POINTS_MS: u64 = 1_000;

/// What remains to be played when all leases of a group are given. The answers state it.
pub(super) struct RemainingWork {
    sizes: Vec<BoardSize>,
    /// Board sizes of the games that wait for a recheck.
    recheck_sizes: Vec<BoardSize>,
    missing: Option<Missing>,
    /// The paused experiments, if nothing else is missing.
    paused: Vec<String>,
    /// The memory that the least demanding open cell needs.
    memory: Option<Mib>,
}

impl RemainingWork {
    /// Reads what these answers need.
    pub(super) async fn new(
        batch: &mut WriteBatch<'_>,
        terms: &Terms,
        offers: &[Result<(AcknowledgedCall<'_>, GrantedLeases), SyncResult>],
    ) -> Result<Self, StoreError> {
        let short = offers.iter().flatten().any(|(_, offer)| offer.is_short);
        let unmeasured = offers.iter().flatten().any(|(taken, _)| taken.call.request.speeds.is_empty());
        let tx = batch.written().await?;
        let sizes = tx.sizes_in_play(engine::SEMANTICS, &terms.filter).await?;
        let memory = if short && !sizes.is_empty() {
            tx.memory_in_play(engine::SEMANTICS, &terms.filter, Mib(0)).await?.map(|(least, _)| least)
        } else {
            None
        };
        let missing = if short { tx.missing(&terms.filter, engine::SEMANTICS).await? } else { None };
        let nothing = short && missing.is_none_or(|missing| missing.games == 0);
        let paused = if nothing { tx.paused(&terms.filter, engine::SEMANTICS).await? } else { Vec::new() };
        Ok(Self {
            sizes,
            missing,
            paused,
            memory,
            recheck_sizes: if (short || unmeasured) && terms.rechecks() {
                tx.sizes_to_recheck(engine::SEMANTICS).await?
            } else {
                Vec::new()
            },
        })
    }

    /// The usual time between calls. A tune has its next points as soon as it has read results, so a worker that waits for them
    /// calls soon.
    fn interval(&self, terms: &Terms) -> u64 {
        let waits_for_points = self.missing.is_some_and(|missing| missing.games_unasked > 0);
        if waits_for_points { terms.sync_ms.min(POINTS_MS) } else { terms.sync_ms }
    }

    /// The answer to a call, and the worker's row to be stored.
    pub(super) fn conclude<'a>(
        &self,
        taken: AcknowledgedCall<'a>,
        offer: GrantedLeases,
        terms: &Terms,
    ) -> (SyncResponse, WorkerAfter<'a>) {
        let AcknowledgedCall {
            call: JudgedSync { request, .. },
            acks,
            reconciled: ReconciledLeases { revoked, .. },
            mut after,
            ..
        } = taken;
        let short = offer.is_short;
        let nothing = || {
            let own = (offer.capabilities, request.memory);
            no_work(own, &self.sizes, self.memory, (self.missing, &self.paused))
        };
        let no_work = offer.barred.or_else(|| short.then(nothing));
        let empty_handed = request.held.is_empty() && offer.leases.is_empty();
        after.no_work = no_work.as_ref().filter(|_| empty_handed).map(|reason| reason.message.clone());
        let mut sizes = self.sizes.clone();
        // After the last planned game some rechecks may wait. A worker that has not measured its speed for them gets their sizes.
        if short || request.speeds.is_empty() {
            sizes.extend(&self.recheck_sizes);
            sizes.sort_unstable();
            sizes.dedup();
        }
        let response = SyncResponse {
            acks,
            leases: offer.leases,
            revoked,
            directive: after.directive,
            sizes,
            next_sync_ms: next_sync_ms(self.interval(terms), no_work.as_ref(), request),
            watch: Vec::new(),
            looked_at: false,
            no_work,
        };
        (response, after)
    }
}

/// The time until the next call. A worker without work calls sooner, because a returned pair makes work. The intervals differ a
/// little between workers, so that a restart does not synchronise their calls.
fn next_sync_ms(sync_ms: u64, no_work: Option<&NoWork>, request: &SyncRequest) -> u64 {
    let base = match no_work.map(|reason| reason.code) {
        Some(NoWorkCode::AllLeased | NoWorkCode::NotCalibrated | NoWorkCode::EnoughInHand) => sync_ms / 2,
        _ => sync_ms,
    };
    base + base * (request.session.0.as_u64_pair().1 % 20) / 100
}
