//! The budget of a search.

use std::time::Duration;

/// The budget for one move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Exactly this many simulations. Fewer only if the position is proven earlier or the tree can count no more, see
    /// [`most_sims`](super::most_sims).
    Sims(u64),
    /// This much CPU time of the searching thread.
    CpuTime(Duration),
}
