//! Mistakes that people make in experiment files, and what they are told: line, column and the nearest valid thing.

use protocol::experiment::Experiment;

const FILE: &str = include_str!("../../configs/quickstart.toml");

const SWEEP: &str = "sweep = { rave_k = [1, 10, 100, 1000] }";

/// The committed example with the last `from`, which no comment holds, replaced by `to`.
fn with(from: &str, to: &str) -> String {
    let at = FILE.rfind(from).expect(from);
    format!("{}{to}{}", &FILE[..at], &FILE[at + from.len()..])
}

fn told(text: &str) -> String {
    Experiment::parse("my.toml", text).expect_err(text).to_string()
}

/// Only the lines that say what is wrong, without the excerpts of the file.
fn messages(error: &str) -> Vec<&str> {
    error.lines().filter(|line| line.starts_with("my.toml")).collect()
}

#[test]
fn every_mistake_is_named_once_with_its_place_and_what_would_be_right() {
    let mut wrong = String::new();
    let single = |key: &str| format!("sweep = {{ rave_k = {key} }}");
    for (text, expected) in [
        // Values.
        (
            with("sims = 2000", "sims = \"2000\""),
            "my.toml:39:8: `sims` takes a whole number from 1 to 1000000000, not a text; remove the quotes around 2000",
        ),
        (
            with(SWEEP, &single("[\"5\", 10]")),
            "my.toml:25:21: `rave_k` takes a number from 0 to 1000000, not a text; remove the quotes around 5",
        ),
        (
            with("4 = 1", "4 = \"1\""),
            "my.toml:29:5: `4` is a weight: 0 for off, or a number from 0.000001 to 1000000, not a text; remove the quotes around 1",
        ),
        (
            with("exploration = 0", "keep_tree = \"true\""),
            "my.toml:24:21: `keep_tree` takes true or false, not a text; remove the quotes around true",
        ),
        (
            with("sims = 2000", "sims = 2000.5"),
            "my.toml:39:8: `sims` takes a whole number from 1 to 1000000000, not 2000.5",
        ),
        (
            with("sims = 2000", "sims = -5"),
            "my.toml:39:8: `sims` takes a whole number from 1 to 1000000000, not -5",
        ),
        (
            with("sims = 2000", "reference_seconds = -1.5"),
            "`reference_seconds` takes a number from 0.001 to 3600, not -1.5",
        ),
        (
            with("sims = 2000", "reference_seconds = inf"),
            "`reference_seconds` takes a number from 0.001 to 3600, not inf",
        ),
        (with("sims = 2000", "sims = 99999999999999999999"), "not 99999999999999999999"),
        (
            with(SWEEP, &single("[nan]")),
            "my.toml:25:21: `rave_k` takes a number from 0 to 1000000, not `NaN`",
        ),
        (
            with(SWEEP, &single("[10, -1]")),
            "my.toml:25:25: `rave_k` takes a number from 0 to 1000000, not `-1`",
        ),
        // Budgets.
        (
            with("sims = 2000", "sims = 2000\nreference_seconds = 1"),
            "my.toml:40:21: a [[budget]] has either `reference_seconds` or `sims`, not both; for games with each, write a [[budget]] for each",
        ),
        (
            with("sims = 2000", ""),
            "my.toml:37:1: [[budget]] needs either `reference_seconds` or `sims`, what each move may cost, such as `sims = 2000`",
        ),
        (
            with("games_per_cell = 100", ""),
            "my.toml:42:1: [play] needs `games_per_cell`, such as `games_per_cell = 100`",
        ),
        (with("id = \"quick\"", ""), "my.toml:37:1: [[budget]] needs `id`, such as `id = \"quick\"`"),
        // Headings.
        (
            with("[[test]]", "[test]"),
            "my.toml:22:1: there can be several of these: write [[test]], in two brackets",
        ),
        (
            with("[play]", "[[play]]"),
            "my.toml:42:1: there is one of these only: write [play], in one bracket",
        ),
        (
            format!("{FILE}\n[test]\nid = \"x\"\nset = {{}}\n"),
            "my.toml:46:2: write [[test]], in two brackets as in line 22: there can be several of these",
        ),
        (
            with("[sizes]", "[[test]]\nid = \"x\"\nset = {}\n[sizes]").replacen("[[test]]", "[test]", 1),
            "my.toml:28:3: write [[test]] in line 22, too, in two brackets: there can be several of these",
        ),
        (
            with("[[budget]]", "[budget]") + "\n[budget]\nid = \"b\"\nsims = 5\n",
            "my.toml:46:2: write [[budget]] here and in line 37, in two brackets: there can be several of these",
        ),
        (
            format!("{FILE}\n[play]\nseed = 4\n"),
            "my.toml:46:2: there is a [play] already, in line 42; its keys belong there",
        ),
        (
            with("[play]", "[experiment.play]"),
            "my.toml:42:13: [experiment] has no key `play`; [play] is a section of its own, not one of another",
        ),
        (
            with("[experiment]", "[Experiment]"),
            "my.toml:9:2: the file has no key `Experiment`; did you mean `experiment`?",
        ),
        (
            with("[[budget]]", "[[budgets]]"),
            "my.toml:37:3: the file has no key `budgets`; did you mean `budget`?",
        ),
        (
            with("[sizes]\n4 = 1\n5 = 1\n6 = 1\n7 = 1\n8 = 1\n", "").replacen(
                "[experiment]",
                "sizes = [4, 5]\n[experiment]",
                1,
            ),
            "my.toml:9:9: [sizes] is a section with a line a board size and its weight: `[sizes]`, and below it `4 = 1`, `5 = 1`",
        ),
        // Keys.
        (
            with("exploration = 0", "exploraton = 0"),
            "my.toml:24:9: there is no parameter `exploraton`; did you mean `exploration`?",
        ),
        (
            with("set = { exploration = 0 }", "exploration = 0"),
            "my.toml:24:1: [[test]] has no key `exploration`, which is a parameter: write it into `set`, such as set = { exploration = … }",
        ),
        (with("[experiment]", "rave_k = 3\n[experiment]"), "write it into `set` of a [[test]]"),
        (
            with("games_per_cell = 100", "games_per_cell = 100\nsims = 3"),
            "my.toml:44:1: [play] has no key `sims`; it belongs into [[budget]]",
        ),
        (
            with("8 = 1", "8 = 1\ngames_per_cell = 4"),
            "my.toml:34:1: `games_per_cell` is no board size; it belongs into [play]",
        ),
        (with("8 = 1", "11 = 1"), "my.toml:33:1: `11` is no board size; there are 3 to 10"),
        (
            with("sims = 2000", "sims = 2000\nsims = 3000"),
            "my.toml:40:1: `sims` is given twice, first in line 39",
        ),
        (
            with("exploration = 0", "exploration = 0, exploration = 1"),
            "my.toml:24:26: `exploration` is given twice",
        ),
        (
            with("preset = \"uct\"\n", "preset = \"UCT\"\n"),
            "my.toml:17:10: there is no preset `UCT`; did you mean `uct`?",
        ),
        (
            format!("{FILE}\n[[budget]]\nid = \"quick\"\nsims = 5\n"),
            "my.toml:47:6: there is a [[budget]] called `quick` already, in line 37",
        ),
        // Sweeps.
        (
            with(SWEEP, &single("100")),
            "my.toml:25:20: `rave_k` takes a list of values, or a range such as { from = 1, to = 9, step = 2 } or { from = 10, to = 1000, steps = 5, scale = \"log\" }; write [100]",
        ),
        (with(SWEEP, &single("[]")), "my.toml:25:20: `rave_k` takes a list of values, or a range"),
        (with(SWEEP, &single("\"1..10\"")), "my.toml:25:20: `rave_k` takes a list of values, or a range"),
        (with(SWEEP, &single("[[1, 2]]")), "my.toml:25:21: `rave_k` takes a single value, not a list"),
        (
            with(SWEEP, "sweep = [{ rave_k = [1, 10] }]"),
            "my.toml:25:21: a setting in a list has one value of `rave_k`; for a case of every value write sweep = { rave_k = [ … ] }, without the outer brackets",
        ),
        (
            with(SWEEP, &single("{ from = 10, to = 1, step = 1 }")),
            "my.toml:25:20: a range goes upwards: `from`, here 10, is below `to`, here 1",
        ),
        (
            with(SWEEP, &single("{ from = 0, to = 10, steps = 3, scale = \"log\" }")),
            "my.toml:25:29: a range with `scale = \"log\"` starts above 0, such as at 0.01; for 0 as well, list the values",
        ),
        (
            with("set = { exploration = 0 }", "set = { exploration = 0 }\nsizes = 4"),
            "my.toml:25:9: `sizes` takes a list of some of the experiment's board sizes, such as [4, 6] or \"4-6\"; write [4]",
        ),
        // TOML.
        (with("preset = \"uct\"\n", "preset = uct\n"), "my.toml:17:10: a text stands in quotes: \"uct\""),
        (
            with("\"quick\"", "\u{201c}quick\u{201d}"),
            "my.toml:38:6: the quotes around a text are straight: \"quick\"",
        ),
        (
            with("sims = 2000", "sims = 2k"),
            "my.toml:39:8: `2k` is no number; write its digits alone, such as 2000 or 0.5",
        ),
        (
            with("games_per_cell = 100", "games_per_cell = 1,000"),
            "my.toml:43:19: a number is written without commas, such as 1000",
        ),
        (with("exploration = 0", "keep_tree = True"), "my.toml:24:21: `True` is written `true`"),
        (with("sims = 2000", "sims: 2000"), "between a key and its value stands `=`, not `:`"),
        (with("sims = 2000", "sims 2000"), "between a key and its value stands `=`"),
        (
            with("name = \"quickstart\"", "name = \"quickstart"),
            "my.toml:10:19: this text has no closing quote",
        ),
        (FILE.replace('\n', "\r"), "the lines end with a bare carriage return"),
        (
            with("set = { exploration = 0 }", "set = [exploration = 0]"),
            "my.toml:24:20: keys with values stand in braces, { … }, not in brackets",
        ),
        (
            with("\"quick\"", "\"qu\0ick\""),
            "my.toml:38:9: a character that cannot be seen stands here; leave it out",
        ),
        (
            "{\"experiment\": {}}".to_owned(),
            "my.toml:1:1: this looks like JSON; an experiment file is TOML, and `gauntlet init -` prints one",
        ),
        // What only shows in the whole.
        (
            with("4 = 1", "4 = 1e6").replace("id = \"rave\"", "id = \"rave\"\nweight = 1e6"),
            "my.toml:22:1: the largest weights of test, baseline, size, budget and experiment multiply to 1e12; a cell's weight is from 1e-9 to 1e9",
        ),
    ] {
        let error = told(&text);
        let messages = messages(&error);
        // A heading that is wrong as well is named at its own line.
        let at_headings = messages.iter().filter(|message| message.ends_with("in two brackets")).count();
        let told = messages.len() - at_headings.min(messages.len() - 1);
        if told != 1 || !error.contains(expected) {
            wrong += &format!("should be told once\n{expected}\nand was told\n{error}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn byte_order_marks_line_ends_of_windows_and_tabs_are_no_mistakes() {
    let plain = Experiment::parse("my.toml", FILE).expect("valid");
    for text in [format!("\u{feff}{FILE}"), FILE.replace('\n', "\r\n"), FILE.replace(" = ", "\t=\t")] {
        let read = Experiment::read("my.toml", text.as_bytes()).expect("valid");
        assert_eq!(read.id(), plain.id());
        assert_eq!(read.file, Some(text), "as it is");
    }
}

#[test]
fn what_is_no_utf_8_is_shown_with_line_column_and_byte() {
    let mut bytes = with("depend on the board?\"", "depend on the gr").into_bytes();
    let at = bytes.windows(7).rposition(|window| window == b"the gr\n").expect("there") + 6;
    bytes[at] = 0xf6;
    let error = Experiment::read("my.toml", &bytes).expect_err("Latin-1").to_string();
    let expected =
        format!("my.toml:11:74: byte {} of the file, 0xf6, is not UTF-8; save the file as UTF-8", at + 1);
    assert!(error.starts_with(&expected), "{error}");
    assert!(error.contains("depend on the gr\u{fffd}"), "{error}");
    let utf_16: Vec<u8> =
        [0xfeff].into_iter().chain(FILE.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let error = Experiment::read("my.toml", &utf_16).expect_err("UTF-16").to_string();
    assert!(error.contains("my.toml:1:1: the file is UTF-16; save it as UTF-8"), "{error}");
}

#[test]
fn a_missing_section_is_shown_by_an_example_and_the_examples_are_an_experiment() {
    let mut pieces = String::new();
    for (section, next) in [
        ("[experiment]", "\n#"),
        ("[[baseline]]", "\n#"),
        ("[[test]]", "\n#"),
        ("[sizes]", "\n#"),
        ("[[budget]]", "\n#"),
        ("[play]", "\0"),
    ] {
        let at = FILE.find(&format!("\n{section}\n")).expect(section);
        let end = FILE[at..].find(&format!("\n{next}")).map_or(FILE.len(), |length| at + length);
        let error = told(&format!("{}{}", &FILE[..at], &FILE[end..]));
        let start = format!("my.toml: there is no {section}, such as\n\n    {section}\n    ");
        assert!(error.starts_with(&start), "{error}");
        pieces += &format!("    {section}\n    {}\n", &error[start.len()..]);
    }
    Experiment::parse("examples", &pieces).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn mistakes_in_stopping_rules_name_the_rule_and_the_range() {
    for (stop, expected) in [
        ("elo = [0, 20]", "[stop] needs `rule`, such as `rule = \"sprt\"`"),
        ("rule = \"sprd\"", "`rule` takes one of the rules, not `sprd`; did you mean `sprt`?"),
        (
            "rule = \"sprt\"\nhalf_width = 0.02",
            "`half_width` belongs to the rule `half_width`, not to `sprt`",
        ),
        ("rule = \"e_value\"\nbeta = 0.1", "`beta` belongs to the rule `sprt`, not to `e_value`"),
        ("rule = \"sprt\"\nelo = [20, 0]", "`elo` has the lower hypothesis first; 20 is not below 0"),
        ("rule = \"sprt\"\nelo = 20", "`elo` takes two numbers from -1000 to 1000, such as [0, 20]"),
        (
            "rule = \"sprt\"\nscore = [50, 53]",
            "`score` takes two numbers from 0.001 to 0.999, such as [0.5, 0.53]",
        ),
        (
            "rule = \"sprt\"\nelo = [0, 9]\nscore = [0.5, 0.6]",
            "a test has one pair of hypotheses; `elo` and `score` are two",
        ),
        ("rule = \"half_width\"\nhalf_width = 2", "`half_width` takes a number from 0.001 to 0.5, not 2"),
        ("rule = \"sprt\"\nalfa = 0.1", "[stop] has no key `alfa`; did you mean `alpha`?"),
    ] {
        let error = told(&format!("{FILE}\n[stop]\n{stop}\n"));
        assert!(error.contains(expected) && messages(&error).len() == 1, "{stop}: {error}");
    }
}

#[test]
fn rules_belong_to_cells_and_files_without_rules_keep_their_ids() {
    let parse = |stop: &str| Experiment::parse("my.toml", &format!("{FILE}\n{stop}")).expect("correct");
    let plain = Experiment::parse("my.toml", FILE).expect("correct");
    assert!(!serde_json::to_string(&plain).expect("JSON").contains("stop"));
    assert_eq!(parse("[stop]\nrule = \"games\"").id(), plain.id());
    let ruled = parse("[stop]\nrule = \"sprt\"");
    assert_ne!(ruled.id(), plain.id());
    assert_eq!(ruled.id(), parse("[stop]\nrule = \"sprt\"\nelo = [0, 20]\nalpha = 0.05\nbeta = 0.05").id());
    for (ruled, plain) in ruled.cells.iter().zip(&plain.cells) {
        assert!(ruled.stop.is_some());
        assert_eq!(ruled.spec.id(), plain.spec.id(), "the games are the same");
    }
    let json = serde_json::to_string(&ruled).expect("JSON");
    assert_eq!(serde_json::from_str::<Experiment>(&json).expect("read").id(), ruled.id());
}

#[test]
fn an_empty_file_is_pointed_to_a_template() {
    for text in ["", "\n\n", "# My sweep\n"] {
        let error = told(text);
        assert_eq!(
            error,
            "my.toml: the file is empty; `gauntlet init my-sweep.toml` writes one to begin with"
        );
    }
}

#[test]
fn a_duplicate_value_is_told_of_once_whatever_it_is_combined_with() {
    let text = with(SWEEP, "sweep = { rave_k = [1, 1, 10], fpu = [0.1, 0.2, 0.3] }");
    let error = told(&text);
    assert_eq!(messages(&error), ["my.toml:25:24: `rave_k` lists 1 twice"]);
    let text = with(SWEEP, "sweep = { rave_k = [0, 10], fpu = [0.1, 0.2] }")
        + "\n[[test]]\nid = \"again\"\nset = { exploration = 0 }\nsweep = { rave_k = [10, 20], fpu = [0.1, 0.2] }\n";
    let error = told(&text);
    let message = "my.toml:49:21: on baseline `uct`, `fpu=0.1 rave_k=10` of `again` is the same player as `fpu=0.1 rave_k=10` of \
                   `rave` in line 25; it is the same with 1 other combination";
    assert_eq!(messages(&error), [message]);
}

#[test]
fn too_many_cells_are_shown_at_the_sweep_that_multiplies() {
    let range = "{ from = 1, to = 3000, steps = 3000 }";
    let error = told(&with(SWEEP, &format!("sweep = {{ rave_k = {range} }}")));
    let expected = "my.toml:25:9: 3000 cases × 1 baseline × 1 budget × 5 sizes are 15\u{202f}000 cells; an experiment has at most 10\u{202f}000; \
                    3000 cases come from this sweep of `rave`";
    assert_eq!(messages(&error), [expected]);
    let error = told(&with(SWEEP, &format!("sweep = {{ rave_k = {range}, fpu = [0, 0.1, 0.2, 1] }}")));
    assert!(
        error.contains(
            "my.toml:25:9: this sweep has 12000 combinations (4 values of `fpu` × 3000 values of `rave_k`)"
        ),
        "{error}"
    );
}

/// Each of these takes minutes if what is listed is compared with one another before it is counted.
#[test]
fn a_list_that_is_too_long_is_counted_before_it_is_read() {
    const MANY: usize = 40_000;
    let numbers: Vec<String> = (0..MANY).map(|number| number.to_string()).collect();
    let rows = |title: &str, row: &dyn Fn(usize) -> String| -> String {
        (0..MANY).map(|number| format!("{title}\nid = \"r{number}\"\n{}\n", row(number))).collect()
    };
    let settings: Vec<String> = numbers.iter().map(|number| format!("{{ rave_k = {number} }}")).collect();
    let names: Vec<String> = numbers.iter().map(|number| format!("\"b{number}\"")).collect();
    for (text, expected) in [
        (
            with(SWEEP, &format!("sweep = {{ rave_k = [{}] }}", numbers.join(", "))),
            "`rave_k` lists 40000 values; an experiment has at most 10000 cells",
        ),
        (
            with(SWEEP, &format!("sweep = {{ fpu = [1, 2], rave_k = [{}] }}", numbers[..9_000].join(", "))),
            "this sweep has 18000 combinations",
        ),
        (
            with(SWEEP, &format!("sweep = [{}]", settings.join(", "))),
            "this sweep lists 40000 settings; an experiment has at most 10000 cells",
        ),
        (
            with(SWEEP, "sweep = { rave_k = { from = 0, to = 1000000, step = 0.0001 } }"),
            "this range has more than 10000 values, the cells of a whole experiment",
        ),
        (
            with(SWEEP, &format!("against = [{}]\n{SWEEP}", names.join(", "))),
            "`against` lists 40000 baselines; an experiment has at most 10000 cells",
        ),
        (
            format!(
                "{FILE}\n{}",
                rows("[[player]]", &|number| format!("preset = \"rave\"\nset = {{ rave_k = {number} }}"))
            ),
            "there are 40000 of [[player]]; an experiment has at most 10000 cells",
        ),
    ] {
        let error = told(&text);
        assert!(messages(&error).iter().any(|line| line.contains(expected)), "{expected}: {error:.300}");
    }
    // As many players as there may be rows have more pairings than there may be cells.
    let players: String = (0..10_000)
        .map(|n| format!("[[player]]\nid = \"p{n}\"\npreset = \"rave\"\nset = {{ rave_k = {n} }}\n"))
        .collect();
    let error = told(&format!("{FILE}\n{players}"));
    assert!(error.contains("an experiment has at most 10\u{202f}000"), "{error:.300}");
}

#[test]
fn mistakes_in_the_toml_do_not_hide_the_others() {
    let text = with("preset = \"uct\"\n", "preset = uct\n")
        .replace("{ exploration = 0 }", "{ exploraton = 0 }")
        .replace("sims = 2000", "sims: 2000")
        .replace("4 = 1", "2 = 1");
    let error = told(&text);
    let lines: Vec<&str> = messages(&error).iter().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(lines, ["17", "24", "29", "39"], "{error}");
}

#[test]
fn labels_that_no_coordinator_takes_are_refused_with_their_place() {
    let parameters: Vec<String> = engine::havannah::Params::TABLE
        .iter()
        .filter(|info| matches!(info.domain, engine::params::Domain::Real(low, high) if low < 0.12345 && high > 0.12345))
        .take(14)
        .map(|info| format!("{} = [0.12345]", info.name))
        .collect();
    let text = with(SWEEP, &format!("sweep = {{ {} }}", parameters.join(", ")))
        .replace("set = { exploration = 0 }\n", "");
    let error = told(&text);
    assert!(
        error.contains("has more than 200 characters: parameters that all cases share belong into `set`"),
        "{error}"
    );
}
