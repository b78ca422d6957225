//! Shrunken estimates.

use super::random::Random;
use super::reference::{assert_all_close, assert_close, column, number, value};
use stats::*;

#[test]
fn shrunken_estimates_equal_the_reference() {
    let given = value("empirical_bayes");
    let shrunken = shrink(&column(&given["win_rate"]), &column(&given["var"])).expect("variances");
    assert_close(shrunken.variance, number(&given["tau2_paule_mandel"]), "tau2");
    assert_close(shrunken.mean, number(&given["grand_mean"]), "mean");
    assert_all_close(&shrunken.estimates, &column(&given["shrunk"]), "shrunk");
    assert_all_close(&shrunken.deviations, &column(&given["posterior_sd_plugin"]), "deviation");
}

#[test]
fn equal_values_shrink_to_their_mean_and_bad_variances_to_nothing() {
    let shrunken = shrink(&[0.5, 0.51, 0.49], &[0.01; 3]).expect("variances");
    assert_eq!((shrunken.variance, shrunken.deviations), (0.0, vec![0.0; 3]));
    assert!(shrunken.estimates.iter().all(|y| (y - 0.5).abs() < 1e-15));
    assert_eq!(
        shrink(&[0.7], &[0.01]).map(|one| one.estimates),
        Some(vec![0.7]),
        "one case has nowhere to go"
    );
    for (observed, variances) in
        [(vec![], vec![]), (vec![0.5], vec![0.0]), (vec![0.5], vec![f64::NAN]), (vec![0.5; 2], vec![0.1])]
    {
        assert_eq!(shrink(&observed, &variances), None);
    }
}

/// True values from a normal distribution: the shrunken estimates are closer to them, and right on average for the case
/// that looks best.
#[test]
fn shrinking_takes_the_luck_out_of_the_best_case() {
    let mut random = Random(20);
    let (runs, cases, spread, error) = (400, 50, 0.02, 0.025);
    let (mut raw_bias, mut bias, mut raw_error, mut shrunken_error) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..runs {
        let truth: Vec<f64> = (0..cases).map(|_| 0.5 + spread * random.normal()).collect();
        let seen: Vec<f64> = truth.iter().map(|t| t + error * random.normal()).collect();
        let shrunken = shrink(&seen, &vec![error * error; cases]).expect("variances").estimates;
        let best = (0..cases).max_by(|&a, &b| shrunken[a].total_cmp(&shrunken[b])).expect("cases");
        raw_bias += (seen[best] - truth[best]) / f64::from(runs);
        bias += (shrunken[best] - truth[best]) / f64::from(runs);
        for case in 0..cases {
            raw_error += (seen[case] - truth[case]).powi(2);
            shrunken_error += (shrunken[case] - truth[case]).powi(2);
        }
    }
    // The posterior deviation is 0.0156, so the mean of 400 best cases has a standard error of 0.0008; an estimated spread
    // adds a little.
    assert!(bias.abs() < 4.0 * 0.0008, "{bias}");
    assert!(raw_bias > 0.02, "the raw best is {raw_bias} too good");
    // In theory, the squared error falls by τ²/(τ² + v) = 0.39.
    assert!((shrunken_error / raw_error - 0.39).abs() < 0.04, "{}", shrunken_error / raw_error);
}
