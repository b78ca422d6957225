//! Pairs that fail repeatedly: they are suspended, shown, and put back into play.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play_all, token,
};
use coordinator::{Clock, Coordinator};
use protocol::report::ExperimentState;
use protocol::sync::AckStatus::{Accepted, Rejected};
use protocol::sync::{FailedLease, NoWorkCode};

/// A coordinator with one cell of `pairs` pairs, which suspends a pair at its second failure.
async fn two_failures(database: &Database, pairs: u32) -> (Coordinator, Clock) {
    let (coordinator, clock) = open_with(database, |config| config.most_failures = 2).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, pairs, 1.0)])).await.expect("apply");
    (coordinator, clock)
}

/// Takes a pair with a new worker, which never calls again. Returns the pair.
async fn lose_one(coordinator: &Coordinator, clock: &Clock) -> u32 {
    let lease = Worker::new().take(coordinator, 1).await.remove(0);
    clock.advance(LEASE_AND_A_BIT);
    assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
    lease.pair
}

async fn state(coordinator: &Coordinator) -> (ExperimentState, u64) {
    let summary = coordinator.report("one").await.expect("report").summary;
    (summary.state, summary.pairs_aside)
}

on_both_databases! {
    async fn a_pair_that_keeps_failing_is_set_aside_with_a_reason_until_somebody_puts_it_back(database: Database) {
        let (coordinator, clock) = two_failures(&database, 1).await;
        assert_eq!(lose_one(&coordinator, &clock).await, 0);
        assert_eq!(state(&coordinator).await, (ExperimentState::Active, 0));
        assert_eq!(lose_one(&coordinator, &clock).await, 0);
        assert_eq!(state(&coordinator).await, (ExperimentState::Stuck, 1));

        let report = coordinator.report("one").await.expect("report");
        assert_eq!(report.series[0].points[0].pairs_aside, 1);
        let aside = &report.aside[0];
        assert_eq!((aside.pair, aside.failures, aside.since_ms), (0, 2, clock.now_ms()));
        assert!(aside.why.contains("until the lease lapsed"), "{aside:?}");
        assert_eq!(aside.what, "rave_k=500 against uct, size 4");
        let mut worker = Worker::new();
        let answer = worker.sync(&coordinator, Vec::new(), 3).await;
        assert!(answer.leases.is_empty(), "neither the pair nor one beyond the plan in its place");
        assert_eq!(answer.no_work.map(|reason| reason.code), Some(NoWorkCode::SetAside));
        assert_verified(&coordinator).await;

        assert_eq!(coordinator.retry("one", "ada").await.expect("retry").pairs, 1);
        assert_eq!(coordinator.retry("one", "ada").await.expect("retry").pairs, 0, "there is nothing left to do");
        assert_eq!(state(&coordinator).await, (ExperimentState::Active, 0));
        let lease = worker.take(&coordinator, 3).await.remove(0);
        assert_eq!(lease.pair, 0);
        assert_eq!(worker.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        assert_eq!(state(&coordinator).await, (ExperimentState::Finished, 0));
        assert_verified(&coordinator).await;
        let noted = coordinator.audit(None, 100).await.expect("audit").entries;
        let retries: Vec<_> = noted.iter().filter(|entry| entry.action == "retry").collect();
        assert_eq!((retries.len(), retries[0].who.as_str(), retries[0].what.as_str()), (1, "ada", "one"));
    }

    async fn whatever_goes_wrong_counts_and_what_is_given_back_does_not(database: Database) {
        let troubles = ["was rejected", "could not play it: no such engine", "started again", "stood still"];
        for (seed, trouble) in (1..).zip(troubles) {
            let (coordinator, clock) = open_with(&database, |config| config.most_failures = 1).await;
            // The workers of the previous rounds are no longer present.
            clock.advance(seed as i64 * 10_000_000);
            let mut planned = cell(500, 4, 2, 1.0);
            planned.spec.seed = seed;
            coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
            let mut worker = Worker::new();
            let lease = worker.take(&coordinator, 1).await.remove(0);
            worker.held.clear();
            worker.sync(&coordinator, Vec::new(), 0).await;
            assert_eq!(state(&coordinator).await, (ExperimentState::Active, 0), "given back in good order");
            let again = worker.take(&coordinator, 1).await.remove(0);
            assert_eq!(again.pair, lease.pair);
            match trouble {
                "was rejected" => {
                    let mut games = play_all(&again, 7);
                    games.truncate(1);
                    games[0].record.sims[0] = 1 << 60;
                    assert_eq!(worker.report(&coordinator, games).await, [Rejected]);
                }
                "started again" => {
                    worker.start_anew();
                    worker.sync(&coordinator, Vec::new(), 0).await;
                }
                "stood still" => {
                    clock.advance(3_600_000);
                    worker.sync(&coordinator, Vec::new(), 0).await;
                }
                _ => {
                    let why = "no such engine\u{0}".to_owned();
                    let failed = vec![FailedLease { lease: again.id, why }];
                    let request = protocol::sync::SyncRequest { failed, ..worker.request(Vec::new(), 0) };
                    coordinator.sync(request.clone()).await.expect("sync");
                    coordinator.sync(request).await.expect("said twice, counted once");
                }
            }
            let report = coordinator.report("one").await.expect("report");
            assert_eq!(report.aside.len(), 1, "{trouble}");
            assert_eq!((report.aside[0].pair, report.aside[0].failures), (lease.pair, 1), "{trouble}");
            assert!(report.aside[0].why.contains(trouble), "{trouble}: {report:?}");
            assert_eq!(Worker::new().take(&coordinator, 9).await.len(), 1, "the other pair is handed out");
            assert_verified(&coordinator).await;
            coordinator.close().await;
        }
    }

    async fn a_rejected_half_keeps_the_half_that_counted(database: Database) {
        let (coordinator, _) = two_failures(&database, 1).await;
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let mut games = play_all(&lease, 7);
        games[1].record.sims[0] = 1 << 60;
        let answer = worker.sync(&coordinator, games, 0).await;
        let statuses: Vec<_> = answer.acks.iter().map(|ack| ack.status).collect();
        assert_eq!((statuses, answer.revoked), (vec![Accepted, Rejected], vec![lease.id]));
        let mut other = Worker::new();
        let rest = other.take(&coordinator, 1).await.remove(0);
        assert_eq!(rest.games, [lease.games[1]]);
        assert_eq!(other.report(&coordinator, play_all(&rest, 8)).await, [Accepted]);
        assert_eq!(state(&coordinator).await, (ExperimentState::Finished, 0));
        assert_verified(&coordinator).await;
    }

    async fn a_late_result_completes_a_pair_that_was_set_aside(database: Database) {
        let (coordinator, clock) = two_failures(&database, 1).await;
        let mut slow = Worker::new();
        let lease = slow.take(&coordinator, 1).await.remove(0);
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        lose_one(&coordinator, &clock).await;
        assert_eq!(state(&coordinator).await, (ExperimentState::Stuck, 1));
        slow.held.clear();
        let mut games = play_all(&lease, 7);
        let last = games.pop().expect("two games");
        assert_eq!(slow.report(&coordinator, games).await, [Accepted]);
        assert_eq!(state(&coordinator).await, (ExperimentState::Stuck, 1), "half of it is still missing");
        assert_verified(&coordinator).await;
        assert_eq!(slow.report(&coordinator, vec![last]).await, [Accepted]);
        assert_eq!(state(&coordinator).await, (ExperimentState::Finished, 0));
        assert_verified(&coordinator).await;
    }

    async fn a_worker_that_comes_back_in_time_plays_on_what_was_set_aside(database: Database) {
        let (coordinator, clock) = two_failures(&database, 1).await;
        lose_one(&coordinator, &clock).await;
        let mut away = Worker::new();
        let lease = away.take(&coordinator, 1).await.remove(0);
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        assert_eq!(state(&coordinator).await, (ExperimentState::Stuck, 1));
        assert_eq!(away.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        assert_eq!(state(&coordinator).await, (ExperimentState::Active, 0));
        assert_eq!(away.report(&coordinator, play_all(&lease, 7)).await, [Accepted, Accepted]);
        assert_verified(&coordinator).await;
    }

    async fn every_experiment_with_the_cell_shows_what_was_set_aside(database: Database) {
        let (coordinator, clock) = two_failures(&database, 2).await;
        let mut playing = Worker::new();
        playing.take(&coordinator, 1).await;
        for _ in 0..2 {
            assert_eq!(Worker::new().take(&coordinator, 1).await.remove(0).pair, 1);
            clock.advance(100_000);
            playing.sync(&coordinator, Vec::new(), 0).await;
            clock.advance(21_000);
            assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
        }
        let larger = experiment("larger", vec![cell(500, 4, 4, 1.0)]);
        coordinator.apply(&larger).await.expect("apply");
        let summary = coordinator.report("larger").await.expect("report").summary;
        assert_eq!((summary.pairs_aside, summary.state), (1, ExperimentState::Active));
        assert_verified(&coordinator).await;
        assert_eq!(coordinator.retry("larger", "ada").await.expect("retry").pairs, 1);
        assert_eq!(state(&coordinator).await.1, 0, "a cell's pairs are the same in both");
        assert_verified(&coordinator).await;
    }

    async fn changes_are_noted_with_who_made_them_and_read_by_page(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply_as(&experiment("one", vec![cell(500, 4, 1, 1.0)]), "ada").await.expect("apply");
        coordinator.apply_as(&experiment("one", vec![cell(500, 4, 1, 1.0)]), "bob").await.expect("no change");
        token(&coordinator, "work").await.expect("token");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        coordinator.exclude(lease.games[0].id, None, "overheated", "bob").await.expect("exclude");
        let none = coordinator.exclude(lease.games[0].id, None, "again", "bob").await.expect_err("nothing counts");
        assert!(none.to_string().contains("(excluded)"), "{none}");
        coordinator.restore(lease.games[0].id, None, "bob").await.expect("restore");

        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let page = coordinator.audit(before, 3).await.expect("audit");
            seen.extend(page.entries);
            before = page.next;
            if before.is_none() {
                break;
            }
        }
        let words: Vec<_> = seen.iter().map(|entry| (entry.who.as_str(), entry.action.as_str())).collect();
        assert_eq!(words, [("bob", "restore"), ("bob", "exclude"), ("tester", "token"), ("ada", "apply")]);
        assert_eq!(seen.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [4, 3, 2, 1]);
        assert_eq!(seen[1].detail, "overheated");
    }
}
