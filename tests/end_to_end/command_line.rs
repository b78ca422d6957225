//! Errors and output of the command line.

use crate::process::{DEADLINE, Process, QUICK, TINY, gauntlet, output};
use std::path::Path;
use std::time::{Duration, Instant};

fn fails(dir: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let (status, stdout, stderr) = output(dir, arguments);
    assert!(!status.success(), "{arguments:?}: {stdout}");
    assert!(stdout.is_empty(), "errors go to standard error: {stdout}");
    (status.code(), stderr)
}

#[test]
fn a_busy_port_is_an_error_that_names_the_option() {
    let home = tempfile::tempdir().expect("a directory");
    std::fs::write(home.path().join("tiny.toml"), TINY).expect("written");
    let busy = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = busy.local_addr().expect("bound").port().to_string();
    for arguments in [&["run", "tiny.toml", "--port", &port][..], &["serve", "--port", &port]] {
        let (code, error) = fails(home.path(), arguments);
        assert_eq!(code, Some(1));
        assert!(error.contains("--port") && error.contains(&port), "{error}");
    }
    assert!(!home.path().join("gauntlet.db").exists(), "nothing was begun");
}

#[test]
fn a_wrong_experiment_file_is_shown_with_its_line() {
    let home = tempfile::tempdir().expect("a directory");
    std::fs::write(home.path().join("bad.toml"), TINY.replace("rave_k", "rave_kk")).expect("written");
    for command in ["run", "plan", "serve"] {
        let (_, error) = fails(home.path(), &[command, "bad.toml"]);
        assert!(error.contains("rave_kk") && error.contains("rave_k`"), "{error}");
        assert!(error.contains("bad.toml:9:9"), "{error}");
    }
    let (_, error) = fails(home.path(), &["run", "absent.toml"]);
    assert!(error.contains("absent.toml"), "{error}");
}

#[test]
fn several_experiments_are_run_side_by_side() {
    let home = tempfile::tempdir().expect("a directory");
    let write = |file: &str, text: String| std::fs::write(home.path().join(file), text).expect("written");
    write("tiny.toml", TINY.to_owned());
    write("again.toml", TINY.replace("sims = 20", "sims = 10"));
    write("other.toml", TINY.replace("\"tiny\"", "\"other\"").replace("sims = 20", "sims = 30"));
    let (_, error) = fails(home.path(), &["run", "tiny.toml", "again.toml"]);
    assert!(error.contains("tiny.toml and again.toml are both called `tiny`"), "{error}");
    let arguments =
        [&["run", "tiny.toml", "other.toml", "--port", "0", "--exit-when-done"][..], &QUICK].concat();
    let (status, stdout, stderr) = output(home.path(), &arguments);
    assert!(status.success(), "{stderr}");
    for name in ["tiny", "other"] {
        assert!(stdout.contains(&format!("\n{name}: Is it alive?\n")), "{stdout}");
        assert_eq!(stderr.matches(&format!("\n{name}: 4 of 4 games")).count(), 1, "{stderr}");
    }
    assert_eq!(stdout.matches("4 of 4 games").count(), 2, "{stdout}");
}

#[test]
fn a_worker_with_a_wrong_token_stops_and_says_why() {
    let home = tempfile::tempdir().expect("a directory");
    let mut serving = Process::start(home.path(), &["serve", "--port", "0"]);
    let url = serving.url();
    // An address without a scheme is one of HTTP.
    for address in [url.as_str(), url.trim_start_matches("http://")] {
        let (code, error) =
            fails(home.path(), &["work", "--coordinator", address, "--token", "wrong", "--slots", "1"]);
        assert_eq!(code, Some(3), "{error}");
        assert!(error.contains("token"), "{error}");
    }
}

#[test]
fn a_second_worker_in_the_same_directory_is_refused_politely() {
    let home = tempfile::tempdir().expect("a directory");
    // No coordinator is needed: a worker waits for it.
    let arguments =
        ["work", "--coordinator", "http://127.0.0.1:9", "--token", "x", "--slots", "1", "--dir", "here"];
    let mut first = Process::start(home.path(), &arguments);
    first.wait_for(|said| said.contains("cannot be reached").then_some(()));
    let (code, error) = fails(home.path(), &arguments);
    assert_eq!(code, Some(1));
    assert!(error.contains("another worker") && error.contains("here") && error.contains("--dir"), "{error}");
    assert!(first.stop().success());
}

#[test]
fn an_experiment_is_applied_over_the_network_and_its_results_are_printed_in_every_format() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    output(dir, &["db", "create"]);
    let (_, token, _) = output(dir, &["token", "add", "me", "--scope", "work,experiment"]);
    let token = token.trim();
    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let url = serving.url();
    for expected in ["new", "known already"] {
        let (status, said, error) =
            output(dir, &["apply", "tiny.toml", "--coordinator", &url, "--token", token]);
        assert!(status.success() && said.contains(expected), "{said}{error}");
    }
    let worked = output(
        dir,
        &[
            "work",
            "--coordinator",
            &url,
            "--token",
            token,
            "--slots",
            "1",
            "--max-games",
            "4",
            "--calibration-runs",
            "1",
            "--calibration-sims",
            "2000",
        ],
    );
    assert!(worked.0.success(), "{}", worked.2);
    assert!(worked.2.contains("all games are delivered: 4 games finished here"), "a sum: {}", worked.2);
    assert!(!worked.2.contains(" moves "), "and no line a game: {}", worked.2);

    for source in [&["--coordinator", &url][..], &[]] {
        for (format, expected) in [("table", "4 of 4 games"), ("json", "\"games_done\": 4"), ("csv", "rave,")]
        {
            for experiment in ["tiny", "tiny.toml"] {
                let mut arguments = vec!["results", experiment, "--format", format];
                arguments.extend(source);
                let (status, results, error) = output(dir, &arguments);
                assert!(status.success() && results.contains(expected), "{arguments:?}: {results}{error}");
            }
        }
    }
    for source in [&["--coordinator", &url][..], &[]] {
        let only = output(dir, &[&["results", "--format", "csv"], source].concat());
        assert_eq!(only, output(dir, &[&["results", "tiny", "--format", "csv"], source].concat()));
        let (_, error) = fails(dir, &[&["results", "tinny"], source].concat());
        assert!(error.contains("`tinny`; did you mean `tiny`?"), "{error}");
    }
    assert!(serving.stop().success());
}

#[test]
fn a_second_run_on_the_same_database_changes_nothing_and_a_run_goes_on_with_the_next_revision() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("3 = 1", "6 = 1").replace("games_per_cell = 4", "games_per_cell = 40000");
    std::fs::write(dir.join("long.toml"), &long).expect("written");
    std::fs::write(dir.join("other.toml"), long.replace("rave_k = 100", "rave_k = 200")).expect("written");
    let run = |file| ["run", file, "--port", "0", "--slots", "1", "--calibration-runs", "1"];
    let mut first = Process::start(dir, &run("long.toml"));
    let url = first.url();
    let (code, error) = fails(dir, &run("other.toml"));
    assert_eq!(code, Some(1));
    assert!(error.contains("gauntlet.db") && error.contains("--database"), "{error}");
    let (_, results, _) = output(dir, &["results", "tiny", "--format", "json"]);
    assert!(results.contains("\"state\": \"active\"") && !results.contains("200"), "{results}");

    let (_, token, _) = output(dir, &["token", "add", "me", "--scope", "work,experiment"]);
    let apply = ["apply", "other.toml", "--coordinator", &url, "--token", token.trim()];
    let (status, said, error) = output(dir, &apply);
    assert!(
        status.success() && said.contains("tiny (revision 2: 1 cell added, 1 cell closed): 1 cell"),
        "{said}{error}"
    );
    // The worker of the run plays the new cell.
    let deadline = Instant::now() + DEADLINE;
    while output(dir, &["results", "tiny", "--format", "json"]).1.contains("\"pairs_in_flight\": 0") {
        assert!(Instant::now() < deadline, "the new cell is not played");
        std::thread::sleep(Duration::from_millis(100));
    }
    let older = ["apply", "long.toml", "--database", "gauntlet.db"];
    let (code, error) = fails(dir, &older);
    assert!(code == Some(1) && error.contains("revision 1 of `tiny`, which revision 2 replaced"), "{error}");
    let (status, said, _) = output(dir, &[&older[..], &["--supersede"]].concat());
    assert!(status.success() && said.contains("tiny (revision 3: 1 cell reopened, 1 cell closed)"), "{said}");
    assert!(first.stop().success());
}

#[test]
fn help_shows_no_secret_of_the_environment() {
    let home = tempfile::tempdir().expect("a directory");
    for command in [
        "run",
        "serve",
        "work",
        "apply",
        "results",
        "verify",
        "game replay",
        "token add",
        "audit",
        "game exclude",
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let mut help = gauntlet(home.path(), &arguments);
        help.env("GAUNTLET_DATABASE", "postgres://lab:secret@host/x").env("GAUNTLET_TOKEN", "secret");
        let help = help.output().expect("the program starts");
        let text = String::from_utf8(help.stdout).expect("UTF-8");
        assert!(help.status.success() && text.contains("GAUNTLET_") && !text.contains("secret"), "{text}");
    }
}

#[test]
fn settings_of_the_environment_contradict_no_option() {
    let home = tempfile::tempdir().expect("a directory");
    let busy = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = busy.local_addr().expect("bound").port().to_string();
    let far = "http://127.0.0.1:1";
    for (name, value, arguments, status, expected) in [
        (
            "GAUNTLET_DATABASE",
            "postgres://host/x",
            &["game", "replay", "--file", "absent.json"][..],
            1,
            "absent.json",
        ),
        ("GAUNTLET_LISTEN", "127.0.0.1:1", &["serve", "--port", &port], 1, &format!("127.0.0.1:{port}")),
        ("GAUNTLET_COORDINATOR", far, &["why", "tiny"], 1, far),
        ("GAUNTLET_COORDINATOR", far, &["why", "tiny", "--database", "near.db"], 1, "near.db"),
        (
            "GAUNTLET_COORDINATOR",
            far,
            &["why", "tiny", "--database", "near.db", "--coordinator", far],
            2,
            "two places",
        ),
        ("GAUNTLET_COORDINATOR", far, &["compare", "absent", "--with", "absent.csv"], 1, "absent.csv"),
    ] {
        let ended = gauntlet(home.path(), arguments).env(name, value).output().expect("the program starts");
        let error = String::from_utf8(ended.stderr).expect("UTF-8");
        assert_eq!(ended.status.code(), Some(status), "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn only_what_plays_or_serves_makes_a_database() {
    let home = tempfile::tempdir().expect("a directory");
    std::fs::write(home.path().join("tiny.toml"), TINY).expect("written");
    let game = "00000000-0000-4000-8000-000000000000";
    for arguments in [
        &["results", "tiny"][..],
        &["verify"],
        &["game", "replay", game],
        &["token", "add", "me"],
        &["token", "join"],
        &["apply", "tiny.toml"],
        &["db", "backup", "copy.db"],
    ] {
        let (code, error) = fails(home.path(), &[arguments, &["--database", "typo.db"]].concat());
        assert_eq!(code, Some(1), "{error}");
        assert!(error.contains("typo.db"), "{error}");
        assert!(!home.path().join("typo.db").exists(), "{arguments:?}");
    }
}

#[test]
fn the_table_of_parameters_is_complete() {
    let home = tempfile::tempdir().expect("a directory");
    let (status, table, _) = output(home.path(), &["params"]);
    assert!(status.success());
    for info in engine::havannah::Params::TABLE {
        assert!(table.contains(info.name) && table.contains(info.meaning), "{}", info.name);
    }
    let (_, error) = fails(home.path(), &["params", "warp"]);
    assert!(error.contains("warp"), "{error}");
}

#[test]
fn help_teaches_by_example() {
    let home = tempfile::tempdir().expect("a directory");
    for command in ["run", "serve", "work", "apply", "results"] {
        let (status, help, _) = output(home.path(), &[command, "--help"]);
        assert!(status.success() && help.contains("Example"), "{command}: {help}");
        assert!(help.contains(&format!("gauntlet {command}")), "{command}: {help}");
    }
}
