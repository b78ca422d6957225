//! How much the best of many equal cases promises by luck alone.

use crate::normal::probability_below;

/// The expected largest of `cases` independent standard normal values: ∫ x·k·φ(x)·Φ(x)^(k − 1) dx.
///
/// So if `cases` cases are equal and their estimates have the standard error σ, the best one is expected to look better than
/// the truth by this many σ: 2.25 for 50 cases. 0 for no case or one.
///
/// Source: David, Nagaraja, *Order Statistics* (2003), section 3.1.
#[must_use]
pub fn expected_maximum(cases: usize) -> f64 {
    if cases < 2 {
        return 0.0;
    }
    let k = cases as f64;
    let density = |x: f64| (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    // The trapezoidal rule converges exponentially here, because the integrand and its derivatives vanish at the ends.
    let step = 1.0 / 64.0;
    (-64 * 10..=64 * 10)
        .map(|i| f64::from(i) * step)
        .map(|x| step * x * k * density(x) * ((k - 1.0) * probability_below(x).ln()).exp())
        .sum()
}
