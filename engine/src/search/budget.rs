//! The budget of a search.

use std::time::Duration;

/// The budget for one move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Exactly this many simulations, fewer only when the position is proven earlier.
    Sims(u64),
    /// This much CPU time of the searching thread.
    CpuTime(Duration),
}
