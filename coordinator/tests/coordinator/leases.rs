//! Leases: held, returned, lapsed, revoked, and never given twice.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play, play_all,
};
use coordinator::CoordinatorError;
use engine::side::Side;
use protocol::sync::AckStatus::{Accepted, Duplicate};
use protocol::sync::{FailedLease, SyncRequest};
use std::collections::HashSet;

on_both_databases! {
    async fn a_lease_that_its_worker_does_not_list_returns_at_once_with_what_is_missing(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let (mut first, mut second) = (Worker::new(), Worker::new());
        let lease = first.take(&coordinator, 1).await.remove(0);
        assert_eq!(first.report(&coordinator, vec![play(&lease, lease.games[0], 7)]).await, [Accepted]);
        first.held.clear();
        first.sync(&coordinator, Vec::new(), 0).await;
        let given = second.take(&coordinator, 2).await;
        assert_eq!(given[0].pair, lease.pair, "a half-finished pair goes out before a new one");
        let sides: Vec<Side> = given[0].games.iter().map(|game| game.case_side).collect();
        assert_eq!(sides, [Side::Black]);
        assert_eq!((given[1].pair, given[1].games.len()), (1, 2));
        assert_verified(&coordinator).await;
    }

    async fn a_silent_workers_leases_lapse_and_go_to_others(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut silent, mut other) = (Worker::new(), Worker::new());
        let lease = silent.take(&coordinator, 1).await.remove(0);
        clock.advance(100_000);
        assert_eq!(other.take(&coordinator, 1).await.len(), 0);
        clock.advance(21_000);
        assert_eq!(other.take(&coordinator, 1).await.len(), 1);
        let answer = silent.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(answer.revoked, [lease.id]);
        assert_verified(&coordinator).await;
    }

    async fn a_worker_out_of_reach_goes_on_when_nobody_took_over(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut away, mut other) = (Worker::new(), Worker::new());
        let lease = away.take(&coordinator, 1).await.remove(0);
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
        assert_eq!(coordinator.report("one").await.expect("report").summary.pairs_in_flight, 0);
        let answer = away.sync(&coordinator, Vec::new(), 0).await;
        assert_eq!(answer.revoked, []);
        assert_eq!(other.take(&coordinator, 1).await.len(), 0);
        assert_eq!(away.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        assert_verified(&coordinator).await;
    }

    async fn syncs_keep_a_lease_alive_for_as_long_as_its_game_moves_on(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        // One game makes progress while the other lease waits for a slot, for longer than a game may make no progress.
        for plies in 1..=74 {
            clock.advance(80_000);
            worker.held[0].plies = plies;
            assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, [], "{plies}");
        }
        // Then neither makes progress.
        for _ in 0..59 {
            clock.advance(60_000);
            assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        }
        clock.advance(60_000);
        let revoked: HashSet<_> = worker.sync(&coordinator, Vec::new(), 0).await.revoked.into_iter().collect();
        assert_eq!(revoked, leases.iter().map(|lease| lease.id).collect());
        assert_eq!(coordinator.report("one").await.expect("report").summary.pairs_in_flight, 0);
        assert_verified(&coordinator).await;
    }

    async fn a_restart_costs_no_lease(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        assert_eq!(worker.report(&coordinator, vec![play(&lease, lease.games[0], 7)]).await, [Accepted]);
        coordinator.close().await;
        clock.advance(100 * LEASE_AND_A_BIT);

        let (coordinator, clock) = open_with(&database, |config| config.clock = clock.clone()).await;
        coordinator.resume().await.expect("resume");
        assert_eq!(coordinator.lapse().await.expect("lapse"), 0);
        clock.advance(100_000);
        let answer = worker.sync(&coordinator, vec![play(&lease, lease.games[1], 8)], 1).await;
        assert_eq!(answer.acks[0].status, Accepted);
        assert_eq!(answer.leases.len(), 1);
        assert_eq!(answer.leases[0].pair, 1);
        assert_verified(&coordinator).await;
    }

    async fn a_pair_that_did_not_come_back_is_lent_at_once_and_the_second_time_after_all_others_of_its_cell(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        for times in 0..2 {
            let lost = Worker::new().take(&coordinator, 1 + times).await;
            assert_eq!(lost.len(), 1 + times as usize);
            clock.advance(LEASE_AND_A_BIT);
            assert_eq!(coordinator.lapse().await.expect("lapse"), u64::from(1 + times));
        }
        let given = Worker::new().take(&coordinator, 9).await;
        let pairs: Vec<u32> = given.iter().map(|lease| lease.pair).collect();
        assert_eq!(pairs, [1, 2, 3, 0], "pair 1 failed once, pair 0 twice, and the others were never lent");
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        let given = Worker::new().take(&coordinator, 9).await;
        let pairs: Vec<u32> = given.iter().map(|lease| lease.pair).collect();
        assert_eq!(pairs, [2, 3, 1, 0], "by failures, and none is beyond the plan");
        assert_verified(&coordinator).await;
    }

    async fn of_processes_with_one_worker_id_the_newest_goes_on_and_the_others_are_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut first = Worker::new();
        let abandoned = first.take(&coordinator, 1).await.remove(0);
        // A restarted process takes over at once. The leases of the process before it are free again, and come first.
        let mut second = first.clone();
        second.start_anew();
        let pairs: Vec<u32> = second.take(&coordinator, 9).await.iter().map(|lease| lease.pair).collect();
        assert_eq!((pairs.len(), pairs[0]), (4, abandoned.pair));
        let mut third = second.clone();
        third.start_anew();
        let lease = third.take(&coordinator, 1).await.remove(0);
        for _ in 0..2 {
            for old in [&first, &second] {
                let games = Vec::new();
                let refused = coordinator.sync(old.request(games, 2)).await.expect_err("a later one took its place");
                assert!(matches!(refused, CoordinatorError::Refused(_)), "{refused}");
                assert!(refused.to_string().contains("state directory"), "{refused}");
            }
            assert_eq!(third.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        }
        assert_eq!(third.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        assert_eq!(coordinator.report("one").await.expect("report").summary.games_done, 2);
        assert_verified(&coordinator).await;
    }

    async fn what_a_process_finished_before_another_took_its_place_counts_though_it_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut old = Worker::new();
        let leases = old.take(&coordinator, 2).await;
        let mut new = old.clone();
        new.start_anew();
        let given = new.take(&coordinator, 4).await;
        for _ in 0..2 {
            let late = old.request(play_all(&leases[0], 7), 3);
            let refused = coordinator.sync(late).await.expect_err("another took its place");
            assert!(matches!(refused, CoordinatorError::Refused(_)), "{refused}");
            let report = coordinator.report("one").await.expect("report");
            assert_eq!(report.summary.games_done, 2);
            assert_eq!(coordinator.overview().await.expect("overview").workers[0].games, 2);
        }
        let revoked = new.sync(&coordinator, Vec::new(), 0).await.revoked;
        let again = given.iter().find(|lease| lease.pair == leases[0].pair).expect("all were lent");
        assert_eq!(revoked, [again.id], "its pair is complete, and nothing else was touched");
        assert_verified(&coordinator).await;
    }

    async fn a_call_of_a_process_that_was_never_heard_ends_nobody_when_it_comes_after_its_successor(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let never_heard = Worker::new();
        let mut living = never_heard.clone();
        living.start_anew();
        let lease = living.take(&coordinator, 1).await.remove(0);
        coordinator.sync(never_heard.request(Vec::new(), 1)).await.expect_err("another took its place");
        assert_eq!(living.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        assert_eq!(living.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        assert_verified(&coordinator).await;
    }

    async fn a_call_that_was_overtaken_delivers_its_games_and_moves_no_lease(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let first = worker.take(&coordinator, 1).await.remove(0);
        let mut overtaken = worker.request(play_all(&first, 7), 2);
        overtaken.failed = vec![FailedLease { lease: first.id, why: "it knows no better".into() }];
        let second = worker.take(&coordinator, 1).await.remove(0);
        for expected in [Accepted, Duplicate] {
            let answer = coordinator.sync(overtaken.clone()).await.expect("sync");
            assert!(answer.acks.iter().all(|ack| ack.status == expected), "{answer:?}");
            assert_eq!((answer.acks.len(), answer.leases.len(), answer.revoked.len()), (2, 0, 0));
        }
        worker.drop_lease(&first);
        assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, [], "the later lease is still held");
        // A repetition of the same call, for example by a proxy, counts as overtaken.
        let call = worker.request(Vec::new(), 1);
        assert_eq!(coordinator.sync(call.clone()).await.expect("sync").leases.len(), 1);
        assert_eq!(coordinator.sync(call).await.expect("sync").leases.len(), 0);
        assert_eq!(worker.report(&coordinator, play_all(&second, 7)).await, [Accepted, Accepted]);
        assert_eq!(coordinator.overview().await.expect("overview").workers[0].games, 4);
        assert_verified(&coordinator).await;
    }

    async fn a_lease_kept_over_a_good_bye_goes_on_and_is_no_failure_when_nobody_comes_back_in_time(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        worker.drop_lease(&leases[1]);
        // Each time the worker leaves and returns late, it keeps the one lease. The first call returns the other one.
        for _ in 0..7 {
            let last_words = SyncRequest { leaving: true, ..worker.request(Vec::new(), 0) };
            assert_eq!(coordinator.sync(last_words).await.expect("sync").revoked, []);
            let overview = coordinator.overview().await.expect("overview");
            assert_eq!(overview.workers[0].pairs_held, 1);
            clock.advance(LEASE_AND_A_BIT);
            assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
            let held = worker.held.clone();
            worker.start_anew();
            worker.held = held;
            assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, [], "nobody else was given it");
        }
        let lost = coordinator.report("one").await.expect("report").series[0].points[0].clone();
        assert_eq!((lost.pairs_in_flight, lost.pairs_aside), (1, 0));
        // A lease that was lost from the worker's disk in the meantime is returned without a failure.
        let last_words = SyncRequest { leaving: true, ..worker.request(Vec::new(), 0) };
        coordinator.sync(last_words).await.expect("sync");
        worker.start_anew();
        let given: Vec<u32> = worker.take(&coordinator, 2).await.iter().map(|lease| lease.pair).collect();
        assert_eq!(given, [0, 1], "none of them failed: they are lent in order");
        assert_verified(&coordinator).await;
    }

    async fn a_pair_that_ends_its_worker_again_and_again_is_set_aside_though_it_goes_on_every_time(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let held = worker.held.clone();
        for death in 1..=5 {
            worker.start_anew();
            worker.held.clone_from(&held);
            let answer = worker.sync(&coordinator, Vec::new(), 0).await;
            let expected = if death < 5 { vec![] } else { vec![lease.id] };
            assert_eq!(answer.revoked, expected, "death {death}");
            assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, if death < 5 { vec![] } else { vec![lease.id] });
        }
        let point = coordinator.report("one").await.expect("report").series[0].points[0].clone();
        assert_eq!((point.pairs_in_flight, point.pairs_aside), (0, 1));
        assert_verified(&coordinator).await;
    }

    async fn no_pair_is_lent_twice_however_many_ask_at_once(database: Database) {
        let (coordinator, _) = open(&database).await;
        let (other, _) = open(&database).await;
        let cells = (0..6).map(|k| cell(100 + k, 4, 20, 1.0)).collect();
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let mut workers: Vec<Worker> = (0..24).map(|_| Worker::new()).collect();
        let mut seen = HashSet::new();
        for _ in 0..2 {
            let calls = workers.iter().enumerate().map(|(index, worker)| {
                let coordinator = if index % 2 == 0 { &coordinator } else { &other };
                worker.sync(coordinator, Vec::new(), 3)
            });
            let answers = futures_util::future::join_all(calls).await;
            for (worker, answer) in workers.iter_mut().zip(answers) {
                worker.hold(&answer.leases);
                for lease in &answer.leases {
                    assert!(seen.insert((lease.cell, lease.pair)), "{lease:?}");
                }
            }
        }
        assert_eq!(seen.len(), 120, "all that was planned, and nothing beyond");
        assert_verified(&coordinator).await;
        other.close().await;
    }

    async fn one_failing_request_does_not_spoil_its_group(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("small", vec![cell(500, 4, 5, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("large", vec![cell(500, 5, 5, 1.0)])).await.expect("apply");
        database.run("UPDATE cell SET spec = 'no JSON' WHERE size = 5").await;
        database
            .run("UPDATE experiment_cell SET needs = 1024 WHERE size = 5; UPDATE experiment_cell SET needs = 512 WHERE size = 4")
            .await;
        let (mut good, mut bad) = (Worker::new(), Worker::new());
        good.speeds = vec![crate::play::speed(crate::play::size(9))];
        bad.speeds = vec![crate::play::speed(crate::play::size(10))];
        let (first, broken, last) = tokio::join!(
            coordinator.sync(good.request(Vec::new(), 1)),
            coordinator.sync(bad.request(Vec::new(), 1)),
            coordinator.sync(good.request(Vec::new(), 2)),
        );
        assert_eq!(first.expect("before it").leases.len(), 1);
        assert!(broken.expect_err("cannot be read").to_string().contains("cell.spec"));
        assert_eq!(last.expect("after it").leases.len(), 2);
        let overview = coordinator.overview().await.expect("overview");
        assert_eq!(overview.workers.len(), 1, "the failed request left no trace");
        assert_verified(&coordinator).await;
    }
}

#[tokio::test]
async fn under_overload_heartbeats_give_way_and_results_do_not() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 2_000, 1.0)])).await.expect("apply");
    let mut player = Worker::new();
    let lease = player.take(&coordinator, 1).await.remove(0);

    // Another connection locks the database, and more calls arrive than the queue takes.
    let hold = database.hold().await;
    let idle: Vec<Worker> = (0..1_500).map(|_| Worker::new()).collect();
    let full = tokio::sync::Notify::new();
    let heartbeats = futures_util::future::join_all(idle.iter().map(async |worker| {
        match coordinator.sync(worker.request(Vec::new(), 1)).await {
            Ok(answer) => Some(answer.leases.len()),
            Err(error) => {
                assert!(error.to_string().contains("more work waiting"), "{error}");
                full.notify_one();
                None
            }
        }
    }));
    let results = async {
        full.notified().await;
        let results = player.report(&coordinator, play_all(&lease, 7));
        let release = async {
            tokio::task::yield_now().await;
            hold.release().await;
        };
        tokio::join!(results, release).0
    };
    let (answers, results) = tokio::join!(heartbeats, results);
    assert_eq!(results, [Accepted, Accepted]);
    let answered = answers.iter().flatten().count();
    let leases = answers.iter().flatten().sum::<usize>();
    assert!(answered < 1_500, "some heartbeats gave way");
    assert!((1..answered).contains(&leases), "leases gave way before: {leases} of {answered}");
    assert_verified(&coordinator).await;
}
