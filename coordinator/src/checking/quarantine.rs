//! Quarantine of machines, and games that are stored but do not count.

use crate::log_sums::Event;
use crate::scheduling::return_all_leases;
use crate::store::{BY_BOUNDS, BY_RECHECK, Play, StoreError, WriteBatch};
use crate::tally;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::WorkerId;
use protocol::words::counted;

/// Puts a machine and all others of its token in quarantine, ends their leases, and notes that in the audit. Gives
/// whether the machine was not in quarantine before.
pub(crate) async fn quarantine(
    batch: &mut WriteBatch<'_>,
    (worker, name): (WorkerId, &str),
    why: &str,
    who: &str,
) -> Result<bool, StoreError> {
    if batch.tx().quarantine(worker).await?.is_some() {
        return Ok(false);
    }
    let told = format!("a machine is in quarantine: {why}. `gauntlet fleet release` ends the quarantine");
    // An order by a person is logged at a lower level, because the person gets the answer to the request.
    match who {
        BY_RECHECK | BY_BOUNDS => tracing::error!(worker.id = %worker, worker.name = name, "{told}"),
        _ => tracing::info!(worker.id = %worker, worker.name = name, "{told}"),
    }
    batch.tx().set_quarantine(worker, Some(why)).await?;
    return_all_leases(batch, worker).await?;
    follow_quarantine(batch, worker).await?;
    let now_ms = batch.now_ms;
    batch.tx().note_change(who, ("quarantine", &format!("machine {name} ({worker})"), why), now_ms).await?;
    Ok(true)
}

/// Puts all machines of a worker's token in quarantine if one of them is; gives whether that is so. Thus a machine
/// escapes neither with another id nor with another token.
pub(crate) async fn follow_quarantine(
    batch: &mut WriteBatch<'_>,
    worker: WorkerId,
) -> Result<bool, StoreError> {
    let machines = batch.tx().of_same_token(worker).await?;
    let Some(why) = machines.iter().find_map(|(_, _, why)| why.clone()) else { return Ok(false) };
    for (other, name, _) in machines.into_iter().filter(|(_, _, quarantine)| quarantine.is_none()) {
        batch.log.note(Event::Followed, worker, || format!("machine {name} ({other}): {why}"));
        batch.tx().set_quarantine(other, Some(&why)).await?;
        return_all_leases(batch, other).await?;
    }
    Ok(true)
}

/// Releases a machine and all others of its token, and restores the games that they sent meanwhile. Gives whether the
/// machine was in quarantine.
pub(crate) async fn release(
    batch: &mut WriteBatch<'_>,
    (worker, name): (WorkerId, &str),
    who: &str,
) -> Result<bool, StoreError> {
    if batch.tx().quarantine(worker).await?.is_none() {
        return Ok(false);
    }
    let mut kept = 0_u64;
    for (machine, _, _) in batch.tx().of_same_token(worker).await? {
        batch.tx().set_quarantine(machine, None).await?;
        for play in batch.written().await?.plays_in_quarantine(machine).await? {
            tally::restore(batch, play).await?;
            kept += 1;
        }
    }
    let detail = format!("put back what it sent meanwhile: {}", counted(kept, "game"));
    let now_ms = batch.now_ms;
    batch.tx().note_change(who, ("release", &format!("machine {name} ({worker})"), &detail), now_ms).await?;
    Ok(true)
}

/// Stores a game that does not count until a person restores it, with the reason and the name of the author.
pub(crate) async fn insert_excluded(
    batch: &mut WriteBatch<'_>,
    play: &Play,
    record: &PlayRecord,
    why: (&str, &str),
) -> Result<(), StoreError> {
    let apart = Play { status: GameStatus::Superseded, ..*play };
    batch.insert_play(&apart, record)?;
    batch.change(play.cell).void_games += 1;
    batch.written().await?.set_play_status(play.id, play.lease, GameStatus::Excluded, Some(why)).await
}
