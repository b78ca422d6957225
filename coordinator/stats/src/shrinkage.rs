//! Shrunken estimates: what remains of differences between cases when chance is taken out.

/// Estimates that were moved towards their common mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrunken {
    /// The weighted mean of the true values.
    pub mean: f64,
    /// The variance of the true values: 0 when chance explains all differences.
    pub variance: f64,
    /// The shrunken estimate of each value.
    pub estimates: Vec<f64>,
    /// The standard deviation of each true value around its estimate, with the mean taken as known.
    pub deviations: Vec<f64>,
    /// The same with the error of the mean.
    pub errors: Vec<f64>,
}

/// Shrinks `observed` values of these `variances` towards their mean, by the normal-normal model of empirical Bayes. None
/// without values, or when a variance is not positive.
///
/// ```text
/// τ²  solves Σ (yᵢ − m)²/(vᵢ + τ²) = k − 1, with m the mean by weights 1/(vᵢ + τ²); 0 if the sum is smaller already
/// shrunkᵢ    = m + τ²/(τ² + vᵢ)·(yᵢ − m)
/// deviationᵢ = √(τ²·vᵢ/(τ² + vᵢ))
/// errorᵢ     = √(deviationᵢ² + (vᵢ/(τ² + vᵢ))²/Σ 1/(vⱼ + τ²))
/// ```
///
/// The best of many observed values is too good on average, because it was chosen for its luck; shrunken values are right on
/// average after a choice, as far as true values are normal. The deviations take τ² and m as known, the errors τ² alone. Where τ² is 0,
/// every estimate is the mean and every deviation 0: the data show no difference, which does not mean that there is none.
///
/// Sources: Paule, Mandel, "Consensus values and weighting factors", Journal of Research of the National Bureau of
/// Standards 87 (1982), for τ²; Efron, Morris, "Stein's estimation rule and its competitors", Journal of the American
/// Statistical Association 68 (1973).
#[must_use]
pub fn shrink(observed: &[f64], variances: &[f64]) -> Option<Shrunken> {
    let positive = variances.iter().all(|v| *v > 0.0 && v.is_finite());
    if observed.is_empty() || observed.len() != variances.len() || !positive {
        return None;
    }
    let variance = between(observed, variances);
    let mean = mean(observed, variances, variance);
    let kept = |v: f64| variance / (variance + v);
    let estimates = observed.iter().zip(variances).map(|(y, v)| mean + kept(*v) * (y - mean)).collect();
    let deviations = variances.iter().map(|v| (kept(*v) * v).sqrt()).collect();
    let of_mean = 1.0 / variances.iter().map(|v| 1.0 / (v + variance)).sum::<f64>();
    let error = |v: &f64| (kept(*v) * v + (1.0 - kept(*v)).powi(2) * of_mean).sqrt();
    let errors = variances.iter().map(error).collect();
    Some(Shrunken { mean, variance, estimates, deviations, errors })
}

fn mean(observed: &[f64], variances: &[f64], between: f64) -> f64 {
    let weights = variances.iter().map(|v| 1.0 / (v + between));
    let weighted: f64 = observed.iter().zip(weights.clone()).map(|(y, w)| w * y).sum();
    weighted / weights.sum::<f64>()
}

/// Paule and Mandel's variance between true values.
fn between(observed: &[f64], variances: &[f64]) -> f64 {
    let expected = observed.len() as f64 - 1.0;
    let statistic = |between: f64| -> f64 {
        let mean = mean(observed, variances, between);
        observed.iter().zip(variances).map(|(y, v)| (y - mean).powi(2) / (v + between)).sum()
    };
    if statistic(0.0) <= expected {
        return 0.0;
    }
    // The statistic falls as the variance grows, and is below k − 1 at the sum of the squared deviations from the middle.
    let (mut low, mut high) = (0.0, 1e-12);
    while statistic(high) > expected {
        low = high;
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if statistic(middle) > expected { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}
