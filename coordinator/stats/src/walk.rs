//! The estimate after a rule that looked after every pair, and stopped at a bound.
//!
//! The scores of the pairs are a random walk. A rule stops it at a lower or an upper bound, which may be curved. Outcomes are
//! ordered by the stop: an early stop at the upper bound is the best, then come later ones, the walks that have not stopped by
//! their place, late stops at the lower bound, and early ones. The estimate is the true rate at which a better outcome than the
//! observed one is as probable as a worse one; the ends of the interval are the rates at which a worse one has the rest of the
//! confidence, in equal parts.
//!
//! Sources: the order of outcomes, Fairbanks and Madsen, "P values for tests using a repeated significance test design",
//! Biometrika 69 (1982), and Siegmund, *Sequential Analysis* (1985); the recursion over looks, Armitage, McPherson
//! and Rowe, "Repeated significance tests on accumulating data", JRSS A 132 (1969); the distributions of pairs with another
//! mean, Efron, "Nonparametric standard errors and confidence intervals", Canadian Journal of Statistics 9 (1981).

use crate::counts::PairCounts;
use crate::shape::{Shape, root};
use crate::solve::NoSolution;
use std::cmp::Ordering;

/// A walk of more pairs than this is replaced by one of so many steps with the same drift and variance.
pub(crate) const STEPS: usize = 256;

/// The mean overshoot of a random walk beyond a bound, in standard deviations of a step: −ζ(½)/√(2π).
///
/// Source: Siegmund, "Corrected diffusion approximations in certain random walk problems", Adv. Appl. Prob. 11 (1979).
pub(crate) const OVERSHOOT: f64 = 0.582_6;

/// Exponents of tilted distributions beyond which every game is won or lost.
const MOST_TILT: f64 = 60.0;

/// An estimate of the rate with an interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated rate, from 0 to 1.
    pub rate: f64,
    /// Whether the rate is corrected for the stop: too high as often as too low. If not, it is the plain mean after a rule that
    /// needs no correction.
    pub is_corrected: bool,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// Where a rule stops: after so many pairs with this rate, `Greater` at its upper bound, `Less` at its lower one, and `Equal`
/// between them. Above a rate at the upper bound, all rates are; below one at the lower bound, too.
pub(crate) type Bounds<'a> = &'a dyn Fn(f64, f64) -> Ordering;

/// The median-unbiased estimate of the rate, and its equal-tailed interval, after a rule with these bounds that read `counts`.
/// None without pairs.
///
/// # Errors
/// When a rate was not found.
pub(crate) fn after(
    counts: &PairCounts,
    shape: &Shape,
    confidence: f64,
    bounds: Bounds<'_>,
) -> Result<Option<Estimate>, NoSolution> {
    let Some(rate) = counts.moments().map(|moments| moments.rate) else { return Ok(None) };
    let pairs = reached(counts.pairs(), rate, shape, bounds);
    let outcomes = Outcomes::of(pairs, rate, shape, bounds);
    let alpha = 1.0 - confidence;
    Ok(Some(Estimate {
        rate: outcomes.rate_with(0.5, outcomes.middle())?,
        is_corrected: true,
        low: outcomes.rate_with(alpha / 2.0, 0.5)?,
        high: outcomes.rate_with(1.0 - alpha / 2.0, 0.5)?,
    }))
}

/// The number of pairs at which a walk to this rate stops. It is that of the pairs, or less if the rule would have stopped
/// before, whatever the last pair was: a caller may ask about pairs that the rule would not have reached.
fn reached(pairs: u64, rate: f64, shape: &Shape, bounds: Bounds<'_>) -> u64 {
    let before = (pairs - 1) as f64;
    let went_on = |score: f64| {
        let rate = (pairs as f64 * rate - score) / before;
        (0.0..=1.0).contains(&rate) && bounds(before, rate).is_eq()
    };
    let scores = (0..5).filter(|i| shape.probabilities()[*i] > 0.0).map(|i| i as f64 / 4.0);
    if pairs == 1 || scores.into_iter().any(went_on) {
        return pairs;
    }
    let (mut goes_on, mut stops) = (0, pairs);
    while stops - goes_on > 1 {
        let middle = u64::midpoint(goes_on, stops);
        if bounds(middle as f64, rate).is_eq() { goes_on = middle } else { stops = middle }
    }
    stops
}

/// The outcomes of a walk that are not worse than the observed one.
struct Outcomes {
    shape: Shape,
    /// Pairs of a step, and the square root of it.
    scale: f64,
    /// The mean of `shape`.
    centre: f64,
    /// Steps and quarter points of the walks that stopped at the upper bound before, with their probabilities.
    better: Vec<(f64, f64, f64)>,
    /// Quarter points of the others at the last step, with their probabilities.
    last: Vec<(f64, f64)>,
    steps: f64,
    /// The observed quarter points at the last step.
    place: f64,
}

impl Outcomes {
    fn of(pairs: u64, rate: f64, shape: &Shape, bounds: Bounds<'_>) -> Self {
        let steps = (pairs as usize).min(STEPS);
        let per_step = pairs as f64 / steps as f64;
        let scale = per_step.sqrt();
        let centre = shape.mean();
        // A step of many pairs jumps further beyond the bound than a pair does.
        let further = OVERSHOOT * shape.variance().sqrt() * (scale - 1.0);
        let side = |step: usize, place: i64, further: f64| {
            let (pairs, steps) = (step as f64 * per_step, step as f64);
            let points = pairs * centre + scale * (place as f64 / 4.0 - steps * centre) + further;
            bounds(pairs, (points / pairs).clamp(0.0, 1.0))
        };
        let (mut upper, mut lower) = (1, -1);
        let mut better = Vec::new();
        // The probabilities of the walks that go on, from the place `first` on.
        let (mut first, mut going) = (0_i64, vec![1.0]);
        for step in 1..=steps {
            let mut next = vec![0.0; going.len() + 4];
            for (i, p) in shape.probabilities().iter().enumerate().filter(|(_, p)| **p > 0.0) {
                next[i..].iter_mut().zip(&going).for_each(|(next, here)| *next += p * here);
            }
            going = next;
            if step == steps {
                break;
            }
            let most = 4 * step as i64 + 1;
            while upper > 0 && side(step, upper - 1, further).is_gt() {
                upper -= 1;
            }
            while upper < most && !side(step, upper, further).is_gt() {
                upper += 1;
            }
            while lower < most && side(step, lower + 1, -further).is_lt() {
                lower += 1;
            }
            while lower >= 0 && !side(step, lower, -further).is_lt() {
                lower -= 1;
            }
            let kept = usize::try_from(upper - first).unwrap_or(0).min(going.len());
            for (i, mass) in going.drain(kept..).enumerate().filter(|(_, mass)| *mass > 0.0) {
                better.push((step as f64, (upper.max(first) + i as i64) as f64, mass));
            }
            let worse = usize::try_from(lower + 1 - first).unwrap_or(0).min(going.len());
            going.drain(..worse);
            first += worse as i64;
        }
        let last = going.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
        Self {
            shape: *shape,
            scale,
            centre,
            better,
            last: last.map(|(i, mass)| ((first + i as i64) as f64, *mass)).collect(),
            steps: steps as f64,
            place: 4.0 * steps as f64 * (centre + scale * (rate - centre)),
        }
    }

    /// The probability of a better outcome and `part` of that of an equal one, at the tilted distribution.
    fn above(&self, exponent: f64, part: f64) -> f64 {
        let (log_sum, _) = self.shape.tilted(exponent);
        let ratio = |step: f64, place: f64| (exponent * place / 4.0 - step * log_sum).exp();
        let better: f64 = self.better.iter().map(|(step, place, mass)| mass * ratio(*step, *place)).sum();
        let span = self.shape.span();
        let last = self.last.iter().map(|(place, mass)| {
            let share = ((place - self.place) / span + part).clamp(0.0, 1.0);
            if share > 0.0 { share * mass * ratio(self.steps, *place) } else { 0.0 }
        });
        better + last.sum::<f64>()
    }

    /// Which part of the equal outcomes counts as better for the estimate: half, and all or none where nothing else is better or
    /// worse. There the other half would make the estimate 0 or 1.
    ///
    /// Source: Hirji, Tsiatis, Mehta, "Median unbiased estimation for binary data", The American Statistician 43 (1989).
    fn middle(&self) -> f64 {
        let (better, not_worse) = (self.above(0.0, 0.0), self.above(0.0, 1.0));
        if better < 1e-9 {
            1.0
        } else if not_worse > 1.0 - 1e-9 {
            0.0
        } else {
            0.5
        }
    }

    /// The rate at which better outcomes have this probability.
    fn rate_with(&self, probability: f64, part: f64) -> Result<f64, NoSolution> {
        // A standard error of the rate, as an exponent.
        let step = 1.0 / (self.steps * self.shape.variance()).sqrt();
        let exponent = root(&|exponent| self.above(exponent, part) - probability, step, MOST_TILT)
            .ok_or(NoSolution("the rate at which a better outcome has a given probability"))?;
        if exponent.abs() >= MOST_TILT {
            return Ok(f64::from(exponent > 0.0));
        }
        let mean = self.shape.tilted(exponent).1.mean();
        Ok((self.centre + (mean - self.centre) / self.scale).clamp(0.0, 1.0))
    }
}
