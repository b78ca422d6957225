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

/// The observed outcome is spread over so many quarter points around its own: the distance of neighbouring outcomes without
/// draws. A distance that depended on whether a game was drawn would make the estimate jump.
const SPAN: f64 = 2.0;

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

/// Where a rule stops after so many pairs with this rate: `Greater` at its upper bound, `Less` at its lower one, and `Equal`
/// between them. Above a rate at the upper bound, all rates are; below one at the lower bound, too.
pub(crate) type Bounds<'a> = Box<dyn Fn(f64, f64) -> Ordering + 'a>;

/// A rule that looks at the pairs.
pub(crate) trait Stops {
    /// Whether it stops after so many pairs of this kind with this rate.
    fn at(&self, shape: &Shape, pairs: f64, rate: f64) -> Result<Ordering, NoSolution>;

    /// Its bounds for pairs of this kind, which a walk of about so many pairs meets.
    fn bounds(&self, shape: &Shape, pairs: f64) -> Result<Bounds<'_>, NoSolution>;
}

/// The median-unbiased estimate of the rate, and its equal-tailed interval, after a rule that read `counts`. None without pairs.
///
/// A rate has two medians where one outcome is not rare: one counts the outcomes as good as the observed one as better, and the
/// other does not. The estimate is the middle of both, as for a binomial variable; so it is neither 0 nor 1 after games that were
/// all lost or won.
///
/// Source of the middle: Parzen, Lipsitz, Ibrahim, Klar, "An estimate of the odds ratio that always exists", Journal of
/// Computational and Graphical Statistics 11 (2002).
///
/// # Errors
/// When a rate was not found.
pub(crate) fn after(
    counts: &PairCounts,
    confidence: f64,
    rule: &dyn Stops,
) -> Result<Option<Estimate>, NoSolution> {
    let Some(rate) = counts.moments().map(|moments| moments.rate) else { return Ok(None) };
    let all = counts.pairs();
    let (stop, order) = reached(counts, rate, rule)?;
    let Some(shape) = Shape::of_part(counts, stop / all as f64) else { return Ok(None) };
    let bounds = rule.bounds(&shape, stop)?;
    // By the means, walks that go on beyond the stop may turn out better.
    let pairs = if order == Order::Stops { all } else { 2 * stop.ceil() as u64 };
    let outcomes = WalkOutcomes::of(pairs as usize, rate, &shape, order, &bounds);
    let alpha = 1.0 - confidence;
    let (least, most) = (outcomes.rate_with(0.5, 1.0)?, outcomes.rate_with(0.5, 0.0)?);
    let (low, high) = (outcomes.rate_with(alpha / 2.0, 0.5)?, outcomes.rate_with(1.0 - alpha / 2.0, 0.5)?);
    let rate = f64::midpoint(least, most);
    Ok(Some(Estimate { rate, is_corrected: true, low: low.min(rate), high: high.max(rate) }))
}

/// Which outcome is better.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    /// By the stops, for pairs that the rule read.
    Stops,
    /// By the mean scores at the stops, for more pairs than the rule would have read: the point where it would have stopped is
    /// not known, only the proportions of the pairs there. For bounds that approach each other, both orders are nearly the same.
    ///
    /// Source: Emerson, Fleming, "Parameter estimation following group sequential hypothesis testing", Biometrika 77 (1990).
    Means,
}

/// The number of pairs at which a walk to this rate stops. It is that of the pairs, or less if the rule would have stopped
/// before, whatever the last pair was: a caller may ask about pairs that the rule would not have reached. Then these are the
/// pairs in the same proportions at which it stops.
fn reached(counts: &PairCounts, rate: f64, rule: &dyn Stops) -> Result<(f64, Order), NoSolution> {
    let pairs = counts.pairs() as f64;
    let goes_on = |read: f64, rate: f64| match Shape::of_part(counts, read / pairs) {
        Some(shape) => Ok(rule.at(&shape, read, rate)?.is_eq()),
        None => Ok(true),
    };
    for (place, _) in counts.by_score().iter().enumerate().filter(|(_, count)| **count > 0.0) {
        let before = (pairs * rate - place as f64 / 4.0) / (pairs - 1.0);
        if pairs == 1.0 || goes_on(pairs - 1.0, before.clamp(0.0, 1.0))? {
            return Ok((pairs, Order::Stops));
        }
    }
    if goes_on(pairs, rate)? {
        return Ok((pairs, Order::Stops));
    }
    let (mut before, mut stopped) = (0.0, pairs);
    while stopped - before > 1e-6 * stopped {
        let middle = f64::midpoint(before, stopped);
        if goes_on(middle, rate)? { before = middle } else { stopped = middle }
    }
    Ok((stopped, Order::Means))
}

/// The outcomes of a walk that are not worse than the observed one.
struct WalkOutcomes {
    shape: Shape,
    /// Pairs of a step, and the square root of it.
    scale: f64,
    /// The mean of `shape`.
    centre: f64,
    /// Steps and quarter points of the walks that stopped at the upper bound before, with their probabilities.
    upper: Vec<(f64, f64, f64)>,
    /// The same of those that stopped at the lower bound.
    lower: Vec<(f64, f64, f64)>,
    /// Quarter points of the others at the last step, with their probabilities.
    last: Vec<(f64, f64)>,
    steps: f64,
    /// The observed quarter points of a step.
    place: f64,
    order: Order,
}

impl WalkOutcomes {
    fn of(pairs: usize, rate: f64, shape: &Shape, order: Order, bounds: &Bounds<'_>) -> Self {
        let steps = pairs.min(STEPS);
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
        let (mut stopped_above, mut stopped_below) = (Vec::new(), Vec::new());
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
                stopped_above.push((step as f64, (upper.max(first) + i as i64) as f64, mass));
            }
            let worse = usize::try_from(lower + 1 - first).unwrap_or(0).min(going.len());
            for (i, mass) in going.drain(..worse).enumerate().filter(|(_, mass)| *mass > 0.0) {
                stopped_below.push((step as f64, (first + i as i64) as f64, mass));
            }
            first += worse as i64;
        }
        let last = going.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
        Self {
            shape: *shape,
            scale,
            centre,
            upper: stopped_above,
            lower: stopped_below,
            last: last.map(|(i, mass)| ((first + i as i64) as f64, *mass)).collect(),
            steps: steps as f64,
            place: 4.0 * (centre + scale * (rate - centre)),
            order,
        }
    }

    /// The probability of a better outcome and `part` of that of an equal one, at the tilted distribution.
    fn above(&self, exponent: f64, part: f64) -> f64 {
        let (log_sum, _) = self.shape.tilted(exponent);
        let mass = |step: f64, place: f64, mass: f64| mass * (exponent * place / 4.0 - step * log_sum).exp();
        let ordered = |step: f64, place: f64| ((place - step * self.place) / SPAN + part).clamp(0.0, 1.0);
        let shared = |step: f64, place: f64, of: f64| match ordered(step, place) {
            0.0 => 0.0,
            share => share * mass(step, place, of),
        };
        let stopped: f64 = match self.order {
            Order::Stops => self.upper.iter().map(|(step, place, of)| mass(*step, *place, *of)).sum(),
            Order::Means => {
                let both = self.upper.iter().chain(&self.lower);
                both.map(|(step, place, of)| shared(*step, *place, *of)).sum()
            }
        };
        stopped + self.last.iter().map(|(place, of)| shared(self.steps, *place, *of)).sum::<f64>()
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
