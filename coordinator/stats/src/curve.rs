//! The win rate as a function of one numeric parameter, and the parameter's best value.

use crate::chi_square::ChiSquare;
use crate::estimate::{RateEstimate, degrees_of_dispersion};
use crate::logistic::{Observation, logistic, sigmoid};
use crate::matrix::Symmetric;
use crate::normal::two_sided;
use crate::peak::{self, Gaps};
use crate::permutation::least_of_groups;
use serde::{Deserialize, Serialize};

/// A fitted curve and its highest point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// Whether the curve is fitted to the logarithm of the parameter.
    pub logarithmic: bool,
    /// The number of values that the curve is fitted to: all of them, or those near the optimum.
    pub values: u32,
    /// The smallest of these values.
    pub from: f64,
    /// The largest of these values.
    pub to: f64,
    /// The coefficients c₀, c₁, c₂ of logit(rate) = c₀ + c₁u + c₂u². u runs from −1 at `from` to 1 at `to`, in equal steps of
    /// the parameter or of its logarithm.
    pub coefficients: [f64; 3],
    /// Places of the curve for a picture: values of the parameter in equal steps of u, each with the rate.
    pub line: Vec<[f64; 2]>,
    /// The score test that the parameter has no effect (c₁ = c₂ = 0).
    pub no_effect: ChiSquare,
    /// The test that the curve fits; absent with three values, which a curve always fits.
    pub misfit: Option<ChiSquare>,
    /// Where the curve is highest.
    pub optimum: Optimum,
}

/// The highest point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Optimum {
    /// What is known about the place.
    pub kind: OptimumKind,
    /// The value of the parameter with the highest rate within the sweep, by the curve.
    pub at: f64,
    /// Lower end of the interval of that value, within the sweep: a tested value.
    pub low: f64,
    /// Upper end of the interval of that value, within the sweep: a tested value.
    pub high: f64,
    /// The rate at that value, by the curve. It has no interval: the curve may be wrong there, and the place was chosen for its height.
    pub rate: f64,
}

/// What is known about the place of an optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum OptimumKind {
    /// Inside the sweep, and its interval does not reach an end.
    Inside,
    /// Inside the sweep by the curve, but its interval reaches an end of the sweep.
    Open,
    /// At the smallest value, or beyond.
    LowerEnd,
    /// At the largest value, or beyond.
    UpperEnd,
    /// Nowhere: the games show no effect of the parameter.
    Flat,
}

/// The rate at a value of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriedValue {
    /// The value.
    pub value: f64,
    /// The rate, with the variance of what its error does not share with those of other values.
    pub rate: RateEstimate,
    /// That variance, if all values have the same rate.
    pub equal: f64,
    /// The pairs of games that the rate comes from.
    pub pairs: f64,
}

/// A test with a p-value below this is called a misfit or an effect.
const SIGNIFICANT: f64 = 0.05;

/// Steps between the places of a curve's line.
const STEPS: u32 = 24;

/// The fewest values for a curve.
const FEWEST_VALUES: usize = 3;

/// The fewest values for a local fit, which uses the half of them around the optimum.
const FEWEST_FOR_LOCAL: usize = 6;

impl Curve {
    /// Fits a quadratic logistic curve to the rates at these values of a parameter. None for fewer than three different
    /// values, values that are not finite, or a confidence that is not between 0 and 1.
    ///
    /// The scale is logarithmic when all values are positive and grow by equal factors rather than by equal steps. Where six or
    /// more values do not fit the curve, it is fitted again to the half of the values around its optimum; the effect is then
    /// tested twice.
    ///
    /// The interval of the optimum does not rest on the curve, which is wrong where a peak is skewed. It holds for every shape
    /// with one peak (isotonic regression on both sides of each gap between values), and ends at tested values. The place of the
    /// optimum is that of the curve, or the nearest value within the interval.
    ///
    /// A value counts as so many games as give the mean of all rates its variance among equal values: with the variance that its own rate has,
    /// values of few pairs that happen to lose would count as more games than they have.
    ///
    /// Source: Coulom, "CLOP", Advances in Computer Games 13 (2011), for quadratic logistic regression around an optimum.
    #[must_use]
    pub fn fit(points: &[TriedValue], confidence: f64) -> Option<Self> {
        two_sided(confidence).ok()?;
        let mut points = points.to_vec();
        points.sort_by(|a, b| a.value.total_cmp(&b.value));
        if points.iter().any(|point| !point.value.is_finite()) {
            return None;
        }
        let peak = Peak::of(&points, confidence)?;
        let values = distinct(&points);
        let logarithmic = is_logarithmic(&values);
        let curve = Self::through(&points, logarithmic, &peak)?;
        let fits = curve.misfit.is_none_or(|misfit| misfit.p_value >= SIGNIFICANT);
        if fits || values.len() < FEWEST_FOR_LOCAL {
            return Some(curve.with_effect(&peak));
        }
        let near = half_around(&values, curve.optimum.at, logarithmic);
        points.retain(|point| near.contains(&point.value));
        let Some(mut local) = Self::through(&points, logarithmic, &peak) else {
            return Some(curve.with_effect(&peak));
        };
        // The better of two tests has twice its p-value.
        if curve.no_effect.p_value < local.no_effect.p_value {
            local.no_effect = curve.no_effect;
        }
        local.no_effect.p_value = (2.0 * local.no_effect.p_value).min(1.0);
        Some(local.with_effect(&peak))
    }

    /// The curve with what its test of the effect says of the optimum.
    fn with_effect(mut self, peak: &Peak) -> Self {
        if self.no_effect.p_value >= SIGNIFICANT {
            let (low, high) = peak.tried;
            self.optimum = Optimum { kind: OptimumKind::Flat, low, high, ..self.optimum };
        }
        self
    }

    fn through(points: &[TriedValue], logarithmic: bool, peak: &Peak) -> Option<Self> {
        let values = distinct(points);
        if values.len() < FEWEST_VALUES {
            return None;
        }
        let scale = Scale::of(*values.first()?, *values.last()?, logarithmic);
        let weights = || points.iter().map(|point| 1.0 / point.equal);
        let all: f64 = weights().sum();
        let mean =
            points.iter().zip(weights()).map(|(point, weight)| weight * point.rate.rate).sum::<f64>() / all;
        let observation = |TriedValue { value, rate, equal, .. }: &TriedValue| {
            let u = scale.inner(*value);
            let games = RateEstimate { rate: mean, variance: *equal }.effective_games();
            Observation { x: vec![1.0, u, u * u], rate: rate.rate, games }
        };
        // Of few pairs, no test is surer than an exact one.
        let pairs: Vec<f64> = points.iter().map(|point| point.pairs).collect();
        let (least, degrees) = (least_of_groups(&pairs), degrees_of_dispersion(&pairs));
        let observations: Vec<Observation> = points.iter().map(observation).collect();
        let coefficients = logistic(&observations)?;
        let no_effect =
            score_test(&observations, mean)?.with_estimated_variances(degrees).no_surer_than(least);
        let deviation = |row: &Observation| {
            let p = sigmoid(row.x.iter().zip(&coefficients).map(|(x, c)| x * c).sum());
            (row.rate - p).powi(2) * row.games / (p * (1.0 - p))
        };
        let misfit = ChiSquare::of(observations.iter().map(deviation).sum(), points.len() - 3);
        let misfit = misfit.map(|test| test.with_estimated_variances(degrees).no_surer_than(least));
        let place = |step: u32| {
            let u = 2.0 * f64::from(step) / f64::from(STEPS) - 1.0;
            let logit: f64 = coefficients.iter().zip([1.0, u, u * u]).map(|(c, x)| c * x).sum();
            [scale.outer(u), sigmoid(logit)]
        };
        Some(Self {
            logarithmic,
            values: u32::try_from(values.len()).ok()?,
            from: *values.first()?,
            to: *values.last()?,
            coefficients: [coefficients[0], coefficients[1], coefficients[2]],
            line: (0..=STEPS).map(place).collect(),
            no_effect,
            misfit,
            optimum: optimum(&coefficients, &scale, peak),
        })
    }

    /// The rate at a value of the parameter, by the curve.
    #[must_use]
    pub fn rate(&self, at: f64) -> f64 {
        let u = Scale::of(self.from, self.to, self.logarithmic).inner(at);
        let [c0, c1, c2] = self.coefficients;
        sigmoid(c0 + c1 * u + c2 * u * u)
    }
}

/// The score test that one rate, the `mean`, explains all: with the weighted deviations U = Σ n·(rate − mean)·z of the variables z around their
/// means, UᵀV⁻¹U with V = mean·(1 − mean)·Σ n·z·zᵀ. Unlike the likelihood ratio, it needs no curve that stays finite, and keeps its level where
/// nearly all games end alike.
///
/// Source: Rao, "Large sample tests of statistical hypotheses concerning several parameters", Proceedings of the Cambridge Philosophical
/// Society 44 (1948).
fn score_test(observations: &[Observation], mean: f64) -> Option<ChiSquare> {
    let games: f64 = observations.iter().map(|row| row.games).sum();
    let middle = [1, 2].map(|i| observations.iter().map(|row| row.games * row.x[i]).sum::<f64>() / games);
    let (mut scores, mut information) = (vec![0.0; 2], Symmetric::zeros(2));
    for row in observations {
        let z = [row.x[1] - middle[0], row.x[2] - middle[1]];
        scores.iter_mut().zip(z).for_each(|(sum, z)| *sum += row.games * (row.rate - mean) * z);
        information.add_square(&z, row.games * (mean * (1.0 - mean)).max(f64::MIN_POSITIVE));
    }
    let solved = information.cholesky()?.solve(&scores);
    ChiSquare::of(solved.iter().zip(&scores).map(|(a, b)| a * b).sum(), 2)
}

fn distinct(points: &[TriedValue]) -> Vec<f64> {
    let mut values: Vec<f64> = points.iter().map(|point| point.value).collect();
    values.dedup();
    values
}

/// Whether ascending values are positive and grow by more equal factors than steps: then they stand on a logarithmic axis.
#[must_use]
pub fn is_logarithmic(values: &[f64]) -> bool {
    let variation = |of: fn(f64, f64) -> f64| {
        let steps: Vec<f64> = values.windows(2).map(|pair| of(pair[0], pair[1])).collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        steps.iter().map(|step| (step / mean - 1.0).powi(2)).sum::<f64>()
    };
    values.first().is_some_and(|first| *first > 0.0)
        && variation(|a, b| (b / a).ln()) < variation(|a, b| b - a)
}

/// The half of the values that are closest to an optimum, at least four.
fn half_around(values: &[f64], at: f64, logarithmic: bool) -> Vec<f64> {
    let distance = |x: f64| if logarithmic { (x / at).ln().abs() } else { (x - at).abs() };
    let mut near = values.to_vec();
    near.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    near.truncate((values.len() / 2 + 1).max(4));
    near
}

/// From a parameter to the range −1 to 1 and back.
struct Scale {
    from: f64,
    to: f64,
    middle: f64,
    half: f64,
    logarithmic: bool,
}

impl Scale {
    fn of(from: f64, to: f64, logarithmic: bool) -> Self {
        let (low, high) = if logarithmic { (from.ln(), to.ln()) } else { (from, to) };
        Self { from, to, middle: (low + high) / 2.0, half: (high - low) / 2.0, logarithmic }
    }

    fn inner(&self, x: f64) -> f64 {
        ((if self.logarithmic { x.ln() } else { x }) - self.middle) / self.half
    }

    fn outer(&self, u: f64) -> f64 {
        let x = self.middle + u * self.half;
        // The logarithm of an end is rounded.
        (if self.logarithmic { x.exp() } else { x }).clamp(self.from, self.to)
    }
}

/// The tested values that the peak is between.
struct Peak {
    low: f64,
    high: f64,
    /// Whether it may be below the smallest value.
    below: bool,
    /// Whether it may be above the largest value.
    above: bool,
    /// The smallest and the largest tested value.
    tried: (f64, f64),
}

impl Peak {
    /// The peak of the rates at these values, in ascending order.
    fn of(points: &[TriedValue], confidence: f64) -> Option<Self> {
        let Gaps { first, last } =
            peak::gaps(&points.iter().map(|point| point.rate).collect::<Vec<_>>(), confidence);
        let (low, high) = (points.get(first.saturating_sub(1))?, points.get(last).or(points.last())?);
        let tried = (points.first()?.value, points.last()?.value);
        Some(Self { low: low.value, high: high.value, below: first == 0, above: last == points.len(), tried })
    }
}

/// The highest point of a curve, if it has an effect.
fn optimum(coefficients: &[f64], scale: &Scale, peak: &Peak) -> Optimum {
    let [c0, c1, c2] = [0, 1, 2].map(|i| coefficients[i]);
    let height = |u: f64| c0 + c1 * u + c2 * u * u;
    let vertex = -c1 / (2.0 * c2);
    let by_curve = if c2 < 0.0 && vertex.abs() < 1.0 {
        vertex
    } else if height(-1.0) > height(1.0) {
        -1.0
    } else {
        1.0
    };
    // A curve that was fitted to values near the optimum may end before the interval does.
    let Peak { low, high, below, above, .. } = *peak;
    let at = scale.outer(by_curve).clamp(low.clamp(scale.from, scale.to), high.clamp(scale.from, scale.to));
    let u = scale.inner(at);
    let kind = if at <= scale.from && below {
        OptimumKind::LowerEnd
    } else if at >= scale.to && above {
        OptimumKind::UpperEnd
    } else if !below && !above {
        OptimumKind::Inside
    } else {
        OptimumKind::Open
    };
    Optimum { kind, at, low: low.min(at), high: high.max(at), rate: sigmoid(height(u)) }
}
