//! The model of a tune's results: the recommendation, the fitted response over two parameters, and the distribution of the
//! weight.

use crate::fit::{Fit, Prior};
use crate::log::Log;
use crate::problem::Problem;
use crate::recommendation::{Rate, Recommendation, overall, recommendation};
use crate::space::{Coordinates, Kind, Space, SpaceError, Value};
use crate::strategy::models;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of coordinates of a number along each axis of a surface.
const PLACES: usize = 15;

/// The number of parts of a number's range for which the weight is given.
const PARTS: usize = 20;

/// The model of a tune's results at some moment.
#[derive(Debug, Clone)]
pub struct Model {
    problem: Problem,
    /// The fit of each target; none without results.
    fits: Vec<Option<Fit>>,
    /// The place of each target around which the response is shown.
    places: Vec<Coordinates>,
    told: usize,
}

/// The fitted win rate over two parameters, with all others as recommended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneSurface"))]
pub struct Surface {
    /// The parameter along the horizontal axis.
    pub x: String,
    /// The parameter along the vertical axis.
    pub y: String,
    /// The values of `x`, ascending.
    pub xs: Vec<Value>,
    /// The values of `y`, ascending.
    pub ys: Vec<Value>,
    /// For each value of `y`, the rates at the values of `x`. Empty without games against the baseline.
    pub rates: Vec<Vec<Rate>>,
    /// The recommended values of `x` and `y`.
    pub at: (Value, Value),
}

/// How concentrated the weight of the fit is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneConcentration"))]
pub struct Concentration {
    /// The size it is for; absent if it is for all.
    pub size: Option<u8>,
    /// Points that were played and have weight.
    pub points: usize,
    /// As many points of equal weight would be as concentrated: the square of the sum of the weights by the sum of their squares.
    pub effective_points: f64,
    /// The weight along each parameter.
    pub shares: Vec<Shares>,
}

/// The weight along a parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneShares"))]
pub struct Shares {
    /// The parameter.
    pub name: String,
    /// Its values or the equal parts of its range, ascending. The shares sum to 1.
    pub parts: Vec<Share>,
}

/// The share of the weight that a value or a part of a range has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "TuneShare"))]
pub struct Share {
    /// The value, or the lower end of the part.
    pub from: Value,
    /// The value, or the upper end of the part.
    pub to: Value,
    /// The share.
    pub share: f64,
}

/// The numbers of trials after which past recommendations of a tune with `trials` trials are computed: each a fifth more than the
/// one before.
#[must_use]
pub fn looks(trials: usize) -> Vec<usize> {
    std::iter::successors(Some(10), |look| Some(look + (look / 5).max(5)))
        .take_while(|look| *look <= trials)
        .collect()
}

impl Model {
    pub(crate) fn new(problem: &Problem, log: &Log, places: Vec<Coordinates>) -> Self {
        let fit = |target| models::fit(problem, log, target, Prior::Estimated);
        let fits = problem.targets().iter().map(fit).collect();
        Self { problem: problem.clone(), fits, places, told: log.told() }
    }

    /// The number of results in it.
    #[must_use]
    pub fn told(&self) -> usize {
        self.told
    }

    /// The points with their uncertainty, one for each target of the objective.
    #[must_use]
    pub fn recommendations(&self) -> Vec<Recommendation> {
        let targets = self.problem.targets();
        let all = targets.iter().zip(&self.fits).zip(&self.places);
        all.map(|((target, fit), place)| recommendation(&self.problem, fit.as_ref(), target, place)).collect()
    }

    /// The fitted win rate over two parameters for a target of the objective, by its place.
    ///
    /// # Errors
    /// When there is no such parameter.
    pub fn surface(&self, target: usize, x: &str, y: &str) -> Result<Surface, SpaceError> {
        let space = &self.problem.space;
        let (column, row) = (space.index(x)?, space.index(y)?);
        let (xs, ys) = (coordinates(space, column), coordinates(space, row));
        let targets = self.problem.targets();
        let target = target.min(targets.len() - 1);
        let (wanted, place) = (&targets[target], &self.places[target]);
        let rate = |fit: &Fit, x: f64, y: f64| {
            let mut at = place.clone();
            (at[column], at[row]) = (x, y);
            space.settle(&mut at);
            overall(fit, wanted, &at)
        };
        let rates = self.fits[target].as_ref().and_then(|fit| {
            ys.iter().map(|&y| xs.iter().map(|&x| rate(fit, x, y)).collect::<Option<Vec<_>>>()).collect()
        });
        let values = |parameter: usize, all: &[f64]| {
            all.iter().map(|one| space.parameters()[parameter].kind.value(*one)).collect()
        };
        let point = space.point(place);
        Ok(Surface {
            x: x.to_owned(),
            y: y.to_owned(),
            xs: values(column, &xs),
            ys: values(row, &ys),
            rates: rates.unwrap_or_default(),
            at: (point[x].clone(), point[y].clone()),
        })
    }

    /// Where the weight is, for each target of the objective.
    #[must_use]
    pub fn concentrations(&self) -> Vec<Concentration> {
        let targets = self.problem.targets();
        let of = |(target, fit): (&crate::objective::Target, &Option<Fit>)| {
            let weights = fit.as_ref().map(weights).unwrap_or_default();
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let squares: f64 = weights.iter().map(|(_, weight)| weight * weight).sum();
            let parameters = 0..self.problem.space.parameters().len();
            Concentration {
                size: target.size,
                points: weights.len(),
                effective_points: if squares > 0.0 { total * total / squares } else { 0.0 },
                shares: parameters.map(|i| shares(&self.problem.space, i, &weights, total)).collect(),
            }
        };
        targets.iter().zip(&self.fits).map(of).collect()
    }
}

/// The points that were played and have weight, each once.
fn weights(fit: &Fit) -> Vec<(Coordinates, f64)> {
    let (points, cumulative) = fit.weighted();
    let mut all: BTreeMap<Vec<u64>, (Coordinates, f64)> = BTreeMap::new();
    let mut before = 0.0;
    for (kept, sum) in points.iter().zip(cumulative) {
        let key = kept.place.iter().map(|t| t.to_bits()).collect();
        all.entry(key).or_insert_with(|| (kept.place.clone(), 0.0)).1 += sum - before;
        before = *sum;
    }
    all.into_values().collect()
}

/// The coordinates at which a parameter's response is shown, ascending: all its values if these are few.
fn coordinates(space: &Space, parameter: usize) -> Vec<f64> {
    let kind = &space.parameters()[parameter].kind;
    match (kind.choices(), few(kind, PLACES)) {
        (Some(choices), _) => (0..choices).map(|value| value as f64).collect(),
        (None, Some(values)) => values,
        (None, None) => (0..PLACES).map(|i| i as f64 / (PLACES - 1) as f64).collect(),
    }
}

/// The coordinates of all values of a whole number, if it has at most so many.
fn few(kind: &Kind, most: usize) -> Option<Vec<f64>> {
    let Kind::Whole { low, high, .. } = kind else { return None };
    (high.abs_diff(*low) < most as u64)
        .then(|| (*low..=*high).filter_map(|value| kind.coordinate(&Value::Whole(value))).collect())
}

fn shares(space: &Space, parameter: usize, weights: &[(Coordinates, f64)], total: f64) -> Shares {
    let one = &space.parameters()[parameter];
    let values = match one.kind.choices() {
        Some(choices) => Some((0..choices).map(|value| value as f64).collect()),
        None => few(&one.kind, PARTS),
    };
    let nearest = |values: &[f64], at: f64| {
        let near = |i: &usize| (values[*i] - at).abs();
        (0..values.len()).min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(0)
    };
    let mut sums = vec![0.0; values.as_ref().map_or(PARTS, Vec::len)];
    for (place, weight) in weights {
        let at = place[parameter];
        let part = match &values {
            Some(values) => nearest(values, at),
            None => ((at * PARTS as f64) as usize).min(PARTS - 1),
        };
        sums[part] += weight / total;
    }
    let part = |(part, share): (usize, &f64)| {
        let (from, to) = match &values {
            Some(values) => (values[part], values[part]),
            None => (part as f64 / PARTS as f64, (part + 1) as f64 / PARTS as f64),
        };
        Share { from: one.kind.value(from), to: one.kind.value(to), share: *share }
    };
    Shares { name: one.name.clone(), parts: sums.iter().enumerate().map(part).collect() }
}
