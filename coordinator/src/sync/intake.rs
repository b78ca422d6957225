//! What a call brings: results, failures, and the leases in its worker's hands.

use super::{JudgedSync, MOST_LEASES, Terms};
use crate::in_hand::{Overdue, Progress, overdue};
use crate::ledger::count;
use crate::left_games;
use crate::replays;
use crate::schedule::{may_go_on, revive, take_back, take_failed, take_let_go};
use crate::store::{ActiveLease, BY_BOUNDS, BY_QUARANTINE, Books, LeaseState, PairState, Play, StoreError};
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{Ack, AckStatus, SyncRequest};
use std::collections::HashMap;

/// Stores every game and says what became of it; gives the number of games counted, too. The worker is in quarantine,
/// or may choose what it delivers, because it ever let a pair go.
pub(super) async fn take_results(
    books: &mut Books<'_>,
    call: &JudgedSync,
    (quarantined, chooses): (bool, bool),
    terms: &Terms,
) -> Result<(Vec<Ack>, i64), StoreError> {
    let mut acks = Vec::with_capacity(call.judged.len());
    let mut counted = 0;
    for ((finished, judged), replays) in call.request.finished.iter().zip(&call.judged).zip(&call.replays) {
        let (status, message) = match judged {
            Ok((play, _)) if books.has_play(play.id, play.lease).await? => (AckStatus::Duplicate, None),
            Ok((play, record)) if quarantined => {
                let why = ("the machine was in quarantine when it came", BY_QUARANTINE);
                replays::keep_apart(books, play, record, why).await?;
                (AckStatus::Superseded, Some("this machine is in quarantine: the game is kept apart".into()))
            }
            Ok((play, record)) => match *replays {
                Some(checked) => {
                    replays::take(books, (play, record), checked).await?;
                    (AckStatus::Superseded, None)
                }
                None => match play.odd {
                    Some(odd) => {
                        let why = odd.to_string();
                        tracing::warn!(game.id = %play.id, lease.id = %play.lease, worker.name = call.request.name,
                            "kept a game apart: {why}");
                        replays::keep_apart(books, play, record, (&why, BY_BOUNDS)).await?;
                        (AckStatus::Superseded, Some(format!("the game is kept apart: {why}")))
                    }
                    None => (take_result(books, play, record, (chooses, terms)).await?, None),
                },
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
pub(super) async fn take_failures(
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

/// Whether the pair of a play is lent to somebody else by now, under a lease that has not run out: it is the holder's to
/// finish. Whoever let it go chose when to come back.
async fn is_lent_to_another(books: &mut Books<'_>, play: &Play) -> Result<bool, StoreError> {
    let pair = books.pair(play.cell, play.idx).await?;
    let Some(PairState::Leased(lease)) = pair.map(|pair| pair.state) else { return Ok(false) };
    if lease == play.lease {
        return Ok(false);
    }
    let holder = books.lease(lease).await?;
    Ok(holder.is_some_and(|holder| holder.worker != play.worker && holder.deadline_ms >= books.now_ms))
}

/// Stores one play. It counts if its half of the pair has no counted game yet, whatever became of its lease, unless the
/// pair is lent to somebody else: then it counts when that lease ends without the game.
async fn take_result(
    books: &mut Books<'_>,
    play: &Play,
    record: &PlayRecord,
    (chooses, terms): (bool, &Terms),
) -> Result<AckStatus, StoreError> {
    if is_lent_to_another(books, play).await? || !count(books, play).await? {
        let late = Play { status: GameStatus::Superseded, ..*play };
        books.insert_play(&late, record)?;
        return Ok(AckStatus::Superseded);
    }
    books.insert_play(play, record)?;
    left_games::note(books, play, chooses).await?;
    tracing::info!(game.id = %play.id, cell.id = %play.cell, lease.id = %play.lease, worker.id = %play.worker,
        board.size = record.speed.size.get(), sims_per_s = record.speed.sims_per_s.round() as u64,
        "counted a game: {}, the case was {}", play.outcome, play.case_side);
    if terms.replays() {
        replays::draw(books, play, record, terms.replay_share).await?;
    }
    Ok(AckStatus::Accepted)
}

/// The leases in a worker's hands, after its call.
#[derive(Debug, Default)]
pub(super) struct InHand {
    /// Those that it lists and holds no longer.
    pub(super) revoked: Vec<LeaseId>,
    /// Those of which no answer told it.
    pub(super) unheard: Vec<ActiveLease>,
    /// When one of its games last moved on.
    pub(super) progress_ms: i64,
}

/// How a worker comes to a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coming {
    /// Its process is another than that of the call before.
    pub(super) anew: bool,
    /// It had said good-bye.
    pub(super) was_away: bool,
    /// It may get leases.
    pub(super) works: bool,
    /// When one of its games last moved on.
    pub(super) progress_ms: i64,
}

/// Extends what the worker still holds and takes back what it does not list: given back in good order, or lost with
/// the process before, when the worker started anew and had not said good-bye. What it cannot list, because the answers
/// that told of it never arrived, it gets again as far as it wants leases.
pub(super) async fn reconcile(
    books: &mut Books<'_>,
    request: &SyncRequest,
    coming: Coming,
    terms: &Terms,
) -> Result<InHand, StoreError> {
    let now_ms = books.now_ms;
    let Coming { anew, was_away, works, progress_ms } = coming;
    let listed: HashMap<LeaseId, u32> = request.held.iter().map(|held| (held.lease, held.plies)).collect();
    let (mut active, mut revoked, mut unheard) = (Vec::new(), Vec::new(), Vec::new());
    let trouble = format!("worker {} ended without a word and started anew", request.name);
    let heard = |lease: &ActiveLease| anew || request.heard.is_none_or(|heard| lease.call <= heard);
    let most_unheard = if works { request.want.min(MOST_LEASES) as usize } else { 0 };
    for lease in books.active_leases(request.worker).await? {
        let is_listed = listed.contains_key(&lease.id);
        match (is_listed, anew && !was_away) {
            // A game that goes on where its process died may be what it died of.
            (true, true) if !may_go_on(books, &lease, &trouble, terms).await? => revoked.push(lease.id),
            (true, _) => active.push(lease),
            (false, true) => take_failed(books, &lease, LeaseState::Returned, &trouble, terms).await?,
            (false, false) if heard(&lease) => take_let_go(books, &lease, LeaseState::Returned).await?,
            (false, false) if lease.replays.is_none() && unheard.len() < most_unheard => {
                unheard.push(lease);
                active.push(lease);
            }
            (false, false) => take_back(books, &lease).await?,
        }
    }
    // A worker that was out of reach for a while and comes back before anybody took over goes on where it was.
    for held in &request.held {
        if revoked.contains(&held.lease) || active.iter().any(|lease| lease.id == held.lease) {
            continue;
        }
        let lease = books.lease(held.lease).await?;
        let lapsed = lease.filter(|lease| {
            let is_possible = Progress::of(lease, held.plies, anew) != Progress::Impossible;
            let is_own = lease.worker == request.worker && lease.replays.is_none();
            is_own && is_possible && lease.state == LeaseState::Lapsed
        });
        let revived = match lapsed {
            Some(lease) => revive(books, &lease, !was_away).await?,
            None => None,
        };
        match revived {
            Some(lease) => active.push(lease),
            None => revoked.push(held.lease),
        }
    }
    let reported = |lease: &ActiveLease| listed.get(&lease.id).copied().unwrap_or(lease.plies);
    let progress = |lease: &ActiveLease| Progress::of(lease, reported(lease), anew);
    let moved = active.iter().any(|lease| progress(lease) == Progress::Moved);
    let progress_ms = if moved { now_ms } else { progress_ms };
    let deadline_ms = now_ms + terms.lease_ms;
    for lease in &active {
        match progress(lease) {
            Progress::Moved => {
                let plies = reported(lease);
                books.put_lease(ActiveLease { plies, progress_ms: now_ms, deadline_ms, ..*lease });
                continue;
            }
            // It lapses.
            Progress::Impossible => continue,
            Progress::Still => {}
        }
        match overdue(lease, progress_ms, now_ms, terms) {
            None => {
                books.put_lease(ActiveLease { deadline_ms, ..*lease });
                continue;
            }
            Some(Overdue::NeverBegun) => take_let_go(books, lease, LeaseState::Revoked).await?,
            Some(Overdue::Stood) => {
                let plies = lease.plies;
                tracing::warn!(lease.id = %lease.id, worker.name = request.name,
                    "a game stood still at ply {plies} for too long: its pair will be played again");
                let trouble = format!("it stood still at ply {plies} on worker {}", request.name);
                take_failed(books, lease, LeaseState::Revoked, &trouble, terms).await?;
            }
        }
        unheard.retain(|unheard: &ActiveLease| unheard.id != lease.id);
        if listed.contains_key(&lease.id) {
            revoked.push(lease.id);
        }
    }
    Ok(InHand { revoked, unheard, progress_ms })
}
