//! The policies of experiments: which cells get the next pairs.

use crate::choosing::game_with;
use crate::databases::on_both_databases;
use crate::play::{Worker, assert_verified, cell, experiment, open, params};
use coordinator::Coordinator;
use protocol::experiment::{Experiment, Policy};
use protocol::lease::{Budget, Lease};
use std::collections::{HashMap, HashSet};

/// An experiment whose case `rave_k=1` wins every pair, and whose other cases win and lose by turns.
fn sweep(policy: Policy, cases: u32) -> Experiment {
    let cells = (1..=cases).map(|k| cell(k, 3, 1_000, 1.0)).collect();
    Experiment { policy, ..experiment("sweep", cells) }
}

/// Takes pairs and plays them; gives the pairs of each case.
async fn play(coordinator: &Coordinator, worker: &mut Worker, pairs: u32) -> HashMap<String, u32> {
    let mut given: HashMap<String, u32> = HashMap::new();
    let leases = worker.take(coordinator, pairs).await;
    assert_eq!(leases.len() as u32, pairs);
    let games = leases.iter().flat_map(|lease| [game(lease, 0), game(lease, 1)]).collect();
    worker.held.clear();
    worker.sync(coordinator, games, 0).await;
    leases.into_iter().for_each(|lease| *given.entry(lease.case_label).or_default() += 1);
    given
}

fn game(lease: &Lease, index: usize) -> protocol::result::FinishedGame {
    let wins = lease.case_label == "rave_k=1" || lease.pair.is_multiple_of(2);
    game_with(lease, index, if wins { 2 } else { 0 })
}

on_both_databases! {
    async fn best_plays_the_case_that_wins_and_keeps_the_others_in_play(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep(Policy::Best, 8)).await.expect("apply");
        let mut worker = Worker::new();
        let before = play(&coordinator, &mut worker, 160).await;
        assert!(before.values().all(|pairs| *pairs == 20), "{before:?}");
        assert!(coordinator.attend().await.expect("attended") > 0);
        assert_eq!(coordinator.attend().await.expect("attended"), 0, "nothing has changed");
        assert_verified(&coordinator).await;
        // Its share is far above 20 pairs of 160 now, so it gets pairs until it has them.
        let after = play(&coordinator, &mut worker, 60).await;
        assert!(after["rave_k=1"] >= 50, "{after:?}");
        assert_verified(&coordinator).await;
        let cell = sweep(Policy::Best, 8).cells[1].spec.id().to_string();
        let why = coordinator.why(&cell).await.expect("why").reasons.join("\n");
        assert!(why.contains("the policy `best`") && why.contains("times the usual share"), "{why}");
        // The others get what it takes to tell them from the best one.
        let later = play(&coordinator, &mut worker, 240).await;
        let [most, least] = [1, 2].map(|k| later.get(&format!("rave_k={k}")).copied().unwrap_or(0));
        assert!(most > 80 && (3..40).contains(&least), "{later:?}");
    }

    async fn best_compares_cases_of_one_baseline_and_one_budget_whatever_their_labels(database: Database) {
        let (coordinator, _) = open(&database).await;
        // In each of three fields another one of the same four cases wins everything. All of them have the same label.
        let fields = [("exploration=0.9 rave_k=0", 100), ("exploration=0.5 rave_k=0", 100), ("exploration=0.9 rave_k=0", 200)];
        let (mut cells, mut winners) = (Vec::new(), HashSet::new());
        for (field, (baseline, sims)) in fields.into_iter().enumerate() {
            for k in 1..=4 {
                let mut cell = cell(k, 3, 1_000, 1.0);
                cell.case.label = "case".into();
                (cell.baseline.params, cell.baseline.label) = (params(baseline), baseline.into());
                (cell.spec.baseline, cell.spec.budget) = (params(baseline), Budget::Sims(sims));
                if k as usize == field + 1 {
                    winners.insert(cell.spec.id());
                }
                cells.push(cell);
            }
        }
        let plan = Experiment { policy: Policy::Best, ..experiment("sweep", cells) };
        coordinator.apply(&plan).await.expect("apply");
        let mut worker = Worker::new();
        let mut given = async |pairs: u32| {
            let leases = worker.take(&coordinator, pairs).await;
            assert_eq!(leases.len() as u32, pairs);
            let wins = |lease: &Lease| winners.contains(&lease.cell) || lease.pair.is_multiple_of(2);
            let points = |lease: &Lease| if wins(lease) { 2 } else { 0 };
            let games = leases.iter().flat_map(|lease| [0, 1].map(|half| game_with(lease, half, points(lease))));
            let games = games.collect();
            worker.held.clear();
            worker.sync(&coordinator, games, 0).await;
            leases.iter().filter(|lease| winners.contains(&lease.cell)).count()
        };
        assert_eq!(given(240).await, 60, "evenly at first");
        assert_eq!(coordinator.attend().await.expect("attended"), 12);
        let of_the_winners = given(60).await;
        assert!(of_the_winners >= 50, "{of_the_winners} of 60");
        assert_verified(&coordinator).await;
    }

    async fn race_rejects_what_is_worse_and_coverage_takes_everything_back(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep(Policy::Race, 4)).await.expect("apply");
        let mut worker = Worker::new();
        play(&coordinator, &mut worker, 160).await;
        assert_eq!(coordinator.attend().await.expect("attended"), 3);
        let raced = play(&coordinator, &mut worker, 40).await;
        assert_eq!(raced, HashMap::from([("rave_k=1".to_owned(), 40)]), "the others have had their tenth");
        coordinator.apply(&sweep(Policy::Coverage, 4)).await.expect("apply");
        assert_verified(&coordinator).await;
        assert_eq!(coordinator.attend().await.expect("attended"), 0, "coverage gives no attention");
        let even = play(&coordinator, &mut worker, 120).await;
        assert!(!even.contains_key("rave_k=1"), "it has 40 pairs more than the others: {even:?}");
        assert_verified(&coordinator).await;
    }

    async fn error_plays_where_results_vary(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&sweep(Policy::Error, 2)).await.expect("apply");
        let mut worker = Worker::new();
        let mut given: HashMap<String, u32> = HashMap::new();
        for _ in 0..10 {
            for (case, pairs) in play(&coordinator, &mut worker, 16).await {
                *given.entry(case).or_default() += pairs;
            }
            assert_verified(&coordinator).await;
        }
        // The standard deviation of the second case is about ten times that of the first, which always wins.
        assert!(given["rave_k=2"] > 3 * given["rave_k=1"] && given["rave_k=1"] > 4, "{given:?}");
        coordinator.apply(&sweep(Policy::Coverage, 2)).await.expect("apply");
        assert_verified(&coordinator).await;
    }
}
