//! The generalised sequential probability ratio test of pairs.

use crate::counts::PairCounts;
use crate::elo::expected_score;
use crate::multinomial::llr_of_means;
use crate::shape::Shape;
use crate::solve::NoSolution;
use crate::standardised::llr_of_normalised_elo;
use crate::walk::{self, Bounds, Estimate, Stops};
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

/// Differences of hypotheses in Elo and in normalised Elo. ±1000 Elo are the rates 0.3 and 99.7 %. ±1000 in normalised Elo are
/// 2.8 and 97.2 % where games are independent and none is drawn.
pub(crate) const ELO: RangeInclusive<f64> = -1000.0..=1000.0;

/// Scores of hypotheses.
pub(crate) const SCORES: RangeInclusive<f64> = 0.001..=0.999;

/// Rates between which the likelihood ratio of a walk is interpolated.
const RATES: usize = 64;

/// Means of distributions that are closer to 0 and 1 are taken for these.
const NOT_ALL_ALIKE: (f64, f64) = (1e-4, 1.0 - 1e-4);

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

    /// The median-unbiased estimate of the rate after a test that ended at these pairs, and its interval.
    ///
    /// The mean of the games up to the stop is biased: a test that accepts H1 tends to end at a peak. The estimate is the true
    /// rate at which a better outcome is as probable as a worse one, for the random walk of these pairs. None without pairs, or
    /// when `confidence` is not between 0 and 1.
    ///
    /// Source: Siegmund, *Sequential Analysis* (1985), section 3.5; fishtest reports the estimate of Brownian motion, the limit
    /// of long tests.
    ///
    /// # Errors
    /// When a rate was not found.
    pub fn estimate(&self, counts: &PairCounts, confidence: f64) -> Result<Option<Estimate>, NoSolution> {
        if confidence > 0.0 && confidence < 1.0 { walk::after(counts, confidence, self) } else { Ok(None) }
    }

    /// The side on which a ratio is.
    fn side(&self, ratio: f64) -> Ordering {
        let (lower, upper) = self.bounds();
        if ratio >= upper {
            Ordering::Greater
        } else if ratio <= lower {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }

    /// The ratio of so many pairs of this kind with this mean.
    fn ratio_of(&self, shape: &Shape, pairs: f64, rate: f64) -> Result<f64, NoSolution> {
        let (least, most) = NOT_ALL_ALIKE;
        self.ratio(&shape.with_mean(rate.clamp(least, most))?.probabilities().map(|p| p * pairs))
    }
}

/// The likelihood ratio is a function of all five counts; a walk takes that of the pairs' distribution with the mean that it has
/// reached.
impl Stops for Sprt {
    fn at(&self, shape: &Shape, pairs: f64, rate: f64) -> Result<Ordering, NoSolution> {
        Ok(self.side(self.ratio_of(shape, pairs, rate)?))
    }

    fn bounds(&self, shape: &Shape, pairs: f64) -> Result<Bounds<'_>, NoSolution> {
        let ratio = |i: usize| Ok(self.ratio_of(shape, pairs, i as f64 / RATES as f64)? / pairs);
        let per_pair = (0..=RATES).map(ratio).collect::<Result<Vec<f64>, NoSolution>>()?;
        Ok(Box::new(move |pairs, rate| {
            let place = rate * RATES as f64;
            let below = (place as usize).min(RATES - 1);
            let share = place - below as f64;
            self.side(pairs * (per_pair[below] * (1.0 - share) + per_pair[below + 1] * share))
        }))
    }
}
