//! Intervals, confidence sequences, e-values and conversions against the reference values.

use crate::reference::{assert_close, column, number, rows};
use proptest::prelude::*;
use serde_json::Value;
use stats::*;

fn assert_ends(found: (f64, f64), expected: &Value, what: &str) {
    let expected = column(expected);
    for (found, expected) in [found.0, found.1].into_iter().zip(expected) {
        assert!(
            (found - expected).abs() <= 1e-8 * expected.abs() + 1e-12,
            "{found} instead of {expected}: {what}"
        );
    }
}

#[test]
fn binomial_intervals_equal_the_reference() {
    for row in rows("binomial_intervals") {
        let (wins, games) = (number(&row["wins"]), number(&row["n"]));
        let (losses, confidence) = (games - wins, 1.0 - number(&row["alpha"]));
        let what = row.to_string();
        assert_ends(jeffreys(wins, losses, confidence).expect("inside"), &row["jeffreys"], &what);
        assert_ends(
            clopper_pearson(wins, losses, confidence).expect("inside"),
            &row["clopper_pearson"],
            &what,
        );
        assert_ends(agresti_coull(wins, losses, confidence).expect("inside"), &row["agresti_coull"], &what);
    }
    for wrong in [0.0, 1.0, f64::NAN] {
        assert!(jeffreys(1.0, 2.0, wrong).is_err() && agresti_coull(1.0, 2.0, wrong).is_err());
        assert!(clopper_pearson(0.0, 0.0, wrong).is_err());
    }
}

#[test]
fn differences_equal_the_reference() {
    let z = quantile(0.975).expect("inside");
    for row in rows("difference_newcombe") {
        let arm = |wins: &str, games: &str| {
            let (wins, games) = (number(&row[wins]), number(&row[games]));
            let (low, high) = wilson(wins / games, 0.0, games, z);
            (low, wins / games, high)
        };
        assert_ends(newcombe(arm("w1", "n1"), arm("w2", "n2")), &row["newcombe_hybrid"], &row.to_string());
    }
}

#[test]
fn confidence_sequences_and_e_values_equal_the_reference() {
    for row in rows("confidence_sequences_games") {
        let (points, games, confidence) =
            (number(&row["score_sum"]), number(&row["games"]), 1.0 - number(&row["alpha"]));
        for (prior, key) in
            [(0.5, "betabin_a0.5"), (1.0, "betabin_a1"), (2.0, "betabin_a2"), (5.0, "betabin_a5")]
        {
            let found = confidence_sequence(points, games, confidence, prior).expect("inside");
            assert_ends(found, &row[key], &row.to_string());
        }
        let found = log_e_value(points, games, 0.5, PRIOR);
        assert_close(found, number(&row["log_evalue_H_p=0.5_a1"]), &row.to_string());
    }
    assert_eq!(confidence_sequence(0.0, 0.0, 0.95, PRIOR), Ok((0.0, 1.0)));
    assert!(confidence_sequence(1.0, 2.0, 1.0, PRIOR).is_err());
    assert_eq!(log_e_value(1.0, 2.0, 0.0, PRIOR), f64::INFINITY, "a rate of 0 allows no point");
}

#[test]
fn sequences_of_pairs_equal_the_reference() {
    for row in rows("pair_scores") {
        let [ll, ld, mid, wd, ww] = column(&row["penta_LL_LD_MID_WD_WW"])[..] else { panic!("five counts") };
        let counts = PairCounts::from([ll, ld, mid, 0.0, wd, ww].map(|count| count as u64));
        let (moments, what) = (counts.moments().expect("pairs"), row.to_string());
        assert_close(moments.pair_variance, number(&row["var_pair_population"]), &what);
        assert_close(moments.standard_error(), number(&row["se_score"]), &what);
        let summary = summary(&counts, 0.95).expect("pairs");
        assert_ends((summary.cs_low, summary.cs_high), &row["betabin_cs95_a1"], &what);
        let asymptotic =
            asymptotic_sequence(moments.rate, moments.pair_variance, moments.pairs, ASYMPTOTIC_OPTIMUM, 0.95);
        assert_ends(asymptotic.expect("inside").expect("pairs"), &row["asymp_cs95_nopt200"], &what);
        // The ends of the Dirichlet sequence are the rates whose e-value is 20.
        for end in column(&row["dirichlet_half_cs95"]) {
            let log_e = dirichlet_log_e_value(&counts.by_score(), end, 0.5).expect("a solution");
            assert!((log_e - 20f64.ln()).abs() < 1e-4, "{log_e} at {end}: {what}");
        }
    }
    for row in rows("asymp_cs") {
        let (mean, deviation) = (number(&row["mean"]), number(&row["sd_pair"]));
        let (pairs, optimum) = (number(&row["pairs"]), number(&row["n_opt"]));
        let found =
            asymptotic_sequence(mean, deviation * deviation, pairs, optimum, 1.0 - number(&row["alpha"]));
        assert_ends(found.expect("inside").expect("pairs"), &row["cs"], &row.to_string());
    }
}

#[test]
fn dirichlet_e_values_and_constrained_likelihoods_equal_the_reference() {
    for row in rows("dirichlet_evalue") {
        let counts: [f64; 5] = column(&row["counts"]).try_into().expect("five counts");
        let prior = number(&row["alpha"][0]);
        let found = dirichlet_log_e_value(&counts, number(&row["mu"]), prior).expect("a solution");
        assert_close(found, number(&row["log_e"]), &row.to_string());
    }
    for row in rows("constrained_mle") {
        let (counts, mean) = (column(&row["counts"]), number(&row["mean"]));
        let expected = column(&row["fishtest_MLE_p"]);
        let (found, likelihood) = if let Ok(counts) = <[f64; 5]>::try_from(counts.clone()) {
            (constrained(&counts, mean).expect("inside").to_vec(), log_likelihood(&counts, mean))
        } else {
            let counts: [f64; 3] = counts.try_into().expect("three counts");
            (constrained(&counts, mean).expect("inside").to_vec(), log_likelihood(&counts, mean))
        };
        for (found, expected) in found.into_iter().zip(expected) {
            assert!(
                (found - expected).abs() <= 1e-8 * expected + 1e-12,
                "{found} instead of {expected}: {row}"
            );
        }
        assert_close(
            likelihood.expect("a solution"),
            number(&row["exact_constrained_loglik_unregularised"]),
            &row.to_string(),
        );
    }
    assert_eq!(log_likelihood(&[0.0, 1.0, 2.0], 0.0), Ok(f64::NEG_INFINITY));
    assert_eq!(log_likelihood(&[0.0, 0.0, 2.0], 1.0), Ok(0.0));
    assert!(constrained(&[1.0, 1.0, 1.0], 1.0).is_err() && constrained(&[1.0, f64::NAN, 1.0], 0.5).is_err());
    assert!(llr_of_normalised_elo(&[1.0, 1.0, 1.0], f64::NAN, 1.0).is_err());
}

#[test]
fn elo_normalised_elo_and_superiority_equal_those_of_fastchess() {
    let mut pentanomial = 0;
    for row in rows("fastchess_elo") {
        let Some(counts) = row.get("LL_LD_WL_DD_WD_WW") else { continue };
        pentanomial += 1;
        let counts: [u64; 6] =
            column(counts).into_iter().map(|count| count as u64).collect::<Vec<_>>().try_into().expect("six");
        let (summary, value, what) =
            (summary(&counts.into(), 0.95).expect("pairs"), &row["value"], row.to_string());
        assert_close(summary.rate, number(&value["score"]), &what);
        assert_close(summary.elo.expect("finite"), number(&value["elo"]), &what);
        assert_close(summary.elo_error.expect("finite"), number(&value["elo_err"]), &what);
        assert_close(summary.normalised_elo.expect("finite"), number(&value["nelo"]), &what);
        // That of fastchess takes the deviation for the same at all rates.
        let ratio = summary.normalised_elo_error.expect("finite") / number(&value["nelo_err"]);
        assert!((1.0 - 1e-8..1.2).contains(&ratio), "{ratio}: {what}");
        let los = number(&value["los"]);
        // The variance of up to 75 pairs is that around one half, and a part (75/N)² of it is left with more.
        assert!((summary.superiority - los).abs() <= 1e-5 * los, "{} instead of {los}", summary.superiority);
    }
    assert!(pentanomial > 2);
}

proptest! {
    /// One game multiplies the e-value against 50 % by at most 2: nobody wins more than the stake in a fair game.
    #[test]
    fn a_game_adds_at_most_ln_2_to_the_logarithm_of_the_e_value(wins in 0_u32..5000, losses in 0_u32..5000) {
        let (points, games) = (f64::from(wins), f64::from(wins + losses));
        let before = log_e_value(points, games, 0.5, PRIOR);
        for point in [0.0, 0.5, 1.0] {
            let after = log_e_value(points + point, games + 1.0, 0.5, PRIOR);
            prop_assert!(after - before <= 2f64.ln() + 1e-9, "{before} {after}");
        }
    }

    /// The mean of the next e-value under the hypothesis is the present one.
    #[test]
    fn the_bet_is_fair(wins in 0_u32..5000, losses in 0_u32..5000, rate in 0.01..0.99) {
        let (points, games) = (f64::from(wins), f64::from(wins + losses));
        let gain = |point: f64| {
            let before = log_e_value(points, games, rate, PRIOR);
            (log_e_value(points + point, games + 1.0, rate, PRIOR) - before).exp()
        };
        let mean = rate * gain(1.0) + (1.0 - rate) * gain(0.0);
        prop_assert!((mean - 1.0).abs() < 1e-8, "{mean}");
        let drawn = gain(0.5);
        prop_assert!(drawn <= gain(1.0).max(gain(0.0)) + 1e-9, "a draw is never worth more than a result: {drawn}");
    }

    #[test]
    fn sequences_contain_the_mean_and_shrink_as_games_repeat(wins in 0_u32..300, draws in 0_u32..300, losses in 0_u32..300) {
        let games = f64::from(wins + draws + losses);
        prop_assume!(games > 0.0);
        let points = f64::from(wins) + f64::from(draws) / 2.0;
        let (low, high) = confidence_sequence(points, games, 0.95, PRIOR).expect("inside");
        prop_assert!(0.0 <= low && low <= points / games && points / games <= high && high <= 1.0);
        let (low_of_4, high_of_4) = confidence_sequence(4.0 * points, 4.0 * games, 0.95, PRIOR).expect("inside");
        prop_assert!(high_of_4 - low_of_4 < high - low);
    }
}
