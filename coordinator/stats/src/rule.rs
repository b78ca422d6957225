//! Stopping rules of a cell.
//!
//! A rule reads the pairs of a cell in the order of their numbers, up to the first pair that is not complete. So its
//! decision does not depend on the order in which results arrive, on how they are grouped, or on repetitions. The
//! decision belongs to the pair at which it is reached. Later pairs count for the estimate, and not for the decision.

use crate::counts::{Moments, PairCounts};
use crate::interval::wilson;
use crate::normal::{OutsideUnitInterval, two_sided};
use crate::permutation::allows_half;
use crate::sequence::{PRIOR, confidence_sequence, log_e_value};
use crate::shape::Shape;
use crate::solve::NoSolution;
use crate::sprt::Sprt;
use crate::summary::{effective, fixed_interval};
use crate::walk::{self, Bounds, Estimate, Stops};
use std::cmp::Ordering;
use thiserror::Error;

/// A stopping rule: when a cell needs no more pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A sequential test of two hypotheses.
    Sprt(Sprt),
    /// The interval of the rate is narrow enough.
    HalfWidth {
        /// Half of the width of the interval, in scores.
        half_width: f64,
        /// Which interval.
        interval: Interval,
        /// The confidence of the interval.
        confidence: f64,
    },
    /// The e-value against 50 % reaches 1/α.
    EValue {
        /// The chance that a cell of 50 % is ever called different.
        alpha: f64,
    },
}

/// Why a rule cannot judge some pairs.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RuleError {
    /// A confidence or an error rate of the rule is not between 0 and 1.
    #[error(transparent)]
    Outside(#[from] OutsideUnitInterval),
    /// A number of the rule was not found.
    #[error(transparent)]
    Unsolved(#[from] NoSolution),
}

/// A rule that would need more pairs counts as never deciding.
const MOST_PAIRS: u64 = 1 << 40;

fn half((low, high): (f64, f64)) -> f64 {
    (high - low) / 2.0
}

/// An interval of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// Wilson's interval on effective games. Its coverage after a stop at a fixed width tends to the confidence as the
    /// width shrinks (Chow and Robbins, Ann. Math. Statist. 36, 1965), because the width says little about the rate.
    Wilson,
    /// The confidence sequence, which needs about four times the games.
    Sequence,
}

/// The decision of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The test accepted the upper hypothesis.
    AcceptH1,
    /// The test accepted the lower hypothesis.
    AcceptH0,
    /// The interval is narrow enough.
    Precise,
    /// The rate is above 50 %.
    Better,
    /// The rate is below 50 %.
    Worse,
}

impl Rule {
    /// The number that the rule watches: the log-likelihood ratio of a test, the logarithm of the e-value, or half of the
    /// width of the interval. None without pairs.
    ///
    /// # Errors
    /// When a confidence of the rule is not between 0 and 1, or the likelihood ratio of a test was not found.
    pub fn measure(&self, counts: &PairCounts) -> Result<Option<f64>, RuleError> {
        let Some(moments) = counts.moments() else { return Ok(None) };
        Ok(Some(match self {
            Rule::Sprt(sprt) => sprt.llr(counts)?,
            Rule::HalfWidth { interval: Interval::Wilson, confidence, .. } => {
                fixed_interval(counts, two_sided(*confidence)?).map_or(0.5, half)
            }
            _ => self.measure_of(&moments, counts.points())?,
        }))
    }

    /// As [`Rule::measure`], of a rule that is no test.
    fn measure_of(&self, moments: &Moments, points: f64) -> Result<f64, OutsideUnitInterval> {
        let games = 2.0 * moments.pairs;
        Ok(match *self {
            Rule::HalfWidth { interval: Interval::Sequence, confidence, .. } => {
                half(confidence_sequence(points, games, confidence, PRIOR)?)
            }
            Rule::HalfWidth { confidence, .. } => {
                let (draw_rate, _, games) = effective(moments);
                half(wilson(moments.rate, draw_rate, games, two_sided(confidence)?))
            }
            Rule::EValue { .. } | Rule::Sprt(_) => log_e_value(points, games, 0.5, PRIOR),
        })
    }

    /// The number of games of all pairs at which the rule decides, if the pairs go on in these proportions. None for a test,
    /// whose length [`Sprt::characteristics`] tells, without pairs, and where the rule would never decide.
    ///
    /// # Errors
    /// As [`Rule::decide`].
    pub fn games_needed(&self, counts: &PairCounts) -> Result<Option<u64>, RuleError> {
        let (Some(moments), (lower, upper)) = (counts.moments(), self.bounds()?) else { return Ok(None) };
        if matches!(self, Rule::Sprt(_)) {
            return Ok(None);
        }
        let decides = |pairs: u64| {
            let pairs = pairs as f64;
            let value = self.measure_of(&Moments { pairs, ..moments }, 2.0 * pairs * moments.rate)?;
            Ok::<_, RuleError>(
                upper.is_some_and(|upper| value >= upper) || lower.is_some_and(|lower| value <= lower),
            )
        };
        let mut most = 1;
        while !decides(most)? {
            most *= 2;
            if most > MOST_PAIRS {
                return Ok(None);
            }
        }
        let mut least = most / 2;
        while most - least > 1 {
            let middle = u64::midpoint(least, most);
            if decides(middle)? { most = middle } else { least = middle }
        }
        Ok(Some(2 * most))
    }

    /// Where the rule decides: at or below the first of the numbers, and at or above the second.
    ///
    /// # Errors
    /// When the error rate of the rule is not between 0 and 1.
    pub fn bounds(&self) -> Result<(Option<f64>, Option<f64>), RuleError> {
        match *self {
            Rule::Sprt(sprt) => {
                let (lower, upper) = sprt.bounds();
                Ok((Some(lower), Some(upper)))
            }
            Rule::HalfWidth { half_width, .. } => Ok((Some(half_width), None)),
            Rule::EValue { alpha } if alpha > 0.0 && alpha < 1.0 => Ok((None, Some(-alpha.ln()))),
            Rule::EValue { alpha } => Err(OutsideUnitInterval(alpha).into()),
        }
    }

    /// The estimate of the rate after the rule stopped at these pairs, or read them all without a decision. None without pairs.
    ///
    /// After a test or an e-value, the rate is median-unbiased ([`Sprt::estimate`]). A rule of a half-width looks at the spread
    /// alone, so the mean and Wilson's interval need no correction. An interval contains ½ where no exact test of so many pairs,
    /// read without a stop, excludes ½.
    ///
    /// # Errors
    /// When a confidence or an error rate is not between 0 and 1, or the rates of the interval were not found.
    pub fn estimate(&self, counts: &PairCounts, confidence: f64) -> Result<Option<Estimate>, RuleError> {
        let z = two_sided(confidence)?;
        let found = match self {
            Rule::Sprt(sprt) => sprt.estimate(counts, confidence)?,
            Rule::EValue { .. } => {
                let upper = self.bounds()?.1.unwrap_or(f64::INFINITY);
                walk::after(counts, confidence, &EValueStops { upper })?
            }
            Rule::HalfWidth { .. } => {
                let known = counts.moments().zip(fixed_interval(counts, z));
                known.map(|(Moments { rate, .. }, (low, high))| Estimate {
                    rate,
                    is_corrected: false,
                    low,
                    high,
                })
            }
        };
        Ok(found.map(|found| {
            let excludes_half = found.low > 0.5 || found.high < 0.5;
            if excludes_half && allows_half(counts, 1.0 - confidence) {
                return Estimate { low: found.low.min(0.5), high: found.high.max(0.5), ..found };
            }
            found
        }))
    }

    /// The decision of the rule at these pairs, if it stops at them.
    ///
    /// # Errors
    /// When a confidence or an error rate of the rule is not between 0 and 1, or the likelihood ratio of a test was not found.
    pub fn decide(&self, counts: &PairCounts) -> Result<Option<Decision>, RuleError> {
        let Some(value) = self.measure(counts)? else { return Ok(None) };
        let (lower, upper) = self.bounds()?;
        let is_above = upper.is_some_and(|upper| value >= upper);
        let is_below = lower.is_some_and(|lower| value <= lower);
        Ok(match self {
            Rule::Sprt(_) if is_above => Some(Decision::AcceptH1),
            Rule::Sprt(_) if is_below => Some(Decision::AcceptH0),
            Rule::HalfWidth { .. } if is_below => Some(Decision::Precise),
            Rule::EValue { .. } if is_above => {
                let is_better = counts.points() > counts.pairs() as f64;
                Some(if is_better { Decision::Better } else { Decision::Worse })
            }
            _ => None,
        })
    }
}

/// The rule of an e-value, whatever the pairs' kind.
struct EValueStops {
    upper: f64,
}

impl EValueStops {
    fn side(&self, pairs: f64, rate: f64) -> Ordering {
        let log_e = log_e_value(2.0 * pairs * rate, 2.0 * pairs, 0.5, PRIOR);
        if log_e < self.upper { Ordering::Equal } else { rate.total_cmp(&0.5) }
    }
}

impl Stops for EValueStops {
    fn at(&self, _: &Shape, pairs: f64, rate: f64) -> Result<Ordering, NoSolution> {
        Ok(self.side(pairs, rate))
    }

    fn bounds(&self, _: &Shape, _: f64) -> Result<Bounds<'_>, NoSolution> {
        Ok(Box::new(|pairs, rate| self.side(pairs, rate)))
    }
}

/// How far a rule has read the pairs of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// The pairs read. Once a decision is reached, these are the pairs at the decision.
    pub counts: PairCounts,
    /// The decision.
    pub decision: Option<Decision>,
}

impl Reading {
    /// Reads further pairs in order: the number of the next pair is [`PairCounts::pairs`], and a pair is given by its
    /// category ([`PairCounts::category`]). Reading ends at the decision.
    ///
    /// # Errors
    /// As [`Rule::decide`].
    pub fn read(
        &mut self,
        rule: &Rule,
        categories: impl IntoIterator<Item = usize>,
    ) -> Result<(), RuleError> {
        for category in categories {
            if self.decision.is_some() {
                break;
            }
            self.counts.add(category);
            self.decision = rule.decide(&self.counts)?;
        }
        Ok(())
    }
}
