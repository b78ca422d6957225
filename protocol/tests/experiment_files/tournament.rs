//! Tournaments: every two players meet.

use crate::{FILE, parse, with};
use protocol::experiment::Experiment;
use std::collections::BTreeSet;

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
    assert!(told(&alone).contains("4:1: `uct` has no opponent"), "{}", told(&alone));
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
    assert!(error.contains("pairings of players × 1 budget × 2 sizes are 41\u{202f}006 cells"), "{error}");
}
