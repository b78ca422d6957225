//! Confidence sequences and e-values: statements that hold at any number of looks, and for any time of stopping.
//!
//! An interval for a fixed number of games is right at one number of games that was chosen beforehand. A 95 % confidence
//! *sequence* contains the true rate at every number of games at once, with a chance of at least 95 %. The *e-value*
//! against a rate μ is the capital of a gambler who starts with 1 and bets against μ in a fair game. If μ is the true
//! rate, the capital ever reaches 1/α with a chance of at most α (Ville's inequality). The sequence consists of the
//! rates whose e-value never reached 1/α.

use crate::normal::OutsideUnitInterval;
use statrs::function::beta::ln_beta;

/// The parameters a = b of the Beta prior of the page's sequences. The prior must be fixed before the data. 1 is good for
/// every true rate; larger values are narrower near 50 % and much wider far from it.
pub const PRIOR: f64 = 1.0;

/// The number of pairs at which [`asymptotic_sequence`] is narrowest when nothing else is asked for.
pub const ASYMPTOTIC_OPTIMUM: f64 = 200.0;

/// The natural logarithm of the e-value against the rate `mean` after `games` games with `points` points; a draw is half
/// a point. With S points in n games and the prior parameter a:
///
/// ```text
/// ln E = ln B(S + a, n − S + a) − ln B(a, a) − S·ln μ − (n − S)·ln(1 − μ)
/// ```
///
/// The value is exact for independent games without draws, and conservative with draws. It is also conservative for
/// complete pairs with swapped colours in which the two games have different means with average μ, by the inequality of
/// the arithmetic and the geometric mean. It is approximate when openings differ in fairness after the swap.
///
/// Source: Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist. 41 (1970).
#[must_use]
pub fn log_e_value(points: f64, games: f64, mean: f64, prior: f64) -> f64 {
    log_mixture(points, games, prior) - log_likelihood(points, games, mean)
}

/// The confidence sequence that belongs to [`log_e_value`], after `games` games with `points` points. It lies within 0
/// to 1, and contains the mean score.
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn confidence_sequence(
    points: f64,
    games: f64,
    confidence: f64,
    prior: f64,
) -> Result<(f64, f64), OutsideUnitInterval> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(OutsideUnitInterval(confidence));
    }
    if games <= 0.0 {
        return Ok((0.0, 1.0));
    }
    // A rate belongs to the sequence if its likelihood is above this.
    let least = log_mixture(points, games, prior) + (1.0 - confidence).ln();
    let low = lower_root(points, games, least);
    let high = 1.0 - lower_root(games - points, games, least);
    Ok((low, high))
}

/// The rate below points / games at which the logarithm of the likelihood falls below `least`. The upper end of a
/// sequence is 1 minus the lower end for the opponent.
fn lower_root(points: f64, games: f64, least: f64) -> f64 {
    if points <= 0.0 {
        return 0.0;
    }
    let (mut outside, mut inside) = (0.0, points / games);
    loop {
        let middle = f64::midpoint(outside, inside);
        // Ends also where nothing can be compared.
        if !(outside < middle && middle < inside) {
            return inside;
        }
        if log_likelihood(points, games, middle) > least {
            inside = middle;
        } else {
            outside = middle;
        }
    }
}

fn log_mixture(points: f64, games: f64, prior: f64) -> f64 {
    ln_beta(points + prior, games - points + prior) - ln_beta(prior, prior)
}

fn log_likelihood(points: f64, games: f64, mean: f64) -> f64 {
    let term = |points: f64, log: f64| if points == 0.0 { 0.0 } else { points * log };
    term(points, mean.ln()) + term(games - points, (-mean).ln_1p())
}

/// The asymptotic confidence sequence of pairs with this mean and variance of their scores. It is narrower than
/// [`confidence_sequence`] where the first move or draws matter. Its guarantee holds for many pairs only: use it from 100
/// pairs on. The ends are not cut off at 0 and 1. None when `pairs` is 0.
///
/// ```text
/// ȳ ± √v · √( 2(Nρ² + 1)/(N²ρ²) · ln(√(Nρ² + 1)/α) ),   ρ² = (−2 ln α + ln(−2 ln α) + 1) / N_opt
/// ```
///
/// Source: Waudby-Smith, Arbour, Sinha, Kennedy, Ramdas, "Time-uniform central limit theory and asymptotic confidence
/// sequences", Annals of Statistics 52 (2024).
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn asymptotic_sequence(
    mean: f64,
    pair_variance: f64,
    pairs: f64,
    optimum: f64,
    confidence: f64,
) -> Result<Option<(f64, f64)>, OutsideUnitInterval> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return Err(OutsideUnitInterval(confidence));
    }
    if pairs <= 0.0 {
        return Ok(None);
    }
    let alpha = 1.0 - confidence;
    let twice = -2.0 * alpha.ln();
    // Below a confidence of about 0.25 the logarithm would make the optimum negative.
    let rho2 = (twice + twice.ln() + 1.0).max(1e-3) / optimum;
    let scale = pairs * rho2 + 1.0;
    let half = (pair_variance * 2.0 * scale / (pairs * pairs * rho2) * (scale.sqrt() / alpha).ln()).sqrt();
    Ok(Some((mean - half, mean + half)))
}
