//! Clocks that are set: the machine's clock, the database server's clock, and a clock that was set between two runs.

use crate::databases::{Database, on_both_databases};
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play_all};
use coordinator::{Clock, Coordinator};
use protocol::sync::AckStatus::Accepted;
use std::time::Duration;

const TEN_MINUTES: i64 = 600_000;
const HOUR: i64 = 3_600_000;

/// A coordinator with an experiment, and a worker that holds two of its pairs and dies.
async fn with_a_dead_worker(database: &Database) -> (Coordinator, Clock, Worker) {
    let (coordinator, clock) = open(database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
    let mut dead = Worker::new();
    assert_eq!(dead.take(&coordinator, 2).await.len(), 2);
    (coordinator, clock, dead)
}

/// The reasons of `gauntlet why` as one text.
async fn why(coordinator: &Coordinator, key: &str) -> String {
    coordinator.why(key).await.expect("an answer").reasons.join("\n")
}

on_both_databases! {
    async fn a_dead_workers_pairs_are_free_a_lease_time_after_the_clock_was_set_back(database: Database) {
        let (coordinator, clock, dead) = with_a_dead_worker(&database).await;
        clock.advance(LEASE_AND_A_BIT / 2);
        clock.step(-TEN_MINUTES);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 0, "everybody gets a full term");
        let said = why(&coordinator, &dead.id.to_string()).await;
        assert!(said.contains("clock was set back by 10 min"), "{said}");
        assert!(why(&coordinator, "one").await.contains("clock was set back by 10 min"));
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 2);
        let noted = coordinator.audit(None, 9).await.expect("audit").entries;
        let steps: Vec<_> = noted.iter().filter(|entry| entry.action == "clock").collect();
        assert_eq!(steps.len(), 1, "{noted:?}");
        assert!(steps[0].what == "set back by 10 min" && steps[0].detail.contains("2 leases"), "{steps:?}");
        let leases = Worker::new().take(&coordinator, 9).await;
        assert_eq!(leases.len(), 9, "all pairs are lent again");
        assert_verified(&coordinator).await;
    }

    async fn steps_that_add_up_to_hours_and_one_in_a_workers_call_change_nothing(database: Database) {
        let (coordinator, clock, _) = with_a_dead_worker(&database).await;
        let mut alive = Worker::new();
        let lease = alive.take(&coordinator, 1).await.remove(0);
        clock.step(HOUR);
        assert!(alive.sync(&coordinator, Vec::new(), 0).await.revoked.is_empty(), "nothing lapsed, nothing stood still");
        clock.step(-2 * HOUR);
        assert!(alive.sync(&coordinator, Vec::new(), 0).await.revoked.is_empty());
        clock.advance(LEASE_AND_A_BIT - 1_000);
        assert_eq!(alive.report(&coordinator, play_all(&lease, 7)).await, [Accepted; 2]);
        clock.advance(2_000);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 2, "those of the dead worker");
        assert_verified(&coordinator).await;
    }

    async fn a_clock_set_back_while_nobody_ran_strands_nothing(database: Database) {
        let (coordinator, clock, dead) = with_a_dead_worker(&database).await;
        coordinator.close().await;
        let back = Clock::manual(clock.now_ms() - 2 * HOUR);
        let (coordinator, clock) = open_with(&database, |config| config.clock = back).await;
        coordinator.resume().await.expect("resumed");
        let said = why(&coordinator, &dead.id.to_string()).await;
        assert!(said.contains("clock was set back by 2 h"), "{said}");
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 2);
    }

    async fn who_is_there_and_how_fast_it_goes_is_right_after_a_step(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 900, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let mut play_for = async |minutes: i64| {
            for _ in 0..minutes {
                let lease = worker.take(&coordinator, 1).await.remove(0);
                worker.report(&coordinator, play_all(&lease, 7)).await;
                worker.drop_lease(&lease);
                clock.advance(60_000);
            }
        };
        play_for(5).await;
        for step in [-TEN_MINUTES, TEN_MINUTES] {
            clock.step(step);
            coordinator.lapse().await.expect("lapse");
            play_for(5).await;
            let overview = coordinator.overview().await.expect("overview");
            let rate = overview.experiments[0].games_per_minute;
            assert!((1.5..2.5).contains(&rate), "two games a minute, and not {rate}, after {step}");
        }
        // The last call was a minute ago. A step of the clock does not change that.
        for step in [-TEN_MINUTES, TEN_MINUTES] {
            clock.step(step);
            coordinator.lapse().await.expect("lapse");
            let worker = &coordinator.overview().await.expect("overview").workers[0];
            assert!(!worker.alive && worker.seconds_since_seen == 60.0, "{worker:?}");
        }
        worker.sync(&coordinator, Vec::new(), 0).await;
        clock.step(2 * HOUR);
        coordinator.lapse().await.expect("lapse");
        let worker = &coordinator.overview().await.expect("overview").workers[0];
        assert!(worker.alive && worker.seconds_since_seen == 0.0, "{worker:?}");
    }

    async fn a_game_that_stands_still_is_noticed_in_its_time_whatever_the_clock_does(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        worker.take(&coordinator, 1).await;
        worker.held[0].plies = 7;
        worker.sync(&coordinator, Vec::new(), 0).await;
        for step in [HOUR, -3 * HOUR] {
            clock.step(step);
            assert!(worker.sync(&coordinator, Vec::new(), 0).await.revoked.is_empty());
        }
        let mut minutes = 0;
        while worker.sync(&coordinator, Vec::new(), 0).await.revoked.is_empty() {
            clock.advance(60_000);
            minutes += 1;
        }
        assert_eq!(minutes, 60, "an hour after the last step, as the terms are");
    }

    async fn moves_are_not_dropped_for_an_age_that_a_step_forward_made(database: Database) {
        let keep = Duration::from_secs(86_400);
        let (coordinator, clock) = open_with(&database, |config| config.keep_records = Some(keep)).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        let serving = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let stop = tokio_util::sync::CancellationToken::new();
        let task = tokio::spawn(coordinator.serve(serving, stop.clone()));
        clock.step(365 * 86_400_000);
        // The coordinator notices the change by its periodic work, without a call.
        let mut changes = coordinator.changes();
        while !why(&coordinator, "one").await.contains("clock was set forward") {
            changes.changed().await.expect("open");
        }
        for _ in 0..3 {
            coordinator.lapse().await.expect("lapse");
        }
        coordinator.game(lease.games[0].id, None).await.expect("its moves are kept");
        stop.cancel();
        task.await.expect("no panic").expect("served");
    }
}

#[tokio::test]
async fn a_step_of_the_servers_clock_strands_nothing_on_postgres() {
    let Some(database) = Database::postgres().await else { return };
    // A function of the schema shadows the server's clock function, because a test cannot set the server's clock.
    let address = format!("{}%2Cpg_catalog", database.address);
    let schema = database.address.rsplit("%3D").next().expect("a schema").to_owned();
    database
        .run(&format!(
            "CREATE TABLE {schema}.step (ms BIGINT); INSERT INTO {schema}.step VALUES (0); \
             CREATE FUNCTION {schema}.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS \
             'SELECT pg_catalog.clock_timestamp() + (SELECT ms FROM {schema}.step) * interval ''1 millisecond'''"
        ))
        .await;
    let set = async |ms: i64| database.run(&format!("UPDATE {schema}.step SET ms = {ms}")).await;
    let of = |clock: Clock| {
        let mut config = coordinator::Config::new(&address);
        config.clock = clock;
        config
    };
    let first = Coordinator::open(of(Clock::System)).await.expect("open");
    let clock = Clock::shifted(TEN_MINUTES);
    let second = Coordinator::open(of(clock.clone())).await.expect("open");
    first.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
    let mut dead = Worker::new();
    assert_eq!(dead.take(&first, 2).await.len(), 2);
    let mut alive = Worker::new();
    assert_eq!(alive.take(&second, 1).await.len(), 1);
    let near = |wanted: i64| (clock.now_ms() - wanted).abs() < TEN_MINUTES / 2;
    let real = clock.now_ms();

    set(-TEN_MINUTES).await;
    assert!(alive.sync(&second, Vec::new(), 0).await.revoked.is_empty());
    assert!(near(real - TEN_MINUTES), "a coordinator writes by the server's clock");
    let latest = database.number("SELECT MAX(deadline_ms) FROM lease WHERE state = 'active'").await;
    assert!(latest <= clock.now_ms() + 120_000, "no lease is for longer than a term");
    assert!(why(&first, "one").await.contains("clock was set back by 10 min"));
    // The first coordinator's next write uses the same clock, so that no lease lapses.
    assert_eq!(first.lapse().await.expect("lapse"), 0);

    set(HOUR).await;
    assert_eq!(second.lapse().await.expect("lapse"), 0);
    assert!(near(real + HOUR));
    assert!(alive.sync(&first, Vec::new(), 0).await.revoked.is_empty(), "nothing stood still");
    assert_verified(&second).await;
}
