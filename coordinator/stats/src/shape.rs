//! Distributions of the score of a pair.

use crate::counts::PairCounts;
use crate::elo::NORMALISED_ELO;
use crate::solve::{NoSolution, crossing};
use crate::summary::SHRINKAGE_PAIRS;

/// Exponents of tilted distributions with a mean of 0.0001 or 0.9999 are closer to 0, whatever was seen.
const MOST_TILT: f64 = 300.0;

/// Steps of the search for a normalised Elo, as exponents.
const STEP: f64 = 0.25;

/// The distribution of the score of a pair, and those with other means: pᵢ·e^(θaᵢ), normalised. If games were independent and
/// none drawn, θ/2 would be the difference in strength in logits, whatever the advantage of the first move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shape([f64; 5]);

impl Shape {
    /// The distribution of these pairs, shrunk towards independent games: 30 imaginary pairs of them are added. None without
    /// pairs.
    #[must_use]
    pub fn of(counts: &PairCounts) -> Option<Self> {
        Self::of_part(counts, 1.0)
    }

    /// As [`Shape::of`], of this part of each number of pairs.
    pub(crate) fn of_part(counts: &PairCounts, part: f64) -> Option<Self> {
        let pairs = part * counts.pairs() as f64;
        if pairs <= 0.0 {
            return None;
        }
        let [wins, draws, losses] = counts.games().map(|games| part * games);
        // Half an imaginary game of either result: a game that was never lost may be lost.
        let all = 2.0 * pairs + 1.0;
        let Self(independent) = Self::of_games((wins + 0.5) / all, draws / all, (losses + 0.5) / all);
        let results = counts.by_score().map(|count| part * count);
        let sum = pairs + SHRINKAGE_PAIRS;
        Some(Self(std::array::from_fn(|i| (results[i] + SHRINKAGE_PAIRS * independent[i]) / sum)))
    }

    /// Pairs of independent games between equal players, of which this fraction is drawn. Of stronger and weaker players, fewer
    /// games are drawn: the exponent tells wins from draws as it tells draws from losses.
    #[must_use]
    pub fn independent(draw_rate: f64) -> Self {
        let decided = (1.0 - draw_rate) / 2.0;
        Self::of_games(decided, draw_rate, decided)
    }

    fn of_games(won: f64, drawn: f64, lost: f64) -> Self {
        Self([
            lost * lost,
            2.0 * lost * drawn,
            2.0 * won * lost + drawn * drawn,
            2.0 * won * drawn,
            won * won,
        ])
    }

    /// ln Σ pᵢe^(θaᵢ), and the distribution with this exponent.
    pub(crate) fn tilted(&self, exponent: f64) -> (f64, Self) {
        // The largest term is taken out, so that none is infinite.
        let largest = exponent.max(0.0);
        let terms: [f64; 5] =
            std::array::from_fn(|i| self.0[i] * (exponent * i as f64 / 4.0 - largest).exp());
        let sum: f64 = terms.iter().sum();
        (sum.ln() + largest, Self(terms.map(|term| term / sum)))
    }

    /// The distribution with this mean, above 0 and below 1.
    ///
    /// # Errors
    /// When it was not found: then all pairs score the same, or the mean is not between 0 and 1.
    pub fn with_mean(&self, mean: f64) -> Result<Self, NoSolution> {
        let exponent = root(&|exponent| self.tilted(exponent).1.mean() - mean, 1.0, MOST_TILT);
        exponent
            .filter(|exponent| exponent.abs() < MOST_TILT)
            .map(|exponent| self.tilted(exponent).1)
            .ok_or(NoSolution("pairs with a given rate"))
    }

    /// The distribution with this normalised Elo. Of several, the one that is closest to 50 %.
    ///
    /// # Errors
    /// When none was found: then all pairs score the same, or the difference is no number.
    pub fn with_normalised_elo(&self, elo: f64) -> Result<Self, NoSolution> {
        let even = root(&|exponent| self.tilted(exponent).1.mean() - 0.5, 1.0, MOST_TILT);
        let sign = if elo < 0.0 { -1.0 } else { 1.0 };
        // How far the distribution at this distance from 50 % is beyond the difference.
        let beyond = |even: f64, distance: f64| {
            let (_, there) = self.tilted(even + sign * distance);
            let (rate, deviation) = (there.mean(), (2.0 * there.variance()).sqrt());
            sign * ((rate - 0.5) * NORMALISED_ELO - elo * deviation)
        };
        let find = |even: f64| {
            if elo == 0.0 {
                return Some(even);
            }
            let places = || (0..=(MOST_TILT / STEP) as u32).map(|place| f64::from(place) * STEP);
            let far = places().find(|distance| *distance > 0.0 && beyond(even, *distance) >= 0.0)?;
            let distance = crossing(&mut |x| beyond(even, x), (far - STEP, far), 1e-13)?;
            Some(even + sign * distance)
        };
        let found = even.and_then(find).ok_or(NoSolution("pairs with a given normalised Elo"))?;
        Ok(self.tilted(found).1)
    }

    /// The mean score, which is the win rate.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.0.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, score)| p * score).sum()
    }

    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.0.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(p, score)| p * (score - mean).powi(2)).sum()
    }

    /// The probabilities of the scores 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn probabilities(&self) -> [f64; 5] {
        self.0
    }
}

/// The root of a rising function within ±`most`, or the end next to it. The search widens from 0 by `step`. None where a value is
/// no number.
pub(crate) fn root(rising: &dyn Fn(f64) -> f64, step: f64, most: f64) -> Option<f64> {
    let start = rising(0.0);
    if start == 0.0 {
        return Some(0.0);
    }
    let direction = if start > 0.0 { -1.0 } else { 1.0 };
    let (mut near, mut reach) = (0.0, step);
    loop {
        let far = direction * reach.min(most);
        let value = rising(far);
        if value.is_nan() {
            return None;
        }
        if value * direction >= 0.0 {
            let bracket = if near < far { (near, far) } else { (far, near) };
            return crossing(&mut |x| rising(x), bracket, 1e-10 * step);
        }
        if reach >= most {
            return Some(far);
        }
        near = far;
        reach *= 2.0;
    }
}
