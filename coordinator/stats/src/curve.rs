//! The win rate as a function of one numeric parameter, and the parameter's best value.

use crate::chi_square::ChiSquare;
use crate::estimate::RateEstimate;
use crate::logistic::{Fit, Observation, log_likelihood, logistic, sigmoid};
use crate::normal::two_sided;
use serde::{Deserialize, Serialize};

/// A fitted curve and its highest point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
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
    /// The likelihood-ratio test that the parameter has no effect (c₁ = c₂ = 0).
    pub no_effect: ChiSquare,
    /// The test that the curve fits; absent with three values, which a curve always fits.
    pub misfit: Option<ChiSquare>,
    /// Where the curve is highest.
    pub optimum: Optimum,
}

/// The highest point of a curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Optimum {
    /// What is known about the place.
    pub kind: OptimumKind,
    /// The value of the parameter with the highest rate within the sweep, by the curve.
    pub at: f64,
    /// Lower end of the interval of that value, within the sweep.
    pub low: f64,
    /// Upper end of the interval of that value, within the sweep.
    pub high: f64,
    /// The rate at that value, by the curve.
    pub rate: f64,
    /// Lower end of the interval of that rate.
    pub rate_low: f64,
    /// Upper end of the interval of that rate.
    pub rate_high: f64,
}

/// What is known about the place of an optimum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum OptimumKind {
    /// Inside the sweep, and so is its whole interval.
    Inside,
    /// Inside the sweep by the curve, but its interval reaches an end of the sweep.
    Open,
    /// At the smallest value: the curve falls, or is lowest inside.
    LowerEnd,
    /// At the largest value: the curve rises, or is lowest inside.
    UpperEnd,
    /// Nowhere: the games show no effect of the parameter.
    Flat,
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
    /// The scale is logarithmic when all values are positive and grow by equal factors rather than by equal steps. Where six
    /// or more values do not fit the curve, it is fitted again to the half of the values around its optimum.
    ///
    /// The interval of the optimum −c₁/2c₂ is Fieller's: the values at which the slope does not differ significantly from
    /// 0, and the ends of the sweep unless the curve falls significantly towards them. Sources: Fieller, "Some problems in
    /// interval estimation", Journal of the Royal Statistical Society B 16 (1954); Coulom, "CLOP", Advances in Computer Games 13 (2011), for quadratic logistic regression around an optimum.
    #[must_use]
    pub fn fit(points: &[(f64, RateEstimate)], confidence: f64) -> Option<Self> {
        let z = two_sided(confidence).ok()?;
        let mut points = points.to_vec();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        if points.iter().any(|(x, _)| !x.is_finite()) {
            return None;
        }
        let logarithmic = is_logarithmic(&distinct(&points));
        let curve = Self::through(&points, logarithmic, z)?;
        let fits = curve.misfit.is_none_or(|misfit| misfit.p_value >= SIGNIFICANT);
        let values = distinct(&points);
        if fits || values.len() < FEWEST_FOR_LOCAL {
            return Some(curve);
        }
        let near = half_around(&values, curve.optimum.at, logarithmic);
        points.retain(|(x, _)| near.contains(x));
        Self::through(&points, logarithmic, z).or(Some(curve))
    }

    fn through(points: &[(f64, RateEstimate)], logarithmic: bool, z: f64) -> Option<Self> {
        let values = distinct(points);
        if values.len() < FEWEST_VALUES {
            return None;
        }
        let scale = Scale::of(*values.first()?, *values.last()?, logarithmic);
        let observation = |(x, estimate): &(f64, RateEstimate)| {
            let u = scale.inner(*x);
            Observation { x: vec![1.0, u, u * u], rate: estimate.rate, games: estimate.effective_games() }
        };
        let observations: Vec<Observation> = points.iter().map(observation).collect();
        let fit = logistic(&observations)?;
        let no_effect = ChiSquare::of(gain(&observations, &fit.coefficients), 2)?;
        let deviation = |row: &Observation| {
            let p = sigmoid(row.x.iter().zip(&fit.coefficients).map(|(x, c)| x * c).sum());
            (row.rate - p).powi(2) * row.games / (p * (1.0 - p))
        };
        let misfit = ChiSquare::of(observations.iter().map(deviation).sum(), points.len() - 3);
        let optimum = optimum(&fit, &scale, no_effect.p_value < SIGNIFICANT, z);
        let place = |step: u32| {
            let u = 2.0 * f64::from(step) / f64::from(STEPS) - 1.0;
            let logit: f64 = fit.coefficients.iter().zip([1.0, u, u * u]).map(|(c, x)| c * x).sum();
            [scale.outer(u), sigmoid(logit)]
        };
        Some(Self {
            logarithmic,
            values: u32::try_from(values.len()).ok()?,
            from: *values.first()?,
            to: *values.last()?,
            coefficients: [fit.coefficients[0], fit.coefficients[1], fit.coefficients[2]],
            line: (0..=STEPS).map(place).collect(),
            no_effect,
            misfit,
            optimum,
        })
    }

    /// The curve with tests that are no surer than this least p-value of an exact test of few pairs.
    pub(crate) fn no_surer_than(mut self, least: f64) -> Self {
        self.no_effect = self.no_effect.no_surer_than(least);
        self.misfit = self.misfit.map(|misfit| misfit.no_surer_than(least));
        if self.no_effect.p_value >= SIGNIFICANT {
            let (low, high) = (self.from, self.to);
            self.optimum = Optimum { kind: OptimumKind::Flat, low, high, ..self.optimum };
        }
        self
    }

    /// The rate at a value of the parameter, by the curve.
    #[must_use]
    pub fn rate(&self, at: f64) -> f64 {
        let u = Scale::of(self.from, self.to, self.logarithmic).inner(at);
        let [c0, c1, c2] = self.coefficients;
        sigmoid(c0 + c1 * u + c2 * u * u)
    }
}

/// Twice the logarithm of how much likelier the games are by the curve than with one rate for all values. Where a value wins or loses all
/// games, the best coefficients are infinite and their errors say nothing, but the likelihood has a limit.
fn gain(observations: &[Observation], coefficients: &[f64]) -> f64 {
    let games: f64 = observations.iter().map(|row| row.games).sum();
    let mean = observations.iter().map(|row| row.games * row.rate).sum::<f64>() / games;
    let constant = (mean / (1.0 - mean)).ln();
    // Where every game ended alike, one rate explains all.
    if !constant.is_finite() {
        return 0.0;
    }
    2.0 * (log_likelihood(observations, coefficients) - log_likelihood(observations, &[constant, 0.0, 0.0]))
}

fn distinct(points: &[(f64, RateEstimate)]) -> Vec<f64> {
    let mut values: Vec<f64> = points.iter().map(|(x, _)| *x).collect();
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

fn optimum(fit: &Fit, scale: &Scale, effect: bool, z: f64) -> Optimum {
    let [c0, c1, c2] = [0, 1, 2].map(|i| fit.coefficients[i]);
    let height = |u: f64| c0 + c1 * u + c2 * u * u;
    let vertex = -c1 / (2.0 * c2);
    let inside = c2 < 0.0 && vertex.abs() < 1.0;
    let at = if inside {
        vertex
    } else if height(-1.0) > height(1.0) {
        -1.0
    } else {
        1.0
    };
    // The estimate is never excluded, however the errors round.
    let (low, high) = not_excluded(fit, z);
    let (low, high) = (low.min(at), high.max(at));
    let kind = match (effect, inside) {
        (false, _) => OptimumKind::Flat,
        (true, true) if low > -1.0 && high < 1.0 => OptimumKind::Inside,
        (true, true) => OptimumKind::Open,
        (true, false) if at < 0.0 => OptimumKind::LowerEnd,
        (true, false) => OptimumKind::UpperEnd,
    };
    let (low, high) = if kind == OptimumKind::Flat { (-1.0, 1.0) } else { (low, high) };
    let error = fit.covariance.quadratic(&[1.0, at, at * at]).sqrt();
    Optimum {
        kind,
        at: scale.outer(at),
        low: scale.outer(low),
        high: scale.outer(high),
        rate: sigmoid(height(at)),
        rate_low: sigmoid(height(at) - z * error),
        rate_high: sigmoid(height(at) + z * error),
    }
}

/// The smallest interval with all values between −1 and 1 that may be the optimum. The curve does not fall towards an optimum at an end,
/// and is level at one inside. In either case the optimum is in the half with the higher end.
fn not_excluded(fit: &Fit, z: f64) -> (f64, f64) {
    let [_, c1, c2] = [0, 1, 2].map(|i| fit.coefficients[i]);
    let may_be_positive =
        |value: f64, contrast: [f64; 3]| value >= -z * fit.covariance.quadratic(&contrast).sqrt();
    let from = if may_be_positive(-c1, [0.0, -1.0, 0.0]) { -1.0 } else { 0.0 };
    let to = if may_be_positive(c1, [0.0, 1.0, 0.0]) { 1.0 } else { 0.0 };
    let mut ranges = level(fit, z);
    let ends = [-1.0, 1.0].into_iter();
    let rising = ends.filter(|end| may_be_positive(end * c1 + 2.0 * c2, [0.0, *end, 2.0]));
    ranges.extend(rising.map(|end| (end, end)));
    let near = ranges.into_iter().filter(|(low, high)| *low <= to && *high >= from);
    near.fold((1.0, -1.0), |(low, high): (f64, f64), range| {
        (low.min(range.0.max(from)), high.max(range.1.min(to)))
    })
}

/// The ranges of values at which the slope c₁ + 2c₂u is within z standard errors of 0. None if the curve is significantly lowest there.
fn level(fit: &Fit, z: f64) -> Vec<(f64, f64)> {
    let (c1, c2) = (fit.coefficients[1], fit.coefficients[2]);
    let [v11, v12, v22] = [(1, 1), (1, 2), (2, 2)].map(|(i, j)| z * z * fit.covariance.at(i, j));
    let (a, b, c) = (4.0 * (c2 * c2 - v22), 4.0 * (c1 * c2 - v12), c1 * c1 - v11);
    let root = (b * b - 4.0 * a * c).max(0.0).sqrt();
    let (one, other) = ((-b - root) / (2.0 * a), (-b + root) / (2.0 * a));
    match (a > 0.0, c2 < 0.0) {
        (true, true) => vec![(one, other)],
        (true, false) => Vec::new(),
        // If the curvature is not significant, these are all values but those between the roots.
        (false, _) => vec![(f64::NEG_INFINITY, one.min(other)), (one.max(other), f64::INFINITY)],
    }
}
