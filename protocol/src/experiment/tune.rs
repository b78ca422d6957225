//! The section `[tune]`: the parameters that are tuned, and how.

use super::error::Problems;
use super::player::{apply, labelled, preset};
use super::row::Row;
use super::section::{Node, Section, kind, known_param, nearest, param_set, param_value, real, written};
use super::tuning::{FEWEST_GAMES, FOREIGN, MOST_GAMES, Tune, all_differences, extremes, switch};
use super::{Experiment, LabelledPlayer, PlannedCell};
use crate::lease::Budget;
use engine::havannah::Params;
use engine::params::{Domain, ParamValue};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::DeTable;
use tuner::{Aim, Condition, Kind, Parameter, Scale, Space, SpaceError, StrategyName, Value};

/// The section as it is written.
#[derive(Debug)]
pub(super) struct TuneRows {
    span: Range<usize>,
    strategy: Option<StrategyName>,
    games: u64,
    objective: Aim,
    confirm: bool,
    preset: Option<Params>,
    set: BTreeMap<String, ParamValue>,
    /// In the order of the file.
    parameters: Vec<ParameterRow>,
}

/// A parameter as it is written.
#[derive(Debug, Clone)]
struct ParameterRow {
    name: String,
    span: Range<usize>,
    kind: Kind,
    start: Option<Value>,
    only_if: Option<Condition>,
    /// The value of a number that may be off.
    off: Option<Value>,
}

/// Names that a key of the section takes, and what they mean.
const OBJECTIVES: [(&str, Aim); 3] = [("mean", Aim::Mean), ("worst", Aim::Worst), ("each", Aim::Each)];
const SCALES: [(&str, Scale); 2] = [("linear", Scale::Linear), ("log", Scale::Log)];

/// Reads the section.
pub(super) fn read(mut section: Section<'_>, problems: &mut Problems) -> Option<TuneRows> {
    let span = section.span.clone();
    let strategies: Vec<(String, Option<StrategyName>)> = StrategyName::ALL
        .map(|name| (name.to_string(), Some(name)))
        .into_iter()
        .chain([(FOREIGN.to_owned(), None)])
        .collect();
    let strategies: Vec<(&str, _)> = strategies.iter().map(|(name, one)| (name.as_str(), *one)).collect();
    let strategy =
        section.optional("strategy").and_then(|node| word("strategy", node, &strategies, problems));
    let objective =
        section.optional("objective").and_then(|node| word("objective", node, &OBJECTIVES, problems));
    let (fewest, most) = (FEWEST_GAMES.cast_signed(), MOST_GAMES.cast_signed());
    let games = section.required("games", problems).and_then(|node| {
        let games = Section::whole(node, "games", fewest, most, problems)?;
        if games % 2 == 1 {
            problems.at(node.span(), "`games` is even: games are played in pairs with swapped colours");
        }
        Some(games.unsigned_abs())
    });
    let confirm = match section.optional("confirm") {
        None => true,
        Some(node) => node.get_ref().as_bool().unwrap_or_else(|| {
            problems.at(node.span(), format!("`confirm` takes true or false, not {}", written(node)));
            true
        }),
    };
    let preset = section.optional("preset").and_then(|node| preset(node, problems));
    let set = section.optional("set").map(|node| param_set("set", node, &[], problems)).unwrap_or_default();
    let parameters = section.required("parameters", problems);
    let parameters = parameters.map(|node| parameters_of(node, &set, problems)).unwrap_or_default();
    section.finish(problems);
    Some(TuneRows {
        span,
        strategy: strategy.unwrap_or(Some(StrategyName::default())),
        games: games?,
        objective: objective.unwrap_or_default(),
        confirm,
        preset,
        set,
        parameters,
    })
}

/// One of some words.
fn word<T: Copy>(key: &str, node: &Node<'_>, known: &[(&str, T)], problems: &mut Problems) -> Option<T> {
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    let written = node.get_ref().as_str();
    let found = known.iter().find(|(name, _)| Some(*name) == written);
    if found.is_none() {
        let instead = match written {
            Some(word) => format!("`{word}`; {}", nearest(word, &names)),
            None => kind(node).to_owned(),
        };
        let message = format!("`{key}` is one of {}, not {instead}", names.join(", "));
        problems.at(node.span(), message);
    }
    found.map(|(_, one)| *one)
}

/// Adds a problem for each section that a tune has no use for.
pub(super) fn check_alone(root: &DeTable<'_>, problems: &mut Problems) {
    for (key, why) in [
        ("test", "a tune makes its cases itself: remove [[test]]"),
        ("player", "a tune makes its players itself: remove [[player]]"),
        ("stop", "a tune plays each of its points in few games: [stop] has no use in it"),
        ("allocation", "the strategy of a tune says what is played next: [allocation] has no use in it"),
    ] {
        if let Some(node) = root.get(key) {
            problems.at(node.span(), why);
        }
    }
}

fn parameters_of(
    node: &Node<'_>,
    set: &BTreeMap<String, ParamValue>,
    problems: &mut Problems,
) -> Vec<ParameterRow> {
    let Some(table) = node.get_ref().as_table().filter(|table| !table.is_empty()) else {
        let message = "`parameters` takes parameters with what is tried of each, such as { rave_k = { range = [10, 1000], \
                       scale = \"log\" }, keep_tree = {} }";
        problems.at(node.span(), message);
        return Vec::new();
    };
    let mut rows: Vec<ParameterRow> = Vec::new();
    for (key, node) in table {
        if problems.are_enough() {
            break;
        }
        let name = key.get_ref().as_ref();
        if !known_param(name, key.span(), problems) {
            continue;
        }
        if set.contains_key(name) {
            problems.at(key.span(), format!("`{name}` is in `set` and in `parameters`"));
        }
        let Some(table) = node.get_ref().as_table() else {
            let message = format!(
                "`{name}` takes what is tried of it, such as {{ range = [10, 100] }}, or {{}} for all values of a flag or \
                 word, not {}",
                kind(node)
            );
            problems.at(node.span(), message);
            continue;
        };
        if let (Some(range), Some(kind)) = (table.get("range"), kind_without_range(name)) {
            let message =
                format!("`{name}` is a {kind} and has no range: {name} = {{}} tries all its values");
            problems.at(range.span(), message);
            continue;
        }
        let section = Section::new(PARAMETER, key.span(), table);
        rows.extend(parameter(name, section, problems));
    }
    // The parser sorts the keys. A condition is on a parameter that stands before.
    rows.sort_by_key(|row| row.span.start);
    rows
}

/// What a parameter is that is no number.
fn kind_without_range(name: &str) -> Option<&'static str> {
    match Params::info(name)?.domain {
        Domain::Flag => Some("flag"),
        Domain::Words(_) => Some("word"),
        Domain::Whole(..) | Domain::Real(..) => None,
    }
}

/// What messages call the table of a parameter.
const PARAMETER: &str = "a parameter of [tune]";

fn parameter(name: &str, mut section: Section<'_>, problems: &mut Problems) -> Option<ParameterRow> {
    let span = section.span.clone();
    let domain = Params::info(name)?.domain;
    let kind = match domain {
        Domain::Flag => Some(Kind::Flag {}),
        Domain::Words(all) => match section.optional("values") {
            None => Some(Kind::Word { values: all.iter().map(|word| (*word).to_owned()).collect() }),
            Some(node) => words(name, node, problems).map(|values| Kind::Word { values }),
        },
        Domain::Whole(..) | Domain::Real(..) => {
            let scale = section
                .optional("scale")
                .and_then(|node| word("scale", node, &SCALES, problems))
                .unwrap_or_default();
            let range = section.required("range", problems).and_then(|node| range(name, node, problems));
            range.map(|(low, high)| match domain {
                Domain::Whole(..) => Kind::Whole { low: low as i64, high: high as i64, scale },
                _ => Kind::Real { low, high, scale },
            })
        }
    };
    let start = section
        .optional("start")
        .and_then(|node| param_value(name, node, problems))
        .and_then(|value| to_value(name, &value));
    let only_if = section.optional("only_if").and_then(|node| condition(name, node, problems));
    let off = match &kind {
        Some(kind @ (Kind::Real { .. } | Kind::Whole { .. })) => {
            section.optional("off").and_then(|node| off(name, kind, node, problems))
        }
        _ => None,
    };
    section.finish(problems);
    Some(ParameterRow { name: name.to_owned(), span, kind: kind?, start, only_if, off })
}

/// A value outside the range.
fn off(name: &str, kind: &Kind, node: &Node<'_>, problems: &mut Problems) -> Option<Value> {
    let value = to_value(name, &param_value(name, node, problems)?)?;
    if kind.contains(&value) {
        let message = format!(
            "`off` is a value outside the range of `{name}`, such as 0 for the range [1, 20], not {value}"
        );
        problems.at(node.span(), message);
        return None;
    }
    Some(value)
}

/// Two ends that the engine allows.
fn range(name: &str, node: &Node<'_>, problems: &mut Problems) -> Option<(f64, f64)> {
    let Some([low, high]) = node.get_ref().as_array().map(|list| &list[..]) else {
        problems.at(node.span(), format!("`range` takes the two ends of `{name}`, such as [10, 100]"));
        return None;
    };
    let end = |node: &Node<'_>, problems: &mut Problems| {
        param_value(name, node, problems)?;
        real(node)
    };
    let (low, high) = (end(low, problems), end(high, problems));
    Some((low?, high?))
}

/// Some words of a parameter.
fn words(name: &str, node: &Node<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    let Some(list) = node.get_ref().as_array() else {
        problems.at(node.span(), format!("`values` takes a list of some of the words of `{name}`"));
        return None;
    };
    let read = |node: &Node<'_>| param_value(name, node, problems).map(|value| value.to_string());
    let values: Vec<Option<String>> = list.iter().map(read).collect();
    values.into_iter().collect()
}

/// A condition on another parameter, such as `{ last_good_reply = true }`.
fn condition(name: &str, node: &Node<'_>, problems: &mut Problems) -> Option<Condition> {
    let table = node.get_ref().as_table().filter(|table| table.len() == 1);
    let Some((key, values)) = table.and_then(|table| table.iter().next()) else {
        let message = format!(
            "`only_if` takes the parameter that `{name}` depends on with its value, or with a list of values, such as \
             {{ keep_tree = true }}"
        );
        problems.at(node.span(), message);
        return None;
    };
    let on = key.get_ref().as_ref();
    if !known_param(on, key.span(), problems) {
        return None;
    }
    let list: Vec<&Node<'_>> = match values.get_ref().as_array() {
        Some(list) => list.iter().collect(),
        None => vec![values],
    };
    let read = |node: &Node<'_>| to_value(on, &param_value(on, node, problems)?);
    let values: Vec<Option<Value>> = list.into_iter().map(read).collect();
    Some(Condition { parameter: on.to_owned(), values: values.into_iter().collect::<Option<_>>()? })
}

/// The value as a tune knows it.
fn to_value(name: &str, value: &ParamValue) -> Option<Value> {
    Some(match (value, Params::info(name)?.domain) {
        (ParamValue::Flag(flag), _) => Value::Flag(*flag),
        (ParamValue::Word(word), _) => Value::Word(word.clone()),
        (ParamValue::Number(number), Domain::Whole(..)) => Value::Whole(*number as i64),
        (ParamValue::Number(number), _) => Value::Real(*number),
    })
}

/// Where a tune begins with this parameter: the value of the base, or else the middle.
fn usual_start(kind: &Kind, of_base: Option<Value>) -> Value {
    // A range without two values is a mistake that the space tells.
    of_base
        .filter(|value| kind.contains(value))
        .or_else(|| kind.usual_start().ok())
        .unwrap_or(Value::Flag(false))
}

/// The parameter of the space; for a number that may be off the flag that switches it, and the number.
fn parameters_of_row(row: &ParameterRow, base: &Params) -> Vec<Parameter> {
    let ParameterRow { name, kind, start, only_if, off, .. } = row.clone();
    let of_base = base.get(&name).and_then(|value| to_value(&name, &value));
    let first = start.clone().or_else(|| of_base.clone());
    let within = start.filter(|start| Some(start) != off.as_ref());
    let start = within.unwrap_or_else(|| usual_start(&kind, of_base));
    if off.is_none() {
        return vec![Parameter { name, kind, start, only_if }];
    }
    let is_on = first.is_some_and(|first| kind.contains(&first));
    let on = Condition { parameter: switch(&name), values: vec![Value::Flag(true)] };
    let flag = Parameter { name: switch(&name), kind: Kind::Flag {}, start: Value::Flag(is_on), only_if };
    vec![flag, Parameter { name, kind, start, only_if: Some(on) }]
}

/// The tune, the player where it begins, and its baseline. Adds problems that involve other sections.
pub(super) fn plan(
    (rows, seed): (&TuneRows, u64),
    baselines: &[&Row<Params>],
    budgets: &[&Row<Budget>],
    problems: &mut Problems,
) -> Option<(Tune, LabelledPlayer, LabelledPlayer)> {
    if let [_, second, ..] = baselines {
        problems.at(second.span.clone(), "a tune has one [[baseline]]; `weight = 0` switches others off");
    }
    if let [_, second, ..] = budgets {
        problems.at(second.span.clone(), "a tune has one [[budget]]; `weight = 0` switches others off");
    }
    let baseline = baselines.first()?;
    let mut base = rows.preset.as_ref().unwrap_or(&baseline.content).clone();
    if let Err(error) = apply(&mut base, &rows.set) {
        problems.at(rows.span.clone(), error.to_string());
        return None;
    }
    let of_row = |row: &ParameterRow| parameters_of_row(row, &base);
    let space = match Space::new(rows.parameters.iter().flat_map(of_row).collect()) {
        Ok(space) => space,
        Err(error) => {
            problems.at(place(rows, &error), error.to_string());
            return None;
        }
    };
    let tune = Tune {
        strategy: rows.strategy,
        games: rows.games,
        objective: rows.objective,
        parameters: space,
        off: rows.parameters.iter().filter_map(|row| Some((row.name.clone(), row.off.clone()?))).collect(),
        base: all_differences(&base),
        seed,
        confirm: rows.confirm,
    };
    match tune.player(&tune.parameters.start()) {
        Ok(start) => Some((tune, start, labelled(baseline))),
        Err(error) => {
            problems.at(rows.span.clone(), error.to_string());
            None
        }
    }
}

/// The place of the parameter that is wrong.
fn place(rows: &TuneRows, error: &SpaceError) -> Range<usize> {
    let name = match error {
        SpaceError::Empty => return rows.span.clone(),
        SpaceError::Twice(name) | SpaceError::Missing(name) => name,
        SpaceError::Range { name, .. }
        | SpaceError::Value { name, .. }
        | SpaceError::Unknown { name, .. }
        | SpaceError::Condition { name, .. } => name,
    };
    // A value of a condition is an error of the parameter that it is on; the condition's own parameter is the one to look at.
    let own = rows.parameters.iter().find(|row| row.name == *name);
    own.map_or(rows.span.clone(), |row| row.span.clone())
}

/// Adds a problem if the tune cannot be played and nothing else says why.
pub(super) fn check(experiment: &Experiment, rows: &TuneRows, problems: &mut Problems) {
    if problems.is_empty()
        && let Err(why) = experiment.check_tune()
    {
        problems.at(rows.span.clone(), why);
    }
}

/// Adds a problem if a point of the tune would overflow the counters of a search.
pub(super) fn check_sims(
    tune: &Tune,
    cells: &[PlannedCell],
    budgets: &[&Row<Budget>],
    problems: &mut Problems,
) {
    let mut of_points = Vec::new();
    for point in extremes(&tune.parameters) {
        let Ok(player) = tune.player(&point) else { continue };
        of_points.extend(cells.iter().map(|cell| {
            let mut cell = cell.clone();
            cell.spec.case.clone_from(&player.params);
            cell.case = player.clone();
            cell
        }));
    }
    super::counts::check(&of_points, budgets, problems);
}
