//! Which case is the best, and how to find it.

use super::reference::{assert_all, assert_all_close, column, rows, value};
use stats::*;

#[test]
fn probabilities_to_be_the_best_equal_the_reference() {
    for row in rows("prob_best_ttts") {
        let chances = prob_best(&column(&row["means"]), &column(&row["se"]));
        let played = top_two(&chances, 0.5);
        // The reference has 7 digits.
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() <= 1e-6 * expected.max(0.1), "{found} instead of {expected}");
        };
        assert_all(&chances, &column(&row["prob_best"]), near);
        assert_all(&played, &column(&row["ttts_beta_half_selection_prob"]), near);
    }
}

#[test]
fn probabilities_to_be_the_best_are_known_for_two_cases_and_for_equal_ones() {
    for (a, b) in [((0.55, 0.02), (0.5, 0.03)), ((0.5, 1e-4), (0.501, 0.2)), ((0.5, 0.0), (0.5, 0.1))] {
        let chances = prob_best(&[a.0, b.0], &[a.1, b.1]);
        let expected = probability_below((a.0 - b.0) / f64::hypot(a.1, b.1));
        assert!((chances[0] - expected).abs() < 1e-9, "{a:?} {b:?}: {} instead of {expected}", chances[0]);
    }
    for cases in [1, 2, 7, 300] {
        for chance in prob_best(&vec![0.5; cases], &vec![0.01; cases]) {
            assert!((chance * cases as f64 - 1.0).abs() < 1e-9, "{cases}: {chance}");
        }
    }
    assert_eq!(prob_best(&[], &[]), [] as [f64; 0]);
    let certain = prob_best(&[0.9, 0.1], &[1e-3; 2]);
    assert_eq!((certain[0], top_two(&certain, 0.5)[0]), (1.0, 1.0));
}

#[test]
fn allocations_equal_the_reference() {
    for row in rows("ocba") {
        let fractions = ocba(&column(&row["means"]), &column(&row["sds"]));
        assert_all_close(&fractions, &column(&row["fractions"]), "fraction");
    }
    for row in rows("sequential_halving") {
        let [cases, budget, eta] =
            ["n", "budget_pairs", "eta"].map(|key| row[key].as_u64().expect("a count"));
        let found: Vec<[u64; 2]> =
            halving(cases, budget, eta).iter().map(|round| [round.cases, round.pairs_each]).collect();
        let round =
            |row: &serde_json::Value| ["arms", "pairs_each"].map(|key| row[key].as_u64().expect("a count"));
        assert_eq!(found, row["rounds"].as_array().expect("rounds").iter().map(round).collect::<Vec<_>>());
    }
    assert_eq!(ocba(&[0.5], &[0.5]), [1.0]);
    assert_eq!(ocba(&[], &[]), [] as [f64; 0]);
    assert_eq!((halving(1, 100, 2), halving(9, 100, 1)), (vec![], vec![]));
}

#[test]
fn the_best_of_equal_cases_promises_what_the_reference_says() {
    let given = value("winners_curse");
    let cases = given["cases"].as_u64().expect("a count") as usize;
    let games = column(&given["games_each"]);
    let luck = |cases: usize, deviation: f64| {
        luck_of_the_best(&vec![RateEstimate { rate: 0.5, variance: deviation * deviation }; cases])
    };
    let found: Vec<f64> = games.iter().map(|games| 0.5 + luck(cases, 0.5 / games.sqrt())).collect();
    assert_all(&found, &column(&given["expected_max_observed"]), |found, expected| {
        assert!((found - expected).abs() < 1e-6, "{found} instead of {expected}");
    });
    // Known: 0, 1/√π and 3/(2√π) (David and Nagaraja).
    for (cases, expected) in [(0, 0.0), (1, 0.0), (2, 0.564_189_583_5), (3, 0.846_284_375_3)] {
        assert!((luck(cases, 0.01) - 0.01 * expected).abs() < 1e-8, "{cases}");
    }
    // Of two errors of different size, the difference counts: √((σ² + τ²)/2π).
    let two = [0.03, 0.01].map(|deviation: f64| RateEstimate { rate: 0.5, variance: deviation.powi(2) });
    let expected = (0.001_f64 / std::f64::consts::TAU).sqrt();
    assert!((luck_of_the_best(&two) - expected).abs() < 1e-7, "{} {expected}", luck_of_the_best(&two));
}

#[test]
fn cases_that_another_one_beats_beyond_doubt_are_not_the_best() {
    let of = |rates: &[f64], deviation: f64, pairs: f64| {
        let rate = |rate: &f64| (RateEstimate { rate: *rate, variance: deviation * deviation }, pairs);
        may_be_best(&rates.iter().map(rate).collect::<Vec<_>>(), 0.95)
    };
    assert_eq!(of(&[0.6, 0.5, 0.58], 0.02, 500.0), [true, false, true]);
    // With two cases, 1.645·√2 deviations are needed; with eleven, 2.576·√2.
    assert_eq!(of(&[0.55, 0.5], 0.021, 500.0), [true, false]);
    assert_eq!(of(&[0.55, 0.5], 0.022, 500.0), [true, true]);
    let many: Vec<f64> = std::iter::once(0.55).chain([0.5; 10]).collect();
    assert_eq!(of(&many, 0.0137, 500.0).iter().filter(|may| **may).count(), 1);
    assert_eq!(of(&many, 0.0138, 500.0).iter().filter(|may| **may).count(), 11);
    // Two pairs of each can be dealt in six ways: no test of one in twenty can tell them apart.
    assert_eq!(of(&[1.0, 0.0], 0.02, 2.0), [true, true]);
    assert_eq!(of(&[1.0, 0.0], 0.02, 3.0), [true, false]);
    assert_eq!(of(&[0.3], 0.02, 2.0), [true]);
}
