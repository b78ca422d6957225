//! Which cells a file has, and what makes two of them the same.

use crate::{FILE, parse, with};
use engine::havannah::Params;
use engine::params::ParamValue;
use engine::search::SearchParams;
use protocol::experiment::{CellSpec, Experiment};
use protocol::lease::{Budget, ParamSet};
use std::collections::BTreeSet;

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
fn a_range_of_sizes_is_each_of_them() {
    let ranges = parse(&with("4 = 1\n6 = 2", "4 = 1\n6-8 = 2"));
    let written = parse(&with("4 = 1\n6 = 2", "4 = 1\n6 = 2\n7 = 2\n8 = 2"));
    assert_eq!(ranges.cells, written.cells);
    let of_test = |sizes: &str| {
        parse(&with("set = {}", &format!("set = {{}}\nsizes = {sizes}")).replace("4 = 1", "4-5 = 1"))
    };
    assert_eq!(of_test("\"4-6\"").cells, of_test("[4, 5, 6]").cells);
    assert_eq!(of_test("[4, \"5-6\"]").cells, of_test("[4, 5, 6]").cells);
}
