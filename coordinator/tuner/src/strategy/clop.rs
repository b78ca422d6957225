//! `clop`: games against the baseline, at points that a local quadratic model cannot tell from the best.

use super::Strategy;
use super::models::{Models, draw, recommend};
use crate::log::{Log, Proposal};
use crate::problem::Problem;
use crate::space::Coordinates;

#[derive(Debug, Default)]
pub(super) struct Clop {
    models: Models,
}

impl Strategy for Clop {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        let (size, target) = problem.turn(log);
        let place = draw(problem, self.models.fit(problem, log, target), &mut problem.rng(log));
        problem.propose(&place, None, size)
    }

    fn recommend(&self, problem: &Problem, log: &Log) -> Vec<Coordinates> {
        recommend(problem, log)
    }
}
