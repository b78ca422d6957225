//! The workers' calls of a group, inside the writer's transaction: the results of all first, then the leases in hand, then
//! new ones.

use crate::judge::Rejection;
use crate::ledger::count;
use crate::queue::Queue;
use crate::replays;
use crate::schedule::{self, Grant, grant, lapse, may_go_on, no_work, take_back, take_failed};
use crate::store::{
    Able, ActiveLease, Books, LeaseState, Missing, PairState, Play, StoreError, WorkerAfter, WorkerBefore,
};
use engine::havannah::BoardSize;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{ExperimentId, LeaseId, WorkerId};
use protocol::lease::Lease;
use protocol::memory::Mib;
use protocol::sync::{Ack, AckStatus, Directive, NoWork, NoWorkCode, SyncRequest, SyncResponse};
use std::cmp::Ordering;
use std::collections::HashMap;
use thiserror::Error;

/// Leases given in one call at most, whatever was asked.
const MOST_LEASES: u32 = 1024;

/// A worker's call whose games have been judged.
#[derive(Debug)]
pub(crate) struct JudgedSync {
    pub(crate) request: SyncRequest,
    /// As many as the request has games, in its order.
    pub(crate) judged: Vec<Result<(Play, PlayRecord), Rejection>>,
    /// Likewise: the play that a game is another play of, if its lease is for playing again.
    pub(crate) replays: Vec<Option<LeaseId>>,
}

/// What decides about leases; times in milliseconds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    pub(crate) lease_ms: i64,
    pub(crate) stall_ms: i64,
    pub(crate) sync_ms: u64,
    /// A pair that failed so often is set aside.
    pub(crate) most_failures: i64,
    pub(crate) only: Option<ExperimentId>,
    /// The share of counted games that another machine plays again, from 0 to 1.
    pub(crate) replay_share: f64,
}

impl Terms {
    /// Whether games are played again.
    fn replays(&self) -> bool {
        self.replay_share > 0.0 && self.only.is_none()
    }
}

/// The call comes from a process whose place another process of the same worker has taken.
#[derive(Debug, Error)]
#[error(
    "another process runs as this worker ({worker}) since this one began: is the state directory a copy? Give each \
     process a state directory of its own; this one stops"
)]
pub(crate) struct Superseded {
    worker: WorkerId,
}

/// What became of a call's results and of the leases in its worker's hands.
struct Taken<'a> {
    call: &'a JudgedSync,
    /// The worker's quarantine is to be looked up: it was there before, or a report of this group may have brought it there.
    suspect: bool,
    acks: Vec<Ack>,
    revoked: Vec<LeaseId>,
    after: WorkerAfter<'a>,
}

/// The answer to a call, or why its process is not heard.
pub(crate) type Answer = Result<SyncResponse, Superseded>;

/// Answers the calls of a group, each of another worker. Nothing of the answers may leave before the transaction is
/// committed.
pub(crate) async fn sync(
    books: &mut Books<'_>,
    calls: &[&JudgedSync],
    terms: &Terms,
    lapsed: &mut u64,
) -> Result<Vec<Answer>, StoreError> {
    let workers: Vec<WorkerId> = calls.iter().map(|call| call.request.worker).collect();
    let before = books.tx().workers_before(&workers).await?;
    let (mut named, mut results) = (Vec::new(), Vec::new());
    for JudgedSync { request, .. } in calls {
        results.extend(request.finished.iter().map(|game| (game.game, game.lease)));
        named.extend(request.finished.iter().map(|game| game.lease));
        named.extend(request.held.iter().map(|held| held.lease));
        named.extend(request.failed.iter().map(|failed| failed.lease));
    }
    books.read(&workers, &named, &results).await?;

    let mut heard = Vec::with_capacity(calls.len());
    for call in calls {
        heard.push(hear(books, call, before.get(&call.request.worker), terms).await?);
    }
    // Nothing but results is taken from those who are not heard.
    if heard.iter().any(|heard| matches!(heard, Heard::InTurn(_))) {
        *lapsed += lapse(books, terms).await?;
    }

    let replayed = calls.iter().any(|call| call.replays.iter().any(Option::is_some));
    let wanted: u32 = calls.iter().map(|call| call.request.want.min(MOST_LEASES)).sum();
    let mut lender = Lender::new(books, terms, wanted).await?;
    let mut offers = Vec::with_capacity(calls.len());
    for heard in heard {
        offers.push(match heard {
            Heard::InTurn(taken) => {
                let offer = lender.offer(books, &taken, taken.suspect || replayed).await?;
                Ok((taken, offer))
            }
            Heard::OutOfTurn(answer) => Err(answer),
        });
    }
    let rest = Rest::new(books, terms, &offers).await?;
    let mut after = Vec::with_capacity(calls.len());
    let answers = offers.into_iter().map(|offered| match offered {
        Ok((taken, offer)) => {
            let (response, worker) = rest.conclude(taken, offer, terms);
            after.push(worker);
            Ok(response)
        }
        Err(answer) => answer,
    });
    let answers = answers.collect();
    let now_ms = books.now_ms;
    books.tx().put_workers(&after, now_ms).await?;
    Ok(answers)
}

/// What was heard in a call.
enum Heard<'a> {
    InTurn(Taken<'a>),
    /// Only its results were taken: this is the answer.
    OutOfTurn(Answer),
}

/// Where a call stands among those of its worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// It is the first of all, or comes after the last one that was heard.
    Next,
    /// The worker was started anew.
    Anew,
    /// A later call of the same process was heard before it, or it was heard itself.
    Late,
    /// A process that was started later was heard before it.
    Superseded,
}

impl Turn {
    fn of(request: &SyncRequest, before: &WorkerBefore) -> Self {
        match request.start.cmp(&before.start) {
            Ordering::Greater => Self::Anew,
            Ordering::Less => Self::Superseded,
            // Two copies of a state directory that were started for the same time: the first that is heard
            // goes on.
            Ordering::Equal if request.session != before.session => Self::Superseded,
            Ordering::Equal if request.sequence <= before.sequence => Self::Late,
            Ordering::Equal => Self::Next,
        }
    }
}

/// The answer to a call that was overtaken: its worker has heard all else by a later one, or will.
fn only_acknowledged(acks: Vec<Ack>, directive: Directive, terms: &Terms) -> SyncResponse {
    let (leases, revoked, sizes) = (Vec::new(), Vec::new(), Vec::new());
    SyncResponse { acks, leases, revoked, directive, sizes, next_sync_ms: terms.sync_ms, no_work: None }
}

/// Takes what a call brings.
///
/// The newest process of a worker is the worker: it takes over at once, because after a crash nobody could
/// say that the last one is gone. Those before it are refused from then on; else two processes of one state
/// directory would take each other's leases away for ever. Of one process the call with the highest number is
/// the newest, whatever arrives after it: an older one knows nothing of the leases given since, and neither
/// takes nor returns any. What either brings of results is stored all the same.
async fn hear<'a>(
    books: &mut Books<'_>,
    call: &'a JudgedSync,
    before: Option<&WorkerBefore>,
    terms: &Terms,
) -> Result<Heard<'a>, StoreError> {
    let (request, now_ms) = (&call.request, books.now_ms);
    let turn = before.map_or(Turn::Next, |before| Turn::of(request, before));
    if let (Some(before), Turn::Late | Turn::Superseded) = (before, turn) {
        let (acks, counted) = take_results(books, call, before.quarantined, terms).await?;
        if counted > 0 {
            books.tx().add_worker_games(request.worker, counted).await?;
        }
        if turn == Turn::Late {
            return Ok(Heard::OutOfTurn(Ok(only_acknowledged(acks, before.directive, terms))));
        }
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "refused a process of this worker, because a later one took its place");
        return Ok(Heard::OutOfTurn(Err(Superseded { worker: request.worker })));
    }
    let anew = turn == Turn::Anew;
    if anew && before.is_some_and(|before| !before.away && now_ms - before.seen_ms < 2 * terms.sync_ms as i64)
    {
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "the worker started anew while its last process was heard of moments ago; two processes must not share one state directory");
    }
    Ok(Heard::InTurn(take(books, call, before, anew, terms).await?))
}

/// Takes a call's results, and sees to the leases in its worker's hands.
async fn take<'a>(
    books: &mut Books<'_>,
    call: &'a JudgedSync,
    before: Option<&WorkerBefore>,
    anew: bool,
    terms: &Terms,
) -> Result<Taken<'a>, StoreError> {
    let (request, now_ms) = (&call.request, books.now_ms);
    // To drain is said to the process that runs: one that is started afterwards was started to work.
    let directive = match before.map(|before| before.directive) {
        Some(Directive::Drain) if anew => Directive::Work,
        told => told.unwrap_or(Directive::Work),
    };
    let progress_ms =
        before.filter(|_| request.finished.is_empty()).map_or(now_ms, |before| before.progress_ms);
    let mut after = WorkerAfter { request, directive, games_counted: 0, progress_ms, no_work: None };
    if before.is_none() {
        // Leases and games refer to their worker.
        books.tx().put_workers(std::slice::from_ref(&after), now_ms).await?;
    }
    let quarantined = before.is_some_and(|before| before.quarantined);
    let (acks, counted) = take_results(books, call, quarantined, terms).await?;
    take_failures(books, request, terms).await?;
    let was_away = before.is_some_and(|before| before.away);
    let (revoked, progress_ms) = reconcile(books, request, (anew, was_away), terms, progress_ms).await?;
    (after.games_counted, after.progress_ms) = (counted, progress_ms);
    Ok(Taken { call, suspect: quarantined, acks, revoked, after })
}

/// Hands out leases to the workers of a group.
struct Lender<'a> {
    terms: &'a Terms,
    queue: Queue,
    /// Whether there are games to be played again.
    replays: bool,
}

/// What a worker gets.
struct Offer {
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
    async fn new(books: &mut Books<'_>, terms: &'a Terms, wanted: u32) -> Result<Self, StoreError> {
        let replays = wanted > 0 && terms.replays() && !books.tx().wants_fewer_replays_than(1).await?;
        Ok(Self { terms, queue: Queue::new(terms.only, i64::from(wanted)), replays })
    }

    async fn offer(
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
            replays::grant(books, &wanted, &mut leases).await?;
        }
        grant(books, &wanted, &mut self.queue, &mut leases).await?;
        Ok(Offer { want: wanted.want as usize, able: wanted.able, leases, barred })
    }
}

/// What is left when all leases of a group are given, for its answers.
struct Rest {
    sizes: Vec<BoardSize>,
    /// Of games to be played again.
    replay_sizes: Vec<BoardSize>,
    missing: Option<Missing>,
    /// The least that an open cell may need.
    memory: Option<Mib>,
}

impl Rest {
    /// Reads what these answers need.
    async fn new(
        books: &mut Books<'_>,
        terms: &Terms,
        offers: &[Result<(Taken<'_>, Offer), Answer>],
    ) -> Result<Self, StoreError> {
        let short = offers.iter().flatten().any(|(_, offer)| offer.is_short());
        let unmeasured = offers.iter().flatten().any(|(taken, _)| taken.call.request.speeds.is_empty());
        let tx = books.written().await?;
        let sizes = tx.sizes_in_play(engine::SEMANTICS, terms.only).await?;
        let memory = if short && !sizes.is_empty() {
            tx.memory_in_play(engine::SEMANTICS, terms.only, Mib(0)).await?.map(|(least, _)| least)
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
            missing: if short { tx.missing(terms.only, engine::SEMANTICS).await? } else { None },
        })
    }

    /// The answer to a call, and what is stored of its worker.
    fn conclude<'a>(&self, taken: Taken<'a>, offer: Offer, terms: &Terms) -> (SyncResponse, WorkerAfter<'a>) {
        let Taken { call: JudgedSync { request, .. }, acks, revoked, mut after, .. } = taken;
        let short = offer.is_short();
        let nothing = || no_work((offer.able, request.memory), &self.sizes, self.memory, self.missing);
        let no_work = offer.barred.or_else(|| short.then(nothing));
        let empty_handed = request.held.is_empty() && offer.leases.is_empty();
        after.no_work = no_work.as_ref().filter(|_| empty_handed).map(|reason| reason.message.clone());
        let mut sizes = self.sizes.clone();
        // When every planned game is finished some may still wait to be played again, by whoever measures its speed for them.
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

/// Stores every game and says what became of it; gives the number of games counted, too.
async fn take_results(
    books: &mut Books<'_>,
    call: &JudgedSync,
    quarantined: bool,
    terms: &Terms,
) -> Result<(Vec<Ack>, i64), StoreError> {
    let mut acks = Vec::with_capacity(call.judged.len());
    let mut counted = 0;
    for ((finished, judged), replays) in call.request.finished.iter().zip(&call.judged).zip(&call.replays) {
        let (status, message) = match judged {
            Ok((play, _)) if books.has_play(play.id, play.lease).await? => (AckStatus::Duplicate, None),
            Ok((play, record)) if quarantined => {
                replays::keep_apart(books, play, record).await?;
                (AckStatus::Superseded, Some("this machine is in quarantine: the game is kept apart".into()))
            }
            Ok((play, record)) => match *replays {
                Some(checked) => {
                    replays::take(books, (play, record), checked).await?;
                    (AckStatus::Superseded, None)
                }
                None => (take_result(books, play, record, terms).await?, None),
            },
            Err(rejection) => {
                tracing::warn!(game.id = %finished.game, lease.id = %finished.lease,
                    worker.name = call.request.name, "rejected a game: {rejection}");
                if let Some(lease) = held_lease(books, finished.lease, call.request.worker).await? {
                    let trouble = format!("a game of worker {} was rejected: {rejection}", call.request.name);
                    take_failed(books, &lease, LeaseState::Revoked, &trouble, terms).await?;
                }
                (AckStatus::Rejected, Some(rejection.to_string()))
            }
        };
        counted += i64::from(status == AckStatus::Accepted);
        acks.push(Ack { game: finished.game, lease: finished.lease, status, message });
    }
    Ok((acks, counted))
}

/// Takes back the leases that the worker could not play.
async fn take_failures(
    books: &mut Books<'_>,
    request: &SyncRequest,
    terms: &Terms,
) -> Result<(), StoreError> {
    for failed in &request.failed {
        if let Some(lease) = held_lease(books, failed.lease, request.worker).await? {
            tracing::warn!(lease.id = %lease.id, worker.name = request.name, "a pair could not be played: {}", failed.why);
            let trouble = format!("worker {} could not play it: {}", request.name, failed.why);
            take_failed(books, &lease, LeaseState::Revoked, &trouble, terms).await?;
        }
    }
    Ok(())
}

/// An active lease of this worker.
async fn held_lease(
    books: &mut Books<'_>,
    lease: LeaseId,
    worker: WorkerId,
) -> Result<Option<ActiveLease>, StoreError> {
    let lease = books.lease(lease).await?;
    Ok(lease.filter(|lease| lease.worker == worker && lease.state == LeaseState::Active))
}

/// Stores one play. It counts if its half of the pair has no counted game yet, whatever became of its lease.
async fn take_result(
    books: &mut Books<'_>,
    play: &Play,
    record: &PlayRecord,
    terms: &Terms,
) -> Result<AckStatus, StoreError> {
    if !count(books, play).await? {
        let late = Play { status: GameStatus::Superseded, ..*play };
        books.insert_play(&late, record)?;
        return Ok(AckStatus::Superseded);
    }
    books.insert_play(play, record)?;
    tracing::info!(game.id = %play.id, cell.id = %play.cell, lease.id = %play.lease, worker.id = %play.worker,
        board.size = record.speed.size.get(), sims_per_s = record.speed.sims_per_s,
        "counted a game: {}, the case was {}", play.outcome, play.case_side);
    if terms.replays() {
        replays::draw(books, play, record, terms.replay_share).await?;
    }
    Ok(AckStatus::Accepted)
}

/// Extends what the worker still holds and takes back what it does not list: given back in good order, or lost with the
/// process before, when the worker started `anew` and had not said good-bye. Gives the leases that it lists and holds no
/// longer, and when one of its games last moved on.
async fn reconcile(
    books: &mut Books<'_>,
    request: &SyncRequest,
    (anew, was_away): (bool, bool),
    terms: &Terms,
    mut progress_ms: i64,
) -> Result<(Vec<LeaseId>, i64), StoreError> {
    let now_ms = books.now_ms;
    let listed: HashMap<LeaseId, u32> = request.held.iter().map(|held| (held.lease, held.plies)).collect();
    let (mut active, mut revoked) = (Vec::new(), Vec::new());
    let trouble = format!("worker {} ended without a word and started anew", request.name);
    for lease in books.active_leases(request.worker).await? {
        let is_listed = listed.contains_key(&lease.id);
        match (is_listed, anew && !was_away) {
            // A game that goes on where its process died may be what it died of.
            (true, true) if !may_go_on(books, &lease, &trouble, terms).await? => revoked.push(lease.id),
            (true, _) => active.push(lease),
            (false, true) => take_failed(books, &lease, LeaseState::Returned, &trouble, terms).await?,
            (false, false) => take_back(books, &lease).await?,
        }
    }
    // A worker that was out of reach for a while and comes back before anybody took over goes on where it was.
    for held in &request.held {
        if revoked.contains(&held.lease) || active.iter().any(|lease| lease.id == held.lease) {
            continue;
        }
        match books.lease(held.lease).await? {
            Some(lease)
                if lease.worker == request.worker
                    && lease.state == LeaseState::Lapsed
                    && lease.replays.is_none() =>
            {
                match books.pair(lease.cell, lease.idx).await? {
                    Some(mut pair) if matches!(pair.state, PairState::Open | PairState::Aside(_)) => {
                        if let PairState::Aside(_) = pair.state {
                            books.change(lease.cell).pairs_aside -= 1;
                        }
                        pair.state = PairState::Leased(lease.id);
                        pair.failures = (pair.failures - i64::from(!was_away)).max(0);
                        books.put_pair(pair);
                        let lease = ActiveLease { state: LeaseState::Active, ..lease };
                        books.put_lease(lease);
                        books.change(lease.cell).pairs_in_flight += 1;
                        active.push(lease);
                    }
                    _ => revoked.push(held.lease),
                }
            }
            _ => revoked.push(held.lease),
        }
    }
    if active.iter().any(|lease| listed.get(&lease.id) != Some(&lease.plies)) {
        progress_ms = now_ms;
    }
    let deadline_ms = now_ms + terms.lease_ms;
    for lease in &active {
        let plies = listed.get(&lease.id).copied().unwrap_or(lease.plies);
        if plies != lease.plies {
            books.put_lease(ActiveLease { plies, progress_ms: now_ms, deadline_ms, ..*lease });
            continue;
        }
        // A lease that waits for a free slot stands at 0 plies and is judged by the worker's other games.
        let moved_ms = if plies == 0 { lease.progress_ms.max(progress_ms) } else { lease.progress_ms };
        if now_ms - moved_ms >= terms.stall_ms {
            tracing::warn!(lease.id = %lease.id, worker.name = request.name,
                "a game stood still at ply {plies} for too long: its pair will be played again");
            let trouble = format!("it stood still at ply {plies} on worker {}", request.name);
            take_failed(books, lease, LeaseState::Revoked, &trouble, terms).await?;
            revoked.push(lease.id);
        } else {
            books.put_lease(ActiveLease { deadline_ms, ..*lease });
        }
    }
    Ok((revoked, progress_ms))
}
