//! The winner's curse: how much better than the truth the best of many equal cases looks by luck alone.

use crate::estimate::RateEstimate;
use crate::normal::probability_below;

/// By how much the best of these cases would look better than the truth if all had the same true rate: the expected largest of
/// independent normal errors with their variances, which is not more than their mean leaves to 100 %. 0 for one case.
///
/// E max = ∫ (1 − ∏ Φ(x/σᵢ)) dx over x > 0 less ∫ ∏ Φ(x/σᵢ) dx over x < 0. With 50 errors of the same σ it is 2.25 σ.
///
/// Source: David, Nagaraja, *Order Statistics* (2003), section 3.1.
#[must_use]
pub fn luck_of_the_best(cases: &[RateEstimate]) -> f64 {
    let deviations: Vec<f64> = cases.iter().map(RateEstimate::error).collect();
    let widest = deviations.iter().copied().fold(0.0, f64::max);
    if cases.len() < 2 || widest <= 0.0 {
        return 0.0;
    }
    let below = |x: f64| -> f64 { deviations.iter().map(|of| probability_below(x / of)).product() };
    // The integrand vanishes at the ends and is smooth, so that the middles of many steps are exact.
    let step = REACH * widest / f64::from(STEPS);
    let middles = (0..STEPS).map(|place| step * (f64::from(place) + 0.5));
    let found: f64 = middles.map(|x| step * (1.0 - below(x) - below(-x))).sum();
    let mean = cases.iter().map(|case| case.rate).sum::<f64>() / cases.len() as f64;
    found.min(1.0 - mean)
}

/// Standard deviations beyond which an error never is.
const REACH: f64 = 8.0;

/// Steps of the integral.
const STEPS: u32 = 400;
