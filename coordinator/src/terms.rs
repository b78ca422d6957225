//! The terms of leases, which are the same for all workers.

use crate::store::ExperimentFilter;

/// The terms of leases; times in milliseconds.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) lease_ms: i64,
    pub(crate) stall_ms: i64,
    pub(crate) sync_ms: u64,
    /// A pair that failed this often is suspended.
    pub(crate) most_failures: i64,
    /// Complete pairs behind the one that a stopping rule waits for, before another machine may get that one.
    pub(crate) overtaking: i64,
    pub(crate) filter: ExperimentFilter,
    /// The share of counted games that another machine plays again, from 0 to 1.
    pub(crate) replay_share: f64,
}

impl Terms {
    /// Whether games are rechecked.
    pub(crate) fn rechecks(&self) -> bool {
        self.replay_share > 0.0 && self.filter.is_all()
    }
}

/// A worker that was seen since this time counts as present.
pub(crate) fn alive_since(now_ms: i64, sync_ms: u64) -> i64 {
    now_ms.saturating_sub_unsigned(3 * sync_ms)
}
