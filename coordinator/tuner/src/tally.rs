//! Results by point, for strategies without a model.

use crate::log::Log;
use crate::objective::Target;
use crate::problem::Problem;
use crate::space::Coordinates;

/// Even games that are added to those of a point on each size.
const PRIOR: f64 = 20.0;

/// The results of one point against the baseline, by place of the size: points scored, and games.
#[derive(Debug, Clone)]
pub(crate) struct Scores {
    pub(crate) place: Coordinates,
    pub(crate) sizes: Vec<(f64, f64)>,
}

/// The results of all points, in the order in which they were first asked for.
#[derive(Debug)]
pub(crate) struct Tally {
    pub(crate) points: Vec<Scores>,
}

impl Scores {
    /// The observed rate of a target: the least of its mixes. A size without games counts as a half.
    pub(crate) fn rate(&self, target: &Target) -> f64 {
        let rate = |&(points, games): &(f64, f64)| if games > 0.0 { points / games } else { 0.5 };
        let of = |mix: &Vec<f64>| mix.iter().zip(&self.sizes).map(|(weight, size)| weight * rate(size)).sum();
        target.mixes.iter().map(of).fold(f64::MAX, f64::min)
    }

    /// A lower estimate: the rate of a target with [`PRIOR`] even games added on each size, less a standard error. A few lucky
    /// games give less than many good ones.
    fn promise(&self, target: &Target) -> f64 {
        let of = |mix: &Vec<f64>| {
            let (mut rate, mut variance) = (0.0, 0.0);
            for (weight, (points, games)) in mix.iter().zip(&self.sizes) {
                rate += weight * (points + PRIOR / 2.0) / (games + PRIOR);
                variance += weight.powi(2) * 0.25 / (games + PRIOR);
            }
            rate - variance.sqrt()
        };
        target.mixes.iter().map(of).fold(f64::MAX, f64::min)
    }
}

impl Tally {
    pub(crate) fn new(problem: &Problem, log: &Log) -> Self {
        let mut points: Vec<Scores> = Vec::new();
        let mut known: std::collections::BTreeMap<Vec<u64>, usize> = std::collections::BTreeMap::new();
        for one in log.results().filter(|one| one.opponent.is_none()) {
            let Some(size) = problem.objective.place(one.size) else { continue };
            let key = one.place.iter().map(|t| t.to_bits()).collect();
            let at = *known.entry(key).or_insert_with(|| {
                let sizes = vec![(0.0, 0.0); problem.objective.sizes().len()];
                points.push(Scores { place: one.place.to_vec(), sizes });
                points.len() - 1
            });
            let (scored, games) = &mut points[at].sizes[size];
            *scored += one.outcome.rate() * one.outcome.games();
            *games += one.outcome.games();
        }
        Self { points }
    }

    /// The points by observed rate, the best first.
    pub(crate) fn ranking(&self, target: &Target) -> Vec<Coordinates> {
        let mut points: Vec<(f64, &Scores)> = self.points.iter().map(|one| (one.rate(target), one)).collect();
        points.sort_by(|a, b| b.0.total_cmp(&a.0));
        points.into_iter().map(|(_, one)| one.place.clone()).collect()
    }

    /// The point with the highest lower estimate. It may have fewer games than another one: a tune whose games were raised asks
    /// for new points.
    pub(crate) fn best(&self, target: &Target) -> Option<Coordinates> {
        let best =
            self.points.iter().reduce(|a, b| if b.promise(target) > a.promise(target) { b } else { a });
        best.map(|one| one.place.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_few_lucky_games_nor_the_most_games_make_the_best_point() {
        let point = |at: f64, won: f64, games: f64| Scores { place: vec![at], sizes: vec![(won, games)] };
        let target = Target { size: None, mixes: vec![vec![1.0]] };
        let best = |points: Vec<Scores>| Tally { points }.best(&target).expect("a point")[0];
        assert_eq!(best(vec![point(1.0, 2.0, 2.0), point(2.0, 120.0, 200.0)]), 2.0, "two games prove little");
        assert_eq!(best(vec![point(1.0, 53.0, 100.0), point(2.0, 15.0, 20.0)]), 2.0, "a later, better point");
    }
}
