//! The importance of the parameters of a sweep: the variance of the win rate by parameter.

use crate::chi_square::{ChiSquare, noncentrality_interval};
use crate::estimate::RateEstimate;
use crate::matrix::Symmetric;
use crate::normal::two_sided;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A parameter's value in a case.
#[derive(Debug, Clone, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A word, or whether something is switched on.
    Word(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
        }
    }
}

/// The effect of a parameter over the cases of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Importance {
    /// The parameter.
    pub parameter: String,
    /// How the effect is modelled.
    pub model: EffectModel,
    /// The standard deviation of the parameter's effect on the rate over the cases, chance taken out.
    pub effect: f64,
    /// Lower end of the interval of the effect.
    pub effect_low: f64,
    /// Upper end of the interval of the effect.
    pub effect_high: f64,
    /// The fraction of the explained variance between cases that is due to this parameter alone.
    pub share: f64,
    /// The test that the parameter has no effect.
    pub no_effect: ChiSquare,
    /// The effect of each value, relative to the average over the cases. Empty when the effect is a curve.
    pub levels: Vec<Level>,
}

/// How a parameter's effect is modelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EffectModel {
    /// Each value has an effect of its own.
    Levels,
    /// The effect is a quadratic function of the value, because there are too many values.
    Quadratic,
}

/// The effect of one value of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// The value.
    pub value: Value,
    /// The number of cases with the value.
    pub cases: u32,
    /// The rate relative to the average over the cases.
    pub effect: f64,
}

/// The effects of several parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Importances {
    /// The parameters, the most important first.
    pub parameters: Vec<Importance>,
    /// The fraction of the explained variance that is due to no parameter alone: interactions between them.
    pub interaction_share: f64,
    /// The test that there is nothing but the parameters' own effects; absent when there are as many effects as cases.
    pub no_interaction: Option<ChiSquare>,
}

/// More values than this are modelled as a curve.
const MOST_LEVELS: usize = 8;

/// Splits the variance of the rate over cases by parameter. `cases` has a rate and the values of all `names` for each case.
/// None for fewer than three cases, fewer than two parameters that vary, a confidence that is not between 0 and 1, or when
/// the cases do not separate the effects of the parameters.
///
/// The rates are explained by the sum of one function of each parameter, fitted by least squares with weights 1/v. A
/// function has a free value for each level, or is quadratic if there are more than eight levels of a number, or too few
/// cases. The test of a parameter is Wald's; its statistic W has a noncentral chi-square distribution whose noncentrality is
/// proportional to the variance of the true effect. So the estimate of that variance is its raw value times (W − df)/W, or 0,
/// and its interval comes from the interval of the noncentrality.
///
/// This is the decomposition that is called functional ANOVA where the cases are a full grid. Sources: Hutter, Hoos,
/// Leyton-Brown, "An efficient approach for assessing hyperparameter importance", ICML 2014; Scheffé, *The Analysis of
/// Variance* (1959), chapter 4.
#[must_use]
pub fn importances(
    names: &[String],
    cases: &[(RateEstimate, Vec<Value>)],
    confidence: f64,
) -> Option<Importances> {
    two_sided(confidence).ok()?;
    let column =
        |place: usize| -> Vec<Value> { cases.iter().map(|(_, values)| values[place].clone()).collect() };
    let varying: Vec<usize> = (0..names.len()).filter(|&place| levels(&column(place)).len() > 1).collect();
    if cases.len() < 3 || varying.len() < 2 {
        return None;
    }
    let factors = |fewest: bool| -> Vec<Factor> {
        varying.iter().map(|&place| Factor::of(&names[place], column(place), fewest)).collect()
    };
    let model = Model::fit(factors(false), cases).or_else(|| Model::fit(factors(true), cases))?;
    Some(model.importances(cases, confidence))
}

/// The different values in ascending order.
fn levels(column: &[Value]) -> Vec<Value> {
    let mut levels = column.to_vec();
    levels.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    levels.dedup();
    levels
}

/// A parameter as explanatory variables.
struct Factor {
    name: String,
    model: EffectModel,
    column: Vec<Value>,
    levels: Vec<Value>,
    /// For every case, the variables, without a constant.
    rows: Vec<Vec<f64>>,
}

impl Factor {
    fn of(name: &str, column: Vec<Value>, fewest: bool) -> Self {
        let levels = levels(&column);
        let numbers: Option<Vec<f64>> =
            column.iter().map(|value| if let Value::Number(x) = value { Some(*x) } else { None }).collect();
        let curve = numbers.filter(|_| levels.len() > MOST_LEVELS || (fewest && levels.len() > 3));
        let (model, rows) = match curve {
            Some(numbers) => (EffectModel::Quadratic, quadratic(&numbers)),
            None => {
                // The first level has the value 0; effects are centred afterwards.
                let row = |value: &Value| levels[1..].iter().map(|level| f64::from(level == value)).collect();
                (EffectModel::Levels, column.iter().map(row).collect())
            }
        };
        Self { name: name.to_owned(), model, column, levels, rows }
    }

    fn width(&self) -> usize {
        self.rows[0].len()
    }
}

fn quadratic(numbers: &[f64]) -> Vec<Vec<f64>> {
    let (low, high) = numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(*x), high.max(*x)));
    let inner = |x: f64| (2.0 * x - low - high) / (high - low);
    numbers.iter().map(|x| vec![inner(*x), inner(*x).powi(2)]).collect()
}

/// The fitted sum of effects.
struct Model {
    factors: Vec<Factor>,
    /// The constant, and then the coefficients of each factor.
    coefficients: Vec<f64>,
    covariance: Symmetric,
    /// The weighted sum of squared residuals.
    residual: f64,
}

impl Model {
    fn fit(factors: Vec<Factor>, cases: &[(RateEstimate, Vec<Value>)]) -> Option<Self> {
        let size = 1 + factors.iter().map(Factor::width).sum::<usize>();
        if size > cases.len() {
            return None;
        }
        let row = |case: usize| -> Vec<f64> {
            std::iter::once(1.0).chain(factors.iter().flat_map(|factor| factor.rows[case].clone())).collect()
        };
        let mut normal = Symmetric::zeros(size);
        let mut right = vec![0.0; size];
        for (case, (estimate, _)) in cases.iter().enumerate() {
            let x = row(case);
            normal.add_square(&x, 1.0 / estimate.variance);
            for (sum, x) in right.iter_mut().zip(&x) {
                *sum += x * estimate.rate / estimate.variance;
            }
        }
        let cholesky = normal.cholesky()?;
        let coefficients = cholesky.solve(&right);
        let residual = cases.iter().enumerate().map(|(case, (estimate, _))| {
            let fitted: f64 = row(case).iter().zip(&coefficients).map(|(x, c)| x * c).sum();
            (estimate.rate - fitted).powi(2) / estimate.variance
        });
        Some(Self { residual: residual.sum(), covariance: cholesky.inverse(), coefficients, factors })
    }

    fn importances(&self, cases: &[(RateEstimate, Vec<Value>)], confidence: f64) -> Importances {
        let mut first = 1;
        let mut found = Vec::new();
        for factor in &self.factors {
            let place: Vec<usize> = (first..first + factor.width()).collect();
            first += factor.width();
            found.extend(self.importance(factor, &place, confidence));
        }
        let no_interaction = ChiSquare::of(self.residual, cases.len() - self.coefficients.len());
        // The variance that the residuals leave when chance is taken out, on the scale of the rates.
        let weights: f64 = cases.iter().map(|(estimate, _)| 1.0 / estimate.variance).sum();
        let interactions =
            no_interaction.map_or(0.0, |test| (test.statistic - f64::from(test.degrees)).max(0.0) / weights);
        let explained: f64 = found.iter().map(|one| one.effect * one.effect).sum::<f64>() + interactions;
        let share = |variance: f64| if explained > 0.0 { variance / explained } else { 0.0 };
        for one in &mut found {
            one.share = share(one.effect * one.effect);
        }
        found.sort_by(|a, b| {
            let raw = |one: &Importance| (one.effect, one.no_effect.statistic);
            raw(b).partial_cmp(&raw(a)).unwrap_or(std::cmp::Ordering::Equal)
        });
        Importances { parameters: found, interaction_share: share(interactions), no_interaction }
    }

    fn importance(&self, factor: &Factor, place: &[usize], confidence: f64) -> Option<Importance> {
        let coefficients: Vec<f64> = place.iter().map(|&i| self.coefficients[i]).collect();
        let covariance = self.covariance.part(place);
        let solved = covariance.cholesky()?.solve(&coefficients);
        let wald = solved.iter().zip(&coefficients).map(|(a, b)| a * b).sum();
        let no_effect = ChiSquare::of(wald, place.len())?;
        // Centred over the cases.
        let cases = factor.rows.len() as f64;
        let means: Vec<f64> =
            (0..place.len()).map(|i| factor.rows.iter().map(|row| row[i]).sum::<f64>() / cases).collect();
        let effect_of = |row: &[f64]| -> f64 {
            row.iter().zip(&means).zip(&coefficients).map(|((x, mean), c)| (x - mean) * c).sum()
        };
        let raw = factor.rows.iter().map(|row| effect_of(row).powi(2)).sum::<f64>() / cases;
        let deviation =
            |noncentrality: f64| if wald > 0.0 { (raw * noncentrality / wald).sqrt() } else { 0.0 };
        let (low, high) = noncentrality_interval(wald, place.len(), confidence);
        let level = |value: &Value| {
            let case = factor.column.iter().position(|other| other == value)?;
            Some(Level {
                value: value.clone(),
                cases: factor.column.iter().filter(|other| *other == value).count() as u32,
                effect: effect_of(&factor.rows[case]),
            })
        };
        let levels = match factor.model {
            EffectModel::Levels => factor.levels.iter().filter_map(level).collect(),
            EffectModel::Quadratic => Vec::new(),
        };
        Some(Importance {
            parameter: factor.name.clone(),
            model: factor.model,
            effect: deviation((wald - place.len() as f64).max(0.0)),
            effect_low: deviation(low),
            effect_high: deviation(high),
            share: 0.0,
            no_effect,
            levels,
        })
    }
}

/// The parameters that differ between cases, with the values in each case. A parameter that a case does not set is absent.
#[must_use]
pub fn varying(cases: &[std::collections::BTreeMap<String, Value>]) -> Vec<String> {
    let names: BTreeSet<&String> = cases.iter().flat_map(|case| case.keys()).collect();
    let differs = |name: &&&String| cases.iter().any(|case| case.get(**name) != cases[0].get(**name));
    names.iter().filter(differs).map(|name| (*name).clone()).collect()
}
