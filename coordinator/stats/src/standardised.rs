//! Multinomial likelihoods of scores, constrained to a given normalised Elo.
//!
//! A hypothesis is a value t of (μ − ½)/σ, with the mean μ and the standard deviation σ of a score. How much likelihood it costs
//! is the least relative entropy between the observed frequencies p and a distribution q of that t.
//!
//! Let t be positive. For all m and c > 0 is σ ≤ (c + E(a − m)²/c)/2, with equality for m = μ and c = σ. So each (m, c) with the
//! function
//!
//! ```text
//! φ(a) = a − ½ − (t/2)(c + (a − m)²/c)
//! ```
//!
//! gives Eφ ≤ μ − ½ − tσ. A distribution has at least the value t if and only if Eφ ≥ 0 for some (m, c), and at most the value t
//! if and only if Eφ ≤ 0 for all of them. Multiplied by 2c/t, the function is −a² + 2ua − v with u = m + c/t, and of all (m, c)
//! with the same u the one with m = ½ + tc has the least v. So the others add nothing, and one number is left: d = m − ½ = tc.
//! For each d, the loss is that of a mean, p / (1 + xφ) with Eφ = 0.
//!
//! Where p has more than t, the solution is the largest loss of all d: this problem is convex. Where p has less than t, it is the
//! smallest loss, and there may be several local ones: scores near ¾ have a large t as well as scores near 1. With the sign of x,
//! both are the largest signed loss.

use crate::elo::NORMALISED_ELO;
use crate::multinomial::{regular, scores, tilt};
use crate::solve::{NoSolution, crossing};

/// Places at which the loss is looked at in each range of d before the largest one is refined.
const PLACES: usize = 8;

/// A hypothesis this close to 0 is that of the mean ½.
const LEAST: f64 = 1e-9;

const WHAT: NoSolution = NoSolution("the likeliest distribution of a normalised Elo");

/// The generalised log-likelihood ratio of two differences in normalised Elo, `elo1` over `elo0`. Where the results are far from
/// both, it speaks for the closer one.
///
/// Source: Van den Bergh, "Normalized Elo" (2020), used by fishtest, whose iteration has no solution far from the results.
///
/// # Errors
/// When the likeliest distribution of a hypothesis was not found: then a count or a difference is no number.
pub fn llr_of_normalised_elo<const K: usize>(
    results: &[f64; K],
    elo0: f64,
    elo1: f64,
) -> Result<f64, NoSolution> {
    let (frequencies, total) = regular(results);
    Ok(total * (least_loss(&frequencies, elo0)? - least_loss(&frequencies, elo1)?))
}

/// The smallest Σ p·ln(p/q) of all distributions q with this normalised Elo. No frequency is 0.
fn least_loss<const K: usize>(frequencies: &[f64; K], elo: f64) -> Result<f64, NoSolution> {
    // A score of a pair has half the variance of a game.
    let per_game = if K == 5 { 2f64.sqrt() } else { 1.0 };
    let t = elo / NORMALISED_ELO * per_game;
    let mut mirrored = *frequencies;
    mirrored.reverse();
    let hypothesis = Hypothesis { frequencies: if t < 0.0 { &mirrored } else { frequencies }, t: t.abs() };
    hypothesis.least_loss().ok_or(WHAT)
}

struct Hypothesis<'a, const K: usize> {
    frequencies: &'a [f64; K],
    /// From 0 on.
    t: f64,
}

/// A loss with the sign of x, and how it changes with d.
struct Signed {
    loss: f64,
    slope: f64,
}

impl<const K: usize> Hypothesis<'_, K> {
    fn least_loss(&self) -> Option<f64> {
        if self.t < LEAST {
            let distances = scores::<K>().map(|score| score - 0.5);
            return Some(self.loss(&distances, tilt(self.frequencies, &distances)?));
        }
        let mut best: Option<(f64, (f64, f64))> = None;
        for (from, to) in self.ranges() {
            let step = (to - from) / PLACES as f64;
            for place in 0..PLACES {
                let d = from + (place as f64 + 0.5) * step;
                let Some(Signed { loss, .. }) = self.signed(d) else { continue };
                if best.is_none_or(|(largest, _)| loss > largest) {
                    best = Some((loss, ((d - step).max(from), (d + step).min(to))));
                }
            }
        }
        let (largest, (low, high)) = best?;
        // No place beside the best one is better, so that the loss rises from below and falls towards above.
        let mut slope = |d: f64| match self.signed(d) {
            _ if d == low => 1.0,
            _ if d == high => -1.0,
            Some(Signed { slope, .. }) => slope,
            None => f64::NAN,
        };
        let d = crossing(&mut slope, (low, high), 1e-7 * high)?;
        let refined = self.signed(d).map_or(largest, |found| found.loss.max(largest));
        Some(refined.abs())
    }

    /// The ranges of d in which some score has a positive φ: around each score h above ½, (h − ½)(1 ± 1/√(1 + t²)), up to the d
    /// of scores that are 0 or 1.
    fn ranges(&self) -> Vec<(f64, f64)> {
        let root = (1.0 + self.t * self.t).sqrt();
        let end = self.t / root / 2.0;
        let mut ranges: Vec<(f64, f64)> = Vec::new();
        for score in scores::<K>().into_iter().filter(|score| *score > 0.5) {
            // 1 − 1/√(1 + t²), without a difference of numbers close to 1.
            let below = self.t * self.t / (root * (root + 1.0));
            let (from, to) = ((score - 0.5) * below, ((score - 0.5) * (2.0 - below)).min(end));
            match ranges.last_mut() {
                Some((_, last)) if from <= *last => *last = last.max(to),
                _ => ranges.push((from, to)),
            }
        }
        ranges
    }

    /// None where φ has one sign.
    fn signed(&self, d: f64) -> Option<Signed> {
        let (t, scores) = (self.t, scores::<K>());
        let phi = scores.map(|score| {
            let h = score - 0.5;
            // Times c, which changes x alone.
            h * d / t - (d * d / t + t * (h - d) * (h - d)) / 2.0
        });
        let x = tilt(self.frequencies, &phi)?;
        // The loss is the largest of all x, so that its change with d is that with x held fast.
        let change = scores.iter().zip(&phi).zip(self.frequencies).map(|((score, phi), p)| {
            let h = score - 0.5;
            p * (h / t - d / t + t * (h - d)) / (1.0 + x * phi)
        });
        let slope = x.abs() * change.sum::<f64>();
        Some(Signed { loss: self.loss(&phi, x).copysign(x), slope })
    }

    fn loss(&self, phi: &[f64; K], x: f64) -> f64 {
        phi.iter().zip(self.frequencies).map(|(phi, p)| p * (x * phi).ln_1p()).sum::<f64>().max(0.0)
    }
}
