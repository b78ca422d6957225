//! `random`: points drawn uniformly, ten pairs each.

use super::Strategy;
use crate::log::{Log, Proposal};
use crate::problem::Problem;
use crate::rng::Rng;

/// Pairs of each point on each size.
const PAIRS: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Random;

impl Strategy for Random {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        // Trials of one point follow each other, and each size has its share of them.
        let (size, _) = problem.turn(log);
        let point = log.asked() / (log.trials_of(PAIRS) * problem.sizes().len());
        let place = problem.space.draw(&mut Rng::stream(problem.seed, point as u64));
        problem.propose(&place, None, size)
    }
}
