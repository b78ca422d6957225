//! Reading one table of an experiment file. The known keys are those that the code asks for.

use super::error::Problems;
use super::layout::{SECTIONS, home};
use crate::words::invisible;
use engine::havannah::Params;
use engine::numbers;
use engine::params::{Domain, ParamValue, SetParamError};
use engine::spelling;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value with its place.
pub(super) type Node<'t> = Spanned<DeValue<'t>>;

/// The name of `known` closest to `found`, or all of them, as the end of a sentence.
#[must_use]
pub fn nearest(found: &str, known: &[&str]) -> String {
    match spelling::closest(found, known.iter().copied()) {
        Some(word) => format!("did you mean `{word}`?"),
        None => format!("there are `{}`", known.join("`, `")),
    }
}

/// A table being read. It records every key asked for; [`Section::finish`] reports the others as unknown.
pub(super) struct Section<'t> {
    /// The heading in the file, such as `[play]`.
    pub(super) title: &'static str,
    /// The place of the heading.
    pub(super) span: Range<usize>,
    table: &'t DeTable<'t>,
    asked: Vec<&'static str>,
}

impl<'t> Section<'t> {
    pub(super) fn new(title: &'static str, span: Range<usize>, table: &'t DeTable<'t>) -> Self {
        Self { title, span, table, asked: Vec::new() }
    }

    /// The value of `key`, if there is one.
    pub(super) fn optional(&mut self, key: &'static str) -> Option<&'t Node<'t>> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// The value of the required key `key`.
    pub(super) fn required(&mut self, key: &'static str, problems: &mut Problems) -> Option<&'t Node<'t>> {
        let node = self.optional(key);
        if node.is_none() {
            let such_as = SECTIONS
                .iter()
                .find(|section| section.title == self.title)
                .and_then(|section| {
                    section.example.lines().find(|line| line.starts_with(&format!("{key} = ")))
                })
                .map_or(String::new(), |line| format!(", such as `{line}`"));
            problems.absent(self.span.clone(), format!("{} needs `{key}`{such_as}", self.title));
        }
        node
    }

    /// A required text of 1 to `longest` characters.
    pub(super) fn text(
        &mut self,
        key: &'static str,
        longest: usize,
        problems: &mut Problems,
    ) -> Option<&'t str> {
        one_line(self.required(key, problems)?, key, longest, problems)
    }

    /// A whole number from `min` to `max`.
    pub(super) fn whole(
        node: &Node<'_>,
        key: &str,
        min: i64,
        max: i64,
        problems: &mut Problems,
    ) -> Option<i64> {
        let value = match node.get_ref() {
            DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok(),
            DeValue::Float(float) => numbers::whole(float.as_str()),
            _ => None,
        };
        let inside = value.filter(|value| (min..=max).contains(value));
        if inside.is_none() {
            let message = format!("`{key}` takes a whole number from {min} to {max}, not {}", written(node));
            problems.at(node.span(), message);
        }
        inside
    }

    /// The row's `weight`; 1 by default.
    pub(super) fn weight(&mut self, problems: &mut Problems) -> f64 {
        self.optional("weight").map_or(1.0, |node| weight(node, "weight", problems))
    }

    /// Reports unknown keys.
    pub(super) fn finish(self, problems: &mut Problems) {
        for key in self.table.keys() {
            if problems.are_enough() {
                break;
            }
            let name = key.get_ref().as_ref();
            if !self.asked.contains(&name) {
                let message = self.misplaced(name, problems);
                problems.at(key.span(), message);
            }
        }
    }
}

impl Section<'_> {
    /// The message for an unknown key.
    fn misplaced(&self, name: &str, problems: &mut Problems) -> String {
        let Self { title, asked, .. } = self;
        let is_file = asked.contains(&SECTIONS[0].key);
        // `stop` in a range means `step`.
        let is_misspelt = spelling::closest(name, asked.iter().copied()).is_some();
        if let Some(section) = SECTIONS.iter().find(|section| section.key == name && !is_misspelt) {
            problems.meant(section.key);
            return format!(
                "{title} has no key `{name}`; {} is a section of its own, not one of another",
                section.title
            );
        }
        if Params::info(name).is_some() {
            let place = if is_file { " of a [[test]]" } else { "" };
            return format!(
                "{title} has no key `{name}`, which is a parameter: write it into `set`{place}, such as \
                 set = {{ {name} = … }}"
            );
        }
        if let Some(other) = home(name) {
            return format!("{title} has no key `{name}`; it belongs into {other}");
        }
        if is_file
            && let Some(section) =
                SECTIONS.iter().find(|section| spelling::closest(name, [section.key]).is_some())
        {
            problems.meant(section.key);
        }
        format!("{title} has no key `{name}`; {}", nearest(name, asked))
    }
}

/// Reads a text of 1 to `longest` characters.
pub(super) fn one_line<'t>(
    node: &'t Node<'_>,
    key: &str,
    longest: usize,
    problems: &mut Problems,
) -> Option<&'t str> {
    let Some(text) = node.get_ref().as_str() else {
        problems.at(node.span(), format!("`{key}` takes a text in quotes, not {}", kind(node)));
        return None;
    };
    let length = text.chars().count();
    let found = invisible(text);
    if text.trim().is_empty() || length > longest || found.is_some() {
        let found = found.map_or(String::new(), |found| format!("; its {found}"));
        problems.at(node.span(), format!("`{key}` takes one line of 1 to {longest} characters{found}"));
        return None;
    }
    Some(text)
}

/// Reads a weight: 0 switches a row off, other weights are shares.
pub(super) fn weight(node: &Node<'_>, key: &str, problems: &mut Problems) -> f64 {
    match real(node) {
        Some(0.0) => 0.0,
        Some(weight) if (1e-6..=1e6).contains(&weight) => weight,
        _ => {
            let message = format!(
                "`{key}` is a weight: 0 for off, or a number from 0.000001 to 1000000, not {}",
                written(node)
            );
            problems.at(node.span(), message);
            1.0
        }
    }
}

/// Reads an integer or a float.
pub(super) fn real(node: &Node<'_>) -> Option<f64> {
    match node.get_ref() {
        DeValue::Integer(integer) => {
            i64::from_str_radix(integer.as_str(), integer.radix()).ok().map(|whole| whole as f64)
        }
        DeValue::Float(float) => float.as_str().parse::<f64>().ok().map(|real| real + 0.0),
        _ => None,
    }
}

/// Reads the value of the parameter `name` and checks it against the table of parameters.
pub(super) fn param_value(name: &str, node: &Node<'_>, problems: &mut Problems) -> Option<ParamValue> {
    let value = match node.get_ref() {
        DeValue::Boolean(flag) => ParamValue::Flag(*flag),
        DeValue::String(word) => ParamValue::Word(word.to_string()),
        _ => match real(node) {
            Some(number) => ParamValue::Number(number),
            None => {
                problems.at(node.span(), format!("`{name}` takes a single value, not {}", kind(node)));
                return None;
            }
        },
    };
    match Params::default().set(name, &value) {
        Ok(()) => Some(value),
        Err(error) => {
            let message = match (&value, Params::info(name)) {
                (ParamValue::Word(word), Some(info)) if is_quoted(word, info.domain) => {
                    format!("`{name}` takes {}, not a text; remove the quotes around {word}", info.domain)
                }
                _ => error.to_string(),
            };
            problems.at(node.span(), message);
            None
        }
    }
}

/// Whether a text is a quoted number or flag where the parameter takes one without quotes.
fn is_quoted(word: &str, domain: Domain) -> bool {
    match domain {
        Domain::Words(_) => false,
        Domain::Flag => matches!(word, "true" | "false"),
        _ => word.trim().parse::<f64>().is_ok(),
    }
}

/// Whether there is a parameter `name`; adds a problem at `span` if not.
pub(super) fn known_param(name: &str, span: Range<usize>, problems: &mut Problems) -> bool {
    let known = Params::info(name).is_some();
    if !known {
        let error = SetParamError::UnknownName { name: name.to_owned(), nearest: Params::nearest(name) };
        problems.at(span, error.to_string());
    }
    known
}

/// Reads parameters with their values, such as `{ exploration = 0.9, keep_tree = false }`. Keys in `others` are left out.
pub(super) fn param_set(
    key: &str,
    node: &Node<'_>,
    others: &[&str],
    problems: &mut Problems,
) -> BTreeMap<String, ParamValue> {
    let Some(table) = node.get_ref().as_table() else {
        let message = format!(
            "`{key}` takes parameters such as {{ exploration = 0.9, rave_k = 0 }}, not {}",
            kind(node)
        );
        problems.at(node.span(), message);
        return BTreeMap::new();
    };
    let mut set = BTreeMap::new();
    for (name, value) in table.iter().filter(|(name, _)| !others.contains(&name.get_ref().as_ref())) {
        if problems.are_enough() {
            break;
        }
        if known_param(name.get_ref(), name.span(), problems)
            && let Some(value) = param_value(name.get_ref(), value, problems)
        {
            set.insert(name.get_ref().to_string(), value);
        }
    }
    set
}

/// The kind of a value, for messages.
pub(super) fn kind(node: &Node<'_>) -> &'static str {
    match node.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// A number as written, or the kind of another value. A quoted number gets a hint.
pub(super) fn written(node: &Node<'_>) -> String {
    match node.get_ref() {
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::Float(float) => float.to_string(),
        DeValue::String(text) if text.trim().parse::<f64>().is_ok() => {
            format!("a text; remove the quotes around {}", text.trim())
        }
        _ => kind(node).to_owned(),
    }
}
