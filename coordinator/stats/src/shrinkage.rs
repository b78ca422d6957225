//! Shrunken estimates: the differences between cases without the part of chance.

/// Estimates that were moved towards their common mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Shrunken {
    /// The mean of the true values.
    pub mean: f64,
    /// The standard deviation of the true values around their mean, by the method of moments: 0 when chance explains all
    /// differences.
    pub spread: f64,
    /// The shrunken estimate of each value.
    pub estimates: Vec<f64>,
}

/// Shrinks `observed` values towards their mean. The `variances` are those of errors that the values do not share: luck that all
/// of them have in common moves them together, and has no information about their differences. None without values, or when a
/// variance is not positive.
///
/// The true values are normal around a mean m with a standard deviation τ. Neither is known: m has a flat prior; τ is 0 with a chance of
/// 1/10, and else has the distribution of half of a Cauchy one with the scale of two typical errors. Everything is averaged over the posterior of τ. For one τ:
///
/// ```text
/// p(τ | y) ∝ p(τ)·√V·∏ 1/√(vᵢ + τ²)·exp(−Σ (yᵢ − m)²/(vᵢ + τ²)/2),  m the mean by weights 1/(vᵢ + τ²),  V = 1/Σ 1/(vᵢ + τ²)
/// shrunkᵢ = m + kᵢ·(yᵢ − m),  kᵢ = τ²/(τ² + vᵢ)
/// ```
///
/// So the spread is never taken as known.
///
/// The best of many observed values is too good on average, because it was chosen for its luck; shrunken values are right on
/// average after a choice, as far as true values are normal. Where a few values stand far from all others they are drawn too
/// close to the mean, so that no interval around a shrunken value covers the truth as often as it says: the interval of the
/// observed value does.
///
/// Sources: Gelman, "Prior distributions for variance parameters in hierarchical models", Bayesian Analysis 1 (2006); Efron,
/// Morris, "Stein's estimation rule and its competitors", Journal of the American Statistical Association 68 (1973); for the
/// spread Paule, Mandel, "Consensus values and weighting factors", Journal of Research of the National Bureau of Standards 87
/// (1982).
#[must_use]
pub fn shrink(observed: &[f64], variances: &[f64]) -> Option<Shrunken> {
    let positive = variances.iter().all(|v| *v > 0.0 && v.is_finite());
    if observed.is_empty() || observed.len() != variances.len() || !positive {
        return None;
    }
    let places: Vec<SpreadPosterior> =
        (0..PLACES).map(|place| SpreadPosterior::at(place, observed, variances)).collect();
    let likeliest = places.iter().map(|place| place.ln_weight).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = places.iter().map(|place| (place.ln_weight - likeliest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let average = |of: &dyn Fn(&SpreadPosterior) -> f64| -> f64 {
        places.iter().zip(&weights).map(|(place, weight)| weight / sum * of(place)).sum()
    };
    let each = || observed.iter().zip(variances);
    let estimates: Vec<f64> = each().map(|(y, d)| average(&|place| place.estimate(*y, *d))).collect();
    Some(Shrunken {
        mean: average(&|place| place.mean),
        spread: between(observed, variances).sqrt(),
        estimates,
    })
}

/// The scale of the prior of the spread in typical errors, the root of the harmonic mean of the variances: a sweep is played long enough to see
/// the differences that are looked for.
const PRIOR_SCALE: f64 = 2.0;

/// The prior chance that all cases are equal. With it, shrunken rates of equal cases are no farther from the truth than those by a spread that is
/// taken as known.
const EQUAL_CASES: f64 = 0.1;

/// Values of the spread that the posterior is computed at.
const PLACES: usize = 64;

/// What follows from one spread.
struct SpreadPosterior {
    variance: f64,
    mean: f64,
    /// The logarithm of the posterior, up to a constant.
    ln_weight: f64,
}

impl SpreadPosterior {
    /// The places have equal parts of the prior: a spread of 0, and the quantiles of half of a Cauchy distribution.
    fn at(place: usize, observed: &[f64], own: &[f64]) -> Self {
        let scale = PRIOR_SCALE * (own.len() as f64 / own.iter().map(|d| 1.0 / d).sum::<f64>()).sqrt();
        let quantile = ((place as f64 + 0.5) / PLACES as f64 - EQUAL_CASES).max(0.0) / (1.0 - EQUAL_CASES);
        let variance = (scale * (std::f64::consts::FRAC_PI_2 * quantile).tan()).powi(2);
        let of_mean = 1.0 / own.iter().map(|d| 1.0 / (d + variance)).sum::<f64>();
        let mean = mean(observed, own, variance);
        let ln_likelihood =
            |(y, d): (&f64, &f64)| -((d + variance).ln() + (y - mean).powi(2) / (d + variance)) / 2.0;
        let ln_weight = of_mean.ln() / 2.0 + observed.iter().zip(own).map(ln_likelihood).sum::<f64>();
        Self { variance, mean, ln_weight }
    }

    fn kept(&self, own: f64) -> f64 {
        self.variance / (self.variance + own)
    }

    fn estimate(&self, observed: f64, own: f64) -> f64 {
        self.mean + self.kept(own) * (observed - self.mean)
    }
}

fn mean(observed: &[f64], variances: &[f64], between: f64) -> f64 {
    let weights = variances.iter().map(|v| 1.0 / (v + between));
    let weighted: f64 = observed.iter().zip(weights.clone()).map(|(y, w)| w * y).sum();
    weighted / weights.sum::<f64>()
}

/// Paule and Mandel's variance between true values: Σ (yᵢ − m)²/(vᵢ + τ²) = k − 1, or 0 if the sum is smaller already.
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
