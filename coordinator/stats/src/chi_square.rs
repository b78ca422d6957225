//! Chi-square tests.

use crate::normal::quantile;
use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// The result of a chi-square test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChiSquare {
    /// The sum of squared standardised deviations.
    pub statistic: f64,
    /// The degrees of freedom, at least 1.
    pub degrees: u32,
    /// The chance of a statistic at least as large if the hypothesis is true.
    pub p_value: f64,
}

impl ChiSquare {
    /// The test of a statistic. None without degrees of freedom.
    #[must_use]
    pub fn of(statistic: f64, degrees: usize) -> Option<Self> {
        let distribution = ChiSquared::new(degrees as f64).ok().filter(|_| degrees > 0)?;
        let statistic = statistic.max(0.0);
        Some(Self { statistic, degrees: u32::try_from(degrees).ok()?, p_value: distribution.sf(statistic) })
    }

    /// The test, where the variances of the deviations were estimated with so many degrees of freedom: by Fisher's F of both.
    pub(crate) fn with_estimated_variances(self, degrees: f64) -> Self {
        let own = f64::from(self.degrees);
        let found = FisherSnedecor::new(own, degrees).map(|fisher| fisher.sf(self.statistic / own));
        Self { p_value: found.unwrap_or(self.p_value), ..self }
    }

    /// The test with a p-value that is no smaller than the least one of an exact test of so few pairs.
    pub(crate) fn no_surer_than(self, least: f64) -> Self {
        Self { p_value: self.p_value.max(least), ..self }
    }
}

/// The interval of the noncentrality λ of a chi-square variable from one observation of it, by inversion of its
/// distribution function: the values of λ for which the observation is in neither tail of (1 − `confidence`)/2. For large
/// observations, √(x − (ν − 1)/2) is nearly normal with mean √(λ + (ν − 1)/2) and variance 1.
///
/// Source: Johnson, Kotz, Balakrishnan, *Continuous Univariate Distributions* 2 (1995), chapter 29; the approximation is
/// Sankaran's (1959).
pub(crate) fn noncentrality_interval(statistic: f64, degrees: usize, confidence: f64) -> (f64, f64) {
    let tail = (1.0 - confidence) / 2.0;
    if statistic > LARGE {
        let half = (degrees as f64 - 1.0) / 2.0;
        let root = (statistic - half).max(0.0).sqrt();
        let z = quantile(tail).map_or(0.0, f64::abs);
        return [root - z, root + z].map(|root| (root * root - half).max(0.0)).into();
    }
    let solve = |probability: f64| {
        // The distribution function falls as λ grows.
        if noncentral_cdf(statistic, degrees, 0.0) <= probability {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, statistic + 10.0 * (statistic + degrees as f64).sqrt() + 50.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if noncentral_cdf(statistic, degrees, middle) > probability {
                low = middle
            } else {
                high = middle
            }
        }
        (low + high) / 2.0
    };
    (solve(1.0 - tail), solve(tail))
}

/// Above this, the normal approximation of the noncentral chi-square distribution serves: exact sums grow long.
const LARGE: f64 = 2_000.0;

/// The distribution function of the noncentral chi-square distribution: central ones mixed by Poisson weights of mean
/// λ/2. The terms beyond 12 standard deviations of the Poisson distribution are left out.
fn noncentral_cdf(x: f64, degrees: usize, noncentrality: f64) -> f64 {
    let mean = noncentrality / 2.0;
    let reach = 12.0 * mean.sqrt() + 12.0;
    let first = (mean - reach).max(0.0).floor() as u64;
    let last = (mean + reach).ceil() as u64;
    let mut sum = 0.0;
    for k in first..=last {
        let ln_weight = if mean == 0.0 {
            if k == 0 { 0.0 } else { f64::NEG_INFINITY }
        } else {
            k as f64 * mean.ln() - mean - statrs::function::gamma::ln_gamma(k as f64 + 1.0)
        };
        let central = ChiSquared::new(degrees as f64 + 2.0 * k as f64).map_or(0.0, |chi| chi.cdf(x));
        sum += ln_weight.exp() * central;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `pchisq(7.5, 3, lower.tail = FALSE)` and Abramowitz and Stegun, table 26.8.
    #[test]
    fn tails_equal_tables() {
        for (statistic, degrees, expected) in
            [(3.841_458_821, 1, 0.05), (12.591_587_24, 6, 0.05), (18.475_306_91, 7, 0.01)]
        {
            let found = ChiSquare::of(statistic, degrees).expect("degrees").p_value;
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        }
        assert_eq!(ChiSquare::of(1.0, 0), None);
        assert_eq!(ChiSquare::of(-1e-18, 2).map(|test| test.p_value), Some(1.0), "rounding below 0");
    }

    /// With one degree of freedom, the variable is (Z + √λ)².
    #[test]
    fn the_noncentral_distribution_with_one_degree_is_that_of_a_shifted_normal() {
        for (x, noncentrality) in [(1.0, 0.0), (4.0, 1.0), (9.0, 25.0), (400.0, 380.0)] {
            let (root, shift) = (f64::sqrt(x), f64::sqrt(noncentrality));
            let expected = crate::probability_below(root - shift) - crate::probability_below(-root - shift);
            let found = noncentral_cdf(x, 1, noncentrality);
            assert!((found - expected).abs() < 1e-9, "{x} {noncentrality}: {found} instead of {expected}");
        }
    }

    #[test]
    fn the_interval_of_the_noncentrality_inverts_the_distribution() {
        let (low, high) = noncentrality_interval(30.0, 4, 0.95);
        assert!((noncentral_cdf(30.0, 4, low) - 0.975).abs() < 1e-9, "{low}");
        assert!((noncentral_cdf(30.0, 4, high) - 0.025).abs() < 1e-9, "{high}");
        let ((low, high), (next_low, next_high)) =
            (noncentrality_interval(LARGE, 4, 0.95), noncentrality_interval(LARGE + 1e-9, 4, 0.95));
        assert!(
            (low - next_low).abs() < 0.1 && (high - next_high).abs() < 0.1,
            "{low} {next_low} {high} {next_high}"
        );
        assert_eq!(noncentrality_interval(0.5, 4, 0.95).0, 0.0, "less than chance gives");
    }
}
