//! The number of games that a machine has delivered, which limits the leases that it may hold.

/// The time constant, in milliseconds, of the exponential decay of recent games.
const RECENT_MS: f64 = 60_000.0;

/// The games that a machine has delivered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Delivered {
    /// Games counted so far.
    pub(crate) ever: i64,
    /// Games accepted in about the last minute.
    pub(crate) recent: f64,
}

impl Delivered {
    /// The same some time later.
    pub(crate) fn after(self, ms: i64) -> Self {
        Self { recent: self.recent * (-(ms.max(0) as f64) / RECENT_MS).exp(), ..self }
    }

    /// The same with more games.
    pub(crate) fn and(self, games: i64) -> Self {
        Self { ever: self.ever + games, recent: self.recent + games as f64 }
    }
}
