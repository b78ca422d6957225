//! `grid`: all combinations of evenly spaced values, as fine as the budget allows with ten pairs each.

use super::Strategy;
use crate::log::{Log, Proposal};
use crate::problem::Problem;
use crate::space::Coordinates;

/// Pairs of each point on each size.
const PAIRS: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Grid;

/// The number of values of each parameter, with so many points at most.
fn levels(problem: &Problem, affordable: u128) -> Vec<u128> {
    let with = |levels: u128| -> Vec<u128> {
        let of = |kind: &crate::space::Kind| match kind.choices() {
            Some(choices) => choices as u128,
            None => kind.steps().map_or(levels, |steps| levels.min(steps as u128 + 1)),
        };
        problem.space.parameters().iter().map(|one| of(&one.kind)).collect()
    };
    let points = |levels: &Vec<u128>| levels.iter().try_fold(1_u128, |all, one| all.checked_mul(*one));
    let fits = |levels: &u128| points(&with(*levels)).is_some_and(|points| points <= affordable);
    (3..=1000).take_while(fits).last().map_or_else(|| with(2), with)
}

/// Point `number` of the grid, in an order that visits all of it and mixes it well.
fn place(problem: &Problem, levels: &[u128], number: u128) -> Coordinates {
    let total = levels.iter().fold(1_u128, |all, one| all.saturating_mul(*one));
    // An odd stride near the golden section, without a common divisor with the number of points.
    let mut stride = (total as f64 * 0.618_034) as u128 | 1;
    while greatest_common_divisor(stride, total) > 1 {
        stride += 2;
    }
    let mut left = number % total * (stride % total) % total;
    let mut place = Coordinates::new();
    for (one, &levels) in problem.space.parameters().iter().zip(levels) {
        let value = (left % levels) as f64;
        left /= levels;
        place.push(if one.kind.choices().is_some() { value } else { value / (levels - 1).max(1) as f64 });
    }
    problem.space.settle(&mut place);
    place
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Strategy for Grid {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        // Trials of one point follow each other, and each size has its share of them.
        let trials = log.trials_of(PAIRS) * problem.sizes().len();
        let affordable = (log.trials_of(problem.pairs()) / trials).max(1) as u128;
        let levels = levels(problem, affordable);
        let (size, _) = problem.turn(log);
        let number = (log.asked() / trials) as u128;
        problem.propose(&place(problem, &levels, number % affordable), None, size)
    }
}
