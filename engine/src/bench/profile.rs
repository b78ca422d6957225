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
    let net: [f64; 4] = std::array::from_fn(|i| {
        let ticks = watch.ticks[i] as f64;
        // The cost of a reading is an average, which may exceed the ticks of a short phase. Some ticks must remain.
        (ticks - reading * watch.readings[i] as f64).max(0.05 * ticks)
    });
    let all = watch.ticks.iter().sum::<u64>().max(1) as f64;
    let sum = net.iter().sum::<f64>();
    Profile { measured, shares: net.map(|ticks| ticks / sum.max(1.0)), stopwatch: (all - sum) / all }
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
            assert!(profile.shares.iter().all(|&share| share > 0.0), "{profile:?}");
            assert!((0.0..1.0).contains(&profile.stopwatch), "{profile:?}");
            let alone = bench::search(size(5), &params, Budget::Sims(2000), 1);
            assert_eq!((profile.measured.nodes, profile.measured.bytes), (alone.nodes, alone.bytes));
        }
    }

    #[test]
    fn more_rollouts_a_simulation_take_a_larger_share() {
        let share = |rollouts| {
            let mut params = Params::preset("uct").expect("preset");
            params.search.rollouts = rollouts;
            profile(size(5), &params, Budget::Sims(3000), 1).shares[Phase::Playout as usize]
        };
        // With ten rollouts instead of one, the share grows from about half to nearly all: far more than an
        // interruption changes.
        assert!(share(10) > share(1));
    }

    #[test]
    fn ends_of_playouts_are_as_many_as_playouts() {
        let params = Params::preset("rave").expect("preset");
        let ends = bench::playout_ends(size(4), &params, 1000, 1);
        assert_eq!(ends.wins.iter().sum::<u64>() + ends.draws, 1000);
    }
}
