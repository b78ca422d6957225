//! Expansion of the rows of a file into cells: every test on every baseline, on its sizes, with every budget.

use super::error::{Problems, line_of};
use super::file::{File, Test};
use super::player::{apply, labelled};
use super::row::Row;
use super::section::nearest;
use super::tournament::{self, Pairing};
use super::tune;
use super::{CellSpec, Experiment, LabelledPlayer, MAX_CELLS, PlannedCell};
use crate::book::Book;
use crate::ids::{CellId, PlayerId};
use crate::lease::{Budget, ParamSet};
use crate::words::{count, counted, number};
use engine::havannah::{BoardSize, Params};
use engine::selfplay::most_opening_plies;
use engine::spelling::excerpt;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};

/// The range of cell weights, which are products of weights in the file. A coordinator refuses others.
const WEIGHTS: RangeInclusive<f64> = 1e-9..=1e9;

/// The longest label of a case, in characters. A coordinator refuses longer ones.
pub(super) const LONGEST_LABEL: usize = 200;

/// A case on a baseline.
struct Case<'f> {
    group: &'f Row<Test>,
    label: String,
    span: Range<usize>,
    params: ParamSet,
    /// The weight within the group.
    weight: f64,
    /// Parameters that the case sets without effect.
    idle: Vec<&'static str>,
}

/// The rows of a file with a weight above 0.
struct Rows<'f> {
    file: &'f File,
    baselines: Vec<&'f Row<Params>>,
    tests: Vec<&'f Row<Test>>,
    players: Vec<&'f Row<Params>>,
    budgets: Vec<&'f Row<Budget>>,
    sizes: Vec<&'f (BoardSize, f64)>,
}

/// Plans the cells, or adds problems that involve several rows.
pub(super) fn expand(file: &File, text: &str, problems: &mut Problems) -> Experiment {
    let rows = Rows::active(file, problems);
    let mut experiment = Experiment {
        name: file.name.clone(),
        question: file.question.clone(),
        weight: file.weight,
        policy: file.policy,
        file: None,
        tune: None,
        cells: Vec::new(),
    };
    if rows.refuse_too_many(problems) {
        return experiment;
    }
    rows.check(text, problems);
    // Cells of rows that are the same would be looked at again for each of these rows.
    if problems.are_enough() {
        return experiment;
    }
    let pairings = tournament::pairings(&rows.players, &rows.baselines);
    rows.check_weights(&experiment, &pairings, problems);
    experiment.cells = rows.cells_of_tests(text, problems);
    for Pairing { case, baseline, weight, .. } in &pairings {
        experiment.cells.extend(rows.cells((case, baseline), *weight, |_| true));
    }
    if let Some(tuned) = &file.tune {
        let Some((tune, start, baseline)) =
            tune::plan((tuned, file.play.seed), &rows.baselines, &rows.budgets, problems)
        else {
            return experiment;
        };
        experiment.cells.extend(rows.cells((&start, &baseline), 1.0, |_| true));
        tune::check_sims(&tune, &experiment.cells, &rows.budgets, problems);
        experiment.tune = Some(tune);
        tune::check(&experiment, tuned, problems);
    }
    check_no_cell_twice(&experiment, &rows.players, problems);
    super::counts::check(&experiment.cells, &rows.budgets, problems);
    experiment
}

impl<'f> Rows<'f> {
    fn active(file: &'f File, problems: &mut Problems) -> Self {
        Self {
            file,
            baselines: active(&file.baselines, "[[baseline]]", problems),
            tests: active(&file.tests, "[[test]]", problems),
            players: active(&file.players, "[[player]]", problems),
            budgets: active(&file.budgets, "[[budget]]", problems),
            sizes: file.sizes.iter().filter(|(_, weight)| *weight > 0.0).collect(),
        }
    }

    /// Adds problems that involve several rows.
    fn check(&self, text: &str, problems: &mut Problems) {
        let Self { file, baselines, tests, players, budgets, sizes } = self;
        check_opening(file, sizes.first().map(|(size, _)| *size), problems);
        check_book(file, sizes, problems);
        check_sizes(file, tests, problems);
        check_against(file, tests, problems);
        check_some_case(tests, problems);
        let player = |params: &Params| ParamSet::from(params).player_id();
        check_distinct(baselines, player, "the same player as", text, problems);
        check_distinct(players, player, "the same player as", text, problems);
        tournament::check_company(players, baselines, problems);
        check_distinct(budgets, Budget::to_string, "the same budget as", text, problems);
    }

    /// Adds a problem if the rows make more cells than an experiment may have; gives whether they do.
    fn refuse_too_many(&self, problems: &mut Problems) -> bool {
        let Self { baselines, tests, players, budgets, sizes, .. } = self;
        let boards = |test: &Test| sizes.iter().filter(|(size, _)| test.is_on(*size)).count();
        let opponents = |test: &Test| baselines.iter().filter(|baseline| test.meets(&baseline.id)).count();
        // Every case on each of its sizes against each of its baselines.
        let places = |test: &Test| cases(test).saturating_mul(boards(test)).saturating_mul(opponents(test));
        let places = tests.iter().map(|test| places(&test.content)).fold(0, usize::saturating_add);
        let meetings = tournament::count(players.len(), baselines.len());
        let places = places.saturating_add(meetings.saturating_mul(sizes.len()));
        let cells = places.saturating_mul(budgets.len());
        let is_too_many = cells > MAX_CELLS;
        if is_too_many {
            let rows = [baselines.len(), meetings, budgets.len(), sizes.len()];
            refuse_cells(cells, rows, tests, |test| cases(test) * boards(test), problems);
        }
        is_too_many
    }

    /// Adds a problem if the weights of tests, or of players that meet, multiply to a weight that no cell may have.
    fn check_weights(&self, experiment: &Experiment, pairings: &[Pairing], problems: &mut Problems) {
        let Self { baselines, tests, budgets, sizes, .. } = self;
        let of_tests = [rows_of(baselines), cases_of(tests), rows_of(budgets)];
        check_weights(experiment, &of_tests, sizes, problems);
        let meetings: Vec<_> =
            pairings.iter().map(|met| (met.case.label.as_str(), met.weight, met.span.clone())).collect();
        if !meetings.is_empty() {
            check_weights(experiment, &[meetings, rows_of(budgets)], sizes, problems);
        }
    }

    /// The cells of every test on every baseline, up to the first baseline on which two cases are the same player.
    fn cells_of_tests(&self, text: &str, problems: &mut Problems) -> Vec<PlannedCell> {
        let mut cells = Vec::new();
        for row in &self.baselines {
            let tests: Vec<_> =
                self.tests.iter().copied().filter(|test| test.content.meets(&row.id)).collect();
            let cases = cases_on(&row.content, &tests, problems);
            if check_same_player(&row.id, &cases, &self.sizes, text, problems) {
                break;
            }
            let baseline = labelled(row);
            for Case { group, label, params, weight, .. } in cases {
                let case = LabelledPlayer { group: group.id.clone(), label, params };
                let weight = group.weight * weight * row.weight;
                cells.extend(self.cells((&case, &baseline), weight, |size| group.content.is_on(size)));
            }
        }
        cells
    }

    /// The cells of two players with every budget, on those of the sizes.
    fn cells(
        &self,
        (case, baseline): (&LabelledPlayer, &LabelledPlayer),
        weight: f64,
        is_on: impl Fn(BoardSize) -> bool,
    ) -> Vec<PlannedCell> {
        let File { play, stop, .. } = self.file;
        let mut cells = Vec::new();
        for budget in &self.budgets {
            for (size, size_weight) in self.sizes.iter().filter(|(size, _)| is_on(*size)) {
                cells.push(PlannedCell {
                    spec: CellSpec {
                        semantics: engine::SEMANTICS,
                        case: case.params.clone(),
                        baseline: baseline.params.clone(),
                        size: *size,
                        budget: budget.content,
                        opening_plies: play.opening_plies,
                        book: play.book.as_ref().and_then(|name| Book::named(name, *size)),
                        seed: play.seed,
                    },
                    case: case.clone(),
                    baseline: baseline.clone(),
                    weight: weight * size_weight * budget.weight,
                    pairs: play.pairs,
                    stop: *stop,
                });
            }
        }
        cells
    }
}

/// Says what makes so many cells: the numbers of baselines, pairings of players, budgets and sizes, and the tests, of which the one
/// with the most `places` is named.
fn refuse_cells(
    cells: usize,
    [baselines, pairings, budgets, sizes]: [usize; 4],
    tests: &[&Row<Test>],
    places: impl Fn(&Test) -> usize,
    problems: &mut Problems,
) {
    let counted = |number: usize, noun| counted(number as u64, noun);
    let cases: usize = tests.iter().map(|test| cases(&test.content)).sum();
    let cases_and_baselines = format!("{} × {}", counted(cases, "case"), counted(baselines, "baseline"));
    let players = format!("{} of players", counted(pairings, "pairing"));
    let matches = match (tests.is_empty(), pairings == 0) {
        (false, false) => format!("({cases_and_baselines} and {players})"),
        (true, _) => players,
        (false, true) => cases_and_baselines,
    };
    let message = format!(
        "{matches} × {} × {} are {}; an experiment has at most {}",
        counted(budgets, "budget"),
        counted(sizes, "size"),
        counted(cells, "cell"),
        count(MAX_CELLS as u64)
    );
    let largest = tests.iter().max_by_key(|test| places(&test.content));
    match largest.and_then(|test| Some((test, test.content.sweep_span.clone()?))) {
        Some((test, span)) => {
            let swept = counted(self::cases(&test.content), "case");
            problems.at(span, format!("{message}; {swept} come from this sweep of `{}`", test.id));
        }
        None => problems.missing(message),
    }
}

/// The cases of a test.
fn cases(test: &Test) -> usize {
    test.points().map_or(1, |points| points.len())
}

/// The ids, weights and places of rows.
fn rows_of<'f, T>(rows: &[&'f Row<T>]) -> Vec<(&'f str, f64, Range<usize>)> {
    rows.iter().map(|row| (row.id.as_str(), row.weight, row.span.clone())).collect()
}

/// The ids, weights and places of the cases of all test groups.
fn cases_of<'f>(tests: &[&'f Row<Test>]) -> Vec<(&'f str, f64, Range<usize>)> {
    let cases = |test: &&'f Row<Test>| {
        let whole = (test.id.as_str(), test.weight, test.span.clone());
        let points = test.content.points().into_iter().flatten().map(|point| match point.weight {
            1.0 => whole.clone(),
            weight => (whole.0, test.weight * weight, point.span.clone()),
        });
        let cases: Vec<_> = points.collect();
        if cases.is_empty() { vec![whole] } else { cases }
    };
    tests.iter().flat_map(cases).collect()
}

/// Adds a problem if the product of weights is too small or too large to be compared with others.
fn check_weights(
    experiment: &Experiment,
    rows: &[Vec<(&str, f64, Range<usize>)>],
    sizes: &[&(BoardSize, f64)],
    problems: &mut Problems,
) {
    for (extreme, of) in [(f64::max as fn(f64, f64) -> f64, "largest"), (f64::min, "smallest")] {
        let weights =
            |list: &[(&str, f64, Range<usize>)]| list.iter().map(|row| row.1).reduce(extreme).unwrap_or(1.0);
        let size = sizes.iter().map(|(_, weight)| *weight).reduce(extreme).unwrap_or(1.0);
        let cell = rows.iter().map(|list| weights(list)).product::<f64>() * size;
        let product =
            if extreme(cell, cell * experiment.weight) == cell { cell } else { cell * experiment.weight };
        if WEIGHTS.contains(&product) {
            continue;
        }
        let far = |row: &&(&str, f64, Range<usize>)| row.1.ln().abs();
        let row = rows.iter().flatten().max_by(|a, b| far(a).total_cmp(&far(b)));
        let message = format!(
            "the {of} weights of test, baseline, size, budget and experiment multiply to {}; a cell's weight is \
             from {:e} to {:e}",
            number(product),
            WEIGHTS.start(),
            WEIGHTS.end()
        );
        match row {
            Some((.., span)) => problems.at(span.clone(), message),
            None => problems.missing(message),
        }
    }
}

/// The rows with a weight above 0.
fn active<'f, T>(rows: &'f [Row<T>], title: &str, problems: &mut Problems) -> Vec<&'f Row<T>> {
    let active: Vec<_> = rows.iter().filter(|row| row.weight > 0.0).collect();
    if active.is_empty() && !rows.is_empty() {
        problems.missing(format!("every {title} has weight 0: nothing would be played"));
    }
    active
}

/// The cases of all test groups on one baseline, or on their own presets.
fn cases_on<'f>(baseline: &Params, tests: &[&'f Row<Test>], problems: &mut Problems) -> Vec<Case<'f>> {
    let mut cases = Vec::new();
    for &group in tests {
        let mut add = |label, weight, span: &Range<usize>, sets: &[&_]| {
            let mut params = group.content.preset.as_ref().unwrap_or(baseline).clone();
            let label: String = label;
            if label.chars().count() > LONGEST_LABEL {
                let message = format!(
                    "the label of this case, `{}…`, has more than {LONGEST_LABEL} characters: parameters that all cases \
                     share belong into `set`",
                    excerpt(&label)
                );
                problems.at(span.clone(), message);
            }
            match sets.iter().try_for_each(|set| apply(&mut params, set)) {
                Ok(()) => {
                    let (idle, params) = (params.without_effect(), ParamSet::from(&params));
                    cases.push(Case { group, label, span: span.clone(), params, weight, idle });
                }
                Err(error) => problems.at(span.clone(), error.to_string()),
            }
        };
        match group.content.points() {
            None => add(group.id.clone(), 1.0, &group.span, &[&group.content.set]),
            Some(points) => {
                for point in points {
                    add(point.label(), point.weight, &point.span, &[&group.content.set, &point.set]);
                }
            }
        }
    }
    cases
}

/// Two cases that are the same player.
struct DuplicateCase {
    /// The place of the second case.
    span: Range<usize>,
    message: String,
    /// The number of further combinations that are the same player.
    more: u64,
}

/// Adds a problem if two cases are the same player on one board: they would be one cell, shown twice. Returns whether
/// there are any.
fn check_same_player(
    baseline: &str,
    cases: &[Case<'_>],
    sizes: &[&(BoardSize, f64)],
    text: &str,
    problems: &mut Problems,
) -> bool {
    let mut seen: HashMap<PlayerId, Vec<&Case<'_>>> = HashMap::new();
    // Keyed by the two places; further combinations at the same places are only counted.
    let mut found: BTreeMap<(usize, usize), DuplicateCase> = BTreeMap::new();
    for case in cases {
        let alike = seen.entry(case.params.player_id()).or_default();
        let meet = |first: &&&Case<'_>| {
            sizes.iter().any(|(size, _)| first.group.content.is_on(*size) && case.group.content.is_on(*size))
        };
        if let Some(first) = alike.iter().find(meet) {
            let place = (case.span.start, first.span.start);
            match found.get_mut(&place) {
                Some(alike) => alike.more += 1,
                None => {
                    let message = format!(
                        "on baseline `{baseline}`, `{}` of `{}` is the same player as `{}` of `{}` in line {}",
                        case.label,
                        case.group.id,
                        first.label,
                        first.group.id,
                        line_of(text, first.span.start)
                    ) + &without_effect(&[&case.idle[..], &first.idle].concat());
                    found.insert(place, DuplicateCase { span: case.span.clone(), message, more: 0 });
                }
            }
        }
        alike.push(case);
    }
    let any = !found.is_empty();
    for DuplicateCase { span, message, more } in found.into_values() {
        let more = if more == 0 {
            String::new()
        } else {
            format!("; it is the same with {}", counted(more, "other combination"))
        };
        problems.at(span, message + &more);
    }
    any
}

/// Why different parameters describe the same player.
fn without_effect(idle: &[&str]) -> String {
    let names: BTreeSet<&str> = idle.iter().copied().collect();
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("; at these values, {} makes no difference", names.join(", "))
}

/// Checks that a test names only sizes of the experiment, at least one of them with a weight above 0.
fn check_sizes(file: &File, tests: &[&Row<Test>], problems: &mut Problems) {
    let known: Vec<String> = file.sizes.iter().map(|(size, _)| size.to_string()).collect();
    for test in tests {
        let Some(named) = &test.content.sizes else { continue };
        let weight =
            |size: BoardSize| file.sizes.iter().find(|(known, _)| *known == size).map(|(_, weight)| *weight);
        let mut on = 0.0;
        for (size, span) in named {
            match weight(*size) {
                Some(weight) => on += weight,
                None => {
                    let message = format!(
                        "`{}` is limited to size {size}, which is not in [sizes]; there are {}",
                        test.id,
                        known.join(", ")
                    );
                    problems.at(span.clone(), message);
                    return;
                }
            }
        }
        if on == 0.0
            && let Some((_, span)) = named.first()
        {
            let message =
                format!("every size of `{}` has weight 0 in [sizes]: nothing of it would be played", test.id);
            problems.at(span.clone(), message);
        }
    }
}

/// Adds a problem if a player of the tournament is a case of a test against the same baseline: they would be one cell,
/// shown twice.
fn check_no_cell_twice(experiment: &Experiment, players: &[&Row<Params>], problems: &mut Problems) {
    let mut seen: HashMap<CellId, &PlannedCell> = HashMap::new();
    for cell in experiment.cells.iter().filter(|_| !players.is_empty()) {
        if let Some(first) = seen.insert(cell.spec.id(), cell)
            && let Some(row) =
                players.iter().find(|row| row.id == cell.case.label || row.id == cell.baseline.label)
        {
            let message = format!(
                "`{}` against `{}` is played already: `{}` of `{}` is the same player",
                cell.case.label, cell.baseline.label, first.case.label, first.case.group
            );
            problems.at(row.span.clone(), message);
            return;
        }
    }
}

/// Checks that a test names only baselines of the file, at least one of them with a weight above 0.
fn check_against(file: &File, tests: &[&Row<Test>], problems: &mut Problems) {
    let known: Vec<&str> = file.baselines.iter().map(|baseline| baseline.id.as_str()).collect();
    for test in tests {
        let Some(named) = &test.content.against else { continue };
        let baseline = |id: &str| file.baselines.iter().find(|baseline| baseline.id == id);
        let mut unknown = named.iter().filter(|(id, _)| baseline(id).is_none());
        if let Some((id, span)) = unknown.next() {
            let message =
                format!("`{}` is against `{id}`, which is no [[baseline]]; {}", test.id, nearest(id, &known));
            problems.at(span.clone(), message);
        } else if let Some((_, span)) = named.first()
            && named.iter().all(|(id, _)| baseline(id).is_some_and(|baseline| baseline.weight == 0.0))
        {
            let message =
                format!("every baseline of `{}` has weight 0: nothing of it would be played", test.id);
            problems.at(span.clone(), message);
        }
    }
}

/// Checks that a group with listed cases has one with a weight above 0.
fn check_some_case(tests: &[&Row<Test>], problems: &mut Problems) {
    for test in tests {
        if let Some(points) = test.content.points()
            && points.is_empty()
            && let Some(span) = &test.content.sweep_span
        {
            let message = format!(
                "every case of `{}` has weight 0: nothing of it would be played; write `weight = 0` into the [[test]] to \
                 switch the group off",
                test.id
            );
            problems.at(span.clone(), message);
        }
    }
}

/// Adds a problem for each row whose content has the identity of that of an earlier row.
fn check_distinct<T, K: Ord>(
    rows: &[&Row<T>],
    identity: impl Fn(&T) -> K,
    relation: &str,
    text: &str,
    problems: &mut Problems,
) {
    let mut seen: BTreeMap<K, &Row<T>> = BTreeMap::new();
    for row in rows {
        if problems.are_enough() {
            break;
        }
        let first = *seen.entry(identity(&row.content)).or_insert(row);
        if !std::ptr::eq(first, *row) {
            let line = line_of(text, first.span.start);
            problems
                .at(row.span.clone(), format!("`{}` is {relation} `{}` in line {line}", row.id, first.id));
        }
    }
}

/// Checks that the book exists and has openings for all sizes.
fn check_book(file: &File, sizes: &[&(BoardSize, f64)], problems: &mut Problems) {
    let Some(name) = &file.play.book else { return };
    let of: Vec<BoardSize> = Book::all().filter(|book| book.name() == name).map(|book| book.size()).collect();
    if of.is_empty() {
        let mut known: Vec<&str> = Book::all().map(|book| book.name()).collect();
        known.dedup();
        let message = format!("there is no book of openings `{name}`; {}", nearest(name, &known));
        problems.at(file.play.opening_span.clone(), message);
    } else if let Some((size, _)) = sizes.iter().find(|(size, _)| !of.contains(size)) {
        let of = BoardSize::list(of);
        let message = format!("the book `{name}` has no openings for size {size}; it has sizes {of}");
        problems.at(file.play.opening_span.clone(), message);
    }
}

/// Checks that a random opening cannot end the game.
fn check_opening(file: &File, smallest: Option<BoardSize>, problems: &mut Problems) {
    if let Some(size) = smallest {
        let most = most_opening_plies(size);
        if file.play.opening_plies > most {
            let message = format!(
                "on size {size} a game can be over after {} moves; `opening_plies` can be {most} at most",
                most + 1
            );
            problems.at(file.play.opening_span.clone(), message);
        }
    }
}
