//! Live viewing of games. Workers send the moves of a game only while a client views it, and the moves are not stored.

mod machines;

pub(crate) use machines::Machines;

use engine::havannah::BoardSize;
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{HeldLease, WatchedGame};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after a request the worker sends the moves.
const WATCH_MS: i64 = 30_000;

/// The most leases that are viewed at once.
const MOST: usize = 64;

/// The longest time until the next call of a worker that is viewed, or whose games are viewed.
pub(crate) const WATCHED_SYNC_MS: u64 = 2_000;

/// The last report of a worker on a game in play.
#[derive(Debug, Clone)]
pub(crate) struct WatchedReport {
    pub(crate) worker: WorkerId,
    pub(crate) watched: WatchedGame,
    /// When it arrived, in milliseconds since 1970.
    pub(crate) heard_ms: i64,
}

struct GameWatch {
    /// When it expires, on the monotonic clock.
    until_ms: i64,
    last: Option<WatchedReport>,
}

/// The leases that are viewed.
#[derive(Default)]
pub(crate) struct Watching(Mutex<HashMap<LeaseId, GameWatch>>);

impl Watching {
    fn watches(&self) -> MutexGuard<'_, HashMap<LeaseId, GameWatch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts or extends the viewing of a lease; gives the last report of its worker. Beyond [`MOST`] leases, no more are viewed.
    pub(crate) fn watch(&self, lease: LeaseId, passed_ms: i64) -> Option<WatchedReport> {
        let mut watches = self.watches();
        watches.retain(|_, watch| watch.until_ms > passed_ms);
        let until_ms = passed_ms + WATCH_MS;
        if let Some(watch) = watches.get_mut(&lease) {
            watch.until_ms = until_ms;
            return watch.last.clone();
        }
        if watches.len() < MOST {
            watches.insert(lease, GameWatch { until_ms, last: None });
        }
        None
    }

    /// Stores the reports of a worker on games in play.
    pub(crate) fn report(&self, worker: WorkerId, games: Vec<WatchedGame>, now_ms: i64) {
        if games.is_empty() {
            return;
        }
        let mut watches = self.watches();
        for watched in games {
            let fits = watched.record.sims.len() <= BoardSize::MAX.cells();
            if let (Some(watch), true) = (watches.get_mut(&watched.lease), fits) {
                watch.last = Some(WatchedReport { worker, watched, heard_ms: now_ms });
            }
        }
    }

    /// The leases among these that are viewed.
    pub(crate) fn watched_leases(&self, held: &[HeldLease], passed_ms: i64) -> Vec<LeaseId> {
        let watches = self.watches();
        if watches.is_empty() {
            return Vec::new();
        }
        let is_watched = |lease: &LeaseId| watches.get(lease).is_some_and(|watch| watch.until_ms > passed_ms);
        held.iter().map(|held| held.lease).filter(is_watched).collect()
    }
}
