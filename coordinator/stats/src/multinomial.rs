//! Multinomial likelihoods of scores, constrained to a given mean.
//!
//! Results are counts of equally spaced scores from 0 to 1, in ascending order: three of games (lost, drawn, won), or five
//! of pairs ([`crate::PairCounts::by_score`]).

use crate::solve::NoSolution;
use statrs::function::gamma::ln_gamma;

/// Takes the place of a count of 0 in likelihood ratios. Without it, the estimated distribution would exclude a result
/// that was not seen yet.
const UNSEEN: f64 = 1e-3;

/// Steps after which a search is given up.
const MOST_STEPS: usize = 200;

/// The distribution of scores with mean `mean` under which the results are most likely. Counts of 0 are replaced by
/// 0.001.
///
/// With the observed frequencies p and the scores a, the solution is p / (1 + x(a − s)), where x is the root of
/// Σ p(a − s)/(1 + x(a − s)) = 0.
///
/// Source: Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a distribution" (2020),
/// used by fishtest; Owen, *Empirical Likelihood* (2001), chapter 2.
///
/// # Errors
/// When no distribution was found: then the mean is not between 0 and 1, or a count is no number.
pub fn constrained<const K: usize>(results: &[f64; K], mean: f64) -> Result<[f64; K], NoSolution> {
    let (frequencies, _) = regular(results);
    let distances = scores::<K>().map(|score| score - mean);
    let x = tilt(&frequencies, &distances).ok_or(NoSolution("the likeliest distribution of a mean"))?;
    Ok(std::array::from_fn(|place| frequencies[place] / (1.0 + x * distances[place])))
}

/// The generalised log-likelihood ratio of the means `s1` over `s0`: the difference of the largest log-likelihoods under
/// both. Positive values speak for `s1`.
///
/// # Errors
/// As [`constrained`].
pub fn llr_of_means<const K: usize>(results: &[f64; K], s0: f64, s1: f64) -> Result<f64, NoSolution> {
    let (p0, p1) = (constrained(results, s0)?, constrained(results, s1)?);
    let (frequencies, total) = regular(results);
    Ok(total * (0..K).map(|place| frequencies[place] * (p1[place] / p0[place]).ln()).sum::<f64>())
}

/// The largest log-likelihood of the results under a mean, with counts of 0 as they are. Scores that were not seen get
/// the probability that the mean needs. −∞ when the mean contradicts every distribution.
///
/// # Errors
/// When a count is no number.
pub fn log_likelihood<const K: usize>(results: &[f64; K], mean: f64) -> Result<f64, NoSolution> {
    let total: f64 = results.iter().sum();
    if total == 0.0 {
        return Ok(0.0);
    }
    let seen = || results.iter().zip(scores::<K>()).filter(|(count, _)| **count > 0.0);
    if !(mean > 0.0 && mean < 1.0) {
        let alone = seen().all(|(_, score)| score == mean);
        return Ok(if alone { 0.0 } else { f64::NEG_INFINITY });
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
        let found = root(&frequencies, &scores::<K>().map(|score| score - mean), low, high);
        found.ok_or(NoSolution("the likeliest distribution of a mean"))?
    };
    Ok(seen().map(|(count, score)| count * (count / total / (1.0 + x * (score - mean))).ln()).sum())
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
///
/// # Errors
/// As [`log_likelihood`].
pub fn dirichlet_log_e_value<const K: usize>(
    results: &[f64; K],
    mean: f64,
    prior: f64,
) -> Result<f64, NoSolution> {
    let (total, sum): (f64, f64) = (results.iter().sum(), K as f64 * prior);
    let mixture = results.iter().map(|count| ln_gamma(count + prior) - ln_gamma(prior)).sum::<f64>();
    Ok(ln_gamma(sum) - ln_gamma(total + sum) + mixture - log_likelihood(results, mean)?)
}

/// K equally spaced scores from 0 to 1.
pub(crate) fn scores<const K: usize>() -> [f64; K] {
    std::array::from_fn(|place| place as f64 / (K - 1) as f64)
}

/// Frequencies and their total, without zeros.
pub(crate) fn regular<const K: usize>(results: &[f64; K]) -> ([f64; K], f64) {
    let counts = results.map(|count| if count == 0.0 { UNSEEN } else { count });
    let total: f64 = counts.iter().sum();
    (counts.map(|count| count / total), total)
}

/// The x with which p / (1 + xφ) is a distribution whose mean of φ is 0. None if no distribution has that mean: then φ has values
/// on one side of 0 only.
pub(crate) fn tilt<const K: usize>(frequencies: &[f64; K], phi: &[f64; K]) -> Option<f64> {
    let (most, least) =
        phi.iter().fold((f64::MIN, f64::MAX), |(most, least), x| (most.max(*x), least.min(*x)));
    if least < 0.0 && most > 0.0 { root(frequencies, phi, -1.0 / most, -1.0 / least) } else { None }
}

/// The root x of Σ pφ/(1 + xφ) = 0 between two poles, or between two points with values of different signs. The sum
/// falls with x. Newton's steps that leave the bracket are replaced by halving.
fn root<const K: usize>(p: &[f64; K], phi: &[f64; K], mut low: f64, mut high: f64) -> Option<f64> {
    let mut x = 0.0;
    for _ in 0..MOST_STEPS {
        let (mut value, mut size, mut slope) = (0.0, 0.0, 0.0);
        for place in 0..K {
            let term = phi[place] / (1.0 + x * phi[place]);
            value += p[place] * term;
            size += p[place] * term.abs();
            slope -= p[place] * term * term;
        }
        if value.is_nan() {
            return None;
        }
        // 0 but for the rounding of the terms.
        if value.abs() <= f64::EPSILON * size {
            return Some(x);
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - value / slope;
        let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
        if (next - x).abs() <= 1e-15 * (1.0 + x.abs()) {
            return Some(next);
        }
        x = next;
    }
    None
}
