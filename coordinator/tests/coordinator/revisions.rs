//! Revisions: an experiment keeps its identity and its games while its plan changes.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, open_with, play_all};
use coordinator::{Coordinator, CoordinatorError};
use protocol::experiment::{Experiment, PlannedCell};
use protocol::report::{CellChanges, ExperimentReport};

async fn report(coordinator: &Coordinator, key: &str) -> ExperimentReport {
    coordinator.report(key).await.expect("report")
}

fn labels(report: &ExperimentReport) -> Vec<&str> {
    report.series.iter().map(|series| series.label.as_str()).collect()
}

/// Plays `pairs` pairs, wherever they come first.
async fn play(coordinator: &Coordinator, worker: &mut Worker, pairs: u32) {
    for lease in worker.take(coordinator, pairs).await {
        worker.drop_lease(&lease);
        worker.report(coordinator, play_all(&lease, u64::from(lease.pair))).await;
    }
}

on_both_databases! {
    async fn a_difference_says_what_changes_of_all_cells_alike(database: Database) {
        let (coordinator, _) = open(&database).await;
        let plan = |pairs: u32, weights: [f64; 4]| {
            let [a, b, c, d] = weights;
            experiment("one", vec![cell(500, 3, pairs, a), cell(100, 3, pairs, b), cell(500, 4, 9, c), cell(100, 4, 9, d)])
        };
        coordinator.apply(&plan(500, [1.0; 4])).await.expect("apply");
        let difference = coordinator.difference(&plan(200, [2.0, 2.0, 2.0, 3.0])).await.expect("a difference");
        assert_eq!(difference.settings, ["games of a cell: 1000 to 400", "weight of a cell of size 3: 1 to 2"]);
    }

    async fn a_revision_adds_closes_and_reopens_cells_of_the_same_experiment(database: Database) {
        let (coordinator, _) = open(&database).await;
        let first = experiment("one", vec![cell(500, 4, 2, 1.0), cell(100, 4, 2, 1.0), cell(50, 4, 1, 1.0)]);
        let id = coordinator.apply(&first).await.expect("apply").id;
        assert_eq!(id, first.id());
        let mut worker = Worker::new();
        play(&coordinator, &mut worker, 3).await;

        // A new value between the others; one value is gone, one has more games.
        let second = experiment("one", vec![cell(500, 4, 3, 1.0), cell(200, 4, 2, 1.0), cell(50, 4, 1, 1.0)]);
        let applied = coordinator.apply(&second).await.expect("apply");
        let wanted = CellChanges { added: 1, changed: 1, closed: 1, kept: 1, reopened: 0 };
        assert_eq!((applied.id, applied.revision, applied.created, applied.changes), (id, 2, false, wanted));
        assert_eq!((applied.cells, applied.games_planned, applied.games_done), (3, 12, 4), "the closed cell's games are out");
        assert_verified(&coordinator).await;
        let now = report(&coordinator, "one").await;
        assert_eq!(labels(&now), ["rave_k=500", "rave_k=200", "rave_k=50"], "the order of the file");
        assert_eq!((now.summary.revision, now.series[0].points[0].games_planned, now.series[0].points[0].games), (2, 6, 2));
        assert_eq!(coordinator.overview().await.expect("overview").experiments.len(), 1);
        let games = coordinator.games("one", None, 100).await.expect("games").games;
        assert_eq!(games.len(), 6, "the games of closed cells can still be listed");

        let leases = worker.take(&coordinator, 9).await;
        let closed = first.cells[1].spec.id();
        assert_eq!(leases.len(), 4);
        assert!(leases.iter().all(|lease| lease.cell != closed));

        // What a revision changed can be asked for later.
        let changes = coordinator.revision_changes("one", 2, None).await.expect("changes");
        assert_eq!((changes.since, changes.number, changes.cells), (1, 2, wanted));
        assert_eq!(changes.settings, ["games of a cell: 4 to 6"]);
        let words: Vec<String> = changes.cases.iter().map(|case| format!("{} {}", case.case, case.change)).collect();
        assert_eq!(words, ["rave_k=500 changed", "rave_k=200 added", "rave_k=50 kept", "rave_k=100 closed"]);
        assert_eq!(changes.cases.iter().map(|case| case.games_played).collect::<Vec<_>>(), [2, 0, 2, 2]);
        let first_of_all = coordinator.revision_changes("one", 1, None).await.expect("changes");
        assert_eq!((first_of_all.since, first_of_all.cells.added, first_of_all.settings.len()), (0, 3, 0));
        for (number, since, words) in [(2, Some(2), "not earlier"), (3, None, "`one` has no revision 3"), (1, Some(7), "not earlier")] {
            let refused = coordinator.revision_changes("one", number, since).await.expect_err("no such changes");
            assert!(refused.to_string().contains(words), "{refused}");
        }

        // Going back is asked for, and finds the games of the closed cell.
        let refused = coordinator.apply(&first).await.expect_err("older");
        assert!(matches!(refused, CoordinatorError::OlderRevision { newest: 2, .. }), "{refused}");
        assert!(refused.to_string().contains("revision 1 of `one`"), "{refused}");
        assert_eq!(report(&coordinator, "one").await.summary.revision, 2, "nothing changed");
        let back = coordinator.apply_over(&first, "ada", true).await.expect("apply");
        let wanted = CellChanges { reopened: 1, changed: 1, closed: 1, kept: 1, added: 0 };
        assert_eq!((back.id, back.revision, back.changes, back.games_done), (id, 3, wanted, 6));
        assert_eq!(labels(&report(&coordinator, "one").await), ["rave_k=500", "rave_k=100", "rave_k=50"]);
        assert_verified(&coordinator).await;
        // The games in flight of the cell that is closed now count in the cell, but not in the experiment.
        for lease in &leases {
            worker.report(&coordinator, play_all(lease, 9)).await;
        }
        assert_verified(&coordinator).await;
        assert_eq!(report(&coordinator, "one").await.summary.games_done, 8);
        assert!(!coordinator.apply(&first).await.expect("the newest again").revised);
    }

    async fn an_experiment_is_found_by_the_content_of_any_of_its_revisions(database: Database) {
        let (coordinator, _) = open(&database).await;
        let files = [500, 100, 50].map(|k| experiment("one", vec![cell(k, 4, 2, 1.0)]));
        for file in &files {
            coordinator.apply(file).await.expect("apply");
        }
        for file in &files {
            let summary = report(&coordinator, &file.id().to_string()).await.summary;
            assert_eq!((summary.id, summary.revision), (files[0].id(), 3));
        }
    }

    async fn names_weights_and_the_order_of_the_file_change_without_new_cells(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 2, 1.0), cell(100, 4, 2, 1.0)]);
        coordinator.apply(&file).await.expect("apply");
        let mut worker = Worker::new();
        play(&coordinator, &mut worker, 2).await;
        let renamed = |mut planned: PlannedCell| {
            planned.case.label = format!("new {}", planned.case.label);
            planned.weight = 3.0;
            planned
        };
        let [first, second] = [file.cells[0].clone(), file.cells[1].clone()];
        let next = Experiment {
            weight: 2.0,
            question: "Another one?".into(),
            ..experiment("one", vec![renamed(second), first])
        };
        let applied = coordinator.apply(&next).await.expect("apply");
        assert_eq!(applied.changes, CellChanges { changed: 1, kept: 1, ..CellChanges::default() });
        let now = report(&coordinator, "one").await;
        assert_eq!(labels(&now), ["new rave_k=100", "rave_k=500"]);
        assert_eq!((now.summary.weight, now.summary.question.as_str(), now.summary.games_done), (2.0, "Another one?", 4));
        assert_verified(&coordinator).await;
        let order = experiment("one", vec![next.cells[1].clone(), next.cells[0].clone()]);
        let order = Experiment { weight: 2.0, question: next.question.clone(), ..order };
        let applied = coordinator.apply(&order).await.expect("apply");
        assert_eq!((applied.revision, applied.changes.kept), (3, 2));
        assert_eq!(labels(&report(&coordinator, "one").await), ["rave_k=500", "new rave_k=100"]);
    }

    async fn a_large_revision_is_stored_in_parts_with_right_totals(database: Database) {
        let (coordinator, _) = open(&database).await;
        let cells = |range: std::ops::Range<u32>| range.map(|k| cell(k, 4, 2, 1.0)).collect::<Vec<_>>();
        let applied = coordinator.apply(&experiment("one", cells(1..701))).await.expect("apply");
        assert_eq!((applied.cells, applied.games_planned, applied.changes.added), (700, 2800, 700));
        let mut worker = Worker { slots: 64, ..Worker::new() };
        play(&coordinator, &mut worker, 50).await;
        assert_verified(&coordinator).await;
        let applied = coordinator.apply(&experiment("one", cells(600..1300))).await.expect("apply");
        assert_eq!((applied.cells, applied.changes.added, applied.changes.closed, applied.changes.kept), (700, 599, 599, 101));
        assert_verified(&coordinator).await;
        assert_eq!(report(&coordinator, "one").await.series.len(), 700);
    }

    async fn a_part_of_a_revision_that_was_cut_off_is_completed_by_the_next(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", (1..=400).map(|k| cell(k, 4, 2, 1.0)).collect());
        coordinator.apply(&file).await.expect("apply");
        // As if the process had ended before the last part.
        database.run("UPDATE experiment SET revision = 0, cells = 250, games_planned = 1000; DELETE FROM experiment_revision; \
                      DELETE FROM experiment_cell WHERE position >= 250").await;
        assert_verified(&coordinator).await;
        let applied = coordinator.apply(&file).await.expect("apply");
        assert_eq!((applied.revision, applied.changes.added, applied.changes.kept), (1, 150, 250));
        assert_eq!((applied.cells, applied.games_planned), (400, 1600));
        assert_verified(&coordinator).await;
    }

    async fn a_revision_that_was_cut_off_is_taken_back_by_the_one_before(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = |pairs| experiment("one", (1..=20).map(|k| cell(k, 4, pairs, 1.0)).collect());
        coordinator.apply(&file(2)).await.expect("apply");
        coordinator.apply(&file(5)).await.expect("apply");
        // As if the process had ended before the last part of the second one.
        database.run("UPDATE experiment SET revision = 1; DELETE FROM experiment_revision WHERE number = 2").await;
        let difference = coordinator.difference(&file(2)).await.expect("a difference");
        assert_eq!((difference.is_newest, difference.cells.changed), (false, 20));
        let applied = coordinator.apply(&file(2)).await.expect("apply");
        assert_eq!((applied.revised, applied.changes.changed, applied.games_planned), (true, 20, 80));
        let known = coordinator.apply(&file(2)).await.expect("apply");
        assert_eq!((known.revised, known.changes.kept), (false, 20));
        assert_verified(&coordinator).await;
    }

    async fn results_go_on_while_two_people_apply_different_files_of_one_name(database: Database) {
        let (coordinator, _) = open(&database).await;
        let shared = || cell(9_999, 4, 500, 1.0);
        let file = |first: u32| {
            experiment("one", (first..first + 600).map(|k| cell(k, 4, 2, 1.0)).chain([shared()]).collect())
        };
        coordinator.apply(&experiment("one", vec![shared()])).await.expect("apply");
        let mut worker = Worker::new();
        let applying = [file(1), file(301)].map(|file| {
            let coordinator = coordinator.clone();
            tokio::spawn(async move { coordinator.apply(&file).await })
        });
        for _ in 0..20 {
            play(&coordinator, &mut worker, 2).await;
        }
        for task in applying {
            task.await.expect("ends").expect("applied");
        }
        let summary = report(&coordinator, "one").await.summary;
        assert_eq!((summary.cells, summary.revision), (601, 3));
        assert_verified(&coordinator).await;
    }

    async fn a_run_of_a_changed_file_gives_out_the_experiment_that_it_revises(database: Database) {
        let first = experiment("one", vec![cell(500, 4, 2, 1.0)]);
        let second = experiment("one", vec![cell(100, 4, 2, 1.0)]);
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&first).await.expect("apply");
        coordinator.close().await;
        let (coordinator, _) = open_with(&database, |config| config.only_experiments = vec![second.id()]).await;
        assert_eq!(coordinator.apply(&second).await.expect("apply").id, first.id());
        let leases = Worker::new().take(&coordinator, 9).await;
        assert_eq!(leases.len(), 2);
        assert!(leases.iter().all(|lease| lease.cell == second.cells[0].spec.id()));
    }

    async fn a_cell_that_is_listed_twice_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        let error = coordinator.apply(&experiment("one", vec![cell(500, 4, 2, 1.0), cell(500, 4, 2, 2.0)])).await;
        let error = error.expect_err("twice").to_string();
        assert!(error.contains("`rave_k=500` and `rave_k=500` are the same player against uct on size 4"), "{error}");
    }
}

#[tokio::test]
async fn coordinators_of_one_database_show_and_play_the_revision_that_another_applied() {
    let Some(database) = Database::postgres().await else { return };
    let ((one, _), (two, _)) = (open(&database).await, open(&database).await);
    one.apply(&experiment("one", vec![cell(500, 4, 2, 1.0)])).await.expect("apply");
    assert_eq!(labels(&report(&two, "one").await), ["rave_k=500"]);
    one.apply(&experiment("one", vec![cell(100, 4, 2, 1.0), cell(500, 4, 2, 1.0)])).await.expect("apply");
    assert_eq!(labels(&report(&two, "one").await), ["rave_k=100", "rave_k=500"]);
    assert_eq!(Worker::new().take(&two, 9).await.len(), 4);
    let files =
        [1, 2].map(|first| experiment("one", (first..first + 600).map(|k| cell(k, 4, 2, 1.0)).collect()));
    let (first, second) = tokio::join!(one.apply(&files[0]), two.apply(&files[1]));
    let (first, second) = (first.expect("apply"), second.expect("apply"));
    assert_eq!([first.revision.min(second.revision), first.revision.max(second.revision)], [3, 4]);
    assert_eq!(report(&one, "one").await.summary.cells, 600);
    assert_verified(&one).await;
}
