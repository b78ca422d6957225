//! The analysis of an experiment, against the same statistics computed from its stored games.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, cell, experiment, open, params, play_all};
use coordinator::{Coordinator, CoordinatorError};
use engine::havannah::BoardSize;
use protocol::experiment::{LabelledPlayer, PlannedCell};
use protocol::games::GameStatus;
use protocol::ids::CellId;
use stats::sweep::{Basis, Row, analyse};
use stats::{JointCounts, PairCounts, Unfinished, Value, agreement, best_p_value, paired_difference};
use std::collections::{BTreeMap, HashMap};

/// Three values of `rave_k` on two sizes.
fn cells(pairs: u32) -> Vec<PlannedCell> {
    let all = [10, 100, 1000].into_iter().flat_map(|k| [3, 4].map(|size| (k, size)));
    all.map(|(k, size)| cell(k, size, pairs, if size == 3 { 1.0 } else { 2.0 })).collect()
}

/// Plays up to this many pairs.
async fn play(coordinator: &Coordinator, pairs: u32, seed: u64) {
    let mut worker = Worker::new();
    let mut left = pairs;
    while left > 0 {
        let leases = worker.take(coordinator, left.min(16)).await;
        if leases.is_empty() {
            return;
        }
        left -= leases.len() as u32;
        let seeds = (seed..).step_by(100);
        let games = leases
            .iter()
            .zip(seeds)
            .flat_map(|(lease, seed)| play_all(lease, seed + u64::from(lease.pair)))
            .collect();
        worker.held.clear();
        worker.report(coordinator, games).await;
    }
}

/// What the counted games of a cell say: the case's half-points in the games of every pair.
#[derive(Default)]
struct Played(BTreeMap<u32, Vec<u8>>);

impl Played {
    fn complete(&self) -> impl Iterator<Item = (u32, [u8; 2])> {
        self.0.iter().filter_map(|(pair, halves)| Some((*pair, halves.as_slice().try_into().ok()?)))
    }

    fn counts(&self) -> PairCounts {
        let mut counts = PairCounts::default();
        self.complete().for_each(|(_, [one, other])| counts.add(PairCounts::category(one, other)));
        counts
    }

    /// The case's half-points in every complete pair.
    fn scores(&self) -> BTreeMap<u32, u8> {
        self.complete().map(|(pair, [one, other])| (pair, one + other)).collect()
    }
}

async fn played(coordinator: &Coordinator) -> HashMap<CellId, Played> {
    let mut played: HashMap<CellId, Played> = HashMap::new();
    let mut after = None;
    loop {
        let page = coordinator.games("sweep", after.as_deref(), 1_000).await.expect("games");
        for game in page.games.iter().filter(|game| game.status == GameStatus::Counted) {
            let points = match game.outcome.winner() {
                None => 1,
                Some(side) => {
                    if side == game.case_side {
                        2
                    } else {
                        0
                    }
                }
            };
            played.entry(game.cell).or_default().0.entry(game.pair).or_default().push(points);
        }
        match page.next {
            Some(next) => after = Some(next),
            None => return played,
        }
    }
}

/// The rows of a sweep with these games, and with this agreement on each size.
fn rows(
    planned: &[PlannedCell],
    played: &HashMap<CellId, Played>,
    agreement: impl Fn(u8) -> f64,
) -> Vec<Row> {
    let row = |cell: &PlannedCell| {
        let k = cell.case.params.0["rave_k"].to_string().parse().expect("a number");
        Row {
            case: cell.case.label.clone(),
            against: "uct".into(),
            budget: "100 sims per move".into(),
            size: cell.spec.size.get(),
            weight: cell.weight,
            counts: played[&cell.spec.id()].counts(),
            unfinished: Unfinished::default(),
            agreement: agreement(cell.spec.size.get()),
            parameters: [("rave_k".to_owned(), Value::Number(k))].into(),
        }
    };
    planned.iter().map(row).collect()
}

on_both_databases! {
    async fn an_analysis_is_what_the_games_say(database: Database) {
        let (coordinator, _) = open(&database).await;
        let planned = cells(12);
        coordinator.apply(&experiment("sweep", planned.clone())).await.expect("apply");
        let none = coordinator.analysis("sweep", None).await.expect("an analysis");
        assert!(none.sweep.fields.is_empty() && !none.has_ended && !none.is_complete);
        assert!(none.text().contains("no complete pairs yet"), "{}", none.text());

        play(&coordinator, 50, 1).await;
        let found = coordinator.analysis("sweep", None).await.expect("an analysis");
        assert!(found.text().contains("may still change"), "{}", found.text());
        assert_eq!(found.sweep, analyse(&rows(&planned, &played(&coordinator).await, |_| 0.0), 0.95, Basis::AnyLook).expect("a sweep"));
        assert!(found.comparisons.is_empty(), "paired intervals hold for a fixed number of openings");

        play(&coordinator, 1_000, 9).await;
        let complete = coordinator.analysis("sweep", None).await.expect("an analysis");
        assert!(complete.is_complete && !complete.text().contains("may still change"));
        let played = played(&coordinator).await;
        let scores = |label: &str, size: u8| {
            let cell = planned.iter().find(|cell| cell.case.label == label && cell.spec.size.get() == size);
            played[&cell.expect("planned").spec.id()].scores()
        };
        let joint = |one: &str, other: &str, size: u8| {
            let (mut joint, other) = (JointCounts::default(), scores(other, size));
            for (pair, x) in scores(one, size) {
                if let Some(y) = other.get(&pair) {
                    joint[usize::from(x)][usize::from(*y)] += 1;
                }
            }
            joint
        };
        // Each of three cases is compared with the next one.
        let labels: Vec<&str> = planned.iter().step_by(2).map(|cell| cell.case.label.as_str()).collect();
        let agreed = |size| agreement(&[joint(labels[0], labels[1], size), joint(labels[1], labels[2], size)]);
        let expected = analyse(&rows(&planned, &played, agreed), 0.95, Basis::Complete).expect("a sweep");
        assert_eq!(complete.sweep, expected);
        assert_eq!(complete.sweep.fields[0].curves.len(), 3, "over both sizes, and on each");
        assert_eq!(complete.comparisons.len(), 2);
        for comparison in &complete.comparisons {
            let common = |size: u8| joint(&comparison.best, &comparison.case, size);
            let expected = paired_difference(&[(common(3), 1.0), (common(4), 2.0)]).expect("openings");
            assert_eq!(comparison.paired, expected);
            let cases = complete.sweep.fields[0].cases.len();
            let adjusted = best_p_value(expected.p_value, expected.difference > 0.0, cases);
            assert!(cases > 2 && comparison.adjusted_p_value == adjusted);
        }
        assert_eq!(complete, coordinator.analysis("sweep", None).await.expect("an analysis"));
    }

    async fn a_size_is_analysed_as_if_there_were_no_other(database: Database) {
        let (coordinator, _) = open(&database).await;
        let both = cells(12);
        coordinator.apply(&experiment("sweep", both.clone())).await.expect("apply");
        play(&coordinator, 50, 1).await;
        let one = |cells: &[PlannedCell], size: u8| {
            cells.iter().filter(|cell| cell.spec.size.get() == size).cloned().collect::<Vec<_>>()
        };
        let on = |name: &'static str, size: u8| coordinator.analysis(name, Some(BoardSize::new(size).expect("a size")));
        for size in [3, 4] {
            // Equal cells of all experiments are one cell: this experiment has the games of that size and no others.
            let name = if size == 3 { "three" } else { "four" };
            coordinator.apply(&experiment(name, one(&both, size))).await.expect("apply");
            let alone = coordinator.analysis(name, None).await.expect("an analysis");
            let found = on("sweep", size).await.expect("an analysis");
            assert_eq!(found.sweep, alone.sweep, "claims, shrunken rates and order are those of the size");
            assert_eq!(found.comparisons, alone.comparisons);
            assert_eq!((found.games_done, found.games_planned), (alone.games_done, alone.games_planned));
            assert_eq!(found.sweep.fields[0].sizes, [size]);
            assert_eq!(found.size.map(BoardSize::get), Some(size));
            assert!(found.text().contains(&format!("on size {size} alone")), "{}", found.text());
            assert!(found.text().contains("a choice of the size"), "{}", found.text());
            // In pictures by case, each size has the order of its own cells.
            let overall = coordinator.analysis("sweep", None).await.expect("an analysis");
            let cells = overall.sweep.fields[0].cells.iter().filter(|cell| cell.size == size);
            let order = |names: Vec<&String>| names.into_iter().cloned().collect::<Vec<_>>();
            assert_eq!(
                order(cells.map(|cell| &cell.case).collect()),
                order(found.sweep.fields[0].cases.iter().map(|case| &case.case).collect())
            );
        }
        let error = on("sweep", 5).await.expect_err("not played");
        assert!(error.to_string().contains("its sizes are 3, 4"), "{error}");
        play(&coordinator, 1_000, 9).await;
        assert!(on("sweep", 3).await.expect("an analysis").is_complete);
    }

    async fn a_plan_that_grew_after_its_games_has_numbers_that_hold_at_any_look(database: Database) {
        let (coordinator, clock) = open(&database).await;
        for pairs in [4, 6] {
            coordinator.apply(&experiment("sweep", vec![cell(10, 3, pairs, 1.0), cell(500, 3, pairs, 1.0)])).await.expect("apply");
        }
        play(&coordinator, 100, 1).await;
        let fixed = coordinator.analysis("sweep", None).await.expect("an analysis");
        assert!(fixed.is_complete && fixed.sweep.basis == Basis::Complete, "no game came before the change");
        clock.advance(1_000);
        coordinator.apply(&experiment("sweep", vec![cell(10, 3, 6, 1.0), cell(500, 3, 9, 1.0)])).await.expect("apply");
        play(&coordinator, 100, 2).await;
        let grown = coordinator.analysis("sweep", None).await.expect("an analysis");
        assert!(grown.has_ended && !grown.is_complete && grown.sweep.basis == Basis::AnyLook, "somebody may have looked");
        assert!(grown.text().contains("how many games to play"), "{}", grown.text());
    }

    async fn equal_labels_are_told_apart_and_a_case_that_is_its_baseline_is_left_out(database: Database) {
        let (coordinator, _) = open(&database).await;
        let labelled = |mut cell: PlannedCell, group: &str, text: &str| {
            cell.case = LabelledPlayer { group: group.into(), label: "same".into(), params: params(text) };
            cell.spec.case = cell.case.params.clone();
            cell
        };
        let planned = vec![
            labelled(cell(1, 3, 3, 1.0), "one", "rave_k=10"),
            labelled(cell(1, 3, 3, 1.0), "two", "rave_k=20"),
            labelled(cell(1, 3, 3, 1.0), "two", "rave_k=30"),
            labelled(cell(1, 3, 3, 1.0), "itself", "exploration=0.9 rave_k=0"),
        ];
        coordinator.apply(&experiment("sweep", planned)).await.expect("apply");
        play(&coordinator, 100, 3).await;
        let found = coordinator.analysis("sweep", None).await.expect("an analysis");
        let mut names: Vec<&str> = found.sweep.fields[0].cases.iter().map(|case| case.case.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names.len(), 3, "{names:?}");
        assert_eq!(names, ["one same", "two same (rave_k=20)", "two same (rave_k=30)"], "as in the report");
    }
}

#[tokio::test]
async fn an_unknown_experiment_has_no_analysis() {
    let database = Database::sqlite();
    let (coordinator, _) = open(&database).await;
    let error = coordinator.analysis("nothing", None).await.expect_err("none");
    assert!(matches!(error, CoordinatorError::NotFound { .. }), "{error}");
}
