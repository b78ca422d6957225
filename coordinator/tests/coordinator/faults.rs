//! A database that fails: every caller gets an error, no change is half done, and the coordinator continues afterwards.

use crate::databases::Database;
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all, token};
use crate::postgres::{self, SERVER};
use coordinator::{CoordinatorError, StoreError};
use protocol::access::TokenRequest;
use protocol::sync::AckStatus::{Accepted, Duplicate};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Makes SQLite roll the whole transaction back at the next new token, as on a full disk.
const FAIL_AT_TOKENS: &str = "CREATE TRIGGER full BEFORE INSERT ON token \
                              BEGIN SELECT RAISE(ROLLBACK, 'database or disk is full'); END";

const MEND: &str = "DROP TRIGGER full";

#[tokio::test]
async fn games_count_again_after_the_database_ended_a_transaction_by_itself() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    database.run(FAIL_AT_TOKENS).await;
    for _ in 0..3 {
        token(&coordinator, "work").await.expect_err("no space");
    }
    database.run(MEND).await;
    assert_eq!(worker.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
    token(&coordinator, "work").await.expect("space again");
    assert_verified(&coordinator).await;
}

#[tokio::test]
async fn every_request_of_a_group_that_is_lost_hears_that_nothing_was_stored_and_why() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    database.run(FAIL_AT_TOKENS).await;
    // Concurrent requests form one group: one request before the failing one, and two after it.
    let (before, failing, heartbeat, lapse) = tokio::join!(
        coordinator.sync_with(Worker::new().request(Vec::new(), 0), None),
        token(&coordinator, "work"),
        coordinator.sync_with(worker.request(Vec::new(), 1), None),
        coordinator.lapse(),
    );
    for error in [before.err(), failing.err(), heartbeat.err(), lapse.err()] {
        match error.expect("an error") {
            CoordinatorError::Store(error @ StoreError::NotCommitted(_)) => {
                assert!(error.to_string().contains("disk is full"), "{error}");
            }
            other => panic!("{other}"),
        }
    }
    database.run(MEND).await;
    assert_eq!(coordinator.overview().await.expect("overview").experiments.len(), 1);
    assert_eq!(worker.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
    assert_verified(&coordinator).await;
}

#[tokio::test]
async fn a_call_that_is_given_up_while_the_database_stands_still_loses_nothing() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    let games = play_all(&lease, 7);
    let hold = database.hold().await;
    let call = coordinator.sync(worker.request(games.clone(), 1));
    let given_up = tokio::time::timeout(Duration::from_millis(200), call).await;
    given_up.expect_err("nothing is acknowledged before it is committed");
    hold.release().await;
    let acks = worker.report(&coordinator, games).await;
    assert!(acks.len() == 2 && acks.iter().all(|ack| [Accepted, Duplicate].contains(ack)), "{acks:?}");
    assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 2);
    assert_verified(&coordinator).await;
}

/// Commits reach the disk slowly, and nobody but the coordinator carries them there.
const SLOW: [&str; 5] =
    ["fsync=on", "synchronous_commit=on", "commit_delay=100000", "commit_siblings=0", "wal_writer_delay=10s"];

#[tokio::test(flavor = "multi_thread")]
async fn what_was_told_is_there_after_the_server_crashed() {
    if SERVER.is_none() {
        return;
    }
    let Some(programs) = postgres::find_programs() else { return };
    let database = Database::on_server(postgres::start_with(&programs, &SLOW));
    let (coordinator, _) = open(&database).await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let clients = (0..12).map(|client| {
        let (coordinator, told) = (coordinator.clone(), told.clone());
        tokio::spawn(async move {
            for call in 0.. {
                let name = format!("{client}-{call}");
                let (name, scopes) = (name.clone(), "work".parse().expect("a scope"));
                let request =
                    TokenRequest { name: name.clone(), scopes, expires_in_ms: None, machines: None };
                match coordinator.create_token(request, "tester").await {
                    Ok(_) => told.lock().expect("no panic").push(name),
                    Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    let more = async || {
        let count = || told.lock().expect("no panic").len();
        let before = count();
        while count() < before + 30 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    for _ in 0..3 {
        more().await;
        let pid = "SELECT MIN(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
        let pid = i32::try_from(database.number(pid).await).ok().and_then(Pid::from_raw);
        kill_process(pid.expect("a process"), Signal::KILL).expect("the server's process");
    }
    more().await;
    clients.iter().for_each(tokio::task::JoinHandle::abort);
    let stored: HashSet<String> =
        coordinator.tokens().await.expect("tokens").into_iter().map(|token| token.name).collect();
    let told = std::mem::take(&mut *told.lock().expect("no panic"));
    let lost: Vec<&String> = told.iter().filter(|name| !stored.contains(*name)).collect();
    assert!(lost.is_empty(), "{} of {} that were told: {lost:?}", lost.len(), told.len());

    // A server that is gone for good keeps no coordinator from its end.
    let server = "SELECT CAST(split_part(pg_read_file('postmaster.pid'), chr(10), 1) AS BIGINT)";
    let server = i32::try_from(database.number(server).await).ok().and_then(Pid::from_raw);
    let last = tokio::spawn({
        let coordinator = coordinator.clone();
        async move { while token(&coordinator, "work").await.is_ok() {} }
    });
    kill_process(server.expect("a process"), Signal::QUIT).expect("the server");
    last.await.expect("no panic");
    coordinator.close().await;
}
