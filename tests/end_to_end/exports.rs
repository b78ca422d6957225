//! What other programs read: JSON, CSV, Parquet, LaTeX, and the shell's completions.

use crate::process::{QUICK, output, refuses, says};
use protocol::operate::Why;
use protocol::report::{ExperimentReport, Overview};
use serde_json::Value;

const FILE: &str = r#"[experiment]
name = "hostile_&_name"
question = "Is 50 % enough?"
[[baseline]]
id = "uct"
preset = "uct"
[[baseline]]
id = "rave"
preset = "rave"
[[test]]
id = "k"
sweep = [{ label = "a, \"b\" $x$", rave_k = 50 }, { label = "c", rave_k = 70, rave_compat = "thesis2011" }]
[[test]]
id = "other"
against = ["uct"]
sweep = [{ label = "c", rave_k = 90 }, { label = "itself", rave_k = 0 }]
[sizes]
3 = 1
4 = 3
[[budget]]
id = "b"
sims = 20
[play]
games_per_cell = 4
"#;

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

#[test]
fn results_are_exported_for_other_programs() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("x.toml"), FILE).expect("written");
    says(dir, &[&["run", "x.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());

    let text = says(dir, &["results", "x.toml", "--json"]);
    let report: ExperimentReport = serde_json::from_str(&text).expect("a report");

    // CSV has a line a cell, with a column for each parameter.
    let table = says(dir, &["results", "x.toml", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let names = reader.headers().expect("names").clone();
    let place = |name: &str| names.iter().position(|found| found == name).unwrap_or_else(|| panic!("{name}"));
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 12);
    assert_eq!(&rows[0][place("case")], "a, \"b\" $x$");
    let named = |name: &str| rows.iter().find(|row| &row[place("case")] == name).expect(name);
    assert_eq!((&named("k c")[place("label")], &named("other c")[place("label")]), ("c", "c"));
    assert_eq!((&named("other c")[place("weight")], &named("other c")[place("missing_pairs")]), ("1", "0"));
    let column = |name: &str| rows.iter().map(|row| row[place(name)].to_owned()).collect::<Vec<_>>();
    let differ = |name| column(name).windows(2).any(|pair| pair[0] != pair[1]);
    assert_eq!(column("rave_compat")[0], "off");
    assert!(column("rave_compat").contains(&"thesis2011".to_owned()));
    assert!(column("rave_k").contains(&"50".to_owned()) && column("rave_k").contains(&"70".to_owned()));
    assert!(differ("baseline_rave_k") && !differ("baseline_rave_compat"), "{table}");
    // Some of the cells: both cases with this label.
    let some = ["results", "x.toml", "--case", "c", "--against", "uct", "--size", "4"];
    let lines = |text: &str| text.lines().count();
    assert_eq!(lines(&says(dir, &[&some[..], &["--format", "csv"]].concat())), 1 + 2);
    let table_of_some = says(dir, &some);
    assert!(
        table_of_some.contains("Some cells are left out") && !table_of_some.contains("a, "),
        "{table_of_some}"
    );
    let one = ["results", "x.toml", "--case", "k c", "--against", "uct", "--size", "4", "--format", "csv"];
    assert_eq!(lines(&says(dir, &one)), 1 + 1, "the name in the table tells equal labels apart");
    // Sizes are written as in the file.
    for (sizes, rows) in [("3-4", 12), ("3,4", 12), ("4.0", 6), ("3-3", 6)] {
        let table = says(dir, &["results", "x.toml", "--size", sizes, "--format", "csv"]);
        assert_eq!(lines(&table), 1 + rows, "{sizes}");
    }
    assert_eq!(lines(&says(dir, &["game", "list", "--size", "3-4", "--all", "--format", "csv"])), 1 + 48);
    for (command, why) in [
        (&["results", "x.toml", "--size", "4-3"][..], "`4-3` has no sizes; write 3-4"),
        (&["results", "x.toml", "--size", "4-6"], "is not played on size 5"),
        (&["results", "x.toml", "--size", "five"], "there are 3 to 10, and ranges such as 5-7"),
        (&["game", "list", "--size", "5-11"], "there are 3 to 10, and ranges such as 5-7"),
        (&["results", "x.toml", "--analysis", "--size", "3-4"], "name one --size"),
        (&["solve", "a1", "--size", "5-7"], "`5-7` is several board sizes; give one"),
    ] {
        let (status, _, error) = output(dir, command);
        assert!(!status.success() && error.contains(why), "{command:?}: {error}");
    }
    // A picture has the best cases of each panel, and says how many it leaves out.
    says(dir, &["results", "x.toml", "--out", "all.svg"]);
    says(dir, &["results", "x.toml", "--out", "best.svg", "--best", "1"]);
    let [all, best] =
        ["all.svg", "best.svg"].map(|file| std::fs::read_to_string(dir.join(file)).expect("drawn"));
    assert!(all.starts_with("<svg ") && all.trim_end().ends_with("</svg>"), "{all}");
    let panels = |picture: &str| {
        [">against uct, 20 sims a move<", ">against rave, 20 sims a move<"]
            .map(|title| picture.matches(title).count())
    };
    assert_eq!([panels(&all), panels(&best)], [[1, 1]; 2]);
    assert!(!all.contains("left out") && best.contains("The best 2 cases of 6; 4 are left out."), "{best}");
    for series in &report.series {
        let title = series.title();
        assert!(all.contains(title), "{title} is not in {all}");
    }
    let unknown = refuses(dir, &["results", "x.toml", "--case", "d"]);
    assert!(unknown.contains("has no case `d`"), "{unknown}");
    // The calculator takes this table as a sweep, and finds what the analysis of the experiment does: for cases with equal labels,
    // for a case that is its own baseline, and by the weights of the sizes.
    std::fs::write(dir.join("x.csv"), &table).expect("written");
    let found: Value = json(&says(dir, &["stats", "--sweep", "x.csv", "--complete", "--json"]));
    let text = says(dir, &["results", "x.toml", "--analysis", "--json"]);
    assert!(text.contains("20 sims per move"), "{text}");
    let analysis: Value = json(&text.replace("20 sims per move", "20 sims"));
    assert_eq!(analysis["sweep"], found);
    let cases = |field: usize| found["fields"][field]["cases"].as_array().map_or(0, Vec::len);
    assert_eq!((cases(0), cases(1)), (3, 2), "{found}");
    assert!(!found.to_string().contains("baseline_rave_k"), "{found}");
    let case = &analysis["sweep"]["fields"][0]["cases"][0];
    let names = analysis["series"].as_array().expect("names");
    let is_case = |names: &Value| names["case"] == case["case"] && names["against"] == "uct";
    let best = &report.series[names.iter().position(is_case).expect("a series")];
    let on = |size: u8| best.points.iter().find(|point| point.size.get() == size);
    let rate = |size| on(size)?.estimate.map(|estimate| estimate.rate);
    let (small, large) = (rate(3).expect("a rate"), rate(4).expect("a rate"));
    let weighted = (small + 3.0 * large) / 4.0;
    assert!(case["rate"].as_f64().is_some_and(|rate| (rate - weighted).abs() < 1e-12), "{case} {weighted}");
    let players = says(dir, &["results", "x.toml", "--analysis"]);
    let id = report.series[0].case.player_id().short();
    assert!(players.contains("Players and their ids") && players.contains(&id), "{players}");

    // Parquet goes into a file or a pipe.
    assert_eq!(says(dir, &["results", "x.toml", "--format", "parquet", "--out", "x.parquet"]), "");
    let file = std::fs::read(dir.join("x.parquet")).expect("written");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));

    let latex = says(dir, &["results", "x.toml", "--format", "latex"]);
    for (environment, number) in [("figure", 1), ("tikzpicture", 2), ("axis", 2), ("longtable", 4)] {
        for word in ["begin", "end"] {
            assert_eq!(latex.matches(&format!("\\{word}{{{environment}}}")).count(), number, "{latex}");
        }
    }
    // A wide and a narrow bar for each case against each baseline, with its points.
    assert_eq!(latex.matches("\\addplot+").count(), 12);
    let mean = format!("{:.1} \\\\", 100.0 * weighted);
    let title = best.title().replace('$', "\\$");
    let mut lines = latex.lines().filter(|line| line.starts_with(&format!("  {title} &")));
    assert!(lines.any(|line| line.ends_with(&mean)), "{title}: {mean} is not in\n{latex}");
    let points =
        |report: &ExperimentReport| report.series.iter().map(|series| series.points.len()).sum::<usize>();
    let data =
        |line: &&str| line.trim_start().split(' ').count() == 4 && line.trim_start().starts_with(['3', '4']);
    assert_eq!(latex.lines().filter(data).count(), 2 * points(&report), "{latex}");
    for expected in [
        "hostile\\_\\&\\_name: Is 50 \\% enough?",
        "a, {\\ifdefined\\Umathcode\\textquotedbl\\else\\char34 \\fi}b{\\ifdefined\\Umathcode\\textquotedbl\\else\\char34 \\fi} \\$x\\$",
        "48 of 48 games",
        "y error plus=above",
    ] {
        assert!(latex.contains(expected), "{expected} is not in\n{latex}");
    }

    let (status, _, error) = output(dir, &["results", "x.toml", "--analysis", "--format", "latex"]);
    assert!(!status.success() && error.contains("an analysis is no table of cells"), "{error}");
    let (status, _, error) = output(dir, &["results", "x.toml", "--out", "no/such/file"]);
    assert!(!status.success() && error.contains("cannot write no/such/file"), "{error}");

    // The ending of the file says the format, and nothing is written over what cannot come back.
    says(dir, &["results", "x.toml", "--out", "y.csv"]);
    assert_eq!(std::fs::read_to_string(dir.join("y.csv")).expect("written"), table);
    says(dir, &["game", "list", "--all", "--out", "games.json"]);
    let listed = std::fs::read(dir.join("games.json")).expect("written");
    assert_eq!(serde_json::from_slice::<Vec<Value>>(&listed).expect("JSON").len(), 48);
    std::fs::write(dir.join("y.toml"), "[ experiment ] # mine\n").expect("written");
    for (arguments, why) in [
        (&["results", "x.toml", "--format", "csv", "--out", "y.toml"][..], "y.toml is an experiment file"),
        (&["results", "x.toml", "--out", "x.xlsx"], ".txt, .json, .csv, .parquet, .tex"),
        (&["game", "list", "--out", "x.tex"], ".txt, .json, .csv, .parquet"),
        (&["results", "x.toml", "--out", "x.toml"], "the ending of x.toml means no format"),
        (&["results", "x.toml", "--format", "csv", "--out", "x.toml"], "x.toml is an experiment file"),
        (&["game", "list", "--format", "csv", "--out", "gauntlet.db"], "gauntlet.db is a database"),
        (&["bundle", "hostile_&_name", "--out", "gauntlet.db"], "gauntlet.db is a database"),
    ] {
        let (status, _, error) = output(dir, arguments);
        assert!(!status.success() && error.contains(why), "{arguments:?}: {error}");
    }
    assert_eq!(std::fs::read_to_string(dir.join("x.toml")).expect("as it was"), FILE);

    // JSON has the shapes of the API.
    let overview: Overview = serde_json::from_str(&says(dir, &["status", "--json"])).expect("an overview");
    assert_eq!(overview.experiments[0].name, "hostile_&_name");
    let why: Why = serde_json::from_str(&says(dir, &["why", "hostile_&_name", "--json"])).expect("reasons");
    assert!(!why.reasons.is_empty());
}

#[test]
fn plans_and_parameters_are_json_too() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("x.toml"), FILE).expect("written");
    let plan: Value =
        serde_json::from_str(&says(dir, &["plan", "x.toml", "--slots", "2", "--json"])).expect("JSON");
    assert_eq!((&plan["cells"], &plan["games"], &plan["slots"]), (&12.into(), &48.into(), &2.into()));
    assert!(plan["core_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{plan}");

    let table: Value = serde_json::from_str(&says(dir, &["params", "--json"])).expect("JSON");
    let parameters = table["parameters"].as_array().expect("a list");
    assert_eq!(parameters.len(), engine::havannah::Params::TABLE.len());
    let of = |name: &str| parameters.iter().find(|found| found["name"] == name).expect("a parameter");
    assert_eq!((&of("rave_k")["type"], &of("rave_k")["min"]), (&"real".into(), &0.0.into()));
    assert_eq!(of("rave_compat")["type"], "word");
    assert!(of("rave_compat")["words"].as_array().is_some_and(|words| words.contains(&"thesis2011".into())));
    let uct = table["presets"].as_array().and_then(|all| all.iter().find(|preset| preset["name"] == "uct"));
    assert!(uct.is_some_and(|uct| uct["set"]["rave_k"] == 0.0), "{table}");
}

#[test]
fn shells_complete_every_command() {
    let home = tempfile::tempdir().expect("a directory");
    for shell in ["bash", "zsh", "fish"] {
        let script = says(home.path(), &["completions", shell]);
        for word in ["experiment", "archive", "results", "format"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    std::fs::write(home.path().join("script"), says(home.path(), &["completions", "bash"])).expect("written");
    let checked = std::process::Command::new("bash").args(["-n", "script"]).current_dir(home.path()).status();
    assert!(checked.is_ok_and(|status| status.success()), "bash reads the script");
}

/// Nearly equal cases play nearly the same games from the same openings, which the comparison of cases takes into account.
const NEAR: &str = r#"[experiment]
name = "near"
question = "Are they alike?"
[[baseline]]
id = "uct"
preset = "uct"
[[test]]
id = "k"
preset = "rave"
sweep = { rave_k = [100, 101, 102] }
[sizes]
4 = 1
[[budget]]
id = "b"
sims = 20
[play]
games_per_cell = 40
openings = "random"
"#;

#[test]
fn a_sweep_with_common_luck_is_computed_alike_from_its_export() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("near.toml"), NEAR).expect("written");
    says(dir, &[&["run", "near.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
    says(dir, &["results", "near", "--out", "near.csv"]);
    let found: Value = json(&says(dir, &["stats", "--sweep", "near.csv", "--complete", "--json"]));
    let text = says(dir, &["results", "near", "--analysis", "--json"]);
    let analysis: Value = json(&text.replace("20 sims per move", "20 sims"));
    assert_eq!(analysis["sweep"], found);
    let cells = found["fields"][0]["cells"].as_array().expect("cells");
    assert!(cells.iter().all(|cell| cell["agreement"].as_f64() > Some(0.1)), "{cells:?}");
}
