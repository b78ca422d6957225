//! What the workers of a group get: leases, and why no more.

use super::{Answer, JudgedSync, MOST_LEASES, Taken, Terms};
use crate::queue::Queue;
use crate::replays;
use crate::schedule::{self, Grant, grant, no_work};
use crate::store::{Able, Books, Checker, Missing, StoreError, WorkerAfter};
use engine::havannah::BoardSize;
use protocol::lease::Lease;
use protocol::memory::Mib;
use protocol::sync::{Directive, NoWork, NoWorkCode, SyncRequest, SyncResponse};

/// Hands out leases to the workers of a group.
pub(super) struct Lender<'a> {
    terms: &'a Terms,
    queue: Queue,
    /// Whether there are games to be played again.
    replays: bool,
}

/// What a worker gets.
pub(super) struct Offer {
    /// How many leases it may have.
    want: usize,
    able: Able,
    leases: Vec<Lease>,
    /// Why it may have none.
    barred: Option<NoWork>,
}

impl Offer {
    /// Whether it gets less than it may have.
    fn is_short(&self) -> bool {
        self.leases.len() < self.want
    }
}

impl<'a> Lender<'a> {
    /// For calls that want so many leases together.
    pub(super) async fn new(
        books: &mut Books<'_>,
        terms: &'a Terms,
        wanted: u32,
    ) -> Result<Self, StoreError> {
        let replays = wanted > 0 && terms.replays() && !books.tx().wants_fewer_replays_than(1).await?;
        Ok(Self { terms, queue: Queue::new(terms.only.clone(), i64::from(wanted)), replays })
    }

    pub(super) async fn offer(
        &mut self,
        books: &mut Books<'_>,
        taken: &Taken<'_>,
        suspect: bool,
    ) -> Result<Offer, StoreError> {
        let (request, directive) = (&taken.call.request, taken.after.directive);
        let quarantine = if suspect { books.tx().quarantine(request.worker).await? } else { None };
        let barred = if let Some(why) = quarantine {
            let message =
                format!("this machine is in quarantine: {why}; `gauntlet fleet release` takes it back");
            Some(NoWork { code: NoWorkCode::Quarantined, message })
        } else if directive != Directive::Work {
            let message =
                format!("somebody told this worker to {directive}; `gauntlet fleet resume` takes it back");
            Some(NoWork { code: NoWorkCode::Paused, message })
        } else {
            None
        };
        let wanted = Grant {
            worker: request.worker,
            want: if barred.is_none() { request.want.min(MOST_LEASES) } else { 0 },
            able: schedule::able(request),
            lease_ms: self.terms.lease_ms,
        };
        let mut leases = Vec::new();
        if self.replays {
            let call = taken.call;
            let checker = Checker {
                worker: request.worker,
                token: call.token.as_deref(),
                principal: &call.principal,
                able: wanted.able,
            };
            replays::grant(books, &wanted, &checker, self.terms, &mut leases).await?;
        }
        grant(books, &wanted, &mut self.queue, &mut leases).await?;
        Ok(Offer { want: wanted.want as usize, able: wanted.able, leases, barred })
    }
}

/// What is left when all leases of a group are given, for its answers.
pub(super) struct Rest {
    sizes: Vec<BoardSize>,
    /// Of games to be played again.
    replay_sizes: Vec<BoardSize>,
    missing: Option<Missing>,
    /// The least that an open cell may need.
    memory: Option<Mib>,
}

impl Rest {
    /// Reads what these answers need.
    pub(super) async fn new(
        books: &mut Books<'_>,
        terms: &Terms,
        offers: &[Result<(Taken<'_>, Offer), Answer>],
    ) -> Result<Self, StoreError> {
        let short = offers.iter().flatten().any(|(_, offer)| offer.is_short());
        let unmeasured = offers.iter().flatten().any(|(taken, _)| taken.call.request.speeds.is_empty());
        let tx = books.written().await?;
        let sizes = tx.sizes_in_play(engine::SEMANTICS, &terms.only).await?;
        let memory = if short && !sizes.is_empty() {
            tx.memory_in_play(engine::SEMANTICS, &terms.only, Mib(0)).await?.map(|(least, _)| least)
        } else {
            None
        };
        Ok(Self {
            sizes,
            memory,
            replay_sizes: if (short || unmeasured) && terms.replays() {
                tx.sizes_to_replay(engine::SEMANTICS).await?
            } else {
                Vec::new()
            },
            missing: if short { tx.missing(&terms.only, engine::SEMANTICS).await? } else { None },
        })
    }

    /// The answer to a call, and what is stored of its worker.
    pub(super) fn conclude<'a>(
        &self,
        taken: Taken<'a>,
        offer: Offer,
        terms: &Terms,
    ) -> (SyncResponse, WorkerAfter<'a>) {
        let Taken { call: JudgedSync { request, .. }, acks, revoked, mut after, .. } = taken;
        let short = offer.is_short();
        let nothing = || no_work((offer.able, request.memory), &self.sizes, self.memory, self.missing);
        let no_work = offer.barred.or_else(|| short.then(nothing));
        let empty_handed = request.held.is_empty() && offer.leases.is_empty();
        after.no_work = no_work.as_ref().filter(|_| empty_handed).map(|reason| reason.message.clone());
        let mut sizes = self.sizes.clone();
        // When every planned game is finished some may still wait to be played again, by whoever measures its speed
        // for them.
        if short || request.speeds.is_empty() {
            sizes.extend(&self.replay_sizes);
            sizes.sort_unstable();
            sizes.dedup();
        }
        let response = SyncResponse {
            acks,
            leases: offer.leases,
            revoked,
            directive: after.directive,
            sizes,
            next_sync_ms: next_sync_ms(terms.sync_ms, no_work.as_ref(), request),
            no_work,
        };
        (response, after)
    }
}

/// Workers out of work ask sooner, because a game that comes back makes work; everybody's interval is a little
/// different, so that a restart does not bring them all at once for ever.
fn next_sync_ms(sync_ms: u64, no_work: Option<&NoWork>, request: &SyncRequest) -> u64 {
    let base = match no_work.map(|reason| reason.code) {
        Some(NoWorkCode::AllLeased | NoWorkCode::NotCalibrated) => sync_ms / 2,
        _ => sync_ms,
    };
    base + base * (request.session.0.as_u64_pair().1 % 20) / 100
}
