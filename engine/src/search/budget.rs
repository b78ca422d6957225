//! What a search may cost.

use std::time::Duration;

/// What one move may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Exactly this many simulations, fewer only when the position is proven earlier.
    Sims(u64),
    /// This much CPU time of the searching thread.
    CpuTime(Duration),
}
