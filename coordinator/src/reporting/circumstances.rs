//! What an explanation depends on beside the database.

use super::stall::FleetState;
use crate::store::{ExperimentFilter, WorkerRow};
use crate::terms::alive_since;

/// The state outside the database on which the answers depend.
#[derive(Debug, Clone)]
pub(crate) struct WhyContext {
    pub(crate) now_ms: i64,
    pub(crate) sync_ms: u64,
    pub(crate) lease_ms: i64,
    /// Complete pairs behind the one that a stopping rule waits for, before another machine may get that one.
    pub(crate) overtaking: i64,
    /// The experiments of which this coordinator leases pairs.
    pub(crate) filter: ExperimentFilter,
    pub(crate) standing: FleetState,
}

impl WhyContext {
    pub(super) fn is_alive(&self, worker: &WorkerRow) -> bool {
        worker.seen_ms >= alive_since(self.now_ms, self.sync_ms)
    }
}
