//! Files with a tune: what is read, and what is told about mistakes.

use engine::havannah::BoardSize;
use protocol::experiment::Experiment;
use protocol::tune::{MOST_GAMES, first_trials, sizes, switch};
use std::collections::BTreeSet;
use tuner::{Aim, Kind, Opponent, Proposal, Scale, StrategyName, Value};

const FILE: &str = r#"
[experiment]
name = "t"
question = "Which?"
[[baseline]]
id = "base"
preset = "rave"
[tune]
games = 2000
strategy = "duel"
objective = "worst"
set = { widening = 2.5 }
[tune.parameters]
rave_k = { range = [10, 1000], scale = "log", start = 300 }
final_move = { values = ["visits", "value"] }
rollouts = { range = [1, 5] }
final_rave_k = { range = [0, 500], only_if = { final_move = "value" } }
keep_tree = {}
[sizes]
4 = 1
6 = 2
[[budget]]
id = "quick"
sims = 100
[play]
seed = 7
"#;

fn parse(text: &str) -> Experiment {
    Experiment::parse("t.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_tune_begins_with_its_start_against_the_baseline_on_each_size() {
    let experiment = parse(FILE);
    let tune = experiment.tune.as_ref().expect("a tune");
    assert_eq!((tune.games, tune.objective, tune.strategy), (2000, Aim::Worst, Some(StrategyName::Duel)));
    assert_eq!((tune.seed, tune.confirm), (7, true));
    let on: Vec<(u8, f64, u32)> =
        experiment.cells.iter().map(|cell| (cell.spec.size.get(), cell.weight, cell.pairs)).collect();
    assert_eq!(on, [(4, 1.0, 1), (6, 2.0, 1)]);
    // The order of the file, where a condition stands behind what it is on.
    let space = tune.parameters.parameters();
    let names: Vec<&str> = space.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["rave_k", "final_move", "rollouts", "final_rave_k", "keep_tree"]);
    assert_eq!(space[0].kind, Kind::Real { low: 10.0, high: 1000.0, scale: Scale::Log });
    assert_eq!(space[2].kind, Kind::Whole { low: 1, high: 5, scale: Scale::Linear });
    // `rave` has one rollout, and keeps its tree.
    let start: Vec<Value> = space.iter().map(|one| one.start.clone()).collect();
    let word = |word: &str| Value::Word(word.to_owned());
    let expected = [Value::Real(300.0), word("visits"), Value::Whole(1), Value::Real(0.0), Value::Flag(true)];
    assert_eq!(start, expected);
    assert_eq!(
        experiment.cells[0].case.label,
        "final_move=visits final_rave_k=0 keep_tree=true rave_k=300 rollouts=1"
    );
    assert_eq!(first_trials(tune, &experiment.cells).len(), 2);
    experiment.check_tune().expect("can be played");
    assert!(
        experiment.remarks().is_empty(),
        "a tune may begin with its baseline: {:?}",
        experiment.remarks()
    );
}

#[test]
fn points_that_play_one_pair_meet_different_openings() {
    let experiment = parse(FILE);
    let (tune, first) = (experiment.tune.as_ref().expect("a tune"), &experiment.cells[0]);
    let trial = |rave_k: f64, opponent: Option<f64>| {
        let point = |rave_k: f64| {
            let mut point = tune.parameters.start();
            point.insert("rave_k".to_owned(), Value::Real(rave_k));
            point
        };
        let opponent = opponent.map_or(Opponent::Baseline, |rave_k| Opponent::Point(point(rave_k)));
        tune.cell(first, &Proposal { point: point(rave_k), opponent, size: 4 }).expect("a cell").spec
    };
    assert_eq!(trial(300.0, None), first.spec, "where the tune begins");
    assert_eq!(trial(301.0, None), trial(301.0, None), "another pair of the same cell");
    let seeds = [(300.0, None), (301.0, None), (302.0, None), (302.0, Some(301.0)), (301.0, Some(302.0))]
        .map(|(rave_k, opponent)| trial(rave_k, opponent).seed);
    assert_eq!(BTreeSet::from(seeds).len(), seeds.len(), "{seeds:?}");
    assert!(seeds.iter().all(|seed| i64::try_from(*seed).is_ok()), "{seeds:?}");
}

#[test]
fn an_experiment_with_a_tune_is_the_same_after_it_was_sent() {
    let experiment = parse(FILE);
    let sent = serde_json::to_string(&experiment).expect("JSON");
    let received: Experiment = serde_json::from_str(&sent).expect("the same");
    assert_eq!((received.id(), &received), (experiment.id(), &experiment));
    // And one without a tune says nothing of it, so that its id stays.
    let cells = experiment.cells;
    let plain = Experiment { tune: None, cells, ..received };
    assert!(!serde_json::to_string(&plain).expect("JSON").contains("tune\":"));
}

#[test]
fn what_has_no_effect_at_the_start_has_its_effect_at_other_points() {
    let file = FILE.replace("set = { widening = 2.5 }", "set = { final_exploration = 3 }");
    let experiment = parse(&file);
    let tune = experiment.tune.expect("a tune");
    let mut point = tune.parameters.start();
    let player =
        |point: &tuner::Point| tune.player(point).expect("a player").params.resolve().expect("parameters");
    assert_eq!(player(&point).search.final_exploration, 1.0, "the default: `visits` has no use for it");
    point.insert("final_move".to_owned(), Value::Word("value".to_owned()));
    assert_eq!(player(&point).search.final_exploration, 3.0);
}

#[test]
fn a_number_may_be_off_at_a_value_outside_its_range() {
    let number = "connectivity = { range = [5, 60], off = 0 }\nkeep_tree = {}";
    let experiment = parse(&FILE.replace("keep_tree = {}", number));
    let tune = experiment.tune.as_ref().expect("a tune");
    let names: Vec<&str> = tune.parameters.parameters().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names[4..], ["connectivity_on", "connectivity", "keep_tree"]);
    assert_eq!(switch("connectivity"), "connectivity_on");
    // `rave` has no connectivity, so the tune begins without it, and nobody sees the switch in the player's label.
    let player = |point: &tuner::Point| tune.player(point).expect("a player");
    let start = tune.parameters.start();
    assert_eq!(
        player(&start).label,
        "connectivity=0 final_move=visits final_rave_k=0 keep_tree=true rave_k=300 rollouts=1"
    );
    let mut point = start.clone();
    point.insert("connectivity_on".to_owned(), Value::Flag(true));
    point.insert("connectivity".to_owned(), Value::Real(7.0));
    let on = player(&point);
    assert_eq!(on.params.resolve().expect("parameters").heuristics.connectivity, 7.0);
    // Both are found again from their players.
    assert_eq!(tune.point_of(&on.params), Some(point));
    assert_eq!(tune.point_of(&player(&start).params), Some(start));
    // A baseline with the number begins with it; `start` may be the value of off.
    let begins = |row: &str| {
        let text = FILE
            .replace("keep_tree = {}", row)
            .replace("preset = \"rave\"", "preset = \"rave\"\nset = { connectivity = 30 }");
        let point = parse(&text).tune.expect("a tune").parameters.start();
        (point["connectivity_on"].clone(), point["connectivity"].clone())
    };
    assert_eq!(begins("connectivity = { range = [5, 60], off = 0 }").0, Value::Flag(true));
    assert_eq!(begins("connectivity = { range = [5, 60], off = 0 }").1, Value::Real(30.0));
    assert_eq!(begins("connectivity = { range = [5, 60], off = 0, start = 0 }").0, Value::Flag(false));
    assert_eq!(begins("connectivity = { range = [5, 60], off = 0, start = 9 }").1, Value::Real(9.0));
}

#[test]
fn a_trial_is_a_pair_of_its_players_in_the_cell_of_its_size() {
    let experiment = parse(FILE);
    let tune = experiment.tune.as_ref().expect("a tune");
    let mut point = tune.parameters.start();
    point.insert("rave_k".to_owned(), Value::Real(77.0));
    let start = tune.parameters.start();
    let trial = Proposal { point: point.clone(), opponent: Opponent::Point(start), size: 6 };
    let cell = tune.cell(&experiment.cells[1], &trial).expect("a cell");
    assert_eq!(cell.spec.size, BoardSize::new(6).expect("a size"));
    assert_eq!(cell.spec.case.resolve().expect("parameters").search.rave_k, 77.0);
    assert_eq!(cell.spec.baseline, experiment.cells[1].spec.case);
    assert_eq!(tune.settings(&point).len(), 5);
    let against = Proposal { opponent: Opponent::Baseline, ..trial };
    let cell = tune.cell(&experiment.cells[1], &against).expect("a cell");
    assert_eq!(cell.spec.baseline, experiment.cells[1].spec.baseline);
    assert_eq!(sizes(&experiment.cells)[1].weight, 2.0);
}

#[test]
fn mistakes_are_told_with_their_place_and_what_is_meant() {
    let told = |from: &str, to: &str| {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replacen(from, to, 1);
        Experiment::parse("t.toml", &text).expect_err(to).to_string()
    };
    for (from, to, line, message) in [
        ("\"duel\"", "\"dual\"", 10, "did you mean `duel`?"),
        ("\"worst\"", "\"least\"", 11, "`objective` is one of mean, worst, each"),
        ("games = 2000", "games = 2001", 9, "`games` is even"),
        ("games = 2000", "games = 30000", 9, "a whole number from 20 to 20000"),
        ("rave_k = {", "rave_kk = {", 14, "rave_k"),
        ("range = [10, 1000]", "range = [10]", 14, "`range` takes the two ends of `rave_k`"),
        ("range = [10, 1000]", "range = [1000, 10]", 14, "write the lower end first"),
        ("range = [10, 1000]", "range = [10, 10]", 14, "the range 10 to 10 has no two values"),
        ("range = [10, 1000]", "range = [0, 1000]", 14, "log scale begins above 0"),
        ("range = [10, 1000]", "range = [-5, 1000]", 14, "a number from 0 to 1000000"),
        ("scale = \"log\"", "scale = \"lok\"", 14, "did you mean `log`?"),
        ("start = 300", "start = 3000", 14, "a real number from 10 to 1000 is expected"),
        ("range = [1, 5]", "range = [1, 5.5]", 16, "a whole number"),
        ("range = [1, 5]", "rang = [1, 5]", 16, "did you mean `range`?"),
        ("range = [1, 5]", "", 16, "needs `range`"),
        ("range = [1, 5]", "range = [2, 5], off = 3", 16, "`off` is a value outside the range of `rollouts`"),
        ("range = [1, 5]", "range = [2, 5], off = 1.5", 16, "a whole number"),
        ("keep_tree = {}", "keep_tree = { off = false }", 18, "off"),
        ("[\"visits\", \"value\"]", "[\"visits\", \"velue\"]", 15, "visits, wins, value"),
        ("[\"visits\", \"value\"]", "[\"visits\"]", 15, "two or more different words"),
        ("final_move = \"value\"", "rave_k = 10", 17, "must be a flag, word or whole number"),
        ("final_move = \"value\"", "keep_tree = true", 17, "stands before it"),
        ("final_move = \"value\"", "final_moves = \"value\"", 17, "final_move"),
        ("keep_tree = {}", "keep_tree = true", 18, "takes what is tried of it"),
        (
            "keep_tree = {}",
            "keep_tree = { range = [0, 1] }",
            18,
            "`keep_tree` is a flag and has no range: keep_tree = {} tries",
        ),
        (
            "values = [\"visits\", \"value\"]",
            "range = [0, 2]",
            15,
            "`final_move` is a word and has no range: ",
        ),
        ("widening = 2.5", "rave_k = 2.5", 14, "in `set` and in `parameters`"),
        ("seed = 7", "games_per_cell = 100", 26, "its games are `games` in [tune]"),
        ("[play]", "[stop]\nrule = \"sprt\"\n[play]", 25, "has no use"),
        ("games = 2000", "games = 10", 9, "from 20 to 20000"),
        ("sims = 100", "sims = 500000000", 22, "rollouts"),
    ] {
        let error = told(from, to);
        assert!(error.contains(message), "{to}: {error}");
        assert!(error.contains(&format!("t.toml:{line}:")), "{to}: line {line} is expected: {error}");
    }
}

#[test]
fn a_tune_that_was_made_otherwise_than_by_a_file_is_checked_too() {
    let refused = |change: fn(&mut Experiment)| {
        let mut experiment = parse(FILE);
        change(&mut experiment);
        experiment.check_tune().expect_err("refused")
    };
    assert!(
        refused(|one| one.tune.as_mut().expect("a tune").games = MOST_GAMES + 2)
            .contains("even number of games")
    );
    assert!(refused(|one| one.cells[0].pairs = 2).contains("one pair of its start"));
    assert!(refused(|one| one.cells[1].spec.seed = 8).contains("one pair of its start"));
    assert!(refused(|one| one.cells[1] = one.cells[0].clone()).contains("occurs twice"));
    assert!(
        refused(|one| one.tune.as_mut().expect("a tune").base.0.clear()).contains("one pair of its start")
    );
}
