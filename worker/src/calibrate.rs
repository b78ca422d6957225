//! Calibration: the speed of this machine relative to the reference machine, by board size.
//!
//! A budget of one reference second means the simulations that the reference machine makes in one second. A worker
//! measures its own speed with the standard configuration (plain UCT from the empty board) and scales every budget by the
//! result. It measures on all slots at once, because a machine is slower when all of its cores are busy.

use engine::havannah::{BoardSize, Params};
use protocol::lease::BELIEVED_SPEED;
pub use protocol::lease::reference_speed;
use std::num::NonZeroU32;
use std::time::Duration;
use thiserror::Error;

/// The CPU seconds that a machine with `sims_per_s` needs for one reference second.
#[must_use]
pub fn factor(size: BoardSize, sims_per_s: f64) -> f64 {
    reference_speed(size) / sims_per_s
}

/// The amount of measuring for one board size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Runs per slot. The speed is the median of all runs on all slots.
    pub runs: NonZeroU32,
    /// Simulations per run on boards up to size 5. On larger boards the number falls in proportion to the cells, so that a
    /// run takes about as long on every board.
    pub sims: u64,
}

impl Default for Plan {
    fn default() -> Self {
        Self { runs: NonZeroU32::new(5).expect("not zero"), sims: 100_000 }
    }
}

impl Plan {
    /// Simulations of one run on a board of `size`.
    #[must_use]
    pub fn sims_on(&self, size: BoardSize) -> u64 {
        const FULL_RUN_CELLS: u64 = 61;
        (self.sims * FULL_RUN_CELLS / (size.cells() as u64).max(FULL_RUN_CELLS)).max(1)
    }
}

/// An implausible measurement. Budgets scaled by it would be worthless, so the worker does not start.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CalibrationError {
    /// The run was too short for the clock.
    #[error(
        "{sims} simulations on size {size} took {cpu:?} of CPU time: too short to measure a speed; \
         calibrate with more simulations, or check this machine's CPU clock"
    )]
    TooShort {
        /// The board.
        size: u8,
        /// Simulations made.
        sims: u64,
        /// CPU time that the clock shows for them.
        cpu: Duration,
    },
    /// No machine is this fast or this slow.
    #[error(
        "this machine seems to make {sims_per_s:.0} simulations per CPU second on size {size}, {times:.0e} times \
         the reference machine: its CPU clock cannot be trusted"
    )]
    Absurd {
        /// The board.
        size: u8,
        /// The measured speed.
        sims_per_s: f64,
        /// The speed relative to the reference machine.
        times: f64,
    },
}

/// The shortest run that counts: a thousand times as long as reading a thread's CPU clock.
const SHORTEST_RUN: Duration = Duration::from_millis(1);
/// A run that is too short is repeated with more simulations, up to this many times the plan.
const MOST_LENGTHENED: u64 = 1 << 16;

/// The speed in one run, in simulations per CPU second.
///
/// # Errors
/// When the run was too short or the speed is implausible.
pub fn speed_of_run(size: BoardSize, sims: u64, cpu: Duration) -> Result<f64, CalibrationError> {
    if cpu < SHORTEST_RUN {
        return Err(CalibrationError::TooShort { size: size.get(), sims, cpu });
    }
    let sims_per_s = sims as f64 / cpu.as_secs_f64();
    let times = sims_per_s / reference_speed(size);
    if BELIEVED_SPEED.contains(&times) {
        Ok(sims_per_s)
    } else {
        Err(CalibrationError::Absurd { size: size.get(), sims_per_s, times })
    }
}

/// Runs the standard configuration `plan.runs` times on the calling thread and returns the speed of each run. All slots
/// do this at the same time. When `stop` returns true between runs, the measurement ends.
///
/// # Errors
/// As [`speed_of_run`].
pub fn measure(size: BoardSize, plan: &Plan, stop: impl Fn() -> bool) -> Result<Vec<f64>, CalibrationError> {
    let params = Params::preset("uct").expect("the standard configuration is a preset");
    let mut sims = plan.sims_on(size);
    let longest = sims.saturating_mul(MOST_LENGTHENED);
    let mut speeds = Vec::new();
    let mut run = 0;
    while run < u64::from(plan.runs.get()) && !stop() {
        let measured = engine::bench::from_empty(size, &params, sims, run + 1);
        match speed_of_run(size, measured.sims, measured.cpu) {
            // On a fast machine a run may be too short for the clock: a longer run measures the same speed.
            Err(CalibrationError::TooShort { .. }) if sims < longest => sims *= 4,
            speed => {
                speeds.push(speed?);
                run += 1;
            }
        }
    }
    Ok(speeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u8) -> BoardSize {
        BoardSize::new(n).expect("valid")
    }

    #[test]
    fn the_machine_of_the_standard_has_factor_one() {
        let sims_per_s = speed_of_run(size(4), 500_000, Duration::from_secs(11)).expect("plausible");
        assert!((factor(size(4), sims_per_s) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_machine_twice_as_fast_gets_half_the_time_on_every_board() {
        for size in BoardSize::all() {
            let factor = factor(size, 2.0 * reference_speed(size));
            assert!((factor - 0.5).abs() < 1e-12, "size {}: {factor}", size.get());
        }
    }

    #[test]
    fn larger_boards_are_slower_on_the_reference_machine() {
        let speeds: Vec<f64> = BoardSize::all().map(reference_speed).collect();
        assert!(speeds.windows(2).all(|pair| pair[0] > pair[1]), "{speeds:?}");
    }

    #[test]
    fn sizes_between_the_thesis_figures_lie_on_powers_of_the_cells() {
        let check = |from: u8, to: u8, at: u8| {
            let [from, to, at] = [from, to, at].map(size);
            let cells = |size: BoardSize| (size.cells() as f64).ln();
            let speed = |size: BoardSize| reference_speed(size).ln();
            let slope = (speed(to) - speed(from)) / (cells(to) - cells(from));
            let expected = (speed(from) + slope * (cells(at) - cells(from))).exp();
            let relative = reference_speed(at) / expected;
            assert!((relative - 1.0).abs() < 1e-3, "size {}: {relative}", at.get());
        };
        check(4, 5, 3);
        (6..10).for_each(|n| check(5, 10, n));
    }

    #[test]
    fn times_too_short_to_be_true_are_refused() {
        let error = speed_of_run(size(4), 100_000, Duration::from_micros(10)).expect_err("too short");
        assert!(matches!(error, CalibrationError::TooShort { .. }), "{error}");
        let error = speed_of_run(size(4), 1_000_000_000, Duration::from_millis(2)).expect_err("too fast");
        assert!(matches!(error, CalibrationError::Absurd { .. }), "{error}");
        let error = speed_of_run(size(4), 1, Duration::from_secs(1000)).expect_err("too slow");
        assert!(matches!(error, CalibrationError::Absurd { .. }), "{error}");
    }

    #[test]
    fn a_run_is_shorter_on_boards_above_size_five() {
        let plan = Plan::default();
        assert_eq!(plan.sims_on(size(4)), 100_000);
        assert_eq!(plan.sims_on(size(5)), 100_000);
        assert_eq!(plan.sims_on(size(10)), 100_000 * 61 / 271);
    }

    #[test]
    fn this_machine_has_a_speed() {
        let plan = Plan { runs: NonZeroU32::new(3).expect("not zero"), sims: 20_000 };
        let speeds = measure(size(4), &plan, || false).expect("plausible");
        assert_eq!(speeds.len(), 3);
        assert!(speeds.iter().all(|&speed| speed > 0.0));
        assert!(measure(size(4), &plan, || true).expect("stopped").is_empty());
    }

    #[test]
    fn a_run_too_short_to_tell_is_made_longer() {
        let plan = Plan { runs: NonZeroU32::new(2).expect("not zero"), sims: 1 };
        let speeds = measure(size(3), &plan, || false).expect("plausible");
        assert_eq!(speeds.len(), 2);
    }
}
