//! Games in flight survive their worker's process: after a kill, after an order to leave, and with damaged files.

use crate::api::{all_games, assert_verified, games_done, until};
use crate::process::{DEADLINE, Process, TINY, output};
use protocol::ids::{GameId, LeaseId};
use protocol::report::Overview;
use rustix::process::{Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Two slow games, by players that keep their trees.
fn slow() -> String {
    TINY.replace("\"tiny\"", "\"slow\"")
        .replace("3 = 1", "6 = 1")
        .replace("sims = 20", "sims = 2000")
        .replace("games_per_cell = 4", "games_per_cell = 2")
}

fn serve(dir: &Path) -> Process {
    std::fs::write(dir.join("slow.toml"), slow()).expect("written");
    Process::start(dir, &["serve", "--port", "0", "--database", "slow.db", "slow.toml"])
}

fn token(dir: &Path) -> String {
    output(dir, &["db", "create", "--database", "slow.db"]);
    let (status, token, stderr) = output(dir, &["token", "add", "tester", "--database", "slow.db"]);
    assert!(status.success(), "{stderr}");
    token.trim().to_owned()
}

fn worker(dir: &Path, url: &str, token: &str) -> Process {
    let mut arguments =
        vec!["work", "--coordinator", url, "--token", token, "--dir", "state", "--name", "ann"];
    arguments.extend(["--slots", "1", "--checkpoint-every", "0s"]);
    arguments.extend(["--calibration-runs", "1", "--calibration-sims", "2000"]);
    Process::start(dir, &arguments)
}

/// A game in flight, from its checkpoint in the worker's directory.
struct Kept {
    path: PathBuf,
    lease: LeaseId,
    moves: Vec<String>,
}

fn kept(dir: &Path) -> Option<Kept> {
    let entries = std::fs::read_dir(dir.join("state/checkpoints")).ok()?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let path = paths.find(|path| path.extension().is_some_and(|end| end == "checkpoint"))?;
    // The file may have been removed in the meantime.
    let content = std::fs::read(&path).ok()?;
    let line = content.split(|&byte| byte == b'\n').nth(1).expect("a line of JSON");
    let line: serde_json::Value = serde_json::from_slice(line).expect("JSON");
    let lease = line["lease"]["id"].as_str().expect("an id").parse().expect("an id");
    let moves = line["kept"]["record"]["moves"].as_str().expect("moves");
    Some(Kept { path, lease, moves: moves.split(' ').map(str::to_owned).collect() })
}

/// Waits until a checkpoint has a game of at least this many moves.
async fn under_way(dir: &Path, moves: usize) {
    let deadline = Instant::now() + DEADLINE;
    while kept(dir).is_none_or(|kept| kept.moves.len() < moves) {
        assert!(Instant::now() < deadline, "no game of {moves} moves is kept");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// Checks that a stored game equals the same game without interruption.
fn assert_replays(dir: &Path, game: GameId) {
    let (status, stdout, stderr) =
        output(dir, &["game", "replay", &game.to_string(), "--database", "slow.db"]);
    assert!(status.success(), "{stdout}{stderr}");
}

/// Waits until both games are finished. Checks that both were played under this lease, and equal uninterrupted games.
async fn assert_whole(dir: &Path, url: &str, kept: &Kept) {
    games_done(url, "slow", 2).await;
    let games = all_games(url, "slow").await;
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.lease == kept.lease), "nobody else was asked");
    let mut begun = false;
    for game in games {
        assert_replays(dir, game.id);
        let stored: protocol::games::GameReport =
            crate::api::try_get(url, &format!("games/{}", game.id)).await.expect("a game");
        begun |= stored.play.record.moves.split(' ').zip(&kept.moves).all(|(now, then)| now == then);
    }
    assert!(begun, "one of them begins with the moves that were kept");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_after_sigkill_as_if_nothing_had_happened() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let token = token(dir);
    let mut serving = serve(dir);
    let url = serving.url();
    let working = worker(dir, &url, &token);
    under_way(dir, 6).await;
    working.kill();
    let kept = kept(dir).expect("a game under way outlives its process");

    let mut working = worker(dir, &url, &token);
    working.wait_for(|said| {
        let goes_on = format!("goes on after move {}", kept.moves.len());
        said.contains(&goes_on).then_some(())
    });
    assert_whole(dir, &url, &kept).await;
    assert!(working.stop().success());
    assert!(!kept.path.exists(), "a finished game needs no checkpoint");
    assert!(serving.stop().success());
    assert_verified(dir, "slow.db");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_told_to_leave_at_once_keeps_its_game_and_its_lease_for_the_next_start() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let token = token(dir);
    let mut serving = serve(dir);
    let url = serving.url();
    let mut working = worker(dir, &url, &token);
    under_way(dir, 3).await;
    kill_process(working.pid(), Signal::TERM).expect("a child");
    working.wait_for(|said| said.contains("taking no more work").then_some(()));
    let said = working.stop_and_tell();
    assert!(
        said.contains("leaving; the games under way are kept for the next start"),
        "the second signal: {said}"
    );
    assert!(!said.contains("drop"), "{said}");
    let kept = kept(dir).expect("the game under way is on disk");
    let holds = |overview: &Overview| overview.workers[0].pairs_held == 1;
    until(&url, "overview", "the pair waits for the worker", holds).await;

    let working = worker(dir, &url, &token);
    assert_whole(dir, &url, &kept).await;
    assert!(working.said().contains("goes on after move"), "{}", working.said());
    assert!(working.stop().success());
    assert!(serving.stop().success());
    assert_verified(dir, "slow.db");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_whose_checkpoint_is_spoilt_is_played_again_from_its_start() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    let token = token(dir);
    let mut serving = serve(dir);
    let url = serving.url();
    let working = worker(dir, &url, &token);
    under_way(dir, 3).await;
    working.kill();
    let kept = kept(dir).expect("a game under way outlives its process");
    let mut content = std::fs::read(&kept.path).expect("read");
    let middle = content.len() / 2;
    content[middle] ^= 1;
    std::fs::write(&kept.path, content).expect("written");

    let mut working = worker(dir, &url, &token);
    working.wait_for(|said| said.contains("its checksum does not match").then_some(()));
    games_done(&url, "slow", 2).await;
    for game in all_games(&url, "slow").await {
        assert_replays(dir, game.id);
    }
    assert!(working.stop().success());
    assert!(serving.stop().success());
    assert_verified(dir, "slow.db");
}
