//! What a worker is able to play, and what a cell needs for it.

use crate::store::Capabilities;
use engine::havannah::BoardSize;
use protocol::experiment::CellSpec;
use protocol::memory::Mib;
use protocol::sync::SyncRequest;

/// Board sizes as a bit mask: see column `needs`.
pub(crate) fn sizes(sizes: impl IntoIterator<Item = BoardSize>) -> i64 {
    sizes.into_iter().fold(0, |bits, size| bits | (1 << size.get()))
}

/// What a cell requires.
pub(super) fn requirements(spec: &CellSpec) -> Capabilities {
    Capabilities { sizes: sizes([spec.size]), memory_mib: i64::from(spec.memory().0) }
}

impl Capabilities {
    /// Whether they suffice for a cell that requires these.
    pub(super) fn suffice_for(self, required: Self) -> bool {
        (self.sizes & required.sizes) != 0 && self.memory_mib >= required.memory_mib
    }
}

/// The largest amount of memory that a cell can need: two players with the largest trees.
const MOST_MEMORY: Mib = Mib(2 * 4096);

/// The capabilities that a worker states. Memory beyond what any cell needs makes no difference, so it is clamped.
pub(crate) fn capabilities(request: &SyncRequest) -> Capabilities {
    let memory = request.memory.min(MOST_MEMORY);
    Capabilities {
        sizes: sizes(request.speeds.iter().map(|speed| speed.size)),
        memory_mib: i64::from(memory.0),
    }
}
