//! Messages that must not mislead a new user or an operator.

use crate::api::{games_done, until};
use crate::process::{Process, QUICK, TINY, gauntlet, output, output_of, refuses, says, write_into};
use protocol::report::Overview;
use rustix::process::{Signal, kill_process};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

fn run(dir: &Path, files: &[&str]) -> (String, String) {
    let arguments = [&["run"], files, &["--port", "0", "--exit-when-done"], &QUICK[..]].concat();
    let (status, stdout, stderr) = output(dir, &arguments);
    assert!(status.success(), "{stderr}");
    (stdout, stderr)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_sqlite_file_has_one_coordinator_at_a_time_and_a_killed_one_keeps_nobody_out() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let serve = ["serve", "--port", "0", "tiny.toml"];
    let mut first = Process::start(dir, &serve);
    let url = first.url();
    let pid = first.pid().as_raw_nonzero().to_string();
    std::os::unix::fs::symlink("gauntlet.db", dir.join("other-name.db")).expect("linked");
    let by_name = ["serve", "--port", "0", "--database", "other-name.db"];
    let port = url.rsplit(':').next().expect("a port");
    for second in [&serve[..], &by_name, &["run", "tiny.toml", "--port", "0"], &["serve", "--port", port]] {
        let error = refuses(dir, second);
        let expected = format!("another gauntlet (process {pid}, {url}/) serves ");
        assert!(error.contains(&expected) && error.contains("one coordinator at a time"), "{error}");
        assert!(error.contains("gauntlet apply FILE") && error.contains("--database FILE"), "{error}");
    }
    // Commands that read or change the database are allowed beside the coordinator.
    assert!(says(dir, &["results", "tiny"]).contains("0 of 4 games"));
    says(dir, &["token", "add", "me"]);
    says(dir, &["db", "backup", "copy.db"]);
    assert!(says(dir, &["verify"]).contains("every total is right"));
    first.kill();
    let mut again = Process::start(dir, &serve);
    again.url();
    // A leftover lock file did not block it.
    assert!(again.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn apply_says_when_a_run_of_other_files_serves_the_database() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    // It shares no cell with the first one, and so stays open however fast that is played.
    let other = TINY.replace("\"tiny\"", "\"other\"").replace("sims = 20", "sims = 21");
    assert!(other.contains("sims = 21"));
    std::fs::write(dir.join("other.toml"), other).expect("written");
    let mut first = Process::start(dir, &[&["run", "tiny.toml", "--port", "0"], &QUICK[..]].concat());
    first.url();
    let (status, said, note) = output(dir, &["apply", "other.toml"]);
    assert!(status.success() && said.contains("other (new)"), "{said}{note}");
    assert!(note.contains("`gauntlet run` of its own files") && note.contains("start it again"), "{note}");
    for command in [&["why", "other"][..], &["status"]] {
        let (_, _, note) = output(dir, command);
        assert!(
            note.contains(
                "which plays no other experiments except their confirmations; ask it with --coordinator"
            ),
            "{command:?}: {note}"
        );
    }
    let error = refuses(dir, &["serve", "--port", "0"]);
    assert!(error.contains("start it again with all files") && !error.contains("gauntlet apply"), "{error}");
    assert!(first.stop().success());
    assert!(!output(dir, &["apply", "other.toml"]).2.contains("start it again"));
    for command in [&["why", "other"][..], &["status"]] {
        let (_, _, note) = output(dir, command);
        assert!(note.contains("no coordinator serves this database"), "{command:?}: {note}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stranger_finds_the_database_and_the_coordinator_without_being_told() {
    let home = tempfile::tempdir().expect("a directory");
    let (dir, elsewhere) = (home.path().join("here"), home.path().join("elsewhere"));
    for path in [&dir, &elsewhere] {
        std::fs::create_dir(path).expect("made");
    }
    std::fs::write(elsewhere.join("tiny.toml"), TINY).expect("written");
    for arguments in [
        &["token", "add", "me"][..],
        &["token", "join"],
        &["apply", "tiny.toml"],
        &["status"],
        &["results", "tiny"],
        &["verify"],
        &["db", "backup", "copy.db"],
    ] {
        let error = refuses(&elsewhere, arguments);
        assert!(error.contains("no database here: there is no gauntlet.db in "), "{arguments:?}: {error}");
        assert!(error.contains("`gauntlet run FILE`") && error.contains("--database FILE"), "{error}");
        let files: Vec<_> = std::fs::read_dir(&elsewhere).expect("a directory").collect();
        assert_eq!(files.len(), 1, "{arguments:?} made something: {files:?}");
    }

    says(&dir, &["init", "my-sweep.toml"]);
    let mut serving = Process::start(&dir, &["serve", "--port", "0"]);
    let url = serving.url();
    // In the directory of the database, no token is needed, and the command names the database.
    let (status, said, which) = output(&dir, &["apply", "my-sweep.toml"]);
    assert!(
        status.success() && said.contains("my-sweep (new): 20 cells, 0 of 2000 games done"),
        "{said}{which}"
    );
    assert!(which.contains(&format!("using the database {}", dir.join("gauntlet.db").display())), "{which}");
    let said = says(&dir, &["apply", "my-sweep.toml", "--db", "gauntlet.db"]);
    assert!(said.contains("known already"), "{said}");
    // From another directory, the command needs a token with the suggested scope.
    let token = says(&dir, &["token", "add", "me", "--scope", "experiment"]);
    let remote = ["--coordinator", &url, "--token", token.trim()];
    assert!(
        says(&elsewhere, &[&["apply", "tiny.toml"], &remote[..]].concat()).contains("tiny (new): 1 cell")
    );
    assert!(says(&elsewhere, &[&["status"], &remote[..]].concat()).contains("tiny"));
    assert!(says(&dir, &["results", "tiny"]).contains("0 of 4 games"));
    assert!(serving.stop().success());

    // Commands also find a coordinator on the usual port.
    let mut serving = Process::start(&dir, &["serve", "--port", "0", "--open-results"]);
    let url = serving.url();
    let port = url.trim_end_matches('/').rsplit(':').next().expect("a port");
    let mut status = gauntlet(&elsewhere, &["status"]);
    status.env("GAUNTLET_PORT", port);
    let (status, said, which) = output_of(status);
    assert!(status.success() && said.contains("my-sweep"), "{said}{which}");
    assert!(which.contains(&format!("using the coordinator at http://127.0.0.1:{port}")), "{which}");
    assert!(serving.stop().success());
    let mut lost = gauntlet(&elsewhere, &["status"]);
    lost.env("GAUNTLET_PORT", "http");
    let (status, _, error) = output_of(lost);
    assert!(!status.success() && error.contains("GAUNTLET_PORT is `http`, which is no port"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn orders_to_machines_are_told_as_they_were_given() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("games_per_cell = 4", "games_per_cell = 4000");
    std::fs::write(dir.join("tiny.toml"), long).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--open-results", "tiny.toml"]);
    let url = serving.url();
    assert!(refuses(dir, &["fleet", "pause", "ann"]).contains("no worker is called `ann`; there is none"));
    assert!(refuses(dir, &["fleet", "pause", "--all"]).contains("there is no worker yet"));
    let token = says(dir, &["token", "add", "node"]);
    let place = ["work", "--coordinator", &url, "--token", token.trim(), "--name", "ann", "--label", "lab"];
    let mut ann = Process::start(dir, &[&place, &QUICK[..]].concat());
    games_done(&url, "tiny", 2).await;
    for (order, expected) in [
        (&["pause", "nosuch"][..], "no worker is called `nosuch`; there are: ann"),
        (&["quarantine", "nosuch", "--why", "x"], "no worker is called `nosuch`; there are: ann"),
        (&["resume", "--label", "slurm"], "no worker has the label `slurm`; there are: lab"),
    ] {
        let error = refuses(dir, &[&["fleet"], order].concat());
        assert!(error.contains(expected), "{error}");
    }
    let order = |word: &str| says(dir, &["fleet", word, "ann"]);
    assert_eq!(order("pause"), "1 machine told to pause\n");
    ann.wait_for(|said| said.contains("paused by the coordinator").then_some(()));
    let knows = |overview: &Overview| overview.workers[0].no_work.is_some();
    until(&url, "overview", "the reason is stored", knows).await;
    assert!(says(dir, &["status"]).contains("  ann  1 slot, 0 pairs held, "));
    assert!(says(dir, &["status"]).contains("told to pause"));
    assert_eq!(order("resume"), "1 machine told to go on\n");
    let status = says(dir, &["status"]);
    assert!(!status.contains("pause") && !status.contains("told to"), "{status}");
    assert!(says(dir, &["audit", "--limit", "1"]).contains("  resume  machine ann  1 machine told"));
    ann.wait_for(|said| said.contains("the coordinator says to go on").then_some(()));
    assert_eq!(order("drain"), "1 machine told to finish and leave\n");
    assert!(ann.wait().success());
    // The status does not report a machine that has left as present.
    order("pause");
    let status = says(dir, &["status", "--all"]);
    assert!(status.contains("told to pause") && !status.contains("leaves"), "{status}");
    assert!(serving.stop().success());
}

#[test]
fn a_backup_counts_games_as_verify_does() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    run(dir, &["tiny.toml"]);
    let said = says(dir, &["db", "backup", "one.db"]);
    assert_eq!(said, "one.db: 1 experiment, 1 cell, 4 counted games: every total is right\n");
    let games = says(dir, &["results", "tiny", "--format", "json"]);
    let report: protocol::report::ExperimentReport = serde_json::from_str(&games).expect("a report");
    let game = protocol::ids::GameId::of(report.series[0].points[0].cell, 0, 0).to_string();
    says(dir, &["game", "exclude", &game, "--why", "to be played again"]);
    run(dir, &["tiny.toml"]);
    let said = says(dir, &["db", "backup", "two.db"]);
    assert_eq!(said, "two.db: 1 experiment, 1 cell, 4 counted games (5 plays): every total is right\n");
    assert_eq!(says(dir, &["verify"]), "1 cell, 2 pairs, 4 counted games: every total is right\n");
    // A wrong total is no reason to have no backup.
    write_into(&dir.join("gauntlet.db"), "UPDATE worker SET games = games + 1");
    let error = refuses(dir, &["db", "backup", "three.db"]);
    assert!(error.contains("the copy is complete; 1 of its totals is wrong"), "{error}");
    assert!(says(dir, &["results", "tiny", "--database", "three.db"]).contains("tiny"));
    assert!(!dir.join("three.db.part").exists());
}

#[test]
fn a_run_says_how_many_lines_it_leaves_out_and_a_shared_cell_why_it_has_more_games() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let values: Vec<String> = (1..=16).map(|k| (10 * k).to_string()).collect();
    let many = format!("sweep = {{ rave_k = [{}] }}", values.join(", "));
    std::fs::write(dir.join("many.toml"), TINY.replace("set = { rave_k = 100 }", &many)).expect("written");
    let fewer = TINY.replace("\"tiny\"", "\"fewer\"").replace("games_per_cell = 4", "games_per_cell = 2");
    std::fs::write(dir.join("fewer.toml"), fewer).expect("written");
    let (_, said) = run(dir, &["many.toml"]);
    assert!(said.contains("and 4 lines more: `gauntlet results tiny` and the page show all"), "{said}");
    let (shared, said) = run(dir, &["fewer.toml"]);
    assert!(said.contains("2 of 2 games") && !said.contains("lines more"), "{said}");
    assert!(
        shared.contains("Cells with more games than planned: another experiment shares them"),
        "{shared}"
    );
    assert!(!says(dir, &["results", "tiny"]).contains("another experiment shares them"));
}

#[test]
fn an_error_of_the_database_is_said_once() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let error = refuses(dir, &["db", "create", "--database", "nowhere/gauntlet.db"]);
    assert_eq!(error.matches("there is no such folder").count(), 1, "{error}");
    std::fs::write(dir.join("noise.db"), [7; 4096]).expect("written");
    let error = refuses(dir, &["status", "--database", "noise.db"]);
    assert_eq!(error.lines().count(), 1, "{error}");
}

#[test]
fn a_file_to_begin_with_is_written_once() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    assert_eq!(says(dir, &["init"]), "wrote experiment.toml; next: `gauntlet plan experiment.toml`\n");
    std::fs::write(dir.join("mine.toml"), "mine").expect("written");
    for file in ["experiment.toml", "mine.toml"] {
        let error = refuses(dir, &["init", file]);
        assert!(error.contains(&format!("{file} exists already and is left as it is")), "{error}");
    }
    assert_eq!(std::fs::read_to_string(dir.join("mine.toml")).expect("there"), "mine");
    let printed = says(dir, &["init", "-"]);
    assert!(printed.contains("[[baseline]]") && !dir.join("-").exists(), "{printed}");
}

#[test]
fn help_knows_commands_and_the_experiment_file() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let page = says(dir, &["help", "experiment-file"]);
    assert!(page.starts_with("# The experiment file\n") && page.contains("`games_per_cell`"), "{page}");
    for command in [&["run"][..], &["token", "add"], &["help"], &[]] {
        let long = says(dir, &[command, &["--help"]].concat());
        assert_eq!(says(dir, &[&["help"], command].concat()), long, "{command:?}");
    }
    for command in ["init", "plan", "run", "apply"] {
        let help = says(dir, &[command, "--help"]);
        let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("`gauntlet help experiment-file` describes"), "{help}");
    }
    let error = refuses(dir, &["help", "rnu"]);
    assert!(error.contains("rnu"), "{error}");
}

#[test]
fn files_that_are_no_experiments_are_told_apart() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    says(dir, &["init", "quickstart.toml"]);
    std::fs::write(dir.join("latin.toml"), b"# M\xfcller\n").expect("written");
    std::fs::write(dir.join("empty.toml"), "").expect("written");
    std::fs::create_dir(dir.join("sweeps")).expect("made");
    says(dir, &["init", "sweeps/one.toml"]);
    std::fs::write(dir.join("huge.toml"), vec![b'#'; 5 << 20]).expect("written");
    for (file, expected) in [
        ("latin.toml", "latin.toml:1:4: byte 4 of the file, 0xfc, is not UTF-8"),
        ("empty.toml", "`gauntlet init my-sweep.toml` writes one"),
        ("sweeps", "sweeps is a directory: name an experiment file in it, such as sweeps/one.toml"),
        ("quikstart.toml", "there is no file quikstart.toml; did you mean `quickstart.toml`?"),
        ("huge.toml", "larger than 4 MiB"),
    ] {
        for command in ["plan", "run", "serve", "apply"] {
            let error = refuses(dir, &[command, file]);
            assert!(error.contains(expected), "{command} {file}: {error}");
        }
    }
    let mut plan = gauntlet(dir, &["plan", "-"]);
    let mut plan = plan.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    plan.stdin.take().expect("piped").write_all(b"[play]\nseed = \"1\"\n").expect("written");
    let error = String::from_utf8(plan.wait_with_output().expect("it ends").stderr).expect("UTF-8");
    assert!(error.contains("standard input:2:8: `seed` takes a whole number"), "{error}");
}

#[test]
fn a_frozen_coordinator_still_has_its_file() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let mut frozen = Process::start(dir, &["serve", "--port", "0"]);
    frozen.url();
    kill_process(frozen.pid(), Signal::STOP).expect("a child");
    assert!(refuses(dir, &["serve", "--port", "0"]).contains("one coordinator at a time"));
    kill_process(frozen.pid(), Signal::CONT).expect("a child");
    assert!(frozen.stop().success());
}
