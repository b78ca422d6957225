//! Reassigns pairs that a stopping rule waits for, while later pairs may be played in vain or machines have no other work.
//!
//! A rule reads the pairs of a cell in their order. A machine that holds one pair keeps the rule waiting, and every pair that
//! others complete meanwhile may be one that the rule does not need. So a pair that many later ones have overtaken goes to
//! another machine. In a full cell no later pair is left to overtake it. There the pair goes to a machine without other work,
//! once its lease is as old as that many pairs take. Its seed is fixed, so both machines play the same game where the budget is
//! in simulations; the first result counts.

use super::abandoned::{Machine, waits};
use super::capabilities::requirements;
use super::ending::abandon_lease;
use crate::log_sums::Event;
use crate::store::{
    AbandonedBy, AwaitedPair, Candidate, Capabilities, Counters, LeaseRow, LeaseState, PairRow, PairState,
    PresentWorker, StoreError, WriteBatch,
};
use crate::terms::Terms;

/// For each pair of the cell that other machines play at the same time, the limit grows by [`Terms::overtaking`] divided by this:
/// while a machine plays a pair, each other machine completes about one.
const EACH: i64 = 4;

/// A pair in a full cell is held for at least so long before another machine gets it, in milliseconds: it may wait in a queue,
/// and its result for the next call.
const HELD_MS: i64 = 10_000;

/// How many pairs must be complete behind one that a rule waits for, while other machines play `others` pairs of the cell. The
/// number is multiplied by one plus the times that the pair was abandoned.
pub(crate) fn pairs_behind(overtaking: i64, others: i64, abandoned: i64) -> i64 {
    (overtaking + others.max(0) * (overtaking / EACH).max(1)).saturating_mul(1 + abandoned)
}

/// How long a pair of a full cell may be held, in milliseconds, if it is expected to take `expected_us`.
pub(crate) fn longest_held_ms(overtaking: i64, expected_us: i64, abandoned: i64) -> i64 {
    (overtaking.saturating_mul(expected_us) / 1_000).max(HELD_MS).saturating_mul(1 + abandoned)
}

/// Takes back the pair that the cell's stopping rule waits for, if its holder was overtaken; gives the pair. A machine that
/// abandoned it does not get it back.
pub(super) async fn overtaken(
    batch: &mut WriteBatch<'_>,
    candidate: &Candidate,
    counters: Counters,
    machine: Machine<'_>,
    terms: &Terms,
) -> Result<Option<PairRow>, StoreError> {
    let Some(read) = candidate.pairs_read else { return Ok(None) };
    let behind = counters.pairs_done - read;
    if behind < terms.overtaking {
        return Ok(None);
    }
    let idx = u32::try_from(read).map_err(StoreError::unreadable("experiment_cell.stop_ll"))?;
    let Some(pair) = batch.pair(candidate.cell, idx).await? else { return Ok(None) };
    let PairState::Leased(lease) = pair.state else { return Ok(None) };
    let Some(lease) = batch.lease(lease).await? else { return Ok(None) };
    let held = batch.active_leases(lease.worker).await?;
    let held = held.iter().filter(|held| held.cell == candidate.cell && held.rechecks.is_none()).count();
    let others = counters.pairs_in_flight - held as i64;
    if behind < pairs_behind(terms.overtaking, others, pair.abandoned) {
        return Ok(None);
    }
    tracing::debug!(cell.id = %candidate.cell, "{behind} pairs after pair {idx} are complete, for which the stopping rule waits");
    take_over(batch, (candidate, &lease), machine, terms).await
}

/// Takes back the pair that the stopping rule of a full cell waits for, if it was held for long.
pub(super) async fn held_for_long(
    batch: &mut WriteBatch<'_>,
    AwaitedPair { candidate, lease }: &AwaitedPair,
    (machine, capabilities): (Machine<'_>, Capabilities),
    terms: &Terms,
) -> Result<Option<PairRow>, StoreError> {
    let now_ms = batch.now_ms;
    if !capabilities.suffice_for(requirements(&candidate.spec)) {
        return Ok(None);
    }
    let Some(lease) = batch.lease(*lease).await?.filter(|lease| lease.state == LeaseState::Active) else {
        return Ok(None);
    };
    let Some(pair) = batch.pair(lease.cell, lease.idx).await? else { return Ok(None) };
    if now_ms - lease.granted_ms < longest_held_ms(terms.overtaking, lease.charge_us, pair.abandoned) {
        return Ok(None);
    }
    take_over(batch, (candidate, &lease), machine, terms).await
}

/// Takes a pair back for another machine. A machine of another principal is preferred if one is present that has not abandoned
/// the pair: otherwise the holder's next process would get it.
async fn take_over(
    batch: &mut WriteBatch<'_>,
    (candidate, lease): (&Candidate, &LeaseRow),
    (worker, principal): Machine<'_>,
    terms: &Terms,
) -> Result<Option<PairRow>, StoreError> {
    let (cell, idx) = (lease.cell, lease.idx);
    if lease.worker == worker {
        return Ok(None);
    }
    let mut abandoned = batch.written().await?.abandoned_by(cell, idx).await?;
    if abandoned.iter().any(|note| note.worker == worker) {
        return Ok(None);
    }
    let present = batch.present_workers(terms.lease_ms).await?;
    if let Some(holder) = present.iter().find(|other| other.worker == lease.worker) {
        abandoned.push(AbandonedBy {
            worker: holder.worker,
            principal: holder.principal.clone(),
            failures: 0,
        });
    }
    let needed = requirements(&candidate.spec);
    let able: Vec<&PresentWorker> = present.iter().filter(|other| other.can_play(needed)).collect();
    if waits(&abandoned, (worker, principal), &able) {
        return Ok(None);
    }
    batch
        .log
        .note(Event::Overtaken, lease.worker, || format!("pair {idx} of cell {cell}, lease {}", lease.id));
    abandon_lease(batch, lease, LeaseState::Revoked).await?;
    let pair = batch.pair(cell, idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Open))
}
