//! Multinomial likelihoods of scores, constrained to a given mean.
//!
//! Results are counts of equally spaced scores from 0 to 1, in ascending order: three of games (lost, drawn, won), or five
//! of pairs ([`crate::PairCounts::by_score`]).

use crate::elo::NORMALISED_ELO;
use statrs::function::gamma::ln_gamma;

/// Takes the place of a count of 0 in likelihood ratios. Without it, the estimated distribution would exclude a result
/// that was not seen yet.
const UNSEEN: f64 = 1e-3;

/// The normalised-Elo iteration ends after this many steps, as fishtest's does.
const STEPS: usize = 10;

/// The distribution of scores with mean `mean` under which the results are most likely. Counts of 0 are replaced by
/// 0.001. None unless the mean is strictly between 0 and 1.
///
/// With the observed frequencies p and the scores a, the solution is p / (1 + x(a − s)), where x is the root of
/// Σ p(a − s)/(1 + x(a − s)) = 0.
///
/// Source: Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution" (2020),
/// used by fishtest; Owen, *Empirical Likelihood* (2001), chapter 2.
#[must_use]
pub fn constrained<const K: usize>(results: &[f64; K], mean: f64) -> Option<[f64; K]> {
    if !(mean > 0.0 && mean < 1.0) {
        return None;
    }
    let (frequencies, _) = regular(results);
    let distances = scores::<K>().map(|score| score - mean);
    Some(tilted(&frequencies, &distances))
}

/// The generalised log-likelihood ratio of the means `s1` over `s0`: the difference of the largest log-likelihoods under
/// both. Positive values speak for `s1`. None unless both means are strictly between 0 and 1.
///
/// Source: as [`constrained`].
#[must_use]
pub fn llr_of_means<const K: usize>(results: &[f64; K], s0: f64, s1: f64) -> Option<f64> {
    Some(ratio(results, &constrained(results, s0)?, &constrained(results, s1)?))
}

/// The generalised log-likelihood ratio of two differences in normalised Elo, `elo1` over `elo0`.
///
/// For a hypothesis (μ − ½)/σ = t, the iteration starts from equal frequencies and replaces the distribution by
/// p / (1 + xφ), φ = a − ½ − (t/2)σ(1 + ((μ − a)/σ)²), until it changes by less than 1e-9.
///
/// Source: Van den Bergh, "Normalized Elo" (2020), section "practical computation", used by fishtest.
#[must_use]
pub fn llr_of_normalised_elo<const K: usize>(results: &[f64; K], elo0: f64, elo1: f64) -> f64 {
    // A score of a pair has half the variance of a game.
    let per_game = if K == 5 { 2f64.sqrt() } else { 1.0 };
    let of = |elo: f64| standardised(results, elo / NORMALISED_ELO * per_game);
    ratio(results, &of(elo0), &of(elo1))
}

/// The largest log-likelihood of the results under a mean, with counts of 0 as they are. Scores that were not seen get
/// the probability that the mean needs. −∞ when the mean contradicts every distribution.
#[must_use]
pub fn log_likelihood<const K: usize>(results: &[f64; K], mean: f64) -> f64 {
    let total: f64 = results.iter().sum();
    if total == 0.0 {
        return 0.0;
    }
    let seen = || results.iter().zip(scores::<K>()).filter(|(count, _)| **count > 0.0);
    if !(mean > 0.0 && mean < 1.0) {
        let alone = seen().all(|(_, score)| score == mean);
        return if alone { 0.0 } else { f64::NEG_INFINITY };
    }
    let (low, high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    let slope = |x: f64| -> f64 {
        seen().map(|(count, score)| count / total * (score - mean) / (1.0 + x * (score - mean))).sum()
    };
    // Where no root exists inside, the rest of the probability belongs to the extreme score that was not seen.
    let x = if slope(low) <= 0.0 {
        low
    } else if slope(high) >= 0.0 {
        high
    } else {
        let frequencies = results.map(|count| count / total);
        root(&frequencies, &scores::<K>().map(|score| score - mean), low, high)
    };
    seen().map(|(count, score)| count * (count / total / (1.0 + x * (score - mean))).ln()).sum()
}

/// The natural logarithm of the e-value against `mean` of a Dirichlet mixture with parameter `prior` for each score. It
/// is exact for any distribution of pair scores, but wider than [`crate::confidence_sequence`] because it pays for
/// learning the distribution.
///
/// ```text
/// ln E = ln Γ(A) − ln Γ(N + A) + Σ (ln Γ(nᵢ + a) − ln Γ(a)) − max{ Σ nᵢ ln pᵢ : Σ pᵢaᵢ = μ },   A = K·a
/// ```
///
/// Source: universal inference, Wasserman, Ramdas, Balakrishnan, PNAS 117 (2020), with the mixture of Krichevsky and
/// Trofimov (1981) for `prior` ½.
#[must_use]
pub fn dirichlet_log_e_value<const K: usize>(results: &[f64; K], mean: f64, prior: f64) -> f64 {
    let (total, sum): (f64, f64) = (results.iter().sum(), K as f64 * prior);
    let mixture = results.iter().map(|count| ln_gamma(count + prior) - ln_gamma(prior)).sum::<f64>();
    ln_gamma(sum) - ln_gamma(total + sum) + mixture - log_likelihood(results, mean)
}

/// K equally spaced scores from 0 to 1.
fn scores<const K: usize>() -> [f64; K] {
    std::array::from_fn(|place| place as f64 / (K - 1) as f64)
}

/// Frequencies and their total, without zeros.
fn regular<const K: usize>(results: &[f64; K]) -> ([f64; K], f64) {
    let counts = results.map(|count| if count == 0.0 { UNSEEN } else { count });
    let total: f64 = counts.iter().sum();
    (counts.map(|count| count / total), total)
}

fn ratio<const K: usize>(results: &[f64; K], p0: &[f64; K], p1: &[f64; K]) -> f64 {
    let (frequencies, total) = regular(results);
    total * (0..K).map(|place| frequencies[place] * (p1[place] / p0[place]).ln()).sum::<f64>()
}

/// p / (1 + xφ) with the x that makes the mean of φ zero. φ has values on both sides of 0.
fn tilted<const K: usize>(frequencies: &[f64; K], phi: &[f64; K]) -> [f64; K] {
    let (most, least) =
        phi.iter().fold((f64::MIN, f64::MAX), |(most, least), x| (most.max(*x), least.min(*x)));
    if !(least < 0.0 && most > 0.0) {
        return *frequencies;
    }
    let x = root(frequencies, phi, -1.0 / most, -1.0 / least);
    std::array::from_fn(|place| frequencies[place] / (1.0 + x * phi[place]))
}

/// The distribution of the given standardised mean t.
fn standardised<const K: usize>(results: &[f64; K], t: f64) -> [f64; K] {
    let (frequencies, _) = regular(results);
    let scores = scores::<K>();
    let mut p = [1.0 / K as f64; K];
    for _ in 0..STEPS {
        let mean: f64 = (0..K).map(|place| p[place] * scores[place]).sum();
        let variance: f64 = (0..K).map(|place| p[place] * (scores[place] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let phi = scores
            .map(|score| score - 0.5 - t / 2.0 * deviation * (1.0 + ((mean - score) / deviation).powi(2)));
        let next = tilted(&frequencies, &phi);
        let change = (0..K).map(|place| (next[place] - p[place]).abs()).fold(0.0, f64::max);
        p = next;
        if change < 1e-9 {
            break;
        }
    }
    p
}

/// The root x of Σ pφ/(1 + xφ) = 0 between two poles, or between two points with values of different signs. The sum
/// falls with x. Newton's steps that leave the bracket are replaced by halving.
fn root<const K: usize>(p: &[f64; K], phi: &[f64; K], mut low: f64, mut high: f64) -> f64 {
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut value, mut slope) = (0.0, 0.0);
        for place in 0..K {
            let term = phi[place] / (1.0 + x * phi[place]);
            value += p[place] * term;
            slope -= p[place] * term * term;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-15 * (1.0 + x.abs()) {
            return next;
        }
        x = next;
    }
    x
}
