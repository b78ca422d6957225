//! Changes by an operator, beside the database and over the network.

use crate::api::{all_games, games_done, try_get, until};
use crate::process::{Process, QUICK, TINY, output, says};
use protocol::games::{GameStatus, GamesPage};
use protocol::report::Overview;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[tokio::test(flavor = "multi_thread")]
async fn games_are_excluded_and_put_back_by_command_and_everything_is_noted() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let quick = ["--calibration-runs", "1", "--calibration-sims", "2000"];
    says(dir, &[&["run", "tiny.toml", "--port", "0", "--exit-when-done"], &quick[..]].concat());
    let token = says(dir, &["token", "add", "ada", "--scope", "admin"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let url = serving.url();
    let game = all_games(&url, "tiny").await[0].id.to_string();

    for (place, who) in [(vec![], "@"), (vec!["--coordinator", &url, "--token", token.trim()], "ada")] {
        let command = |words: &[&str]| says(dir, &[words, &place].concat());
        assert!(command(&["game", "exclude", &game, "--why", "too hot"]).contains("gauntlet game restore"));
        assert!(says(dir, &["results", "tiny"]).contains("3 of 4 games"));
        assert!(command(&["game", "restore", &game]).contains("counted"));
        assert!(says(dir, &["results", "tiny"]).contains("4 of 4 games"));
        assert!(command(&["retry", "tiny"]).contains("nothing of tiny is set aside"));
        let noted = command(&["audit", "--limit", "2"]);
        let lines: Vec<&str> = noted.lines().collect();
        assert!(lines[0].contains("restore") && lines[0].contains(&game), "{noted}");
        assert!(lines[1].contains("exclude") && lines[1].contains("too hot"), "{noted}");
        assert!(lines[..2].iter().all(|line| line.contains(who)), "{noted}");
    }
    assert!(serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_listed_without_secrets_and_revoked_at_once_and_a_run_leaves_none() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let quick = ["--calibration-runs", "1", "--calibration-sims", "2000"];
    says(dir, &[&["run", "tiny.toml", "--port", "0", "--exit-when-done"], &quick[..]].concat());
    assert_eq!(says(dir, &["token", "list"]), "");

    let admin = says(dir, &["token", "add", "ada", "--scope", "admin"]);
    let worker = says(dir, &["token", "add", "node7"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let url = serving.url();
    let remote = ["--coordinator", &url, "--token", admin.trim()];
    let list = says(dir, &[&["token", "list"], &remote[..]].concat());
    assert!(list.contains("node7  work") && list.contains("ada    admin"), "{list}");
    assert!(!list.contains(worker.trim()) && !list.contains(admin.trim()));
    let apply =
        |token: &str| output(dir, &["apply", "tiny.toml", "--coordinator", &url, "--token", token.trim()]);
    let (status, _, error) = apply(&worker);
    assert!(
        !status.success() && error.contains("`experiment`") && error.contains("`node7` allows only: work"),
        "{error}"
    );
    assert!(apply(&admin).0.success());

    let work = ["work", "--coordinator", &url, "--token", worker.trim(), "--slots", "1"];
    let mut working = Process::start(dir, &work);
    working.wait_for(|said| said.contains("the coordinator answers").then_some(()));
    says(dir, &[&["token", "revoke", "node7"], &remote[..]].concat());
    working.wait_for_end_with(|said| said.contains("revoked"));
    assert!(says(dir, &["token", "list"]).contains("revoked 20"));
    says(dir, &["token", "revoke", "ada"]);
    let (status, _, error) = apply(&admin);
    assert!(!status.success() && error.contains("unknown here, was revoked"), "{error}");
    assert!(serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_database_is_restored_from_a_backup_taken_while_games_were_played() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("games_per_cell = 4", "games_per_cell = 400").replace("sims = 20", "sims = 4000");
    std::fs::write(dir.join("tiny.toml"), long).expect("written");
    let run = ["run", "tiny.toml", "--port", "0", "--exit-when-done", "--slots", "1"];
    let run = [&run[..], &["--calibration-runs", "1", "--calibration-sims", "2000"]].concat();
    let mut running = Process::start(dir, &run);
    let url = running.url();
    crate::api::games_done(&url, "tiny", 10).await;
    let said = says(dir, &["db", "backup", "backup.db"]);
    assert!(said.contains("1 experiment, 1 cell, ") && said.contains("every total is right"), "{said}");
    let mode = dir.join("backup.db").metadata().expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it holds digests of tokens");
    let (status, _, error) = output(dir, &["db", "backup", "backup.db"]);
    assert!(!status.success() && error.contains("never overwrites a file"), "{error}");
    // SQLite would play the log of another database into a new file of its name.
    std::fs::write(dir.join("second.db-wal"), "left").expect("written");
    let (status, _, error) = output(dir, &["db", "backup", "second.db"]);
    assert!(!status.success() && error.contains("second.db-wal exists already"), "{error}");
    assert!(!dir.join("second.db").exists() && dir.join("second.db-wal").exists());
    let (status, _, error) = output(dir, &["db", "restore", "backup.db"]);
    assert!(!status.success() && error.contains("not empty"), "{error}");
    assert!(says(dir, &["status"]).contains("of 400 games"));
    assert!(says(dir, &["why", "tiny"]).contains("games missing"));
    assert!(says(dir, &["why", "tiny", "--coordinator", &url]).contains("experiment tiny:"));
    running.kill();

    // What a killed coordinator leaves is a file and its log.
    for suffix in ["", "-wal"] {
        std::fs::copy(dir.join(format!("gauntlet.db{suffix}")), dir.join(format!("left.db{suffix}")))
            .expect("left behind");
    }
    let said = says(dir, &["db", "restore", "left.db", "--database", "from-left.db"]);
    let left = said.strip_prefix("restored: ").expect("totals");
    assert!(says(dir, &["db", "copy", "gauntlet.db", "direct.db"]).contains(left), "{left}");

    // The database is lost, and the run continues from the backup.
    for name in ["gauntlet.db", "gauntlet.db-wal", "gauntlet.db-shm"] {
        let _ = std::fs::remove_file(dir.join(name));
    }
    let before = std::fs::read(dir.join("backup.db")).expect("a backup");
    // A backup may lie on a disk that is read-only.
    let away = dir.join("away");
    std::fs::create_dir(&away).expect("made");
    std::fs::rename(dir.join("backup.db"), away.join("backup.db")).expect("moved");
    let set = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("set");
    set(&away.join("backup.db"), 0o400);
    set(&away, 0o500);
    let said = says(dir, &["db", "restore", "away/backup.db"]);
    set(&away, 0o700);
    assert!(said.starts_with("restored: ") && said.contains("every total is right"), "{said}");
    assert_eq!(std::fs::read(away.join("backup.db")).expect("a backup"), before, "it stays as it was");
    let (status, _, error) = output(dir, &run);
    assert!(status.success() && !error.contains(" 0 of 400 games done"), "{error}");
    says(dir, &["db", "verify"]);
    assert!(says(dir, &["db", "copy", "gauntlet.db", "other.db"]).contains("400 counted games"));
    assert!(says(dir, &["results", "tiny", "--database", "other.db"]).contains("400 of 400 games"));
    assert!(
        says(dir, &["db", "prune", "--older-than", "1d", "--database", "other.db"])
            .contains("no moves are that old")
    );
    let left: Vec<String> = std::fs::read_dir(dir)
        .expect("a directory")
        .map(|entry| entry.expect("entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.contains(".part") || name.contains(".restoring"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_is_for_those_with_a_token_on_this_machine_too() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start_closed(dir, &["serve", "--port", "0", "tiny.toml"]);
    let url = serving.url();
    serving.wait_for(|said| said.contains("gauntlet token add me --scope admin").then_some(()));
    assert!(says(dir, &["results", "tiny"]).contains("0 of 4 games"), "beside the database nobody needs one");
    let ask = ["results", "tiny", "--coordinator", &url];
    let (status, _, error) = output(dir, &ask);
    assert!(!status.success() && error.contains("`read`"), "{error}");
    let token = says(dir, &["token", "add", "guest", "--scope", "read"]);
    let shown = says(dir, &[&ask, &["--token", token.trim()][..]].concat());
    assert!(shown.contains("0 of 4 games"), "{shown}");
    assert!(says(dir, &["status", "--coordinator", &url, "--token", token.trim()]).contains("tiny"));
    assert_eq!(says(dir, &["token", "pages"]), "", "nobody is signed in");
    assert!(serving.stop().success());
    let open = ["serve", "--listen", "0.0.0.0:0", "--open-results"];
    let mut serving = Process::start_closed(dir, &open);
    let port = serving.url().rsplit(':').next().expect("a port").to_owned();
    let url = format!("http://127.0.0.1:{port}");
    assert!(says(dir, &["results", "tiny", "--coordinator", &url]).contains("0 of 4 games"));
    assert!(serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn games_with_a_budget_in_time_are_played_again_alike_by_another_machine() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let timed = TINY.replace("sims = 20", "reference_seconds = 0.002").replace("3 = 1", "4 = 1");
    std::fs::write(dir.join("tiny.toml"), timed).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "--replay-share", "1", "tiny.toml"]);
    let url = serving.url();
    let start = |name: &str| {
        // Each machine has its own token, because machines with the same token do not check each other.
        let token = says(dir, &["token", "add", name]);
        let place = ["work", "--coordinator", &url, "--token", token.trim(), "--dir", name, "--name", name];
        Process::start(dir, &[&place[..], &QUICK].concat())
    };
    let first = start("ann");
    games_done(&url, "tiny", 4).await;
    let second = start("bob");
    let again = |page: &GamesPage| {
        page.games
            .iter()
            .filter(|game| game.status == GameStatus::Superseded && game.worker_name == "bob")
            .count()
    };
    until(&url, "experiments/tiny/games", "every game twice", |page| again(page) == 4).await;
    let overview: Overview = try_get(&url, "overview").await.expect("an overview");
    assert!(overview.workers.iter().all(|worker| worker.quarantine.is_none()), "{overview:#?}");
    let noted = says(dir, &["audit"]);
    assert!(!noted.contains("dispute"), "{noted}");

    let out = says(dir, &["game", "exclude", "--worker", "ann", "--since", "1d", "--reason", "it was hot"]);
    assert!(out.contains("took 4 games of machine ann out of the results"), "{out}");
    assert!(out.contains("`gauntlet game restore --worker ann`"), "{out}");
    let back = says(dir, &["game", "restore", "--worker", "ann"]);
    assert!(back.starts_with("put back 4 games of machine ann"), "{back}");

    let say = |words: &[&str]| says(dir, &[&["fleet"], words].concat());
    assert!(say(&["quarantine", "bob", "--why", "its memory fails"]).contains("1 machine put in quarantine"));
    assert!(says(dir, &["status"]).contains("IN QUARANTINE: its memory fails"));
    assert!(says(dir, &["why", "bob"]).contains("`gauntlet fleet release`"));
    assert!(say(&["release", "bob"]).contains("1 machine released"));
    assert!(!says(dir, &["status"]).contains("QUARANTINE"));
    assert!(first.stop().success() && second.stop().success() && serving.stop().success());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_with_too_little_memory_is_idle_and_says_why_wherever_it_is_asked() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    says(dir, &["db", "create"]);
    let token = says(dir, &["token", "add", "me"]);
    let mut serving = Process::start(dir, &["serve", "--port", "0", "tiny.toml"]);
    let url = serving.url();
    let work = ["work", "--coordinator", &url, "--token", token.trim(), "--slots", "1", "--name", "small"];
    let work =
        [&work[..], &["--calibration-runs", "1", "--calibration-sims", "2000", "--memory-per-slot"]].concat();
    let (status, _, error) = output(dir, &[&work[..], &["2"]].concat());
    assert!(status.code() == Some(2) && error.contains("2GiB"), "{error}");

    let mut working = Process::start(dir, &[&work[..], &["1MiB"]].concat());
    working.wait_for(|said| said.contains("1 slot with 1 MiB each").then_some(()));
    working.wait_for(|said| said.contains("what is left may need 2 MiB a slot").then_some(()));
    assert!(says(dir, &["why", "small"]).contains("it has 1 MiB a slot"));
    assert!(says(dir, &["status"]).contains("may need 2 MiB a slot"));
    assert!(says(dir, &["why", "tiny"]).contains("the most is 1 MiB"));
    assert!(working.stop().success());
    // With its default memory, the worker plays the games.
    says(dir, &[&work[..work.len() - 1], &["--max-games", "4"]].concat());
    games_done(&url, "tiny", 4).await;
    assert!(serving.stop().success());
}

#[test]
fn the_health_check_of_the_compose_file_tells_whether_results_can_be_stored() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let port = serving.url().rsplit(':').next().expect("a port").to_owned();
    let compose = include_str!("../../deploy/compose.yaml");
    let line = compose.lines().find_map(|line| line.trim().strip_prefix("test: [\"CMD\", \"gauntlet\", "));
    let words: Vec<String> = serde_json::from_str(&format!("[{}", line.expect("a check"))).expect("words");
    let words: Vec<String> = words.iter().map(|word| word.replace("8437", &port)).collect();
    // The check runs in another directory than the database.
    let other = tempfile::tempdir().expect("a directory");
    let check = || output(other.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
    let (status, said, error) = check();
    assert!(status.success() && said == "ready\n", "{said}{error}");
    assert!(serving.stop().success());
    let (status, said, error) = check();
    assert!(status.code() == Some(1) && said.is_empty() && error.contains("cannot reach"), "{said}{error}");
}
