//! How often a sequential test accepts H1, and after how many pairs it ends on average.
//!
//! The log-likelihood ratio of N pairs is N·g(p̂), a function of the observed frequencies p̂. Near the true ones p, it is a random walk with
//! the increments g(p) + ∂g(p)·(e − p), where e is the next pair, plus a term of the second order with the mean ½·Σ pᵢ·(eᵢ − p)ᵀ∂²g(eᵢ − p).
//! A long test is this walk. It is taken for Brownian motion whose bounds are moved by the mean of that term, and by how far a walk jumps
//! past a bound. For the chance that H1 is accepted, the bounds stay: the jumps make errors rarer, and the spread of that term makes them
//! more frequent, about as much.
//!
//! In a short test a pair says so much that neither is small. It is played with random pairs, always the same ones.
//!
//! Source: Siegmund, *Sequential Analysis* (1985), chapters 3 and 10; the overshoot, his "Corrected diffusion approximations in certain
//! random walk problems", Adv. Appl. Prob. 11 (1979).

use crate::brownian::Stopped;
use crate::shape::Shape;
use crate::solve::NoSolution;
use crate::sprt::Sprt;
use crate::walk::OVERSHOOT;
use std::collections::HashMap;

/// What a test does on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Characteristics {
    /// The probability that H1 is accepted.
    pub pass: f64,
    /// The mean number of pairs until a decision.
    pub pairs: f64,
}

/// A test that takes fewer pairs on average is played.
const SHORT: f64 = 40.0;

/// Pairs that are played for a number, and the fewest and most tests of them.
const PLAYED: f64 = 200_000.0;
const TESTS: (f64, f64) = (5_000.0, 20_000.0);

/// A test is given up at so many times its length.
const MOST: f64 = 1_000.0;

/// Pairs with the frequencies of which the ratio is computed: so many that an unseen score does not matter.
const MANY: f64 = 1e9;

/// The ratios that are remembered.
const REMEMBERED: usize = 200_000;

impl Sprt {
    /// What the test does for pairs of these distributions.
    ///
    /// # Errors
    /// When a likelihood ratio was not found.
    pub fn characteristics(&self, truths: &[Shape]) -> Result<Vec<Characteristics>, NoSolution> {
        let mut known = HashMap::new();
        let one = |truth: &Shape| {
            let walk = Walk::of(self, truth)?;
            let pairs = walk.motion(self.bounds()).mean_time();
            if pairs < SHORT {
                return self.played(truth, &walk, pairs, &mut known);
            }
            let (lower, upper) = self.bounds();
            let pass = Stopped { lower, upper, drift: walk.drift, variance: walk.variance }.pass();
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
        let tests = (PLAYED / about.max(1.0)).clamp(TESTS.0, TESTS.1) as u32;
        let most = (MOST * about.max(1.0)) as u64;
        let mut random = Random(1);
        let (mut passed, mut pairs) = (0_u32, 0_u64);
        for _ in 0..tests {
            let mut counts = [0_u32; 5];
            let (mut played, mut look) = (0_u64, 1);
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
                        if known.len() < REMEMBERED {
                            known.insert(counts, ratio);
                        }
                        ratio
                    }
                };
                if ratio >= upper || ratio <= lower {
                    passed += u32::from(ratio >= upper);
                    break;
                }
                // Far from the bounds, no pair ends the test.
                let distance = (upper - ratio).min(ratio - lower);
                look = played + 1 + (distance / (2.0 * walk.largest)) as u64;
            }
            pairs += played;
        }
        let tests = f64::from(tests);
        Ok(Characteristics { pass: f64::from(passed) / tests, pairs: pairs as f64 / tests })
    }
}

/// The ratio as a random walk.
struct Walk {
    drift: f64,
    variance: f64,
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
        let mut walk = Self { drift, variance: 0.0, largest: 0.0, offset: 0.0 };
        for score in (0..5).filter(|score| p[*score] > 0.0) {
            // A little more of this score, and a little less.
            let part = (p[score] / 4.0).min(1e-4);
            let moved = |part: f64| {
                ratio(std::array::from_fn(|i| p[i] + part * (f64::from(u8::from(i == score)) - p[i])))
            };
            let (more, less) = (moved(part)?, moved(-part)?);
            let increment = (more - less) / (2.0 * part);
            walk.variance += p[score] * increment * increment;
            walk.largest = walk.largest.max((drift + increment).abs());
            walk.offset += p[score] / 2.0 * (more + less - 2.0 * drift) / (part * part);
        }
        Ok(walk)
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
