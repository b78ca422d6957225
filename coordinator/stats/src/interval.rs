//! Confidence intervals for a number of games that was fixed beforehand.

use crate::normal::{OutsideUnitInterval, two_sided};
use statrs::distribution::{Beta, ContinuousCDF};

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

/// The score of independent games and the ends of its interval by [`wilson`], from losses, draws and wins. Games that were all
/// drawn count as equally many wins and losses, which gives the widest interval. It holds however `missing` further games end.
/// None without games.
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn score_of_games(
    [losses, draws, wins]: [u64; 3],
    missing: u64,
    confidence: f64,
) -> Result<Option<(f64, f64, f64)>, OutsideUnitInterval> {
    let z = two_sided(confidence)?;
    let score = |losses: u64, wins: u64| {
        let games = (losses + draws + wins) as f64;
        let rate = (wins as f64 + draws as f64 / 2.0) / games;
        let draw_rate = if losses + wins == 0 { 0.0 } else { draws as f64 / games };
        let (low, high) = wilson(rate, draw_rate, games, z);
        (rate, low, high)
    };
    if losses + draws + wins == 0 {
        return Ok(None);
    }
    let (rate, low, high) = score(losses, wins);
    let ((_, least, _), (_, _, most)) = (score(losses + missing, wins), score(losses, wins + missing));
    Ok(Some((rate, low.min(least), high.max(most))))
}

/// Jeffreys' interval for `wins` and `losses` of independent games without draws: quantiles of the distribution
/// Beta(wins + ½, losses + ½). The lower end is 0 without wins, and the upper end is 1 without losses.
///
/// A draw may be passed as half a win and half a loss; the interval is then conservative.
///
/// Source: Brown, Cai, DasGupta, "Interval estimation for a binomial proportion", Statistical Science 16 (2001).
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn jeffreys(wins: f64, losses: f64, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
    let ends =
        (tail(wins + 0.5, losses + 0.5, confidence)?, 1.0 - tail(losses + 0.5, wins + 0.5, confidence)?);
    Ok((if wins > 0.0 { ends.0 } else { 0.0 }, if losses > 0.0 { ends.1 } else { 1.0 }))
}

/// The interval of Clopper and Pearson for `wins` and `losses` of independent games without draws. The interval covers
/// the true rate at least as often as the confidence says, and is therefore wide.
///
/// Source: Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26 (1934), by quantiles of the beta distribution.
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn clopper_pearson(wins: f64, losses: f64, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
    let low = if wins > 0.0 { tail(wins, losses + 1.0, confidence)? } else { 0.0 };
    let high = if losses > 0.0 { 1.0 - tail(losses, wins + 1.0, confidence)? } else { 1.0 };
    two_sided(confidence).map(|_| (low, high))
}

/// The interval of Agresti and Coull for `wins` and `losses` of independent games, cut off at 0 and 1: Wald's interval
/// after z²/2 additional wins and z²/2 additional losses.
///
/// Source: Agresti and Coull, "Approximate is better than 'exact' for interval estimation of binomial proportions", The
/// American Statistician 52 (1998).
///
/// # Errors
/// When `confidence` is not between 0 and 1.
pub fn agresti_coull(wins: f64, losses: f64, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
    let z = two_sided(confidence)?;
    let games = wins + losses + z * z;
    let rate = (wins + z * z / 2.0) / games;
    let half = z * (rate * (1.0 - rate) / games).sqrt();
    Ok(((rate - half).max(0.0), (rate + half).min(1.0)))
}

/// Newcombe's interval for the difference of two independent rates, first minus second. Each rate comes with its own
/// Wilson interval, as (low, rate, high).
///
/// Source: Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine
/// 17 (1998), method 10.
#[must_use]
pub fn newcombe(first: (f64, f64, f64), second: (f64, f64, f64)) -> (f64, f64) {
    let ((low1, rate1, high1), (low2, rate2, high2)) = (first, second);
    let difference = rate1 - rate2;
    let below = ((rate1 - low1).powi(2) + (high2 - rate2).powi(2)).sqrt();
    let above = ((high1 - rate1).powi(2) + (rate2 - low2).powi(2)).sqrt();
    (difference - below, difference + above)
}

/// The lower quantile of Beta(a, b) of a two-sided interval. The upper end is computed as the lower end of the losses,
/// because a small tail is exact and 1 minus a small tail is not.
fn tail(a: f64, b: f64, confidence: f64) -> Result<f64, OutsideUnitInterval> {
    two_sided(confidence)?;
    let beta = Beta::new(a, b).map_err(|_| OutsideUnitInterval(confidence))?;
    let chance = (1.0 - confidence) / 2.0;
    // Halving ends after a number's digits. The library's own search does not end for some quantiles beyond 0.9999.
    let (mut below, mut above) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(below, above);
        if middle <= below || middle >= above {
            return Ok(above);
        }
        if beta.cdf(middle) < chance {
            below = middle;
        } else {
            above = middle;
        }
    }
}
