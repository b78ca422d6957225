//! The life of an experiment: pauses, the archive, weights, notes, tags, and the timeline.

use crate::databases::{Database, on_both_databases};
use crate::http::{bearer, text, with_text};
use crate::play::{LEASE_AND_A_BIT, Worker, assert_verified, cell, experiment, open, play_all, token};
use axum::http::{Request, StatusCode};
use coordinator::{Coordinator, CoordinatorError};
use protocol::experiment::{Experiment, MOST_FILE, PlannedCell, Policy, StopInterval, StopRule};
use protocol::ids::CellId;
use protocol::life::{CellChange, ExperimentChange, ExperimentHistory, PlanDifference};
use protocol::report::{ExperimentState, ExperimentSummary, StopOutcome};
use protocol::sync::NoWorkCode;

/// A cell with a rule that does not decide in a few pairs.
fn ruled_cell(pairs: u32) -> PlannedCell {
    PlannedCell { stop: Some(StopRule::EValue { alpha: 0.05 }), ..cell(500, 4, pairs, 1.0) }
}

async fn change(coordinator: &Coordinator, change: ExperimentChange) -> ExperimentSummary {
    coordinator.change_experiment("one", change, "ada").await.expect("changed")
}

/// The actions and details on the timeline, the first one first.
async fn timeline(coordinator: &Coordinator) -> Vec<(String, String)> {
    let changes = coordinator.history("one").await.expect("history").changes;
    changes.into_iter().rev().map(|change| (change.action, change.detail)).collect()
}

on_both_databases! {
    async fn a_paused_experiment_leases_nothing_and_its_games_in_play_count(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        let paused = change(&coordinator, ExperimentChange::Pause).await;
        assert_eq!((paused.state, paused.pairs_in_flight), (ExperimentState::Paused, 2));
        assert!(paused.stalled.expect("a reason").contains("gauntlet experiment resume one"));
        let answer = worker.sync(&coordinator, Vec::new(), 9).await;
        assert!(answer.leases.is_empty());
        let why = answer.no_work.expect("a reason");
        assert_eq!(why.code, NoWorkCode::NoExperiment);
        assert_eq!(why.message, "`one` is paused: `gauntlet experiment resume one` goes on");
        worker.report(&coordinator, play_all(&leases[0], 7)).await;
        assert_eq!(coordinator.summary("one").await.expect("summary").games_done, 2);
        assert_verified(&coordinator).await;
        // A pair that comes back, and a revision, are not given out either.
        worker.held.clear();
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0), cell(50, 4, 1, 1.0)])).await.expect("apply");
        assert!(worker.take(&coordinator, 9).await.is_empty());
        assert_verified(&coordinator).await;
        let resumed = change(&coordinator, ExperimentChange::Resume).await;
        assert_eq!(resumed.state, ExperimentState::Active);
        assert_eq!(worker.take(&coordinator, 9).await.len(), 3, "two of the first cell, one of the new one");
        assert_verified(&coordinator).await;
    }

    async fn nobody_hears_that_all_is_finished_while_experiments_are_paused(database: Database) {
        let (coordinator, _) = open(&database).await;
        for (name, sims) in [("done", 500), ("one", 100), ("two", 50)] {
            coordinator.apply(&experiment(name, vec![cell(sims, 4, 1, 1.0)])).await.expect("apply");
        }
        for paused in ["one", "two"] {
            coordinator.change_experiment(paused, ExperimentChange::Pause, "ada").await.expect("paused");
        }
        let mut worker = Worker::new();
        let games = worker.take(&coordinator, 9).await.iter().flat_map(|lease| play_all(lease, 7)).collect();
        worker.held.clear();
        let why = worker.sync(&coordinator, games, 9).await.no_work.expect("a reason").message;
        assert!(why.starts_with("`one` and 1 other experiment are paused: "), "{why}");
        let explained = coordinator.why(&worker.id.to_string()).await.expect("why").reasons.join("\n");
        assert!(explained.contains(&why), "{explained}");
        coordinator.change_experiment("one", ExperimentChange::Stop, "ada").await.expect("stopped");
        let why = worker.sync(&coordinator, Vec::new(), 9).await.no_work.expect("a reason").message;
        assert!(why.starts_with("`two` is paused: "), "{why}");
        // To stop what is finished means nothing, in the archive too: it would take no revision any more.
        for change in [ExperimentChange::Archive, ExperimentChange::Stop, ExperimentChange::Unarchive] {
            coordinator.change_experiment("done", change, "ada").await.expect("changed");
        }
        assert_eq!(coordinator.summary("done").await.expect("summary").state, ExperimentState::Finished);
    }

    async fn an_archived_experiment_is_in_no_list_and_comes_back_as_it_was(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 3, 1.0)]);
        coordinator.apply(&file).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(100, 4, 3, 1.0)])).await.expect("apply");
        change(&coordinator, ExperimentChange::Pause).await;
        assert_eq!(change(&coordinator, ExperimentChange::Archive).await.state, ExperimentState::Archived);
        let names = |list: Vec<ExperimentSummary>| list.into_iter().map(|one| one.name).collect::<Vec<_>>();
        assert_eq!(names(coordinator.overview().await.expect("overview").experiments), ["two"]);
        assert_eq!(names(coordinator.experiments(false).await.expect("list")), ["two"]);
        assert_eq!(names(coordinator.experiments(true).await.expect("list")).len(), 2);
        assert_eq!(Worker::new().take(&coordinator, 9).await.len(), 3, "of the other one");
        let next = experiment("one", vec![cell(50, 4, 3, 1.0)]);
        let refused = coordinator.apply(&next).await.expect_err("archived").to_string();
        assert!(refused.contains("gauntlet experiment unarchive one"), "{refused}");
        assert_verified(&coordinator).await;
        assert_eq!(change(&coordinator, ExperimentChange::Unarchive).await.state, ExperimentState::Paused);
        assert_eq!(coordinator.apply(&next).await.expect("apply").revision, 2);
        assert_verified(&coordinator).await;
    }

    async fn a_stopped_experiment_ends_for_good_and_its_games_in_play_count(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let file = experiment("one", vec![ruled_cell(3)]);
        coordinator.apply(&file).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 2).await;
        let stopped = change(&coordinator, ExperimentChange::Stop).await;
        assert_eq!((stopped.state, stopped.pairs_in_flight, stopped.stalled), (ExperimentState::Stopped, 2, None));
        change(&coordinator, ExperimentChange::Stop).await;
        assert_eq!(timeline(&coordinator).await[1..], [("stop".to_owned(), "6 games missing, 2 pairs in play".to_owned())]);
        let answer = worker.sync(&coordinator, Vec::new(), 9).await;
        assert!(answer.leases.is_empty());
        worker.report(&coordinator, play_all(&leases[0], 7)).await;
        assert_eq!(coordinator.summary("one").await.expect("summary").games_done, 2);
        // A pair that comes back is not given out again.
        worker.held.clear();
        clock.advance(LEASE_AND_A_BIT);
        coordinator.lapse().await.expect("lapse");
        assert!(worker.take(&coordinator, 9).await.is_empty());
        assert_verified(&coordinator).await;

        let report = coordinator.report("one").await.expect("report");
        let point = &report.series[0].points[0];
        let rule = point.stopping.as_ref().expect("a rule");
        assert_eq!((rule.outcome, rule.pairs), (StopOutcome::Stopped, 1));
        assert_eq!(rule.low.zip(rule.high), point.estimate.map(|found| (found.cs_low, found.cs_high)), "a person may have looked");
        assert!(report.warnings.iter().any(|warning| warning.contains("hold at any look")), "{:?}", report.warnings);
        let analysis = coordinator.analysis("one", None).await.expect("analysis");
        assert!(analysis.has_ended && !analysis.is_complete, "a person may have looked");
        assert!(analysis.text().contains("hold at any look"), "{}", analysis.text());
        assert!(coordinator.why("one").await.expect("why").reasons.iter().any(|why| why.contains("stopped it for good")));

        for wanted in [ExperimentChange::Resume, ExperimentChange::Pause] {
            let refused = coordinator.change_experiment("one", wanted, "ada").await.expect_err("refused").to_string();
            assert!(refused.contains("stopped for good"), "{refused}");
        }
        for file in [file, experiment("one", vec![cell(50, 4, 3, 1.0)])] {
            let refused = coordinator.apply(&file).await.expect_err("refused").to_string();
            assert!(refused.contains("another name"), "{refused}");
        }
        assert_eq!(change(&coordinator, ExperimentChange::Archive).await.state, ExperimentState::Archived);
        assert_eq!(change(&coordinator, ExperimentChange::Unarchive).await.state, ExperimentState::Stopped);
        let next = coordinator.apply(&experiment("two", vec![ruled_cell(3)])).await.expect("apply");
        assert_eq!(next.games_done, 2, "equal cells keep their games");
        assert_eq!(worker.take(&coordinator, 9).await.len(), 2);
        assert_verified(&coordinator).await;
    }

    async fn what_is_finished_is_not_stopped(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 1).await;
        worker.report(&coordinator, play_all(&leases[0], 7)).await;
        assert_eq!(change(&coordinator, ExperimentChange::Stop).await.state, ExperimentState::Finished);
        assert_eq!(timeline(&coordinator).await.len(), 1, "nothing was changed");
    }

    async fn what_rules_ended_is_over_in_a_pause_and_in_the_archive_too(database: Database) {
        let (coordinator, _) = open(&database).await;
        // Ends after few of its pairs.
        let rule = StopRule::HalfWidth { half_width: 0.3, interval: StopInterval::Wilson, confidence: 0.95 };
        coordinator
            .apply(&experiment("one", vec![PlannedCell { stop: Some(rule), ..cell(500, 4, 200, 1.0) }]))
            .await
            .expect("apply");
        let mut worker = Worker::new();
        while let Some(lease) = worker.take(&coordinator, 1).await.pop() {
            worker.drop_lease(&lease);
            worker.report(&coordinator, play_all(&lease, u64::from(lease.pair))).await;
        }
        let ended = coordinator.summary("one").await.expect("summary");
        assert_eq!(ended.state, ExperimentState::Finished);
        assert!(ended.games_done < ended.games_planned, "{ended:?}");
        change(&coordinator, ExperimentChange::Pause).await;
        let why = worker.sync(&coordinator, Vec::new(), 9).await.no_work.expect("a reason").message;
        assert!(!why.contains("paused"), "nothing is left to play: {why}");
        for hiding in [ExperimentChange::Stop, ExperimentChange::Archive, ExperimentChange::Stop] {
            change(&coordinator, hiding).await;
        }
        change(&coordinator, ExperimentChange::Unarchive).await;
        assert_eq!(change(&coordinator, ExperimentChange::Resume).await.state, ExperimentState::Finished);
        let actions: Vec<String> = timeline(&coordinator).await.into_iter().map(|(action, _)| action).collect();
        assert!(!actions.contains(&"stop".to_owned()), "{actions:?}");
    }

    async fn changes_are_on_the_timeline_once_and_in_order(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("other", vec![cell(100, 4, 1, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let leases = worker.take(&coordinator, 4).await;
        let of_one = |lease: &&protocol::lease::Lease| lease.case_label == "rave_k=500";
        let lease = leases.iter().find(of_one).expect("a lease of the first");
        worker.report(&coordinator, play_all(lease, 7)).await;
        for wanted in [
            ExperimentChange::Weight(3.0),
            ExperimentChange::Weight(3.0),
            ExperimentChange::Note("node7 was replaced".into()),
            ExperimentChange::Tags { add: vec!["b".into(), "a".into()], remove: Vec::new() },
            ExperimentChange::Tags { add: Vec::new(), remove: vec!["b".into(), "c".into()] },
            ExperimentChange::Resume,
        ] {
            change(&coordinator, wanted).await;
        }
        coordinator.exclude(lease.games[0].id, None, "overheating", "ada").await.expect("excluded");
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0), cell(50, 4, 3, 1.0)])).await.expect("apply");
        let wanted = [
            ("apply", "revision 1: 1 cell added; 6 games planned"),
            ("weight", "1 to 3"),
            ("note", "node7 was replaced"),
            ("tag", "+a +b"),
            ("tag", "-b"),
            ("exclude", "overheating"),
            ("apply", "revision 2: 1 cell added; 12 games planned; weight: 3 to 1"),
        ];
        let wanted: Vec<_> = wanted.iter().map(|(action, detail)| ((*action).to_owned(), (*detail).to_owned())).collect();
        assert_eq!(timeline(&coordinator).await, wanted);
        let report = coordinator.report("one").await.expect("report");
        assert_eq!((report.timeline.len(), report.summary.tags), (7, vec!["a".to_owned()]));
        assert_eq!(coordinator.history("other").await.expect("history").changes.len(), 1);
        assert_verified(&coordinator).await;
    }

    async fn an_experiment_does_not_wait_for_a_weight_that_it_no_longer_has(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 90, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(100, 4, 90, 1.0)])).await.expect("apply");
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let mut of_one = async || {
            let leases = worker.take(&coordinator, 8).await;
            leases.iter().filter(|lease| lease.case_label == "rave_k=500").count()
        };
        change(&coordinator, ExperimentChange::Weight(1e-6)).await;
        assert!(of_one().await <= 1, "it enters with a pair");
        assert_eq!(of_one().await, 0);
        change(&coordinator, ExperimentChange::Weight(1.0)).await;
        let found = of_one().await;
        assert!((3..=5).contains(&found), "{found} of 8 leases for equal weights");
        assert_verified(&coordinator).await;
    }

    async fn a_weight_counts_for_the_next_lease(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 90, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![cell(100, 4, 90, 1.0)])).await.expect("apply");
        change(&coordinator, ExperimentChange::Weight(3.0)).await;
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let leases = worker.take(&coordinator, 16).await;
        let of_one = leases.iter().filter(|lease| lease.case_label == "rave_k=500").count();
        assert!((11..=13).contains(&of_one), "{of_one} of {} leases for a weight of 3 against 1", leases.len());
        assert_verified(&coordinator).await;
    }

    async fn cells_are_weighed_while_they_are_played(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 90, 1.0), cell(50, 4, 90, 1.0)]);
        coordinator.apply(&file).await.expect("apply");
        let cells: Vec<CellId> = file.cells.iter().map(|cell| cell.spec.id()).collect();
        let weigh = |factor| ExperimentChange::CellWeights { cells: vec![cells[1]], factor };
        let mut worker = Worker { slots: 64, ..Worker::new() };
        let mut of_second = async |leases| {
            let leases = worker.take(&coordinator, leases).await;
            leases.iter().filter(|lease| lease.case_label == "rave_k=50").count()
        };
        assert_eq!(of_second(8).await, 4);
        change(&coordinator, weigh(0.1)).await;
        change(&coordinator, weigh(0.1)).await;
        assert_eq!(of_second(12).await, 0, "it has more than its share");
        assert_verified(&coordinator).await;
        let why = coordinator.why(&cells[1].to_string()).await.expect("why").reasons.join("; ");
        assert!(why.contains("0.1 times the weight of the file"), "{why}");
        change(&coordinator, weigh(1.0)).await;
        assert_eq!(of_second(12).await, 12, "it catches up");
        let noted = |factor| ("weight".to_owned(), format!("1 cell: {factor} times the weight of the file"));
        assert_eq!(timeline(&coordinator).await[1..], [noted("0.1"), noted("1")]);
        assert_verified(&coordinator).await;
    }

    async fn cells_that_nobody_may_weigh_are_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 3, 1.0)]);
        coordinator.apply(&file).await.expect("apply");
        let known = file.cells[0].spec.id();
        let unknown = cell(50, 4, 3, 1.0).spec.id();
        let refused = async |cells, factor, words| {
            let change = ExperimentChange::CellWeights { cells, factor };
            let error = coordinator.change_experiment("one", change, "ada").await.expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(vec![known, unknown], 2.0, "`one` has no cell").await;
        refused(vec![known], 0.0, "weights are from").await;
        coordinator.apply(&Experiment { policy: Policy::Best, ..file.clone() }).await.expect("apply");
        refused(vec![known], 2.0, "the policy `best` of `one` weighs cases by their results").await;
        assert_verified(&coordinator).await;
    }

    async fn what_is_impossible_is_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        for (change, words) in [
            (ExperimentChange::Weight(0.0), "weights are from"),
            (ExperimentChange::Weight(f64::NAN), "weights are from"),
            (ExperimentChange::Note("  ".into()), "the note must be"),
            (ExperimentChange::Tags { add: vec!["x".repeat(61)], remove: Vec::new() }, "a tag must be 1 to 60"),
        ] {
            let error = coordinator.change_experiment("one", change, "ada").await.expect_err(words).to_string();
            assert!(error.contains(words), "{error}");
        }
        let error = coordinator.change_experiment("none", ExperimentChange::Pause, "ada").await.expect_err("none");
        assert!(matches!(error, CoordinatorError::NotFound { kind: "experiment", .. }), "{error}");
    }

    async fn a_tag_too_many_is_refused_and_removes_none(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 3, 1.0)])).await.expect("apply");
        let tag = |number: u32| format!("tag {number}");
        let tags = |add: Vec<String>, remove: Vec<String>| {
            coordinator.change_experiment("one", ExperimentChange::Tags { add, remove }, "ada")
        };
        assert_eq!(tags((0..32).map(tag).collect(), Vec::new()).await.expect("as many as may be").tags.len(), 32);
        let refused = tags(vec![tag(32)], Vec::new()).await.expect_err("one more").to_string();
        assert!(refused.contains("`one` would have 33 tags, and an experiment has 32 at most"), "{refused}");
        let (timeline_before, summary) = (timeline(&coordinator).await.len(), coordinator.summary("one").await.expect("one"));
        assert!(summary.tags.len() == 32 && summary.tags.contains(&tag(9)), "{:?}", summary.tags);
        let swapped = tags(vec![tag(32)], vec![tag(9)]).await.expect("one for another").tags;
        assert!(swapped.len() == 32 && swapped.contains(&tag(32)) && !swapped.contains(&tag(9)), "{swapped:?}");
        assert_eq!((timeline_before, timeline(&coordinator).await.len()), (2, 3));
    }

    async fn the_plan_of_a_revision_can_be_applied_again(database: Database) {
        let (coordinator, _) = open(&database).await;
        let files = [500, 100].map(|k| experiment("one", vec![cell(k, 4, 3, 2.0), cell(50, 4, 1, 1.0)]));
        for file in &files {
            coordinator.apply(file).await.expect("apply");
        }
        for (number, file) in (1..).zip(&files) {
            assert_eq!(coordinator.revision("one", number).await.expect("stored"), *file);
        }
        let error = coordinator.revision("one", 3).await.expect_err("no such revision").to_string();
        assert!(error.contains("it has revisions 1 to 2"), "{error}");
    }

    async fn a_difference_says_what_a_file_would_change_and_changes_nothing(database: Database) {
        let (coordinator, _) = open(&database).await;
        let first = experiment("one", vec![cell(500, 4, 3, 1.0), cell(500, 5, 3, 1.0), cell(100, 4, 3, 1.0)]);
        let difference = coordinator.difference(&first).await.expect("difference");
        assert!(difference.experiment.is_none() && difference.cells.added == 3);
        assert!(coordinator.experiments(true).await.expect("list").is_empty(), "nothing is stored");
        coordinator.apply(&first).await.expect("apply");
        let mut worker = Worker::new();
        for lease in worker.take(&coordinator, 3).await {
            worker.report(&coordinator, play_all(&lease, 7)).await;
        }
        assert!(coordinator.difference(&first).await.expect("difference").is_newest);
        let next = experiment("one", vec![cell(500, 4, 3, 1.0), cell(500, 5, 4, 1.0), cell(50, 4, 3, 1.0)]);
        let difference: PlanDifference = coordinator.difference(&next).await.expect("difference");
        let cases: Vec<_> = difference.cases.iter()
            .map(|case| (case.change, case.case.as_str(), case.cells, case.games_planned, case.games_played)).collect();
        assert_eq!(cases, [
            (CellChange::Kept, "rave_k=500", 1, 6, 2),
            (CellChange::Changed, "rave_k=500", 1, 8, 2),
            (CellChange::Added, "rave_k=50", 1, 6, 0),
            (CellChange::Closed, "rave_k=100", 1, 6, 2),
        ]);
        coordinator.apply(&next).await.expect("apply");
        let back = coordinator.difference(&first).await.expect("difference");
        assert_eq!(back.older.as_deref(), Some("revision 1 of `one`"));
        assert_eq!((back.cells.reopened, back.cells.closed, back.experiment.expect("known").revision), (1, 1, 2));
        // It promises nothing that is refused.
        let changed = async |change| drop(coordinator.change_experiment("one", change, "ada").await.expect("changed"));
        let refused = async |words: &str| {
            let told = coordinator.difference(&next).await.expect_err(words).to_string();
            assert!(told.contains(words), "{told}");
            assert_eq!(coordinator.apply(&next).await.expect_err(words).to_string(), told);
        };
        changed(ExperimentChange::Archive).await;
        refused("`one` is archived").await;
        changed(ExperimentChange::Unarchive).await;
        changed(ExperimentChange::Stop).await;
        refused("`one` is stopped for good").await;
    }

    async fn changes_of_rule_and_policy_are_told_by_the_difference_the_timeline_and_the_revision(database: Database) {
        let (coordinator, _) = open(&database).await;
        let plan = |policy, stop| Experiment {
            policy,
            ..experiment("one", vec![PlannedCell { stop, ..cell(500, 4, 3, 1.0) }])
        };
        let rule = Some(StopRule::EValue { alpha: 0.05 });
        let (first, second, third) =
            (plan(Policy::Coverage, None), plan(Policy::Best, None), plan(Policy::Best, rule));
        let policy = "policy: coverage to best (more pairs for the cases that may be the best one)";
        let stop = "stopping rule: e-value of 20 against 50 % (before: none)";
        coordinator.apply(&first).await.expect("apply");
        assert!(coordinator.difference(&first).await.expect("difference").settings.is_empty());
        assert_eq!(coordinator.difference(&second).await.expect("difference").settings, [policy]);
        assert_eq!(coordinator.difference(&third).await.expect("difference").settings, [policy, stop]);
        coordinator.apply(&second).await.expect("apply");
        coordinator.apply(&third).await.expect("apply");
        let details: Vec<String> = timeline(&coordinator).await.into_iter().map(|(_, detail)| detail).collect();
        assert_eq!(details, [
            "revision 1: 1 cell added; 6 games planned".to_owned(),
            format!("revision 2: no cell changed; 6 games planned; {policy}"),
            format!("revision 3: 1 cell changed; 6 games planned; {stop}"),
        ]);
        for (number, settings) in [(2, policy), (3, stop)] {
            let changes = coordinator.revision_changes("one", number, None).await.expect("changes");
            assert_eq!(changes.settings, [settings]);
        }
        let both = coordinator.revision_changes("one", 3, Some(1)).await.expect("changes");
        assert_eq!(both.settings, [policy, stop]);
        assert_verified(&coordinator).await;
    }

    async fn the_text_of_a_file_is_kept_with_its_revision_and_makes_none(database: Database) {
        let (coordinator, _) = open(&database).await;
        let with = |text: &str, pairs| Experiment {
            file: Some(text.to_owned()),
            ..experiment("one", vec![cell(500, 4, pairs, 1.0)])
        };
        let first = coordinator.apply(&with("# first <b>\n\t[experiment]\r\n", 3)).await.expect("apply");
        let commented = coordinator.apply(&with("# another comment", 3)).await.expect("apply");
        assert_eq!((commented.id, commented.revised), (first.id, false));
        coordinator.apply(&with("# second", 4)).await.expect("apply");
        coordinator.apply(&experiment("one", vec![cell(500, 4, 5, 1.0)])).await.expect("apply");
        for (number, text) in [(1, Some("# first <b>\n\t[experiment]\r\n")), (2, Some("# second")), (3, None)] {
            let changes = coordinator.revision_changes("one", number, None).await.expect("changes");
            assert_eq!(changes.file.as_deref(), text, "revision {number}");
        }
        for bad in ["a\0b".to_owned(), "x".repeat(MOST_FILE + 1)] {
            let error = coordinator.apply(&with(&bad, 6)).await.expect_err("refused").to_string();
            assert!(error.contains("the text of the file"), "{error}");
        }
    }

    async fn an_experiment_is_named_by_the_first_digits_of_its_id(database: Database) {
        let (coordinator, _) = open(&database).await;
        let file = experiment("one", vec![cell(500, 4, 3, 1.0)]);
        let id = coordinator.apply(&file).await.expect("apply").id;
        for key in [id.short(), id.short()[..4].to_owned(), id.to_string().to_uppercase()] {
            assert_eq!(coordinator.summary(&key).await.expect("found").id, id, "{key}");
        }
        // A name counts before digits of an id that are fewer than lists show; with as many, neither is meant.
        let called = async |name: &str| coordinator.apply(&experiment(name, vec![cell(100, 4, 3, 1.0)])).await;
        let few = called(&id.short()[..4]).await.expect("apply");
        assert_eq!(coordinator.summary(&id.short()[..4]).await.expect("found").id, few.id);
        let named = called(&id.short()).await.expect("apply");
        let error = coordinator.summary(&id.short()).await.expect_err("two").to_string();
        assert!(error.contains(&format!("{id} (one)")) && error.contains(&named.id.to_string()), "{error}");
        assert_eq!(coordinator.summary(&id.to_string()).await.expect("found").id, id);
        for name in [id.to_string(), id.to_string().replace('-', ""), id.to_string().to_uppercase()] {
            let error = called(&name).await.expect_err("an id").to_string();
            assert!(error.contains("which is written as ids are"), "{error}");
        }
        let twin = format!("{}ffffffffffff", &id.to_string()[..24]);
        database.run(&format!("UPDATE experiment SET name = 'two' WHERE name = '{}'", id.short())).await;
        database.run(&format!(
            "INSERT INTO experiment (id, name, question, weight, semantics, created_ms, cells, games_planned, games_done, \
             pairs_in_flight) VALUES ({}, 'twin', '', 1, 1, 0, 1, 2, 0, 0)",
            if database.address.starts_with("postgres") { format!("'{twin}'") } else { format!("x'{}'", twin.replace('-', "")) }
        )).await;
        let error = coordinator.summary(&id.short()).await.expect_err("two").to_string();
        assert!(error.contains(&format!("{id} (one)")) && error.contains(&format!("{twin} (twin)")), "{error}");
    }
}

#[tokio::test]
async fn lines_with_one_label_are_told_apart_and_a_control_is_called_so() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let named = |mut planned: protocol::experiment::PlannedCell, group: &str, label: &str| {
        (planned.case.group, planned.case.label) = (group.into(), label.into());
        planned
    };
    let mut control = cell(70, 4, 2, 1.0);
    control.spec.case = control.spec.baseline.clone();
    let cells = vec![
        named(cell(500, 4, 2, 1.0), "a", "x"),
        named(cell(500, 5, 2, 1.0), "a", "x"),
        named(cell(100, 4, 2, 1.0), "b", "x"),
        named(cell(50, 4, 2, 1.0), "c", "x"),
        named(cell(60, 4, 2, 1.0), "c", "x"),
        named(control, "d", "itself"),
    ];
    coordinator.apply(&experiment("one", cells)).await.expect("apply");
    let report = coordinator.report("one").await.expect("report");
    let names: Vec<_> = report.series.iter().map(|series| series.title()).collect();
    assert_eq!(names, ["a x", "b x", "c x (rave_k=50)", "c x (rave_k=60)", "itself"]);
    assert_eq!(
        report.warnings,
        ["`itself` of `d` is the same player as its baseline `uct`: a control, which should show 50 %"]
    );
}

#[tokio::test]
async fn games_cells_workers_and_tokens_are_named_by_their_first_digits() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    coordinator.apply(&experiment("one", vec![cell(500, 4, 1, 1.0)])).await.expect("apply");
    let mut worker = Worker::new();
    let lease = worker.take(&coordinator, 1).await.remove(0);
    worker.report(&coordinator, play_all(&lease, 7)).await;
    let game = lease.games[0].id;
    assert_eq!(coordinator.game_id(&game.short()).await.expect("found"), game);
    let error = coordinator.game_id("0000").await.expect_err("none").to_string();
    assert!(error.contains("no game is called `0000`"), "{error}");
    let common = |ids: [String; 2]| ids[0].chars().zip(ids[1].chars()).take_while(|(a, b)| a == b).count();
    let both = [lease.games[0].id, lease.games[1].id].map(|id| id.to_string());
    assert!(common(both) < 8, "ids of other games begin otherwise");
    for (key, kind) in [
        (worker.id.to_string()[..8].to_owned(), protocol::operate::WhyKind::Worker),
        (lease.cell.short(), protocol::operate::WhyKind::Cell),
        (
            coordinator.summary("one").await.expect("summary").id.short(),
            protocol::operate::WhyKind::Experiment,
        ),
    ] {
        assert_eq!(coordinator.why(&key).await.expect("found").kind, kind, "{key}");
    }
    let machines = protocol::operate::Machines::Named(worker.id.to_string()[..6].to_owned());
    let pause = protocol::operate::DirectiveRequest { machines, directive: protocol::sync::Directive::Pause };
    assert_eq!(coordinator.direct(pause, "ada").await.expect("told").machines, 1);
    // A machine cannot be called like another one is identified.
    for name in [worker.id.to_string(), worker.id.to_string().replace('-', "")] {
        let request = protocol::sync::SyncRequest { name, ..Worker::new().request(Vec::new(), 0) };
        let error = coordinator.sync(request).await.expect_err("an id").to_string();
        assert!(error.contains("which is written as ids are"), "{error}");
    }
    let request = protocol::sync::SyncRequest {
        name: worker.id.to_string()[..8].to_owned(),
        ..Worker::new().request(Vec::new(), 0)
    };
    coordinator.sync(request).await.expect("heard");
    let machines = protocol::operate::Machines::Named(worker.id.to_string()[..8].to_owned());
    let pause = protocol::operate::DirectiveRequest { machines, directive: protocol::sync::Directive::Pause };
    let error = coordinator.direct(pause, "ada").await.map(drop).expect_err("which of them").to_string();
    assert!(error.contains(&worker.id.to_string()), "{error}");
    token(&coordinator, "read").await.expect("token");
    let id = coordinator.tokens().await.expect("tokens").remove(0).id;
    let misspelt = coordinator.revoke_token("tset", "ada").await.expect_err("misspelt").to_string();
    assert_eq!(misspelt, "no token is called `tset`; did you mean `test`?");
    let request = protocol::access::TokenRequest {
        name: id[..8].to_owned(),
        scopes: "read".parse().expect("a scope"),
        expires_in_ms: None,
        machines: None,
    };
    coordinator.create_token(request, "eve").await.expect("made");
    let unclear = coordinator.revoke_token(&id[..8], "ada").await.expect_err("which of them").to_string();
    assert!(unclear.contains(&id) && unclear.contains("or have ids that begin so"), "{unclear}");
    assert_eq!(coordinator.revoke_token(&id[..5], "ada").await.expect("revoked").id, id);
}

#[tokio::test]
async fn the_api_changes_an_experiment_for_those_who_may() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let [experimenter, reader] = ["experiment", "read"].map(|scope| token(&coordinator, scope));
    let (experimenter, reader) = (experimenter.await.expect("token"), reader.await.expect("token"));
    let call = async |token: &str, method: &str, path: &str, body: &str| {
        let request = bearer(Request::builder().method(method).uri(path), token);
        text(&coordinator, with_text(request, body.to_owned())).await
    };
    let files = [500, 100].map(|k| experiment("one", vec![cell(k, 4, 3, 1.0)]));
    let [first, second] = files.map(|file| serde_json::to_string(&file).expect("JSON"));
    for (path, body, status) in [
        ("/api/v1/experiments", &first, StatusCode::OK),
        ("/api/v1/experiments", &second, StatusCode::OK),
        ("/api/v1/experiments", &first, StatusCode::CONFLICT),
        ("/api/v1/experiments?supersede=true", &first, StatusCode::OK),
        ("/api/v1/diff", &second, StatusCode::OK),
    ] {
        let (found, said) = call(&experimenter, "POST", path, body).await;
        assert_eq!(found, status, "{path}: {said}");
        assert_eq!(status == StatusCode::CONFLICT, said.contains("older_revision"), "{said}");
        assert_eq!(call(&reader, "POST", path, body).await.0, StatusCode::FORBIDDEN);
    }
    let path = "/api/v1/experiments/one/change";
    for body in ["\"pause\"", "{\"weight\": 2.5}", "{\"tags\": {\"add\": [\"x\"]}}", "{\"note\": \"hello\"}"]
    {
        assert_eq!(call(&reader, "POST", path, body).await.0, StatusCode::FORBIDDEN);
        let (status, said) = call(&experimenter, "POST", path, body).await;
        assert_eq!(status, StatusCode::OK, "{said}");
    }
    assert_eq!(call(&experimenter, "POST", path, "\"dance\"").await.0, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, said) = call(&reader, "GET", "/api/v1/experiments?tag=x", "").await;
    let listed: Vec<ExperimentSummary> = serde_json::from_str(&said).expect("a list");
    assert_eq!((listed.len(), listed[0].weight, listed[0].state), (1, 2.5, ExperimentState::Paused));
    let (_, said) = call(&reader, "GET", "/api/v1/experiments/one/history", "").await;
    let history: ExperimentHistory = serde_json::from_str(&said).expect("a history");
    assert_eq!((history.revisions.len(), history.changes.len()), (3, 7));
    assert_eq!(history.revisions[0].content, history.revisions[2].content);
    let (_, said) = call(&reader, "GET", "/api/v1/experiments/one/revisions/2", "").await;
    assert_eq!(said, second, "what was applied");
}
