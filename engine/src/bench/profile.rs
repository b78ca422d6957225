//! How the time of a search divides among its phases.

use super::speed::{Measurement, watched};
use crate::cpu::ticks;
use crate::havannah::{Board, BoardSize, Params};
use crate::search::{Budget, Phase, Probe};

/// The measurement of a search, and how its time divides among the phases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Profile {
    /// The measurement. Its CPU time includes the stopwatch.
    pub measured: Measurement,
    /// The share of the time that each phase took, in the order of [`Phase::ALL`], without the stopwatch. The sum is 1.
    pub shares: [f64; 4],
    /// The share of the time that the stopwatch took.
    pub stopwatch: f64,
}

/// Intervals of this many ticks or more, about half a millisecond, are dropped: in them another program had the
/// processor.
const INTERRUPTED: u64 = 1 << 21;

/// Ticks by phase.
struct Stopwatch {
    ticks: [u64; 4],
    readings: [u64; 4],
    now: Phase,
    since: u64,
}

impl Stopwatch {
    fn start() -> Self {
        Self { ticks: [0; 4], readings: [0; 4], now: Phase::Descent, since: ticks() }
    }

    /// The shares of the phases, and that of the readings, which take `reading` ticks each.
    fn divide(&self, reading: f64) -> ([f64; 4], f64) {
        let net: [f64; 4] = std::array::from_fn(|i| {
            let ticks = self.ticks[i] as f64;
            // The cost of a reading is an average, which may exceed the ticks of a short phase. Some ticks must remain.
            (ticks - reading * self.readings[i] as f64).max(0.05 * ticks)
        });
        let all = self.ticks.iter().sum::<u64>().max(1) as f64;
        let sum = net.iter().sum::<f64>();
        (net.map(|ticks| ticks / sum.max(1.0)), (all - sum) / all)
    }
}

impl<G> Probe<G> for Stopwatch {
    #[inline(always)]
    fn enter(&mut self, phase: Phase) {
        let now = ticks();
        let spent = now.wrapping_sub(self.since);
        if spent < INTERRUPTED {
            self.ticks[self.now as usize] += spent;
            self.readings[self.now as usize] += 1;
        }
        (self.now, self.since) = (phase, now);
    }
}

/// The ticks that one reading takes: the least average of several rounds, because a round may be interrupted.
fn ticks_per_reading() -> f64 {
    const READINGS: u64 = 10_000;
    let round = |_| {
        let mut watch = Stopwatch::start();
        for i in 0..READINGS {
            Probe::<Board>::enter(&mut watch, Phase::ALL[i as usize % 4]);
        }
        watch.ticks.iter().sum::<u64>() as f64 / READINGS as f64
    };
    (0..20).map(round).fold(f64::INFINITY, f64::min)
}

/// Runs one search within `budget` from the empty board, with an empty tree and a stopwatch.
#[must_use]
pub fn profile(size: BoardSize, params: &Params, budget: Budget, seed: u64) -> Profile {
    let reading = ticks_per_reading();
    let mut watch = Stopwatch::start();
    let measured = watched(size, params, budget, seed, &mut watch);
    // Ends the last phase.
    Probe::<Board>::enter(&mut watch, Phase::Descent);
    let (shares, stopwatch) = watch.divide(reading);
    Profile { measured, shares, stopwatch }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench;

    fn size(n: u8) -> BoardSize {
        BoardSize::new(n).expect("size")
    }

    #[test]
    fn shares_add_up_and_a_stopwatch_changes_nothing() {
        for preset in ["uct", "rave"] {
            let params = Params::preset(preset).expect("preset");
            let profile = profile(size(5), &params, Budget::Sims(2000), 1);
            assert!((profile.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{profile:?}");
            let alone = bench::search(size(5), &params, Budget::Sims(2000), 1);
            assert_eq!((profile.measured.nodes, profile.measured.bytes), (alone.nodes, alone.bytes));
        }
    }

    #[test]
    fn shares_leave_out_readings_and_every_phase_has_ticks() {
        let watch = |ticks| Stopwatch { ticks, readings: [10, 10, 10, 10], now: Phase::Descent, since: 0 };
        assert_eq!(watch([100, 200, 300, 400]).divide(5.0), ([0.0625, 0.1875, 0.3125, 0.4375], 0.2));
        // Ten readings take 50 ticks, more than the first phase has: a twentieth of it remains.
        let (shares, stopwatch) = watch([20, 200, 300, 400]).divide(5.0);
        assert_eq!(shares, [1.0, 150.0, 250.0, 350.0].map(|ticks| ticks / 751.0));
        assert_eq!(stopwatch, 169.0 / 920.0);
    }

    /// How often a search enters each phase.
    struct Entries([u64; 4]);

    impl Probe<Board> for Entries {
        fn enter(&mut self, phase: Phase) {
            self.0[phase as usize] += 1;
        }
    }

    #[test]
    fn every_rollout_enters_its_phase() {
        for rollouts in [1, 10] {
            let mut params = Params::preset("uct").expect("preset");
            params.search.rollouts = rollouts;
            let mut entries = Entries([0; 4]);
            watched(size(5), &params, Budget::Sims(300), 1, &mut entries);
            assert_eq!(entries.0[Phase::Playout as usize], 300 * u64::from(rollouts));
            assert!(entries.0.iter().all(|&entered| entered > 0), "{:?}", entries.0);
        }
    }

    #[test]
    fn ends_of_playouts_are_as_many_as_playouts() {
        let params = Params::preset("rave").expect("preset");
        let ends = bench::playout_ends(size(4), &params, 1000, 1);
        assert_eq!(ends.wins.iter().sum::<u64>() + ends.draws, 1000);
    }
}
