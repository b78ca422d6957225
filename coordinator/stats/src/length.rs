//! The probability that a sequential test accepts H1, and the mean number of pairs until it ends.
//!
//! The log-likelihood ratio of N pairs is N·g(p̂), a function of the observed frequencies p̂. Near the true ones p, it is a
//! random walk with the increments g(p) + ∂g(p)·(e − p), where e is the next pair, plus a term of the second order with the mean
//! ½·Σ pᵢ·(eᵢ − p)ᵀ∂²g(eᵢ − p). A long test is this walk. For its length, it is taken for Brownian motion whose bounds are moved
//! by the mean of that term, and by how far a walk jumps past a bound.
//!
//! The chance that the test ends at the bound to which it does not drift falls by e^(−κ) for each unit of the bound's distance.
//! Pairs reach that bound where their frequencies q happen to be far from p, and there g is no longer its tangent at p: κ is the
//! least K(q, p)/g(q), with the relative entropy K. The q of a given mean that is closest to p is p tilted, which leaves one
//! number to search. Where p has the rate of H0, κ is 1 for the bound of H1, as in Wald's test of two distributions. The bounds
//! stay: the jumps make errors rarer, and the spread of the term of the second order makes them more frequent, about as much.
//!
//! Where a single pair says much, neither is small. Such a test is played with random pairs, always the same ones, and Wald's
//! identities tell how lucky the pairs were: control variates, as in Law, *Simulation Modeling and Analysis* (2015), section
//! 11.4.
//!
//! Sources: Siegmund, *Sequential Analysis* (1985), chapters 3 and 10; the overshoot, his "Corrected diffusion approximations in
//! certain random walk problems", Adv. Appl. Prob. 11 (1979); large deviations of such ratios, Woodroofe, *Nonlinear Renewal
//! Theory in Sequential Analysis* (1982).

use crate::brownian::Stopped;
use crate::matrix::Symmetric;
use crate::shape::Shape;
use crate::solve::NoSolution;
use crate::sprt::{Hypotheses, Sprt};
use crate::walk::OVERSHOOT;
use std::collections::HashMap;

/// The characteristics of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Characteristics {
    /// The probability that H1 is accepted.
    pub pass: f64,
    /// The mean number of pairs until a decision.
    pub pairs: f64,
}

/// A test is played if it takes fewer pairs on average than this, times the kurtosis of a pair's increment: then Brownian motion
/// errs by more than a point.
const SHORT: f64 = 40.0;

/// A test is played, too, if a pair can move the ratio by this part of the way to a bound, ...
const COARSE: f64 = 0.3;

/// ... unless it takes more pairs than this.
const LONG: f64 = 1_000.0;

/// Tests that are played for a number at least and at most, and the ratios that are computed for them.
const TESTS: (u32, u32) = (2_000, 20_000);
const RATIOS: u32 = 60_000;

/// The pairs that are played, in units of the kurtosis, from which on their luck is taken out.
const SEEN: f64 = 1_000.0;

/// What a ratio of normalised Elo costs, in ratios of means.
const NORMALISED: u32 = 5;

/// Where the drift times the distance of the bounds is less than this, the tangent serves.
const NO_DRIFT: f64 = 0.1;

/// Places in a search for the smallest κ, and the number of searches, each around the best place of the one before.
const PLACES: u32 = 24;
const SEARCHES: u32 = 3;

/// A played test is abandoned at so many times its length.
const MOST: f64 = 1_000.0;

/// Pairs with the frequencies of which the ratio is computed: so many that an unseen score does not matter.
const MANY: f64 = 1e9;

/// The ratios that are remembered.
const REMEMBERED: usize = 200_000;

impl Sprt {
    /// The characteristics of the test for pairs of these distributions.
    ///
    /// # Errors
    /// When a likelihood ratio was not found.
    pub fn characteristics(&self, truths: &[Shape]) -> Result<Vec<Characteristics>, NoSolution> {
        let mut known = HashMap::new();
        let one = |truth: &Shape| {
            let walk = Walk::of(self, truth)?;
            let pairs = walk.motion(self.bounds()).mean_time();
            let (lower, upper) = self.bounds();
            let is_coarse = walk.largest > COARSE * upper.min(-lower);
            if pairs < LONG && (is_coarse || pairs < SHORT * walk.kurtosis) {
                return self.played(truth, &walk, pairs, &mut known);
            }
            let pass = Stopped { lower, upper, ..walk.errors(self, truth)? }.pass();
            Ok(Characteristics { pass, pairs })
        };
        truths.iter().map(one).collect()
    }

    /// The outcomes of tests with random pairs, about this long.
    fn played(
        &self,
        truth: &Shape,
        walk: &Walk,
        about: f64,
        known: &mut HashMap<[u32; 5], f64>,
    ) -> Result<Characteristics, NoSolution> {
        let (lower, upper) = self.bounds();
        let cost = if matches!(self.hypotheses, Hypotheses::NormalisedElo(..)) { NORMALISED } else { 1 };
        let most = (MOST * about.max(1.0)) as u64;
        let mut random = Random(1);
        let (mut tests, mut spent) = (0, 0);
        let (mut squares, mut passes, mut lengths) = (Symmetric::zeros(3), [0.0; 3], [0.0; 3]);
        while tests < TESTS.0 || tests < TESTS.1 && spent < RATIOS {
            tests += 1;
            let mut counts = [0_u32; 5];
            let (mut played, mut look, mut passed) = (0_u64, 1, false);
            while played < most {
                counts[random.score(truth)] += 1;
                played += 1;
                if played < look {
                    continue;
                }
                let ratio = match known.get(&counts) {
                    Some(ratio) => *ratio,
                    None => {
                        let ratio = self.ratio(&counts.map(f64::from))?;
                        spent += cost;
                        if known.len() < REMEMBERED {
                            known.insert(counts, ratio);
                        }
                        ratio
                    }
                };
                if ratio >= upper || ratio <= lower {
                    passed = ratio >= upper;
                    break;
                }
                // Far from the bounds, no pair ends the test.
                let distance = (upper - ratio).min(ratio - lower);
                look = played + 1 + (distance / (2.0 * walk.largest)) as u64;
            }
            // Of the increments without the drift, the true mean of the sum is 0, and that of its square is the sum of their
            // variances. The regression on both takes out what luck did to them, and so to the outcome.
            let sum =
                counts.iter().zip(walk.increments).map(|(count, by)| f64::from(*count) * by).sum::<f64>();
            let row = [1.0, sum / upper, (sum * sum - played as f64 * walk.variance) / (upper * upper)];
            squares.add_square(&row, 1.0);
            for (place, known) in row.iter().enumerate() {
                passes[place] += if passed { *known } else { 0.0 };
                lengths[place] += known * played as f64;
            }
        }
        let tests = f64::from(tests);
        // Increments so rare that few were played are useless as control variates.
        let root = squares.cholesky().filter(|_| lengths[0] > SEEN * walk.kurtosis);
        let mean = |sums: &[f64; 3]| root.as_ref().map_or(sums[0] / tests, |root| root.solve(sums)[0]);
        Ok(Characteristics { pass: mean(&passes).clamp(0.0, 1.0), pairs: mean(&lengths).max(1.0) })
    }
}

/// The ratio as a random walk.
struct Walk {
    drift: f64,
    variance: f64,
    /// What a pair of each score adds, without the drift.
    increments: [f64; 5],
    /// The mean of the fourth power of an increment, divided by the square of the variance.
    kurtosis: f64,
    /// The largest increment, to either side.
    largest: f64,
    /// The mean of the term of the second order.
    offset: f64,
}

impl Walk {
    fn of(test: &Sprt, truth: &Shape) -> Result<Self, NoSolution> {
        let p = truth.probabilities();
        let ratio = |p: [f64; 5]| Ok(test.ratio(&p.map(|p| p * MANY))? / MANY);
        let drift = ratio(p)?;
        let mut walk =
            Self { drift, variance: 0.0, increments: [0.0; 5], kurtosis: 0.0, largest: 0.0, offset: 0.0 };
        for score in (0..5).filter(|score| p[*score] > 0.0) {
            // A little more of this score, and a little less.
            let part = (p[score] / 4.0).min(1e-4);
            let moved = |part: f64| {
                ratio(std::array::from_fn(|i| p[i] + part * (f64::from(u8::from(i == score)) - p[i])))
            };
            let (more, less) = (moved(part)?, moved(-part)?);
            let increment = (more - less) / (2.0 * part);
            walk.increments[score] = increment;
            walk.variance += p[score] * increment * increment;
            walk.kurtosis += p[score] * increment.powi(4);
            walk.largest = walk.largest.max((drift + increment).abs());
            walk.offset += p[score] / 2.0 * (more + less - 2.0 * drift) / (part * part);
        }
        walk.kurtosis /= walk.variance.powi(2);
        Ok(walk)
    }

    /// The Brownian motion that errs as often as the walk does, between bounds that are to be set: its 2·drift/variance is κ.
    fn errors(&self, test: &Sprt, truth: &Shape) -> Result<Stopped, NoSolution> {
        let (lower, upper) = test.bounds();
        let tangent = 2.0 * self.drift / self.variance;
        let motion = |kappa: f64| Stopped { lower, upper, drift: kappa / 2.0, variance: 1.0 };
        if tangent.abs() * (upper - lower) < NO_DRIFT {
            return Ok(motion(tangent));
        }
        // Against the drift. If the ratio were its tangent, the exponent of the closest distribution would be this one.
        let against = -tangent.signum();
        let near = against * tangent.abs() * (self.variance / truth.variance()).sqrt();
        let kappa = |exponent: f64| {
            let (log_sum, tilted) = truth.tilted(exponent);
            let ratio = against * test.ratio(&tilted.probabilities().map(|p| p * MANY))? / MANY;
            let entropy = exponent * tilted.mean() - log_sum;
            Ok(if ratio > 0.0 { entropy / ratio } else { f64::INFINITY })
        };
        let (mut middle, mut reach) = (2.0, 2.0);
        let mut least = f64::INFINITY;
        for _ in 0..SEARCHES {
            let from = middle - reach;
            for place in 1..PLACES {
                let share = from + 2.0 * reach * f64::from(place) / f64::from(PLACES);
                let found: f64 = kappa(share * near)?;
                if found < least {
                    (least, middle) = (found, share);
                }
            }
            reach *= 2.0 / f64::from(PLACES);
        }
        Ok(motion(if least.is_finite() { -against * least } else { tangent }))
    }

    /// The Brownian motion that stops as the walk does.
    fn motion(&self, (lower, upper): (f64, f64)) -> Stopped {
        let jump = OVERSHOOT * self.variance.sqrt();
        Stopped {
            lower: (lower - jump - self.offset).min(-jump),
            upper: (upper + jump - self.offset).max(jump),
            drift: self.drift,
            variance: self.variance,
        }
    }
}

/// SplitMix64: a small generator with a period of 2⁶⁴.
struct Random(u64);

impl Random {
    /// A score of a pair in quarters.
    fn score(&mut self, truth: &Shape) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mut rest = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        let p = truth.probabilities();
        for (score, p) in p.iter().enumerate() {
            if rest < *p {
                return score;
            }
            rest -= p;
        }
        p.iter().rposition(|p| *p > 0.0).unwrap_or(4)
    }
}
