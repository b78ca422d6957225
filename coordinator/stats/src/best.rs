//! Which case is the best: probabilities, and rules that spend games on the answer.

use crate::estimate::RateEstimate;
use crate::normal::{probability_below, two_sided};
use crate::permutation::ln_deals;

/// The probability of each case to be the best, if the true values are independent and normal with these means and standard
/// errors. The probabilities sum to 1. A standard error of 0 or less counts as very small.
///
/// P(i is best) = ∫ φ((x − mᵢ)/σᵢ)/σᵢ · ∏ Φ((x − mⱼ)/σⱼ) dx over all j ≠ i, by Gauss-Legendre quadrature with 8 nodes for
/// every standard error of the narrowest case near x.
#[must_use]
pub fn prob_best(means: &[f64], standard_errors: &[f64]) -> Vec<f64> {
    let cases: Vec<(f64, f64)> =
        means.iter().zip(standard_errors).map(|(m, se)| (*m, se.max(NARROWEST))).collect();
    let mut chances = vec![0.0; cases.len()];
    let lower = |(m, se): &(f64, f64)| m - REACH * se;
    // Below this, some case is better for certain.
    let Some(begin) = cases.iter().map(lower).max_by(f64::total_cmp) else { return chances };
    let end = cases.iter().map(|(m, se)| m + REACH * se).max_by(f64::total_cmp).unwrap_or(begin);
    let in_play: Vec<usize> =
        (0..cases.len()).filter(|&i| cases[i].0 + REACH * cases[i].1 >= begin).collect();
    let mut x = begin;
    while x < end {
        let near =
            in_play.iter().map(|&i| cases[i]).filter(|case| x >= lower(case) && x < case.0 + REACH * case.1);
        let width = near.map(|(_, se)| se).min_by(f64::total_cmp);
        // A narrower case may begin within the step.
        let begins = in_play.iter().map(|&i| lower(&cases[i])).filter(|start| *start > x);
        let limit = begins.min_by(f64::total_cmp).unwrap_or(end).min(end);
        let next = width.map_or(limit, |width| (x + width).min(limit)).max(x + f64::EPSILON * x.abs());
        for (node, weight) in GAUSS_8.iter().flat_map(|&(node, weight)| [(node, weight), (-node, weight)]) {
            let at = (x + next) / 2.0 + node * (next - x) / 2.0;
            let weight = weight * (next - x) / 2.0;
            let ln_below: Vec<f64> = in_play
                .iter()
                .map(|&i| probability_below((at - cases[i].0) / cases[i].1).max(f64::MIN_POSITIVE).ln())
                .collect();
            let all: f64 = ln_below.iter().sum();
            for (&i, ln_own) in in_play.iter().zip(&ln_below) {
                let (m, se) = cases[i];
                let z = (at - m) / se;
                chances[i] += weight * (all - ln_own - z * z / 2.0).exp() / (se * SQRT_TAU);
            }
        }
        x = next;
    }
    let sum: f64 = chances.iter().sum();
    chances.iter().map(|chance| chance / sum).collect()
}

/// Which of several independent rates, each of so many pairs, may belong to the best case: those that no other rate exceeds
/// significantly. With this confidence, a best case is among them. For a number of games that was fixed beforehand.
///
/// A case is out when the z value of another one's lead reaches the one-sided normal quantile of α/(k − 1), and an exact test of
/// so few pairs can reach that level.
///
/// Sources: Gupta, "On some multiple decision (selection and ranking) rules", Technometrics 7 (1965); Hsu, "Simultaneous
/// confidence intervals for all distances from the \"best\"", Annals of Statistics 9 (1981); with Bonferroni's inequality.
#[must_use]
pub fn may_be_best(rates: &[(RateEstimate, f64)], confidence: f64) -> Vec<bool> {
    let level = (1.0 - confidence) / rates.len().saturating_sub(1).max(1) as f64;
    let Ok(reach) = two_sided(1.0 - 2.0 * level) else { return vec![true; rates.len()] };
    let exceeds = |(one, pairs): &(RateEstimate, f64), (other, others): &(RateEstimate, f64)| {
        one.rate - other.rate > reach * (one.variance + other.variance).sqrt()
            && -ln_deals(&[*pairs, *others]) <= level.ln()
    };
    rates.iter().map(|rate| !rates.iter().any(|other| exceeds(other, rate))).collect()
}

/// Standard errors below this count as this.
const NARROWEST: f64 = 1e-9;

/// Standard errors from the mean beyond which a normal value never is: a chance of 6e-16.
const REACH: f64 = 8.0;

const SQRT_TAU: f64 = 2.506_628_274_631_000_7;

/// Positive nodes on (−1, 1) and their weights (Abramowitz and Stegun, table 25.4).
const GAUSS_8: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// How often top-two Thompson sampling plays each case: it draws a best case and plays it with probability `share`, or else
/// draws until another case is the best and plays that one.
///
/// ```text
/// ψᵢ = aᵢ·(share + (1 − share)·Σ aⱼ/(1 − aⱼ) over j ≠ i)
/// ```
///
/// `prob_best` are the probabilities aᵢ of [`prob_best`]. When one of them is 1, the case has frequency 1.
///
/// Source: Russo, "Simple Bayesian algorithms for best-arm identification", Operations Research 68 (2020).
#[must_use]
pub fn top_two(prob_best: &[f64], share: f64) -> Vec<f64> {
    let others =
        |i: usize| -> f64 { prob_best.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, a)| a).sum() };
    let odds: Vec<f64> =
        (0..prob_best.len()).map(|i| prob_best[i] / others(i).max(f64::MIN_POSITIVE)).collect();
    let challenger = |i: usize| -> f64 {
        let leaders = odds.iter().enumerate().filter(|(j, _)| *j != i);
        // The product first: the odds of a certain leader are nearly infinite, and the others' chances nearly 0.
        leaders.map(|(_, odds)| prob_best[i] * odds).sum()
    };
    let played: Vec<f64> =
        (0..prob_best.len()).map(|i| share * prob_best[i] + (1.0 - share) * challenger(i)).collect();
    let sum: f64 = played.iter().sum();
    played.iter().map(|psi| if sum > 0.0 { psi / sum } else { 0.0 }).collect()
}

/// The fractions of games for each case by OCBA, the optimal computing budget allocation: as many for a case as its noise and
/// its closeness to the best one demand. `deviations` are those of one observation. Differences from the best mean count as at
/// least 0.001, because equal cases would take every game.
///
/// ```text
/// Nᵢ/Nₖ = ((σᵢ/δᵢ)/(σₖ/δₖ))² for i and k other than the best b, δᵢ = m_b − mᵢ;  N_b = σ_b·√Σ (Nᵢ/σᵢ)²
/// ```
///
/// Source: Chen, Lin, Yücesan, Chick, "Simulation budget allocation for further enhancing the efficiency of ordinal
/// optimization", Discrete Event Dynamic Systems 10 (2000).
#[must_use]
pub fn ocba(means: &[f64], deviations: &[f64]) -> Vec<f64> {
    let Some(best) = (0..means.len()).rev().max_by(|&a, &b| means[a].total_cmp(&means[b])) else {
        return Vec::new();
    };
    if means.len() == 1 {
        return vec![1.0];
    }
    let deviation = |i: usize| deviations[i].max(NARROWEST);
    let mut games: Vec<f64> = (0..means.len())
        .map(|i| if i == best { 0.0 } else { (deviation(i) / (means[best] - means[i]).max(0.001)).powi(2) })
        .collect();
    let squares: f64 = (0..means.len()).map(|i| (games[i] / deviation(i)).powi(2)).sum();
    games[best] = deviation(best) * squares.sqrt();
    let sum: f64 = games.iter().sum();
    games.iter().map(|n| n / sum).collect()
}

/// A round of sequential halving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Cases that play.
    pub cases: u64,
    /// Pairs that each of them plays.
    pub pairs_each: u64,
}

/// The rounds of sequential halving: ⌈log_eta(cases)⌉ rounds with equal parts of the budget, each of which keeps the best
/// 1/eta of the cases. Empty for fewer than two cases or an `eta` below 2.
///
/// Source: Karnin, Koren, Somekh, "Almost optimal exploration in multi-armed bandits", ICML 2013.
#[must_use]
pub fn halving(cases: u64, budget_pairs: u64, eta: u64) -> Vec<Round> {
    if eta < 2 {
        return Vec::new();
    }
    let mut left = Vec::new();
    let mut playing = cases;
    while playing > 1 {
        left.push(playing);
        playing = playing.div_ceil(eta);
    }
    let rounds = left.len() as u64;
    left.into_iter().map(|cases| Round { cases, pairs_each: budget_pairs / (rounds * cases) }).collect()
}
