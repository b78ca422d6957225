//! Prefetching: how much play a worker keeps waiting beside the leases in its slots, so that no slot waits for the network. It is
//! measured in time and not in pairs: no other worker can play the waiting pairs, and they are wasted when a stopping rule
//! decides. The time of a lease is the coordinator's expectation, corrected by the times of earlier leases on this machine.

use crate::in_flight::MOST_SENT;
use protocol::lease::Lease;
use std::time::Duration;

/// Weight of a new duration in an exponential average.
const SMOOTHING: f64 = 0.2;
/// The shortest time between two calls, and the longest while there is something to report or to ask for.
const SHORTEST_GAP: Duration = Duration::from_millis(100);
pub(crate) const LONGEST_GAP: Duration = Duration::from_millis(450);
/// The shortest time between two calls while a slot has nothing to play.
const SHORTEST_GAP_OF_IDLE_SLOTS: Duration = Duration::from_millis(20);
/// If more than this many pairs for each slot fit into two gaps, a machine calls more often instead of holding more pairs.
const PER_SLOT: f64 = 32.0;
/// The time between two calls is at least this many round trips: a coordinator that is slow to answer is called less often.
const ROUND_TRIPS: f64 = 2.0;
/// Beside one for each slot, a machine holds this many leases at most, however short they are: the pairs of two unanswered calls
/// and of the next three. With more, the slots would only outrun the coordinator.
const MOST_HELD: usize = 5 * MOST_SENT / 2;
/// The shortest lease that counts, in seconds.
const SHORTEST: f64 = 1e-6;

/// A geometric mean in which later values weigh more. So it follows a change of games from minutes to milliseconds within a
/// few of them.
#[derive(Debug, Default)]
struct Mean(Option<f64>);

impl Mean {
    fn add(&mut self, value: f64) {
        let value = value.max(SHORTEST).ln();
        self.0 = Some(self.0.map_or(value, |old| old + SMOOTHING * (value - old)));
    }

    fn get(&self) -> Option<f64> {
        self.0.map(f64::exp)
    }
}

/// Averages of measured durations.
#[derive(Debug, Default)]
pub(crate) struct MeasuredPace {
    /// Seconds that a slot plays a lease.
    lease_s: Mean,
    /// The same, divided by the expectation.
    ratio: Mean,
    /// Seconds of a call.
    round_trip_s: Mean,
}

/// The leases that a worker wants beside one for each free slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reserve {
    /// The largest number of leases.
    pub(crate) leases: usize,
    /// After leases that are expected to take this long, there are enough.
    pub(crate) expected_us: u64,
}

impl MeasuredPace {
    /// A slot has played a lease that was expected to take `expected_us`.
    pub(crate) fn played(&mut self, took: Duration, expected_us: u64) {
        let took = took.as_secs_f64();
        self.lease_s.add(took);
        self.ratio.add(took.max(SHORTEST) / expected_seconds(expected_us));
    }

    /// A call was answered.
    pub(crate) fn answered(&mut self, took: Duration) {
        self.round_trip_s.add(took.as_secs_f64());
    }

    /// The time between two calls while there is something to report or to ask for.
    pub(crate) fn gap(&self) -> Duration {
        let Some(lease_s) = self.lease_s.get() else { return LONGEST_GAP };
        let patience = Duration::from_secs_f64((ROUND_TRIPS * self.round_trip_s()).min(1.0));
        let shortest = SHORTEST_GAP.max(patience).min(LONGEST_GAP);
        Duration::from_secs_f64(lease_s.min(1.0) * PER_SLOT / 2.0).clamp(shortest, LONGEST_GAP)
    }

    /// The same while a slot has nothing to play, and a call may change that.
    pub(crate) fn gap_of_idle_slots(&self) -> Duration {
        let patience = Duration::from_secs_f64(self.round_trip_s().min(1.0));
        SHORTEST_GAP_OF_IDLE_SLOTS.max(patience).min(self.gap())
    }

    /// The play that is missing to the need of `slots` slots during two gaps and two round trips, when `held` leases will be
    /// held. `waiting` is the number of waiting leases and their expected time together. `None`: nothing is missing. Before the
    /// first measurement a worker keeps half a lease per slot.
    pub(crate) fn missing(&self, slots: usize, held: usize, waiting: (usize, u64)) -> Option<Reserve> {
        let (count, expected_us) = waiting;
        let (Some(lease_s), Some(ratio)) = (self.lease_s.get(), self.ratio.get()) else {
            let leases = slots.div_ceil(2).checked_sub(count).filter(|leases| *leases > 0)?;
            return Some(Reserve { leases, expected_us: u64::MAX });
        };
        let horizon_s = 2.0 * (self.gap().as_secs_f64() + self.round_trip_s());
        let missing_s = slots as f64 * horizon_s - ratio * expected_us as f64 / 1e6;
        if missing_s <= 0.0 {
            return None;
        }
        // Twice the number that the mean suggests, because the next leases may be shorter. The time still bounds them.
        let most = (MOST_HELD + slots).saturating_sub(held);
        let leases = ((2.0 * missing_s / lease_s).ceil() as usize).min(most);
        let expected_us = (1e6 * missing_s / ratio).ceil() as u64;
        (leases > 0).then_some(Reserve { leases, expected_us })
    }

    fn round_trip_s(&self) -> f64 {
        self.round_trip_s.get().unwrap_or_default()
    }
}

fn expected_seconds(us: u64) -> f64 {
    us.max(1) as f64 / 1e6
}

/// The time that the coordinator expects of a lease, in microseconds.
pub(crate) fn expected_us(lease: &Lease) -> u64 {
    lease.expected_us.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After 50 pairs that took as long as this, where the coordinator expected `expected_us`.
    fn pace(took: Duration, expected_us: u64) -> MeasuredPace {
        let mut pace = MeasuredPace::default();
        (0..50).for_each(|_| pace.played(took, expected_us));
        pace
    }

    fn missing(pace: &MeasuredPace, slots: usize, waiting: &[u64]) -> Option<(usize, u64)> {
        let reserve = pace.missing(slots, waiting.len(), (waiting.len(), waiting.iter().sum()));
        reserve.map(|reserve| (reserve.leases, reserve.expected_us))
    }

    #[test]
    fn few_leases_are_kept_before_the_first_measurement() {
        let pace = MeasuredPace::default();
        let leases = |slots| missing(&pace, slots, &[]).map(|(leases, _)| leases);
        assert_eq!([1, 2, 3, 64].map(leases), [Some(1), Some(1), Some(2), Some(32)]);
        assert_eq!(missing(&pace, 2, &[1]), None);
    }

    #[test]
    fn one_long_pair_is_kept_and_no_more() {
        let pace = pace(Duration::from_secs(120), 120_000_000);
        assert_eq!(pace.gap(), LONGEST_GAP);
        // 1.8 s of play, which one lease covers.
        assert_eq!(missing(&pace, 2, &[]), Some((1, 1_800_000)));
        assert_eq!(missing(&pace, 2, &[120_000_000]), None);
    }

    #[test]
    fn what_is_kept_is_a_time_on_this_machine() {
        // This machine takes twice as long as expected: 0.9 s for each slot are 0.45 s of what is expected.
        let pace = pace(Duration::from_millis(100), 50_000);
        let (leases, expected_us) = missing(&pace, 2, &[]).expect("nothing waits");
        assert!((890_000..910_000).contains(&expected_us), "{expected_us}");
        assert_eq!(leases, 36, "twice the number of pairs of 0.1 s in 1.8 s");
        let (_, rest_us) = missing(&pace, 2, &[400_000]).expect("too little waits");
        assert_eq!(expected_us - rest_us, 400_000);
    }

    #[test]
    fn shorter_pairs_mean_more_calls_and_not_more_pairs() {
        let long = pace(Duration::from_millis(30), 30_000);
        let short = pace(Duration::from_millis(10), 10_000);
        assert_eq!(long.gap(), LONGEST_GAP, "as often as with the longest games");
        assert!((159..=161).contains(&short.gap().as_millis()), "{:?}", short.gap());
        let mut shortest = pace(Duration::from_micros(100), 100);
        assert_eq!(shortest.gap(), SHORTEST_GAP);
        // Twice what a slot plays in 0.2 s, up to the bound.
        assert_eq!(missing(&shortest, 2, &[]), Some((1_002, 400_000)));
        assert_eq!(shortest.gap_of_idle_slots(), SHORTEST_GAP_OF_IDLE_SLOTS);
        (0..50).for_each(|_| shortest.answered(Duration::from_millis(100)));
        assert!((99..=101).contains(&shortest.gap_of_idle_slots().as_millis()));
        assert!((199..=201).contains(&shortest.gap().as_millis()), "a slow coordinator is called less often");
        (0..50).for_each(|_| shortest.answered(Duration::from_secs(3600)));
        assert_eq!(shortest.gap(), LONGEST_GAP);
    }

    #[test]
    fn a_change_from_minutes_to_milliseconds_is_followed_within_some_pairs() {
        let mut pace = pace(Duration::from_secs(60), 60_000_000);
        (0..20).for_each(|_| pace.played(Duration::from_millis(10), 10_000));
        let (leases, _) = missing(&pace, 1, &[]).expect("nothing waits");
        assert!((30..120).contains(&leases), "{leases}");
    }

    #[test]
    fn what_is_kept_is_bounded_whatever_is_measured() {
        let mut pace = pace(Duration::ZERO, 0);
        pace.answered(Duration::from_secs(3600));
        assert_eq!(missing(&pace, 4, &[]).map(|(leases, _)| leases), Some(1_004));
        assert_eq!(missing(&pace, 4, &[0; 1_004]), None);
        assert_eq!(pace.missing(4, 1_004, (0, 0)), None, "their games wait for a call");
    }
}
