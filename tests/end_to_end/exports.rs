//! What other programs read: JSON, CSV, Parquet, LaTeX, and the shell's completions.

use crate::process::output;
use protocol::operate::Why;
use protocol::report::{ExperimentReport, Overview};
use serde_json::Value;
use std::path::Path;

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
[sizes]
3 = 1
4 = 1
[[budget]]
id = "b"
sims = 20
[play]
games_per_cell = 4
"#;

/// Runs the program, which must succeed, and returns its output.
fn prints(dir: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = output(dir, arguments);
    assert!(status.success(), "{arguments:?}: {stdout}{stderr}");
    stdout
}

#[test]
fn results_are_exported_for_other_programs() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("x.toml"), FILE).expect("written");
    let options = ["--port", "0", "--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"];
    prints(dir, &[&["run", "x.toml", "--exit-when-done"], &options[..]].concat());

    let json = prints(dir, &["results", "x.toml", "--json"]);
    let report: ExperimentReport = serde_json::from_str(&json).expect("a report");

    // CSV has a line a cell, with a column for each parameter.
    let table = prints(dir, &["results", "x.toml", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let names = reader.headers().expect("names").clone();
    let place = |name: &str| names.iter().position(|found| found == name).unwrap_or_else(|| panic!("{name}"));
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 8);
    assert_eq!(&rows[0][place("case")], "a, \"b\" $x$");
    let column = |name: &str| rows.iter().map(|row| row[place(name)].to_owned()).collect::<Vec<_>>();
    let differ = |name| column(name).windows(2).any(|pair| pair[0] != pair[1]);
    assert_eq!(column("rave_compat")[0], "off");
    assert!(column("rave_compat").contains(&"thesis2011".to_owned()));
    assert!(column("rave_k").contains(&"50".to_owned()) && column("rave_k").contains(&"70".to_owned()));
    assert!(differ("baseline_rave_k") && !differ("baseline_rave_compat"), "{table}");
    // The calculator takes this table as a sweep.
    std::fs::write(dir.join("x.csv"), &table).expect("written");
    let analysis = prints(dir, &["stats", "--sweep", "x.csv", "--json"]);
    assert!(!analysis.contains("baseline_rave_k"), "{analysis}");

    // Parquet goes into a file or a pipe.
    assert_eq!(prints(dir, &["results", "x.toml", "--format", "parquet", "--out", "x.parquet"]), "");
    let file = std::fs::read(dir.join("x.parquet")).expect("written");
    assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));

    let latex = prints(dir, &["results", "x.toml", "--format", "latex"]);
    for (environment, number) in [("figure", 1), ("tikzpicture", 2), ("axis", 2), ("longtable", 4)] {
        for word in ["begin", "end"] {
            assert_eq!(latex.matches(&format!("\\{word}{{{environment}}}")).count(), number, "{latex}");
        }
    }
    // A wide and a narrow bar for each of two cases against two baselines, with its points.
    assert_eq!(latex.matches("\\addplot+").count(), 8);
    let points =
        |report: &ExperimentReport| report.series.iter().map(|series| series.points.len()).sum::<usize>();
    let data =
        |line: &&str| line.trim_start().split(' ').count() == 4 && line.trim_start().starts_with(['3', '4']);
    assert_eq!(latex.lines().filter(data).count(), 2 * points(&report), "{latex}");
    for expected in [
        "hostile\\_\\&\\_name: Is 50 \\% enough?",
        "a, \"b\" \\$x\\$",
        "32 of 32 games",
        "y error plus=above",
    ] {
        assert!(latex.contains(expected), "{expected} is not in\n{latex}");
    }

    let (status, _, error) = output(dir, &["results", "x.toml", "--analysis", "--format", "latex"]);
    assert!(!status.success() && error.contains("an analysis is no table of cells"), "{error}");
    let (status, _, error) = output(dir, &["results", "x.toml", "--out", "no/such/file"]);
    assert!(!status.success() && error.contains("cannot write no/such/file"), "{error}");

    // JSON has the shapes of the API.
    let overview: Overview = serde_json::from_str(&prints(dir, &["status", "--json"])).expect("an overview");
    assert_eq!(overview.experiments[0].name, "hostile_&_name");
    let why: Why = serde_json::from_str(&prints(dir, &["why", "hostile_&_name", "--json"])).expect("reasons");
    assert!(!why.reasons.is_empty());
}

#[test]
fn plans_and_parameters_are_json_too() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("x.toml"), FILE).expect("written");
    let plan: Value =
        serde_json::from_str(&prints(dir, &["plan", "x.toml", "--slots", "2", "--json"])).expect("JSON");
    assert_eq!((&plan["cells"], &plan["games"], &plan["slots"]), (&8.into(), &32.into(), &2.into()));
    assert!(plan["core_seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{plan}");

    let table: Value = serde_json::from_str(&prints(dir, &["params", "--json"])).expect("JSON");
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
        let script = prints(home.path(), &["completions", shell]);
        for word in ["experiment", "archive", "results", "format"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    std::fs::write(home.path().join("script"), prints(home.path(), &["completions", "bash"]))
        .expect("written");
    let checked = std::process::Command::new("bash").args(["-n", "script"]).current_dir(home.path()).status();
    assert!(checked.is_ok_and(|status| status.success()), "bash reads the script");
}
