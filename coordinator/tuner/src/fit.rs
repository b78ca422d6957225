//! A local quadratic model of the logit of winning.
//!
//! The logit of beating the baseline is a quadratic function q of the numbers, with an effect of each value of a flag or word,
//! and slopes that differ a little by size. A trial against the baseline observes q; a trial between two points observes a
//! difference of q. The coefficients have normal priors around 0.
//!
//! A quadratic function is wrong far away from the optimum. So the trials get weights, as in CLOP: a trial whose point seems
//! worse than the average point loses weight, depending on the difference in standard errors. The fit and the weights are
//! computed in turn until they agree.
//!
//! Those weights are equal for all points above the average. New points are drawn, and a recommendation is averaged, by weights
//! that continue to rise there: otherwise both would lag behind in the middle of the range.
//!
//! Source: Coulom, "CLOP: Confident Local Optimization for Noisy Black-Box Parameter Tuning", ACG 13 (2011).

use crate::features::{Column, Features, Row};
use crate::log::ObservedTrial;
use crate::objective::Target;
use crate::space::{Coordinates, Space};
use stats::matrix::Symmetric;
use stats::sigmoid;
use std::cmp::Ordering;

/// A point loses a factor e of its weight for this many standard errors below the average.
const WIDTH: f64 = 3.0;

/// The most rounds of fit and weights.
const ROUNDS: usize = 7;

/// How steeply the weights of draws and recommendations rise with the model, as a power of what a point loses below the
/// average.
const TILT: f64 = 1.0;

/// The prior standard deviation of coefficients. A narrow one would hide effects, and so delay the convergence of the points.
const SPREAD: f64 = 3.0;
/// That of the baseline's strength.
const SPREAD_OF_BASELINE: f64 = 10.0;
/// That of differences between sizes: sizes mostly agree.
const SPREAD_OF_SIZES: f64 = 0.5;

/// The standard deviation that estimated priors are drawn towards, as if one more coefficient had it.
const EXPECTED_SPREAD: f64 = 1.0;
/// Steps of the estimation of priors in the first round of fit and weights, and in the others.
const FIRST_STEPS: usize = 6;
const STEPS: usize = 2;

/// The variances of the coefficients' priors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prior {
    /// Wide, so that no effect is hidden from the points that are played next.
    Wide,
    /// Estimated from the coefficients of each kind of column (empirical Bayes). Of many effects, most are small: a tune has too
    /// few games to estimate each.
    Estimated,
}

/// Points are below this model's level when their logit is below `mean`.
#[derive(Debug, Clone)]
struct Cut {
    coefficients: Vec<f64>,
    mean: f64,
    width: f64,
}

/// A point of a trial.
#[derive(Debug, Clone)]
pub(crate) struct WeightedPoint {
    pub(crate) place: Coordinates,
    /// Its weight in the fit.
    weight: f64,
    /// That weight, rising with the model.
    rising: f64,
}

/// A fitted model, local around the best points of one target.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    features: Features,
    target: Target,
    cuts: Vec<Cut>,
    coefficients: Vec<f64>,
    covariance: Option<Symmetric>,
    /// The points of the trials that have weight, and the sums of their weights up to each.
    points: Vec<WeightedPoint>,
    cumulative: Vec<f64>,
    /// Whether some trial was played against the baseline, by place of the size.
    pub(crate) anchored: Vec<bool>,
}

/// Trials with less weight than this are left out.
const NEGLIGIBLE: f64 = 1e-3;

/// More numbers than this have products only among the most important ones.
const MOST_CROSSED: usize = 10;

struct Trials<'a> {
    observed: Vec<ObservedTrial<'a>>,
    /// The rows, one after the other.
    rows: Vec<f64>,
    columns: usize,
}

impl Trials<'_> {
    fn row(&self, i: usize) -> &[f64] {
        &self.rows[i * self.columns..(i + 1) * self.columns]
    }

    /// The games of each trial by its weight and its variance; 0 for trials that are left out.
    fn scale(&self, weights: &[Weights], dispersion: f64) -> Vec<f64> {
        let of = |(one, weights): (&ObservedTrial<'_>, &Weights)| {
            let weight = joint(*weights);
            if weight > NEGLIGIBLE { weight * one.outcome.games() / dispersion } else { 0.0 }
        };
        self.observed.iter().zip(weights).map(of).collect()
    }

    /// The mean squared error of a trial by that of independent games, drawn towards 1 as if by 30 trials.
    fn dispersion(&self, coefficients: &[f64], scale: &[f64], weights: &[Weights]) -> f64 {
        let (mut squares, mut total) = (30.0, 30.0);
        for (i, one) in self.observed.iter().enumerate().filter(|(i, _)| scale[*i] > 0.0) {
            let p = sigmoid(dot(self.row(i), coefficients)).clamp(0.01, 0.99);
            let weight = joint(weights[i]);
            squares += weight * one.outcome.games() * (one.outcome.rate() - p).powi(2) / (p * (1.0 - p));
            total += weight;
        }
        (squares / total).clamp(0.1, 10.0)
    }
}

/// The weights of a trial's point and of its opponent.
type Weights = [f64; 2];

fn trials<'a>(features: &Features, sizes: &[u8], observed: Vec<ObservedTrial<'a>>) -> Trials<'a> {
    let columns = features.columns().len();
    let mut rows = Vec::with_capacity(columns * observed.len());
    let (mut row, mut other) = (Row::default(), Row::default());
    for one in &observed {
        let mix: Vec<f64> = sizes.iter().map(|&size| f64::from(u8::from(size == one.size))).collect();
        features.write(one.place, &mix, one.opponent.is_none(), &mut row);
        if let Some(opponent) = one.opponent {
            features.write(opponent, &mix, false, &mut other);
            row.x.iter_mut().zip(&other.x).for_each(|(a, b)| *a -= b);
        }
        rows.extend_from_slice(&row.x);
    }
    Trials { observed, rows, columns }
}

/// The weight of a trial between points of these weights.
fn joint([one, other]: Weights) -> f64 {
    one.min(other)
}

/// Lowers the weights of points whose value is below `mean`, depending on the difference in widths.
fn lower(weights: &mut [Weights], logits: &[[f64; 2]], mean: f64, width: f64) {
    for (weight, logit) in weights.iter_mut().flatten().zip(logits.iter().flatten()) {
        if !logit.is_nan() {
            *weight = weight.min(((logit - mean) / width).exp());
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The most likely coefficients, and their covariance.
struct Regression {
    coefficients: Vec<f64>,
    covariance: Symmetric,
    /// The information of the trials about a common constant.
    information: f64,
}

/// Fits by Newton's method from `coefficients` on. `scale` are games for each trial: its weight by its variance.
fn regress(
    trials: &Trials<'_>,
    scale: &[f64],
    precision: &[f64],
    mut coefficients: Vec<f64>,
) -> Option<Regression> {
    let columns = trials.columns;
    let value = |coefficients: &[f64]| -> f64 {
        let prior: f64 = coefficients.iter().zip(precision).map(|(c, p)| c * c * p).sum();
        let likelihood =
            trials.observed.iter().enumerate().filter(|(i, _)| scale[*i] > 0.0).map(|(i, one)| {
                let logit = dot(trials.row(i), coefficients);
                scale[i] * (one.outcome.rate() * logit - logit.max(0.0) - (-logit.abs()).exp().ln_1p())
            });
        likelihood.sum::<f64>() - prior / 2.0
    };
    let mut reached = value(&coefficients);
    for _ in 0..30 {
        let mut gradient: Vec<f64> = coefficients.iter().zip(precision).map(|(c, p)| -c * p).collect();
        let mut hessian = Symmetric::zeros(columns);
        (0..columns).for_each(|j| hessian.add(j, j, precision[j]));
        let mut information = 0.0;
        for (i, one) in trials.observed.iter().enumerate().filter(|(i, _)| scale[*i] > 0.0) {
            let x = trials.row(i);
            let p = sigmoid(dot(x, &coefficients));
            let error = scale[i] * (one.outcome.rate() - p);
            gradient.iter_mut().zip(x).for_each(|(g, x)| *g += error * x);
            let weight = scale[i] * p * (1.0 - p);
            information += weight;
            hessian.add_square(x, weight);
        }
        let cholesky = hessian.cholesky()?;
        let step = cholesky.solve(&gradient);
        let gain = dot(&step, &gradient);
        let mut length = 1.0;
        loop {
            let next: Vec<f64> = coefficients.iter().zip(&step).map(|(c, s)| c + length * s).collect();
            let value = value(&next);
            if value >= reached - 1e-9 * reached.abs() || length < 1e-6 {
                (coefficients, reached) = (next, value);
                break;
            }
            length /= 2.0;
        }
        if gain < 1e-3 {
            return Some(Regression { coefficients, covariance: cholesky.inverse(), information });
        }
    }
    None
}

/// The precision of each column's wide prior.
fn precision(features: &Features) -> Vec<f64> {
    let spread = |column: &Column| match column {
        Column::Baseline => SPREAD_OF_BASELINE,
        Column::Size => SPREAD_OF_SIZES,
        Column::Slope | Column::Square | Column::Product | Column::Choice => SPREAD,
    };
    features.columns().iter().map(|column| spread(column).powi(-2)).collect()
}

/// One step of the EM algorithm for the variances of the priors, one for each kind of column.
fn estimate(precision: &mut [f64], features: &Features, regression: &Regression) {
    let columns = features.columns();
    for (kind, expected) in [
        (Column::Slope, EXPECTED_SPREAD),
        (Column::Square, EXPECTED_SPREAD),
        (Column::Product, EXPECTED_SPREAD),
        (Column::Choice, EXPECTED_SPREAD),
        (Column::Size, SPREAD_OF_SIZES),
    ] {
        let of_kind = || (0..columns.len()).filter(|&j| columns[j] == kind);
        let square = |j: usize| regression.coefficients[j].powi(2) + regression.covariance.at(j, j);
        let squares = expected.powi(2) + of_kind().map(square).sum::<f64>();
        let variance = squares / (1.0 + of_kind().count() as f64);
        of_kind().for_each(|j| precision[j] = 1.0 / variance);
    }
}

impl Fit {
    /// Fits the trials for one target. None without trials.
    pub(crate) fn new(
        space: &Space,
        sizes: &[u8],
        target: &Target,
        mut observed: Vec<ObservedTrial<'_>>,
        prior: Prior,
    ) -> Option<Self> {
        if observed.is_empty() {
            return None;
        }
        // Sums of the same trials are then the same to the last bit.
        observed.sort_by(in_order);
        let all = Features::new(space, sizes.len(), None);
        let crossed = if all.numbers().len() > MOST_CROSSED {
            Some(most_important(space, sizes, &observed)?)
        } else {
            None
        };
        let features = Features::new(space, sizes.len(), crossed);
        let trials = trials(&features, sizes, observed);
        let anchored = sizes
            .iter()
            .map(|&size| trials.observed.iter().any(|one| one.size == size && one.opponent.is_none()))
            .collect();
        let mut precision = precision(&features);
        let mut fit = Self {
            coefficients: vec![0.0; trials.columns],
            features,
            target: target.clone(),
            cuts: Vec::new(),
            covariance: None,
            points: Vec::new(),
            cumulative: Vec::new(),
            anchored,
        };
        let mut weights: Vec<Weights> = vec![[1.0; 2]; trials.observed.len()];
        let mut dispersion = 1.0;
        let mut logits = Vec::new();
        for round in 0..ROUNDS {
            let scale = trials.scale(&weights, dispersion);
            let mut regression = regress(&trials, &scale, &precision, fit.coefficients.clone())?;
            if prior == Prior::Estimated {
                for _ in 0..if round == 0 { FIRST_STEPS } else { STEPS } {
                    estimate(&mut precision, &fit.features, &regression);
                    regression = regress(&trials, &scale, &precision, regression.coefficients)?;
                }
            }
            fit.coefficients = regression.coefficients;
            fit.covariance = Some(regression.covariance);
            dispersion = trials.dispersion(&fit.coefficients, &scale, &weights);
            logits = fit.logits(&trials);
            let mean = average(&logits, &weights);
            let width = WIDTH / regression.information.max(1e-9).sqrt();
            fit.cuts.push(Cut { coefficients: fit.coefficients.clone(), mean, width });
            let before: f64 = weights.iter().map(|w| joint(*w)).sum();
            lower(&mut weights, &logits, mean, width);
            let after: f64 = weights.iter().map(|w| joint(*w)).sum();
            if after >= 0.99 * before {
                break;
            }
        }
        fit.keep_points(&trials, &weights, &logits);
        Some(fit)
    }

    /// The values of each trial's point and of its opponent; NaN for the baseline.
    fn logits(&self, trials: &Trials<'_>) -> Vec<[f64; 2]> {
        let mut row = Row::default();
        let mut value = |place: &[f64]| self.value(place, &self.coefficients, &mut row);
        let of = |one: &ObservedTrial<'_>| [value(one.place), one.opponent.map_or(f64::NAN, &mut value)];
        trials.observed.iter().map(of).collect()
    }

    /// Keeps the points that have weight.
    fn keep_points(&mut self, trials: &Trials<'_>, weights: &[Weights], logits: &[[f64; 2]]) {
        let best = logits.iter().flatten().copied().fold(f64::MIN, f64::max);
        let width = self.cuts.last().map_or(1.0, |cut| cut.width);
        let mut sum = 0.0;
        for ((one, weights), logits) in trials.observed.iter().zip(weights).zip(logits) {
            let both = [(Some(one.place), weights[0], logits[0]), (one.opponent, weights[1], logits[1])];
            for (place, weight, logit) in both {
                let Some(place) = place.filter(|_| weight > NEGLIGIBLE) else { continue };
                sum += weight;
                let rising = weight * (TILT * (logit - best) / width).exp();
                self.points.push(WeightedPoint { place: place.to_vec(), weight, rising });
                self.cumulative.push(sum);
            }
        }
    }

    /// The value of a place under these coefficients: the least over the target's mixes of sizes.
    fn value(&self, place: &[f64], coefficients: &[f64], row: &mut Row) -> f64 {
        let of = |mix: &Vec<f64>| {
            self.features.write(place, mix, true, row);
            dot(&row.x, coefficients)
        };
        self.target.mixes.iter().map(of).fold(f64::MAX, f64::min)
    }

    /// The logarithm of the weight by which a place is drawn, up to a constant.
    pub(crate) fn log_weight(&self, place: &[f64], row: &mut Row) -> f64 {
        let mut least = vec![f64::MAX; self.cuts.len()];
        for mix in &self.target.mixes {
            self.features.write(place, mix, true, row);
            for (least, cut) in least.iter_mut().zip(&self.cuts) {
                *least = least.min(dot(&row.x, &cut.coefficients));
            }
        }
        let levels = least.iter().zip(&self.cuts).map(|(value, cut)| (value - cut.mean) / cut.width);
        let (below, last) = levels.fold((0.0_f64, 0.0), |(below, _), level| (below.min(level), level));
        below + TILT * last
    }

    /// The points of the trials that have weight, and the sums of their weights up to each.
    pub(crate) fn weighted(&self) -> (&[WeightedPoint], &[f64]) {
        (&self.points, &self.cumulative)
    }

    /// The points at which a parameter matters.
    fn active(&self, parameter: usize) -> impl Iterator<Item = &WeightedPoint> {
        let space = self.features.space();
        self.points.iter().filter(move |kept| space.is_active(parameter, &kept.place))
    }

    /// The mean of a number over the points at which it matters, by weight; none without such points.
    pub(crate) fn centre(&self, parameter: usize) -> Option<f64> {
        mean(self.active(parameter).map(|kept| (kept.place[parameter], kept.weight)))
    }

    /// The same by weights that rise with the model.
    pub(crate) fn best(&self, parameter: usize) -> Option<f64> {
        mean(self.active(parameter).map(|kept| (kept.place[parameter], kept.rising)))
    }

    /// The value of a number below which a share of the rising weight lies.
    pub(crate) fn quantile(&self, parameter: usize, share: f64) -> f64 {
        let mut values: Vec<(f64, f64)> =
            self.active(parameter).map(|kept| (kept.place[parameter], kept.rising)).collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut left = share * values.iter().map(|(_, weight)| weight).sum::<f64>();
        let reaches = |(_, weight): &&(f64, f64)| {
            left -= weight;
            left <= 0.0
        };
        values.iter().find(reaches).or(values.last()).map_or(0.5, |(value, _)| *value)
    }

    /// The shares of the rising weight that the values of a flag or word have.
    pub(crate) fn shares(&self, parameter: usize, values: usize) -> Vec<f64> {
        let mut shares = vec![0.0; values];
        for kept in self.active(parameter) {
            shares[kept.place[parameter] as usize] += kept.rising;
        }
        let total: f64 = shares.iter().sum();
        shares.iter().map(|share| share / total.max(f64::MIN_POSITIVE)).collect()
    }

    /// The difference between a place's value and the average of the weighted points; 0 below the average.
    pub(crate) fn above_average(&self, place: &[f64]) -> f64 {
        let value = self.value(place, &self.coefficients, &mut Row::default());
        self.cuts.last().map_or(0.0, |cut| (value - cut.mean).max(0.0))
    }

    /// The logit of winning against the baseline at a place on a mix of sizes, and its standard error.
    pub(crate) fn logit(&self, place: &[f64], mix: &[f64]) -> (f64, f64) {
        let mut row = Row::default();
        self.features.write(place, mix, true, &mut row);
        let error = self.covariance.as_ref().map_or(f64::INFINITY, |c| c.quadratic(&row.x).max(0.0).sqrt());
        (dot(&row.x, &self.coefficients), error)
    }
}

/// The mean of values with weights; none without weight.
fn mean(all: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let add = |(sum, total): (f64, f64), (value, weight): (f64, f64)| (sum + weight * value, total + weight);
    let (sum, total) = all.fold((0.0, 0.0), add);
    (total > 0.0).then(|| sum / total)
}

/// An order of trials that depends on their content only.
fn in_order(a: &ObservedTrial<'_>, b: &ObservedTrial<'_>) -> Ordering {
    let places = |a: &[f64], b: &[f64]| {
        let differ = a.iter().zip(b).map(|(a, b)| a.total_cmp(b)).find(|order| order.is_ne());
        differ.unwrap_or(Ordering::Equal)
    };
    let opponents = match (a.opponent, b.opponent) {
        (Some(a), Some(b)) => places(a, b),
        (a, b) => a.is_some().cmp(&b.is_some()),
    };
    let rest = |one: &ObservedTrial<'_>| (one.size, one.outcome.wins, one.outcome.draws, one.outcome.losses);
    places(a.place, b.place).then(opponents).then_with(|| rest(a).cmp(&rest(b)))
}

/// The average logit of the weighted points: that of their average chance against the median point.
fn average(logits: &[[f64; 2]], weights: &[[f64; 2]]) -> f64 {
    let mut all: Vec<(f64, f64)> = Vec::with_capacity(2 * logits.len());
    for (logit, weight) in logits.iter().zip(weights) {
        let joint = joint(*weight);
        all.extend(logit.iter().filter(|logit| !logit.is_nan()).map(|&logit| (logit, joint)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = all.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let median = all.iter().find(|(_, weight)| {
        below += weight;
        below >= total / 2.0
    });
    let Some(&(median, _)) = median else { return 0.0 };
    let chance = all.iter().map(|(logit, weight)| weight * sigmoid(logit - median)).sum::<f64>() / total;
    let chance = chance.clamp(1e-6, 1.0 - 1e-6);
    median + (chance / (1.0 - chance)).ln()
}

/// The numbers with the greatest effects in a model without products.
fn most_important(space: &Space, sizes: &[u8], observed: &[ObservedTrial<'_>]) -> Option<Vec<usize>> {
    let features = Features::new(space, sizes.len(), Some(Vec::new()));
    let trials = trials(&features, sizes, observed.to_vec());
    let games: Vec<f64> = observed.iter().map(|one| one.outcome.games()).collect();
    let regression = regress(&trials, &games, &precision(&features), vec![0.0; trials.columns])?;
    let effects = |wanted: Column| {
        let columns = features.columns().iter().enumerate().filter(move |(_, one)| **one == wanted);
        columns.map(|(j, _)| regression.coefficients[j].abs()).collect::<Vec<f64>>()
    };
    let (slopes, squares) = (effects(Column::Slope), effects(Column::Square));
    let mut order: Vec<usize> = (0..slopes.len()).collect();
    order.sort_by(|&a, &b| (slopes[b] + squares[b]).total_cmp(&(slopes[a] + squares[a])).then(a.cmp(&b)));
    order.truncate(MOST_CROSSED);
    order.sort_unstable();
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::halton::halton;
    use crate::log::Outcome;
    use crate::space::{Kind, Parameter, Scale, Value};

    /// Coulom's program, and an independent one, fit these games to these coefficients in their first round.
    #[test]
    fn the_regression_is_that_of_clop() {
        let kind = Kind::Real { low: -1.0, high: 1.0, scale: Scale::Linear };
        let parameter = |name: &str| Parameter {
            name: name.to_owned(),
            kind: kind.clone(),
            start: Value::Real(0.0),
            only_if: None,
        };
        let space = Space::new(vec![parameter("x0"), parameter("x1")]).expect("a space");
        let places: Vec<Coordinates> = (1..=240).map(|i| vec![halton(i, 2), halton(i, 3)]).collect();
        let observed = places.iter().enumerate().map(|(i, place)| {
            let (a, b) = (2.0 * place[0] - 1.0 + 0.3, 2.0 * place[1] - 1.0 - 0.4);
            let won = halton(i + 1, 5) < sigmoid(0.5 - 2.0 * a * a - 1.5 * b * b - 0.8 * a * b);
            let (wins, losses) = (u32::from(won), u32::from(!won));
            ObservedTrial { place, opponent: None, size: 8, outcome: Outcome { wins, draws: 0, losses } }
        });
        let observed: Vec<ObservedTrial<'_>> = observed.collect();
        assert_eq!(observed.iter().map(|one| one.outcome.wins).sum::<u32>(), 78);
        let features = Features::new(&space, 1, None);
        let trials = trials(&features, &[8], observed);
        let fit = regress(&trials, &[1.0; 240], &[0.01; 6], vec![0.0; 6]).expect("a fit");
        // The constant, x0, x1, x0², x1², x0·x1.
        let expected = [0.207_840_74, -0.911_602_45, 0.903_088_73, -2.055_441_4, -1.442_334_7, -1.125_476_6];
        for (found, expected) in fit.coefficients.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-4, "{:?}", fit.coefficients);
        }
    }
}
