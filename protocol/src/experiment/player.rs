//! Players of an experiment file: a preset or a named baseline, with changes.

use super::error::Problems;
use super::layout::LONGEST_NAME;
use super::row::Row;
use super::section::{Node, Section, kind, nearest, one_line, param_set};
use super::{Baselines, LabelledPlayer};
use crate::lease::ParamSet;
use engine::havannah::Params;
use engine::params::{ParamValue, SetParamError};
use std::collections::BTreeMap;

/// The player of a row: a preset or a named baseline, with changes.
pub(super) fn player(
    section: &mut Section<'_>,
    known: Option<&Baselines>,
    problems: &mut Problems,
) -> Option<Params> {
    let (node, params) = origin(section, known, problems);
    let set = section.optional("set").map(|node| param_set("set", node, &[], problems)).unwrap_or_default();
    let Some(node) = node else {
        let message = format!(
            "{} needs either `preset`, such as `preset = \"uct\"`, or `baseline`, the name of a promoted case",
            section.title
        );
        problems.absent(section.span.clone(), message);
        return None;
    };
    let mut params = params?;
    match apply(&mut params, &set) {
        Ok(()) => Some(params),
        Err(error) => {
            problems.at(node.span(), error.to_string());
            None
        }
    }
}

/// The player of a row under the row's id.
pub(super) fn labelled(row: &Row<Params>) -> LabelledPlayer {
    LabelledPlayer { group: row.id.clone(), label: row.id.clone(), params: ParamSet::from(&row.content) }
}

/// Where a row says that its parameters come from, a preset or a named baseline, and those parameters.
pub(super) fn origin<'t>(
    section: &mut Section<'t>,
    known: Option<&Baselines>,
    problems: &mut Problems,
) -> (Option<&'t Node<'t>>, Option<Params>) {
    match (section.optional("preset"), section.optional("baseline")) {
        (Some(node), None) => (Some(node), preset(node, problems)),
        (None, Some(node)) => (Some(node), named(node, known, problems)),
        (Some(_), Some(node)) => {
            let message = format!("{} has either `preset` or `baseline`, not both", section.title);
            problems.at(node.span(), message);
            (Some(node), None)
        }
        (None, None) => (None, None),
    }
}

/// The parameters of a named baseline.
fn named(node: &Node<'_>, known: Option<&Baselines>, problems: &mut Problems) -> Option<Params> {
    let name = one_line(node, "baseline", LONGEST_NAME, problems)?;
    if Params::preset(name).is_ok() {
        problems.at(node.span(), format!("`{name}` is a preset of the engine: write `preset = \"{name}\"`"));
        return None;
    }
    let Some(known) = known else {
        problems.unknown_name(
            node.span(),
            format!(
                "`{name}` is a named baseline, and only a coordinator or its database knows its parameters: name one with \
                 --coordinator URL or --database FILE; `gauntlet baseline list` lists names"
            ),
        );
        return None;
    };
    let Some(params) = known.get(name) else {
        let names: Vec<&str> = known.keys().map(String::as_str).collect();
        let help = match names[..] {
            [] => "none was promoted yet: `gauntlet promote` makes one".to_owned(),
            _ => nearest(name, &names),
        };
        problems.at(node.span(), format!("there is no baseline `{name}`; {help}"));
        return None;
    };
    let resolved = params.resolve();
    if let Err(error) = &resolved {
        let message = format!("the baseline `{name}` is of another version of the engine: {error}");
        problems.at(node.span(), message);
    }
    resolved.ok()
}

/// The parameters of a named preset.
pub(super) fn preset(node: &Node<'_>, problems: &mut Problems) -> Option<Params> {
    let Some(name) = node.get_ref().as_str() else {
        problems.at(node.span(), format!("`preset` takes a name in quotes, not {}", kind(node)));
        return None;
    };
    let params = Params::preset(name).ok();
    if params.is_none() {
        let help = nearest(name, &Params::PRESETS.map(|(name, _)| name));
        problems.at(node.span(), format!("there is no preset `{name}`; {help}"));
    }
    params
}

/// Applies settings to `params`.
pub(super) fn apply(params: &mut Params, set: &BTreeMap<String, ParamValue>) -> Result<(), SetParamError> {
    set.iter().try_for_each(|(name, value)| params.set(name, value))
}
