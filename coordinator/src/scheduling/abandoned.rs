//! Pairs that a machine abandoned: which machine gets them next, and when they are suspended.
//!
//! The seed of a pair is fixed, so a machine that abandons a pair may know how its games end. A machine that abandons lost games
//! would choose its results. Therefore such a pair goes to another machine. A machine does not get it back while a machine of
//! another principal is present that could play it and has not abandoned it. The same holds among the machines of one principal.
//! A machine is present if it called within a lease's time and asked for work within an hour. If no other machine is present,
//! every machine may have the pair, so that a single machine is never without work.
//!
//! A pair that failed [`Terms::most_failures`] times is suspended when as many principals failed it, or when every present
//! machine that could play it has failed it (with a single principal, as many machines are enough). Until as many principals have
//! failed it, the suspension holds for those principals only: a machine of another principal gets the pair rather than the answer
//! that there is no work.

use crate::principal::Principal;
use crate::store::{AbandonedBy, Capabilities, PairRow, PresentWorker, StoreError, WriteBatch};
use crate::terms::Terms;
use protocol::ids::{CellId, WorkerId};
use std::collections::BTreeSet;

/// The most open pairs of a cell that are searched for one that no other machine will play.
const MAX_CANDIDATES: i64 = 16;

/// The same in a cell that has fresh pairs.
const MAX_CANDIDATES_WITH_FRESH_PAIRS: i64 = 4;

/// A pair with this many failures comes after the others of its cell: its games may be the cause. After the first failure it is
/// played at once, because the death of the machine is the likelier cause, and stopping rules read the pairs in their order.
const SEVERAL: i64 = 2;

/// A machine and its principal.
pub(crate) type Machine<'a> = (WorkerId, &'a Principal);

impl PresentWorker {
    pub(super) fn can_play(&self, requirements: Capabilities) -> bool {
        self.capabilities.suffice_for(requirements)
    }
}

/// Whether a pair waits for a machine other than this one. `abandoned` lists the machines that abandoned it.
pub(super) fn waits(
    abandoned: &[AbandonedBy],
    (worker, principal): Machine<'_>,
    present: &[&PresentWorker],
) -> bool {
    let by_principal = |principal: &Principal| abandoned.iter().any(|note| note.principal == *principal);
    let by_worker = |worker| abandoned.iter().any(|note| note.worker == worker);
    if !by_principal(principal) {
        return false;
    }
    let others_have_the_first_claim =
        present.iter().any(|other| other.principal != *principal && !by_principal(&other.principal));
    let own = |other: &&&PresentWorker| other.principal == *principal && other.worker != worker;
    let another_of_its_own = || present.iter().filter(own).any(|other| !by_worker(other.worker));
    others_have_the_first_claim || (by_worker(worker) && another_of_its_own())
}

/// Whether no machine is left to try a pair. `abandoned` lists the machines that failed it.
fn is_unplayable(abandoned: &[AbandonedBy], present: &[&PresentWorker], most: i64) -> bool {
    let failed = || abandoned.iter().filter(|note| note.failures > 0);
    let principals: BTreeSet<&Principal> = failed().map(|note| &note.principal).collect();
    let workers: BTreeSet<WorkerId> = failed().map(|note| note.worker).collect();
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if principals.len() >= most {
        return true;
    }
    if present.iter().any(|other| !principals.contains(&other.principal)) {
        return false;
    }
    workers.len() >= most || present.iter().all(|other| workers.contains(&other.worker))
}

/// The result of the search for an open pair of a cell.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OpenPair {
    /// This pair may be leased.
    Pair(PairRow),
    /// There is none, but the cell has pairs that were never started.
    Nothing,
    /// All open pairs wait for other machines.
    Waits,
}

/// An open pair of a cell with these requirements, for this machine. `unstarted`: whether the cell has pairs that were never
/// started; those come before pairs that failed more than once.
pub(crate) async fn open_pair(
    batch: &mut WriteBatch<'_>,
    (cell, requirements): (CellId, Capabilities),
    machine: Machine<'_>,
    unstarted: bool,
    terms: &Terms,
) -> Result<OpenPair, StoreError> {
    let present = batch.present_workers(terms.lease_ms).await?;
    let others = present.iter().any(|other| other.worker != machine.0 && other.can_play(requirements));
    let tx = batch.written().await?;
    let first =
        if others { tx.open_pair_for(cell, machine).await? } else { tx.open_pairs(cell, 1).await?.pop() };
    if let Some(pair) = first.filter(|pair| pair.failures < SEVERAL || !unstarted) {
        return Ok(OpenPair::Pair(pair));
    }
    let present: Vec<&PresentWorker> = present.iter().filter(|other| other.can_play(requirements)).collect();
    let (looked_through, otherwise) = if unstarted {
        (MAX_CANDIDATES_WITH_FRESH_PAIRS, OpenPair::Nothing)
    } else {
        (MAX_CANDIDATES, OpenPair::Waits)
    };
    let mut open = tx.open_pairs(cell, looked_through).await?;
    open.retain(|pair| !unstarted || (1..SEVERAL).contains(&pair.failures));
    for pair in open {
        if !waits(&tx.abandoned_by(cell, pair.idx).await?, machine, &present) {
            return Ok(OpenPair::Pair(pair));
        }
    }
    Ok(otherwise)
}

/// Whether a pair that has just failed is suspended.
pub(crate) async fn is_suspended(
    batch: &mut WriteBatch<'_>,
    pair: &PairRow,
    terms: &Terms,
) -> Result<bool, StoreError> {
    if pair.failures < terms.most_failures {
        return Ok(false);
    }
    let present = batch.present_workers(terms.lease_ms).await?;
    let tx = batch.written().await?;
    let Some(requirements) = tx.requirements_of_cell(pair.cell).await? else { return Ok(true) };
    let present: Vec<&PresentWorker> = present.iter().filter(|other| other.can_play(requirements)).collect();
    let abandoned = tx.abandoned_by(pair.cell, pair.idx).await?;
    Ok(is_unplayable(&abandoned, &present, terms.most_failures))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(worker: u128, principal: &str, failures: i64) -> AbandonedBy {
        AbandonedBy { worker: WorkerId(uuid::Uuid::from_u128(worker)), principal: named(principal), failures }
    }

    fn named(principal: &str) -> Principal {
        Principal::read(Some(principal.to_owned()), WorkerId(uuid::Uuid::nil()))
    }

    fn present_workers(machines: &[(u128, &str)]) -> Vec<PresentWorker> {
        let capabilities = Capabilities { sizes: 1 << 4, memory_mib: 100 };
        let present = |&(worker, principal): &(u128, &str)| PresentWorker {
            worker: WorkerId(uuid::Uuid::from_u128(worker)),
            principal: named(principal),
            capabilities,
        };
        machines.iter().map(present).collect()
    }

    fn waits_for(
        abandoned: &[AbandonedBy],
        worker: u128,
        principal: &str,
        machines: &[(u128, &str)],
    ) -> bool {
        let present = present_workers(machines);
        let machine = (WorkerId(uuid::Uuid::from_u128(worker)), &named(principal));
        waits(abandoned, machine, &present.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_pair_goes_to_another_principal_then_to_another_machine_then_to_whoever_is_there() {
        let abandoned = [by(1, "a", 0)];
        assert!(!waits_for(&abandoned, 1, "a", &[]), "no other machine is present");
        assert!(!waits_for(&abandoned, 1, "a", &[(1, "a")]), "it alone is there");
        assert!(waits_for(&abandoned, 1, "a", &[(1, "a"), (2, "b")]));
        assert!(!waits_for(&abandoned, 2, "b", &[(1, "a"), (2, "b")]));
        assert!(
            waits_for(&abandoned, 3, "a", &[(1, "a"), (2, "b"), (3, "a")]),
            "it would be the same principal"
        );
        assert!(
            waits_for(&abandoned, 1, "a", &[(1, "a"), (3, "a")]),
            "another machine of the only principal"
        );
        assert!(!waits_for(&abandoned, 3, "a", &[(1, "a"), (3, "a")]));
        let both = [by(1, "a", 0), by(2, "b", 0)];
        assert!(!waits_for(&both, 1, "a", &[(1, "a"), (2, "b")]), "everybody let it go");
        assert!(waits_for(&both, 1, "a", &[(1, "a"), (2, "b"), (4, "c")]));
    }

    #[test]
    fn a_pair_is_hopeless_when_five_principals_failed_it_or_nobody_is_left_to_try() {
        let hopeless = |abandoned: &[AbandonedBy], machines: &[(u128, &str)]| {
            let present = present_workers(machines);
            is_unplayable(abandoned, &present.iter().collect::<Vec<_>>(), 5)
        };
        assert!(hopeless(&[by(1, "a", 5)], &[(1, "a")]), "the only machine failed it");
        assert!(!hopeless(&[by(1, "a", 5)], &[(1, "a"), (2, "b")]), "one principal is one failure");
        assert!(!hopeless(&[by(1, "a", 5)], &[(1, "a"), (3, "a")]), "another machine may be sound");
        let machines: Vec<_> = (1..6).map(|worker| by(worker, "a", 1)).collect();
        assert!(hopeless(&machines, &[(1, "a"), (9, "a")]), "five machines of the only principal");
        assert!(!hopeless(&machines, &[(1, "a"), (9, "b")]), "somebody else is there");
        let principals: Vec<_> = (1..6).map(|worker| by(worker, &worker.to_string(), 1)).collect();
        assert!(hopeless(&principals, &[(9, "b")]), "five principals");
        let mut given_back = principals;
        given_back[0].failures = 0;
        assert!(!hopeless(&given_back, &[(9, "b")]), "to give a pair back is no failure");
    }
}
