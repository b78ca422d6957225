//! Two experiments side by side, against the statistics of their own counters.

use crate::databases::on_both_databases;
use crate::play::{Worker, cell, experiment, open, play_all};
use coordinator::Coordinator;
use protocol::compare::ComparedVerdict;
use stats::{PairCounts, Rate, difference, summary};

async fn play(coordinator: &Coordinator) {
    let mut worker = Worker::new();
    loop {
        let leases = worker.take(coordinator, 16).await;
        if leases.is_empty() {
            return;
        }
        let games = leases.iter().flat_map(|lease| play_all(lease, 7 + u64::from(lease.pair))).collect();
        worker.held.clear();
        worker.report(coordinator, games).await;
    }
}

on_both_databases! {
    async fn sides_are_compared_series_by_series_and_a_case_with_another(database: Database) {
        let (coordinator, _) = open(&database).await;
        let shared = cell(10, 3, 12, 1.0);
        coordinator.apply(&experiment("one", vec![shared.clone(), cell(100, 3, 12, 1.0)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![shared])).await.expect("apply");
        let sides = |left: Option<&str>, right: Option<&str>| {
            [("one".to_owned(), left.map(str::to_owned)), ("two".to_owned(), right.map(str::to_owned))]
        };
        let before = coordinator.compare(sides(None, None)).await.expect("a comparison");
        assert_eq!(before.series[0].points[0].verdict, ComparedVerdict::SameCell);
        assert_eq!((before.only_left.len(), before.only_right.len()), (1, 0));

        play(&coordinator).await;
        let report = coordinator.report("one").await.expect("a report");
        let names: Vec<&str> = report.series.iter().map(|series| series.title()).collect();
        let rate = |place: usize| {
            let counts = PairCounts::from(report.series[place].points[0].pair_counts);
            Rate::from(&summary(&counts, 0.95).expect("pairs"))
        };
        let found = coordinator.compare(sides(Some(names[1]), Some(names[0]))).await.expect("a comparison");
        let point = &found.series[0].points[0];
        let expected = difference(&rate(1), &rate(0), found.margin);
        let gap = point.difference.expect("a difference");
        assert_eq!((gap.value, gap.low, gap.high), (expected.difference, expected.low, expected.high));
        assert_ne!(point.verdict, ComparedVerdict::SameCell);
        assert!(found.series[0].mean.is_some() && found.series[0].p_value.is_some());

        let missing = coordinator.compare(sides(Some("rave_k=1"), None)).await.expect_err("no such case");
        assert!(missing.to_string().contains("did you mean"), "{missing}");
    }
}
