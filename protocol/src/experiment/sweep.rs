//! Sweeps: the values that a test group tries.

use super::MAX_CELLS;
use super::error::{Problems, line_of};
use super::layout::LONGEST_NAME;
use super::section::{
    Node, Section, kind, known_param, nearest, one_line, param_set, param_value, real, weight, written,
};
use crate::words::counted;
use engine::havannah::Params;
use engine::params::{Domain, ParamValue};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::de::{DeArray, DeTable, DeValue};

/// A value of one parameter, with its place.
struct SweepValue {
    value: ParamValue,
    span: Range<usize>,
}

/// One case of a sweep.
#[derive(Debug, Clone)]
pub(super) struct SweepPoint {
    /// The settings.
    pub(super) set: BTreeMap<String, ParamValue>,
    /// The label that the file gives.
    name: Option<String>,
    /// The share of the games; 0 switches the case off.
    pub(super) weight: f64,
    /// Its place in the file.
    pub(super) span: Range<usize>,
}

impl SweepPoint {
    /// The label: the one that the file gives, or the settings, such as `exploration=0.9 rave_k=500`.
    pub(super) fn label(&self) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let settings: Vec<String> = self.set.iter().map(|(name, value)| format!("{name}={value}")).collect();
        settings.join(" ")
    }
}

/// Reads a `sweep`: a table of parameters with their values (every combination is tried), or a list of settings.
pub(super) fn sweep(text: &str, node: &Node<'_>, problems: &mut Problems) -> Vec<SweepPoint> {
    if let Some(list) = node.get_ref().as_array() {
        return explicit(text, list, node.span(), problems);
    }
    let Some(table) = node.get_ref().as_table().filter(|table| !table.is_empty()) else {
        problems.at(
            node.span(),
            "`sweep` takes values to try, such as { rave_k = [100, 200, 500] }, or a list of settings, such as \
             [{ rave_k = 100, exploration = 0.3 }, { rave_k = 0, exploration = 0.9 }]",
        );
        return Vec::new();
    };
    let mut axes: Vec<(&str, Vec<SweepValue>)> = Vec::new();
    for (name, values) in table {
        if problems.are_enough() {
            break;
        }
        if known_param(name.get_ref(), name.span(), problems) {
            axes.push((name.get_ref(), axis(name.get_ref(), values, problems)));
        }
    }
    let combinations = axes.iter().fold(1usize, |product, axis| product.saturating_mul(axis.1.len()));
    if combinations > MAX_CELLS {
        let values: Vec<String> = axes
            .iter()
            .map(|(name, values)| format!("{} of `{name}`", counted(values.len() as u64, "value")))
            .collect();
        problems.at(
            node.span(),
            format!(
                "this sweep has {combinations} combinations ({}); an experiment has at most {MAX_CELLS} cells",
                values.join(" × ")
            ),
        );
        return Vec::new();
    }
    let start = SweepPoint { set: BTreeMap::new(), name: None, weight: 1.0, span: node.span() };
    axes.iter().fold(vec![start], |points, (name, values)| {
        let extended = points.iter().flat_map(|point| {
            values.iter().map(|SweepValue { value, span }| {
                let mut point = point.clone();
                point.set.insert((*name).to_owned(), value.clone());
                point.span = span.clone();
                point
            })
        });
        extended.collect()
    })
}

/// Keys of a listed setting that are no parameters.
const NAMED: [&str; 2] = ["label", "weight"];

/// A list of settings, each a table, with a label and a weight of its own if it has them.
fn explicit(text: &str, list: &DeArray<'_>, span: Range<usize>, problems: &mut Problems) -> Vec<SweepPoint> {
    if list.is_empty() {
        problems.at(span.clone(), "this sweep is empty");
    }
    if list.len() > MAX_CELLS {
        let settings = list.len();
        let message =
            format!("this sweep lists {settings} settings; an experiment has at most {MAX_CELLS} cells");
        problems.at(span, message);
        return Vec::new();
    }
    let mut points = Vec::new();
    let mut labels: BTreeMap<String, usize> = BTreeMap::new();
    for node in list {
        if problems.are_enough() {
            break;
        }
        let table = node.get_ref().as_table();
        let array = table.into_iter().flatten().find(|(_, value)| value.get_ref().is_array());
        if let Some((name, values)) = array {
            let name = name.get_ref();
            let message = format!(
                "a setting in a list has one value of `{name}`; for a case of every value write sweep = {{ {name} = \
                 [ … ] }}, without the outer brackets"
            );
            problems.at(values.span(), message);
            continue;
        }
        let key = |key: &str| table.and_then(|table| table.get(key));
        let set = param_set("sweep", node, &NAMED, problems);
        if table.is_some_and(|table| table.keys().all(|key| NAMED.contains(&key.get_ref().as_ref()))) {
            let message = "this setting changes nothing; to play the baseline against itself, write a \
                           [[test]] of its own with `set = {}`";
            problems.at(node.span(), message);
        }
        let name = key("label").and_then(|node| one_line(node, "label", LONGEST_NAME, problems));
        if let (Some(name), Some(node)) = (name, key("label"))
            && let Some(first) = labels.insert(name.to_owned(), node.span().start)
        {
            let line = line_of(text, first);
            problems
                .at(node.span(), format!("this sweep has a case labelled `{name}` already, in line {line}"));
        }
        points.push(SweepPoint {
            set,
            name: name.map(str::to_owned),
            weight: key("weight").map_or(1.0, |node| weight(node, "weight", problems)),
            span: node.span(),
        });
    }
    points
}

/// The values of one parameter: a list, or a range.
fn axis(name: &str, node: &Node<'_>, problems: &mut Problems) -> Vec<SweepValue> {
    if let Some(table) = node.get_ref().as_table() {
        return range(name, table, node.span(), problems);
    }
    let Some(list) = node.get_ref().as_array().filter(|list| !list.is_empty()) else {
        let instead = match node.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::Boolean(_) => {
                let value = node.get_ref();
                let value = value.as_bool().map_or_else(|| written(node), |flag| flag.to_string());
                format!("; write [{value}]")
            }
            _ => String::new(),
        };
        problems.at(
            node.span(),
            format!(
                "`{name}` takes a list of values, or a range such as {{ from = 1, to = 9, step = 2 }} or \
                     {{ from = 10, to = 1000, steps = 5, scale = \"log\" }}{instead}"
            ),
        );
        return Vec::new();
    };
    if list.len() > MAX_CELLS {
        let listed = list.len();
        let message = format!("`{name}` lists {listed} values; an experiment has at most {MAX_CELLS} cells");
        problems.at(node.span(), message);
        return Vec::new();
    }
    let mut values: Vec<SweepValue> = Vec::new();
    let mut seen = BTreeSet::new();
    for node in list {
        if problems.are_enough() {
            break;
        }
        let Some(value) = param_value(name, node, problems) else { continue };
        // Reported here once instead of for every combination with other parameters.
        if !seen.insert(value.to_string()) {
            problems.at(node.span(), format!("`{name}` lists {value} twice"));
            continue;
        }
        values.push(SweepValue { value, span: node.span() });
    }
    values
}

/// Reads a range: `{ from, to, step }`, `{ from, to, steps }` or `{ from, to, steps, scale = "log" }`. `steps` is the
/// number of values, including both ends.
fn range(name: &str, table: &DeTable<'_>, span: Range<usize>, problems: &mut Problems) -> Vec<SweepValue> {
    let numbers = numbers(name, table, &span, problems).unwrap_or_default();
    numbers
        .into_iter()
        .map(|value| SweepValue { value: ParamValue::Number(value), span: span.clone() })
        .collect()
}

/// The numbers of a range; none if there is a problem.
fn numbers(
    name: &str,
    table: &DeTable<'_>,
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Vec<f64>> {
    let mut section = Section::new("a range", span.clone(), table);
    let from = section.required("from", problems);
    let to = section.required("to", problems);
    let (step, steps) = (section.optional("step"), section.optional("steps"));
    let scale = section.optional("scale");
    section.finish(problems);
    let (from, to) = (from?, to?);

    let logarithmic = is_logarithmic(scale, problems)?;
    let [first, last] = ends(name, [from, to], problems)?;
    if first >= last {
        let message = format!("a range goes upwards: `from`, here {first}, is below `to`, here {last}");
        problems.at(span.clone(), message);
        return None;
    }
    if logarithmic && first <= 0.0 {
        let message =
            "a range with `scale = \"log\"` starts above 0, such as at 0.01; for 0 as well, list the values";
        problems.at(from.span(), message);
        return None;
    }
    let numbers = spaced(([first, last], logarithmic), (step, steps), span, problems)?;
    if numbers.len() > MAX_CELLS {
        let message = format!("this range has more than {MAX_CELLS} values, the cells of a whole experiment");
        problems.at(span.clone(), message);
        return None;
    }
    let whole = Params::info(name).is_some_and(|info| matches!(info.domain, Domain::Whole(..)));
    let numbers: Vec<f64> = numbers.into_iter().map(|x| if whole { x.round() } else { x }).collect();
    if let Some(twice) = numbers.windows(2).find(|pair| pair[0] >= pair[1]) {
        problems.at(span.clone(), format!("this range gives {name}={} twice; take fewer values", twice[0]));
        return None;
    }
    Some(numbers)
}

/// What the key `scale` says.
fn is_logarithmic(scale: Option<&Node<'_>>, problems: &mut Problems) -> Option<bool> {
    match scale.map(|node| (node, node.get_ref().as_str())) {
        None | Some((_, Some("linear"))) => Some(false),
        Some((_, Some("log"))) => Some(true),
        Some((node, word)) => {
            let help = nearest(word.unwrap_or_default(), &["linear", "log"]);
            problems.at(node.span(), format!("`scale` is linear or log; {help}"));
            None
        }
    }
}

/// The ends of a range. If both are in the parameter's range, all values between them are.
fn ends(name: &str, nodes: [&Node<'_>; 2], problems: &mut Problems) -> Option<[f64; 2]> {
    let mut ends = [0.0; 2];
    for (end, node) in ends.iter_mut().zip(nodes) {
        param_value(name, node, problems)?;
        match real(node) {
            Some(value) => *end = value,
            None => {
                problems.at(node.span(), format!("a range goes over numbers, not {}", kind(node)));
                return None;
            }
        }
    }
    Some(ends)
}

/// The numbers from one end to the other, as the keys `step` and `steps` say.
fn spaced(
    ([first, last], logarithmic): ([f64; 2], bool),
    keys: (Option<&Node<'_>>, Option<&Node<'_>>),
    span: &Range<usize>,
    problems: &mut Problems,
) -> Option<Vec<f64>> {
    match keys {
        (Some(node), None) if !logarithmic => {
            let Some(step) = real(node).filter(|step| *step > 0.0 && step.is_finite()) else {
                problems.at(node.span(), format!("`step` takes a number above 0, not {}", written(node)));
                return None;
            };
            Some(by_step(first, last, step))
        }
        (None, Some(node)) => {
            let steps = Section::whole(node, "steps", 2, MAX_CELLS as i64, problems)? as usize;
            Some(if logarithmic { geometric(first, last, steps) } else { linear(first, last, steps) })
        }
        _ => {
            let message = if logarithmic {
                "a range with `scale = \"log\"` takes `steps`, the number of its values"
            } else {
                "a range takes either `step`, the distance of its values, or `steps`, their number"
            };
            problems.at(span.clone(), message);
            None
        }
    }
}

/// Values from `first` to `last` in steps; at most one value more than an experiment may have cells.
fn by_step(first: f64, last: f64, step: f64) -> Vec<f64> {
    // The tolerance is for rounding: 0.1 + 0.1 + 0.1 is a little more than 0.3.
    let steps = ((last - first) / step + 1e-9).floor().min(MAX_CELLS as f64) as usize;
    (0..=steps).map(|i| significant(first + i as f64 * step, 12).min(last)).collect()
}

/// `count` values at equal distances; both ends are exact.
fn linear(first: f64, last: f64, count: usize) -> Vec<f64> {
    between(first, last, count, |t| significant(first + t * (last - first), 12))
}

/// `count` values at equal ratios. Both ends are exact; the others are rounded to four digits, because they are labels.
fn geometric(first: f64, last: f64, count: usize) -> Vec<f64> {
    between(first, last, count, |t| significant((first.ln() + t * (last.ln() - first.ln())).exp(), 4))
}

fn between(first: f64, last: f64, count: usize, value: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..count)
        .map(|i| match i {
            0 => first,
            _ if i + 1 == count => last,
            _ => value(i as f64 / (count - 1) as f64).clamp(first, last),
        })
        .collect()
}

/// `x` rounded to a number of significant decimal digits.
fn significant(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_hit_the_end_in_spite_of_binary_fractions() {
        assert_eq!(by_step(0.0, 0.3, 0.1), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(by_step(0.0, 10.0, 3.0), [0.0, 3.0, 6.0, 9.0]);
        assert_eq!(by_step(0.0, 1.0, 1e-300).len(), MAX_CELLS + 1);
    }

    #[test]
    fn logarithmic_values_are_short_and_end_exactly() {
        assert_eq!(geometric(50.0, 1000.0, 4), [50.0, 135.7, 368.4, 1000.0]);
        assert_eq!(geometric(0.1234567, 7.654321, 3), [0.1234567, 0.9721, 7.654321]);
        assert_eq!(linear(0.0, 1.0, 3), [0.0, 0.5, 1.0]);
    }
}
