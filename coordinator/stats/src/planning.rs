//! Sample sizes: how many games show a given difference, and which difference a given number of games shows.

use crate::normal::{OutsideUnitInterval, quantile, two_sided};

/// The design of a test whether a rate differs from 50 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// Chance that the two-sided test calls equal players different.
    pub significance: f64,
    /// Chance that the test finds a real difference.
    pub power: f64,
}

impl Test {
    /// 5 % significance and 80 % power, as reported by the planner.
    pub const STANDARD: Test = Test { significance: 0.05, power: 0.8 };

    /// The smallest difference from 50 % that the test detects, in standard errors: z₁₋α⸝₂ + z_power.
    fn distance(self) -> Result<f64, OutsideUnitInterval> {
        Ok(two_sided(1.0 - self.significance)? + quantile(self.power)?)
    }
}

/// The smallest difference from a rate of 0.5 that `pairs` pairs can show: (z₁₋α⸝₂ + z_power)·√(deff / 4n) with
/// n = 2·pairs games. None when not even a rate of 0 or 1 could be shown.
///
/// A `design_effect` of 1 (independent games) is the safe choice before any game is played: an advantage of the first
/// move can only make smaller differences detectable. The variance is the largest possible, at 50 % without draws.
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

/// The number of independent games that show a `difference` from a rate of 0.5, rounded up: (z₁₋α⸝₂ + z_power)² / 4δ².
///
/// This is the inverse of [`detectable`], from the same source.
///
/// # Errors
/// When the test's significance or power is not between 0 and 1, or the difference is not between 0 and 1.
pub fn games_to_detect(difference: f64, test: Test) -> Result<u64, OutsideUnitInterval> {
    inside(difference)?;
    Ok((test.distance()? / (2.0 * difference)).powi(2).ceil() as u64)
}

/// The number of independent games without draws after which the interval around `rate` has about this half-width,
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
