//! Claims about many cells.

use super::random::Random;
use super::reference::{assert_all_close, column, number, value};
use stats::*;

#[test]
fn corrected_p_values_equal_the_reference() {
    let given = value("multiple_comparisons");
    let p_values = column(&given["p_values"]);
    let adjusted = benjamini_hochberg(&p_values);
    assert_all_close(&adjusted, &column(&given["fdr_bh"]["adjusted"]), "Benjamini-Hochberg");
    let claims = adjusted.iter().filter(|p| **p <= number(&given["alpha"])).count();
    assert_eq!(Some(claims as u64), given["fdr_bh"]["rejected"].as_u64());
    let example = &given["bh1995_example"];
    let p_values = column(&example["p_values"]);
    let adjusted = benjamini_hochberg(&p_values);
    assert_all_close(&adjusted, &column(&example["bh_adjusted"]), "Benjamini and Hochberg (1995)");
    let claims = |adjusted: Vec<f64>| adjusted.iter().filter(|p| **p <= 0.05).count() as u64;
    assert_eq!(Some(claims(benjamini_hochberg(&p_values))), example["bh_rejected"].as_u64());
}

#[test]
fn claims_by_e_values_equal_the_reference() {
    let given = value("multiple_comparisons");
    let ln_e: Vec<f64> = column(&given["e_values"]).iter().map(|e| e.ln()).collect();
    for (alpha, key) in [(0.05, "e_bh_rejected_alpha_.05"), (0.10, "e_bh_rejected_alpha_.10")] {
        let claims = e_bh(&ln_e, alpha);
        let number = given[key].as_u64().expect("a number") as usize;
        assert_eq!(claims, (0..ln_e.len()).map(|i| i < number).collect::<Vec<_>>(), "the largest come first");
    }
    assert_eq!(e_bh(&[], 0.05), [] as [bool; 0]);
    // Exactly at the limit, whatever the rounding of logarithms: 3 claims need 3·e >= 3/0.05.
    assert_eq!(e_bh(&[20f64.ln(); 3], 0.05), [true; 3]);
    assert_eq!(e_bh(&[f64::NEG_INFINITY, 800.0], 0.05), [false, true], "beyond what a double holds");
}

/// Eight equal cases: each of them is a best one. The one that scored most is compared with the first one, as if it had been chosen
/// beforehand.
#[test]
fn a_best_case_is_rarely_given_up_though_the_games_chose_what_it_is_compared_with() {
    let mut random = Random(22);
    let runs = 20_000;
    let (mut given_up, mut naive) = (0, 0);
    for _ in 0..runs {
        let scores: [f64; 8] = std::array::from_fn(|_| random.normal());
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let p_value = 2.0 * probability_below((scores[0] - most) / 2f64.sqrt());
        naive += i32::from(p_value <= 0.05);
        given_up += i32::from(most > scores[0] && best_p_value(p_value, true, 8) <= 0.05);
    }
    let share = |count: i32| f64::from(count) / f64::from(runs);
    assert!((0.02..0.05).contains(&share(given_up)), "{}", share(given_up));
    assert!(share(naive) > 0.1, "{}", share(naive));
    assert_eq!((best_p_value(0.04, true, 2), best_p_value(0.04, false, 2)), (0.02, 0.98));
}

/// 40 cells watched until a fixed end: a quarter of them with an effect. Of the claims at the end by Benjamini-Hochberg, at
/// most 5 % are false on average.
#[test]
fn benjamini_hochberg_keeps_the_false_discovery_rate() {
    let mut random = Random(21);
    let runs = 4_000;
    let (mut false_fractions, mut squares, mut found) = (0.0, 0.0, 0);
    for _ in 0..runs {
        let p_values: Vec<f64> = (0..40)
            .map(|cell| random.normal() + if cell < 10 { 3.0 } else { 0.0 })
            .map(|z| 2.0 * probability_below(-z.abs()))
            .collect();
        let claims: Vec<usize> = benjamini_hochberg(&p_values)
            .iter()
            .enumerate()
            .filter(|(_, p)| **p <= 0.05)
            .map(|(i, _)| i)
            .collect();
        let wrong = claims.iter().filter(|cell| **cell >= 10).count() as f64 / claims.len().max(1) as f64;
        false_fractions += wrong;
        squares += wrong * wrong;
        found += claims.iter().filter(|cell| **cell < 10).count();
    }
    let rate = false_fractions / f64::from(runs);
    let error = ((squares / f64::from(runs) - rate * rate) / f64::from(runs)).sqrt();
    // For independent p-values the rate is exactly 5 % times the fraction of cells without effect, 3.75 %.
    assert!((rate - 0.0375).abs() < 4.0 * error, "{rate} ± {error}");
    assert!(found > 10_000, "the procedure finds effects: {found}");
}
