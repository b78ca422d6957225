//! A search's clock: the CPU time of its thread, read only as often as a time limit needs.
//!
//! Reading the clock is a system call that takes half as long as a simulation on a small board. So the search skips
//! readings: after an interval shorter than [`APART`] the next one has twice as many simulations, otherwise half as
//! many.

use crate::cpu::thread_time;
use std::time::Duration;

/// The approximate time between two readings, unless a single simulation takes longer.
const APART: Duration = Duration::from_micros(50);

/// The clock of one search.
pub(super) struct Clock {
    start: Duration,
    /// The clock is not read until more simulations than this are done.
    quiet: u64,
    /// How many simulations after the last reading are not followed by a reading.
    skipped: u64,
    /// The time of the last reading.
    seen: Duration,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { start: thread_time(), quiet: 0, skipped: 0, seen: Duration::ZERO }
    }

    /// CPU time since the start.
    pub(super) fn now(&self) -> Duration {
        thread_time() - self.start
    }

    /// Whether `limit` is known to have passed after `sims` simulations. Never true before the first.
    #[inline]
    pub(super) fn has_passed(&mut self, limit: Duration, sims: u64) -> bool {
        sims > self.quiet && self.look(sims, self.now()) >= limit
    }

    /// Schedules the next reading after one of `now`. Returns `now`.
    fn look(&mut self, sims: u64, now: Duration) -> Duration {
        let soon = now.saturating_sub(self.seen) < APART;
        self.skipped = if soon { 2 * self.skipped + 1 } else { self.skipped / 2 };
        (self.quiet, self.seen) = (sims + self.skipped, now);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The simulations after which the clock is read, if each takes the time `each`.
    fn looks(each: Duration, sims: u32) -> Vec<u32> {
        let mut clock = Clock::start();
        let mut looks = Vec::new();
        for sim in 1..=sims {
            if u64::from(sim) > clock.quiet {
                clock.look(u64::from(sim), each * sim);
                looks.push(sim);
            }
        }
        looks
    }

    #[test]
    fn fast_simulations_pass_in_dozens_between_two_looks() {
        let looks = looks(Duration::from_micros(1), 10_000);
        assert_eq!(looks[0], 1);
        let gaps: Vec<u32> = looks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|&gap| gap <= 100), "never long after the limit: {gaps:?}");
        assert!(looks.len() < 300, "{} looks", looks.len());
    }

    #[test]
    fn slow_simulations_are_followed_by_a_look_each() {
        assert_eq!(looks(Duration::from_micros(60), 1000), (1..=1000).collect::<Vec<_>>());
    }

    #[test]
    fn no_limit_passes_before_the_first_simulation() {
        let mut clock = Clock::start();
        assert!(!clock.has_passed(Duration::ZERO, 0));
        assert!(clock.has_passed(Duration::ZERO, 1));
    }
}
