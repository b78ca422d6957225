//! A disk that is really full: a small file system, which only root can mount.

use crate::http::{bare, text};
use crate::play::{Worker, assert_verified, cell, experiment, play_all};
use axum::http::{Request, StatusCode};
use coordinator::{Clock, Config, Coordinator};
use protocol::result::FinishedGame;
use protocol::sync::AckStatus::{Accepted, Duplicate};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// A file system of 64 MiB in memory.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn new() -> Option<Self> {
        let dir = tempfile::tempdir().expect("a directory");
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "none"]).arg(dir.path()).status();
        if mount.is_ok_and(|status| status.success()) {
            return Some(Self(dir));
        }
        // Written directly, because the test runner captures the output of passing tests.
        writeln!(std::io::stderr(), "\nSKIPPED: a disk that can be filled can only be made as root")
            .expect("stderr");
        None
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Another program gives back what it took.
    fn make_room(&self) {
        std::fs::remove_file(self.path("other")).expect("it was filled");
    }

    /// Fills the rest of the disk.
    fn fill(&self) {
        let mut file =
            std::fs::File::options().append(true).create(true).open(self.path("other")).expect("a file");
        for block in [1 << 16, 1 << 12, 1] {
            while file.write_all(&vec![7; block]).is_ok() {}
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0.path()).status();
    }
}

fn config(database: &Path, clock: &Clock) -> Config {
    Config { clock: clock.clone(), ..Config::new(database.display().to_string()) }
}

async fn ready(coordinator: &Coordinator) -> (StatusCode, String) {
    text(coordinator, bare(Request::get("/readyz").header("host", "localhost"))).await
}

/// Plays a pair. The error has the games that could not be stored, and the reason.
async fn play_one(coordinator: &Coordinator, worker: &mut Worker) -> Result<(), (Vec<FinishedGame>, String)> {
    let answer = coordinator.sync(worker.request(Vec::new(), 1)).await;
    let mut leases = answer.map_err(|error| (Vec::new(), error.to_string()))?.leases;
    worker.hold(&leases);
    let lease = leases.pop().expect("a lease");
    let games = play_all(&lease, 7);
    let stored = coordinator.sync(worker.request(games.clone(), 0)).await;
    stored.map_err(|error| (games, error.to_string()))?;
    worker.drop_lease(&lease);
    Ok(())
}

#[tokio::test]
async fn a_full_disk_is_named_and_results_are_stored_again_once_there_is_room() {
    let Some(disk) = SmallDisk::new() else { return };
    let (path, clock) = (disk.path("g.db"), Clock::manual(1_700_000_000_000));
    let coordinator = Coordinator::open(config(&path, &clock)).await.expect("open");
    coordinator.apply(&experiment("one", vec![cell(500, 4, 50_000, 1.0)])).await.expect("apply");
    let stop = CancellationToken::new();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let serving = tokio::spawn(coordinator.serve(listener, stop.clone()));
    let mut worker = Worker::new();
    for _ in 0..20 {
        play_one(&coordinator, &mut worker).await.expect("there is room");
    }
    assert_eq!(ready(&coordinator).await.0, StatusCode::OK);
    // At the first write that fails, a worker has nothing to deliver if that write was to give it a lease.
    let lease = worker.take(&coordinator, 1).await.remove(0);
    let waiting = play_all(&lease, 8);

    disk.fill();
    let mut failed = None;
    for _ in 0..20_000 {
        if let Err(why) = play_one(&coordinator, &mut worker).await {
            failed = Some(why);
            break;
        }
    }
    let (mut games, why) = failed.expect("there is no room left");
    games.extend(waiting);
    let named = |text: &str| text.contains("g.db cannot be written") && text.contains("free on its disk");
    assert!(named(&why), "{why}");
    let (status, why) = ready(&coordinator).await;
    assert!(status == StatusCode::SERVICE_UNAVAILABLE && named(&why), "{status} {why}");
    let overview = coordinator.overview().await.expect("pages are shown");
    assert!(overview.trouble.as_deref().is_some_and(named), "{:?}", overview.trouble);
    let line = &overview.experiments[0];
    let stalled = line.stalled.as_deref().unwrap_or_default();
    assert!(stalled.starts_with("results cannot be stored") && line.seconds_left.is_none(), "{line:?}");
    clock.advance(3_600_000);
    for key in ["one", &worker.id.to_string()] {
        let reasons = coordinator.why(key).await.expect("why").reasons.join("\n");
        assert!(named(&reasons) && !reasons.contains("no worker is there"), "{reasons}");
    }

    disk.make_room();
    // Repeats the delivery until the results are stored; the first attempts may fail.
    let mut taken = Vec::new();
    for _ in 0..200 {
        if let Ok(answer) = coordinator.sync(worker.request(games.clone(), 0)).await {
            taken = answer.acks.iter().map(|ack| ack.status).collect();
            break;
        }
    }
    assert_eq!(taken.len(), games.len());
    assert!(taken.iter().all(|status| [Accepted, Duplicate].contains(status)), "{taken:?}");
    for _ in 0..20 {
        play_one(&coordinator, &mut worker).await.expect("there is room again");
    }
    assert_eq!(ready(&coordinator).await, (StatusCode::OK, "ready\n".into()));
    assert_eq!(coordinator.overview().await.expect("overview").trouble, None);
    assert_verified(&coordinator).await;
    stop.cancel();
    serving.await.expect("no panic").expect("served");
    coordinator.close().await;
}

#[tokio::test]
async fn a_coordinator_does_not_start_on_a_full_disk_and_says_what_is_full() {
    let Some(disk) = SmallDisk::new() else { return };
    let (path, clock) = (disk.path("g.db"), Clock::manual(1_700_000_000_000));
    let coordinator = Coordinator::open(config(&path, &clock)).await.expect("open");
    coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
    coordinator.close().await;
    disk.fill();
    let refused =
        Coordinator::open(config(&path, &clock)).await.map(drop).expect_err("a full disk").to_string();
    assert!(refused.contains("g.db") && refused.contains("no block is free"), "{refused}");
    disk.make_room();
    let coordinator = Coordinator::open(config(&path, &clock)).await.expect("open");
    coordinator.resume().await.expect("served");
    assert_eq!(coordinator.report("one").await.expect("a page").summary.games_planned, 18);
    coordinator.close().await;
}
