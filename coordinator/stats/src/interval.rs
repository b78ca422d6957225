//! Confidence intervals for one cell.

/// Wilson's score interval for a mean `rate` over `games` games, of which the fraction `draw_rate` was drawn. `z` is
/// the normal quantile of the interval's confidence. The interval lies within 0 to 1, and has a positive width even
/// when every game was won.
///
/// Its ends are the two solutions μ of (s − μ)² = z²·(μ(1 − μ) − d/4)/n, for `games` above 0:
///
/// ```text
/// A      = 1 + z²/n
/// centre = (s + z²/2n) / A
/// half   = (z/A)·√((s(1 − s) − d/4)/n + z²(1 − d)/4n²)
/// ```
///
/// Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), extended by
/// the variance of games that can be drawn; d = 0 gives Wilson's formula.
#[must_use]
pub fn wilson(rate: f64, draw_rate: f64, games: f64, z: f64) -> (f64, f64) {
    let z2 = z * z;
    let scale = 1.0 + z2 / games;
    let centre = (rate + z2 / (2.0 * games)) / scale;
    let variance = (rate * (1.0 - rate) - draw_rate / 4.0).max(0.0);
    let half = z / scale * (variance / games + z2 * (1.0 - draw_rate) / (4.0 * games * games)).sqrt();
    // At rates of 0 and 1 the ends are exact. A rounded 0.999… would have a finite Elo difference instead of none.
    let low = if rate <= 0.0 { 0.0 } else { (centre - half).clamp(0.0, 1.0) };
    let high = if rate >= 1.0 { 1.0 } else { (centre + half).clamp(0.0, 1.0) };
    (low, high)
}
