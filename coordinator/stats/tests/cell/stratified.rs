//! The mean over board sizes, watched while pairs come in and cells end early.

use crate::random::Random;
use crate::simulated::{Kind, tolerance};
use stats::{Decision, PairCounts, Rule, StratifiedMean};

const RUNS: u32 = 1000;
const PAIRS_OF_A_CELL: u32 = 150;

/// In how many runs the true mean is ever outside of its sequence. After each pair of a cell, somebody looks. A cell may end
/// early, as in the experiments of docs/thesis.
fn ever_outside(kinds: &[Kind], ends_early: bool, seed: u64) -> f64 {
    let truth = kinds.iter().map(Kind::rate).sum::<f64>() / kinds.len() as f64;
    let rule = Rule::EValue { alpha: 0.001 };
    let mut random = Random(seed);
    let mut runs = 0;
    for _ in 0..RUNS {
        let mut cells = vec![PairCounts::default(); kinds.len()];
        let mut has_ended = vec![false; kinds.len()];
        let mut is_outside = false;
        for turn in 0..PAIRS_OF_A_CELL as usize * kinds.len() {
            let at = turn % kinds.len();
            if has_ended[at] {
                continue;
            }
            cells[at].add(kinds[at].pair(&mut random));
            let decision: Option<Decision> = rule.decide(&cells[at]).expect("a level");
            has_ended[at] = ends_early && decision.is_some();
            let Some(mean) = StratifiedMean::of(&cells) else { continue };
            let (low, high) = mean.sequence(0.95).expect("inside");
            is_outside |= truth < low || truth > high;
        }
        runs += u32::from(is_outside);
    }
    f64::from(runs) / f64::from(RUNS)
}

#[test]
fn the_true_mean_leaves_the_sequence_in_at_most_5_percent_of_runs_also_where_cells_end_early() {
    let kinds = |rates: &[f64], bias| -> Vec<Kind> {
        rates.iter().map(|&rate| Kind::with_rate(rate, bias, 0.02)).collect()
    };
    let even = [0.5; 7];
    for (seed, kinds) in [
        kinds(&even, 0.0),
        kinds(&even, 1.0),
        kinds(&[0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 0.5),
        kinds(&[0.9, 0.95, 0.98, 0.97, 0.9, 0.95, 0.9], 0.0),
        kinds(&[0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.95], 0.5),
        kinds(&[0.4, 0.5, 0.6], 0.0),
        kinds(&[0.5], 1.0),
    ]
    .into_iter()
    .enumerate()
    {
        for ends_early in [false, true] {
            let found = ever_outside(&kinds, ends_early, 40 + seed as u64);
            assert!(found <= 0.05 + tolerance(0.05, RUNS), "{kinds:?}, early ends {ends_early}: {found}");
        }
    }
}

/// In how many runs the true difference of two cases is ever outside of its sequence.
fn difference_ever_outside(kinds: [&[Kind]; 2], seed: u64) -> f64 {
    let truth = kinds.map(|kinds| kinds.iter().map(Kind::rate).sum::<f64>() / kinds.len() as f64);
    let mut random = Random(seed);
    let mut runs = 0;
    for _ in 0..RUNS {
        let mut cells = kinds.map(|kinds| vec![PairCounts::default(); kinds.len()]);
        let mut is_outside = false;
        for turn in 0..PAIRS_OF_A_CELL as usize * kinds[0].len() {
            let at = turn % kinds[0].len();
            for (case, kinds) in kinds.iter().enumerate() {
                cells[case][at].add(kinds[at].pair(&mut random));
            }
            let [Some(one), Some(other)] = [0, 1].map(|case| StratifiedMean::of(&cells[case])) else {
                continue;
            };
            let (low, high) = one.difference_sequence(other, 0.95).expect("inside");
            let difference = truth[0] - truth[1];
            is_outside |= difference < low || difference > high;
        }
        runs += u32::from(is_outside);
    }
    f64::from(runs) / f64::from(RUNS)
}

#[test]
fn the_true_difference_of_two_cases_leaves_its_sequence_in_at_most_5_percent_of_runs() {
    let kinds =
        |rates: &[f64]| -> Vec<Kind> { rates.iter().map(|&rate| Kind::with_rate(rate, 0.5, 0.02)).collect() };
    for (seed, [one, other]) in [
        [kinds(&[0.5; 4]), kinds(&[0.5; 4])],
        [kinds(&[0.6, 0.7, 0.8, 0.9]), kinds(&[0.3, 0.4, 0.5, 0.6])],
        [kinds(&[0.95; 6]), kinds(&[0.9; 6])],
    ]
    .into_iter()
    .enumerate()
    {
        let found = difference_ever_outside([&one, &other], 60 + seed as u64);
        assert!(found <= 0.05 + tolerance(0.05, RUNS), "{one:?} against {other:?}: {found}");
    }
}
