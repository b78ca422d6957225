//! Machines that choose which games they deliver: they fail, return or drop the others.

use crate::databases::on_both_databases;
use crate::play::{
    LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, open_with, play, play_all,
};
use coordinator::Coordinator;
use engine::side::Side;
use protocol::lease::Lease;
use protocol::report::{ExperimentState, Point, WorkerReport};
use protocol::result::FinishedGame;
use protocol::sync::AckStatus::{Accepted, Superseded};
use protocol::sync::{FailedLease, SyncRequest};
use std::collections::HashSet;

/// The first random game of a lease in which the case has this result.
pub(crate) fn game_with(lease: &Lease, index: usize, half_points: u8) -> FinishedGame {
    let leased = lease.games[index];
    let tries = (1..).map(|seed| play(lease, leased, seed));
    let mut such = tries.filter(|game| game.outcome.half_points(leased.case_side) == half_points);
    such.next().expect("some game ends so")
}

fn is_won(lease: &Lease) -> bool {
    // The seed decides, so that half of the pairs are won, whichever worker plays them.
    lease.seed.count_ones().is_multiple_of(2)
}

/// Plays a pair with the result that its seed decides.
fn fairly(lease: &Lease) -> Vec<FinishedGame> {
    let points = if is_won(lease) { 2 } else { 0 };
    (0..lease.games.len()).map(|index| game_with(lease, index, points)).collect()
}

async fn fail(worker: &mut Worker, coordinator: &Coordinator, leases: &[Lease]) {
    for lease in leases {
        worker.drop_lease(lease);
    }
    let failed = leases.iter().map(|lease| FailedLease { lease: lease.id, why: "no reason".into() });
    let request = SyncRequest { failed: failed.collect(), ..worker.request(Vec::new(), 0) };
    coordinator.sync(request).await.expect("sync");
}

async fn point(coordinator: &Coordinator) -> Point {
    coordinator.report("one").await.expect("report").series[0].points[0].clone()
}

async fn shown(coordinator: &Coordinator, worker: &Worker) -> WorkerReport {
    let overview = coordinator.overview().await.expect("overview");
    overview.workers.into_iter().find(|shown| shown.id == worker.id).expect("it is there")
}

on_both_databases! {
    async fn a_machine_that_fails_everything_suspends_nothing_that_others_can_play(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 40, 1.0)])).await.expect("apply");
        let (mut liar, mut honest) = (Worker::new(), Worker::new());
        let first = honest.take(&coordinator, 1).await;
        let mut failed = 0;
        for _ in 0..30 {
            clock.advance(1_000);
            let leases = liar.take(&coordinator, 8).await;
            failed += leases.len();
            fail(&mut liar, &coordinator, &leases).await;
        }
        assert_eq!(failed, 39, "each pair once: then others are to play them");
        assert_eq!(point(&coordinator).await.pairs_aside, 0);
        honest.report(&coordinator, play_all(&first[0], 7)).await;
        honest.held.clear();
        for _ in 0..5 {
            let games = honest.take(&coordinator, 8).await.iter().flat_map(|lease| play_all(lease, 7)).collect();
            honest.held.clear();
            honest.report(&coordinator, games).await;
        }
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.state, summary.games_done), (ExperimentState::Finished, 80));
        assert_verified(&coordinator).await;
    }

    async fn what_a_machine_failed_while_it_was_alone_is_played_by_whoever_comes_later(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut liar = Worker::new();
        for _ in 0..6 {
            let leases = liar.take(&coordinator, 8).await;
            fail(&mut liar, &coordinator, &leases).await;
        }
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.state, summary.pairs_aside), (ExperimentState::Stuck, 4), "it ends all the same");
        assert_verified(&coordinator).await;
        let mut honest = Worker::new();
        let leases = honest.take(&coordinator, 8).await;
        assert_eq!(leases.len(), 4);
        assert_verified(&coordinator).await;
        for lease in &leases {
            assert_eq!(honest.report(&coordinator, play_all(lease, 7)).await, [Accepted, Accepted]);
        }
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.state, summary.pairs_aside), (ExperimentState::Finished, 0));
        assert_verified(&coordinator).await;
    }

    async fn a_pair_that_five_machines_failed_is_set_aside_for_everybody(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        for number in 1..=5 {
            let mut worker = Worker::new();
            let leases = worker.take(&coordinator, 1).await;
            assert_eq!(leases.len(), 1, "machine {number}");
            fail(&mut worker, &coordinator, &leases).await;
        }
        assert_eq!(point(&coordinator).await.pairs_aside, 1);
        assert_eq!(Worker::new().take(&coordinator, 1).await.len(), 0);
        assert_eq!(coordinator.retry("one", "ada").await.expect("retry").pairs, 1);
        let mut sound = Worker::new();
        let leases = sound.take(&coordinator, 1).await;
        assert_eq!(sound.report(&coordinator, play_all(&leases[0], 7)).await, [Accepted, Accepted]);
        assert_verified(&coordinator).await;
    }

    async fn a_machine_does_not_get_back_what_it_let_go_while_another_is_there(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let (mut first, mut second) = (Worker::new(), Worker::new());
        let mut own = second.take(&coordinator, 1).await;
        let abandoned = first.take(&coordinator, 2).await;
        first.held.clear();
        let answer = first.sync(&coordinator, Vec::new(), 8).await;
        assert_eq!(answer.leases.len(), 0, "both are for the other machine");
        assert!(answer.no_work.expect("a reason").message.contains("gave up"), "and it is told why");
        own.extend(second.take(&coordinator, 1).await);
        assert!(abandoned.iter().any(|lease| lease.pair == own[1].pair));
        assert_eq!(first.take(&coordinator, 8).await.len(), 0);
        // After the other machine has left, only this machine can play the last pair.
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        let again: HashSet<u32> = first.take(&coordinator, 8).await.iter().map(|lease| lease.pair).collect();
        assert_eq!(again.len(), 3, "alone, it gets everything");
        assert_verified(&coordinator).await;
    }

    async fn a_machine_that_can_play_nothing_of_it_keeps_nobody_waiting(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let (mut able, mut other) = (Worker::new(), Worker::new());
        other.speeds = vec![crate::play::speed(crate::play::size(9))];
        other.sync(&coordinator, Vec::new(), 1).await;
        able.take(&coordinator, 1).await;
        able.held.clear();
        able.sync(&coordinator, Vec::new(), 0).await;
        other.sync(&coordinator, Vec::new(), 1).await;
        assert_eq!(able.take(&coordinator, 1).await.len(), 1);
    }

    async fn who_drops_lost_games_is_marked_and_who_gives_back_at_random_is_not(database: Database) {
        let (coordinator, _) = open_with(&database, |config| config.replay_share = 0.0).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 160, 1.0)])).await.expect("apply");
        let (mut liar, mut careless, mut honest) = (Worker::new(), Worker::new(), Worker::new());
        for round in 0.. {
            let mut left = 0;
            for worker in [&mut liar, &mut careless, &mut honest] {
                left += worker.take(&coordinator, 0).await.len();
            }
            let leases = liar.take(&coordinator, 4).await;
            left += leases.len();
            liar.held.clear();
            let won = leases.iter().filter(|lease| is_won(lease)).flat_map(fairly).collect();
            liar.sync(&coordinator, won, 0).await;
            let leases = careless.take(&coordinator, 4).await;
            left += leases.len();
            careless.held.clear();
            let some = leases.iter().filter(|lease| (lease.pair + round) % 2 == 0).flat_map(fairly).collect();
            careless.sync(&coordinator, some, 0).await;
            let leases = honest.take(&coordinator, 4).await;
            left += leases.len();
            honest.held.clear();
            honest.sync(&coordinator, leases.iter().flat_map(fairly).collect(), 0).await;
            coordinator.look_for_alarms().await.expect("alarms");
            if left == 0 {
                break;
            }
        }
        let report = coordinator.report("one").await.expect("report");
        assert_eq!(report.summary.state, ExperimentState::Finished, "what was let go is played by others");
        let point = point(&coordinator).await;
        let lost = point.losses as f64 / point.games as f64;
        assert!((0.35..0.65).contains(&lost), "lost games count, too: {lost}");
        let words = shown(&coordinator, &liar).await.suspicion.expect("it is marked");
        assert!(words.contains("in favour of the case"), "{words}");
        for sound in [&careless, &honest] {
            assert_eq!(shown(&coordinator, sound).await.suspicion, None);
        }
        let why = coordinator.why(&liar.id.to_string()).await.expect("why").reasons;
        assert!(why.contains(&words), "{why:?}");
        let audit = coordinator.audit(None, 100).await.expect("audit").entries;
        let told: Vec<_> = audit.iter().filter(|entry| entry.detail.starts_with("choice, red")).collect();
        assert_eq!(told.len(), 1, "{audit:?}");
        assert_verified(&coordinator).await;
    }

    async fn missing_pairs_are_shown_with_the_bias_that_they_could_hide(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 20, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 10).await;
        assert_eq!(point(&coordinator).await.missing, None, "what only waits in a queue is not begun");
        for number in [7, 0, 1, 2, 3, 4, 5, 6] {
            let lease = &leases[number];
            let games = vec![game_with(lease, 0, 2), game_with(lease, 1, 0)];
            worker.report(&coordinator, games).await;
            if number == 7 {
                let missing = point(&coordinator).await.missing.expect("those before it are begun");
                assert_eq!((missing.pairs, missing.low, missing.high), (7, 1.0 / 16.0, 15.0 / 16.0));
            }
        }
        worker.held.clear();
        worker.sync(&coordinator, Vec::new(), 0).await;
        let missing = point(&coordinator).await.missing.expect("two were let go");
        assert_eq!((missing.pairs, missing.low, missing.high), (2, 0.4, 0.6));
        let words = "2 pairs are begun and not finished: with them the rate is between 40 and 60 %, however they end";
        assert_eq!(missing.words, words);
    }

    async fn a_late_result_gives_way_to_the_present_holder_and_counts_when_that_one_fails(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let (mut late, mut holder) = (Worker::new(), Worker::new());
        holder.sync(&coordinator, Vec::new(), 0).await;
        let old = late.take(&coordinator, 2).await;
        late.held.clear();
        late.sync(&coordinator, Vec::new(), 0).await;
        let new = holder.take(&coordinator, 2).await;
        assert_eq!(new.len(), 2);
        for lease in &old {
            assert_eq!(late.report(&coordinator, play_all(lease, 7)).await, [Superseded, Superseded]);
        }
        holder.drop_lease(&new[0]);
        let answer = holder.sync(&coordinator, play_all(&new[0], 9), 0).await;
        assert!(answer.acks.iter().all(|ack| ack.status == Accepted), "{answer:?}");
        assert_eq!(answer.revoked, [], "the other pair is still its own");
        assert_verified(&coordinator).await;
        // The holder never calls again. The late games count, and are not played once more.
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.games_done, summary.state), (4, ExperimentState::Finished));
        assert_eq!(shown(&coordinator, &late).await.games, 2);
        assert_eq!(holder.report(&coordinator, play_all(&new[1], 9)).await, [Superseded, Superseded]);
        assert_verified(&coordinator).await;
    }

    async fn how_far_a_game_was_when_it_was_let_go_is_kept(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        assert_eq!(lease.games[0].case_side, Side::White);
        worker.held[0].plies = 23;
        worker.sync(&coordinator, Vec::new(), 0).await;
        clock.advance(1_000);
        worker.held.clear();
        worker.sync(&coordinator, Vec::new(), 0).await;
        let kept = format!(
            "SELECT COUNT(*) FROM abandoned JOIN lease ON lease.worker = abandoned.worker WHERE abandoned.plies = 23 \
             AND abandoned.times = 1 AND abandoned.how = 'returned' AND abandoned.at_ms = {now} AND lease.plies = 23 \
             AND lease.ended_ms = {now}",
            now = clock.now_ms()
        );
        assert_eq!(database.count(&kept).await, 1);
    }
}
