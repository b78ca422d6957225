//! The effects of parameters in a sweep.

use super::case::Case;
use crate::curve::{Curve, TriedValue};
use crate::estimate::RateEstimate;
use crate::importance::{Importances, Value, importances, varying};
use crate::permutation::least_of_groups;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The curve of a numeric parameter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The importance of the parameters for the average over sizes.
pub(super) fn importance(cases: &[Case], confidence: f64) -> Option<Importances> {
    let names = parameters(cases);
    let row = |case: &Case| (case.apart, names.iter().map(|name| value(case, name)).collect());
    let mut found = importances(&names, &cases.iter().map(row).collect::<Vec<_>>(), confidence)?;
    for one in &mut found.parameters {
        one.no_effect =
            one.no_effect.no_surer_than(least(cases, |case| value(case, &one.parameter).to_string()));
    }
    let least = least(cases, |case| case.name.to_owned());
    found.no_interaction = found.no_interaction.map(|test| test.no_surer_than(least));
    Some(found)
}

/// The least p-value that a permutation test of these groups of pairs can have.
fn least(cases: &[Case], group: impl Fn(&Case) -> String) -> f64 {
    let mut groups: BTreeMap<String, f64> = BTreeMap::new();
    for case in cases {
        *groups.entry(group(case)).or_default() += case.pairs();
    }
    least_of_groups(&groups.into_values().collect::<Vec<_>>())
}

/// The curves of all numeric parameters with at least three values: for the average over sizes first, if cases can be compared
/// over all of them, and then by size.
pub(super) fn curves(cases: &[Case], sizes: &[u8], comparable: bool, confidence: f64) -> Vec<ParameterCurve> {
    let names = parameters(cases);
    let mut curves = Vec::new();
    for parameter in &names {
        let all = comparable.then_some(None);
        for size in all.into_iter().chain(sizes.iter().copied().map(Some).filter(|_| sizes.len() > 1)) {
            let rate = |case: &Case| match size {
                None => Some((case.apart, case.equal.variance, case.pairs())),
                Some(size) => case.on(size).map(|cell| (cell.apart(), cell.equal, cell.pairs())),
            };
            if let Some(curve) = Curve::fit(&marginal(cases, &names, parameter, rate), confidence) {
                curves.push(ParameterCurve { parameter: parameter.clone(), size, curve });
            }
        }
    }
    curves
}

/// The rate by the value of a parameter, averaged over the other parameters. Only combinations of the others that were played
/// with the same values of the parameter are averaged, or else the others' effects would be mistaken for its own. Of several
/// such sets of values, the largest counts.
fn marginal(
    cases: &[Case],
    names: &[String],
    parameter: &str,
    rate: impl Fn(&Case) -> Option<(RateEstimate, f64, f64)>,
) -> Vec<TriedValue> {
    let mut lines: BTreeMap<String, Vec<TriedValue>> = BTreeMap::new();
    for case in cases {
        if let (Value::Number(value), Some((rate, equal, pairs))) = (value(case, parameter), rate(case)) {
            let others: Vec<String> = names
                .iter()
                .filter(|name| *name != parameter)
                .map(|name| self::value(case, name).to_string())
                .collect();
            lines.entry(others.join("\u{1f}")).or_default().push(TriedValue { value, rate, equal, pairs });
        }
    }
    let mut by_values: BTreeMap<Vec<u64>, Vec<Vec<TriedValue>>> = BTreeMap::new();
    for mut line in lines.into_values() {
        line.sort_by(|a, b| a.value.total_cmp(&b.value));
        by_values.entry(line.iter().map(|point| point.value.to_bits()).collect()).or_default().push(line);
    }
    let largest = by_values.into_iter().max_by_key(|(values, lines)| (values.len(), lines.len()));
    let Some((_, lines)) = largest else { return Vec::new() };
    let number = lines.len() as f64;
    let point = |place: usize| {
        let sum = |of: fn(&TriedValue) -> f64| lines.iter().map(|line| of(&line[place])).sum::<f64>();
        let rate = sum(|point| point.rate.rate) / number;
        let variance = sum(|point| point.rate.variance) / number / number;
        TriedValue {
            rate: RateEstimate { rate, variance },
            equal: sum(|point| point.equal) / number / number,
            pairs: sum(|point| point.pairs),
            ..lines[0][place]
        }
    };
    (0..lines[0].len()).map(point).collect()
}
