//! What holds for the numbers of every cell: they mirror, they do not fall with a win, they agree on every scale, and one pair moves them little.

use proptest::prelude::*;
use stats::*;

/// Counts of up to some thousand pairs. Half of the kinds are missing, or rare.
pub(crate) fn cells() -> impl Strategy<Value = [u64; 6]> {
    let count = prop_oneof![4 => Just(0_u64), 2 => 1_u64..4, 2 => 0_u64..60, 1 => 0_u64..1500];
    prop::array::uniform6(count).prop_filter("a pair", |counts| counts.iter().sum::<u64>() > 0)
}

fn of(counts: [u64; 6]) -> Summary {
    summary(&counts.into(), 0.95).expect("pairs")
}

pub(crate) fn mirrored([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> [u64; 6] {
    [ww, wd, wl, dd, ld, ll]
}

/// Half-points of a pair, in the order of the counts.
const SCORES: [u64; 6] = [0, 1, 2, 2, 3, 4];

/// Every cell in which one pair has more points, and those with a pair more that was won.
pub(crate) fn better(counts: [u64; 6]) -> Vec<[u64; 6]> {
    let mut found = vec![counts];
    found[0][5] += 1;
    for (from, to) in (0..6).flat_map(|from| (0..6).map(move |to| (from, to))) {
        if counts[from] > 0 && SCORES[to] > SCORES[from] {
            let mut next = counts;
            next[from] -= 1;
            next[to] += 1;
            found.push(next);
        }
    }
    found
}

/// Infinite where a rate is 0 or 1.
fn low(end: Option<f64>) -> f64 {
    end.unwrap_or(f64::NEG_INFINITY)
}

fn high(end: Option<f64>) -> f64 {
    end.unwrap_or(f64::INFINITY)
}

/// The numbers that say how strong a case is, by name; all rise with strength.
fn numbers(cell: &Summary) -> [(&'static str, f64); 10] {
    [
        ("rate", cell.rate),
        ("low", cell.low),
        ("high", cell.high),
        ("cs_low", cell.cs_low),
        ("cs_high", cell.cs_high),
        ("los", cell.superiority),
        ("elo_low", low(cell.elo_low)),
        ("elo_high", high(cell.elo_high)),
        ("cs_elo_low", low(cell.cs_elo_low)),
        ("cs_elo_high", high(cell.cs_elo_high)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_opponent_has_the_mirrored_numbers(counts in cells()) {
        let (a, b) = (of(counts), of(mirrored(counts)));
        let close = |x: f64, y: f64| (x - y).abs() < 1e-9 * (1.0 + x.abs());
        for (x, y) in [(a.rate, b.rate), (a.low, b.high), (a.high, b.low), (a.cs_low, b.cs_high), (a.superiority, b.superiority)] {
            prop_assert!(close(x, 1.0 - y), "{x} {y}");
        }
        for (x, y) in [
            (a.elo, b.elo), (a.elo_low, b.elo_high), (a.cs_elo_low, b.cs_elo_high), (a.normalised_elo, b.normalised_elo),
            (a.normalised_elo_low, b.normalised_elo_high), (a.cs_normalised_elo_low, b.cs_normalised_elo_high),
        ] {
            prop_assert_eq!(x.is_some(), y.is_some());
            let (x, y) = (x.unwrap_or(0.0), y.unwrap_or(0.0));
            // Close to a rate of 1, a rate has too few digits to tell them apart.
            prop_assert!((x + y).abs() < 1e-5 * (1.0 + x.abs()) || x.abs().min(y.abs()) > 1e5, "{x} {y}");
        }
        prop_assert!(close(a.log_e_value, b.log_e_value) && close(a.design_effect, b.design_effect));
    }

    #[test]
    fn more_points_lower_nothing(counts in cells()) {
        let cell = of(counts);
        for next in better(counts) {
            for ((name, before), (_, after)) in numbers(&cell).into_iter().zip(numbers(&of(next))) {
                // The difference of two infinite ends is no number.
                prop_assert!(after == before || after >= before - 1e-7 * (1.0 + before.abs()), "{name} fell from {before} to {after}: {counts:?} {next:?}");
            }
        }
    }

    #[test]
    fn intervals_contain_their_estimates_and_all_scales_have_one_sign(counts in cells()) {
        let cell = of(counts);
        let even = |rate: f64, elo: Option<f64>| match elo {
            Some(elo) if (rate - 0.5).abs() > 1e-9 => (rate > 0.5) == (elo > 0.0),
            Some(elo) => elo.abs() < 1e-3,
            None => rate <= 0.0 || rate >= 1.0,
        };
        for (low_end, high_end, elo, normalised) in [
            (cell.low, cell.high, (cell.elo_low, cell.elo_high), (cell.normalised_elo_low, cell.normalised_elo_high)),
            (cell.cs_low, cell.cs_high, (cell.cs_elo_low, cell.cs_elo_high), (cell.cs_normalised_elo_low, cell.cs_normalised_elo_high)),
        ] {
            prop_assert!(0.0 <= low_end && low_end <= cell.rate + 1e-12 && cell.rate <= high_end + 1e-12 && high_end <= 1.0);
            prop_assert!(even(low_end, elo.0) && even(high_end, elo.1), "{cell:?}");
            prop_assert!(even(low_end, normalised.0) && even(high_end, normalised.1), "{cell:?}");
            if let Some(elo) = cell.normalised_elo {
                let near = 1e-9 * (1.0 + elo.abs());
                prop_assert!(low(normalised.0) <= elo + near && elo <= high(normalised.1) + near, "{cell:?}");
            }
        }
        prop_assert!(even(cell.rate, cell.elo) && even(cell.rate, cell.normalised_elo), "{cell:?}");
        prop_assert!((0.0..=1.0).contains(&cell.superiority) && even(cell.rate, Some(cell.superiority - 0.5)) || cell.superiority == 0.5, "{cell:?}");
    }

    /// A pair moves the rate by at most 1/(N + 1), and the root of the sum of squared distances by at most 1, which z standard errors follow.
    #[test]
    fn one_pair_moves_an_end_little(counts in cells(), category in 0_usize..6) {
        let mut more = counts;
        more[category] += 1;
        let (before, after) = (of(counts), of(more));
        let most = (1.0 + 2.0 * 1.96 + 1.0) / more.iter().sum::<u64>() as f64;
        for (a, b) in [(before.low, after.low), (before.high, after.high)] {
            prop_assert!((a - b).abs() <= most, "{a} {b}: {counts:?} {more:?}");
        }
        // Of k pairs that do not score ½, one moves the ratio of their sum to its error by 3/√k at most, and a chance by 0.4 times that.
        let apart = more.iter().sum::<u64>() - more[2] - more[3];
        prop_assert!((before.superiority - after.superiority).abs() <= 1.2 / (apart as f64).sqrt(), "{} {}: {counts:?} {more:?}", before.superiority, after.superiority);
    }

    /// The normal error mirrors, is finite where both of its ends are rates, and agrees with the interval on which side of ½ the rate is. It is no
    /// smaller than half of the interval but for the pull of Wilson's centre and the shrinkage of the variance of few pairs.
    #[test]
    fn normal_errors_agree_with_the_intervals(counts in cells()) {
        let (cell, other) = (of(counts), of(mirrored(counts)));
        for (value, error, other) in [
            (cell.elo, cell.elo_error, other.elo_error),
            (cell.normalised_elo, cell.normalised_elo_error, other.normalised_elo_error),
        ] {
            prop_assert_eq!(error.is_some(), other.is_some());
            let Some(((value, error), other)) = value.zip(error).zip(other) else { continue };
            prop_assert!(error > 0.0 && (error - other).abs() < 1e-5 * (1.0 + error), "{error} {other}");
            let contains_half = cell.low <= 0.5 && cell.high >= 0.5;
            prop_assert!(!contains_half || error >= value.abs() - 1e-6 * (1.0 + error), "{cell:?}");
        }
    }

    /// Around 75 pairs the variance of the superiority changes, where one more won pair must raise it all the same.
    #[test]
    fn superiority_rises_with_wins_at_every_number_of_pairs(pairs in 60_u64..110, parts in prop::array::uniform5(0_u64..6)) {
        let all = parts.iter().sum::<u64>().max(1);
        let [ll, ld, wl, wd, _] = parts.map(|part| part * pairs / all);
        let counts = [ll, ld, wl, 0, wd, pairs - ll - ld - wl - wd];
        let los = of(counts).superiority;
        for next in better(counts) {
            prop_assert!(of(next).superiority >= los - 1e-12, "{los} {}: {counts:?} {next:?}", of(next).superiority);
        }
    }
}

/// Rules that may end after three pairs.
fn short_rules() -> [Rule; 3] {
    let wide = Sprt::new(Hypotheses::Elo(0.0, 400.0), 0.05, 0.05).expect("a test");
    let width = Rule::HalfWidth { half_width: 0.3, interval: Interval::Wilson, confidence: 0.95 };
    [Rule::Sprt(wide), Rule::EValue { alpha: 0.2 }, width]
}

/// All cells of up to three pairs: none is better by the sequence, by an interval or by a normal error, and a superiority of 95 % needs an exact
/// test of 5 %.
#[test]
fn few_pairs_claim_no_more_than_an_exact_test() {
    let mut cells = vec![[0_u64; 6]];
    for _ in 0..3 {
        cells = cells
            .iter()
            .flat_map(|cell| {
                (0..6).map(move |kind| {
                    let mut next = *cell;
                    next[kind] += 1;
                    next
                })
            })
            .collect();
        for counts in &cells {
            let cell = of(*counts);
            assert_eq!(verdict(&cell, None), Verdict::Open, "{counts:?}");
            let [wins, _, losses] = PairCounts::from(*counts).games().map(|games| games as u32);
            let all = wins + losses;
            let chance = |k: u32| {
                (0..k).fold(1.0, |c, i| c * f64::from(all - i) / f64::from(i + 1)) / 2f64.powi(all as i32)
            };
            let exact = (wins..=all).map(chance).sum::<f64>();
            assert!(
                cell.superiority <= 0.95 || exact <= 0.05,
                "{counts:?}: {} and {exact}",
                cell.superiority
            );
            assert!(cell.low <= 0.5 && cell.high >= 0.5, "{cell:?}");
            for (value, error) in
                [(cell.elo, cell.elo_error), (cell.normalised_elo, cell.normalised_elo_error)]
            {
                let claims = value.zip(error).is_some_and(|(value, error)| error < value.abs() - 1e-9);
                assert!(!claims, "{cell:?}");
            }
            for rule in short_rules() {
                let estimate =
                    rule.estimate(&PairCounts::from(*counts), 0.95).expect("a rule").expect("pairs");
                assert!(estimate.low <= 0.5 && estimate.high >= 0.5, "{rule:?} {counts:?}: {estimate:?}");
            }
        }
    }
}

/// The shown inputs, and their neighbours.
#[test]
fn intervals_do_not_jump_from_drawn_games_to_one_won_game() {
    let (drawn, one) = (of([0, 0, 0, 100, 0, 0]), of([0, 0, 0, 99, 1, 0]));
    assert!(
        (drawn.low - one.low).abs() < 0.006 && (drawn.high - one.high).abs() < 0.006,
        "{drawn:?} {one:?}"
    );
    let lost = of([50, 3, 2, 0, 0, 0]);
    assert!(lost.cs_high < 0.13 && lost.cs_normalised_elo_high.is_some_and(|elo| elo < -100.0), "{lost:?}");
}
