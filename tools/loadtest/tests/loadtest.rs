//! Small load tests. They check the findings, and measure no speed.

#[path = "../../../tests/end_to_end/process.rs"]
#[allow(dead_code, reason = "the tests of the program use more")]
mod process;

use process::{Process, TINY, isolated, output, output_of};
use rustix::process::{Signal, kill_process};
use std::path::Path;
use std::process::Command;

fn loadtest(home: &Path, arguments: &[&str]) -> Command {
    isolated(Path::new(env!("CARGO_BIN_EXE_loadtest")), home, arguments)
}

const NUISANCE: [&str; 6] = ["--streams", "20", "--wrong-tokens", "20", "--health-checks", "20"];

#[tokio::test(flavor = "multi_thread")]
async fn a_load_test_loses_nothing_counts_nothing_twice_and_goes_on_with_its_database() {
    let home = tempfile::tempdir().expect("a directory");
    let small = [
        "--workers",
        "30",
        "--join-seconds",
        "1",
        "--sync-seconds",
        "0.5",
        "--cells",
        "12",
        "--revise-every",
        "0.5",
    ];
    let run = |more: &[&str]| {
        let arguments =
            [&small[..], &["--games-per-second", "60", "--seconds", "2", "--json"], &NUISANCE, more].concat();
        let (status, stdout, stderr) = output_of(loadtest(home.path(), &arguments));
        assert!(status.success(), "{stdout}{stderr}");
        serde_json::from_str::<serde_json::Value>(&stdout).expect("JSON")
    };
    let mut stored = 0;
    for wanted in [300, 0] {
        let found = run(&["--database", "load.db", "--stored-games", &wanted.to_string()]);
        let count = |name: &str| found[name].as_u64().unwrap_or_else(|| panic!("{name} in {found}"));
        assert_eq!((count("lost"), count("doubled"), count("wrong_totals")), (0, 0, 0), "{found}");
        assert!(count("stored_games") >= stored + wanted, "{found}");
        assert!(count("games_acknowledged") > wanted, "more than were stored before: {found}");
        assert_eq!(found["join"]["count"], 30, "{found}");
        for kind in found["nuisance"].as_array().expect("four kinds") {
            assert!(kind["errors"] == 0 && kind["count"].as_u64() > Some(0), "{kind}");
        }
        stored += count("games_acknowledged");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coordinator_with_something_else_to_play_is_left_alone() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    output(dir, &["db", "create"]);
    let (_, token, _) = output(dir, &["token", "add", "ada", "--scope", "admin"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0", "tiny.toml"]);
    let url = serving.url();
    let (status, _, stderr) =
        output_of(loadtest(dir, &["--coordinator", &url, "--token", token.trim(), "--workers", "2"]));
    assert!(!status.success() && stderr.contains("`tiny`"), "{stderr}");
    let (_, overview, _) = output(dir, &["status", "--coordinator", &url, "--token", token.trim()]);
    assert!(!overview.contains("load test"), "{overview}");
    assert!(serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_load_test_that_is_stopped_leaves_no_coordinator_behind() {
    let home = tempfile::tempdir().expect("a directory");
    let mut testing = {
        let arguments = ["--workers", "3", "--seconds", "600"];
        Process::spawn(loadtest(home.path(), &arguments), &arguments, usize::MAX)
    };
    let address = testing.wait_for(|said| {
        let (_, url) = said.lines().next()?.split_once("the coordinator is http://")?;
        said.contains(" workers, ").then(|| url.trim().to_owned())
    });
    std::net::TcpStream::connect(&address).expect("it serves");
    kill_process(testing.pid(), Signal::TERM).expect("a child");
    testing.wait_for_end_with(|said| said.contains("no findings"));
    assert!(std::net::TcpStream::connect(&address).is_err(), "{address} still serves");
}
