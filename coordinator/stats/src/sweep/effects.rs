//! The effects of parameters in a sweep.

use super::Case;
use crate::curve::Curve;
use crate::estimate::RateEstimate;
use crate::importance::{Importances, Value, importances, varying};
use crate::permutation::least_of_groups;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The curve of a numeric parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ParameterCurve {
    /// The parameter.
    pub parameter: String,
    /// The board size; absent for the average over sizes.
    pub size: Option<u8>,
    /// The curve.
    pub curve: Curve,
}

/// The value of a parameter that a case does not set.
const UNSET: &str = "unset";

fn value(case: &Case, parameter: &str) -> Value {
    let set = case.cells.first().and_then(|cell| cell.row.parameters.get(parameter));
    set.cloned().unwrap_or_else(|| Value::Word(UNSET.to_owned()))
}

fn parameters(cases: &[Case]) -> Vec<String> {
    let of = |case: &Case| case.cells.first().map(|cell| cell.row.parameters.clone()).unwrap_or_default();
    varying(&cases.iter().map(of).collect::<Vec<_>>())
}

/// Estimates for a model of all of them. Missing games may move all rates in the direction that suits an effect best, so that the
/// errors of n rates add up to n^½ times what independent ones would: n times the square is added to each variance.
fn allowing(estimates: Vec<(RateEstimate, f64)>) -> Vec<RateEstimate> {
    let all = (estimates.len() as f64).sqrt();
    estimates.into_iter().map(|(estimate, reach)| estimate.allowing(all * reach)).collect()
}

/// The importance of the parameters for the average over sizes.
pub(super) fn importance(cases: &[Case], confidence: f64) -> Option<Importances> {
    let names = parameters(cases);
    let estimates = allowing(cases.iter().map(|case| (case.alike, case.reach)).collect());
    let row = |(case, estimate): (&Case, RateEstimate)| {
        (estimate, names.iter().map(|name| value(case, name)).collect())
    };
    let mut found =
        importances(&names, &cases.iter().zip(estimates).map(row).collect::<Vec<_>>(), confidence)?;
    for one in &mut found.parameters {
        let least = least(cases, |case| Some((value(case, &one.parameter).to_string(), case.pairs(None))));
        one.no_effect = one.no_effect.no_surer_than(least);
    }
    let least = least(cases, |case| Some((case.name.to_owned(), case.pairs(None))));
    found.no_interaction = found.no_interaction.map(|test| test.no_surer_than(least));
    Some(found)
}

/// The least p-value that a permutation test can have of these groups of pairs.
fn least(cases: &[Case], group: impl Fn(&Case) -> Option<(String, f64)>) -> f64 {
    let mut groups: BTreeMap<String, f64> = BTreeMap::new();
    for (name, pairs) in cases.iter().filter_map(group) {
        *groups.entry(name).or_default() += pairs;
    }
    least_of_groups(&groups.into_values().collect::<Vec<_>>())
}

/// The curves of all numeric parameters with at least three values: for the average over sizes first, and then by size.
pub(super) fn curves(cases: &[Case], sizes: &[u8], confidence: f64) -> Vec<ParameterCurve> {
    let names = parameters(cases);
    let mut curves = Vec::new();
    for parameter in &names {
        let places = std::iter::once(None).chain(sizes.iter().copied().map(Some).filter(|_| sizes.len() > 1));
        for size in places {
            let rate = |case: &Case| match size {
                None => Some((case.average, case.reach)),
                Some(size) => {
                    let cell = case.cells.iter().find(|cell| cell.row.size == size);
                    cell.map(|cell| (cell.estimate, cell.summary.reach))
                }
            };
            let points = marginal(cases, &names, parameter, rate);
            if let Some(curve) = Curve::fit(&points, confidence) {
                let curve = curve.no_surer_than(least(cases, |case| match value(case, parameter) {
                    number @ Value::Number(_) => Some((number.to_string(), case.pairs(size))),
                    Value::Word(_) => None,
                }));
                curves.push(ParameterCurve { parameter: parameter.clone(), size, curve });
            }
        }
    }
    curves
}

/// Values of a parameter with their rates, and how far missing games may move these.
type Line = Vec<(f64, (RateEstimate, f64))>;

/// The rate by the value of a parameter, averaged over the other parameters. Only combinations of the others that were played
/// with the same values of the parameter are averaged, or else the others' effects would be mistaken for its own. Of several
/// such sets of values, the largest counts.
fn marginal(
    cases: &[Case],
    names: &[String],
    parameter: &str,
    rate: impl Fn(&Case) -> Option<(RateEstimate, f64)>,
) -> Vec<(f64, RateEstimate)> {
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    for case in cases {
        if let (Value::Number(x), Some(estimate)) = (value(case, parameter), rate(case)) {
            let others: Vec<String> = names
                .iter()
                .filter(|name| *name != parameter)
                .map(|name| value(case, name).to_string())
                .collect();
            lines.entry(others.join("\u{1f}")).or_default().push((x, estimate));
        }
    }
    let mut by_values: BTreeMap<Vec<u64>, Vec<Line>> = BTreeMap::new();
    for mut line in lines.into_values() {
        line.sort_by(|a, b| a.0.total_cmp(&b.0));
        by_values.entry(line.iter().map(|(x, _)| x.to_bits()).collect()).or_default().push(line);
    }
    let largest = by_values.into_iter().max_by_key(|(values, lines)| (values.len(), lines.len()));
    let Some((_, lines)) = largest else { return Vec::new() };
    let number = lines.len() as f64;
    let point = |place: usize| {
        let at = |line: &Line| line[place].1;
        let rate = lines.iter().map(|line| at(line).0.rate).sum::<f64>() / number;
        let variance = lines.iter().map(|line| at(line).0.variance).sum::<f64>() / number / number;
        let reach = lines.iter().map(|line| at(line).1).sum::<f64>() / number;
        (RateEstimate { rate, variance }, reach)
    };
    let values = lines[0].iter().map(|(x, _)| *x);
    values.zip(allowing((0..lines[0].len()).map(point).collect())).collect()
}
