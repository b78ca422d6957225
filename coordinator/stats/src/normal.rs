//! The normal distribution.

use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

/// An argument that must be strictly between 0 and 1, and is not.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[error("{0} is not between 0 and 1")]
pub struct OutsideUnitInterval(pub f64);

/// The quantile of the standard normal distribution at probability `p`, to about 15 digits.
///
/// # Errors
/// When `p` is not strictly between 0 and 1.
pub fn quantile(p: f64) -> Result<f64, OutsideUnitInterval> {
    if p > 0.0 && p < 1.0 { Ok(Normal::standard().inverse_cdf(p)) } else { Err(OutsideUnitInterval(p)) }
}

/// The probability of a value below `x` in the standard normal distribution, to about 15 digits.
#[must_use]
pub fn probability_below(x: f64) -> f64 {
    // `Normal::cdf` has 10 digits. Differences of these probabilities need more.
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

/// The quantile for a two-sided interval with a confidence such as 0.95.
pub(crate) fn two_sided(confidence: f64) -> Result<f64, OutsideUnitInterval> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(OutsideUnitInterval(confidence));
    }
    // The lower tail is exact; (1 + confidence) / 2 would round to 1 for a confidence close to 1.
    quantile((1.0 - confidence) / 2.0).map(f64::abs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_pythons_statistics_module() {
        for (p, expected) in [
            (1e-300, -37.0470962993612),
            (1e-20, -9.262340089798405),
            (1e-09, -5.9978070150076865),
            (0.001, -3.090232306167813),
            (0.025, -1.9599639845400538),
            (0.07, -1.4757910281791702),
            (0.08, -1.4050715603096322),
            (0.3, -0.5244005127080407),
            (0.6, 0.2533471031357998),
            (0.9249, 1.4388253927525403),
            (0.9251, 1.4402382675279632),
            (0.975, 1.9599639845400536),
            (0.9999, 3.7190164854557084),
        ] {
            let found = quantile(p).expect("inside");
            assert!((found - expected).abs() <= 1e-12 * expected.abs(), "{p}: {found} instead of {expected}");
        }
        assert_eq!(quantile(0.5), Ok(0.0));
    }

    #[test]
    fn probabilities_agree_with_scipy() {
        for (x, expected) in [
            (-30.0, 4.906_713_927_148_187e-198),
            (-6.0, 9.865_876_450_376_946e-10),
            (-1.0, 0.158_655_253_931_457_07),
            (0.5, 0.691_462_461_274_013_1),
        ] {
            let found = probability_below(x);
            assert!((found - expected).abs() <= 1e-12 * expected, "{x}: {found} instead of {expected}");
        }
    }

    #[test]
    fn quantiles_outside_0_to_1_are_refused() {
        for p in [0.0, 1.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(quantile(p).is_err(), "{p}");
            assert!(two_sided(p).is_err(), "{p}");
        }
    }

    #[test]
    fn the_usual_confidence_has_the_usual_quantile() {
        assert!((two_sided(0.95).expect("inside") - 1.959_963_984_540_054).abs() < 1e-14);
    }
}
