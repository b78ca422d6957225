//! What files are told when they are wrong.

use crate::with;
use protocol::experiment::Experiment;

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
        ("set = {}", "set = {}\nsizes = \"4-6\"", "is limited to size 5, which is not in [sizes]"),
        ("set = {}", "set = {}\nsizes = [6, \"4-6\"]", "`sizes` names 6 twice"),
        ("set = {}", "set = {}\nsizes = \"6-4\"", "`sizes`: `6-4` has no sizes; write 4-6"),
        ("4 = 1\n", "4-7 = 1\n", "[sizes] names 6 twice"),
        ("4 = 1\n", "4.0 = 1\n", "write a board size without a point, such as `4 = 1`"),
        ("4 = 1\n", "8-11 = 1\n", "`8-11` is no board size; there are 3 to 10, and ranges such as 5-7"),
        ("set = {}", "set = {}\nsizes = [11]", "24:10: `sizes` takes a whole number from 3 to 10, not 11"),
        (
            "set = {}",
            "set = {}\nsizes = []",
            "24:9: `sizes` takes a list of some of the experiment's board sizes, such as [4, 6]",
        ),
        (
            "set = {}",
            "set = {}\nsizes = 4",
            "24:9: `sizes` takes a list of some of the experiment's board sizes, such as [4, 6] or \"4-6\"; write [4]",
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
        ("sims = 1000", "sims = 1e10", "`sims` takes a whole number from 1 to 1000000000, not 1e10"),
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
        (
            "name = \"knobs\"",
            "name = \"kn\u{200b}obs\"",
            "2:8: `name` takes one line of 1 to 60 characters; its character 3 is U+200B, which is invisible",
        ),
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
fn of_a_hundred_thousand_mistakes_the_first_are_told() {
    let list = |one: fn(u32) -> String| (0..100_000).map(one).collect::<Vec<_>>().join(",");
    let unknown = format!("set = {{ {} }}", list(|i| format!("rave_{i} = 1")));
    let rows = |row: fn(u32) -> String| (0..9_000).map(row).collect::<String>();
    let named = rows(|i| format!("[[test]]\nid = \"t\"\nset = {{ rave_k = {i} }}\n"));
    for text in [with("set = { rave_k = 300 }", &unknown), with("", "") + &named] {
        let error = Experiment::parse("test.toml", &text).expect_err("mistakes");
        assert_eq!(error.problems().len(), 12);
        let told = error.to_string();
        assert!(told.contains(": at least ") && told.contains(" more after these"), "{told}");
    }
    let long = with("4 = 1", &format!("4 = 1\n\"{}\" = 1", "5,".repeat(100_000)));
    let told = Experiment::parse("test.toml", &long).expect_err("a long key").to_string();
    assert!(told.len() < 1_000, "{}", told.len());
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
        error.to_string().contains("are 16\u{202f}008 cells; an experiment has at most 10\u{202f}000"),
        "{error}"
    );
}
