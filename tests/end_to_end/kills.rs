//! Workers and coordinators that are killed at critical moments. Afterwards every total must be exact.

use crate::api::{all_games, assert_totals_are_exact, assert_verified, games_done, holding};
use crate::process::{Process, QUICK, output, spooled};
use crate::proxy::{Cut, Proxy};
use std::path::Path;

const EXPERIMENT: &str = r#"
[experiment]
name = "kills"
question = "Does anything get lost when everything dies?"

[[baseline]]
id = "uct"
preset = "uct"

[[test]]
id = "rave"
set = { exploration = 0 }
sweep = { rave_k = [50, 500] }

[sizes]
3 = 1
4 = 1
5 = 1

[[budget]]
id = "quick"
sims = 600

[play]
games_per_cell = 100
opening_plies = 2
"#;
const GAMES: u64 = 600;
const CALIBRATION: [&str; 4] = ["--calibration-runs", "1", "--calibration-sims", "2000"];

fn worker(dir: &Path, name: &str, url: &str, token: &str) -> Process {
    let state = format!("worker-{name}");
    let mut arguments = vec!["work", "--coordinator", url, "--token", token, "--dir", &state, "--name", name];
    arguments.extend(QUICK);
    Process::start(dir, &arguments)
}

fn coordinator(dir: &Path, port: &str) -> Process {
    Process::start(dir, &["serve", "--port", port, "--database", "kills.db", "kills.toml"])
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "the simulation and the chaos on Postgres show the same; --thorough"]
async fn totals_are_exact_after_workers_and_coordinators_were_killed_in_mid_game_and_in_mid_call() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("kills.toml"), EXPERIMENT).expect("written");
    output(dir, &["db", "create", "--database", "kills.db"]);
    let (status, token, stderr) = output(dir, &["token", "add", "tester", "--database", "kills.db"]);
    assert!(status.success(), "{stderr}");
    let token = token.trim();

    let mut serving = coordinator(dir, "0");
    let url = serving.url();
    let port = url.rsplit(':').next().expect("a port").to_owned();
    let proxy = Proxy::to(&url).await;
    let names = ["ann", "bob"];
    let mut workers = names.map(|name| Some(worker(dir, name, &proxy.url, token)));

    // Each round kills a worker during a game and the coordinator during a call, and starts both again.
    let cuts = [Cut::BeforeAnswer, Cut::AfterRequest, Cut::BeforeAnswer, Cut::AfterRequest];
    for (round, cut) in cuts.into_iter().enumerate() {
        games_done(&url, "kills", GAMES * (round as u64 + 1) / 8).await;
        let victim = round % workers.len();
        holding(&url, names[victim]).await;
        workers[victim].take().expect("running").kill();

        // The victim is still dead, so that the interrupted call delivers games of another worker.
        proxy.kill_in_mid_call(cut, serving.pid()).await;
        assert!(!serving.wait().success(), "killed");
        workers[victim] = Some(worker(dir, names[victim], &proxy.url, token));
        serving = coordinator(dir, &port);
        assert_eq!(serving.url(), url);
    }

    let report = games_done(&url, "kills", GAMES).await;
    assert_eq!(report.summary.games_done, GAMES, "the kills came while there were games to play");
    for worker in workers.into_iter().flatten() {
        let said = worker.said();
        assert!(worker.stop().success(), "{said}");
    }
    for name in names {
        assert_eq!(spooled(&dir.join(format!("worker-{name}"))), 0, "{name} delivered everything");
    }
    assert_totals_are_exact(&url, "kills").await;

    // With a budget in simulations, every game can be replayed exactly.
    for game in all_games(&url, "kills").await.iter().step_by(150) {
        let (status, stdout, stderr) =
            output(dir, &["game", "replay", &game.id.to_string(), "--database", "kills.db"]);
        assert!(status.success(), "{stdout}{stderr}");
    }
    assert!(serving.stop().success());
    assert_verified(dir, "kills.db");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_killed_goes_on_where_it_was() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("kills.toml"), EXPERIMENT).expect("written");
    let mut arguments = vec!["run", "kills.toml", "--database", "run.db", "--port", "0", "--exit-when-done"];
    arguments.extend(CALIBRATION);
    let mut done = 0;
    for round in 1..=3 {
        let mut running = Process::start(dir, &arguments);
        let url = running.url();
        let report = games_done(&url, "kills", GAMES * round / 5).await;
        assert!(report.summary.games_done >= done, "what was done stays done");
        done = report.summary.games_done;
        running.kill();
    }
    let (status, stdout, stderr) = output(dir, &arguments);
    assert!(status.success(), "{stderr}");
    assert!(stdout.contains("rave_k=500"), "a table of results:\n{stdout}");
    assert!(!stderr.contains(" 0 of 600 games done"), "it did not begin anew:\n{stderr}");
    assert_verified(dir, "run.db");

    let mut serving = Process::start(dir, &["serve", "--port", "0", "--database", "run.db"]);
    assert_totals_are_exact(&serving.url(), "kills").await;
    assert!(serving.stop().success());
    let again = output(dir, &arguments);
    assert!(
        again.0.success() && again.2.contains("600 of 600 games done"),
        "nothing is left to do: {}",
        again.2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_told_to_stop_keeps_no_lease_but_those_of_games_under_way() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::write(dir.join("kills.toml"), EXPERIMENT).expect("written");
    let mut arguments = vec!["run", "kills.toml", "--port", "0"];
    arguments.extend(CALIBRATION);
    let mut running = Process::start(dir, &arguments);
    games_done(&running.url(), "kills", 10).await;
    assert!(running.stop().success());

    let mut serving = Process::start(dir, &["serve", "--port", "0"]);
    let report = games_done(&serving.url(), "kills", 10).await;
    let kept = std::fs::read_dir(dir.join("gauntlet.db.worker/checkpoints")).expect("a directory").count();
    assert_eq!(report.summary.pairs_in_flight, kept as u64);
    assert!(report.summary.games_done < GAMES);
    assert!(serving.stop().success());
    assert_verified(dir, "gauntlet.db");
}
