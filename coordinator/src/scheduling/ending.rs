//! How leases end, other than by their games, and what becomes of their pairs.

use super::let_go::is_set_aside;
use crate::store::{ActiveLease, BY_REPLAY, Books, LeaseState, LetGo, PairRow, PairState, StoreError};
use crate::tally;
use crate::terms::Terms;
use protocol::ids::{ExperimentId, WorkerId};
use std::collections::BTreeSet;

/// Characters that are kept of what went wrong with a pair.
const LONGEST_TROUBLE: usize = 500;

/// Failures of leases for playing again at which a machine is named that failed most of them, and every time as many
/// again.
const TELLING_FAILURES: i64 = 8;

/// Takes an active lease back through no doing of its worker: its pair is wanted again.
pub(crate) async fn take_back(books: &mut Books<'_>, lease: &ActiveLease) -> Result<(), StoreError> {
    release(books, lease, LeaseState::Returned, false).await
}

/// Takes everything back that a worker holds, through no doing of its own.
pub(crate) async fn take_all_back(books: &mut Books<'_>, worker: WorkerId) -> Result<(), StoreError> {
    for lease in books.active_leases(worker).await? {
        take_back(books, &lease).await?;
    }
    books.written().await?;
    Ok(())
}

/// Takes an active lease back that its worker let go in good order: its pair is wanted again, by others first.
pub(crate) async fn take_let_go(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
) -> Result<(), StoreError> {
    release(books, lease, state, true).await
}

/// Ends an active lease that way, which is no failure of its pair: that is wanted again.
async fn release(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
    let_go: bool,
) -> Result<(), StoreError> {
    books.set_lease_state(lease.id, state).await?;
    if lease.replays.is_some() {
        return recheck_let_go(books, lease, None).await;
    }
    let Some(pair) = leased_pair(books, lease).await? else { return Ok(()) };
    books.change(lease.cell).pairs_in_flight -= 1;
    books.put_pair(PairRow { state: PairState::Open, let_go: pair.let_go + i64::from(let_go), ..pair });
    if let_go {
        let note = LetGo { times: 1, failures: 0, plies: lease.plies, how: state.name() };
        books.note_let_go(lease, note);
    }
    give_way_no_more(books, lease, &pair).await
}

/// Counts what came late while a pair was lent under a lease that has ended. Whoever comes late had let the pair go, so
/// there is nothing to look for in pairs that are let go for the first time.
async fn give_way_no_more(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    before: &PairRow,
) -> Result<(), StoreError> {
    if before.let_go > 0 { tally::count_late(books, lease).await } else { Ok(()) }
}

/// Takes an active lease back whose pair failed, which is `trouble`: the pair is wanted again after all others of its
/// cell, by others first, or set aside when that was once too often.
pub(crate) async fn take_failed(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    state: LeaseState,
    trouble: &str,
    terms: &Terms,
) -> Result<(), StoreError> {
    books.set_lease_state(lease.id, state).await?;
    if lease.replays.is_some() {
        return recheck_let_go(books, lease, Some(terms.most_failures)).await;
    }
    let Some(before) = leased_pair(books, lease).await? else { return Ok(()) };
    books.change(lease.cell).pairs_in_flight -= 1;
    let (failures, let_go) = (before.failures + 1, before.let_go + 1);
    let pair = PairRow { state: PairState::Open, failures, let_go, ..before };
    books.put_pair(pair);
    books.note_let_go(lease, LetGo { times: 1, failures: 1, plies: lease.plies, how: state.name() });
    books.note_trouble(&pair, shown(trouble));
    if is_set_aside(books, &pair, terms).await? {
        tracing::error!(cell.id = %pair.cell, pair.idx = pair.idx, "pair {} of cell {} failed {failures} times and is \
            set aside; the last time {trouble}. `gauntlet retry` puts it back", pair.idx, pair.cell);
        books.change(lease.cell).pairs_aside += 1;
        books.put_pair(PairRow { state: PairState::Aside(books.now_ms), ..pair });
    }
    give_way_no_more(books, lease, &before).await
}

/// A machine let go of a lease for playing again; with `most_failures`, because it failed. One that fails these leases more
/// than others is named: it may do so for somebody whose games these are.
pub(crate) async fn recheck_let_go(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    most_failures: Option<i64>,
) -> Result<(), StoreError> {
    let (had, failed) = books.tx().want_replay_again(lease.id, lease.worker, most_failures).await?;
    if most_failures.is_some() && failed % TELLING_FAILURES == 0 && failed * 2 > had {
        let note =
            format!("it failed {failed} of the {had} leases for playing games of others again that it had");
        tracing::warn!(worker.id = %lease.worker, "a machine is conspicuous: {note}");
        let (now_ms, what) = (books.now_ms, format!("machine {}", lease.worker));
        books.tx().note_change(BY_REPLAY, ("conspicuous", &what, &note), now_ms).await?;
    }
    Ok(())
}

/// Counts as a failure of its pair that the process which played a lease died, though the next one goes on with it.
/// Whether it may: one that failed so often goes to others or is set aside, and a check by playing again begins anew.
pub(crate) async fn may_go_on(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    trouble: &str,
    terms: &Terms,
) -> Result<bool, StoreError> {
    let pair = leased_pair(books, lease).await?.filter(|pair| pair.failures + 1 < terms.most_failures);
    let (Some(pair), None) = (pair, lease.replays) else {
        take_failed(books, lease, LeaseState::Revoked, trouble, terms).await?;
        return Ok(false);
    };
    let pair = PairRow { failures: pair.failures + 1, ..pair };
    books.put_pair(pair);
    let how = LeaseState::Active.name();
    books.note_let_go(lease, LetGo { times: 0, failures: 1, plies: lease.plies, how });
    books.note_trouble(&pair, shown(trouble));
    Ok(true)
}

/// Has a lease that lapsed go on, whose pair is in nobody's hands, because its worker is heard again. Whether it may.
pub(crate) async fn revive(
    books: &mut Books<'_>,
    lease: &ActiveLease,
    failed: bool,
) -> Result<Option<ActiveLease>, StoreError> {
    let pair = books.pair(lease.cell, lease.idx).await?;
    let Some(pair) = pair.filter(|pair| matches!(pair.state, PairState::Open | PairState::Aside(_))) else {
        return Ok(None);
    };
    if let PairState::Aside(_) = pair.state {
        books.change(lease.cell).pairs_aside -= 1;
    }
    let held = (lease.cell, lease.idx, lease.worker);
    books.written().await?.forget_let_go(held, i64::from(failed)).await?;
    books.put_pair(PairRow {
        state: PairState::Leased(lease.id),
        failures: (pair.failures - i64::from(failed)).max(0),
        let_go: (pair.let_go - 1).max(0),
        ..pair
    });
    let lease = ActiveLease { state: LeaseState::Active, ended_ms: None, ..*lease };
    books.put_lease(lease);
    books.change(lease.cell).pairs_in_flight += 1;
    Ok(Some(lease))
}

/// Takes back every lease whose deadline has passed, in the books.
pub(crate) async fn lapse(books: &mut Books<'_>, terms: &Terms) -> Result<u64, StoreError> {
    let expired = books.expired_leases().await?;
    let holders: BTreeSet<WorkerId> = expired.iter().map(|lease| lease.worker).collect();
    let holders = books.tx().workers_before(&Vec::from_iter(holders)).await?;
    for lease in &expired {
        // Who said good-bye kept the game for its next start, which did not come in time.
        if holders.get(&lease.worker).is_some_and(|worker| worker.away) {
            take_let_go(books, lease, LeaseState::Lapsed).await?;
            continue;
        }
        tracing::warn!(lease.id = %lease.id, worker.id = %lease.worker, "a lease lapsed: its pair will be played by another worker");
        let trouble = format!("nothing was heard of worker {} until the lease lapsed", lease.worker);
        take_failed(books, lease, LeaseState::Lapsed, &trouble, terms).await?;
    }
    Ok(expired.len() as u64)
}

/// Hands out again what was set aside of an experiment's pairs; gives their number.
pub(crate) async fn retry(books: &mut Books<'_>, experiment: ExperimentId) -> Result<u64, StoreError> {
    let aside = books.written().await?.aside_pairs(experiment, i64::MAX).await?;
    books.tx().forget_failures(experiment).await?;
    for row in &aside {
        books.put_pair(PairRow { state: PairState::Open, failures: 0, ..row.pair });
        books.change(row.pair.cell).pairs_aside -= 1;
    }
    books.written().await?;
    Ok(aside.len() as u64)
}

/// The pair of a lease, if it is lent under this one.
pub(super) async fn leased_pair(
    books: &mut Books<'_>,
    lease: &ActiveLease,
) -> Result<Option<PairRow>, StoreError> {
    let pair = books.pair(lease.cell, lease.idx).await?;
    Ok(pair.filter(|pair| pair.state == PairState::Leased(lease.id)))
}

/// What can be stored and shown of a text that came from elsewhere.
fn shown(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_TROUBLE).collect()
}
