//! Experiment files from text to cells: what they mean, and what they are told when they are wrong.

use engine::havannah::Params;
use engine::params::ParamValue;
use engine::search::SearchParams;
use proptest::prelude::*;
use protocol::experiment::{CellSpec, Experiment, MAX_CELLS};
use protocol::lease::{Budget, ParamSet};
use std::collections::BTreeSet;
use std::path::Path;

/// A correct file of every feature; tests change one thing in it.
const FILE: &str = r#"[experiment]
name = "knobs"
question = "Which knob matters?"
weight = 2

[[baseline]]
id = "uct"
preset = "uct"
weight = 3

[[baseline]]
id = "rave"
preset = "rave"
set = { rave_k = 300 }

[[test]]
id = "explore"
set = { keep_tree = false }
sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }

[[test]]
id = "control"
set = {}
weight = 0.5

[[test]]
id = "off"
sweep = { fpu = [0.5] }
weight = 0

[sizes]
4 = 1
6 = 2
10 = 0

[[budget]]
id = "quick"
sims = 1000

[[budget]]
id = "slow"
reference_seconds = 1.5
weight = 4

[play]
games_per_cell = 100
opening_plies = 2
seed = 7
"#;

fn parse(text: &str) -> Experiment {
    Experiment::parse("test.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

/// `FILE` with `from` replaced by `to`.
fn with(from: &str, to: &str) -> String {
    assert!(FILE.contains(from), "{from}");
    FILE.replacen(from, to, 1)
}

#[test]
fn every_case_meets_every_baseline_on_every_size_with_every_budget() {
    let experiment = parse(FILE);
    assert_eq!((experiment.name.as_str(), experiment.weight), ("knobs", 2.0));
    // (3 × 2 swept cases + 1 control) × 2 baselines × 2 sizes × 2 budgets; rows of weight 0 are not played.
    assert_eq!(experiment.cells.len(), 7 * 2 * 2 * 2);

    let labels: Vec<_> = experiment.cells.iter().step_by(4).map(|cell| cell.case.label.as_str()).collect();
    let swept = ["0.1", "0.2", "0.3"]
        .into_iter()
        .flat_map(|e| [50, 1000].map(|k| format!("exploration={e} rave_k={k}")))
        .chain(["control".to_owned()]);
    let swept: Vec<_> = swept.collect();
    assert_eq!(labels[..7], swept[..]);
    assert_eq!(labels[7..], swept[..]);

    let first = &experiment.cells[0];
    assert_eq!((first.case.group.as_str(), first.baseline.label.as_str()), ("explore", "uct"));
    assert_eq!((first.weight, first.pairs), (3.0, 50));
    assert_eq!((first.spec.size.get(), first.spec.budget), (4, Budget::Sims(1000)));
    assert_eq!((first.spec.opening_plies, first.spec.seed), (2, 7));
    let last = experiment.cells.last().expect("cells");
    assert_eq!((last.case.label.as_str(), last.baseline.label.as_str()), ("control", "rave"));
    assert_eq!((last.spec.size.get(), last.spec.budget), (6, Budget::ReferenceSeconds(1.5)));
    assert_eq!(last.weight, 0.5 * 2.0 * 4.0);
}

#[test]
fn a_case_is_a_difference_on_top_of_its_baseline() {
    let experiment = parse(FILE);
    for cell in &experiment.cells {
        let (case, baseline) =
            (cell.spec.case.resolve().expect("known"), cell.spec.baseline.resolve().expect("known"));
        if cell.case.group == "control" {
            assert_eq!(case, baseline);
            continue;
        }
        let unchanged = Params {
            search: SearchParams {
                exploration: case.search.exploration,
                rave_k: case.search.rave_k,
                keep_tree: false,
                ..baseline.search
            },
            ..baseline
        };
        assert_eq!(case, unchanged, "{}", cell.case.label);
    }
    let on_rave = experiment.cells.iter().find(|cell| cell.baseline.label == "rave").expect("a cell");
    assert_eq!(on_rave.spec.baseline.0.get("rave_k"), Some(&ParamValue::Number(300.0)));
}

#[test]
fn comments_formatting_number_style_and_key_order_do_not_change_the_identity() {
    let original = parse(FILE).id();
    let rewritten = with(
        "[[test]]\nid = \"explore\"\nset = { keep_tree = false }\nsweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }",
        "[[test]] # the same\nsweep.rave_k = [ 50.0, 1e3 ]\nsweep.exploration = { step = 1e-1, to = 0.3, from = 0.1 }\nset.keep_tree = false\nid = 'explore'",
    );
    assert_eq!(parse(&rewritten).id(), original);
    let reordered = with("4 = 1\n6 = 2\n10 = 0", "6=2\n10=0.0\n4=1.0");
    assert_eq!(parse(&reordered).id(), original);
    for (from, to) in [("[50, 1000]", "[50, 1001]"), ("seed = 7", "seed = 8"), ("\"knobs\"", "\"knob\"")] {
        assert_ne!(parse(&with(from, to)).id(), original, "{to}");
    }
}

#[test]
fn board_sizes_ascend_as_numbers() {
    let experiment = parse(&with("10 = 0", "10 = 1"));
    let sizes: Vec<u8> = experiment.cells.iter().take(3).map(|cell| cell.spec.size.get()).collect();
    assert_eq!(sizes, [4, 6, 10]);
}

#[test]
fn ranges_of_whole_parameters_are_rounded() {
    let sweep = "sweep = { memory_mib = { from = 10, to = 2000, steps = 4, scale = \"log\" } }";
    let text = with("sweep = { fpu = [0.5] }\nweight = 0", sweep);
    let labels: Vec<_> = parse(&text)
        .cells
        .into_iter()
        .filter(|cell| cell.case.group == "off" && cell.baseline.label == "uct")
        .step_by(4)
        .map(|cell| cell.case.label)
        .collect();
    assert_eq!(labels, ["memory_mib=10", "memory_mib=58", "memory_mib=342", "memory_mib=2000"]);
}

#[test]
fn an_experiment_keeps_its_identity_on_its_way_through_json() {
    let experiment =
        parse(&with("from = 0.1, to = 0.3, step = 0.1", "from = 0.1, to = 9.7, steps = 7, scale = \"log\""));
    let text = serde_json::to_string(&experiment).expect("serialises");
    let back: Experiment = serde_json::from_str(&text).expect("the same");
    assert_eq!((back.id(), &back), (experiment.id(), &experiment));
}

#[test]
fn settings_can_be_listed_one_by_one() {
    let text = with(
        "sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }",
        "sweep = [{ rave_k = 50, final_move = \"wins\" }, { lookahead = 1 }]",
    );
    let labels: Vec<_> = parse(&text).cells.iter().step_by(4).take(3).map(|c| c.case.label.clone()).collect();
    assert_eq!(labels, ["final_move=wins rave_k=50", "lookahead=1", "control"]);
}

#[test]
fn a_case_with_a_preset_is_the_same_player_against_every_baseline() {
    let text = with(
        "[sizes]",
        "[[test]]\nid = \"thesis\"\npreset = \"thesis-all\"\nsweep = { rave_k = [50, 60] }\n\n[sizes]",
    );
    let thesis = Params::preset("thesis-all").expect("a preset");
    let experiment = parse(&text);
    for baseline in ["uct", "rave"] {
        let cells =
            || experiment.cells.iter().filter(|c| c.case.group == "thesis" && c.baseline.label == baseline);
        assert_eq!(cells().count(), 2 * 2 * 2);
        for cell in cells() {
            let rave_k = cell.spec.case.resolve().expect("known").search.rave_k;
            assert_eq!(cell.case.label, format!("rave_k={rave_k}"));
            assert_eq!(
                cell.spec.case.resolve().expect("known"),
                Params { search: SearchParams { rave_k, ..thesis.search }, ..thesis.clone() }
            );
        }
    }
    let alone = parse(&with("set = {}", "preset = \"thesis-all\""));
    let cell = alone.cells.iter().find(|cell| cell.case.label == "control").expect("a cell");
    assert_eq!(cell.spec.case.resolve().expect("known"), thesis);
}

#[test]
fn a_test_limited_to_some_sizes_is_played_on_those_alone() {
    let experiment = parse(&with("set = {}", "set = {}\nsizes = [10, 6]"));
    let sizes = |group: &str| -> BTreeSet<u8> {
        experiment.cells.iter().filter(|c| c.case.group == group).map(|c| c.spec.size.get()).collect()
    };
    assert_eq!(sizes("control"), [6].into(), "10 is switched off for all");
    assert_eq!(sizes("explore"), [4, 6].into());
    assert_eq!(experiment.cells.len(), (6 * 2 + 1) * 2 * 2);
}

/// A tournament of three players.
const TOURNAMENT: &str = r#"[experiment]
name = "open"
question = "Who is strongest?"
[[player]]
id = "uct"
preset = "uct"
weight = 3
[[player]]
id = "rave"
preset = "rave"
[[player]]
id = "slow"
preset = "rave"
set = { rave_k = 2000 }
weight = 2
[sizes]
4 = 1
5 = 5
[[budget]]
id = "b"
sims = 10
[play]
games_per_cell = 2
"#;

/// Who meets whom with which weight, on size 4, in alphabetical order.
fn meetings(experiment: &Experiment) -> Vec<(String, f64)> {
    let on_4 = experiment.cells.iter().filter(|cell| cell.spec.size.get() == 4);
    let mut meetings: Vec<_> = on_4
        .map(|cell| {
            let mut names = [cell.case.label.as_str(), cell.baseline.label.as_str()];
            names.sort_unstable();
            (names.join(" "), cell.weight)
        })
        .collect();
    meetings.sort_by(|a, b| a.0.cmp(&b.0));
    meetings
}

#[test]
fn openings_are_the_empty_board_random_moves_or_a_book() {
    let spec = |openings: &str| parse(&with("opening_plies = 2", openings)).cells[0].spec.clone();
    let plain = spec("opening_plies = 2");
    assert_eq!(spec("openings = \"random\""), plain, "two random plies are usual");
    assert_eq!(spec("openings = \"random\"\nopening_plies = 2").id(), plain.id());
    assert_eq!(spec("openings = \"random\"\nopening_plies = 3").opening_plies, 3);
    assert_eq!(spec("openings = \"empty\"").id(), spec("").id());
    assert_eq!(spec("openings = \"empty\"\nopening_plies = 0").id(), spec("").id());
    let experiment = parse(&with("opening_plies = 2", "openings = \"book:balanced\""));
    for cell in &experiment.cells {
        let book = cell.spec.book.expect("a book");
        assert_eq!((book.name(), book.size(), cell.spec.opening_plies), ("balanced", cell.spec.size, 0));
        let text = serde_json::to_string(&cell.spec).expect("serialises");
        assert!(text.contains(&format!("\"book\":\"{}\"", book.id())), "{text}");
        let back: CellSpec = serde_json::from_str(&text).expect("the same");
        assert_eq!((back.id(), &back), (cell.spec.id(), &cell.spec));
        assert_ne!(back.id(), CellSpec { book: None, ..back.clone() }.id());
    }
    assert!(
        !serde_json::to_string(&plain).expect("serialises").contains("book"),
        "older cells keep their ids"
    );
}

#[test]
fn every_two_players_meet_whatever_the_order_of_their_rows() {
    let experiment = parse(TOURNAMENT);
    let expected = [("rave slow", 2.0), ("rave uct", 3.0), ("slow uct", 6.0)];
    assert_eq!(meetings(&experiment), expected.map(|(names, weight)| (names.to_owned(), weight)));
    assert_eq!(experiment.cells.len(), 3 * 2);
    assert!(experiment.cells.iter().any(|cell| cell.weight == 6.0 * 5.0 && cell.spec.size.get() == 5));
    let uct = "[[player]]\nid = \"uct\"\npreset = \"uct\"\nweight = 3\n";
    let reordered = TOURNAMENT.replace(uct, "").replace("[sizes]", &format!("{uct}[sizes]"));
    let ids = |text: &str| parse(text).cells.iter().map(|cell| cell.spec.id()).collect::<BTreeSet<_>>();
    assert_eq!(ids(&reordered), ids(TOURNAMENT));
}

#[test]
fn players_meet_every_baseline_and_a_baseline_among_them_once() {
    let baseline = "[[baseline]]\nid = \"anchor\"\npreset = \"thesis-all\"\n[sizes]";
    let met = meetings(&parse(&TOURNAMENT.replace("[sizes]", baseline)));
    let names: Vec<_> = met.iter().map(|(names, _)| names.as_str()).collect();
    assert_eq!(names, ["anchor rave", "anchor slow", "anchor uct", "rave slow", "rave uct", "slow uct"]);
    let same = baseline.replace("thesis-all", "uct");
    assert_eq!(meetings(&parse(&TOURNAMENT.replace("[sizes]", &same))).len(), 3, "`anchor` is `uct`");
    // With tests, the cells of the tests are those of the file without players.
    let player = "[[player]]\nid = \"all\"\npreset = \"thesis-all\"\n\n[sizes]";
    let both = parse(&with("[sizes]", player));
    let alone = parse(FILE);
    assert_eq!(both.cells[..alone.cells.len()], alone.cells[..]);
    assert_eq!(
        both.cells.len(),
        alone.cells.len() + 2 * 2 * 2,
        "against two baselines, on two sizes, two budgets"
    );
}

#[test]
fn mistakes_in_a_tournament_are_told() {
    let told = |text: &str| Experiment::parse("test.toml", text).expect_err(text).to_string();
    let mut wrong = String::new();
    for (from, to, expected) in [
        ("weight = 3", "weight = 0", ""),
        ("id = \"rave\"", "id = \"uct\"", "9:6: there is a [[player]] called `uct` already, in line 4"),
        ("{ rave_k = 2000 }", "{ rave_k = 500 }", "`slow` is the same player as `rave` in line 8"),
        ("preset = \"uct\"", "preset = \"utc\"", "there is no preset `utc`; did you mean `uct`?"),
        ("[[player]]", "[[playr]]", "the file has no key `playr`; did you mean `player`?"),
        ("weight = 3", "sweep = { rave_k = [1] }", "[[player]] has no key `sweep`; it belongs into [[test]]"),
        ("[sizes]", "[[test]]\nid = \"t\"\nset = { fpu = 0.5 }\n[sizes]", "there is no [[baseline]]"),
        ("weight = 3", "weight = 1e6", ""),
    ] {
        let text = TOURNAMENT.replacen(from, to, 1);
        if expected.is_empty() {
            parse(&text);
        } else if !told(&text).contains(expected) {
            wrong += &format!("`{to}` should be told {expected}, and was told {}\n", told(&text));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    let alone =
        TOURNAMENT.replace("id = \"rave\"", "id = \"rave\"\nweight = 0").replace("weight = 2", "weight = 0");
    assert!(told(&alone).contains("4:1: `uct` has nobody to meet"), "{}", told(&alone));
    let twice = with(
        "[sizes]",
        "[[player]]\nid = \"again\"\npreset = \"uct\"\nset = { keep_tree = false, exploration = 0.1, rave_k = 50 }\n\n[sizes]",
    );
    assert!(
        told(&twice)
            .contains("`again` against `uct` is played already: `exploration=0.1 rave_k=50` of `explore`")
    );
    let huge: String = (0..200)
        .map(|k| format!("[[player]]\nid = \"{k}\"\npreset = \"rave\"\nset = {{ rave_k = {k} }}\n"))
        .collect();
    let error = told(&TOURNAMENT.replace("[sizes]", &format!("{huge}[sizes]")));
    assert!(error.contains("pairings of players × 1 budget × 2 sizes are 41006 cells"), "{error}");
}

#[test]
fn a_test_against_some_baselines_meets_those_alone() {
    let experiment = parse(&with("set = {}", "set = {}\nagainst = [\"rave\"]"));
    let met = |group: &str| -> BTreeSet<&str> {
        let cells = experiment.cells.iter().filter(|cell| cell.case.group == group);
        cells.map(|cell| cell.baseline.label.as_str()).collect()
    };
    assert_eq!(met("control"), ["rave"].into());
    assert_eq!(met("explore"), ["rave", "uct"].into());
    assert_eq!(experiment.cells.len(), (6 * 2 + 1) * 2 * 2);
    // The cells are those of the file without the key.
    let whole: BTreeSet<_> = parse(FILE).cells.iter().map(|cell| cell.spec.id()).collect();
    assert!(experiment.cells.iter().all(|cell| whole.contains(&cell.spec.id())));
}

#[test]
fn a_listed_case_has_its_own_label_and_weight() {
    let text = with(
        "sweep = { fpu = [0.5] }\nweight = 0",
        "sweep = [{ label = \"half\", fpu = 0.5 }, { fpu = 0.7, weight = 4 }, { label = \"off\", fpu = 0.9, weight = 0 }]\nweight = 2",
    );
    let experiment = parse(&text);
    let cases =
        experiment.cells.iter().filter(|cell| cell.case.group == "off" && cell.baseline.label == "uct");
    let cases: Vec<_> = cases.step_by(4).map(|cell| (cell.case.label.as_str(), cell.weight)).collect();
    assert_eq!(cases, [("half", 2.0 * 3.0), ("fpu=0.7", 2.0 * 4.0 * 3.0)]);
    let bare = parse(&text.replace("label = \"half\", ", "").replace(", weight = 4", ""));
    let ids =
        |experiment: &Experiment| experiment.cells.iter().map(|cell| cell.spec.id()).collect::<Vec<_>>();
    assert_eq!(ids(&experiment), ids(&bare), "names and weights are no part of a cell");
}

#[test]
fn one_player_may_be_in_two_tests_of_different_sizes() {
    let on = |small: &str, large: &str| {
        with(
            "set = {}",
            &format!("set = {{}}\nsizes = {small}\n[[test]]\nid = \"again\"\nset = {{}}\nsizes = {large}"),
        )
    };
    let experiment = parse(&on("[4]", "[6]"));
    let groups: Vec<_> = experiment.cells.iter().map(|cell| cell.case.group.clone()).collect();
    assert!(groups.contains(&"control".to_owned()) && groups.contains(&"again".to_owned()));
    let remarks = experiment.remarks();
    for remark in [
        "`control` of `control` is the same player as its baseline `uct`: a control, which should show 50 %",
        "`again` of `again` is the same player as its baseline `rave`: a control, which should show 50 %",
        "`again` of `again` is the same player as `control` of `control`, against `uct`",
    ] {
        assert!(remarks.iter().any(|found| found == remark), "`{remark}` is not in {remarks:#?}");
    }
    let controls = parse(FILE).remarks();
    assert_eq!(controls.len(), 2, "one for each baseline: {controls:#?}");
    let error = Experiment::parse("test.toml", &on("[4, 6]", "[6]")).expect_err("both are on 6").to_string();
    assert!(error.contains("`again` of `again` is the same player as `control` of `control`"), "{error}");
}

#[test]
fn parameters_without_effect_name_no_other_player() {
    let case = |set: &str| {
        let parsed = parse(&with("set = {}", &format!("set = {set}")));
        let control = |cell: &&protocol::experiment::PlannedCell| {
            cell.case.group == "control" && cell.baseline.group == "uct"
        };
        parsed.cells.iter().find(control).expect("planned").spec.clone()
    };
    let plain = case("{}");
    for set in
        ["{ rave_k = 0.05 }", "{ rave_k_per_empty = 200 }", "{ final_rave_k = 3 }", "{ ring_depth = 300 }"]
    {
        let spec = case(set);
        assert_eq!((spec.case.player_id(), spec.id()), (plain.case.player_id(), plain.id()), "{set}");
    }
    assert_ne!(case("{ rave_k = 0.2 }").id(), plain.id());
    // Games of a player that was known by them before stay its games: it is played as it was, under the id that it has.
    let old = ParamSet([("rave_k".to_owned(), ParamValue::Number(0.05))].into());
    assert_eq!(old.player_id().to_string(), "92cfe053-2c3b-8c68-8368-7f697711ec3a");
    assert_eq!(old.resolve().expect("known").search.rave_k, 0.05);
}

#[test]
fn the_players_and_cells_of_the_configurations_keep_their_ids() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
    let mut ids = String::new();
    for name in [
        "quickstart",
        "baseline-vs-itself",
        "thesis/rave-vs-uct",
        "heuristics/acceptance",
        "heuristics/compatibility",
        "heuristics/equal-time",
        "heuristics/knowledge",
        "heuristics/playouts",
        "heuristics/thesis-all",
        "heuristics/tree",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).expect("readable");
        for cell in Experiment::parse(name, &text).expect("correct").cells {
            ids += &format!(
                "{} {} {}\n",
                cell.spec.case.player_id(),
                cell.spec.baseline.player_id(),
                cell.spec.id()
            );
        }
    }
    let digest = ids.bytes().fold(0_u64, |digest, byte| engine::rng::mix(digest ^ u64::from(byte)));
    assert_eq!(format!("{digest:016x}"), "4ac2ac87d308e201");
}

#[test]
fn more_simulations_than_a_search_counts_are_refused_where_the_budget_is() {
    let file = with("set = {}", "set = { rollouts = 1000 }").replace("sims = 1000", "sims = 2000000");
    let error = Experiment::parse("test.toml", &file).expect_err("too many").to_string();
    assert!(
        error.contains("for `control` 2000000 simulations a move are too many with `rollouts` = 1000"),
        "{error}"
    );
    assert_eq!(error.matches("too many").count(), 1, "{error}");
}

/// Each line: what is replaced in `FILE`, by what, and what the error must say, place included.
#[test]
fn every_mistake_is_told_with_its_place_and_the_right_form() {
    let mut wrong = String::new();
    for (from, to, expected) in [
        (
            "sweep = { expl",
            "swep = { expl",
            "test.toml:19:1: [[test]] has no key `swep`; did you mean `sweep`?",
        ),
        (
            "rave_k = 300",
            "rave_kk = 300",
            "test.toml:14:9: there is no parameter `rave_kk`; did you mean `rave_k`?",
        ),
        (
            "rave_k = 300",
            "rave_k = -1",
            "test.toml:14:18: `rave_k` takes a number from 0 to 1000000, not `-1`",
        ),
        ("keep_tree = false", "keep_tree = 0", "18:21: `keep_tree` takes true or false, not `0`"),
        ("keep_tree = false", "keep_tree = []", "`keep_tree` takes a single value, not a list"),
        ("preset = \"uct\"", "preset = \"utc\"", "8:10: there is no preset `utc`; did you mean `uct`?"),
        (
            "preset = \"uct\"",
            "preset = \"???\"",
            "there is no preset `???`; there are `uct`, `rave`, `tuned`, `thesis-all`, ",
        ),
        ("preset = \"uct\"", "preset = 1", "8:10: `preset` takes a name in quotes, not a whole number"),
        ("set = {}", "preset = \"raev\"", "23:10: there is no preset `raev`; did you mean `rave`?"),
        (
            "set = {}",
            "set = {}\nsizes = [4, 5]",
            "24:13: `control` is limited to size 5, which is not in [sizes]; there are 4, 6, 10",
        ),
        (
            "set = {}",
            "set = {}\nsizes = [10]",
            "24:10: every size of `control` has weight 0 in [sizes]: nothing of it would be played",
        ),
        ("set = {}", "set = {}\nsizes = [6, 4, 6]", "24:16: `sizes` names 6 twice"),
        ("set = {}", "set = {}\nsizes = [11]", "24:10: `sizes` takes a whole number from 3 to 10, not 11"),
        (
            "set = {}",
            "set = {}\nsizes = []",
            "24:9: `sizes` takes a list of some of the experiment's board sizes, such as [4, 6]",
        ),
        (
            "set = {}",
            "set = {}\nsizes = 4",
            "24:9: `sizes` takes a list of some of the experiment's board sizes, such as [4, 6]; write [4]",
        ),
        (
            "set = {}",
            "set = {}\nagainst = [\"raev\"]",
            "24:12: `control` is against `raev`, which is no [[baseline]]; did you mean `rave`?",
        ),
        ("set = {}", "set = {}\nagainst = [\"uct\", \"uct\"]", "24:19: `against` names `uct` twice"),
        ("set = {}", "set = {}\nagainst = \"uct\"", "baselines, such as [\"uct\"]; write [\"uct\"]"),
        (
            "set = {}",
            "set = {}\nagainst = []",
            "24:11: `against` takes a list of some of the experiment's baselines",
        ),
        (
            "set = {}",
            "set = {}\nagainst = [1]",
            "24:12: `against` takes a text in quotes, not a whole number",
        ),
        (
            "weight = 3",
            "weight = 0\n[[test]]\nid = \"on\"\nset = { fpu = 0.3 }\nagainst = [\"uct\"]",
            "every baseline of `on` has weight 0: nothing of it would be played",
        ),
        (
            "sweep = { fpu = [0.5] }\nweight = 0",
            "sweep = [{ fpu = 0.5, weight = 0 }]",
            "28:9: every case of `off` has weight 0: nothing of it would be played",
        ),
        (
            "sweep = { fpu = [0.5] }",
            "sweep = [{ label = \"a\", fpu = 0.5 }, { label = \"a\", fpu = 0.7 }]",
            "28:48: this sweep has a case labelled `a` already, in line 28",
        ),
        (
            "sweep = { fpu = [0.5] }",
            "sweep = [{ label = \"\", fpu = 0.5 }]",
            "`label` takes one line of 1 to 60",
        ),
        ("sweep = { fpu = [0.5] }", "sweep = [{ label = \"a\" }]", "28:10: this setting changes nothing"),
        (
            "sweep = { fpu = [0.5] }",
            "sweep = [{ weight = -1, fpu = 0.5 }]",
            "28:21: `weight` is a weight: 0 for off",
        ),
        (
            "sweep = { fpu = [0.5] }\nweight = 0",
            "sweep = [{ fpu = 0.5, weight = 1e6 }]\nweight = 1e6",
            "28:10: the largest weights of test, baseline, size, budget and experiment multiply to",
        ),
        (
            "opening_plies = 2",
            "openings = \"book:balancd\"",
            "47:12: there is no book of openings `balancd`; did you mean `balanced`?",
        ),
        (
            "4 = 1\n6 = 2\n10 = 0\n\n[[budget]]\nid = \"quick\"\nsims = 1000\n\n[[budget]]\nid = \"slow\"\nreference_seconds = 1.5\nweight = 4\n\n[play]\ngames_per_cell = 100\nopening_plies = 2",
            "3 = 1\n\n[[budget]]\nid = \"quick\"\nsims = 1000\n\n[play]\ngames_per_cell = 100\nopenings = \"book:balanced\"",
            "the book `balanced` has no openings for size 3; it has sizes 4, 5, 6, 7, 8, 9, 10",
        ),
        (
            "opening_plies = 2",
            "openings = \"book:balanced\"\nopening_plies = 2",
            "48:17: a book has no random moves; remove `opening_plies`",
        ),
        (
            "opening_plies = 2",
            "openings = \"empty\"\nopening_plies = 2",
            "48:17: the empty board has no random moves; remove `opening_plies`",
        ),
        (
            "opening_plies = 2",
            "openings = \"random\"\nopening_plies = 0",
            "48:17: random openings have 1 to 10 `opening_plies`; 0 is `openings = \"empty\"`",
        ),
        (
            "opening_plies = 2",
            "openings = \"randm\"",
            "47:12: `openings` takes empty, random or a book such as book:balanced, not `randm`; did you mean `random`?",
        ),
        ("opening_plies = 2", "openings = 2", "such as book:balanced, not a whole number"),
        ("preset = \"uct\"", "", "6:1: [[baseline]] needs either `preset`"),
        ("id = \"rave\"", "id = \"uct\"", "12:6: there is a [[baseline]] called `uct` already, in line 6"),
        ("[50, 1000]", "[50, 50]", "19:77: `rave_k` lists 50 twice"),
        ("[50, 1000]", "[0, 0.05]", "in line 19; at these values, `rave_k` makes no difference"),
        (
            "sims = 1000",
            "sims = 600000000",
            "600000000 simulations a move are too many with `rollouts` = 1: ",
        ),
        ("[50, 1000]", "[]", "`rave_k` takes a list of values, or a range such as"),
        ("[50, 1000]", "50", "`rave_k` takes a list of values, or a range such as"),
        ("step = 0.1", "step = 0", "`step` takes a number above 0, not 0"),
        ("step = 0.1", "step = 1e-9", "this range has more than 10000 values"),
        (
            "step = 0.1",
            "",
            "a range takes either `step`, the distance of its values, or `steps`, their number",
        ),
        (
            "sweep = { fpu = [0.5] }",
            "sweep = { lookahead = { from = 0, to = 2, steps = 5 } }",
            "this range gives lookahead=1 twice; take fewer values",
        ),
        ("step = 0.1", "stop = 0.1", "a range has no key `stop`; did you mean `step`?"),
        ("step = 0.1", "step = 0.1, steps = 3", "a range takes either `step`"),
        ("step = 0.1", "steps = 1", "`steps` takes a whole number from 2 to 10000, not 1"),
        ("step = 0.1", "steps = 3, scale = \"logg\"", "`scale` is linear or log; did you mean `log`?"),
        ("to = 0.3", "to = 0.1", "a range goes upwards: `from`, here 0.1, is below `to`, here 0.1"),
        ("to = 0.3", "to = 11", "19:44: `exploration` takes a number from 0 to 10, not `11`"),
        ("to = 0.3", "to = inf", "`exploration` takes a number from 0 to 10, not `inf`"),
        (
            "{ from = 0.1, to = 0.3, step = 0.1 }",
            "{ from = 0, to = 1, steps = 3, scale = \"log\" }",
            "starts above 0",
        ),
        ("set = { keep_tree = false }", "set = { rave_k = 3 }", "`rave_k` is in `set` and in `sweep`"),
        ("set = {}", "", "21:1: [[test]] needs what differs from the baseline: `set`, `sweep` or both"),
        ("sweep = { fpu = [0.5] }", "sweep = [{}]", "this setting changes nothing"),
        ("sweep = { fpu = [0.5] }", "sweep = {}", "`sweep` takes values to try"),
        (
            "sweep = { fpu = [0.5] }\nweight = 0",
            "set = { keep_tree = true }",
            "is the same player as `control` of",
        ),
        (
            "set = { rave_k = 300 }",
            "set = { exploration = 0.9, rave_k = 0 }",
            "`rave` is the same player as `uct` in line 6",
        ),
        (
            "set = { rave_k = 300 }",
            "set = { exploration = 0.9, rave_k = 0, rave_k_per_empty = 200, rave_probability = 0.5 }",
            "`rave` is the same player as `uct` in line 6",
        ),
        ("4 = 1", "11 = 1", "32:1: `11` is no board size; there are 3 to 10"),
        ("4 = 1", "04 = 1", "`04` is no board size"),
        ("4 = 1\n6 = 2", "4 = 0", "[sizes] needs a board size with a weight above 0"),
        ("4 = 1\n6 = 2\n10 = 0", "", "[sizes] needs a board size with a weight above 0"),
        ("4 = 1", "4 = -1", "32:5: `4` is a weight: 0 for off, or a number from 0.000001 to 1000000, not -1"),
        ("4 = 1", "4 = nan", "`4` is a weight"),
        ("sims = 1000", "", "[[budget]] needs either `reference_seconds` or `sims`"),
        ("sims = 1000", "sims = 1e3", "`sims` takes a whole number from 1 to 1000000000, not 1e3"),
        ("sims = 1000", "sims = 9223372036854775808", "`sims` takes a whole number"),
        ("sims = 1000", "reference_seconds = 1.5", "`slow` is the same budget as `quick` in line 36"),
        (
            "reference_seconds = 1.5",
            "reference_seconds = 0",
            "`reference_seconds` takes a number from 0.001 to 3600, not 0",
        ),
        (
            "reference_seconds = 1.5",
            "reference_seconds = \"1.5\"",
            "from 0.001 to 3600, not a text; remove the quotes around 1.5",
        ),
        ("games_per_cell = 100", "games_per_cell = 99", "46:18: `games_per_cell` is even"),
        ("games_per_cell = 100", "", "45:1: [play] needs `games_per_cell`"),
        (
            "opening_plies = 2",
            "opening_plies = 7",
            "on size 4 a game can be over after 7 moves; `opening_plies` can be 6",
        ),
        ("name = \"knobs\"", "name = \"\"", "`name` takes one line of 1 to 60 characters"),
        ("name = \"knobs\"", "name = 4", "2:8: `name` takes a text in quotes, not a whole number"),
        ("weight = 2", "weight = 0", "an experiment's weight is above 0"),
        ("weight = 2", "wieght = 2", "[experiment] has no key `wieght`; did you mean `weight`?"),
        ("[sizes]", "[size]", "the file has no key `size`; did you mean `sizes`?"),
        (
            "[[budget]]\nid = \"quick\"\nsims = 1000\n\n[[budget]]",
            "[budget]",
            "write [[budget]], in two brackets",
        ),
        ("sims = 1000", "sims = 1000\nsims = 2000", "39:1: `sims` is given twice, first in line 38"),
        ("sims = 1000", "sims = ", "38:8:"),
        (
            "games_per_cell = 100",
            "games_per_cell = [100",
            "test.toml:47:1: missing comma between array elements",
        ),
    ] {
        let error = Experiment::parse("test.toml", &with(from, to)).expect_err(to).to_string();
        if !error.contains(expected) {
            wrong += &format!("`{to}` should be told\n{expected}\nand was told\n{error}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_mistake_is_shown_with_its_line_and_a_caret() {
    let error = Experiment::parse("test.toml", &with("rave_k = 300", "rave_kk = 300")).expect_err("misspelt");
    assert_eq!(
        error.to_string(),
        "test.toml:14:9: there is no parameter `rave_kk`; did you mean `rave_k`?\n   \
            |\n\
         14 | set = { rave_kk = 300 }\n   \
            |         ^^^^^^^"
    );
}

#[test]
fn several_mistakes_are_told_at_once_in_the_order_of_the_file() {
    let text = with("rave_k = 300", "rave_kk = 300").replace("4 = 1", "2 = 1").replace("100", "101");
    let error = Experiment::parse("test.toml", &text).expect_err("three mistakes");
    let lines: Vec<_> =
        error.problems().iter().map(|problem| problem.place.as_ref().map(|p| p.line)).collect();
    assert_eq!(lines, [Some(14), Some(32), Some(46)]);
}

#[test]
fn experiments_too_large_to_read_are_refused_before_they_are_expanded() {
    let axis = "{ from = 0, to = 1, steps = 1000 }";
    let huge = format!("sweep = {{ exploration = {axis}, fpu = {axis} }}");
    let error = Experiment::parse("test.toml", &with("sweep = { fpu = [0.5] }", &huge)).expect_err("huge");
    assert!(error.to_string().contains("has 1000000 combinations"), "{error}");

    let large = with("{ from = 0.1, to = 0.3, step = 0.1 }", "{ from = 0, to = 1, steps = 1000 }");
    let error = Experiment::parse("test.toml", &large).expect_err("large");
    assert!(
        error.to_string().contains(&format!("are 16008 cells; an experiment has at most {MAX_CELLS}")),
        "{error}"
    );
}

#[test]
fn every_committed_experiment_is_correct_and_begins_with_its_question() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs")];
    let mut names = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                // Books of openings are no experiments.
                if !path.ends_with("books") {
                    folders.push(path);
                }
                continue;
            }
            assert_eq!(path.extension().and_then(|e| e.to_str()), Some("toml"), "{}", path.display());
            let text = std::fs::read_to_string(&path).expect("readable");
            let first = text.lines().next().unwrap_or_default();
            assert!(first.starts_with("# ") && first.contains('?'), "{} begins with {first}", path.display());
            names.push(
                Experiment::parse(&path.display().to_string(), &text)
                    .unwrap_or_else(|error| panic!("{error}"))
                    .name,
            );
        }
    }
    names.sort();
    for known in ["baseline-vs-itself", "quickstart", "thesis/rave-vs-uct"] {
        assert!(names.iter().any(|name| name == known), "{known} is not among {names:?}");
    }
    let unrepeated = names.len();
    names.dedup();
    assert_eq!(names.len(), unrepeated, "two files of one name take each other's place: {names:?}");
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*") {
        let _ = Experiment::parse("test.toml", &text);
    }

    #[test]
    fn no_damage_to_a_file_makes_the_parser_panic(
        at in 0..FILE.len(), length in 0..40usize, insert in "[\\[\\]{}=\",.\na-z0-9é\\-]{0,12}",
    ) {
        let mut text = FILE.to_owned();
        text.replace_range(at..(at + length).min(FILE.len()), &insert);
        if let Err(error) = Experiment::parse("test.toml", &text) {
            prop_assert!(error.to_string().contains("test.toml"));
            prop_assert!(!error.problems().is_empty());
        }
    }

    #[test]
    fn a_sweep_has_as_many_cases_as_the_product_of_its_axes(
        k in prop::collection::btree_set(0..100_000u32, 1..6),
        explore in 2..6usize,
        lookahead in prop::sample::subsequence(vec![0, 1, 2], 1..=3),
    ) {
        let sweep = format!(
            "sweep = {{ lookahead = {lookahead:?}, rave_k = {:?}, exploration = {{ from = 0, to = 2, steps = {explore} }} }}",
            k.iter().collect::<Vec<_>>(),
        );
        let text = with("sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }", &sweep);
        let experiment = parse(&text);
        let mut cases: Vec<_> =
            experiment.cells.iter().filter(|c| c.case.group == "explore").map(|c| c.spec.id()).collect();
        prop_assert_eq!(cases.len(), k.len() * explore * lookahead.len() * 2 * 2 * 2);
        cases.sort();
        cases.dedup();
        prop_assert_eq!(cases.len(), k.len() * explore * lookahead.len() * 2 * 2 * 2, "cells are distinct");
    }

    #[test]
    fn logarithmic_ranges_hit_both_ends_and_rise(from in 0.2..1.0f64, ratio in 3.0..1e5f64, steps in 2..8usize) {
        let to = from * ratio;
        let range = format!("sweep = {{ rave_k = {{ from = {from}, to = {to}, steps = {steps}, scale = \"log\" }} }}");
        let text = with("sweep = { exploration = { from = 0.1, to = 0.3, step = 0.1 }, rave_k = [50, 1000] }", &range);
        let values: Vec<f64> = parse(&text)
            .cells
            .iter()
            .filter(|cell| cell.case.group == "explore" && cell.baseline.label == "uct")
            .step_by(4)
            .map(|cell| cell.spec.case.resolve().expect("known").search.rave_k)
            .collect();
        prop_assert_eq!(values.len(), steps);
        prop_assert_eq!((values[0], values[steps - 1]), (from, to));
        for pair in values.windows(2) {
            let step = (pair[1] / pair[0]).ln() * (steps - 1) as f64 / ratio.ln();
            prop_assert!((step - 1.0).abs() < 0.01, "steps are equal ratios: {values:?}");
        }
    }
}
