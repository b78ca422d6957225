//! Two coordinators with workers on one Postgres database, one of which is killed; and copies to SQLite and back.

use crate::api::{assert_totals_are_exact, assert_verified, games_done, holding};
use crate::postgres::{SERVER, find_programs, start};
use crate::process::{Process, QUICK, TINY, output};
use rustix::process::{Signal, kill_process};
use std::path::Path;

const GAMES: u64 = 600;

/// A new, empty Postgres server; none if Postgres is not installed.
pub(crate) fn postgres() -> Option<String> {
    SERVER.as_ref()?;
    find_programs().map(|programs| start(&programs))
}

fn worker(dir: &Path, name: &str, url: &str, token: &str) -> Process {
    let place = ["work", "--coordinator", url, "--token", token, "--dir", name, "--name", name];
    Process::start(dir, &[&place, &QUICK[..]].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn totals_are_exact_when_one_of_two_coordinators_of_a_postgres_is_frozen_and_killed() {
    let Some(database) = postgres() else { return };
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let long = TINY.replace("sims = 20", "sims = 1000").replace("games_per_cell = 4", "games_per_cell = 600");
    std::fs::write(dir.join("tiny.toml"), long).expect("written");
    let prints = |arguments: &[&str]| {
        let (status, stdout, stderr) = output(dir, arguments);
        assert!(status.success(), "{arguments:?}: {stdout}{stderr}");
        stdout
    };
    prints(&["db", "create", "--database", &database]);
    let add = |name| prints(&["token", "add", name, "--database", &database]).trim().to_owned();
    let (ann_token, bob_token) = (add("ann"), add("bob"));

    // Both coordinators start at the same time and apply the same file.
    let serve = ["serve", "--port", "0", "--database", &database, "tiny.toml"];
    let mut serving = [Process::start(dir, &serve), Process::start(dir, &serve)];
    let [first, second] = serving.each_mut().map(Process::url);
    let ann = worker(dir, "ann", &first, &ann_token);
    let bob = worker(dir, "bob", &second, &bob_token);

    // Each coordinator shows the workers of both.
    holding(&second, "ann").await;
    holding(&first, "bob").await;
    let done = games_done(&first, "tiny", GAMES / 8).await.summary.games_done;
    games_done(&second, "tiny", done).await;

    // A frozen coordinator does not block the other one for long, whatever it was doing.
    let [frozen, living] = serving;
    kill_process(frozen.pid(), Signal::STOP).expect("a child");
    let done = games_done(&second, "tiny", GAMES / 4).await.summary.games_done;
    kill_process(frozen.pid(), Signal::CONT).expect("a child");
    games_done(&first, "tiny", done + 2).await;

    // The coordinator is dead. Its worker continues with the other coordinator, and keeps its finished games.
    holding(&second, "ann").await;
    frozen.kill();
    ann.kill();
    let ann = worker(dir, "ann", &second, &ann_token);
    games_done(&second, "tiny", GAMES / 2).await;

    // A third coordinator replaces the dead one, with its own worker.
    let mut third = Process::start(dir, &serve);
    let third_url = third.url();
    let carol = worker(dir, "carol", &third_url, &add("carol"));
    games_done(&third_url, "tiny", GAMES).await;
    for url in [&second, &third_url] {
        assert_totals_are_exact(url, "tiny").await;
    }

    // All coordinators know that a token is revoked.
    prints(&["token", "revoke", "bob", "--database", &database]);
    bob.wait_for_end_with(|said| said.contains("revoked"));
    for url in [&second, &third_url] {
        let late = ["work", "--coordinator", url, "--token", &bob_token, "--dir", "late"];
        let (status, _, error) = output(dir, &[&late, &QUICK[..]].concat());
        assert!(status.code() == Some(3) && error.contains("revoked"), "{error}");
    }
    for worker in [ann, carol] {
        let said = worker.said();
        assert!(worker.stop().success(), "{said}");
    }
    assert_verified(dir, &database);
    assert!(living.stop().success());
    assert!(third.stop().success());

    // Copies to a file and back have the same results, and overwrite nothing.
    let results = |database: &str| prints(&["results", "tiny", "--format", "csv", "--database", database]);
    let said = prints(&["db", "copy", &database, "copy.db"]);
    assert!(said.contains("every total is right"), "{said}");
    assert_eq!(results("copy.db"), results(&database));
    let backup = prints(&["db", "backup", "backup.db", "--database", &database]);
    assert!(backup.contains("every total is right"), "{backup}");
    for arguments in
        [&["db", "restore", "backup.db", "--database", &database][..], &["db", "copy", "copy.db", &database]]
    {
        let (status, _, error) = output(dir, arguments);
        assert!(!status.success() && error.contains("not empty"), "{error}");
    }
    if let Some(other) = postgres() {
        let said = prints(&["db", "restore", "backup.db", "--database", &other]);
        assert!(said.starts_with("restored: ") && said.contains("every total is right"), "{said}");
        assert_eq!(results(&other), results(&database));
        assert_verified(dir, &other);
    }
}
