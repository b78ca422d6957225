//! The fits that `clop` and `duel` draw their points from.

use crate::fit::{Fit, Prior};
use crate::log::{Log, LogPrefix};
use crate::objective::Target;
use crate::problem::Problem;
use crate::rng::Rng;
use crate::sampler::sample;
use crate::space::Coordinates;

/// The fits are made again when the results have grown by one in so many.
const NEWS: usize = 10;

/// The fits of all targets, which follow from the log: see [`Log::learnt`].
#[derive(Debug, Default)]
pub(super) struct Models {
    fits: Vec<Option<Fit>>,
    /// The results that the fits are made from.
    learnt: LogPrefix,
    /// The number of results at the last call.
    told: usize,
}

impl Models {
    pub(super) fn fit(&mut self, problem: &Problem, log: &Log, target: usize) -> Option<&Fit> {
        if log.told() != self.told {
            self.told = log.told();
            let learnt = log.learnt(NEWS);
            if learnt != self.learnt {
                let first = log.first(learnt);
                let fit = |target| fit(problem, &first, target, Prior::Wide);
                self.fits = problem.targets().iter().map(fit).collect();
                self.learnt = learnt;
            }
        }
        self.fits.get(target)?.as_ref()
    }
}

/// The fit of the whole log for one target; none without results.
pub(crate) fn fit(problem: &Problem, log: &Log, target: &Target, prior: Prior) -> Option<Fit> {
    Fit::new(&problem.space, &problem.sizes(), target, log.results().collect(), prior)
}

/// A place where the fit has weight; anywhere without a fit.
pub(super) fn draw(problem: &Problem, fit: Option<&Fit>, rng: &mut Rng) -> Coordinates {
    match fit {
        Some(fit) => sample(&problem.space, fit, rng),
        None => problem.space.draw(rng),
    }
}

/// The weighted means of the numbers, with the values of flags and words that have most weight.
///
/// The mean of the points that the model cannot tell from the best is steadier than the model's maximum, which may lie far
/// outside. A parameter counts only at points where its condition holds.
pub(super) fn recommend(problem: &Problem, log: &Log) -> Vec<Coordinates> {
    let of = |target: &Target| {
        let Some(fit) = fit(problem, log, target, Prior::Estimated) else { return problem.start() };
        let mut place = problem.start();
        for (i, one) in problem.space.parameters().iter().enumerate() {
            place[i] = match one.kind.choices() {
                Some(values) => {
                    let shares = fit.shares(i, values);
                    let best = (0..values).max_by(|&a, &b| shares[a].total_cmp(&shares[b]).then(b.cmp(&a)));
                    best.unwrap_or(0) as f64
                }
                None => fit.best(i).unwrap_or(place[i]),
            };
        }
        problem.space.settle(&mut place);
        place
    };
    problem.targets().iter().map(of).collect()
}
