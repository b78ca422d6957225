//! The generalised sequential probability ratio test of pairs.

use crate::brownian::Stopped;
use crate::counts::{Moments, PairCounts};
use crate::elo::{NORMALISED_ELO, elo_difference, expected_score};
use crate::multinomial::{llr_of_means, llr_of_normalised_elo};
use crate::shape::Shape;
use crate::solve::{NoSolution, crossing};
use crate::walk::{self, Estimate};
use std::cmp::Ordering;
use std::ops::RangeInclusive;
use thiserror::Error;

/// The two hypotheses of a test, the lower one first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hypotheses {
    /// Elo differences on the logistic scale.
    Elo(f64, f64),
    /// Scores, strictly between 0 and 1.
    Score(f64, f64),
    /// Differences in normalised Elo. The length of the test then depends neither on draws nor on the first move.
    NormalisedElo(f64, f64),
}

/// A test of H1 against H0: after every pair, the log-likelihood ratio is compared with Wald's bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    pub(crate) hypotheses: Hypotheses,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
}

/// Why a test cannot exist.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum InvalidSprt {
    /// The hypotheses are not in ascending order.
    #[error("the first hypothesis must be below the second one, and {0} is not below {1}")]
    Order(f64, f64),
    /// A score is out of range.
    #[error("the score {0} is not between {min} and {max}", min = SCORES.start(), max = SCORES.end())]
    Score(f64),
    /// A difference is out of range.
    #[error("the difference {0} is not between {min} and {max}", min = ELO.start(), max = ELO.end())]
    Elo(f64),
    /// An error rate is not between 0 and 0.5.
    #[error("the error rate {0} is not between 0 and 0.5")]
    ErrorRate(f64),
}

/// Elo differences beyond which the Brownian estimate is not used.
const SMALL: f64 = 100.0;

/// Differences of hypotheses in Elo and in normalised Elo. ±1000 Elo are the rates 0.3 and 99.7 %. ±1000 in normalised Elo are 2.8 and 97.2 %
/// where games are independent and none is drawn.
pub(crate) const ELO: RangeInclusive<f64> = -1000.0..=1000.0;

/// Scores of hypotheses.
pub(crate) const SCORES: RangeInclusive<f64> = 0.001..=0.999;

/// Rates between which the likelihood ratio of a walk is interpolated.
const RATES: usize = 64;

/// The scores between which estimates are sought: ±1000 Elo.
const LIMITS: (f64, f64) = (0.003_152_309_053_2, 0.996_847_690_946_8);

impl Sprt {
    /// A test with error rates `alpha`, to accept H1 where H0 is true, and `beta`, to accept H0 where H1 is true.
    ///
    /// # Errors
    /// When the hypotheses are not in ascending order, or a number is outside its range.
    pub fn new(hypotheses: Hypotheses, alpha: f64, beta: f64) -> Result<Self, InvalidSprt> {
        let (first, second) = match hypotheses {
            Hypotheses::Score(s0, s1) => (s0, s1),
            Hypotheses::Elo(e0, e1) | Hypotheses::NormalisedElo(e0, e1) => (e0, e1),
        };
        for end in [first, second] {
            match hypotheses {
                Hypotheses::Score(..) if !SCORES.contains(&end) => return Err(InvalidSprt::Score(end)),
                Hypotheses::Score(..) => {}
                _ if !ELO.contains(&end) => return Err(InvalidSprt::Elo(end)),
                _ => {}
            }
        }
        for rate in [alpha, beta] {
            if !(rate > 0.0 && rate < 0.5) {
                return Err(InvalidSprt::ErrorRate(rate));
            }
        }
        if first >= second {
            return Err(InvalidSprt::Order(first, second));
        }
        Ok(Self { hypotheses, alpha, beta })
    }

    /// Wald's bounds of the log-likelihood ratio: ln(β/(1 − α)), at which H0 is accepted, and ln((1 − β)/α), at which H1
    /// is accepted.
    ///
    /// Source: Wald, "Sequential tests of statistical hypotheses", Ann. Math. Statist. 16 (1945).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The generalised log-likelihood ratio of H1 over H0 ([`llr_of_means`]). 0 without pairs.
    ///
    /// # Errors
    /// When the likeliest distribution of a hypothesis was not found.
    pub fn llr(&self, counts: &PairCounts) -> Result<f64, NoSolution> {
        if counts.pairs() == 0 { Ok(0.0) } else { self.ratio(&counts.by_score()) }
    }

    /// As [`Sprt::llr`], from the numbers of pairs with the scores 0, ¼, ½, ¾ and 1.
    pub(crate) fn ratio(&self, results: &[f64; 5]) -> Result<f64, NoSolution> {
        match self.hypotheses {
            Hypotheses::NormalisedElo(e0, e1) => llr_of_normalised_elo(results, e0, e1),
            Hypotheses::Elo(e0, e1) => llr_of_means(results, expected_score(e0), expected_score(e1)),
            Hypotheses::Score(s0, s1) => llr_of_means(results, s0, s1),
        }
    }

    /// The rates of the hypotheses, for pairs of this kind.
    ///
    /// # Errors
    /// When no such pairs have the normalised Elo of a hypothesis.
    pub fn rates(&self, kind: &Shape) -> Result<(f64, f64), NoSolution> {
        match self.hypotheses {
            Hypotheses::NormalisedElo(e0, e1) => {
                Ok((kind.with_normalised_elo(e0)?.mean(), kind.with_normalised_elo(e1)?.mean()))
            }
            Hypotheses::Elo(e0, e1) => Ok((expected_score(e0), expected_score(e1))),
            Hypotheses::Score(s0, s1) => Ok((s0, s1)),
        }
    }

    /// The scores of the hypotheses near 50 %, for pairs with this variance of their scores.
    fn scores(&self, pair_variance: f64) -> (f64, f64) {
        let score = |elo: f64| 0.5 + elo / NORMALISED_ELO * (2.0 * pair_variance).sqrt();
        match self.hypotheses {
            Hypotheses::Elo(e0, e1) => (expected_score(e0), expected_score(e1)),
            Hypotheses::Score(s0, s1) => (s0, s1),
            Hypotheses::NormalisedElo(e0, e1) => (score(e0), score(e1)),
        }
    }

    /// The log-likelihood ratio at a true rate as Brownian motion per pair, with drift (s − (s₀ + s₁)/2)(s₁ − s₀)/v and
    /// variance (s₁ − s₀)²/v.
    fn motion(&self, rate: f64, pair_variance: f64) -> Stopped {
        let (s0, s1) = self.scores(pair_variance);
        let (lower, upper) = self.bounds();
        let drift = (rate - f64::midpoint(s0, s1)) * (s1 - s0) / pair_variance;
        Stopped { lower, upper, drift, variance: (s1 - s0).powi(2) / pair_variance }
    }

    /// The probability of a better outcome than this one: an earlier acceptance of H1, or H1 instead of H0, or a later
    /// acceptance of H0. `counts` are the pairs at the stop.
    #[must_use]
    pub fn better(&self, counts: &PairCounts, rate: f64) -> Option<f64> {
        let moments = regular(counts)?;
        let (time, place) = self.outcome(&moments);
        Some(self.motion(rate, moments.pair_variance).above(time, place))
    }

    /// The pairs and the ratio of the Brownian motion at the stop. A ratio beyond its bound is moved back along a line
    /// from 0. The ratio is the motion's own, which grows with the mean score, and not the exact one: an estimate from a
    /// test without bounds is then the mean score.
    fn outcome(&self, moments: &Moments) -> (f64, f64) {
        let (lower, upper) = self.bounds();
        let llr = moments.pairs * self.motion(moments.rate, moments.pair_variance).drift;
        let place = llr.clamp(lower, upper);
        let time = if place == llr { moments.pairs } else { moments.pairs * place / llr };
        (time, place)
    }

    /// The median-unbiased estimate of the rate after a test that ended at these pairs, and its interval.
    ///
    /// The mean of the games up to the stop is biased: a test that accepts H1 tends to end at a peak. The estimate is the
    /// true rate at which a better outcome is as probable as a worse one. Up to 256 pairs, and beyond ±100 Elo, it is that of
    /// the random walk of these pairs. A longer test near 50 % is taken for stopped Brownian motion with the observed
    /// variance, as in fishtest. None without pairs, or when `confidence` is not between 0 and 1.
    ///
    /// Source: Siegmund, *Sequential Analysis* (1985), section 3.5; fishtest reports the same estimate of a long test.
    ///
    /// # Errors
    /// When a rate was not found.
    pub fn estimate(&self, counts: &PairCounts, confidence: f64) -> Result<Option<Estimate>, NoSolution> {
        let inside = confidence > 0.0 && confidence < 1.0;
        let Some(moments) = regular(counts).filter(|_| inside) else { return Ok(None) };
        let is_far = elo_difference(moments.rate).is_none_or(|elo| elo.abs() > SMALL);
        if is_far || counts.pairs() <= walk::STEPS as u64 {
            return self.estimate_of_walk(counts, confidence);
        }
        let (time, place) = self.outcome(&moments);
        let above = |rate: f64| self.motion(rate, moments.pair_variance).above(time, place);
        let at = |probability: f64| rate_with(&above, probability, moments.rate, moments.standard_error());
        let alpha = 1.0 - confidence;
        let (low, high) = (at(alpha / 2.0)?, at(1.0 - alpha / 2.0)?);
        Ok(Some(Estimate { rate: at(0.5)?, is_corrected: true, low, high }))
    }

    /// As [`Sprt::estimate`], by the random walk. The likelihood ratio is a function of all five counts; the walk takes that of
    /// the pairs' distribution with the mean that it has reached.
    fn estimate_of_walk(&self, counts: &PairCounts, confidence: f64) -> Result<Option<Estimate>, NoSolution> {
        let Some(shape) = Shape::of(counts) else { return Ok(None) };
        let pairs = counts.pairs() as f64;
        let ratio = |i: usize| {
            let rate = (i as f64 / RATES as f64).clamp(1e-4, 1.0 - 1e-4);
            Ok(self.ratio(&shape.with_mean(rate)?.probabilities().map(|p| p * pairs))? / pairs)
        };
        let per_pair = (0..=RATES).map(ratio).collect::<Result<Vec<f64>, NoSolution>>()?;
        let (lower, upper) = self.bounds();
        let bounds = |pairs: f64, rate: f64| {
            let place = rate * RATES as f64;
            let below = (place as usize).min(RATES - 1);
            let share = place - below as f64;
            let ratio = pairs * (per_pair[below] * (1.0 - share) + per_pair[below + 1] * share);
            if ratio >= upper {
                Ordering::Greater
            } else if ratio <= lower {
                Ordering::Less
            } else {
                Ordering::Equal
            }
        };
        walk::after(counts, &shape, confidence, &bounds)
    }
}

/// Moments with counts of 0 replaced as in the likelihood ratio, so that the variance is positive.
fn regular(counts: &PairCounts) -> Option<Moments> {
    let moments = counts.moments()?;
    let results = counts.by_score().map(|count| if count == 0.0 { 1e-3 } else { count });
    let scored = || results.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
    let pairs: f64 = results.iter().sum();
    let rate = scored().map(|(count, score)| count * score).sum::<f64>() / pairs;
    let pair_variance = scored().map(|(count, score)| count * (score - rate).powi(2)).sum::<f64>() / pairs;
    Some(Moments { pairs, rate, pair_variance, ..moments })
}

/// The rate at which the rising function has this value, or the end of [`LIMITS`] next to it. The search widens from `near`, so that
/// the function is not computed far from the root, where it loses all digits.
fn rate_with(above: &dyn Fn(f64) -> f64, value: f64, near: f64, step: f64) -> Result<f64, NoSolution> {
    let (least, most) = LIMITS;
    let (mut low, mut high, mut step) = (near.clamp(least, most), near.clamp(least, most), step.max(1e-6));
    while above(low) > value && low > least {
        low = (low - step).max(least);
        step *= 2.0;
    }
    while above(high) < value && high < most {
        high = (high + step).min(most);
        step *= 2.0;
    }
    if above(low) > value {
        return Ok(least);
    }
    if above(high) < value {
        return Ok(most);
    }
    crossing(&mut |rate| above(rate) - value, (low, high), 0.0)
        .ok_or(NoSolution("the rate at which a better outcome has a given probability"))
}
