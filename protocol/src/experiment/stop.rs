//! Stopping rules: when a cell needs no more pairs than it has.

use super::error::Problems;
use super::section::{Node, Section, kind, nearest, real, written};
use crate::words::number;
use engine::spelling::excerpt;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use toml::de::DeValue;

/// When a cell needs no more pairs. A rule reads the pairs of a cell in the order of their numbers, up to the first one that
/// is not complete.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "rule", rename_all = "snake_case", deny_unknown_fields)]
pub enum StopRule {
    /// A generalised sequential probability ratio test.
    Sprt {
        /// The two hypotheses.
        hypotheses: Hypotheses,
        /// The chance that H1, the upper hypothesis, is accepted where H0 is true.
        alpha: f64,
        /// The chance that H0, the lower hypothesis, is accepted where H1 is true.
        beta: f64,
    },
    /// The interval of the win rate is narrow enough.
    HalfWidth {
        /// Half of the width of the interval, as a fraction: 0.02 is two percentage points to either side.
        half_width: f64,
        /// Which interval.
        interval: StopInterval,
        /// The confidence of the interval.
        confidence: f64,
    },
    /// The e-value against a win rate of 50 % reaches 1/α.
    EValue {
        /// The chance that a cell of 50 % is ever called different.
        alpha: f64,
    },
}

/// The hypotheses of a sequential test, the lower one first.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Hypotheses {
    /// Elo differences.
    Elo([f64; 2]),
    /// Win rates as fractions.
    Score([f64; 2]),
    /// Differences in normalised Elo.
    NormalisedElo([f64; 2]),
}

impl Default for Hypotheses {
    /// 0 and 20 Elo.
    fn default() -> Self {
        Self::Elo([0.0, 20.0])
    }
}

/// An interval of the win rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopInterval {
    /// Wilson's interval on effective games, the dark bar of the chart.
    Wilson,
    /// The confidence sequence, the light bar of the chart.
    Sequence,
}

const RULES: [&str; 4] = ["sprt", "half_width", "e_value", "games"];
/// The keys of each of [`RULES`].
const KEYS: [&[&str]; 4] = [
    &["elo", "score", "normalised_elo", "alpha", "beta"],
    &["half_width", "interval", "confidence"],
    &["alpha"],
    &[],
];

const ELO: RangeInclusive<f64> = -1000.0..=1000.0;
const SCORE: RangeInclusive<f64> = 0.001..=0.999;
const ERROR_RATE: RangeInclusive<f64> = 0.0001..=0.4;
const HALF_WIDTH: RangeInclusive<f64> = 0.001..=0.5;
const CONFIDENCE: RangeInclusive<f64> = 0.5..=0.9999;

/// The chance of either mistake of a test, unless the file gives another.
pub const ERRORS: f64 = 0.05;

impl StopRule {
    /// What is wrong with a number that is outside the ranges of experiment files.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let outside = |what: &str, value: f64, range: &RangeInclusive<f64>| {
            let (low, high) = (range.start(), range.end());
            (!range.contains(&value))
                .then(|| format!("{what} is {}; it is a number from {low} to {high}", number(value)))
        };
        match *self {
            Self::Sprt { hypotheses, alpha, beta } => {
                let ([low, high], range) = match hypotheses {
                    Hypotheses::Elo(ends) | Hypotheses::NormalisedElo(ends) => (ends, ELO),
                    Hypotheses::Score(ends) => (ends, SCORE),
                };
                outside("a hypothesis", low, &range)
                    .or_else(|| outside("a hypothesis", high, &range))
                    .or_else(|| {
                        (low >= high)
                            .then(|| "its hypotheses are from the lower to the higher one".to_owned())
                    })
                    .or_else(|| outside("alpha", alpha, &ERROR_RATE))
                    .or_else(|| outside("beta", beta, &ERROR_RATE))
            }
            Self::HalfWidth { half_width, confidence, .. } => outside("half_width", half_width, &HALF_WIDTH)
                .or_else(|| outside("confidence", confidence, &CONFIDENCE)),
            Self::EValue { alpha } => outside("alpha", alpha, &ERROR_RATE),
        }
    }
}

impl std::fmt::Display for StopRule {
    /// The rule in words, such as `SPRT of 20 against 0 Elo, errors 5 and 5 %`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |fraction: f64| (1e6 * fraction).round() / 1e4;
        match self {
            Self::Sprt { hypotheses, alpha, beta } => {
                match hypotheses {
                    Hypotheses::Elo([low, high]) => write!(f, "SPRT of {high} against {low} Elo")?,
                    Hypotheses::Score([low, high]) => {
                        write!(f, "SPRT of {} against {} %", percent(*high), percent(*low))?;
                    }
                    Hypotheses::NormalisedElo([low, high]) => {
                        write!(f, "SPRT of {high} against {low} normalised Elo")?;
                    }
                }
                write!(f, ", errors {} and {} %", percent(*alpha), percent(*beta))
            }
            Self::HalfWidth { half_width, interval, confidence } => {
                let interval = match interval {
                    StopInterval::Wilson => "interval",
                    StopInterval::Sequence => "confidence sequence",
                };
                write!(f, "{} % {interval} within ±{} points", percent(*confidence), percent(*half_width))
            }
            Self::EValue { alpha } => write!(f, "e-value of {} against 50 %", (1e4 / alpha).round() / 1e4),
        }
    }
}

/// Reads `[stop]`. None for the rule `games`, which plays the plan.
pub(super) fn stop(mut section: Section<'_>, problems: &mut Problems) -> Option<StopRule> {
    let rule = section.required("rule", problems);
    let nodes: Vec<(&'static str, &Node<'_>)> =
        ["elo", "score", "normalised_elo", "alpha", "beta", "half_width", "interval", "confidence"]
            .into_iter()
            .filter_map(|key| Some((key, section.optional(key)?)))
            .collect();
    section.finish(problems);
    let rule = rule?;
    let known = rule.get_ref().as_str().and_then(|name| RULES.iter().position(|known| *known == name));
    let Some(known) = known else {
        let hint = match rule.get_ref().as_str() {
            Some(name) => nearest(name, &RULES),
            None => format!("there are `{}`", RULES.join("`, `")),
        };
        problems.at(rule.span(), format!("`rule` takes one of the rules, not {}; {hint}", said(rule)));
        return None;
    };
    for (key, node) in &nodes {
        if !KEYS[known].contains(key) {
            let owners: Vec<&str> = RULES
                .into_iter()
                .zip(KEYS)
                .filter(|(_, keys)| keys.contains(key))
                .map(|(rule, _)| rule)
                .collect();
            let message =
                format!("`{key}` belongs to the rule `{}`, not to `{}`", owners.join("` or `"), RULES[known]);
            problems.at(node.span(), message);
        }
    }
    let node = |key: &str| nodes.iter().find(|(name, _)| *name == key).map(|(_, node)| *node);
    let mut number = |key: &str, range: RangeInclusive<f64>, default: f64| {
        node(key).map_or(default, |node| between(node, key, range, problems).unwrap_or(default))
    };
    match RULES[known] {
        "sprt" => {
            let (alpha, beta) = (number("alpha", ERROR_RATE, ERRORS), number("beta", ERROR_RATE, ERRORS));
            Some(StopRule::Sprt { hypotheses: hypotheses(&nodes, problems), alpha, beta })
        }
        "half_width" => {
            let half_width = number("half_width", HALF_WIDTH, 0.02);
            let confidence = number("confidence", CONFIDENCE, 0.95);
            let interval = match node("interval").map(|node| (node.get_ref().as_str(), node)) {
                None | Some((Some("wilson"), _)) => StopInterval::Wilson,
                Some((Some("sequence"), _)) => StopInterval::Sequence,
                Some((_, node)) => {
                    let message = format!("`interval` takes \"wilson\" or \"sequence\", not {}", said(node));
                    problems.at(node.span(), message);
                    StopInterval::Wilson
                }
            };
            Some(StopRule::HalfWidth { half_width, interval, confidence })
        }
        "e_value" => Some(StopRule::EValue { alpha: number("alpha", ERROR_RATE, 0.05) }),
        _ => None,
    }
}

/// The hypotheses of a test: one of three keys, or 0 and 20 Elo.
fn hypotheses(nodes: &[(&'static str, &Node<'_>)], problems: &mut Problems) -> Hypotheses {
    let mut given = nodes.iter().filter(|(key, _)| matches!(*key, "elo" | "score" | "normalised_elo"));
    let first = given.next();
    if let (Some((first, _)), Some((second, node))) = (first, given.next()) {
        problems
            .at(node.span(), format!("a test has one pair of hypotheses; `{first}` and `{second}` are two"));
    }
    let of = |key: &str, ends: [f64; 2]| match key {
        "score" => Hypotheses::Score(ends),
        "normalised_elo" => Hypotheses::NormalisedElo(ends),
        _ => Hypotheses::Elo(ends),
    };
    first
        .and_then(|(key, node)| {
            let range = if *key == "score" { SCORE } else { ELO };
            Some(of(key, two(node, key, range, problems)?))
        })
        .unwrap_or_default()
}

fn between(node: &Node<'_>, key: &str, range: RangeInclusive<f64>, problems: &mut Problems) -> Option<f64> {
    let inside = real(node).filter(|number| range.contains(number));
    if inside.is_none() {
        let (low, high) = range.into_inner();
        problems
            .at(node.span(), format!("`{key}` takes a number from {low} to {high}, not {}", written(node)));
    }
    inside
}

fn two(node: &Node<'_>, key: &str, range: RangeInclusive<f64>, problems: &mut Problems) -> Option<[f64; 2]> {
    let list = match node.get_ref() {
        DeValue::Array(list) => list.iter().map(real).collect::<Option<Vec<f64>>>(),
        _ => None,
    };
    if let Some(&[low, high]) = list.as_deref()
        && range.contains(&low)
        && range.contains(&high)
    {
        if low < high {
            return Some([low, high]);
        }
        problems
            .at(node.span(), format!("`{key}` has the lower hypothesis first; {low} is not below {high}"));
        return None;
    }
    let (low, high) = range.into_inner();
    let example = if key == "score" { "[0.5, 0.53]" } else { "[0, 20]" };
    problems.at(node.span(), format!("`{key}` takes two numbers from {low} to {high}, such as {example}"));
    None
}

/// A value for messages.
fn said(node: &Node<'_>) -> String {
    match node.get_ref().as_str() {
        Some(text) => format!("`{}`", excerpt(text)),
        None => kind(node).to_owned(),
    }
}
