//! `gauntlet solve` from outside.

use serde_json::Value;
use std::process::{Command, Output};

fn solve(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gauntlet"));
    command.arg("solve").args(arguments).env_remove("RUST_LOG");
    command.output().expect("started")
}

fn json(arguments: &[&str]) -> Value {
    let output = solve(&[arguments, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

#[test]
fn every_solver_proves_a_known_loss() {
    let race = ["--size", "4", "b5 f6 c5 f5 c4 e3 b3 f7 c2"];
    for solver in [
        &["--solver", "alpha-beta"][..],
        &["--solver", "pns"],
        &["--solver", "pns", "--threads", "2"],
        &["--solver", "pns-table"],
        &["--solver", "pns-table", "--copies", "0"],
    ] {
        let found = json(&[&race[..], solver].concat());
        assert_eq!(found["outcome"], "white", "{solver:?}");
        assert_eq!((&found["to_move"], &found["at_most"]), (&"black".into(), &"loss".into()));
        assert!(found["nodes"].as_u64().is_some_and(|nodes| nodes > 1000), "{found}");
        assert!(found["stopped"].is_null() && found["best_move"].is_string());
    }
}

#[test]
fn giving_up_is_reported_with_its_reason_and_is_no_error() {
    let found = json(&["--size", "4", "--nodes", "1000000"]);
    assert_eq!((&found["outcome"], &found["best_move"]), (&Value::Null, &Value::Null));
    assert_eq!(found["stopped"], "node limit");
    let found = json(&["--size", "8", "--seconds", "0.2"]);
    assert_eq!(found["stopped"], "time limit");
}

#[test]
fn the_report_for_people_says_who_wins_and_with_which_move() {
    let output = solve(&["--size", "4", "a1", "g4", "a2", "g5", "a3", "g6"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && output.stderr.is_empty());
    for line in ["outcome    white", "white, to move, wins", "best move  a4", "nodes      62"] {
        assert!(text.contains(line), "{text}");
    }
}

#[test]
fn nonsense_is_an_error_that_names_the_nearest_valid_thing() {
    for (arguments, reason) in [
        (&["--size", "4", "h1"][..], "its rows are `a` to `g`"),
        (&["a1"], "give --size"),
        (&["--size", "4", "--solver", "alpha-beta", "--threads", "2"], "only `--solver pns` has --threads"),
        (&["--size", "4", "--player", "uct"], "only `--solver mcts` has --player"),
        (
            &["--size", "4", "--solver", "mcts", "--lookahead", "1"],
            "only `--solver pns` or `--solver pns-table` has --lookahead",
        ),
        (&["--size", "4", "--solver", "mcts", "--memory", "99999"], "uses 4096 MiB at most"),
    ] {
        let output = solve(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(reason), "{arguments:?}");
    }
}
