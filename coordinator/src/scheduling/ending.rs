//! How leases end, other than by their games, and what becomes of their pairs.

use super::abandoned::is_suspended;
use crate::log_sums::Event;
use crate::store::{
    Abandonment, BY_RECHECK, LeaseRow, LeaseState, PairRow, PairState, StoreError, WriteBatch,
};
use crate::tally;
use crate::terms::Terms;
use protocol::ids::{ExperimentId, WorkerId};
use std::collections::BTreeSet;

/// The longest stored description of a failure, in characters.
const LONGEST_TROUBLE: usize = 500;

/// A machine that failed this many rechecks, and more than half of those that it had, is reported; and again after as
/// many further failures.
const TELLING_FAILURES: i64 = 8;

/// Ends all leases of a worker for a reason that is not the worker's: their pairs are open again.
pub(crate) async fn return_all_leases(
    batch: &mut WriteBatch<'_>,
    worker: WorkerId,
) -> Result<(), StoreError> {
    for lease in batch.active_leases(worker).await? {
        release(batch, &lease, LeaseState::Returned, false).await?;
    }
    batch.written().await?;
    Ok(())
}

/// Ends a lease that its worker returned in good order. The pair is open again, for other workers first.
pub(crate) async fn abandon_lease(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    state: LeaseState,
) -> Result<(), StoreError> {
    release(batch, lease, state, true).await
}

/// Ends a lease in `state`, which is not a failure of its pair.
async fn release(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    state: LeaseState,
    abandoned: bool,
) -> Result<(), StoreError> {
    batch.set_lease_state(lease.id, state).await?;
    if lease.rechecks.is_some() {
        return abandon_recheck(batch, lease, None).await;
    }
    let Some(pair) = leased_pair(batch, lease).await? else { return Ok(()) };
    batch.change(lease.cell).pairs_in_flight -= 1;
    batch.put_pair(PairRow {
        state: PairState::Open,
        abandoned: pair.abandoned + i64::from(abandoned),
        ..pair
    });
    if abandoned {
        let note = Abandonment { times: 1, failures: 0, voids: 0, plies: lease.plies, how: state.name() };
        batch.note_abandoned(lease, note);
    }
    count_late_plays(batch, lease, &pair).await
}

/// Counts late plays that gave way to this lease. Only a worker that abandoned the pair can send such a play, so there is none
/// for a pair that is abandoned for the first time.
async fn count_late_plays(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    before: &PairRow,
) -> Result<(), StoreError> {
    if before.abandoned > 0 { tally::count_late(batch, lease).await } else { Ok(()) }
}

/// Ends a lease because its pair failed, as `trouble` describes. The pair is played soon by other workers, after a second
/// failure after all others of its cell; after too many failures it is suspended.
pub(crate) async fn fail_lease(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    state: LeaseState,
    trouble: &str,
    terms: &Terms,
) -> Result<(), StoreError> {
    batch.set_lease_state(lease.id, state).await?;
    if lease.rechecks.is_some() {
        return abandon_recheck(batch, lease, Some(terms.most_failures)).await;
    }
    let Some(before) = leased_pair(batch, lease).await? else { return Ok(()) };
    batch.change(lease.cell).pairs_in_flight -= 1;
    let (failures, abandoned) = (before.failures + 1, before.abandoned + 1);
    let pair = PairRow { state: PairState::Open, failures, abandoned, ..before };
    batch.put_pair(pair);
    batch.note_abandoned(
        lease,
        Abandonment { times: 1, failures: 1, voids: 1, plies: lease.plies, how: state.name() },
    );
    batch.note_trouble(&pair, shown(trouble));
    if is_suspended(batch, &pair, terms).await? {
        batch.log.note(Event::SetAside, lease.worker, || {
            format!(
                "pair {} of cell {}, which failed {failures} times, the last time {trouble}",
                pair.idx, pair.cell
            )
        });
        batch.change(lease.cell).pairs_aside += 1;
        batch.put_pair(PairRow { state: PairState::Suspended(batch.now_ms), ..pair });
    }
    count_late_plays(batch, lease, &before).await
}

/// Ends the recheck of a machine; with `most_failures`, as a failure. A machine that fails rechecks more often than
/// others is reported: it may do so to protect the machine whose games they are.
pub(crate) async fn abandon_recheck(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    most_failures: Option<i64>,
) -> Result<(), StoreError> {
    let (had, failed) = batch.tx().want_recheck_again(lease.id, lease.worker, most_failures).await?;
    if most_failures.is_some() && failed % TELLING_FAILURES == 0 && failed * 2 > had {
        let note = format!(
            "it failed {failed} of its {had} rechecks, which are leases to play games of others again"
        );
        tracing::warn!(worker.id = %lease.worker, "a machine is conspicuous: {note}");
        let (now_ms, what) = (batch.now_ms, format!("machine {}", lease.worker));
        batch.tx().note_change(BY_RECHECK, ("conspicuous", &what, &note), now_ms).await?;
    }
    Ok(())
}

/// Counts a failure of the pair because the worker process died, although the next process could go on with the game.
/// Gives whether it may: a pair that failed too often goes to others or is suspended, and a recheck starts again from
/// the beginning.
pub(crate) async fn may_continue(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    trouble: &str,
    terms: &Terms,
) -> Result<bool, StoreError> {
    let pair = leased_pair(batch, lease).await?.filter(|pair| pair.failures + 1 < terms.most_failures);
    let (Some(pair), None) = (pair, lease.rechecks) else {
        fail_lease(batch, lease, LeaseState::Revoked, trouble, terms).await?;
        return Ok(false);
    };
    let pair = PairRow { failures: pair.failures + 1, ..pair };
    batch.put_pair(pair);
    let how = LeaseState::Active.name();
    batch.note_abandoned(lease, Abandonment { times: 0, failures: 1, voids: 0, plies: lease.plies, how });
    batch.note_trouble(&pair, shown(trouble));
    Ok(true)
}

/// Makes a lapsed lease active again when its worker calls and no other worker holds the pair. Gives the lease if that was
/// possible.
pub(crate) async fn revive(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
    failed: bool,
) -> Result<Option<LeaseRow>, StoreError> {
    let pair = batch.pair(lease.cell, lease.idx).await?;
    let Some(pair) = pair.filter(|pair| matches!(pair.state, PairState::Open | PairState::Suspended(_)))
    else {
        return Ok(None);
    };
    if let PairState::Suspended(_) = pair.state {
        batch.change(lease.cell).pairs_aside -= 1;
    }
    let held = (lease.cell, lease.idx, lease.worker);
    let voids = batch.written().await?.forget_abandoned(held, i64::from(failed)).await?;
    batch.change(lease.cell).void_games -= voids;
    batch.put_pair(PairRow {
        state: PairState::Leased(lease.id),
        failures: (pair.failures - i64::from(failed)).max(0),
        abandoned: (pair.abandoned - 1).max(0),
        ..pair
    });
    let lease = LeaseRow { state: LeaseState::Active, ended_ms: None, ..*lease };
    batch.put_lease(lease);
    batch.change(lease.cell).pairs_in_flight += 1;
    Ok(Some(lease))
}

/// Ends every lease whose deadline has passed; gives their number.
pub(crate) async fn lapse(batch: &mut WriteBatch<'_>, terms: &Terms) -> Result<u64, StoreError> {
    let expired = batch.expired_leases().await?;
    let holders: BTreeSet<WorkerId> = expired.iter().map(|lease| lease.worker).collect();
    let holders = batch.tx().workers_before(&Vec::from_iter(holders)).await?;
    for lease in &expired {
        // A worker that left in good order kept the game for its next start, which did not come in time. That is no
        // failure.
        if holders.get(&lease.worker).is_some_and(|worker| worker.away) {
            abandon_lease(batch, lease, LeaseState::Lapsed).await?;
            continue;
        }
        batch.log.note(Event::Lapsed, lease.worker, || format!("lease {}", lease.id));
        let trouble = format!("worker {} did not call until the lease lapsed", lease.worker);
        fail_lease(batch, lease, LeaseState::Lapsed, &trouble, terms).await?;
    }
    Ok(expired.len() as u64)
}

/// Reopens the suspended pairs of an experiment; gives their number.
pub(crate) async fn retry(batch: &mut WriteBatch<'_>, experiment: ExperimentId) -> Result<u64, StoreError> {
    let suspended = batch.written().await?.suspended_pairs(experiment, i64::MAX).await?;
    batch.tx().forget_failures(experiment).await?;
    for row in &suspended {
        batch.put_pair(PairRow { state: PairState::Open, failures: 0, ..row.pair });
        batch.change(row.pair.cell).pairs_aside -= 1;
    }
    batch.written().await?;
    Ok(suspended.len() as u64)
}

/// The pair of a lease, if the lease still holds it.
pub(super) async fn leased_pair(
    batch: &mut WriteBatch<'_>,
    lease: &LeaseRow,
) -> Result<Option<PairRow>, StoreError> {
    let pair = batch.pair(lease.cell, lease.idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Leased(lease.id)))
}

/// A text from outside in a form that can be stored, logged and shown.
pub(crate) fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TROUBLE).collect()
}
