//! Prefetching: how many leases a worker holds beside those being played, so that no slot waits for the network.

use std::time::Duration;

/// Weight of a new duration in the exponential average.
const SMOOTHING: f64 = 0.1;
/// The most prefetched leases per slot.
const MOST_PER_SLOT: f64 = 32.0;

/// Exponential averages of measured durations.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    lease_s: Option<f64>,
    round_trip_s: Option<f64>,
}

fn smooth(old: &mut Option<f64>, new: Duration) {
    let new = new.as_secs_f64();
    *old = Some(old.map_or(new, |old| old + SMOOTHING * (new - old)));
}

impl Pace {
    /// A slot has played a lease.
    pub(crate) fn played(&mut self, took: Duration) {
        smooth(&mut self.lease_s, took);
    }

    /// A call was answered.
    pub(crate) fn answered(&mut self, took: Duration) {
        smooth(&mut self.round_trip_s, took);
    }

    /// The number of leases to prefetch for `slots` slots when calls are at least `gap` apart: as many as the slots play
    /// during two gaps and two round trips. Half a lease per slot before the first measurement, because no other worker
    /// can play a lease that is held here.
    pub(crate) fn prefetch(&self, slots: usize, gap: Duration) -> usize {
        let Some(lease_s) = self.lease_s else { return slots.div_ceil(2) };
        let horizon_s = 2.0 * (gap.as_secs_f64() + self.round_trip_s.unwrap_or(0.0));
        let per_slot = (horizon_s / lease_s.max(1e-6)).min(MOST_PER_SLOT);
        ((slots as f64 * per_slot).ceil() as usize).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAP: Duration = Duration::from_millis(500);

    #[test]
    fn few_leases_are_prefetched_before_the_first_measurement() {
        let pace = Pace::default();
        assert_eq!([1, 2, 3, 64].map(|slots| pace.prefetch(slots, GAP)), [1, 1, 2, 32]);
    }

    #[test]
    fn long_pairs_need_one_lease_and_short_pairs_many() {
        let mut pace = Pace::default();
        pace.played(Duration::from_secs(120));
        assert_eq!(pace.prefetch(2, GAP), 1);
        let mut pace = Pace::default();
        pace.played(Duration::from_millis(100));
        assert_eq!(pace.prefetch(2, GAP), 20);
        pace.answered(Duration::from_millis(250));
        assert_eq!(pace.prefetch(2, GAP), 30);
    }

    #[test]
    fn prefetching_is_bounded_whatever_is_measured() {
        let mut pace = Pace::default();
        pace.played(Duration::ZERO);
        pace.answered(Duration::from_secs(3600));
        assert_eq!(pace.prefetch(4, GAP), 128);
    }
}
