//! The distribution of pairs to workers: shares, even progress, limits, and reasons.

use crate::databases::on_both_databases;
use crate::play::{
    Worker, assert_verified, cell, experiment, open, open_with, params, play_all, size, speed,
};
use protocol::experiment::PlannedCell;
use protocol::lease::Budget;
use protocol::memory::Mib;
use protocol::report::ExperimentState;
use protocol::sync::{NoWorkCode, PrefetchDemand, SyncRequest};
use std::collections::{HashMap, HashSet};

/// A worker with this much memory for the players of a game.
fn with_memory(mib: u32) -> Worker {
    Worker { memory: Mib(mib), ..Worker::new() }
}

/// Turns a cell into one whose players may fill more than 4 GiB.
fn needy(mut planned: PlannedCell) -> PlannedCell {
    planned.spec.budget = Budget::ReferenceSeconds(1e6);
    planned.spec.case = params("rave_k=400 memory_mib=4000");
    planned
}

on_both_databases! {
    async fn applying_the_same_content_twice_changes_nothing(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 2, 1.0), cell(500, 5, 2, 1.0)]);
        let first = coordinator.apply(&file).await.expect("apply");
        assert!(first.created);
        assert_eq!((first.id, first.cells, first.games_planned), (file.id(), 2, 8));
        let mut worker = Worker::new();
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.report(&coordinator, play_all(&lease, 7)).await;
        let again = coordinator.apply(&file).await.expect("apply");
        assert_eq!((again.created, again.revised, again.id, again.games_done), (false, false, first.id, 2));
        assert_eq!((again.revision, again.changes.kept), (1, 2));
        assert_eq!(coordinator.overview().await.expect("overview").experiments.len(), 1);
        assert_verified(&coordinator).await;
    }

    async fn halves_of_pairs_beyond_a_plan_do_not_finish_it(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("large", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("small", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 4).await;
        let games: Vec<_> = leases.iter().map(|lease| play_all(lease, 7)).collect();
        let progress = async || {
            let small = coordinator.report("small").await.expect("report").summary;
            let large = coordinator.report("large").await.expect("report").summary;
            // An experiment that is applied later has the same games.
            let file = experiment("later", vec![cell(500, 4, 2, 1.0), cell(100, 4, 1, 1.0)]);
            let later = coordinator.apply(&file).await.expect("apply");
            assert_eq!(later.games_done, small.games_done);
            assert_verified(&coordinator).await;
            (small.games_done, small.state == ExperimentState::Finished, large.games_done)
        };
        for (sent, wanted) in [(1, (1, false, 1)), (2, (2, false, 2)), (3, (2, false, 3)), (4, (2, false, 4))] {
            worker.report(&coordinator, vec![games[sent - 1][0].clone()]).await;
            assert_eq!(progress().await, wanted);
        }
        worker.report(&coordinator, vec![games[3][1].clone()]).await;
        assert_eq!(progress().await, (3, false, 5));
        worker.report(&coordinator, vec![games[1][1].clone()]).await;
        assert_eq!(progress().await, (4, true, 6));
        coordinator.exclude(games[1][0].game, Some(leases[1].id), "a fault", "ada").await.expect("exclude");
        assert_eq!(progress().await, (3, false, 5));
    }

    async fn games_are_shared_out_by_weight_of_cell_and_experiment(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator
            .apply(&experiment("light", vec![cell(100, 4, 1000, 1.0), cell(200, 4, 1000, 2.0)]))
            .await
            .expect("apply");
        let heavy = protocol::experiment::Experiment {
            weight: 2.0,
            ..experiment("heavy", vec![cell(300, 4, 1000, 1.0), cell(400, 4, 1000, 0.5)])
        };
        coordinator.apply(&heavy).await.expect("apply");
        let mut worker = Worker::new();
        let mut given: HashMap<String, u32> = HashMap::new();
        for lease in worker.take(&coordinator, 135).await {
            *given.entry(lease.case_label.clone()).or_default() += 1;
        }
        // Pairs that cost alike in the ratio 1 : 2, and in each experiment by the weights of its cells.
        for (label, pairs) in [("rave_k=100", 15), ("rave_k=200", 30), ("rave_k=300", 60), ("rave_k=400", 30)] {
            let given = given[label];
            assert!(given.abs_diff(pairs) <= 1, "{label}: {given}, not {pairs}");
        }
        assert_verified(&coordinator).await;
    }

    async fn cells_and_sizes_progress_evenly(database: Database) {
        let (coordinator, _) = open(&database).await;
        let cells: Vec<_> = (3..=10).flat_map(|n| (0..5).map(move |k| cell(100 + k, n, 100, 1.0))).collect();
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let mut worker = Worker::new();
        let mut given: HashMap<_, u32> = HashMap::new();
        let mut sizes: HashMap<_, i32> = HashMap::new();
        for (count, lease) in (1..).zip(worker.take(&coordinator, 200).await) {
            *given.entry(lease.cell).or_default() += 1;
            *sizes.entry(lease.size).or_default() += 1;
            if count % 40 == 0 {
                assert_eq!(given.len(), 40);
                assert!(given.values().all(|pairs| *pairs == count / 40), "every cell once before any again");
            }
            if count == 20 {
                // Halfway through a round most sizes have been played: the order does not depend on the size.
                assert!(sizes.len() >= 6, "{sizes:?}");
            }
        }
    }

    async fn nothing_is_lent_beyond_the_plan(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0), cell(500, 5, 2, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let answer = worker.sync(&coordinator, Vec::new(), 50).await;
        assert_eq!(answer.leases.len(), 5);
        assert_eq!(answer.no_work.expect("a reason").code, NoWorkCode::AllLeased);
        worker.hold(&answer.leases);
        worker.sync(&coordinator, Vec::new(), 1).await;
        Worker::new().sync(&coordinator, Vec::new(), 1).await;
        let workers = coordinator.overview().await.expect("overview").workers;
        let idle = workers.iter().find(|shown| shown.id != worker.id).expect("the other worker");
        let busy = workers.iter().find(|shown| shown.id == worker.id).expect("the first worker");
        assert!(idle.no_work.as_deref().is_some_and(|reason| reason.contains("10 games, is being played")), "{idle:?}");
        assert_eq!((busy.no_work.as_deref(), busy.pairs_held), (None, 5));
        let games = answer.leases.iter().flat_map(|lease| play_all(lease, u64::from(lease.pair))).collect();
        worker.held.clear();
        let answer = worker.sync(&coordinator, games, 1).await;
        assert!(answer.leases.is_empty());
        assert_eq!(answer.no_work.expect("a reason").code, NoWorkCode::Finished);
        assert!(answer.sizes.is_empty());
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.games_done, summary.state, summary.seconds_left), (10, ExperimentState::Finished, None));
        assert_verified(&coordinator).await;
    }

    async fn two_experiments_with_the_same_cell_play_it_once(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(500, 4, 4, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 50).await;
        assert_eq!(leases.len(), 4);
        let games: Vec<_> = leases.iter().flat_map(|lease| play_all(lease, u64::from(lease.pair))).collect();
        worker.held.clear();
        worker.sync(&coordinator, games, 0).await;
        for (name, games) in [("one", 4), ("two", 8)] {
            let summary = coordinator.report(name).await.expect("report").summary;
            assert_eq!((summary.games_done, summary.state), (games, ExperimentState::Finished), "{name}");
        }
        assert_verified(&coordinator).await;
    }

    async fn a_size_without_a_measured_speed_is_not_given_whatever_the_budget(database: Database) {
        let (coordinator, _) = open(&database).await;
        let mut timed = cell(500, 5, 2, 1.0);
        timed.spec.budget = Budget::ReferenceSeconds(0.5);
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0), timed])).await.expect("apply");
        let mut worker = Worker::new();
        worker.speeds.clear();
        let answer = worker.sync(&coordinator, Vec::new(), 5).await;
        assert_eq!(answer.leases, []);
        assert_eq!(answer.sizes, [size(4), size(5)]);
        let reason = answer.no_work.expect("a reason");
        assert_eq!(reason.code, NoWorkCode::NotCalibrated);
        assert!(reason.message.contains("(4, 5)"), "{}", reason.message);
        worker.speeds = vec![speed(size(4))];
        let answer = worker.sync(&coordinator, Vec::new(), 5).await;
        assert_eq!(answer.leases.iter().map(|lease| lease.size).collect::<Vec<_>>(), [size(4)]);
        worker.hold(&answer.leases);
        worker.speeds.push(speed(size(5)));
        let answer = worker.sync(&coordinator, Vec::new(), 5).await;
        assert_eq!(answer.leases.iter().map(|lease| lease.size).collect::<Vec<_>>(), [size(5), size(5)]);
    }

    async fn a_worker_with_little_memory_gets_only_the_cells_that_need_little(database: Database) {
        let (coordinator, _) = open(&database).await;
        let small = cell(500, 4, 2, 1.0);
        let large = needy(cell(400, 4, 3, 9.0));
        let (least, most) = (small.spec.memory(), large.spec.memory());
        assert!(least < Mib(64) && most > Mib(4096), "{least} {most}");
        coordinator.apply(&experiment("one", vec![small, large.clone()])).await.expect("apply");
        let mut worker = Worker { memory: Mib(most.0 - 1), ..Worker::new() };
        let leases = worker.take(&coordinator, 9).await;
        assert_eq!(leases.iter().map(|lease| lease.case_label.as_str()).collect::<Vec<_>>(), ["rave_k=500"; 2]);
        // The large cell does not fit this worker's memory.
        let reason = worker.sync(&coordinator, Vec::new(), 1).await.no_work.expect("a reason");
        assert_eq!(reason.code, NoWorkCode::TooLittleMemory);
        for words in [most, worker.memory].map(|memory| memory.to_string()) {
            assert!(reason.message.contains(&words), "{} lacks {words}", reason.message);
        }
        let none = Worker { memory: Mib(0), ..Worker::new() };
        assert!(none.sync(&coordinator, Vec::new(), 9).await.leases.is_empty(), "nothing fits into nothing");
        let mut able = Worker { memory: most, ..Worker::new() };
        let leases = able.take(&coordinator, 9).await;
        assert_eq!(leases.len(), 3);
        assert!(leases.iter().all(|lease| lease.cell == large.spec.id()));
        let reason = worker.sync(&coordinator, Vec::new(), 1).await.no_work.expect("a reason");
        assert_eq!(reason.code, NoWorkCode::AllLeased, "nobody could have more");
        assert_verified(&coordinator).await;
    }

    async fn cells_given_back_in_a_group_come_first_for_its_other_calls(database: Database) {
        let (coordinator, _) = open(&database).await;
        let cells = (0..12).map(|k| cell(100 + k, 4, 100, 1.0)).collect();
        coordinator.apply(&experiment("one", cells)).await.expect("apply");
        let (mut stays, mut leaves) = (Worker::new(), Worker::new());
        let mut held = stays.take(&coordinator, 6).await;
        leaves.take(&coordinator, 6).await;
        leaves.held.clear();
        // The takers differ in memory, so that the scheduler treats them separately.
        let takers = [8000, 7000].map(with_memory);
        let calls = [(&leaves, 0), (&takers[0], 3), (&takers[1], 3)];
        let calls = calls.map(|(worker, want)| worker.sync(&coordinator, Vec::new(), want));
        for answer in futures_util::future::join_all(calls).await {
            held.extend(answer.leases);
        }
        let lent: HashSet<_> = held.iter().map(|lease| lease.cell).collect();
        assert_eq!((held.len(), lent.len()), (12, 12), "twelve pairs of twelve cells");
        assert_verified(&coordinator).await;
    }

    async fn a_worker_gets_a_time_of_play_and_not_a_number_of_pairs(database: Database) {
        let (coordinator, _) = open(&database).await;
        // Pairs of 100 simulations a move, and pairs of 100,000 on another board.
        let cells = [(4, 100), (5, 100_000)].map(|(size, sims)| {
            let mut planned = cell(500, size, 1_000, 1.0);
            planned.spec.budget = Budget::Sims(sims);
            planned
        });
        coordinator.apply(&experiment("one", cells.to_vec())).await.expect("apply");
        let on = |n| Worker { slots: 64, speeds: vec![speed(size(n))], ..Worker::new() };
        let ask = async |worker: &mut Worker, free, expected_us| {
            let ahead = Some(PrefetchDemand { free, expected_us });
            let asked = SyncRequest { ahead, ..worker.request(Vec::new(), 100) };
            let answer = coordinator.sync(asked).await.expect("heard");
            assert_eq!(answer.no_work, None, "the worker has what it wants");
            worker.hold(&answer.leases);
            answer.leases
        };
        let (mut short, mut long) = (on(4), on(5));
        let first = ask(&mut short, 0, 1).await;
        assert_eq!(first.len(), 1, "one is expected to take longer");
        let each_us = first[0].expected_us;
        assert_eq!(ask(&mut short, 0, 20 * each_us).await.len(), 20);
        assert_eq!(ask(&mut short, 3, 20 * each_us).await.len(), 23, "three are played at once");
        assert_eq!(ask(&mut short, 3, u64::MAX).await.len(), 100, "no more than wanted");
        let dear = ask(&mut long, 2, 20 * each_us).await;
        assert!(dear.iter().all(|lease| lease.expected_us > 100 * each_us));
        assert_eq!(dear.len(), 3, "two that are played at once, and one that waits");
        assert_verified(&coordinator).await;
    }

    async fn a_cell_that_an_older_binary_stored_is_lent_to_anybody(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![needy(cell(500, 4, 2, 1.0))])).await.expect("apply");
        database.run("UPDATE cell SET memory_mib = NULL").await;
        let mut worker = Worker { memory: Mib(1), ..Worker::new() };
        assert_eq!(worker.take(&coordinator, 9).await.len(), 2);
    }

    async fn a_coordinator_for_one_experiment_gives_out_no_other(database: Database) {
        let wanted = experiment("wanted", vec![cell(500, 4, 2, 1.0)]);
        let (coordinator, _) = open_with(&database, |config| config.only_experiments = vec![wanted.id()]).await;
        coordinator.apply(&experiment("other", vec![cell(100, 3, 9, 1.0)])).await.expect("apply");
        let worker = Worker::new();
        let answer = worker.sync(&coordinator, Vec::new(), 9).await;
        assert_eq!(answer.no_work.expect("a reason").code, NoWorkCode::NoExperiment);
        assert!(answer.sizes.is_empty() && answer.leases.is_empty());
        coordinator.apply(&wanted).await.expect("apply");
        let answer = worker.sync(&coordinator, Vec::new(), 9).await;
        assert_eq!(answer.leases.len(), 2);
        assert!(answer.leases.iter().all(|lease| lease.size == size(4)));
    }

    async fn a_coordinator_for_some_experiments_shares_between_them_and_gives_out_no_other(database: Database) {
        let shared = cell(300, 6, 2, 1.0);
        let both = [
            experiment("one", vec![cell(500, 4, 4, 1.0), shared.clone()]),
            experiment("two", vec![cell(500, 5, 4, 1.0), shared]),
        ];
        let only = both.iter().map(|experiment| experiment.id()).collect();
        let (coordinator, _) = open_with(&database, |config| config.only_experiments = only).await;
        coordinator.apply(&experiment("other", vec![cell(100, 3, 9, 1.0)])).await.expect("apply");
        for experiment in &both {
            coordinator.apply(experiment).await.expect("apply");
        }
        let mut worker = Worker::new();
        let mut sizes: Vec<u8> = worker.take(&coordinator, 6).await.iter().map(|lease| lease.size.get()).collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [4, 4, 5, 5, 6, 6], "they take turns, and what they share is lent once");
        let answer = worker.sync(&coordinator, Vec::new(), 9).await;
        assert_eq!((answer.leases.len(), answer.sizes.len()), (4, 0));
        worker.hold(&answer.leases);
        let rest = worker.sync(&coordinator, Vec::new(), 9).await;
        assert_eq!(rest.no_work.expect("a reason").code, NoWorkCode::AllLeased);
        let why = coordinator.why("other").await.expect("an answer").reasons;
        assert!(why.iter().any(|reason| reason.contains("gives out other experiments only")), "{why:?}");
        assert_verified(&coordinator).await;
    }

    async fn all_cases_of_a_sweep_meet_the_same_openings_and_seeds(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator
            .apply(&experiment("one", vec![cell(100, 5, 8, 1.0), cell(200, 5, 8, 1.0)]))
            .await
            .expect("apply");
        let mut met: HashMap<u32, (String, u64)> = HashMap::new();
        let leases = Worker::new().take(&coordinator, 16).await;
        for lease in &leases {
            let meeting = (lease.opening.clone(), lease.seed);
            assert_eq!(met.entry(lease.pair).or_insert(meeting.clone()), &meeting);
        }
        assert_eq!(met.len(), 8);
        let seeds: std::collections::HashSet<u64> = met.values().map(|(_, seed)| *seed).collect();
        assert_eq!(seeds.len(), 8);
    }

    async fn the_rate_is_that_of_the_last_minutes(database: Database) {
        let (coordinator, clock) = open(&database).await;
        for name in ["one", "two"] {
            coordinator.apply(&experiment(name, vec![cell(500, 4, 100, 1.0)])).await.expect("apply");
        }
        let mut worker = Worker::new();
        for _ in 0..6 {
            let lease = worker.take(&coordinator, 1).await.remove(0);
            worker.drop_lease(&lease);
            worker.sync(&coordinator, play_all(&lease, 1), 0).await;
            clock.advance(10_000);
        }
        // Twelve games were played in a minute. Both experiments have them, and they are twelve games all the same.
        let overview = coordinator.overview().await.expect("overview");
        assert!(overview.experiments.iter().all(|one| one.games_per_minute == 12.0), "{overview:?}");
        assert_eq!(overview.games_per_minute, 12.0);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!(summary.games_per_minute, 12.0);
        assert_eq!(summary.seconds_left, Some(188.0 / 12.0 * 60.0));
        // An experiment's first pair does not make twelve games a minute of it.
        coordinator.apply(&experiment("three", vec![cell(300, 4, 100, 1_000.0)])).await.expect("apply");
        clock.advance(60_000);
        let lease = worker.take(&coordinator, 1).await.remove(0);
        worker.drop_lease(&lease);
        worker.sync(&coordinator, play_all(&lease, 1), 0).await;
        let rates = coordinator.overview().await.expect("overview").experiments;
        let rate = |name: &str| rates.iter().find(|one| one.name == name).expect(name).games_per_minute;
        assert_eq!((rate("one"), rate("three")), (6.0, 2.0));
        clock.advance(600_000);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.games_per_minute, summary.seconds_left), (0.0, None));
    }

    async fn the_rate_has_no_games_of_a_machine_that_left_while_another_plays(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 100, 1.0)])).await.expect("apply");
        let mut workers = [Worker::new(), Worker::new()];
        for round in 0..14 {
            // One machine is not heard of after a minute, and holds a pair.
            for worker in workers.iter_mut().take(if round < 6 { 2 } else { 1 }) {
                let lease = worker.take(&coordinator, 1).await.remove(0);
                worker.drop_lease(&lease);
                worker.sync(&coordinator, play_all(&lease, 1), u32::from(round == 5)).await;
            }
            clock.advance(10_000);
        }
        let overview = coordinator.overview().await.expect("overview");
        assert_eq!((overview.fleet.workers, overview.fleet.alive), (2, 1));
        assert_eq!(overview.games_per_minute, 12.0);
        let summary = coordinator.report("one").await.expect("report").summary;
        assert_eq!((summary.games_done, summary.games_per_minute), (40, 12.0));
        assert_eq!(summary.seconds_left, Some(160.0 / 12.0 * 60.0));
        assert!((overview.seconds_left.expect("known") - 800.0).abs() < 1e-6);
    }

    async fn an_experiment_that_cannot_be_played_is_refused_with_the_place(database: Database) {
        let (coordinator, _) = open(&database).await;
        let with = |change: &dyn Fn(&mut protocol::experiment::PlannedCell)| {
            let mut planned = cell(500, 4, 2, 1.0);
            change(&mut planned);
            experiment("one", vec![planned])
        };
        for (file, words) in [
            (experiment("one", vec![]), "no cells"),
            (experiment("", vec![cell(500, 4, 2, 1.0)]), "name"),
            (with(&|cell| cell.weight = 0.0), "weight 0"),
            (with(&|cell| cell.weight = f64::INFINITY), "weight inf"),
            (with(&|cell| cell.pairs = 0), "no pairs"),
            (with(&|cell| cell.spec.semantics += 1), "semantics"),
            (with(&|cell| cell.spec.budget = Budget::Sims(0)), "budget"),
            (with(&|cell| cell.spec.case = crate::play::params("rave_kk=3")), "rave_k"),
            (with(&|cell| cell.case.label = "a\0b".into()), "printable"),
            (with(&|cell| cell.spec.case = crate::play::params("rave_k=0.05")), "known as {\"rave_k\":0.0}"),
            (with(&|cell| cell.spec.budget = Budget::Sims(1 << 30)), "simulations a move are too many"),
            (
                with(&|cell| {
                    cell.spec.case = crate::play::params("rollouts=1000");
                    cell.spec.budget = Budget::Sims(2_000_000);
                }),
                "2000000 simulations a move are too many with `rollouts` = 1000",
            ),
        ] {
            let error = coordinator.apply(&file).await.expect_err(words).to_string();
            assert!(error.contains(words), "{error} lacks {words}");
        }
        assert!(coordinator.overview().await.expect("overview").experiments.is_empty());
    }
}
