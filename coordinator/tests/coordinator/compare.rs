//! Two experiments side by side, against the statistics of their own counters.

use crate::databases::on_both_databases;
use crate::play::{Worker, cell, experiment, open, params, play_all};
use coordinator::{Coordinator, CoordinatorError, SideKey};
use protocol::compare::{ComparedVerdict, SideBySide};
use protocol::experiment::PlannedCell;

use protocol::lease::Budget;
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
            [("one", left), ("two", right)].map(|(experiment, case)| SideKey {
                experiment: experiment.to_owned(),
                case: case.map(str::to_owned),
                revision: None,
            })
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

    async fn a_case_is_compared_against_its_own_baseline_where_there_are_several(database: Database) {
        let (coordinator, _) = open(&database).await;
        let against = |baseline: &str, seed: u64| {
            let mut planned = cell(10, 3, 4, 1.0);
            planned.spec.seed = seed;
            if baseline == "rave" {
                planned.spec.baseline = cell(500, 3, 4, 1.0).spec.case;
            }
            planned.baseline.label = baseline.to_owned();
            planned
        };
        coordinator.apply(&experiment("one", vec![against("uct", 1), against("rave", 1)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![against("rave", 2)])).await.expect("apply");
        let side = |name: &str| SideKey { experiment: name.to_owned(), case: None, revision: None };
        let found = coordinator.compare([side("one"), side("two")]).await.expect("a comparison");
        assert_eq!(found.series.iter().map(|line| line.against.as_str()).collect::<Vec<_>>(), ["rave"]);
        assert_eq!((found.only_left.len(), found.only_right.len()), (1, 0), "{found:?}");
    }

    async fn results_against_different_opponents_are_never_subtracted(database: Database) {
        let (coordinator, _) = open(&database).await;
        // The same case on each side, at 12 pairs.
        let against = |label: &str, settings: &str| {
            let mut planned = cell(10, 3, 12, 1.0);
            planned.spec.baseline = params(settings);
            planned.baseline.label = label.to_owned();
            vec![planned]
        };
        let uct = "exploration=0.9 rave_k=0";
        let sides = [
            ("uct", against("uct", uct)),
            ("k=100", against("k=100", "rave_k=100")),
            ("namesake", against("uct", "exploration=0.5 rave_k=0")),
            ("renamed", against("plain", uct)),
        ];
        for (name, cells) in sides {
            coordinator.apply(&experiment(name, cells)).await.expect("apply");
        }
        play(&coordinator).await;
        for case in [None, Some("rave_k=10".to_owned())] {
            let side = |name: &str| SideKey { experiment: name.to_owned(), case: case.clone(), revision: None };
            let compare = async |other: &str| coordinator.compare([side("uct"), side(other)]).await.expect("a comparison");
            let titles = |found: &SideBySide| -> Vec<String> {
                found.only_left.iter().chain(&found.only_right).map(|line| line.title.clone()).collect()
            };

            let found = compare("k=100").await;
            assert!(found.series.is_empty(), "{found:?}");
            assert_eq!(titles(&found), ["rave_k=10 against uct, 100 sims", "rave_k=10 against k=100, 100 sims"]);
            assert!(found.only_left[0].points[0].rate.is_some(), "{found:?}");
            let [note] = &found.notes[..] else { panic!("{found:?}") };
            assert!(note.starts_with("`rave_k=10` met `uct` in the first and `k=100` in the second."), "{note}");

            // An equal name does not make them one.
            let found = compare("namesake").await;
            assert!(found.series.is_empty(), "{found:?}");
            let wanted = ["uct (exploration=0.9)", "uct (exploration=0.5)"];
            assert_eq!(titles(&found), wanted.map(|name| format!("rave_k=10 against {name}, 100 sims")));

            // Another name does not make them two.
            let found = compare("renamed").await;
            assert_eq!(found.series[0].against, "uct (`plain` in the second)");
            assert!(found.only_left.is_empty() && found.notes.is_empty(), "{found:?}");
        }
    }

    async fn a_case_belongs_to_the_same_player_rather_than_to_its_namesake(database: Database) {
        let (coordinator, _) = open(&database).await;
        let called = |label: &str, rave_k: u32, seed: u64| {
            let mut planned = cell(rave_k, 3, 4, 1.0);
            planned.case.label = label.to_owned();
            planned.spec.seed = seed;
            planned
        };
        coordinator.apply(&experiment("one", vec![called("best", 10, 1), called("old", 20, 1)])).await.expect("apply");
        coordinator.apply(&experiment("two", vec![called("best", 20, 2), called("old", 30, 2)])).await.expect("apply");
        let side = |name: &str, case: Option<&str>| SideKey {
            experiment: name.to_owned(),
            case: case.map(str::to_owned),
            revision: None,
        };
        let names = async |case: Option<&str>| -> Vec<[String; 2]> {
            let found = coordinator.compare([side("one", case), side("two", case)]).await.expect("a comparison");
            found.series.into_iter().map(|line| [line.left, line.right]).collect()
        };
        assert_eq!(names(None).await, [["old", "best"]]);
        // Those that were asked for are compared, and told apart.
        assert_eq!(names(Some("best")).await, [["best (rave_k=10)", "best (rave_k=20)"]]);
    }

    async fn results_with_different_budgets_are_never_subtracted(database: Database) {
        let (coordinator, _) = open(&database).await;
        let at = |sims: &[u64]| {
            let cells = sims.iter().map(|sims| {
                let mut planned = cell(10, 3, 4, 1.0);
                planned.spec.budget = Budget::Sims(*sims);
                planned
            });
            cells.collect()
        };
        coordinator.apply(&experiment("short", at(&[200]))).await.expect("apply");
        coordinator.apply(&experiment("long", at(&[1000]))).await.expect("apply");
        coordinator.apply(&experiment("both", at(&[1000, 201]))).await.expect("apply");
        let budgets = async |sides: [&str; 2], case: Option<&str>| -> Vec<String> {
            let side = |name: &str| SideKey { experiment: name.to_owned(), case: case.map(str::to_owned), revision: None };
            let found = coordinator.compare(sides.map(side)).await.expect("a comparison");
            found.series.into_iter().map(|line| line.budget).collect()
        };
        assert!(budgets(["short", "long"], None).await.is_empty(), "nobody asked for these two");
        assert!(budgets(["short", "long"], Some("rave_k=10")).await.is_empty(), "the opponents are not equally strong");
        assert_eq!(budgets(["long", "both"], Some("rave_k=10")).await, ["1000 sims"]);
        for case in [None, Some("rave_k=10".to_owned())] {
            let side = |name: &str| SideKey { experiment: name.to_owned(), case: case.clone(), revision: None };
            let found = coordinator.compare([side("short"), side("long")]).await.expect("a comparison");
            assert_eq!((found.only_left.len(), found.only_right.len()), (1, 1), "{found:?}");
            let [note] = &found.notes[..] else { panic!("{found:?}") };
            assert!(note.starts_with("`rave_k=10` played with 200 sims in the first and with 1000 sims in the second"), "{note}");
        }
    }

    async fn two_revisions_are_compared_as_they_stood(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let (kept, closed, added) = (cell(10, 3, 12, 1.0), cell(100, 3, 12, 1.0), cell(10, 4, 12, 1.0));
        let more = PlannedCell { pairs: 40, ..kept.clone() };
        coordinator.apply(&experiment("one", vec![kept, closed.clone()])).await.expect("apply");
        play(&coordinator).await;
        let compare = async |left: Option<u64>, right: Option<u64>| -> Result<SideBySide, CoordinatorError> {
            let side = |revision| SideKey { experiment: "one".to_owned(), revision, case: None };
            coordinator.compare([side(left), side(right)]).await
        };
        let alone = compare(Some(1), None).await.expect("a comparison");
        assert!(alone.series.iter().flat_map(|line| &line.points).all(|point| point.verdict == ComparedVerdict::SameCell));

        let before = coordinator.report("one").await.expect("a report");
        clock.advance(60_000);
        coordinator.apply(&experiment("one", vec![more, added.clone()])).await.expect("apply");
        clock.advance(60_000);
        play(&coordinator).await;
        let found = compare(Some(1), Some(2)).await.expect("a comparison");
        assert_eq!((found.left.revision, found.right.revision, found.right.until_ms), (Some(1), Some(2), None));
        assert_eq!(found.left.until_ms, Some(1_700_000_060_000));
        // The kept cell stands as it stood then, and as it stands now; what came since is compared with what was there.
        let [point] = &found.series[0].points[..] else { panic!("{found:?}") };
        assert_eq!((point.left_cell, point.left_pairs, point.right_pairs), (point.right_cell, 12, 40));
        let rate = |counts: [u64; 6]| Rate::from(&summary(&PairCounts::from(counts), 0.95).expect("pairs"));
        let (then, now) = (before.series[0].points[0].pair_counts, coordinator.report("one").await.expect("a report").series[0].points[0].pair_counts);
        assert_eq!(point.left.expect("a rate").value, rate(then).rate);
        assert_eq!(point.right.expect("a rate").value, rate(now).rate);
        let since = std::array::from_fn(|place| now[place] - then[place]);
        let expected = difference(&rate(then), &rate(since), found.margin);
        assert_eq!(point.difference.expect("a difference").value, expected.difference);
        assert_ne!(point.verdict, ComparedVerdict::SameCell);
        // What only one of them has is there with its results.
        let only = |lone: &[protocol::compare::LoneSeries]| lone.iter().flat_map(|line| &line.points).map(|point| (point.cell, point.pairs)).collect::<Vec<_>>();
        assert_eq!(only(&found.only_left), [(closed.spec.id(), 12)]);
        assert_eq!(only(&found.only_right), [(added.spec.id(), 12)]);
        // The other way round the later pairs are the first side's.
        let back = compare(None, Some(1)).await.expect("a comparison");
        assert!((back.series[0].points[0].difference.expect("a difference").value + expected.difference).abs() < 1e-12);

        for number in [0, 3, u64::MAX] {
            let missing = compare(Some(number), None).await.expect_err("no such revision");
            assert!(missing.to_string().contains("revisions 1 to 2"), "{missing}");
        }
    }
}
