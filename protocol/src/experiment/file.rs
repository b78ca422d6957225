//! Reading an experiment file into rows. Each row is checked by itself.

use super::error::Problems;
use super::layout::{LONGEST_NAME, SECTIONS, SectionKind, home, is_needed};
use super::player::{origin, player};
use super::policy::Policy;
use super::row::{Row, rows};
use super::section::{Node, Section, kind, nearest, one_line, param_set, real, weight, written};
use super::stop::{StopRule, stop};
use super::sweep::{SweepPoint, sweep};
use super::tune::{self, TuneRows};
use super::{Baselines, MAX_CELLS};
use crate::board_sizes;
use crate::lease::Budget;
use engine::havannah::{BoardSize, Params};
use engine::params::ParamValue;
use engine::selfplay::MOST_OPENING_PLIES;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The longest question, in characters.
const LONGEST_QUESTION: usize = 500;
/// The most games of a cell: ten times as many as an Elo difference of 10 needs.
const MOST_GAMES: i64 = 100_000;
/// The most simulations per move.
const MOST_SIMS: i64 = 1_000_000_000;
/// The longest move, in reference seconds.
const LONGEST_MOVE: f64 = 3600.0;

/// Plies of a random opening, if the file does not say.
const USUAL_OPENING: u8 = 2;
/// What the name of a book begins with.
const BOOK: &str = "book:";
/// What `openings` takes.
const OPENINGS: &str = "`openings` takes empty, random or a book such as book:balanced";

/// The content of a file, row by row.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) question: String,
    pub(super) weight: f64,
    pub(super) baselines: Vec<Row<Params>>,
    pub(super) tests: Vec<Row<Test>>,
    /// The players of a tournament.
    pub(super) players: Vec<Row<Params>>,
    /// Ascending.
    pub(super) sizes: Vec<(BoardSize, f64)>,
    pub(super) budgets: Vec<Row<Budget>>,
    pub(super) play: Play,
    pub(super) stop: Option<StopRule>,
    pub(super) policy: Policy,
    pub(super) tune: Option<TuneRows>,
}

/// The cases of a test group.
#[derive(Debug)]
pub(super) struct Test {
    /// The preset or the named baseline that the differences are based on; by default the row's opponent.
    pub(super) preset: Option<Params>,
    /// Settings that all cases share.
    pub(super) set: BTreeMap<String, ParamValue>,
    /// The varying settings, one per case; empty when the group is a single case.
    pub(super) sweep: Option<Vec<SweepPoint>>,
    /// The place of `sweep`.
    pub(super) sweep_span: Option<Range<usize>>,
    /// The board sizes with their places; `None` for all sizes.
    pub(super) sizes: Option<Vec<(BoardSize, Range<usize>)>>,
    /// The ids of the baselines that it meets, with their places; `None` for all baselines.
    pub(super) against: Option<Vec<(String, Range<usize>)>>,
}

impl Test {
    /// Whether the test is played on this size of the experiment.
    pub(super) fn is_on(&self, size: BoardSize) -> bool {
        self.sizes.as_ref().is_none_or(|sizes| sizes.iter().any(|(named, _)| *named == size))
    }

    /// The cases of a sweep, without those of weight 0.
    pub(super) fn points(&self) -> Option<Vec<&SweepPoint>> {
        self.sweep.as_ref().map(|points| points.iter().filter(|point| point.weight > 0.0).collect())
    }

    /// Whether the test plays against this baseline.
    pub(super) fn meets(&self, baseline: &str) -> bool {
        self.against.as_ref().is_none_or(|against| against.iter().any(|(named, _)| named == baseline))
    }
}

/// `[play]`.
#[derive(Debug, Default)]
pub(super) struct Play {
    pub(super) pairs: u32,
    pub(super) opening_plies: u8,
    /// The name of a book, in place of random plies.
    pub(super) book: Option<String>,
    /// The place of the openings.
    pub(super) opening_span: Range<usize>,
    pub(super) seed: u64,
}

/// Reads a file with valid TOML. `known` are the named baselines; none if they were not looked up.
pub(super) fn read(
    text: &str,
    root: &DeTable<'_>,
    known: Option<&Baselines>,
    problems: &mut Problems,
) -> File {
    let mut file = File { weight: 1.0, ..File::default() };
    let mut top = Section::new("the file", 0..0, root);

    if let Some(mut section) = table(&mut top, "experiment", "[experiment]", problems) {
        file.name = section.text("name", LONGEST_NAME, problems).unwrap_or_default().to_owned();
        file.question = section.text("question", LONGEST_QUESTION, problems).unwrap_or_default().to_owned();
        if let Some(node) = section.optional("weight") {
            file.weight = weight(node, "weight", problems);
            if file.weight == 0.0 {
                problems.at(node.span(), "an experiment's weight is above 0");
            }
        }
        section.finish(problems);
    }
    let player = |section: &mut Section<'_>, problems: &mut Problems| player(section, known, problems);
    file.baselines = rows(text, &mut top, "baseline", "[[baseline]]", problems, player);
    let test = |section: &mut Section<'_>, problems: &mut Problems| test(text, section, known, problems);
    file.tests = rows(text, &mut top, "test", "[[test]]", problems, test);
    file.players = rows(text, &mut top, "player", "[[player]]", problems, player);
    if let Some(section) = top.optional("sizes") {
        file.sizes = sizes(section, problems);
    }
    file.budgets = rows(text, &mut top, "budget", "[[budget]]", problems, budget);
    let tunes = root.contains_key("tune");
    if let Some(section) = table(&mut top, "play", "[play]", problems) {
        file.play = play(section, tunes, problems);
    }
    if let Some(section) = table(&mut top, "stop", "[stop]", problems) {
        file.stop = stop(section, problems);
    }
    if let Some(mut section) = table(&mut top, "allocation", "[allocation]", problems) {
        file.policy = section.optional("policy").map(|node| policy(node, problems)).unwrap_or_default();
        section.finish(problems);
    }
    if let Some(section) = table(&mut top, "tune", "[tune]", problems) {
        file.tune = tune::read(section, problems);
        tune::check_alone(root, problems);
    }
    top.finish(problems);
    if root.is_empty() {
        problems.missing("the file is empty; `gauntlet init my-sweep.toml` writes one to begin with");
        return file;
    }
    let has = |key: &str| root.contains_key(key) || problems.is_meant(key);
    let needed: Vec<&SectionKind> = SECTIONS.iter().filter(|section| is_needed(section, has)).collect();
    for SectionKind { key, title, example, .. } in needed {
        if !root.contains_key(*key) && !problems.is_meant(key) {
            let example = example.replace('\n', "\n    ");
            problems.missing(format!("there is no {title}, such as\n\n    {title}\n    {example}"));
        }
    }
    file
}

/// A section that occurs once; none if it is missing or no section.
fn table<'t>(
    top: &mut Section<'t>,
    key: &'static str,
    title: &'static str,
    problems: &mut Problems,
) -> Option<Section<'t>> {
    let node = top.optional(key)?;
    let table = node.get_ref().as_table();
    if table.is_none() {
        problems.at(node.span(), format!("there is one of these only: write {title}, in one bracket"));
    }
    table.map(|table| Section::new(title, node.span(), table))
}

fn test(
    text: &str,
    section: &mut Section<'_>,
    known: Option<&Baselines>,
    problems: &mut Problems,
) -> Option<Test> {
    let (origin, preset) = origin(section, known, problems);
    let set_node = section.optional("set");
    let sweep_node = section.optional("sweep");
    if origin.is_none() && set_node.is_none() && sweep_node.is_none() {
        let message = "[[test]] needs what differs from the baseline: `set`, `sweep` or both, or a `preset` or a named \
                       `baseline` of its own; to play the baseline against itself, write `set = {}`";
        problems.absent(section.span.clone(), message);
    }
    let set = set_node.map(|node| param_set("set", node, &[], problems)).unwrap_or_default();
    let sweep_span = sweep_node.map(|node| node.span());
    let sweep = sweep_node.map(|node| sweep(text, node, problems));
    for point in sweep.iter().flatten() {
        if let Some(name) = point.set.keys().find(|name| set.contains_key(*name)) {
            problems.at(point.span.clone(), format!("`{name}` is in `set` and in `sweep`"));
            break;
        }
    }
    let sizes = section.optional("sizes").map(|node| some_sizes(node, problems));
    let against = section.optional("against").map(|node| some_baselines(node, problems));
    Some(Test { preset, set, sweep, sweep_span, sizes, against })
}

/// The baselines of a test. Whether the experiment has them is checked in `expand`.
fn some_baselines(node: &Node<'_>, problems: &mut Problems) -> Vec<(String, Range<usize>)> {
    let Some(list) = node.get_ref().as_array().filter(|list| !list.is_empty()) else {
        let instead = match node.get_ref().as_str() {
            Some(id) => format!("; write [\"{id}\"]"),
            None => "; without it there are all".to_owned(),
        };
        let message = format!(
            "`against` takes a list of some of the experiment's baselines, such as [\"uct\"]{instead}"
        );
        problems.at(node.span(), message);
        return Vec::new();
    };
    if list.len() > MAX_CELLS {
        let listed = list.len();
        let message =
            format!("`against` lists {listed} baselines; an experiment has at most {MAX_CELLS} cells");
        problems.at(node.span(), message);
        return Vec::new();
    }
    let mut baselines: Vec<(String, Range<usize>)> = Vec::new();
    for node in list {
        let Some(id) = one_line(node, "against", LONGEST_NAME, problems) else { continue };
        if baselines.iter().any(|(named, _)| named == id) {
            problems.at(node.span(), format!("`against` names `{id}` twice"));
        }
        baselines.push((id.to_owned(), node.span()));
    }
    baselines
}

/// The sizes of a test: numbers, and ranges as texts. Whether the experiment has them is checked in `expand`.
fn some_sizes(node: &Node<'_>, problems: &mut Problems) -> Vec<(BoardSize, Range<usize>)> {
    let list = match node.get_ref() {
        DeValue::Array(list) if !list.is_empty() => &list[..],
        DeValue::String(_) => std::slice::from_ref(node),
        _ => {
            let instead = match real(node) {
                Some(size) => format!("; write [{size}]"),
                None => "; without it there are all".to_owned(),
            };
            let message = format!(
                "`sizes` takes a list of some of the experiment's board sizes, such as [4, 6] or \"4-6\"{instead}"
            );
            problems.at(node.span(), message);
            return Vec::new();
        }
    };
    let mut sizes: Vec<(BoardSize, Range<usize>)> = Vec::new();
    let (min, max) = (i64::from(BoardSize::MIN.get()), i64::from(BoardSize::MAX.get()));
    for node in list {
        let named = match node.get_ref() {
            DeValue::String(text) => match board_sizes::read(text) {
                Ok(named) => named,
                Err(why) => {
                    problems.at(node.span(), format!("`sizes`: {why}"));
                    continue;
                }
            },
            _ => {
                let size = Section::whole(node, "sizes", min, max, problems);
                BoardSize::all().filter(|known| Some(i64::from(known.get())) == size).collect()
            }
        };
        for size in named {
            if sizes.iter().any(|(named, _)| *named == size) {
                problems.at(node.span(), format!("`sizes` names {size} twice"));
            }
            sizes.push((size, node.span()));
        }
    }
    sizes
}

fn sizes(node: &Node<'_>, problems: &mut Problems) -> Vec<(BoardSize, f64)> {
    let Some(table) = node.get_ref().as_table() else {
        let sizes: Vec<String> = match node.get_ref() {
            DeValue::Array(list) => list.iter().map(written).collect(),
            _ => vec![written(node)],
        };
        let sizes =
            if sizes.iter().all(|size| size.parse::<u8>().is_ok()) { sizes } else { vec!["6".into()] };
        let message = format!(
            "[sizes] is a section with a line a board size and its weight: `[sizes]`, and below it `{} = 1`",
            sizes.join(" = 1`, `")
        );
        problems.at(node.span(), message);
        return Vec::new();
    };
    let mut sizes: Vec<(BoardSize, f64)> = Vec::new();
    for (key, value) in table {
        match board_sizes::read(key.get_ref()) {
            // TOML reads `5.0 = 1` as a table `5` with a key `0`.
            Ok(_) if value.get_ref().as_table().is_some() => {
                let message = format!("write a board size without a point, such as `{} = 1`", key.get_ref());
                problems.at(key.span(), message);
            }
            Ok(named) => {
                let weight = weight(value, key.get_ref(), problems);
                for size in named {
                    if sizes.iter().any(|(known, _)| *known == size) {
                        problems.at(key.span(), format!("[sizes] names {size} twice"));
                    }
                    sizes.push((size, weight));
                }
            }
            Err(why) => {
                let message = match home(key.get_ref()) {
                    Some(other) => format!("`{}` is no board size; it belongs into {other}", key.get_ref()),
                    None => why,
                };
                problems.at(key.span(), message);
            }
        }
    }
    if table.is_empty() || (!sizes.is_empty() && sizes.iter().all(|(_, weight)| *weight == 0.0)) {
        problems.absent(node.span(), "[sizes] needs a board size with a weight above 0, such as `6 = 1`");
    }
    sizes.sort_by_key(|(size, _)| *size);
    sizes
}

fn budget(section: &mut Section<'_>, problems: &mut Problems) -> Option<Budget> {
    match (section.optional("reference_seconds"), section.optional("sims")) {
        (Some(node), None) => {
            let seconds = real(node).filter(|seconds| *seconds >= 0.001 && *seconds <= LONGEST_MOVE);
            if seconds.is_none() {
                let message = format!(
                    "`reference_seconds` takes a number from 0.001 to {LONGEST_MOVE}, not {}",
                    written(node)
                );
                problems.at(node.span(), message);
            }
            seconds.map(Budget::ReferenceSeconds)
        }
        (None, Some(node)) => {
            Section::whole(node, "sims", 1, MOST_SIMS, problems).map(|sims| Budget::Sims(sims.unsigned_abs()))
        }
        (Some(seconds), Some(sims)) => {
            let second = if seconds.span().start > sims.span().start { seconds } else { sims };
            let message = "a [[budget]] has either `reference_seconds` or `sims`, not both; for games with each, write \
                           a [[budget]] for each";
            problems.at(second.span(), message);
            None
        }
        (None, None) => {
            let message = "[[budget]] needs either `reference_seconds` or `sims`, what each move may cost, such as \
                           `sims = 2000`";
            problems.absent(section.span.clone(), message);
            None
        }
    }
}

/// Reads how games begin.
fn openings(section: &mut Section<'_>, play: &mut Play, problems: &mut Problems) {
    let plies_node = section.optional("opening_plies");
    let node = section.optional("openings");
    if let Some(node) = plies_node {
        play.opening_span = node.span();
        if let Some(plies) = Section::whole(node, "opening_plies", 0, MOST_OPENING_PLIES.into(), problems) {
            play.opening_plies = plies as u8;
        }
    }
    let Some(node) = node else { return };
    let mut only_random = |what: &str| {
        if let Some(plies) = plies_node {
            let message = format!(
                "{what} has no random moves; remove `opening_plies`, or write `openings = \"random\"`"
            );
            problems.at(plies.span(), message);
        }
    };
    match node.get_ref().as_str() {
        Some("empty") if play.opening_plies == 0 => {}
        Some("empty") => only_random("the empty board"),
        Some("random") => match plies_node {
            None => play.opening_plies = USUAL_OPENING,
            Some(plies) if play.opening_plies == 0 => {
                problems.at(
                    plies.span(),
                    format!("random openings have 1 to {MOST_OPENING_PLIES} `opening_plies`; 0 is `openings = \"empty\"`"),
                );
            }
            Some(_) => {}
        },
        Some(text) if text.starts_with(BOOK) => {
            only_random("a book");
            play.opening_plies = 0;
            play.book = Some(text.trim_start_matches(BOOK).to_owned());
            play.opening_span = node.span();
        }
        Some(text) => {
            let known = ["empty", "random", "book:balanced"];
            let message = format!("{OPENINGS}, not `{text}`; {}", nearest(text, &known));
            problems.at(node.span(), message);
        }
        None => problems.at(node.span(), format!("{OPENINGS}, not {}", kind(node))),
    }
}

fn policy(node: &Node<'_>, problems: &mut Problems) -> Policy {
    let word = node.get_ref().as_str();
    if let Some(policy) = word.and_then(Policy::named) {
        return policy;
    }
    let names = Policy::ALL.map(Policy::name);
    let [first @ .., last] = &names;
    let instead = match word {
        Some(word) => format!("`{word}`; {}", nearest(word, &names)),
        None => kind(node).to_owned(),
    };
    problems.at(node.span(), format!("`policy` is {} or {last}, not {instead}", first.join(", ")));
    Policy::default()
}

/// Reads `[play]`. A tune plays a pair of games of each cell, as often as it asks for the cell.
fn play(mut section: Section<'_>, tunes: bool, problems: &mut Problems) -> Play {
    let mut play = Play { seed: 1, ..Play::default() };
    if tunes {
        play.pairs = 1;
        if let Some(node) = section.optional("games_per_cell") {
            problems.at(node.span(), "a tune has no `games_per_cell`: its games are `games` in [tune]");
        }
    } else if let Some(node) = section.required("games_per_cell", problems)
        && let Some(games) = Section::whole(node, "games_per_cell", 2, MOST_GAMES, problems)
    {
        if games % 2 == 1 {
            let message = "`games_per_cell` is even: games are played in pairs with swapped colours";
            problems.at(node.span(), message);
        }
        play.pairs = (games / 2) as u32;
    }
    openings(&mut section, &mut play, problems);
    if let Some(node) = section.optional("seed")
        && let Some(seed) = Section::whole(node, "seed", 0, i64::MAX, problems)
    {
        play.seed = seed.unsigned_abs();
    }
    section.finish(problems);
    play
}
