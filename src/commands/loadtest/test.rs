//! The state that all simulated workers of a test share.

use super::measure::Durations;
use super::oracle::Oracle;
use super::stock::Stock;
use protocol::ids::CellId;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A running test.
pub(super) struct Test {
    pub(super) stock: Stock,
    /// The cells of the test. Games of other cells are not delivered.
    pub(super) cells: HashSet<CellId>,
    oracle: Mutex<Oracle>,
    tally: Mutex<Tally>,
}

/// Measurements so far.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Number of workers that have joined and made their first call.
    pub(super) joined: u64,
    /// Time of each call, from its due time to the answer.
    pub(super) syncs: Durations,
    /// Time from each worker's arrival to the end of its first call, including the join and the comparison of builds.
    pub(super) joins: Durations,
    /// Number of games acknowledged.
    pub(super) games: u64,
    /// Number of games that the answer did not acknowledge, because the coordinator's disk took too long.
    pub(super) acknowledged_later: u64,
    /// Number of calls that had to be repeated, and the reason of the last one.
    pub(super) called_again: u64,
    pub(super) why_called_again: String,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Test {
    pub(super) fn new(stock: Stock, cells: HashSet<CellId>) -> Self {
        Self { stock, cells, oracle: Mutex::default(), tally: Mutex::default() }
    }

    pub(super) fn oracle(&self) -> MutexGuard<'_, Oracle> {
        locked(&self.oracle)
    }

    pub(super) fn tally(&self) -> MutexGuard<'_, Tally> {
        locked(&self.tally)
    }

    pub(super) fn answered(&self, took: Duration, games: usize) {
        let mut tally = self.tally();
        tally.syncs.add(took);
        tally.games += games as u64;
    }

    pub(super) fn acknowledged_later(&self, games: usize) {
        self.tally().acknowledged_later += games as u64;
    }

    pub(super) fn called_again(&self, why: &str) {
        let mut tally = self.tally();
        tally.called_again += 1;
        why.clone_into(&mut tally.why_called_again);
    }

    pub(super) fn joined(&self, took: Duration) {
        let mut tally = self.tally();
        tally.joined += 1;
        tally.joins.add(took);
    }
}
