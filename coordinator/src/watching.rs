//! Live viewing of games. Workers send the moves of a game only while a client views it, and the moves are not stored.

mod machines;

pub(crate) use machines::Machines;

use engine::havannah::BoardSize;
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{HeldLease, WatchedGame};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after a request the worker sends the moves.
const LOOK_MS: i64 = 30_000;

/// The most leases that are viewed at once.
const MOST: usize = 64;

/// The longest time until the next call of a worker that is viewed, or whose games are viewed.
pub(crate) const WATCHED_SYNC_MS: u64 = 2_000;

/// The last report of a worker on a game in play.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) worker: WorkerId,
    pub(crate) watched: WatchedGame,
    /// When it arrived, in milliseconds since 1970.
    pub(crate) heard_ms: i64,
}

struct Look {
    /// When it expires, on the monotonic clock.
    until_ms: i64,
    told: Option<Told>,
}

/// The leases that are viewed.
#[derive(Default)]
pub(crate) struct Watching(Mutex<HashMap<LeaseId, Look>>);

impl Watching {
    fn looks(&self) -> MutexGuard<'_, HashMap<LeaseId, Look>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts or extends the viewing of a lease; gives the last report of its worker. Beyond [`MOST`] leases, no more are viewed.
    pub(crate) fn look(&self, lease: LeaseId, passed_ms: i64) -> Option<Told> {
        let mut looks = self.looks();
        looks.retain(|_, look| look.until_ms > passed_ms);
        let until_ms = passed_ms + LOOK_MS;
        if let Some(look) = looks.get_mut(&lease) {
            look.until_ms = until_ms;
            return look.told.clone();
        }
        if looks.len() < MOST {
            looks.insert(lease, Look { until_ms, told: None });
        }
        None
    }

    /// Stores the reports of a worker on games in play.
    pub(crate) fn hear(&self, worker: WorkerId, games: Vec<WatchedGame>, now_ms: i64) {
        if games.is_empty() {
            return;
        }
        let mut looks = self.looks();
        for watched in games {
            let fits = watched.record.sims.len() <= BoardSize::MAX.cells();
            if let (Some(look), true) = (looks.get_mut(&watched.lease), fits) {
                look.told = Some(Told { worker, watched, heard_ms: now_ms });
            }
        }
    }

    /// The leases among these that are viewed.
    pub(crate) fn wanted(&self, held: &[HeldLease], passed_ms: i64) -> Vec<LeaseId> {
        let looks = self.looks();
        if looks.is_empty() {
            return Vec::new();
        }
        let is_watched = |lease: &LeaseId| looks.get(lease).is_some_and(|look| look.until_ms > passed_ms);
        held.iter().map(|held| held.lease).filter(is_watched).collect()
    }
}
