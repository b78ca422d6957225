//! The first page: who leads, what is decided, how fast experiments and the fleet go.

use crate::databases::on_both_databases;
use crate::http::{bare, text};
use crate::play::{Worker, cell, experiment, open, params, play_all};
use axum::http::Request;
use coordinator::Coordinator;
use protocol::experiment::{PlannedCell, StopInterval, StopRule};
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentReport, Series, StopOutcome, Stopping, Verdict};

/// Decides after about twenty pairs.
const NARROW: StopRule =
    StopRule::HalfWidth { half_width: 0.15, interval: StopInterval::Wilson, confidence: 0.95 };

/// Plays until nothing is leased.
async fn play(coordinator: &Coordinator, worker: &mut Worker) {
    loop {
        let leases = worker.take(coordinator, 8).await;
        if leases.is_empty() {
            return;
        }
        worker.held.clear();
        let games = leases.iter().flat_map(|lease| play_all(lease, 1 + 2 * u64::from(lease.pair))).collect();
        worker.report(coordinator, games).await;
    }
}

on_both_databases! {
    async fn games_over_time_are_kept_by_the_hour_when_rates_are_forgotten(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 6, 1.0)])).await.expect("apply");
        let mut worker = Worker::new();
        let begin = clock.now_ms();
        for hour in [0, 1, 3] {
            for lease in worker.take(&coordinator, 2).await {
                worker.drop_lease(&lease);
                worker.report(&coordinator, play_all(&lease, u64::from(lease.pair))).await;
            }
            clock.advance(if hour == 0 { 3_600_000 } else { 7_200_000 });
            coordinator.lapse().await.expect("lapsed");
            coordinator.lapse().await.expect("lapsed");
        }
        let games = coordinator.history("one").await.expect("a history").games;
        assert_eq!(games.last().map(|until| until.games), Some(12), "{games:?}");
        assert!(games.is_sorted_by_key(|until| (until.at_ms, until.games)), "{games:?}");
        let at = |ms: i64| games.iter().rfind(|until| until.at_ms <= begin + ms).map(|until| until.games);
        assert_eq!((at(3_600_000), at(7_300_000)), (Some(4), Some(8)), "{games:?}");
    }

    async fn news_are_what_report_and_analysis_say(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let ruled = PlannedCell { stop: Some(NARROW), ..cell(500, 4, 60, 1.0) };
        coordinator.apply(&experiment("played", vec![ruled, cell(500, 3, 4, 1.0), cell(50, 3, 4, 1.0)])).await.expect("apply");
        play(&coordinator, &mut Worker::new()).await;
        clock.advance(1_000);
        coordinator.apply(&experiment("waiting", vec![cell(7, 3, 4, 1.0)])).await.expect("apply");

        let news = coordinator.news().await.expect("news").experiments;
        let ids: Vec<_> = coordinator.overview().await.expect("overview").experiments.iter().map(|of| of.id).collect();
        assert_eq!(news.iter().map(|of| of.id).collect::<Vec<_>>(), ids, "in the order of the overview");
        let [waiting, played] = &news[..] else { panic!("{news:?}") };
        assert_eq!((waiting.games.iter().sum::<u64>(), &waiting.leader), (0, &None));
        assert!(waiting.decided.is_empty());

        let report = coordinator.report("played").await.expect("a report");
        assert_eq!((played.games.len(), played.games[29]), (30, report.summary.games_done));
        let leader = played.leader.as_ref().expect("a leader");
        let field = &coordinator.analysis("played", None).await.expect("an analysis").sweep.fields[0];
        let best = &field.cases[0];
        assert!(!leader.leads, "games of random moves tell nobody apart: {field:?}");
        assert_eq!((&leader.case, leader.rate, leader.low, leader.high), (&best.case, best.rate, best.cs_low, best.cs_high), "a rule looks at the games");
        let points: Vec<_> = report.series.iter().flat_map(|series| &series.points).collect();
        let ended = |rule: &&Stopping| rule.outcome != StopOutcome::Open;
        let expected: Vec<_> = points
            .iter()
            .filter(|point| point.verdict != Verdict::Open || point.stopping.as_ref().filter(ended).is_some())
            .map(|point| (point.cell, point.size, point.verdict))
            .collect();
        assert!(!expected.is_empty(), "the rule has stopped");
        let mut told: Vec<_> = played
            .decided
            .iter()
            .flat_map(|of| of.cells.iter().map(|cell| (cell.cell, cell.size, of.verdict)))
            .collect();
        told.sort_by_key(|(cell, ..)| points.iter().position(|point| point.cell == *cell));
        assert_eq!((told, played.cells_decided), (expected.clone(), expected.len() as u64));
        assert_eq!(played.cases_decided, played.decided.len() as u64, "few cases are all listed");

        let (_, body) = text(&coordinator, bare(Request::get("/api/v1/experiments/played?best=1"))).await;
        let best: ExperimentReport = serde_json::from_str(&body).expect("a report");
        let mean = |of: &Series| {
            of.points.iter().filter_map(|point| point.estimate).map(|found| found.low).sum::<f64>() / of.points.len() as f64
        };
        let highest = report.series.iter().max_by(|a, b| mean(a).total_cmp(&mean(b))).expect("lines");
        assert_eq!((report.series.len(), &best.series[..]), (2, &[highest.clone()][..]));

        // The slices move on, and after an hour they are empty.
        clock.advance(600_000);
        let later = coordinator.news().await.expect("news").experiments[1].games.clone();
        assert_eq!((later[24], later.iter().sum::<u64>()), (report.summary.games_done, report.summary.games_done));
        clock.advance(3_600_000);
        assert_eq!(coordinator.news().await.expect("news").experiments[1].games, [0; 30]);

        coordinator.change_experiment("played", ExperimentChange::Archive, "ada").await.expect("archived");
        assert_eq!(coordinator.news().await.expect("news").experiments.len(), 1);
    }

    async fn a_case_that_leads_has_the_name_of_its_line(database: Database) {
        let (coordinator, _) = open(&database).await;
        // The same label against two baselines: the baseline tells the lines apart, and a ranking of players needs an id.
        let others = [cell(500, 3, 4, 1.0), cell(50, 3, 8, 1.0)].map(|mut cell| {
            cell.case.label = "of both".into();
            if cell.spec.case == params("rave_k=50") {
                (cell.baseline.label, cell.baseline.params) = ("other".into(), params("rave_k=7"));
                cell.spec.baseline = params("rave_k=7");
            }
            cell
        });
        coordinator.apply(&experiment("one", others.to_vec())).await.expect("apply");
        play(&coordinator, &mut Worker::new()).await;
        let analysis = coordinator.analysis("one", None).await.expect("an analysis");
        assert!(analysis.series.iter().any(|names| names.case.starts_with("of both (")), "{:?}", analysis.series);
        let leader = coordinator.news().await.expect("news").experiments[0].leader.clone().expect("a leader");
        assert_eq!(leader.case, "of both");
    }

    async fn the_fleet_is_told_in_cores_of_the_reference_machine(database: Database) {
        let (coordinator, clock) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 3, 40, 1.0)])).await.expect("apply");
        let none = coordinator.overview().await.expect("overview");
        assert_eq!((none.fleet.reference_cores, none.seconds_left), (0.0, None));

        let (mut fast, mut slow) = (Worker::new(), Worker::new());
        for speed in &mut fast.speeds {
            (speed.sims_per_s, speed.factor) = (2.0 * speed.sims_per_s, 0.5);
        }
        slow.slots = 2;
        let leases = fast.take(&coordinator, 10).await;
        slow.take(&coordinator, 1).await;
        fast.held.clear();
        fast.report(&coordinator, leases.iter().flat_map(|lease| play_all(lease, 1)).collect()).await;
        let overview = coordinator.overview().await.expect("overview");
        assert_eq!(overview.fleet.reference_cores, 2.0 * 8.0 + 2.0);
        let worker = &overview.workers[0].version;
        let outdated = if overview.version == *worker { 0 } else { 2 };
        assert_eq!(overview.fleet.outdated, outdated, "{worker} and {}", overview.version);
        let [one] = &overview.experiments[..] else { panic!("{overview:?}") };
        // With one experiment, everything is done when the experiment is.
        let (all, own) = (overview.seconds_left.expect("known"), one.seconds_left.expect("known"));
        assert!((all - own).abs() < 1e-6 * own, "{all} {own}");

        clock.advance(3_600_000);
        let gone = coordinator.overview().await.expect("overview");
        assert_eq!((gone.fleet.reference_cores, gone.seconds_left), (0.0, None));
    }
}
