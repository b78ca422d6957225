//! The page of a cell: every number of it against the games.

use crate::databases::{Database, on_both_databases};
use crate::play::{Worker, assert_verified, cell, experiment, open, play_all};
use coordinator::Coordinator;
use engine::havannah::WinKind;
use engine::side::Side;
use protocol::browse::{CaseResult, FoundGame, GameSearch};
use protocol::cell::{CellReport, CellState, RuleMeasure, RunningCell, RunningPoint};
use protocol::experiment::{Hypotheses, PlannedCell, StopInterval, StopRule};
use protocol::games::GameStatus;
use protocol::report::StopOutcome;
use stats::{PairCounts, Residual, Unfinished};
use std::collections::BTreeMap;

const RATIO: StopRule =
    StopRule::Sprt { hypotheses: Hypotheses::Score([0.35, 0.65]), alpha: 0.05, beta: 0.05 };

fn ruled(stop: StopRule, pairs: u32) -> PlannedCell {
    PlannedCell { stop: Some(stop), ..cell(500, 4, pairs, 1.0) }
}

/// All counted games of a cell.
async fn counted(coordinator: &Coordinator, id: &str) -> Vec<FoundGame> {
    let query = GameSearch {
        cell: Some(id.into()),
        status: Some(GameStatus::Counted),
        limit: Some(1_000),
        ..GameSearch::default()
    };
    let page = coordinator.found_games(query).await.expect("a search");
    assert_eq!(page.next, None);
    page.games
}

fn half_points(game: &FoundGame) -> u8 {
    match game.result {
        CaseResult::Loss => 0,
        CaseResult::Draw => 1,
        CaseResult::Win => 2,
    }
}

/// The complete pairs by number, with their categories.
fn complete(games: &[FoundGame]) -> BTreeMap<u32, usize> {
    let mut halves: BTreeMap<u32, [Option<u8>; 2]> = BTreeMap::new();
    for game in games {
        let half = usize::from(game.case_side == Side::Black);
        halves.entry(game.pair).or_default()[half] = Some(half_points(game));
    }
    let pair = |(number, halves): (u32, [Option<u8>; 2])| {
        Some((number, PairCounts::category(halves[0]?, halves[1]?)))
    };
    halves.into_iter().filter_map(pair).collect()
}

fn results(games: &[&FoundGame]) -> [u64; 3] {
    let mut results = [0; 3];
    games.iter().for_each(|game| results[usize::from(half_points(game))] += 1);
    results
}

/// Every number of the report, from the games.
fn assert_is_of(report: &CellReport, games: &[FoundGame]) {
    let of = |wanted: &dyn Fn(&FoundGame) -> bool| -> Vec<&FoundGame> {
        games.iter().filter(|game| wanted(game)).collect()
    };
    let [losses, draws, wins] = results(&of(&|_| true));
    assert_eq!((report.point.wins, report.point.draws, report.point.losses), (wins, draws, losses));
    let mut counts = PairCounts::default();
    complete(games).values().for_each(|category| counts.add(*category));
    let unfinished = Unfinished {
        pairs: report.point.missing.as_ref().map_or(0, |missing| missing.pairs),
        games: report.point.missing.as_ref().map_or([0; 3], |missing| missing.games),
    };
    let known = unfinished.with(counts.points(), 2.0 * counts.pairs() as f64);
    assert_eq!(
        known.least,
        wins as f64 + draws as f64 / 2.0,
        "every counted game is a point of the case or is none"
    );
    let summary = stats::live_summary(&counts, &unfinished, 0.95).expect("pairs");
    assert_eq!(report.point.pair_counts, <[u64; 6]>::from(counts));
    assert_eq!(report.point.estimate, Some(summary));
    assert!(
        report.finding.contains(&format!(
            "scores {:.1} % over {} pairs",
            100.0 * summary.rate,
            counts.pairs()
        )),
        "{}",
        report.finding
    );
    assert_eq!((report.colours.len(), report.shapes.len()), (2, 3));
    for (colour, side) in report.colours.iter().zip([Side::White, Side::Black]) {
        let [losses, draws, wins] = results(&of(&|game| game.case_side == side));
        assert_eq!((colour.side, colour.wins, colour.draws, colour.losses), (side, wins, draws, losses));
        let all = (losses + draws + wins) as f64;
        let rate = (wins as f64 + draws as f64 / 2.0) / all;
        let missing = counts.pairs() + unfinished.pairs - (losses + draws + wins);
        let z = stats::quantile(0.975).expect("a quantile");
        let ends = |won: u64| {
            let (all, wins) = (all + missing as f64, wins + won);
            stats::wilson((wins as f64 + draws as f64 / 2.0) / all, draws as f64 / all, all, z)
        };
        let (low, high) = (ends(0).0, ends(missing).1);
        assert_eq!((colour.rate, colour.low, colour.high), (Some(rate), Some(low), Some(high)));
    }
    for (shape, kind) in report.shapes.iter().zip([WinKind::Fork, WinKind::Bridge, WinKind::Ring]) {
        let [losses, _, wins] = results(&of(&|game| game.kind == Some(kind)));
        assert_eq!((shape.kind, shape.wins, shape.losses), (kind, wins, losses));
    }
    let mut lengths: BTreeMap<u32, [u64; 3]> = BTreeMap::new();
    for game in games {
        lengths.entry(game.plies).or_default()[usize::from(half_points(game))] += 1;
    }
    let shown =
        report.lengths.iter().map(|length| (length.plies, [length.losses, length.draws, length.wins]));
    assert_eq!(shown.collect::<BTreeMap<_, _>>(), lengths);
    assert!(report.lengths.is_sorted_by_key(|length| length.plies));
    for machine in &report.machines {
        let mut residual = Residual::default();
        let signed = |results: [u64; 3]| results.map(u64::cast_signed);
        for side in [Side::White, Side::Black] {
            let own = results(&of(&|game| game.case_side == side && game.worker == machine.worker));
            let others = results(&of(&|game| game.case_side == side && game.worker != machine.worker));
            residual += Residual::of(signed(own), signed(others));
        }
        let [losses, draws, wins] = results(&of(&|game| game.worker == machine.worker));
        assert_eq!((machine.wins, machine.draws, machine.losses), (wins, draws, losses));
        match machine.beside {
            None => assert_eq!(residual.games, 0.0),
            Some(beside) => {
                assert_eq!(
                    (beside.difference, beside.rate),
                    (residual.difference(), residual.rate_of_others())
                );
                assert_eq!(beside.p_value, residual.chi_square().map(|square| square.p_value));
            }
        }
    }
    assert_eq!(report.machines.iter().map(|machine| machine.games).sum::<u64>(), games.len() as u64);
}

/// The series of points, from the games.
fn assert_runs_like(running: &RunningCell, games: &[FoundGame]) {
    let complete = complete(games);
    assert_eq!(running.pairs, complete.len() as u64);
    let mut counts = PairCounts::default();
    let mut expected = Vec::new();
    for (place, (number, category)) in complete.iter().enumerate() {
        counts.add(*category);
        let number = u64::from(*number);
        let group = |number: u64| number.div_ceil(running.every);
        let is_last =
            complete.keys().nth(place + 1).is_none_or(|next| group(u64::from(*next)) != group(number));
        if is_last {
            let begun = group(number) * running.every + 1;
            let unfinished = Unfinished { pairs: begun - counts.pairs(), ..Unfinished::default() };
            let of = stats::live_summary(&counts, &unfinished, 0.95).expect("pairs");
            let stats::Summary { rate, low, high, cs_low, cs_high, .. } = of;
            expected.push(RunningPoint { pairs: counts.pairs(), rate, low, high, cs_low, cs_high });
        }
    }
    assert_eq!(running.points, expected);
}

on_both_databases! {
    async fn a_cell_shows_what_its_games_and_its_rule_say(database: Database) {
        let (coordinator, clock) = open(&database).await;
        let planned = ruled(RATIO, 40);
        let id = planned.spec.id().to_string();
        coordinator.apply(&experiment("one", vec![planned.clone()])).await.expect("apply");
        // Another experiment has the cell with another rule, and a third one with the same.
        let wide = StopRule::HalfWidth { half_width: 0.02, interval: StopInterval::Wilson, confidence: 0.95 };
        coordinator.apply(&experiment("two", vec![ruled(wide, 30)])).await.expect("apply");
        coordinator.apply(&experiment("three", vec![ruled(RATIO, 20)])).await.expect("apply");
        let empty = coordinator.cell(&id[..8]).await.expect("a cell");
        assert!(empty.finding.starts_with("Nothing is known of rave rave_k=500 against uct yet"), "{}", empty.finding);
        assert_eq!((empty.colours[0].rate, empty.machines.len(), empty.plans.len()), (None, 0, 3));
        let running = coordinator.running_cell(&id).await.expect("a cell");
        assert_eq!((running.pairs, running.points.len(), running.rules.len()), (0, 0, 2));

        let mut workers = [Worker::new(), Worker::new(), Worker::new()];
        let mut held = None;
        for pair in 0..24_usize {
            let worker = &mut workers[pair % 3];
            let Some(lease) = worker.take(&coordinator, 1).await.pop() else { break };
            clock.advance(1_000);
            worker.drop_lease(&lease);
            let games = play_all(&lease, 7 * pair as u64);
            // One pair stays away: the rule waits at the gap, and the estimate does not.
            if lease.pair == 12 { held = Some(games) } else { worker.report(&coordinator, games).await; }
        }
        let games = counted(&coordinator, &id).await;
        coordinator.exclude(games[5].id, None, "too hot", "ada").await.expect("exclude");
        let games = counted(&coordinator, &id).await;
        let report = coordinator.cell(&id).await.expect("a cell");
        assert_is_of(&report, &games);
        assert_eq!(report.point.void_games, 1);
        assert!(report.machines.len() == 3 && report.machines.iter().all(|machine| machine.beside.is_some()));
        assert!(report.reasons.iter().any(|reason| reason.contains("`one` plans 40 pairs")), "{:?}", report.reasons);
        let running = coordinator.running_cell(&id).await.expect("a cell");
        assert_runs_like(&running, &games);
        assert!(running.in_order < running.pairs, "a pair is missing: {running:?}");
        // The exclusion came after all games; it is on the timeline of each experiment that has the cell.
        let marks: Vec<(u64, &str)> = running.changes.iter().map(|change| (change.pairs, change.entry.action.as_str())).collect();
        assert_eq!(marks, [(running.pairs, "exclude"); 3]);
        for rule in &running.rules {
            assert!(rule.values.iter().all(|value| value.pairs <= running.in_order), "{rule:?}");
        }
        assert_verified(&coordinator).await;

        let excluded = coordinator.cell(&id).await.expect("a cell");
        coordinator.restore(first_excluded(&coordinator, &id).await, None, "ada").await.expect("restore");
        if let Some(games) = held { workers[0].report(&coordinator, games).await; }
        assert_ne!(coordinator.cell(&id).await.expect("a cell").lengths, excluded.lengths);
        while let Some(lease) = workers[0].take(&coordinator, 1).await.pop() {
            workers[0].drop_lease(&lease);
            workers[0].report(&coordinator, play_all(&lease, 3 * u64::from(lease.pair))).await;
        }
        let games = counted(&coordinator, &id).await;
        let report = coordinator.cell(&id).await.expect("a cell");
        assert_is_of(&report, &games);
        let running = coordinator.running_cell(&id).await.expect("a cell");
        assert_runs_like(&running, &games);
        assert_eq!(running.in_order, running.pairs);
        let test = running.rules.iter().find(|rule| rule.measure == RuleMeasure::Llr).expect("the test");
        let names: Vec<&str> = test.experiments.iter().map(|planned| planned.name.as_str()).collect();
        assert!(names.len() == 2 && names.contains(&"one") && names.contains(&"three"), "{names:?}");
        assert_test_is_of(test, &games);
        assert!(test.decided.is_some(), "{test:?}");
        let width = running.rules.iter().find(|rule| rule.measure == RuleMeasure::HalfWidth).expect("the width");
        assert_eq!((width.lower, width.upper), (Some(0.02), None));
        assert!(width.values.is_sorted_by(|one, next| one.pairs < next.pairs));
        let mut states: Vec<(&str, CellState)> =
            report.plans.iter().map(|plan| (plan.experiment.name.as_str(), plan.state)).collect();
        states.sort_unstable_by_key(|(name, _)| *name);
        assert_eq!(states, [("one", CellState::Stopped), ("three", CellState::Complete), ("two", CellState::Complete)]);
        assert_verified(&coordinator).await;
    }

    async fn twenty_thousand_pairs_are_four_hundred_points(database: Database) {
        let (coordinator, id) = with_pairs(&database, 20_000).await;
        let running = coordinator.running_cell(&id).await.expect("a cell");
        assert_eq!((running.every, running.pairs, running.in_order), (50, 19_999, 15_000));
        assert_eq!(running.points.len(), 401);
        assert_eq!((running.points[0].pairs, running.points[1].pairs), (1, 51));
        let mut counts = PairCounts::default();
        let mut points = running.points.iter();
        for number in (0..20_000_u32).filter(|number| *number != 15_000) {
            counts.add(PairCounts::category((number % 3) as u8, (number / 3 % 3) as u8));
            if number % 50 == 0 || number == 19_999 || number == 14_999 {
                // From the open pair on, the sequence holds however that one ends.
                let pairs = u64::from(number >= 14_999);
                let unfinished = Unfinished { pairs, ..Unfinished::default() };
                let of = stats::live_summary(&counts, &unfinished, 0.95).expect("pairs");
                let point = points.next().expect("a point");
                // The group of the open pair ends before it.
                assert_eq!((point.pairs, point.rate, point.cs_low), (counts.pairs(), of.rate, of.cs_low), "{number}");
            }
        }
        assert_eq!(points.next(), None);
    }

    async fn ids_that_name_no_cell_are_refused(database: Database) {
        let (coordinator, _) = open(&database).await;
        coordinator.apply(&experiment("one", vec![cell(500, 4, 6, 1.0)])).await.expect("apply");
        for id in ["nothing", "00000000-0000-8000-8000-000000000000", "ffffffffff"] {
            let error = coordinator.cell(id).await.expect_err(id).to_string();
            assert!(error.starts_with("no cell is called"), "{error}");
            assert_eq!(coordinator.running_cell(id).await.expect_err(id).to_string(), error);
        }
    }
}

/// A coordinator with one cell. The results of its pairs are the digits of the number by three. After three quarters of them one pair
/// is open.
pub(crate) async fn with_pairs(database: &Database, pairs: u32) -> (Coordinator, String) {
    let (coordinator, _) = open(database).await;
    let planned = ruled(RATIO, pairs);
    let id = planned.spec.id().to_string();
    coordinator.apply(&experiment("one", vec![planned])).await.expect("apply");
    let (last, gap) = (pairs - 1, pairs / 4 * 3);
    let done = format!(
        "INSERT INTO pair (cell, idx, state, first, second) \
         WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {last}) \
         SELECT (SELECT id FROM cell), i, 'done', i % 3, (i / 3) % 3 FROM n WHERE i <> {gap}"
    );
    database.run(&done).await;
    database.run(&format!("INSERT INTO pair (cell, idx, state) SELECT id, {gap}, 'open' FROM cell")).await;
    database.run(&format!("UPDATE cell SET pairs_started = {pairs}")).await;
    (coordinator, id)
}

async fn first_excluded(coordinator: &Coordinator, id: &str) -> protocol::ids::GameId {
    let query =
        GameSearch { cell: Some(id.into()), status: Some(GameStatus::Excluded), ..GameSearch::default() };
    coordinator.found_games(query).await.expect("a search").games[0].id
}

/// The log-likelihood ratio after each pair, up to the decision.
fn assert_test_is_of(rule: &protocol::cell::RunningRule, games: &[FoundGame]) {
    let test = stats::Sprt::new(stats::Hypotheses::Score(0.35, 0.65), 0.05, 0.05).expect("a test");
    let (lower, upper) = test.bounds();
    assert_eq!((rule.lower, rule.upper), (Some(lower), Some(upper)));
    let mut counts = PairCounts::default();
    let mut expected = Vec::new();
    let mut decided = None;
    for (number, category) in complete(games) {
        assert_eq!(u64::from(number), counts.pairs(), "no pair is missing");
        counts.add(category);
        let llr = test.llr(&counts).expect("a solution");
        expected.push((counts.pairs(), llr));
        if llr <= lower || llr >= upper {
            decided = Some(counts.pairs());
            break;
        }
    }
    assert_eq!(rule.values.iter().map(|value| (value.pairs, value.value)).collect::<Vec<_>>(), expected);
    assert_eq!(rule.decided, decided);
    assert_eq!(decided.is_some(), matches!(rule.outcome, StopOutcome::AcceptH0 | StopOutcome::AcceptH1));
}
