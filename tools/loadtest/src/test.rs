//! The state that all simulated workers of a test share.

use crate::measure::Durations;
use crate::oracle::Oracle;
use crate::stock::GameStock;
use protocol::ids::CellId;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A running test.
pub(crate) struct Test {
    pub(crate) stock: GameStock,
    /// The cells of the test. Games of other cells are not delivered.
    pub(crate) cells: HashSet<CellId>,
    oracle: Mutex<Oracle>,
    tally: Mutex<Tally>,
}

/// Measurements so far.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Number of workers that have joined and made their first call.
    pub(crate) joined: u64,
    /// Time of each call, from its due time to the answer.
    pub(crate) syncs: Durations,
    /// Time from each worker's arrival to the end of its first call, including the join and the comparison of builds.
    pub(crate) joins: Durations,
    /// Number of games acknowledged.
    pub(crate) games: u64,
    /// Number of calls that had to be repeated, and the reason of the last one.
    pub(crate) called_again: u64,
    pub(crate) why_called_again: String,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Test {
    pub(crate) fn new(stock: GameStock, cells: HashSet<CellId>) -> Self {
        Self { stock, cells, oracle: Mutex::default(), tally: Mutex::default() }
    }

    pub(crate) fn oracle(&self) -> MutexGuard<'_, Oracle> {
        locked(&self.oracle)
    }

    pub(crate) fn tally(&self) -> MutexGuard<'_, Tally> {
        locked(&self.tally)
    }

    pub(crate) fn answered(&self, took: Duration, games: usize) {
        let mut tally = self.tally();
        tally.syncs.add(took);
        tally.games += games as u64;
    }

    pub(crate) fn called_again(&self, why: &str) {
        let mut tally = self.tally();
        tally.called_again += 1;
        why.clone_into(&mut tally.why_called_again);
    }

    pub(crate) fn joined(&self, took: Duration) {
        let mut tally = self.tally();
        tally.joined += 1;
        tally.joins.add(took);
    }
}
