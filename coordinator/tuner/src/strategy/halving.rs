//! `halving`: many random points play a few pairs each, the best quarter goes to the next round, and so on.
//!
//! Source: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013. A round takes the best
//! points by all results so far, so results may be late.

use super::Strategy;
use crate::log::{Log, LogPrefix, Proposal};
use crate::problem::Problem;
use crate::rng::Rng;
use crate::space::Coordinates;
use crate::tally::Tally;

/// Pairs of each point in the first round.
const PAIRS: usize = 4;
/// One point in so many survives a round.
const SURVIVES: usize = 4;
/// The ranking is made again when the results have grown by one in so many.
const NEWS: usize = 50;

#[derive(Debug, Default)]
pub(super) struct Halving {
    /// The points by rate, of each target.
    ranking: Vec<Vec<Coordinates>>,
    /// The results that the ranking is made from.
    learnt: LogPrefix,
}

/// The numbers of points in the rounds, which all have the same number of trials. A point has so many trials in the first round.
fn rounds(trials: usize, of_a_point: usize) -> Vec<usize> {
    let list = |first: usize| -> Vec<usize> {
        let next = |points: &usize| (points / SURVIVES >= 1).then_some(points / SURVIVES);
        std::iter::successors(Some(first.max(1)), next).collect()
    };
    let fits = |first: &usize| first * of_a_point * list(*first).len() <= trials;
    // The greatest power of the ratio that fits, and then multiples of it.
    let power = std::iter::successors(Some(1), |n| Some(n * SURVIVES)).take_while(fits).last().unwrap_or(1);
    list((1..SURVIVES).rev().map(|times| times * power).find(fits).unwrap_or(1))
}

impl Strategy for Halving {
    fn ask(&mut self, problem: &Problem, log: &Log) -> Proposal {
        let (size, target) = problem.turn(log);
        let trials = log.trials_of(problem.pairs());
        let targets = problem.targets().len();
        let rounds = rounds(trials / problem.sizes().len(), log.trials_of(PAIRS));
        let round = (log.asked() * rounds.len() / trials).min(rounds.len() - 1);
        let learnt = log.learnt(NEWS);
        if self.ranking.is_empty() || learnt != self.learnt {
            let tally = Tally::new(problem, &log.first(learnt));
            self.ranking = problem.targets().iter().map(|target| tally.ranking(target)).collect();
            self.learnt = learnt;
        }
        // Every point is played on every size: sizes may have unequal shares of the trials.
        let turn = log.trials().iter().filter(|trial| trial.proposal.size == size).count();
        let place = match self.ranking[target.min(targets - 1)].get(turn % rounds[round]) {
            Some(place) if round > 0 => place.clone(),
            _ => problem.space.draw(&mut Rng::stream(problem.seed, (turn % rounds[0]) as u64)),
        };
        problem.propose(&place, None, size)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn rounds_fit_the_budget() {
        assert_eq!(super::rounds(10_240, 4), [512, 128, 32, 8, 2]);
        assert_eq!(super::rounds(3, 4), [1]);
        for trials in 1..3000 {
            let rounds = super::rounds(trials, 4);
            assert!(rounds[0] * 4 * rounds.len() <= trials.max(4), "{trials}: {rounds:?}");
        }
    }
}
