//! Games under way that somebody looks at. Workers send their moves only while somebody does, and nothing of them is stored.

mod machines;

pub(crate) use machines::Machines;

use engine::havannah::BoardSize;
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{HeldLease, WatchedGame};
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after a look the moves are asked for.
const LOOK_MS: i64 = 30_000;

/// Leases that are watched at once.
const MOST: usize = 64;

/// The longest time until the next call of a worker that somebody looks at, or whose games are watched.
pub(crate) const WATCHED_SYNC_MS: u64 = 2_000;

/// What a worker told of a game under way.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) worker: WorkerId,
    pub(crate) watched: WatchedGame,
    /// When it was told, in milliseconds since 1970.
    pub(crate) heard_ms: i64,
}

struct Look {
    /// When it ends, by the time that passes.
    until_ms: i64,
    told: Option<Told>,
}

/// The leases that somebody looks at.
#[derive(Default)]
pub(crate) struct Watching(Mutex<HashMap<LeaseId, Look>>);

impl Watching {
    fn looks(&self) -> MutexGuard<'_, HashMap<LeaseId, Look>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Somebody looks at a lease; gives what its worker told last. Beyond so many leases, no more are asked for.
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

    /// A worker tells of games under way.
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

    /// The leases among these that somebody looks at.
    pub(crate) fn wanted(&self, held: &[HeldLease], passed_ms: i64) -> Vec<LeaseId> {
        let looks = self.looks();
        if looks.is_empty() {
            return Vec::new();
        }
        let is_watched = |lease: &LeaseId| looks.get(lease).is_some_and(|look| look.until_ms > passed_ms);
        held.iter().map(|held| held.lease).filter(is_watched).collect()
    }
}
