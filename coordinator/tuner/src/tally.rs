//! Results by point, for strategies without a model.

use crate::log::Log;
use crate::objective::Target;
use crate::problem::Problem;
use crate::space::Place;

/// The results of one point against the baseline, by place of the size: points scored, and games.
#[derive(Debug, Clone)]
pub(crate) struct Scores {
    pub(crate) place: Place,
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

    /// Games on the sizes of a target.
    pub(crate) fn games(&self, target: &Target) -> f64 {
        let counts = |i: usize| target.mixes.iter().any(|mix| mix[i] > 0.0);
        self.sizes.iter().enumerate().filter(|(i, _)| counts(*i)).map(|(_, (_, games))| games).sum()
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
    pub(crate) fn ranking(&self, target: &Target) -> Vec<Place> {
        let mut points: Vec<(f64, &Scores)> = self.points.iter().map(|one| (one.rate(target), one)).collect();
        points.sort_by(|a, b| b.0.total_cmp(&a.0));
        points.into_iter().map(|(_, one)| one.place.clone()).collect()
    }

    /// The point with the best observed rate, among those with at least half as many games as the most played one.
    pub(crate) fn best(&self, target: &Target) -> Option<Place> {
        let most = self.points.iter().map(|one| one.games(target)).fold(0.0, f64::max);
        let eligible = self.points.iter().filter(|one| one.games(target) >= most / 2.0);
        let best = eligible.reduce(|a, b| if b.rate(target) > a.rate(target) { b } else { a });
        best.map(|one| one.place.clone())
    }
}
