//! The worker's call, inside the writer's transaction: results first, then the leases in hand, then new ones.

use crate::judge::Rejection;
use crate::ledger::count;
use crate::replays;
use crate::schedule::{self, Grant, grant, lapse, no_work, take_back, take_failed};
use crate::store::{ActiveLease, Changes, LeaseState, PairState, Play, StoreError, Tx, WorkerBefore};
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{ExperimentId, LeaseId, WorkerId};
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

/// The call comes from a process whose place another process of the same worker has taken.
#[derive(Debug, Error)]
#[error(
    "another process runs as this worker ({worker}) since this one began: is the state directory a copy? Give each \
     process a state directory of its own; this one stops"
)]
pub(crate) struct Superseded {
    worker: WorkerId,
}

/// Answers a call. Nothing of the answer may leave before the transaction is committed.
///
/// The newest process of a worker is the worker: it takes over at once, because after a crash nobody could
/// say that the last one is gone. Those before it are refused from then on; else two processes of one state
/// directory would take each other's leases away for ever. Of one process the call with the highest number is
/// the newest, whatever arrives after it: an older one knows nothing of the leases given since, and neither
/// takes nor returns any. What either brings of results is stored all the same.
pub(crate) async fn sync(
    tx: &mut Tx,
    call: &JudgedSync,
    terms: &Terms,
    now_ms: i64,
    lapsed: &mut u64,
) -> Result<Result<SyncResponse, Superseded>, StoreError> {
    let request = &call.request;
    let before = tx.worker(request.worker).await?;
    let mut changes = Changes::default();
    let turn = before.map_or(Turn::Next, |before| Turn::of(request, &before));
    if let (Some(before), Turn::Late | Turn::Superseded) = (&before, turn) {
        let noted = (&mut changes, now_ms);
        let (acks, counted) = take_results(tx, call, before.quarantined, terms, noted).await?;
        changes.flush(tx, now_ms).await?;
        if counted > 0 {
            tx.add_worker_games(request.worker, counted).await?;
        }
        if turn == Turn::Late {
            return Ok(Ok(only_acknowledged(acks, before.directive, terms)));
        }
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "refused a process of this worker, because a later one took its place");
        return Ok(Err(Superseded { worker: request.worker }));
    }
    let anew = turn == Turn::Anew;
    if anew && before.is_some_and(|before| now_ms - before.seen_ms < 2 * terms.sync_ms as i64) {
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "the worker started anew while its last process was heard of moments ago; two processes must not share one state directory");
    }
    tx.put_worker(request, now_ms).await?;

    let quarantined = before.is_some_and(|before| before.quarantined);
    let (acks, counted) = take_results(tx, call, quarantined, terms, (&mut changes, now_ms)).await?;
    take_failures(tx, request, terms, &mut changes, now_ms).await?;
    let progress = before.map_or(now_ms, |before| before.progress_ms);
    let progress = if request.finished.is_empty() { progress } else { now_ms };
    let (revoked, progress_ms) = reconcile(tx, request, anew, terms, progress, &mut changes, now_ms).await?;
    changes.flush(tx, now_ms).await?;
    *lapsed += lapse(tx, terms, now_ms).await?;

    // To drain is said to the process that runs: one that is started afterwards was started to work.
    let directive = match before.map(|before| before.directive) {
        Some(Directive::Drain) if anew => Directive::Work,
        told => told.unwrap_or(Directive::Work),
    };
    if before.is_some_and(|before| before.directive != directive) {
        tx.set_directive(request.worker, directive).await?;
    }
    // Its own report may have brought it there.
    let quarantine = if quarantined || call.replays.iter().any(Option::is_some) {
        tx.quarantine(request.worker).await?
    } else {
        None
    };
    let want = if directive == Directive::Work && quarantine.is_none() { request.want } else { 0 };
    let calibrated = schedule::calibrated(request.speeds.iter().map(|speed| speed.size));
    let wanted = Grant {
        worker: request.worker,
        want: want.min(MOST_LEASES),
        calibrated,
        only: terms.only,
        now_ms,
        lease_ms: terms.lease_ms,
    };
    let mut leases = Vec::new();
    if terms.replay_share > 0.0 && terms.only.is_none() {
        replays::grant(tx, &wanted, &mut leases).await?;
    }
    grant(tx, &wanted, &mut leases).await?;
    let no_work = if let Some(why) = quarantine {
        let message = format!("this machine is in quarantine: {why}; `gauntlet fleet release` takes it back");
        Some(NoWork { code: NoWorkCode::Quarantined, message })
    } else if directive != Directive::Work {
        let message =
            format!("somebody told this worker to {directive}; `gauntlet fleet resume` takes it back");
        Some(NoWork { code: NoWorkCode::Paused, message })
    } else if leases.len() < wanted.want as usize {
        Some(no_work(tx, calibrated, terms.only).await?)
    } else {
        None
    };
    let empty_handed = request.held.is_empty() && leases.is_empty();
    let words = no_work.as_ref().filter(|_| empty_handed).map(|reason| reason.message.as_str());
    tx.conclude_worker(request.worker, counted, progress_ms, words).await?;
    let mut sizes = tx.sizes_in_play(engine::SEMANTICS, terms.only).await?;
    // When every planned game is finished some may still wait to be played again, by whoever measures its
    // speed for them.
    let idle = leases.len() < wanted.want as usize || request.speeds.is_empty();
    if idle && terms.replay_share > 0.0 && terms.only.is_none() {
        sizes.extend(tx.sizes_to_replay(engine::SEMANTICS).await?);
        sizes.sort_unstable();
        sizes.dedup();
    }
    Ok(Ok(SyncResponse {
        acks,
        leases,
        revoked,
        directive,
        sizes,
        next_sync_ms: next_sync_ms(terms.sync_ms, no_work.as_ref(), request),
        no_work,
    }))
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

/// Workers out of work ask sooner, because a game that comes back makes work; everybody's interval is a
/// little different, so that a restart does not bring them all at once for ever.
fn next_sync_ms(sync_ms: u64, no_work: Option<&NoWork>, request: &SyncRequest) -> u64 {
    let base = match no_work.map(|reason| reason.code) {
        Some(NoWorkCode::AllLeased | NoWorkCode::NotCalibrated) => sync_ms / 2,
        _ => sync_ms,
    };
    base + base * (request.session.0.as_u64_pair().1 % 20) / 100
}

/// Stores every game and says what became of it; gives the number of games counted, too.
async fn take_results(
    tx: &mut Tx,
    call: &JudgedSync,
    quarantined: bool,
    terms: &Terms,
    (changes, now_ms): (&mut Changes, i64),
) -> Result<(Vec<Ack>, i64), StoreError> {
    let mut acks = Vec::with_capacity(call.judged.len());
    let mut counted = 0;
    for ((finished, judged), replays) in call.request.finished.iter().zip(&call.judged).zip(&call.replays) {
        let (status, message) = match judged {
            Ok((play, _)) if tx.play(play.id, play.lease).await?.is_some() => (AckStatus::Duplicate, None),
            Ok((play, record)) if quarantined => {
                replays::keep_apart(tx, play, record, now_ms).await?;
                (AckStatus::Superseded, Some("this machine is in quarantine: the game is kept apart".into()))
            }
            Ok((play, record)) => match *replays {
                Some(checked) => {
                    replays::take(tx, (play, record), checked, changes, now_ms).await?;
                    (AckStatus::Superseded, None)
                }
                None => (take_result(tx, play, record, terms, (&mut *changes, now_ms)).await?, None),
            },
            Err(rejection) => {
                tracing::warn!(game.id = %finished.game, lease.id = %finished.lease,
                    worker.name = call.request.name, "rejected a game: {rejection}");
                if let Some(lease) = held_lease(tx, finished.lease, call.request.worker).await? {
                    let trouble = format!("a game of worker {} was rejected: {rejection}", call.request.name);
                    let noted = (&mut *changes, now_ms);
                    take_failed(tx, &lease, LeaseState::Revoked, &trouble, terms, noted).await?;
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
    tx: &mut Tx,
    request: &SyncRequest,
    terms: &Terms,
    changes: &mut Changes,
    now_ms: i64,
) -> Result<(), StoreError> {
    for failed in &request.failed {
        if let Some(lease) = held_lease(tx, failed.lease, request.worker).await? {
            tracing::warn!(lease.id = %lease.id, worker.name = request.name, "a pair could not be played: {}", failed.why);
            let trouble = format!("worker {} could not play it: {}", request.name, failed.why);
            take_failed(tx, &lease, LeaseState::Revoked, &trouble, terms, (&mut *changes, now_ms)).await?;
        }
    }
    Ok(())
}

/// An active lease of this worker.
async fn held_lease(
    tx: &mut Tx,
    lease: LeaseId,
    worker: WorkerId,
) -> Result<Option<ActiveLease>, StoreError> {
    let lease = tx.lease(lease).await?;
    Ok(lease.filter(|lease| lease.worker == worker && lease.state == LeaseState::Active))
}

/// Stores one play. It counts if its half of the pair has no counted game yet, whatever became of its lease.
async fn take_result(
    tx: &mut Tx,
    play: &Play,
    record: &PlayRecord,
    terms: &Terms,
    (changes, now_ms): (&mut Changes, i64),
) -> Result<AckStatus, StoreError> {
    if !count(tx, play, changes).await? {
        let late = Play { status: GameStatus::Superseded, ..*play };
        tx.insert_play(&late, record, now_ms).await?;
        return Ok(AckStatus::Superseded);
    }
    tx.insert_play(play, record, now_ms).await?;
    tracing::info!(game.id = %play.id, cell.id = %play.cell, lease.id = %play.lease, worker.id = %play.worker,
        board.size = record.speed.size.get(), sims_per_s = record.speed.sims_per_s,
        "counted a game: {}, the case was {}", play.outcome, play.case_side);
    if terms.replay_share > 0.0 && terms.only.is_none() {
        replays::draw(tx, play, record, terms.replay_share, now_ms).await?;
    }
    Ok(AckStatus::Accepted)
}

/// Extends what the worker still holds and takes back what it does not list: given back in good order, or
/// lost with the process before, when the worker started `anew`. Gives the leases that it lists and holds no
/// longer, and when one of its games last moved on.
async fn reconcile(
    tx: &mut Tx,
    request: &SyncRequest,
    anew: bool,
    terms: &Terms,
    mut progress_ms: i64,
    changes: &mut Changes,
    now_ms: i64,
) -> Result<(Vec<LeaseId>, i64), StoreError> {
    let listed: HashMap<LeaseId, u32> = request.held.iter().map(|held| (held.lease, held.plies)).collect();
    let mut active = Vec::new();
    for lease in tx.active_leases(request.worker).await? {
        if listed.contains_key(&lease.id) {
            active.push(lease);
        } else if anew {
            let trouble = format!("worker {} ended without a word and started anew", request.name);
            let noted = (&mut *changes, now_ms);
            take_failed(tx, &lease, LeaseState::Returned, &trouble, terms, noted).await?;
        } else {
            take_back(tx, &lease, changes).await?;
        }
    }
    // A worker that was out of reach for a while and comes back before anybody took over goes on where it
    // was.
    let mut revoked = Vec::new();
    for held in &request.held {
        if active.iter().any(|lease| lease.id == held.lease) {
            continue;
        }
        match tx.lease(held.lease).await? {
            Some(lease)
                if lease.worker == request.worker
                    && lease.state == LeaseState::Lapsed
                    && lease.replays.is_none() =>
            {
                match tx.pair(lease.cell, lease.idx).await? {
                    Some(mut pair) if matches!(pair.state, PairState::Open | PairState::Aside(_)) => {
                        if let PairState::Aside(_) = pair.state {
                            changes.of(lease.cell).pairs_aside -= 1;
                        }
                        pair.state = PairState::Leased(lease.id);
                        pair.failures = (pair.failures - 1).max(0);
                        tx.put_pair(&pair).await?;
                        tx.set_lease_state(lease.id, LeaseState::Active).await?;
                        changes.of(lease.cell).pairs_in_flight += 1;
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
    for lease in &active {
        let plies = listed.get(&lease.id).copied().unwrap_or(lease.plies);
        if plies != lease.plies {
            tx.note_plies(lease.id, plies, now_ms).await?;
            continue;
        }
        // A lease that waits for a free slot stands at 0 plies and is judged by the worker's other games.
        let moved_ms = if plies == 0 { lease.progress_ms.max(progress_ms) } else { lease.progress_ms };
        if now_ms - moved_ms >= terms.stall_ms {
            tracing::warn!(lease.id = %lease.id, worker.name = request.name,
                "a game stood still at ply {plies} for too long: its pair will be played again");
            let trouble = format!("it stood still at ply {plies} on worker {}", request.name);
            let noted = (&mut *changes, now_ms);
            take_failed(tx, lease, LeaseState::Revoked, &trouble, terms, noted).await?;
            revoked.push(lease.id);
        }
    }
    tx.extend_leases(request.worker, now_ms + terms.lease_ms).await?;
    Ok((revoked, progress_ms))
}
