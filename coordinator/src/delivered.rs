//! What a machine has delivered, on which depends how much it may have in hand.

/// Milliseconds over which delivered games are counted as recent, fading away.
const RECENT_MS: f64 = 60_000.0;

/// What a machine has delivered.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Delivered {
    /// Games counted, ever.
    pub(crate) ever: i64,
    /// Games taken in about the last minute.
    pub(crate) recent: f64,
}

impl Delivered {
    /// Some time later.
    pub(crate) fn after(self, ms: i64) -> Self {
        Self { recent: self.recent * (-(ms.max(0) as f64) / RECENT_MS).exp(), ..self }
    }

    /// With as many more games.
    pub(crate) fn and(self, games: i64) -> Self {
        Self { ever: self.ever + games, recent: self.recent + games as f64 }
    }
}
