//! Shrunken estimates.

use super::random::Random;
use super::reference::{assert_close, column, number, value};
use stats::*;

/// Trapezoids over the posterior of the spread, on a fine and wide scale.
fn integrated(observed: &[f64], variances: &[f64]) -> (f64, Vec<f64>) {
    let (mut mass, mut mean, mut estimates) = (0.0, 0.0, vec![0.0; observed.len()]);
    let scale = 2.0 * (variances.len() as f64 / variances.iter().map(|v| 1.0 / v).sum::<f64>()).sqrt();
    // The spread is x/(1 − x), or 0 with a chance of 1/10.
    for x in (0..200_000).map(|step| (f64::from(step) + 0.5) / 200_000.0).chain([0.0]) {
        let spread = x / (1.0 - x);
        let weights: Vec<f64> = variances.iter().map(|v| 1.0 / (v + spread * spread)).collect();
        let all: f64 = weights.iter().sum();
        let middle = observed.iter().zip(&weights).map(|(y, w)| y * w).sum::<f64>() / all;
        let ln = observed
            .iter()
            .zip(&weights)
            .map(|(y, w)| (w.ln() - w * (y - middle).powi(2)) / 2.0)
            .sum::<f64>();
        let density =
            std::f64::consts::FRAC_2_PI / scale / (1.0 + (spread / scale).powi(2)) / (1.0 - x).powi(2);
        let prior = if x > 0.0 { 0.9 * density / 200_000.0 } else { 0.1 };
        let weight = prior * (ln - all.ln() / 2.0).exp();
        mass += weight;
        mean += weight * middle;
        for (place, estimate) in estimates.iter_mut().enumerate() {
            let kept = spread * spread * weights[place];
            *estimate += weight * (middle + kept * (observed[place] - middle));
        }
    }
    (mean / mass, estimates.into_iter().map(|estimate| estimate / mass).collect())
}

#[test]
fn shrunken_estimates_are_those_of_the_whole_posterior() {
    let given = value("empirical_bayes");
    let (observed, variances) = (column(&given["win_rate"]), column(&given["var"]));
    let shrunken = shrink(&observed, &variances).expect("variances");
    assert_close(shrunken.spread.powi(2), number(&given["tau2_paule_mandel"]), "tau2");
    for (observed, variances) in [
        (observed, variances),
        (vec![0.5, 0.6, 0.52, 0.49], vec![0.000_4; 4]),
        (vec![0.9, 0.91], vec![0.001, 0.000_1]),
    ] {
        let found = shrink(&observed, &variances).expect("variances");
        let (mean, estimates) = integrated(&observed, &variances);
        assert!((found.mean - mean).abs() < 2e-4, "{} {mean}", found.mean);
        for (found, expected) in found.estimates.iter().zip(&estimates) {
            assert!((found - expected).abs() < 5e-4, "{found} {expected}");
        }
    }
}

#[test]
fn equal_values_shrink_close_to_their_mean_and_bad_variances_to_nothing() {
    let shrunken = shrink(&[0.5, 0.51, 0.49], &[0.01; 3]).expect("variances");
    assert_eq!(shrunken.spread.total_cmp(&0.0), std::cmp::Ordering::Equal);
    assert!(shrunken.estimates.iter().all(|y| (y - 0.5).abs() < 0.005), "{shrunken:?}");
    let one = shrink(&[0.7], &[0.01]).expect("a variance");
    assert!((one.estimates[0] - 0.7).abs() < 1e-12, "one case has nowhere to go");
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
    // With a known spread, the squared error falls to τ²/(τ² + v) = 0.39. That it is not known costs a tenth of that.
    let fall = shrunken_error / raw_error;
    assert!((0.36..0.46).contains(&fall), "{fall}");
}
