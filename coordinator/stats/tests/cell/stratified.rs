//! The mean over board sizes, watched while pairs come in, sizes progress unequally, and cells end early.

use crate::properties;
use crate::random::Random;
use crate::simulated::{Kind, tolerance};
use proptest::prelude::*;
use stats::{PRIOR, PairCounts, Rule, StratifiedMean, Unfinished, confidence_sequence, log_e_value};

/// How the pairs of several cells come in.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Progress {
    /// In turn.
    Evenly,
    /// In turn, and a cell ends when its e-value reaches 1000, as in the experiments of docs/thesis.
    EndingEarly,
    /// The first cell has ten pairs for each pair of the others.
    Unevenly,
    /// As [`Progress::Evenly`] until the mean looks good, and then in the first cell only.
    ByResults,
}

/// Whether a mean is so near that of the games that no sequence of 95 % excludes it: its ends are further away than two standard errors, with
/// half a lost and half a won pair more in each cell. This saves most of the computing.
fn is_near(off: f64, variance: f64) -> bool {
    off.abs() < 2.0 * variance.sqrt()
}

/// In how many runs of so many pairs the true mean is ever outside of its sequence of 95 %, if somebody looks at every pair up to the
/// hundredth, and then after every hundredth part of the pairs.
fn ever_outside(kinds: &[Kind], progress: Progress, (runs, pairs): (u32, u64), seed: u64) -> f64 {
    let truth = kinds.iter().map(Kind::rate).sum::<f64>() / kinds.len() as f64;
    let (rule, bound) = (Rule::EValue { alpha: 0.001 }, 20f64.ln());
    let mut random = Random(seed);
    let mut misled = 0;
    for _ in 0..runs {
        let mut cells = vec![PairCounts::default(); kinds.len()];
        let mut has_ended = vec![false; kinds.len()];
        let (mut turn, mut look) = (0, 0);
        for pair in 1..=pairs {
            let good =
                |cells: &[PairCounts]| StratifiedMean::of(cells).is_some_and(|mean| mean.rate > truth + 0.05);
            let at = match progress {
                Progress::Unevenly if !pair.is_multiple_of(10) => 0,
                Progress::ByResults if pair > 20 && good(&cells) => 0,
                _ => {
                    turn = (0..kinds.len())
                        .map(|step| (turn + 1 + step) % kinds.len())
                        .find(|at| !has_ended[*at])
                        .unwrap_or(turn);
                    turn
                }
            };
            if has_ended[at] {
                break;
            }
            cells[at].add(kinds[at].pair(&mut random));
            has_ended[at] =
                progress == Progress::EndingEarly && rule.decide(&cells[at]).expect("a level").is_some();
            if pair >= look
                && let Some(mean) = StratifiedMean::of(&cells)
            {
                look = pair + 1 + pair / 50;
                let is_outside =
                    !is_near(mean.rate - truth, mean.estimate().variance) && mean.log_e_value(truth) >= bound;
                if is_outside {
                    misled += 1;
                    break;
                }
            }
        }
    }
    f64::from(misled) / f64::from(runs)
}

fn kinds(rates: &[f64], bias: f64) -> Vec<Kind> {
    rates.iter().map(|&rate| Kind::with_rate(rate, bias, 0.02)).collect()
}

fn drawn(rates: &[f64], draws: f64) -> Vec<Kind> {
    rates.iter().map(|&rate| Kind::with_rate(rate, 0.5, draws)).collect()
}

/// The mean is wrong at any look in at most 5 % of runs, by Ville's inequality. `print` shows the rates.
fn assert_holds(size: (u32, u64), print: bool) {
    use Progress::{ByResults, EndingEarly, Evenly, Unevenly};
    for (seed, (kinds, progress)) in [
        (kinds(&[0.5], 0.0), Evenly),
        (kinds(&[0.5], 1.0), Evenly),
        (kinds(&[0.9], 0.0), Evenly),
        (kinds(&[0.9; 2], 0.0), Unevenly),
        (kinds(&[0.98, 0.5], 0.0), Unevenly),
        (kinds(&[0.4, 0.5, 0.6], 0.0), ByResults),
        (kinds(&[0.5; 7], 0.0), Evenly),
        (kinds(&[0.5; 7], 1.0), EndingEarly),
        (kinds(&[0.9; 7], 0.0), Evenly),
        (kinds(&[0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], 0.5), EndingEarly),
        (kinds(&[0.9, 0.95, 0.98, 0.97, 0.9, 0.95, 0.9], 0.0), EndingEarly),
        (kinds(&[0.5; 3], 3.0), Evenly),
        (kinds(&[0.9; 2], 2.0), ByResults),
        (drawn(&[0.5; 4], 0.5), Evenly),
        (drawn(&[0.6, 0.75], 0.4), Unevenly),
    ]
    .into_iter()
    .enumerate()
    {
        let found = ever_outside(&kinds, progress, size, 40 + seed as u64);
        if print {
            let rates: Vec<f64> = kinds.iter().map(|kind| (100.0 * kind.rate()).round()).collect();
            eprintln!("{rates:?} {progress:?}: misled in {:.1} % of runs", 100.0 * found);
        }
        assert!(found <= 0.05 + tolerance(0.05, size.0), "{kinds:?}, {progress:?}: {found}");
    }
}

#[test]
fn the_true_mean_leaves_the_sequence_in_at_most_5_percent_of_runs_however_the_cells_progress() {
    assert_holds((100, 300), false);
}

#[test]
#[ignore = "takes minutes: cargo test -p stats --release --test cell -- --ignored --nocapture"]
fn the_true_mean_leaves_the_sequence_in_at_most_5_percent_of_long_runs() {
    assert_holds((1000, 5000), true);
}

/// In how many runs the true difference of two cases is ever outside of its sequence.
fn difference_ever_outside(kinds: [&[Kind]; 2], seed: u64) -> f64 {
    let truth = kinds.map(|kinds| kinds.iter().map(Kind::rate).sum::<f64>() / kinds.len() as f64);
    let (runs, mut misled, mut random) = (60, 0, Random(seed));
    for _ in 0..runs {
        let mut cells = kinds.map(|kinds| vec![PairCounts::default(); kinds.len()]);
        let mut is_outside = false;
        for turn in 1..=150 * kinds[0].len() {
            let at = turn % kinds[0].len();
            for (case, kinds) in kinds.iter().enumerate() {
                cells[case][at].add(kinds[at].pair(&mut random));
            }
            if !turn.is_multiple_of(10) {
                continue;
            }
            let [Some(one), Some(other)] = [0, 1].map(|case| StratifiedMean::of(&cells[case])) else {
                continue;
            };
            let difference = truth[0] - truth[1];
            let variance = one.estimate().variance + other.estimate().variance;
            if is_near(one.rate - other.rate - difference, variance) {
                continue;
            }
            let (low, high) = one.difference_sequence(&other, 0.95).expect("inside");
            is_outside |= difference < low || difference > high;
        }
        misled += u32::from(is_outside);
    }
    f64::from(misled) / f64::from(runs)
}

#[test]
fn the_true_difference_of_two_cases_leaves_its_sequence_in_at_most_5_percent_of_runs() {
    for (seed, [one, other]) in [
        [kinds(&[0.5; 2], 0.5), kinds(&[0.5; 2], 0.5)],
        [kinds(&[0.6, 0.7, 0.8], 0.5), kinds(&[0.3, 0.4, 0.5], 0.5)],
        [kinds(&[0.95; 3], 0.5), kinds(&[0.9; 3], 0.5)],
    ]
    .into_iter()
    .enumerate()
    {
        let found = difference_ever_outside([&one, &other], 60 + seed as u64);
        assert!(found <= 0.05 + tolerance(0.05, 60), "{one:?} against {other:?}: {found}");
    }
}

fn counts() -> impl Strategy<Value = PairCounts> {
    // Cells of all lengths, and cells in which many results never occur.
    let count = prop_oneof![3 => Just(0_u64), 3 => 0_u64..5, 3 => 0_u64..60, 1 => 0_u64..700];
    prop::array::uniform6(count)
        .prop_filter_map("pairs", |counts| Some(PairCounts::from(counts)).filter(|counts| counts.pairs() > 0))
}

fn mirrored(cell: &PairCounts) -> PairCounts {
    properties::mirrored((*cell).into()).into()
}

fn sequence(cells: &[PairCounts]) -> (f64, f64) {
    StratifiedMean::of(cells).expect("pairs").sequence(0.95).expect("inside")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_mean_over_one_size_has_the_sequence_of_its_cell(cell in counts(), mean in 0.001..0.999) {
        let (points, games) = (cell.points(), 2.0 * cell.pairs() as f64);
        let (low, high) = confidence_sequence(points, games, 0.95, PRIOR).expect("inside");
        let found = sequence(&[cell]);
        prop_assert!((found.0 - low).abs() < 1e-7 && (found.1 - high).abs() < 1e-7, "{found:?} is not {low} to {high}");
        let expected = log_e_value(points, games, mean, PRIOR);
        let found = StratifiedMean::of(&[cell]).expect("pairs").log_e_value(mean);
        prop_assert!((found - expected).abs() < 1e-7 * (1.0 + expected.abs()), "{found} is not {expected}");
    }

    #[test]
    fn a_sequence_contains_its_estimate_and_nothing_beyond_its_ends(
        cells in prop::collection::vec(counts(), 1..=7), beyond in 0.0..1.0_f64,
    ) {
        let mean = StratifiedMean::of(&cells).expect("pairs");
        let (low, high) = mean.sequence(0.95).expect("inside");
        prop_assert!(0.0 <= low && low <= mean.rate && mean.rate <= high && high <= 1.0, "{low} {mean:?} {high}");
        for (end, other) in [(low, low * beyond), (high, 1.0 - (1.0 - high) * beyond)] {
            if (end - other).abs() > 1e-6 && other > 1e-9 && other < 1.0 - 1e-9 {
                prop_assert!(mean.log_e_value(other) > 20f64.ln() - 1e-3, "{other} beyond {low} to {high}");
            }
        }
        for inside in [low + (mean.rate - low) * beyond, high - (high - mean.rate) * beyond] {
            if inside > 1e-9 && inside < 1.0 - 1e-9 {
                prop_assert!(mean.log_e_value(inside) < 20f64.ln() + 1e-3, "{inside} inside {low} to {high}");
            }
        }
    }

    #[test]
    fn the_opponent_has_the_mirrored_sequence(cells in prop::collection::vec(counts(), 1..=7), mean in 0.01..0.99) {
        let others: Vec<PairCounts> = cells.iter().map(mirrored).collect();
        let ((low, high), (other_low, other_high)) = (sequence(&cells), sequence(&others));
        prop_assert!((low - (1.0 - other_high)).abs() < 1e-6 && (high - (1.0 - other_low)).abs() < 1e-6);
        let log = |cells: &[PairCounts], mean| StratifiedMean::of(cells).expect("pairs").log_e_value(mean);
        let (one, other) = (log(&cells, mean), log(&others, 1.0 - mean));
        prop_assert!((one - other).abs() < 1e-5 * (1.0 + one.abs()), "{one} and {other}");
    }

    /// A pair with more points, or a won pair more, whatever the numbers of pairs and the weights of the cells. The ends are found to 1e-8.
    #[test]
    fn more_wins_lower_no_end(
        cells in prop::collection::vec((counts(), 0.2..5.0_f64), 1..=7), place in 0_usize..7, kind in 0_usize..40,
    ) {
        let of = |cells: &[(PairCounts, f64)]| {
            StratifiedMean::weighted(cells.iter().copied()).expect("pairs").sequence(0.95).expect("inside")
        };
        let mut better = cells.clone();
        let cell = &mut better[place % cells.len()].0;
        let all = properties::better((*cell).into());
        *cell = all[kind % all.len()].into();
        let ((low, high), (better_low, better_high)) = (of(&cells), of(&better));
        prop_assert!(better_low >= low - 1e-7 && better_high >= high - 1e-7, "{low} {high}: {better_low} {better_high}");
    }

    /// A pair moves an end by no more than the mean of its cell may move, with the weight of the cell, and widens the sequence by little.
    #[test]
    fn one_more_pair_makes_no_jump(
        cells in prop::collection::vec(counts(), 1..=7), place in 0_usize..7, category in 0_usize..6,
    ) {
        let (low, high) = sequence(&cells);
        let mut more = cells.clone();
        let cell = &mut more[place % cells.len()];
        cell.add(category);
        let room = 2.5 / cell.pairs() as f64;
        let (more_low, more_high) = sequence(&more);
        prop_assert!((more_low - low).abs() < room && (more_high - high).abs() < room, "{low} to {high}: {more_low} to {more_high}");
    }

    /// However the missing games end, what is said before is not stronger than what is said then.
    #[test]
    fn missing_games_weaken_the_sequence(
        cells in prop::collection::vec((counts(), 0_u64..6), 1..=4), ends in prop::collection::vec(0_usize..6, 24), mean in 0.01..0.99,
    ) {
        let begun = cells.iter().map(|(cell, pairs)| (*cell, Unfinished { pairs: *pairs, games: [0; 3] }, 1.0));
        let begun = StratifiedMean::begun(begun).expect("pairs");
        let mut ends = ends.into_iter();
        let ended: Vec<PairCounts> = cells
            .iter()
            .map(|(cell, pairs)| {
                let mut all = *cell;
                ends.by_ref().take(*pairs as usize).for_each(|end| all.add(end));
                all
            })
            .collect();
        let ((low, high), (end_low, end_high)) = (begun.sequence(0.95).expect("inside"), sequence(&ended));
        prop_assert!(low <= end_low + 1e-7 && end_high <= high + 1e-7, "{low} to {high}, and then {end_low} to {end_high}");
        let evidence = |mean_of: &StratifiedMean| mean_of.log_e_value(mean).max(0.0);
        let (before, then) = (evidence(&begun), evidence(&StratifiedMean::of(&ended).expect("pairs")));
        prop_assert!(before <= then + 1e-5 * (1.0 + then), "{before} and then {then}");
    }
}

#[test]
fn one_more_pair_of_hundred_narrows_the_sequence() {
    let width = |counts: [u64; 6]| {
        let (low, high) = sequence(&[counts.into()]);
        high - low
    };
    let mut counts = [33, 0, 33, 0, 0, 33];
    for category in [0, 2, 5].into_iter().cycle().take(60) {
        let before = width(counts);
        counts[category] += 1;
        assert!(width(counts) < before, "{counts:?}");
    }
}

/// The half-width of a normal interval that holds at all looks is about 3.5 standard errors at some hundred pairs. The first move makes the
/// scores of pairs vary less than games, and the sequence follows.
#[test]
fn sequences_are_as_narrow_as_the_scores_of_pairs_allow() {
    for (cells, most) in [
        (vec![[25, 0, 50, 0, 0, 25_u64]; 7], 4.0),
        (vec![[10, 0, 80, 0, 0, 10]; 7], 4.0),
        (vec![[10, 20, 20, 20, 20, 10]; 3], 4.0),
        // A size that is far behind the others.
        (vec![[250, 0, 500, 0, 0, 250], [25, 0, 50, 0, 0, 25]], 4.5),
    ] {
        let cells: Vec<PairCounts> = cells.into_iter().map(PairCounts::from).collect();
        let mean = StratifiedMean::of(&cells).expect("pairs");
        let (low, high) = mean.sequence(0.95).expect("inside");
        let errors = (high - low) / 2.0 / mean.estimate().variance.sqrt();
        assert!(errors > 2.5 && errors < most, "{cells:?}: {errors} standard errors");
    }
}

#[test]
fn a_size_without_pairs_leaves_the_mean_unknown() {
    let cell = PairCounts::from([1, 2, 3, 4, 5, 6]);
    assert!(StratifiedMean::of(&[cell, PairCounts::default()]).is_none());
    assert!(StratifiedMean::of(&[]).is_none());
    assert!(StratifiedMean::weighted([(cell, 0.0)]).is_none());
}
