//! `spsa`: games between two points on either side of the current one, which then moves towards the winner.
//!
//! The step and the gain follow from the precision that is wanted. Flags and words stay as they begin. With the aim `worst`
//! the point moves as with `mean`.
//!
//! Sources: Kiiski's form of SPSA as fishtest and OpenBench use it, for the moves; Van den Bergh, "The theoretical basis of
//! SPSA tuning" (spsa_simul), for the gain.

use super::Strategy;
use crate::log::{Log, ObservedTrial, Proposal};
use crate::problem::Problem;
use crate::rng::Rng;
use crate::space::Coordinates;

/// The last distance of the points from the centre, as a share of the range.
const STEP: f64 = 0.1;
/// The most Elo, with a chance of 95 %, by which the end of a tune is below the optimum.
const PRECISION: f64 = 10.0;
/// Elo per unit of wins minus losses, as a share of the games, near 50 %.
const ELO: f64 = 800.0 / std::f64::consts::LN_10;
/// The power of the number of pairs with which the gain and the step fall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The pairs before the gain falls, as a share of all.
const STABILITY: f64 = 0.1;

/// The centres of all targets after the first trials of the log.
#[derive(Debug, Clone, Default)]
struct SpsaPath {
    centres: Vec<Coordinates>,
    trials: usize,
    /// The pairs of these trials.
    pairs: f64,
}

#[derive(Debug, Default)]
pub(super) struct Spsa {
    /// The walk up to the first trial without a result.
    settled: SpsaPath,
}

/// The step and the gain after so many pairs.
fn schedule(problem: &Problem, numbers: usize, played: f64) -> (f64, f64) {
    let pairs = problem.pairs() as f64;
    let wait = STABILITY * pairs;
    let k = played + 1.0;
    let gain = PRECISION / (ELO * chi_square_95(numbers as f64) / 8.0);
    let step = STEP * (pairs / k).max(1.0).powf(GAMMA);
    let gain = gain * ((wait + pairs) / (wait + k)).max(1.0).powf(ALPHA) * (STEP / step).powi(2);
    (step, gain)
}

/// The 95 % quantile of the chi-square distribution, to a percent (Wilson, Hilferty 1931).
fn chi_square_95(degrees: f64) -> f64 {
    let a = 2.0 / (9.0 * degrees.max(1.0));
    degrees.max(1.0) * (1.0 - a + 1.644_854 * a.sqrt()).powi(3)
}

fn numbers(problem: &Problem) -> Vec<usize> {
    let parameters = problem.space.parameters();
    (0..parameters.len()).filter(|&i| parameters[i].kind.choices().is_none()).collect()
}

impl SpsaPath {
    fn begin(problem: &Problem) -> Self {
        Self { centres: vec![problem.start(); problem.targets().len()], trials: 0, pairs: 0.0 }
    }

    /// Moves by the result of the next trial of the log.
    ///
    /// The moves follow the order in which trials were asked for, so the order of results plays no role. A pair that was played
    /// around a centre far from the present one moves the centre less: with many pairs outstanding, all of them would pull
    /// across the optimum together.
    fn step(
        &mut self,
        problem: &Problem,
        numbers: &[usize],
        target: usize,
        observed: Option<ObservedTrial<'_>>,
    ) {
        let (step, gain) = schedule(problem, numbers.len(), self.pairs);
        self.trials += 1;
        let Some(ObservedTrial { place, opponent: Some(opponent), outcome, .. }) = observed else { return };
        let centre = &mut self.centres[target];
        // The result has no information about equal numbers: those that were rounded to the same value, or at their start since
        // their condition does not hold.
        let varied: Vec<usize> = numbers.iter().copied().filter(|&i| place[i] != opponent[i]).collect();
        let drift: f64 =
            varied.iter().map(|&i| (centre[i] - (place[i] + opponent[i]) / 2.0).powi(2)).sum::<f64>();
        let damping = 1.0 / (1.0 + drift / (varied.len().max(1) as f64 * step * step));
        let won = outcome.games() * (2.0 * outcome.rate() - 1.0);
        for &i in &varied {
            let side = (place[i] - opponent[i]).signum();
            centre[i] = (centre[i] + damping * gain * step * won * side).clamp(0.0, 1.0);
        }
    }

    /// Walks on to the end of the log, or to the first trial without a result.
    fn walk(&mut self, problem: &Problem, log: &Log, stop: bool) {
        let numbers = numbers(problem);
        let targets = problem.targets();
        while self.trials < log.asked() {
            let observed = log.observed(self.trials);
            if stop && observed.is_none() {
                return;
            }
            let size = log.trials()[self.trials].proposal.size;
            let target = targets.iter().position(|target| target.size == Some(size)).unwrap_or(0);
            self.step(problem, &numbers, target, observed);
            self.pairs += observed.map_or(log.pairs_per_trial(), |one| one.outcome.games() / 2.0);
        }
    }
}

impl Strategy for Spsa {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        if self.settled.centres.is_empty() {
            self.settled = SpsaPath::begin(problem);
        }
        self.settled.walk(problem, log, true);
        let mut walk = self.settled.clone();
        walk.walk(problem, log, false);
        let (size, target) = problem.turn(log);
        let numbers = numbers(problem);
        let (step, _) = schedule(problem, numbers.len(), walk.pairs);
        let mut rng = problem.rng(log);
        let (mut one, mut other) = (walk.centres[target].clone(), walk.centres[target].clone());
        for i in numbers {
            let centre = walk.centres[target][i];
            let reach = if rng.flip() { step } else { -step };
            one[i] = round(problem, i, (centre + reach).clamp(0.0, 1.0), &mut rng);
            other[i] = round(problem, i, (centre - reach).clamp(0.0, 1.0), &mut rng);
        }
        problem.propose(&one, Some(&other), size)
    }

    fn recommend(&self, problem: &Problem, log: &Log) -> Vec<Coordinates> {
        let mut walk = SpsaPath::begin(problem);
        walk.walk(problem, log, false);
        walk.centres
    }
}

/// A whole number is rounded up or down by chance, so that its mean is right. This also applies to logarithmic scales, where a
/// step from 1 would never reach 2 otherwise.
fn round(problem: &Problem, parameter: usize, t: f64, rng: &mut Rng) -> f64 {
    problem.space.parameters()[parameter].kind.whole_by_chance(t, rng.uniform()).unwrap_or(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gain_is_that_of_van_den_berghs_design() {
        // His table: 10 Elo, 10 parameters, 95 %, with 2 % draws; and 5 Elo for 6.
        let gain = |precision: f64, n: f64| precision / (ELO * chi_square_95(n) * 0.98 / 8.0);
        assert!((gain(10.0, 10.0) / 0.012_834_280_56 - 1.0).abs() < 0.01);
        assert!((gain(5.0, 6.0) / 0.009_329_946_178 - 1.0).abs() < 0.01);
    }
}
