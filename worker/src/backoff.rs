//! Exponential backoff with jitter: the time to wait before a call is repeated.

use std::time::Duration;

/// The bound of the first wait. It doubles with every failure.
const BASE: Duration = Duration::from_millis(250);
/// The highest bound of a wait.
const CAP: Duration = Duration::from_secs(30);
/// The longest wait accepted from the coordinator: a garbled answer must not idle a machine for a day.
const ASKED_CAP: Duration = Duration::from_secs(600);

/// Full jitter: workers that lost the coordinator at the same moment do not return at the same moment.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    /// The wait after another failure, at least as long as the coordinator asked for.
    pub(crate) fn after_failure(&mut self, asked: Option<Duration>) -> Duration {
        let wait = delay(self.failures, asked, random_unit());
        self.failures = self.failures.saturating_add(1);
        wait
    }

    /// Resets the backoff after a success.
    pub(crate) fn succeeded(&mut self) {
        self.failures = 0;
    }
}

/// The wait after `failures` earlier failures; `unit`, from 0 to 1, is the jitter.
fn delay(failures: u32, asked: Option<Duration>, unit: f64) -> Duration {
    let most = BASE.saturating_mul(1 << failures.min(16)).min(CAP);
    most.mul_f64(unit.clamp(0.0, 1.0)).max(asked.unwrap_or_default().min(ASKED_CAP))
}

/// A random number from 0 to 1. It is not reproducible: jitter must not be.
fn random_unit() -> f64 {
    let low = uuid::Uuid::new_v4().as_u128() as u32;
    f64::from(low) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_twofold_up_to_the_cap() {
        assert_eq!(delay(0, None, 1.0), BASE);
        assert_eq!(delay(1, None, 1.0), BASE * 2);
        assert_eq!(delay(3, None, 0.5), BASE * 4);
        for failures in [7, 20, u32::MAX] {
            assert_eq!(delay(failures, None, 1.0), CAP);
        }
    }

    #[test]
    fn jitter_covers_the_whole_range_from_nothing() {
        for failures in 0..40 {
            assert_eq!(delay(failures, None, 0.0), Duration::ZERO);
        }
        let mut backoff = Backoff { failures: 20 };
        let waits: Vec<Duration> = (0..200).map(|_| backoff.after_failure(None)).collect();
        assert!(waits.iter().all(|&wait| wait <= CAP));
        assert!(waits.iter().any(|&wait| wait < CAP / 4) && waits.iter().any(|&wait| wait > CAP * 3 / 4));
    }

    #[test]
    fn what_the_coordinator_asks_for_is_the_least_within_reason() {
        let asked = Duration::from_secs(5);
        assert_eq!(delay(0, Some(asked), 0.3), asked);
        assert_eq!(delay(9, Some(asked), 1.0), CAP);
        assert_eq!(delay(0, Some(Duration::from_secs(1 << 40)), 0.0), ASKED_CAP);
    }

    #[test]
    fn a_success_starts_anew() {
        let mut backoff = Backoff { failures: 9 };
        backoff.succeeded();
        assert!(backoff.after_failure(None) <= BASE);
    }
}
