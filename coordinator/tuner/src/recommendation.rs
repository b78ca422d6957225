//! The recommendation of a tune, and its uncertainty.

use crate::fit::Fit;
use crate::objective::Target;
use crate::problem::Problem;
use crate::space::{Point, Value};
use serde::{Deserialize, Serialize};
use stats::sigmoid;

/// The recommended setting of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneRecommendation"))]
pub struct Recommendation {
    /// The size it is for; absent if it is for all.
    pub size: Option<u8>,
    /// The setting.
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, Value>"))]
    pub point: Point,
    /// The uncertainty of each parameter.
    pub parameters: Vec<BestValue>,
    /// The predicted win rate against the baseline by size. Sizes without games against the baseline are left out.
    pub predicted: Vec<Prediction>,
    /// The predicted win rate by the objective; absent unless all its sizes have games against the baseline.
    pub overall: Option<Rate>,
    /// The verdict on the setting.
    pub verdict: Verdict,
    /// The fitted win rate along each parameter, with all others as recommended.
    pub responses: Vec<Response>,
}

/// Whether the recommended setting is better than the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneVerdict"))]
pub enum Verdict {
    /// The interval of its win rate lies above 50 %.
    Better,
    /// Nothing better than the baseline was found: the interval reaches down to 50 %.
    NothingBetter,
    /// There were no games against the baseline on some size.
    Unknown,
}

impl Verdict {
    /// The verdict as a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Better => "The recommended setting is predicted to beat the baseline.",
            Self::NothingBetter => "Nothing better than the baseline was found.",
            Self::Unknown => {
                "Whether the setting beats the baseline is unknown: there are no games against the baseline."
            }
        }
    }
}

/// A win rate with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneRate"))]
pub struct Rate {
    /// The rate, from 0 to 1.
    pub rate: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The predicted win rate on a size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TunePrediction"))]
pub struct Prediction {
    /// The size.
    pub size: u8,
    /// The rate.
    #[serde(flatten)]
    pub rate: Rate,
}

/// The uncertainty of a parameter's best value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneKnown"))]
pub struct BestValue {
    /// The parameter.
    pub name: String,
    /// The values that the model cannot tell from the best: for numbers the ends of the middle 90 %, for flags and words each
    /// value with at least 5 % of the weight. None where the parameter's condition does not hold at the recommended point.
    pub values: Vec<Value>,
}

/// The fitted win rate along a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneResponse"))]
pub struct Response {
    /// The parameter.
    pub name: String,
    /// Its values, ascending, and the rates there. None where its condition does not hold at the recommended point.
    pub rates: Vec<(Value, Rate)>,
}

/// The number of coordinates at which the rates of numbers are given.
const PLACES: usize = 21;

/// The recommendation of a place for a target, by the target's fit.
pub(crate) fn recommendation(
    problem: &Problem,
    fit: Option<&Fit>,
    target: &Target,
    place: &[f64],
) -> Recommendation {
    let point = problem.space.point(place);
    let Some(fit) = fit else {
        return Recommendation {
            size: target.size,
            point,
            parameters: Vec::new(),
            predicted: Vec::new(),
            overall: None,
            verdict: Verdict::Unknown,
            responses: Vec::new(),
        };
    };
    let overall = overall(fit, target, place);
    let verdict = match overall {
        None => Verdict::Unknown,
        Some(rate) if rate.low > 0.5 => Verdict::Better,
        Some(_) => Verdict::NothingBetter,
    };
    let parameters = problem.space.parameters();
    Recommendation {
        size: target.size,
        point,
        parameters: (0..parameters.len()).map(|i| known(problem, fit, place, i)).collect(),
        predicted: predictions(problem, fit, place),
        overall,
        verdict,
        responses: (0..parameters.len()).map(|i| response(problem, fit, target, place, i)).collect(),
    }
}

/// The rate on a mix of sizes, from the logit and its standard error.
///
/// The trials were weighted by the model that is fitted to them, so its estimates for points above the average are too high. The
/// interval reaches down as far as from the average.
fn rate(fit: &Fit, place: &[f64], mix: &[f64]) -> Rate {
    let (logit, error) = fit.logit(place, mix);
    let reach = QUANTILE * error;
    let low = sigmoid(logit - fit.above_average(place) - reach);
    Rate { rate: sigmoid(logit), low, high: sigmoid(logit + reach) }
}

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_964;

/// The least rate over the mixes of a target; none if a size that counts has no games against the baseline.
pub(crate) fn overall(fit: &Fit, target: &Target, place: &[f64]) -> Option<Rate> {
    let anchored =
        |mix: &Vec<f64>| mix.iter().zip(&fit.anchored).all(|(weight, anchored)| *weight == 0.0 || *anchored);
    if !target.mixes.iter().all(anchored) {
        return None;
    }
    let rates = target.mixes.iter().map(|mix| rate(fit, place, mix));
    rates.reduce(|a, b| if b.rate < a.rate { b } else { a })
}

fn predictions(problem: &Problem, fit: &Fit, place: &[f64]) -> Vec<Prediction> {
    let sizes = problem.sizes();
    let on = |i: usize| {
        let mix: Vec<f64> = (0..sizes.len()).map(|j| f64::from(u8::from(i == j))).collect();
        fit.anchored[i].then(|| Prediction { size: sizes[i], rate: rate(fit, place, &mix) })
    };
    (0..sizes.len()).filter_map(on).collect()
}

fn known(problem: &Problem, fit: &Fit, place: &[f64], parameter: usize) -> BestValue {
    let one = &problem.space.parameters()[parameter];
    let values = match one.kind.choices() {
        _ if !problem.space.is_active(parameter, place) => Vec::new(),
        Some(values) => {
            let shares = fit.shares(parameter, values);
            (0..values)
                .filter(|&value| shares[value] >= 0.05)
                .map(|value| one.kind.value(value as f64))
                .collect()
        }
        None => [0.05, 0.95].map(|share| one.kind.value(fit.quantile(parameter, share))).to_vec(),
    };
    BestValue { name: one.name.clone(), values }
}

fn response(problem: &Problem, fit: &Fit, target: &Target, place: &[f64], parameter: usize) -> Response {
    let one = &problem.space.parameters()[parameter];
    let coordinates: Vec<f64> = match one.kind.choices() {
        _ if !problem.space.is_active(parameter, place) => Vec::new(),
        Some(values) => (0..values).map(|value| value as f64).collect(),
        None => (0..PLACES).map(|i| i as f64 / (PLACES - 1) as f64).collect(),
    };
    let mut rates: Vec<(Value, Rate)> = Vec::new();
    for coordinate in coordinates {
        let mut at = place.to_vec();
        at[parameter] = coordinate;
        problem.space.settle(&mut at);
        let value = one.kind.value(coordinate);
        let Some(rate) = overall(fit, target, &at) else { continue };
        if rates.last().is_none_or(|(last, _)| *last != value) {
            rates.push((value, rate));
        }
    }
    Response { name: one.name.clone(), rates }
}
