//! What time it is: an argument, so that tests move it by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The coordinator's clock. All deadlines come from it; workers report durations only.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The machine's.
    #[default]
    System,
    /// The machine's, with so many milliseconds added.
    Shifted(Arc<AtomicI64>),
    /// One that stands still until [`Clock::advance`].
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock moved by hand that shows `now_ms` milliseconds since 1970.
    #[must_use]
    pub fn manual(now_ms: i64) -> Self {
        Self::Manual(Arc::new(AtomicI64::new(now_ms)))
    }

    /// The machine's clock with so many milliseconds added.
    #[must_use]
    pub fn shifted(ms: i64) -> Self {
        Self::Shifted(Arc::new(AtomicI64::new(ms)))
    }

    /// Makes a shifted clock show `now_ms`; gives by how much it was wrong. Others stay as they are.
    pub(crate) fn set(&self, now_ms: i64) -> i64 {
        match self {
            Clock::Shifted(shift) => {
                let wrong = now_ms - self.now_ms();
                shift.fetch_add(wrong, Ordering::SeqCst);
                wrong
            }
            _ => 0,
        }
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        match self {
            Clock::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
            Clock::Shifted(shift) => Clock::System.now_ms().saturating_add(shift.load(Ordering::SeqCst)),
            Clock::Manual(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Moves a manual clock on; the machine's goes by itself.
    pub fn advance(&self, ms: i64) {
        if let Clock::Manual(now) = self {
            now.fetch_add(ms, Ordering::SeqCst);
        }
    }
}
