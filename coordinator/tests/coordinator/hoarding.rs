//! Machines that hold more leases than they play, and answers that are lost.

use crate::databases::on_both_databases;
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, play_all};
use protocol::sync::AckStatus::Accepted;
use protocol::sync::{NoWorkCode, SyncRequest};

on_both_databases! {
    async fn a_newcomer_cannot_take_everything_whatever_slots_it_claims(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4_000, 1.0)])).await.expect("apply");
        let mut hoarder = Worker { slots: 1024, ..Worker::new() };
        for _ in 0..8 {
            hoarder.take(&coordinator, 1024).await;
        }
        assert_eq!(hoarder.held.len(), 256);
        let answer = hoarder.sync(&coordinator, Vec::new(), 1024).await;
        assert_eq!(answer.no_work.map(|reason| reason.code), Some(NoWorkCode::EnoughInHand));
        let absurd = SyncRequest { slots: 1025, ..hoarder.request(Vec::new(), 1024) };
        let refused = coordinator.sync(absurd).await.expect_err("no machine has so many");
        assert!(refused.to_string().contains("1024 slots"), "{refused}");
        assert_verified(&coordinator).await;
    }

    async fn whoever_delivers_may_hold_more(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 4_000, 1.0)])).await.expect("apply");
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let leases = worker.take(&coordinator, 1024).await;
        assert_eq!(leases.len(), 256);
        let games = leases[..50].iter().flat_map(|lease| play_all(lease, 7)).collect();
        for lease in &leases[..50] {
            worker.drop_lease(lease);
        }
        let answer = worker.sync(&coordinator, games, 1024).await;
        // The limit is 4 leases per slot, and one for each of the 100 games of the last minute.
        assert_eq!(answer.leases.len(), 4 * 64 + 100 - 206);
        worker.hold(&answer.leases);
        clock.advance(60_000);
        assert_eq!(worker.sync(&coordinator, Vec::new(), 1024).await.leases.len(), 0, "that was a minute ago");
    }

    async fn plies_that_the_board_has_no_room_for_extend_nothing(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        // The board of size 4 has 37 cells, so that two games have at most 74 moves.
        worker.held[0].plies = 74;
        clock.advance(100_000);
        assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        worker.held[0].plies = 75;
        clock.advance(100_000);
        assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, []);
        clock.advance(21_000);
        let answer = Worker::new().sync(&coordinator, Vec::new(), 1).await;
        assert_eq!(answer.leases.len(), 1, "somebody else has it");
        assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, [lease.id]);
        assert_verified(&coordinator).await;
    }

    async fn plies_that_go_back_and_forth_are_no_progress(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        let mut revoked = Vec::new();
        for minute in 0..70 {
            worker.held[0].plies = 10 + minute % 2;
            revoked = worker.sync(&coordinator, Vec::new(), 0).await.revoked;
            if !revoked.is_empty() {
                assert_eq!(minute, 61);
                break;
            }
            clock.advance(60_000);
        }
        assert_eq!(revoked, [lease.id]);
        assert_verified(&coordinator).await;
    }

    async fn a_lease_that_is_never_begun_is_not_kept_by_other_games_for_ever(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 20, 1.0)])).await.expect("apply");
        let mut hoarder = Worker::new();
        let leases = hoarder.take(&coordinator, 10).await;
        let mut revoked = Vec::new();
        for quarter in 1..=17 {
            clock.advance(100_000);
            hoarder.sync(&coordinator, Vec::new(), 0).await;
            for _ in 0..8 {
                clock.advance(100_000);
                hoarder.sync(&coordinator, Vec::new(), 0).await;
            }
            hoarder.held[0].plies = quarter;
            let gone = hoarder.sync(&coordinator, Vec::new(), 0).await.revoked;
            hoarder.held.retain(|held| !gone.contains(&held.lease));
            revoked.extend(gone);
        }
        assert_eq!(revoked.len(), 9, "all but the one that moves on");
        assert!(!revoked.contains(&leases[0].id));
        assert_verified(&coordinator).await;
    }

    async fn leases_of_an_answer_that_never_arrived_come_with_the_next(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        worker.sync(&coordinator, Vec::new(), 0).await;
        let heard = worker.request(Vec::new(), 2);
        let first = coordinator.sync(heard.clone()).await.expect("sync").leases;
        worker.hold(&first);
        // Two consecutive answers are lost.
        let lost = coordinator.sync(worker.request(Vec::new(), 3)).await.expect("sync").leases;
        let unheard = |want| SyncRequest { heard: Some(heard.sequence), ..worker.request(Vec::new(), want) };
        coordinator.sync(unheard(3)).await.expect("sync");
        clock.advance(100_000);
        let again = coordinator.sync(unheard(5)).await.expect("sync").leases;
        assert_eq!(again.len(), 5);
        let key = |lease: &protocol::lease::Lease| (lease.id, lease.pair, lease.opening.clone(), lease.games.clone());
        let known: Vec<_> = lost.iter().map(key).collect();
        assert_eq!(again.iter().filter(|lease| known.contains(&key(lease))).count(), 3);
        worker.hold(&again);
        clock.advance(100_000);
        assert_eq!(worker.sync(&coordinator, Vec::new(), 0).await.revoked, [], "they were extended");
        let ended = "SELECT COUNT(*) FROM lease WHERE state <> 'active'";
        assert_eq!(database.count(ended).await, 0, "none was returned");
        assert_eq!(worker.report(&coordinator, play_all(&again[0], 7)).await, [Accepted, Accepted]);
        assert_verified(&coordinator).await;
        // Leases of lost answers that the worker no longer wants are returned.
        coordinator.sync(worker.request(Vec::new(), 2)).await.expect("sync");
        let none = SyncRequest { heard: Some(heard.sequence), ..worker.request(Vec::new(), 0) };
        assert_eq!(coordinator.sync(none).await.expect("sync").leases.len(), 0);
        assert_eq!(coordinator.report("one").await.expect("report").summary.pairs_in_flight, 6);
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        assert_verified(&coordinator).await;
    }

    async fn a_lease_of_a_lost_answer_that_cannot_be_described_again_is_let_go(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 9, 1.0)])).await.expect("apply");
        let worker = Worker::new();
        let heard = worker.request(Vec::new(), 0);
        coordinator.sync(heard.clone()).await.expect("sync");
        let lost = coordinator.sync(worker.request(Vec::new(), 2)).await.expect("sync").leases;
        assert_eq!(lost.len(), 2);
        // The description of a cell is in its experiment.
        database.run("DELETE FROM experiment_cell").await;
        let again = SyncRequest { heard: Some(heard.sequence), ..worker.request(Vec::new(), 2) };
        assert_eq!(coordinator.sync(again).await.expect("sync").leases.len(), 0);
        assert_eq!(database.count("SELECT COUNT(*) FROM lease WHERE state = 'active'").await, 0);
        let noted = "SELECT COUNT(*) FROM abandoned WHERE times = 1 AND failures = 0 AND how = 'returned'";
        assert_eq!(database.count(noted).await, 2, "it may know what it got");
    }
}
