//! Sizing: how many games a question needs, and what a number of games can answer.

use super::normal::{OutsideUnitInterval, quantile, two_sided};

/// A comparison with 50 % that is planned beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Chance that equal players are called different, two-sided.
    pub significance: f64,
    /// Chance that a real difference is found.
    pub power: f64,
}

impl Test {
    /// 5 % two-sided, 80 % power: what the planner reports.
    pub const STANDARD: Test = Test { significance: 0.05, power: 0.8 };

    /// Standard errors between 50 % and the smallest difference found: z₁₋α⸝₂ + z_power.
    fn distance(self) -> Result<f64, OutsideUnitInterval> {
        Ok(two_sided(1.0 - self.significance)? + quantile(self.power)?)
    }
}

/// The smallest distance of a rate from 0.5 that `pairs` pairs can show: (z₁₋α⸝₂ + z_power)·√(deff / 4n) with
/// n = 2·pairs games. None when even a rate of 0 or 1 is too close.
///
/// A `design_effect` of 1, independent games, is the safe choice before any game is played: a strong first move
/// only makes smaller differences visible. The variance is that at 50 % without draws, the largest.
///
/// Source: the normal approximation to the power of a one-sample test of a proportion, as in Fleiss, Levin, Paik,
/// *Statistical Methods for Rates and Proportions* (2003), chapter 2, at its largest variance.
///
/// # Errors
/// When the test's significance or power is not between 0 and 1.
pub fn detectable(pairs: u64, design_effect: f64, test: Test) -> Result<Option<f64>, OutsideUnitInterval> {
    let games = 2.0 * pairs as f64;
    let difference = test.distance()? * (design_effect / (4.0 * games)).sqrt();
    Ok((difference <= 0.5).then_some(difference))
}

/// Independent games needed to show a rate `difference` away from 0.5, rounded up: (z₁₋α⸝₂ + z_power)² / 4δ².
///
/// Source: as [`detectable`], whose inverse it is.
///
/// # Errors
/// When the test's significance or power is not between 0 and 1, or the difference is not between 0 and 1.
pub fn games_to_detect(difference: f64, test: Test) -> Result<u64, OutsideUnitInterval> {
    inside(difference)?;
    Ok((test.distance()? / (2.0 * difference)).powi(2).ceil() as u64)
}

/// Independent games without draws after which the interval around `rate` is about `half_width` to either side,
/// rounded up: z²·s(1 − s)/h².
///
/// Source: Cochran, *Sampling Techniques* (1977), section 4.4.
///
/// # Errors
/// When an argument is not between 0 and 1.
pub fn games_for_half_width(rate: f64, half_width: f64, confidence: f64) -> Result<u64, OutsideUnitInterval> {
    inside(rate)?;
    inside(half_width)?;
    let z = two_sided(confidence)?;
    Ok((z * z * rate * (1.0 - rate) / (half_width * half_width)).ceil() as u64)
}

fn inside(x: f64) -> Result<(), OutsideUnitInterval> {
    if x > 0.0 && x < 1.0 { Ok(()) } else { Err(OutsideUnitInterval(x)) }
}
