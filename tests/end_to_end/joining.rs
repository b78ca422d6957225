//! Machines that join with the line that the coordinator prints, and later orders to these machines.

use crate::api::{games_done, holding, try_get, until};
use crate::process::{Process, QUICK, TINY, output};
use protocol::report::{ExperimentReport, Overview};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// An experiment that does not end during the test.
fn long() -> String {
    TINY.replace("\"tiny\"", "\"long\"")
        .replace("3 = 1", "4 = 1")
        .replace("sims = 20", "sims = 200")
        .replace("games_per_cell = 4", "games_per_cell = 100000")
}

fn serve(dir: &Path) -> Process {
    std::fs::write(dir.join("long.toml"), long()).expect("written");
    // With a line for each game.
    Process::start_with(dir, &["serve", "--port", "0", "long.toml"], ("RUST_LOG", "coordinator=debug"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_joins_by_the_printed_line_and_needs_nothing_more_afterwards() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let mut serving = serve(dir);
    let (url, invitation) = (serving.url(), serving.invitation());
    let joining = [&["work", "--join", &invitation, "--dir", "first", "--name", "ann"], &QUICK[..]].concat();
    let mut working = Process::start(dir, &joining);
    games_done(&url, "long", 4).await;
    let speed = serving.wait_for(|said| {
        let line = said.lines().find(|line| line.contains("counted a game"))?;
        line.split_whitespace().find_map(|word| word.strip_prefix("sims_per_s=")).map(str::to_owned)
    });
    assert!(speed.parse::<u64>().is_ok_and(|speed| speed > 0), "{speed} is no round number");
    working.wait_for(|said| said.contains("self-test: this build plays").then_some(()));
    let kept = std::fs::metadata(dir.join("first/credentials.json")).expect("kept");
    assert_eq!(kept.permissions().mode() & 0o777, 0o600);
    assert!(working.stop().success());

    // The machine is known, and starts with the used code (as in a unit file), without a code, or with one that is not valid.
    let address = invitation.split_once('@').expect("an address").1;
    let wrong = format!("K7F3-9QXM-2TBD@{address}");
    let without = [&["work", "--dir", "first"], &QUICK[..]].concat();
    for arguments in [joining.clone(), without.clone(), [&without[..], &["--join", &wrong]].concat(), without]
    {
        let done =
            try_get::<ExperimentReport>(&url, "experiments/long").await.expect("a report").summary.games_done;
        let working = Process::start(dir, &arguments);
        games_done(&url, "long", done + 2).await;
        assert!(working.stop().success());
    }
    // The code is used up. A machine that never joined gets an error with the remedy.
    let other = [&["work", "--join", &invitation, "--dir", "second"], &QUICK[..]].concat();
    let (status, _, error) = output(dir, &other);
    assert_eq!(status.code(), Some(3), "{error}");
    assert!(error.contains("code is not valid") && error.contains("gauntlet token join"), "{error}");
    let (status, _, error) = output(dir, &["work", "--dir", "third"]);
    assert_eq!(status.code(), Some(1));
    assert!(error.contains("--join CODE@HOST:PORT"), "{error}");
    let (status, _, error) = output(dir, &["work", "--join", "host:8437"]);
    assert_eq!(status.code(), Some(2));
    assert!(error.contains("K7F3-9QXM-2TBD@host:8437"), "{error}");
    assert!(serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn machines_are_paused_resumed_and_drained_over_the_network() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let mut serving = serve(dir);
    let url = serving.url();
    let code = output(dir, &["token", "join", "--machines", "2"]).1;
    let place = url.trim_start_matches("http://");
    let invitation = format!("{}@{place}", code.trim());
    let start = |name: &str| {
        let arguments = ["work", "--join", &invitation, "--dir", name, "--name", name, "--label", "lab"];
        Process::start(dir, &[&arguments, &QUICK[..]].concat())
    };
    let (mut ann, bob) = (start("ann"), start("bob"));
    holding(&url, "ann").await;
    holding(&url, "bob").await;
    let admin = output(dir, &["token", "add", "ada", "--scope", "admin"]).1;
    let order = |words: &[&str]| {
        let remote = ["--coordinator", &url, "--token", admin.trim()];
        let (status, said, error) = output(dir, &[&["fleet"], words, &remote].concat());
        assert!(status.success(), "{error}");
        said
    };
    assert!(order(&["pause", "ann"]).contains("1 machine told to pause"));
    ann.wait_for(|said| said.contains("paused by the coordinator").then_some(()));
    let rests = |overview: &Overview| {
        overview.workers.iter().any(|worker| worker.name == "ann" && worker.pairs_held == 0)
    };
    until(&url, "overview", "ann rests", rests).await;
    holding(&url, "bob").await;
    order(&["resume", "--all"]);
    holding(&url, "ann").await;
    assert!(order(&["drain", "--label", "lab"]).contains("2 machines"));
    assert!(ann.wait().success() && bob.wait().success());
    let report = try_get::<ExperimentReport>(&url, "experiments/long").await.expect("a report");
    assert_eq!(report.summary.pairs_in_flight, 0, "everything in hand was played or given back");
    assert_eq!(report.summary.games_done % 2, 0, "pairs begun are finished");
    assert!(serving.stop().success());
}

#[test]
fn units_are_printed_with_the_options_given_and_without_secrets() {
    let home = tempfile::tempdir().expect("a directory");
    for (kind, expected) in [
        ("systemd", "ExecStart="),
        ("docker", "docker run"),
        ("compose", "services:"),
        ("slurm", "#SBATCH --array"),
    ] {
        let options = [
            "--join",
            "K7F3-9QXM-2TBD@host:8437",
            "--token=secret",
            "--label",
            "lab",
            "--dir",
            "here",
            "--quiet-hours",
            "09:00-18:00",
            "--grace",
            "1m",
            "--slots=3",
        ];
        let (status, unit, error) = output(home.path(), &[&["work", "--unit", kind], &options[..]].concat());
        assert!(status.success(), "{error}");
        assert!(unit.contains(expected), "{unit}");
        assert!(!unit.contains("secret"), "{unit}");
        let all =
            "--join K7F3-9QXM-2TBD@host:8437 --label lab --quiet-hours 09:00-18:00 --grace 1m --slots=3\n";
        let left_out = "not these: --join, --label, --quiet-hours, --grace, --slots";
        assert!(
            if kind == "compose" { error.contains(left_out) } else { unit.contains(all) },
            "{unit}{error}"
        );
        assert!(kind == "compose" || unit.contains("120"), "a minute more than the grace time: {unit}");
    }
    assert!(!home.path().join("gauntlet-worker").exists(), "nothing was begun");
    // What a unit has itself may be given once more.
    let twice = ["work", "--slots", "4", "--pin", "auto", "--grace", "9m", "--exit-when-idle", "15m"];
    let again = ["--slots=3", "--pin=off", "--grace", "1m", "--exit-when-idle", "--unit", "slurm"];
    let (status, _, error) = output(home.path(), &[&twice[..], &again[..]].concat());
    assert!(status.success(), "{error}");
}
