//! What a call brings: results, failures, and the leases in its worker's hands.

use super::{JudgedSync, Terms};
use crate::ledger::count;
use crate::replays;
use crate::schedule::{may_go_on, take_back, take_failed};
use crate::store::{ActiveLease, Books, LeaseState, PairState, Play, StoreError};
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{Ack, AckStatus, SyncRequest};
use std::collections::HashMap;

/// Stores every game and says what became of it; gives the number of games counted, too.
pub(super) async fn take_results(
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
        board.size = record.speed.size.get(), sims_per_s = record.speed.sims_per_s.round() as u64,
        "counted a game: {}, the case was {}", play.outcome, play.case_side);
    if terms.replays() {
        replays::draw(books, play, record, terms.replay_share).await?;
    }
    Ok(AckStatus::Accepted)
}

/// Extends what the worker still holds and takes back what it does not list: given back in good order, or lost with
/// the process before, when the worker started `anew` and had not said good-bye. Gives the leases that it lists and
/// holds no longer, and when one of its games last moved on.
pub(super) async fn reconcile(
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
