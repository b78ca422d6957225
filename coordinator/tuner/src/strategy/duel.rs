//! `duel`: games between two points that a local quadratic model cannot tell from the best.
//!
//! A game between two points measures their difference. Against the baseline the same precision takes four times as many games.

use super::Strategy;
use super::models::{Models, draw, recommend};
use crate::fit::Fit;
use crate::log::{Log, Opponent, Proposal};
use crate::problem::Problem;
use crate::space::Coordinates;

/// One trial in so many is played against the baseline, to measure how much better the points are.
const BASELINE_EVERY: usize = 10;

#[derive(Debug, Default)]
pub(super) struct Duel {
    models: Models,
}

impl Strategy for Duel {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        let (size, target) = problem.turn(log);
        let mut rng = problem.rng(log);
        let fit = self.models.fit(problem, log, target);
        let place = draw(problem, fit, &mut rng);
        if rng.below(BASELINE_EVERY) == 0 {
            return problem.propose(&place, None, size);
        }
        let mut opponent = draw(problem, fit, &mut rng);
        if let Some(fit) = fit.filter(|_| rng.flip()) {
            reflect(problem, fit, &place, &mut opponent);
        }
        let duel = problem.propose(&place, Some(&opponent), size);
        // A game of a point against itself has no information.
        let is_itself = matches!(&duel.opponent, Opponent::Point(point) if *point == duel.point);
        if is_itself { problem.propose(&place, None, size) } else { duel }
    }

    fn recommend(&self, problem: &Problem, log: &Log) -> Vec<Coordinates> {
        recommend(problem, log)
    }
}

/// Gives the opponent the numbers on the other side of the centre. Such a game has most information about slopes; one between
/// unrelated points also has some about curvatures.
fn reflect(problem: &Problem, fit: &Fit, place: &[f64], opponent: &mut Coordinates) {
    for (i, one) in problem.space.parameters().iter().enumerate() {
        if let Some(centre) = fit.centre(i).filter(|_| one.kind.choices().is_none()) {
            opponent[i] = (2.0 * centre - place[i]).clamp(0.0, 1.0);
        }
    }
    problem.space.settle(opponent);
}
