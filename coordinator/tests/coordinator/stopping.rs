//! Stopping rules: the decision is a function of the results, whatever the order in which they arrive.

use crate::databases::{Database, on_both_databases};
use crate::play::{
    LEASE_AND_A_BIT, Random, Worker, assert_verified, cell, experiment, open, open_with, play_all,
};
use coordinator::Coordinator;
use protocol::experiment::{Experiment, Hypotheses, PlannedCell, StopInterval, StopRule};
use protocol::lease::Lease;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentState, Point, StopOutcome, Stopping};
use protocol::sync::NoWorkCode;

/// Decides after about twenty pairs.
const NARROW: StopRule =
    StopRule::HalfWidth { half_width: 0.15, interval: StopInterval::Wilson, confidence: 0.95 };

fn ruled(stop: StopRule, pairs: u32) -> PlannedCell {
    PlannedCell { stop: Some(stop), ..cell(500, 4, pairs, 1.0) }
}

fn one(stop: StopRule, pairs: u32) -> Experiment {
    experiment("one", vec![ruled(stop, pairs)])
}

async fn point(coordinator: &Coordinator, key: &str) -> (ExperimentState, Point) {
    let report = coordinator.report(key).await.expect("report");
    (report.summary.state, report.series[0].points[0].clone())
}

async fn stopping(coordinator: &Coordinator) -> Stopping {
    point(coordinator, "one").await.1.stopping.expect("a rule")
}

/// The games of a pair are the same in every test.
async fn report(coordinator: &Coordinator, worker: &mut Worker, lease: &Lease) {
    worker.drop_lease(lease);
    worker.report(coordinator, play_all(lease, 1000 + 2 * u64::from(lease.pair))).await;
}

/// Plays pair after pair until nothing is leased; gives the number of pairs.
async fn play_in_order(coordinator: &Coordinator) -> u64 {
    let mut worker = Worker::new();
    let mut pairs = 0;
    while let Some(lease) = worker.take(coordinator, 1).await.pop() {
        report(coordinator, &mut worker, &lease).await;
        pairs += 1;
    }
    pairs
}

on_both_databases! {
    async fn a_decision_ends_a_cell_and_does_not_depend_on_the_order_of_arrival(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&one(NARROW, 60)).await.expect("apply");
        let played = play_in_order(&coordinator).await;
        let (state, in_order) = point(&coordinator, "one").await;
        let decided = in_order.stopping.clone().expect("a rule");
        assert_eq!((state, decided.outcome), (ExperimentState::Finished, StopOutcome::Precise));
        assert!((10..50).contains(&played), "{played} pairs");
        assert_eq!((decided.pairs, in_order.pairs), (played, played));
        assert_eq!(decided.pair_counts, in_order.pair_counts);
        assert!(decided.rate.is_some() && decided.words.contains("precise enough"), "{decided:?}");
        let why = coordinator.why("one").await.expect("why").reasons.join("\n");
        assert!(why.contains("its stopping rules decided before the last"), "{why}");
        assert_verified(&coordinator).await;
    }

    async fn games_that_a_rule_made_unnecessary_are_not_missing(database: Database) {
        let (coordinator, _) = open(&database).await;
        let cells = vec![ruled(NARROW, 60), cell(400, 4, 60, 0.000_001)];
        coordinator.apply(&experiment("two", cells)).await.expect("apply");
        let mut worker = Worker::new();
        for _ in 0..60 {
            let lease = worker.take(&coordinator, 1).await.pop().expect("a pair");
            report(&coordinator, &mut worker, &lease).await;
        }
        let report = coordinator.report("two").await.expect("report");
        let ended = report.series.iter().flat_map(|series| &series.points).find(|point| point.stopping.is_some());
        let ended = ended.expect("the cell with a rule");
        assert_eq!(ended.stopping.as_ref().map(|rule| rule.outcome), Some(StopOutcome::Precise));
        let summary = report.summary;
        assert_eq!((summary.games_planned, summary.games_done), (240, 120));
        assert_eq!(summary.games_not_needed, 120 - ended.games);
        assert_eq!(summary.games_missing(), ended.games);
        let left = summary.games_missing() as f64 / summary.games_per_minute * 60.0;
        assert_eq!(summary.seconds_left, Some(left));
        let why = coordinator.why("two").await.expect("why").reasons.join("\n");
        assert!(why.contains(&format!("{} games missing", ended.games)), "{why}");
    }

    async fn pairs_in_play_at_the_decision_still_count(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&one(NARROW, 60)).await.expect("apply");
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let mut leases = worker.take(&coordinator, 60).await;
        assert_eq!(leases.len(), 60);
        let mut random = Random(5);
        for place in (1..leases.len()).rev() {
            leases.swap(place, random.below(place + 1));
        }
        let first = leases.iter().position(|lease| lease.pair == 0).expect("the first pair");
        let gap = leases.remove(first);
        for lease in &leases {
            report(&coordinator, &mut worker, lease).await;
            if random.below(4) == 0 {
                report(&coordinator, &mut worker, lease).await;
            }
        }
        let waiting = stopping(&coordinator).await;
        assert_eq!((waiting.outcome, waiting.pairs), (StopOutcome::Open, 0), "the first pair is missing");
        assert!(waiting.words.ends_with("after 0 pairs; 59 pairs played beyond the next one that it needs"), "{}", waiting.words);
        report(&coordinator, &mut worker, &gap).await;
        let (state, shuffled) = point(&coordinator, "one").await;
        let decided = shuffled.stopping.clone().expect("a rule");
        assert_eq!((state, decided.outcome, shuffled.pairs), (ExperimentState::Finished, StopOutcome::Precise, 60));
        assert_verified(&coordinator).await;

        let fresh = Database::sqlite();
        let (in_order, _) = open(&fresh).await;
        in_order.apply(&one(NARROW, 60)).await.expect("apply");
        play_in_order(&in_order).await;
        assert_eq!(stopping(&in_order).await, decided, "the decision of the same games, one after the other");
    }

    async fn a_pair_that_is_set_aside_after_the_decision_keeps_nothing_waiting(database: Database) {
        let (coordinator, clock) = open_with(&database, |config| config.most_failures = 1).await;
        coordinator.apply(&one(NARROW, 60)).await.expect("apply");
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let mut leases = worker.take(&coordinator, 60).await;
        leases.sort_by_key(|lease| lease.pair);
        let lost = leases.pop().expect("the last pair");
        for lease in &leases {
            report(&coordinator, &mut worker, lease).await;
        }
        clock.advance(LEASE_AND_A_BIT);
        assert_eq!(coordinator.lapse().await.expect("lapse"), 1);
        let (state, point) = point(&coordinator, "one").await;
        assert_eq!((lost.pair, point.pairs_aside), (59, 1));
        assert_eq!(state, ExperimentState::Finished, "the rule decided without this pair");
        worker.start_anew();
        let answer = worker.sync(&coordinator, Vec::new(), 1).await;
        assert_eq!(answer.no_work.map(|reason| reason.code), Some(NoWorkCode::Finished));
        assert_verified(&coordinator).await;
    }

    async fn an_excluded_game_takes_the_decision_back_until_its_pair_is_played_again(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&one(NARROW, 60)).await.expect("apply");
        play_in_order(&coordinator).await;
        let decided = stopping(&coordinator).await;
        let games = coordinator.games("one", None, 1000).await.expect("games").games;
        let third = games.iter().find(|game| game.pair == 3).expect("a game of pair 3");
        coordinator.exclude(third.id, None, "a test", "ada").await.expect("exclude");
        let open = stopping(&coordinator).await;
        assert_eq!((open.outcome, open.pairs), (StopOutcome::Open, 3));
        assert_verified(&coordinator).await;
        assert_eq!(play_in_order(&coordinator).await, 1, "only the missing game");
        let again = stopping(&coordinator).await;
        assert_eq!((again.outcome, again.pairs), (decided.outcome, decided.pairs));
        assert_verified(&coordinator).await;
    }

    async fn a_rule_decides_on_results_from_before_it(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 60, 1.0)])).await.expect("apply");
        assert_eq!(play_in_order(&coordinator).await, 60);
        let fresh = Database::sqlite();
        let (expected, _) = open(&fresh).await;
        expected.apply(&one(NARROW, 60)).await.expect("apply");
        play_in_order(&expected).await;
        // The same cell with a rule: a revision changes the rule, and finds the games.
        let applied = coordinator.apply(&one(NARROW, 200)).await.expect("apply");
        assert_eq!((applied.changes.changed, applied.games_done), (1, 120));
        assert_eq!(stopping(&coordinator).await, stopping(&expected).await);
        for change in [ExperimentChange::Pause, ExperimentChange::Resume] {
            coordinator.change_experiment("one", change, "ada").await.expect("changed");
            assert!(Worker::new().take(&coordinator, 1).await.is_empty(), "the cell is closed");
            assert_verified(&coordinator).await;
        }
        assert_verified(&coordinator).await;
        // Without the rule, the cell is open again.
        coordinator.apply(&experiment("one", vec![cell(500, 4, 200, 1.0)])).await.expect("apply");
        assert_eq!(Worker::new().take(&coordinator, 1).await.len(), 1);
        assert_verified(&coordinator).await;
    }

    async fn a_test_without_a_decision_is_inconclusive_at_the_end_of_the_plan(database: Database) {
        let (coordinator, _) = open(&database).await;
        let hypotheses = Hypotheses::Elo([0.0, 5.0]);
        coordinator.apply(&one(StopRule::Sprt { hypotheses, alpha: 0.05, beta: 0.05 }, 3)).await.expect("apply");
        assert_eq!(play_in_order(&coordinator).await, 3);
        let (state, point) = point(&coordinator, "one").await;
        let stopping = point.stopping.expect("a rule");
        assert_eq!((state, stopping.outcome, stopping.pairs), (ExperimentState::Finished, StopOutcome::Inconclusive, 3));
        assert!(stopping.llr.is_some_and(|llr| stopping.lower < Some(llr) && Some(llr) < stopping.upper), "{stopping:?}");
        assert_verified(&coordinator).await;
    }

    async fn a_wrong_decision_is_found(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&one(NARROW, 60)).await.expect("apply");
        play_in_order(&coordinator).await;
        database.run("UPDATE experiment_cell SET stop_wl = stop_wl + 1, stop_decision = 'better'").await;
        let found: Vec<String> =
            coordinator.verify().await.expect("verify").differences.into_iter().map(|wrong| wrong.counter).collect();
        assert_eq!(found, ["wl", "number of the decision"]);
    }

    async fn an_impossible_rule_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        let hypotheses = Hypotheses::Score([0.6, 0.5]);
        let refused = coordinator.apply(&one(StopRule::Sprt { hypotheses, alpha: 0.05, beta: 0.05 }, 3)).await;
        assert!(refused.expect_err("refused").to_string().contains("impossible stopping rule"));
    }
}
