//! The control that the coordinator keeps by itself.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, open_with, play_all};
use coordinator::{Clock, Coordinator};
use protocol::experiment::Experiment;
use protocol::lease::Budget;
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentReport, ExperimentState};
use protocol::tune::{ProposedPoint, ProposedPoints};
use tuner::{Point, Value};

const SHARE: f64 = 0.1;

async fn start(database: &Database) -> (Coordinator, Clock) {
    open_with(database, |config| config.control_share = SHARE).await
}

async fn keep(coordinator: &Coordinator) -> ExperimentReport {
    coordinator.keep_control().await.expect("kept");
    coordinator.report("control").await.expect("the control")
}

async fn change(coordinator: &Coordinator, name: &str, change: ExperimentChange) {
    coordinator.change_experiment(name, change, "someone").await.expect("changed");
}

/// The sizes of the control's cells.
fn sizes(control: &ExperimentReport) -> Vec<u8> {
    control.sizes.iter().map(|size| size.get()).collect()
}

fn sweep(sizes: &[u8]) -> Experiment {
    let cells = sizes.iter().flat_map(|size| [cell(10, *size, 2_000, 1.0), cell(20, *size, 2_000, 1.0)]);
    experiment("sweep", cells.collect())
}

on_both_databases! {
    async fn its_cells_and_its_weight_follow_what_is_played(database: Database) {
        let (coordinator, _) = start(&database).await;
        coordinator.keep_control().await.expect("nothing to do");
        assert!(coordinator.report("control").await.is_err(), "nothing is played");
        coordinator.apply(&sweep(&[3, 4])).await.expect("apply");
        let control = keep(&coordinator).await;
        assert!(control.summary.is_control);
        assert_eq!(control.summary.state, ExperimentState::Active);
        assert_eq!(sizes(&control), [3, 4]);
        assert!(control.series.iter().all(|series| series.case == series.baseline), "a player against itself");
        assert!((control.summary.share.expect("it waits") - SHARE).abs() < 1e-9, "{:?}", control.summary);
        let revision = control.summary.revision;
        assert_eq!(keep(&coordinator).await.summary.revision, revision, "nothing changed");

        // Another experiment with another budget and the same baseline, with twice the weight.
        let mut timed = cell(10, 4, 2_000, 1.0);
        timed.spec.budget = Budget::ReferenceSeconds(0.1);
        let other = Experiment { weight: 2.0, ..experiment("timed", vec![timed]) };
        coordinator.apply(&other).await.expect("apply");
        let control = keep(&coordinator).await;
        assert_eq!((control.summary.cells, control.summary.revision), (3, revision + 1));
        assert!((control.summary.weight - 3.0 * SHARE / (1.0 - SHARE)).abs() < 1e-9);
        assert!((control.summary.share.expect("it waits") - SHARE).abs() < 1e-9);
        change(&coordinator, "timed", ExperimentChange::Pause).await;
        coordinator.apply(&sweep(&[3, 5])).await.expect("apply");
        let control = keep(&coordinator).await;
        assert_eq!((sizes(&control), control.summary.cells), (vec![3, 5], 2));

        change(&coordinator, "sweep", ExperimentChange::Pause).await;
        let control = keep(&coordinator).await;
        assert_eq!(control.summary.state, ExperimentState::Paused, "nothing else is played");
        assert_eq!(control.summary.cells, 2);
        let why = coordinator.why("control").await.expect("why").reasons.join("\n");
        assert!(why.contains("waits for another experiment") && !why.contains("missing"), "{why}");
        change(&coordinator, "sweep", ExperimentChange::Resume).await;
        assert_eq!(keep(&coordinator).await.summary.state, ExperimentState::Active);
        let history = coordinator.history("control").await.expect("history");
        let actions: Vec<&str> = history.changes.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(actions, ["resume", "pause", "apply", "apply", "apply"], "{:?}", history.changes);
        assert!(history.changes.iter().all(|entry| entry.who == "coordinator: control"));
        assert_verified(&coordinator).await;
    }

    async fn points_of_tunes_are_no_baselines(database: Database) {
        let (coordinator, _) = start(&database).await;
        let file = "[experiment]\nname = \"tune\"\nquestion = \"Which is best?\"\n[[baseline]]\nid = \"rave\"\npreset = \"rave\"\n\
                    [tune]\ngames = 60\nstrategy = \"foreign\"\n[tune.parameters]\nrave_k = { range = [0, 1000], start = 100 }\n\
                    [sizes]\n3 = 1\n4 = 1\n[[budget]]\nid = \"quick\"\nsims = 100\n[play]\nseed = 3\n";
        coordinator.apply(&Experiment::parse("tune.toml", file).expect("a tune")).await.expect("apply");
        let before = keep(&coordinator).await.summary;
        assert_eq!(before.cells, 2, "the baseline on both sizes");
        let point = |rave_k: f64| -> Point { [("rave_k".to_owned(), Value::Real(rave_k))].into() };
        let against = |rave_k: f64| ProposedPoint { point: point(700.0), opponent: Some(point(rave_k)), size: None };
        let points = vec![against(200.0), against(300.0), against(400.0)];
        coordinator.propose("tune", ProposedPoints { points }).await.expect("proposed");
        let after = keep(&coordinator).await.summary;
        assert_eq!((after.cells, after.revision), (2, before.revision), "an opponent is another point");
        assert_verified(&coordinator).await;
    }

    async fn people_pause_it_and_put_it_away_but_do_not_change_its_plan(database: Database) {
        let (coordinator, _) = start(&database).await;
        coordinator.apply(&sweep(&[3])).await.expect("apply");
        keep(&coordinator).await;
        let refused = coordinator.apply(&experiment("control", vec![cell(1, 3, 5, 1.0)])).await.expect_err("its name");
        assert!(refused.to_string().contains("give the experiment another name"), "{refused}");
        let told = coordinator.difference(&experiment("control", vec![cell(1, 3, 5, 1.0)])).await.expect_err("its name");
        assert_eq!(told.to_string(), refused.to_string());
        let weight = coordinator.change_experiment("control", ExperimentChange::Weight(5.0), "someone").await;
        assert!(weight.expect_err("its weight").to_string().contains("--control-share"));
        change(&coordinator, "control", ExperimentChange::Pause).await;
        assert_eq!(keep(&coordinator).await.summary.state, ExperimentState::Paused, "somebody paused it");
        change(&coordinator, "control", ExperimentChange::Resume).await;
        assert_eq!(keep(&coordinator).await.summary.state, ExperimentState::Active);
        change(&coordinator, "control", ExperimentChange::Archive).await;
        coordinator.apply(&sweep(&[3, 4])).await.expect("apply");
        let control = keep(&coordinator).await;
        assert_eq!((control.summary.state, sizes(&control)), (ExperimentState::Archived, vec![3]));
    }

    async fn it_gets_its_share_beside_others_and_does_not_fill_the_time_after_them(database: Database) {
        let (coordinator, clock) = start(&database).await;
        let mut plan = sweep(&[3]);
        plan.cells.truncate(1);
        plan.cells[0].pairs = 300;
        coordinator.apply(&plan).await.expect("apply");
        let control = keep(&coordinator).await;
        let own = control.series[0].points[0].cell;
        let mut worker = Worker::new();
        worker.slots = 64;
        let (mut pairs, mut of_control) = (0, 0);
        loop {
            let leases = worker.take(&coordinator, 10).await;
            if leases.is_empty() {
                break;
            }
            pairs += leases.len();
            of_control += leases.iter().filter(|lease| lease.cell == own).count();
            clock.advance(60_000);
            for lease in &leases {
                let mut games = play_all(lease, u64::from(lease.pair));
                games.iter_mut().for_each(|game| game.record.cpu_us.fill(20_000));
                worker.report(&coordinator, games).await;
            }
            worker.held.clear();
        }
        assert_eq!(pairs - of_control, 300);
        assert!((30..=37).contains(&of_control), "{of_control} of {pairs} pairs");
        let no_work = worker.sync(&coordinator, Vec::new(), 4).await.no_work.expect("no work");
        assert!(no_work.message.contains("nothing is left to play"), "{}", no_work.message);
        assert_eq!(keep(&coordinator).await.summary.state, ExperimentState::Paused);
        let judged = async || coordinator.overview().await.expect("overview").control.expect("judged").pairs;
        let before = judged().await;
        assert!(before > 29);
        // Another experiment has other sizes: the control closes this cell, and what it played stays.
        coordinator.apply(&experiment("later", vec![cell(10, 5, 100, 1.0)])).await.expect("apply");
        assert_eq!(sizes(&keep(&coordinator).await), [5]);
        assert_eq!(judged().await, before);
        assert_verified(&coordinator).await;
    }

    async fn several_coordinators_keep_one_control_and_it_survives_a_restart(database: Database) {
        let (first, clock) = start(&database).await;
        let (second, _) = open_with(&database, |config| (config.control_share, config.clock) = (SHARE, clock.clone())).await;
        first.apply(&sweep(&[3, 4])).await.expect("apply");
        let (one, other) = tokio::join!(first.keep_control(), second.keep_control());
        one.and(other).expect("kept");
        assert_eq!(keep(&first).await.summary.revision, 1);
        let experiments = second.experiments(true).await.expect("experiments");
        assert_eq!(experiments.iter().filter(|experiment| experiment.is_control).count(), 1);
        first.close().await;
        second.close().await;
        let (again, _) = start(&database).await;
        assert_eq!(keep(&again).await.summary.revision, 1);
        again.close().await;
        // Without a share it is paused, and nothing of it is leased.
        let (without, _) = open(&database).await;
        assert_eq!(keep(&without).await.summary.state, ExperimentState::Paused);
    }

    async fn a_run_of_some_experiments_keeps_a_control_of_these(database: Database) {
        let (serving, _) = open(&database).await;
        serving.apply(&experiment("other", vec![cell(10, 5, 100, 1.0)])).await.expect("apply");
        serving.close().await;
        let plan = sweep(&[3]);
        let (run, _) = open_with(&database, |config| {
            config.control_share = 0.5;
            config.only_experiments = vec![plan.id()];
        }).await;
        run.apply(&plan).await.expect("apply");
        assert_eq!(sizes(&keep(&run).await), [3]);
        let leases = Worker::new().take(&run, 8).await;
        let controls = leases.iter().filter(|lease| lease.case_label == "itself").count();
        assert!((2..=6).contains(&controls), "{controls} of {}", leases.len());
    }
}
