//! The results of a call, and the leases that its worker could not play.

use super::call::{JudgedGame, JudgedSync};
use crate::checking::{quarantine, rechecks};
use crate::log_sums::Event;
use crate::scheduling::{fail_lease, shown};
use crate::store::{BY_BOUNDS, BY_QUARANTINE, LeaseRow, LeaseState, PairState, Play, StoreError, WriteBatch};
use crate::tally::count;
use crate::terms::Terms;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{Ack, AckStatus, SyncRequest, SyncResponse};

/// Stores every game of a call; gives the acknowledgements and the number of games counted.
pub(super) async fn take_results(
    batch: &mut WriteBatch<'_>,
    call: &JudgedSync,
    quarantined: bool,
    terms: &Terms,
) -> Result<(Vec<Ack>, i64), StoreError> {
    let mut acks = Vec::with_capacity(call.games.len());
    let mut counted = 0;
    for (finished, JudgedGame { verdict, recheck }) in call.request.finished.iter().zip(&call.games) {
        let (status, message) = match verdict {
            Ok((play, _)) if batch.has_play(play.id, play.lease).await? => (AckStatus::Duplicate, None),
            Ok((play, record)) => {
                let play = &batch.spend(play).await?;
                match (quarantined, *recheck, play.odd) {
                    (true, ..) => {
                        let why = ("the machine was in quarantine when it came", BY_QUARANTINE);
                        quarantine::insert_excluded(batch, play, record, why).await?;
                        let message = "this machine is in quarantine: the game is kept apart";
                        (AckStatus::Superseded, Some(message.into()))
                    }
                    (_, Some(recheck), _) => {
                        rechecks::take(batch, (play, record), (recheck.checked, recheck.whole)).await?;
                        (AckStatus::Superseded, None)
                    }
                    (.., Some(odd)) => {
                        let why = odd.to_string();
                        batch.log.note(Event::KeptApart, play.worker, || {
                            format!(
                                "game {} of lease {} from {}: {why}",
                                play.id, play.lease, call.request.name
                            )
                        });
                        quarantine::insert_excluded(batch, play, record, (&why, BY_BOUNDS)).await?;
                        (AckStatus::Superseded, Some(format!("the game is kept apart: {why}")))
                    }
                    (.., None) => (take_result(batch, play, record).await?, None),
                }
            }
            Err(rejection) => {
                batch.log.note(Event::Rejected, call.request.worker, || {
                    let (game, lease, name) = (finished.game, finished.lease, &call.request.name);
                    format!("game {game} of lease {lease} from {name}: {rejection}")
                });
                if let Some(lease) = held_lease(batch, finished.lease, call.request.worker).await? {
                    let trouble = format!("a game of worker {} was rejected: {rejection}", call.request.name);
                    fail_lease(batch, &lease, LeaseState::Revoked, &trouble, terms).await?;
                }
                (AckStatus::Rejected, Some(rejection.to_string()))
            }
        };
        counted += i64::from(status == AckStatus::Accepted);
        acks.push(Ack { game: finished.game, lease: finished.lease, status, message });
    }
    Ok((acks, counted))
}

/// Logs the games of a call that were counted. Called after the commit: before it, they may still be undone.
pub(crate) fn log_counted(call: &JudgedSync, answer: &SyncResponse) {
    for (ack, judged) in answer.acks.iter().zip(&call.games) {
        let (AckStatus::Accepted, Ok((play, record))) = (ack.status, &judged.verdict) else { continue };
        tracing::debug!(game.id = %play.id, cell.id = %play.cell, lease.id = %play.lease, worker.id = %play.worker,
            board.size = record.speed.size.get(), sims_per_s = record.speed.sims_per_s.round() as u64,
            "counted a game: {}, the case was {}", play.outcome, play.case_side);
    }
}

/// Ends the leases that the worker could not play.
pub(super) async fn take_failures(
    batch: &mut WriteBatch<'_>,
    request: &SyncRequest,
    terms: &Terms,
) -> Result<(), StoreError> {
    for failed in &request.failed {
        if let Some(lease) = held_lease(batch, failed.lease, request.worker).await? {
            let why = shown(&failed.why);
            batch.log.note(Event::NotPlayed, lease.worker, || {
                format!("that of lease {} by {}: {why}", lease.id, request.name)
            });
            let trouble = format!("worker {} could not play it: {why}", request.name);
            fail_lease(batch, &lease, LeaseState::Revoked, &trouble, terms).await?;
        }
    }
    Ok(())
}

/// An active lease of this worker.
async fn held_lease(
    batch: &mut WriteBatch<'_>,
    lease: LeaseId,
    worker: WorkerId,
) -> Result<Option<LeaseRow>, StoreError> {
    let lease = batch.lease(lease).await?;
    Ok(lease.filter(|lease| lease.worker == worker && lease.state == LeaseState::Active))
}

/// Whether another worker holds the pair of a play under a lease that has not expired. Then the holder finishes the pair, because
/// the sender chose the time of its return.
async fn is_lent_to_another(batch: &mut WriteBatch<'_>, play: &Play) -> Result<bool, StoreError> {
    let pair = batch.pair(play.cell, play.idx).await?;
    let Some(PairState::Leased(lease)) = pair.map(|pair| pair.state) else { return Ok(false) };
    if lease == play.lease {
        return Ok(false);
    }
    let holder = batch.lease(lease).await?;
    Ok(holder.is_some_and(|holder| holder.worker != play.worker && holder.deadline_ms >= batch.now_ms))
}

/// Stores one play. The play counts if its half of the pair has no counted game yet, whatever the state of its lease. If another
/// worker holds the pair, the play counts only when that lease ends without the game.
async fn take_result(
    batch: &mut WriteBatch<'_>,
    play: &Play,
    record: &PlayRecord,
) -> Result<AckStatus, StoreError> {
    if is_lent_to_another(batch, play).await? || !count(batch, play).await? {
        let late = Play { status: GameStatus::Superseded, ..*play };
        batch.insert_play(&late, record)?;
        return Ok(AckStatus::Superseded);
    }
    batch.insert_play(play, record)?;
    Ok(AckStatus::Accepted)
}
