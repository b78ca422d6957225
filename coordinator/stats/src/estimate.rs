//! The rate of a cell with its sampling variance: what comparisons between cells are made of.

use crate::counts::Moments;
use crate::{PairCounts, Summary};

/// A rate with the variance of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateEstimate {
    /// The rate, from 0 to 1.
    pub rate: f64,
    /// The variance of the rate's sampling error.
    pub variance: f64,
}

/// Imaginary pairs of independent games between equal players, added to cells whose pairs all have the same score: their
/// variance would be 0, and they would outweigh every other cell.
const IMAGINARY_PAIRS: f64 = 2.0;

/// The variance of the score of a pair of independent games between equal players without draws.
pub(crate) const LARGEST_PAIR_VARIANCE: f64 = 0.125;

impl RateEstimate {
    /// The estimate from a cell's complete pairs; none without pairs.
    ///
    /// With N pairs of score y, the rate is the mean s of y and the variance Σ(y − s)²/N². If all scores are equal, it is
    /// that of N + 2 pairs of which 2 have the variance 1/8.
    #[must_use]
    pub fn of(counts: &PairCounts) -> Option<Self> {
        let moments = counts.moments()?;
        let pairs = moments.pairs;
        let identical = counts.by_score().iter().filter(|count| **count > 0.0).count() == 1;
        let variance = if identical {
            IMAGINARY_PAIRS * LARGEST_PAIR_VARIANCE / (pairs + IMAGINARY_PAIRS) / pairs
        } else {
            moments.pair_variance / pairs
        };
        Some(Self { rate: moments.rate, variance })
    }

    /// The rate of a cell, with the variance that its effective games have if a game has the variance `of_a_game`. The variance
    /// that few pairs show is too small where their scores happen to agree.
    #[must_use]
    pub fn under(of_a_game: f64, cell: &Summary) -> Self {
        Self { rate: cell.rate, variance: of_a_game / cell.effective_games }
    }

    /// The estimate with an error that allows for a bias of up to `reach`, whose square is added to the variance.
    ///
    /// A normal error with the variance v and a bias b up to h leaves z·√(v + h²) no more often than one without bias leaves
    /// z·√v, for z from √3 on: |b| = h is the worst, and P(|Z + h/√v| > z·√(1 + h²/v)) does not grow with h, because its growth
    /// by the bias is outweighed by that of the bound from z² = 3 on.
    #[must_use]
    pub fn allowing(self, reach: f64) -> Self {
        Self { variance: self.variance + reach * reach, ..self }
    }

    /// The standard error of the rate.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// The number of independent games without draws whose rate would have this variance: s(1 − s)/v. At a rate of 0 or 1,
    /// where such games would have no variance, 1/√v, which is close to the number of games.
    #[must_use]
    pub fn effective_games(&self) -> f64 {
        let spread = self.rate * (1.0 - self.rate);
        if spread > 0.0 { spread / self.variance } else { 1.0 / self.error() }
    }
}

/// The variance s(1 − s) − d/4 of a game of all these cells together, with their mean rate s and draw rate d by effective games.
/// Half a won and half a lost game are added: equal results would leave no variance.
#[must_use]
pub fn common_variance<'c>(cells: impl IntoIterator<Item = &'c Summary>) -> f64 {
    let (mut points, mut draws, mut games) = (0.5, 0.0, 1.0);
    for cell in cells {
        points += cell.effective_games * cell.rate;
        draws += cell.effective_games * cell.draw_rate;
        games += cell.effective_games;
    }
    let rate = points / games;
    rate * (1.0 - rate) - draws / games / 4.0
}

/// The variances of the rates of cells on one size, of many cases.
///
/// The variance that few pairs of a cell show is too small where their scores happen to agree. So the cells have the variance
/// φ·μ(1 − μ)/2N of N pairs of independent games, with one dispersion φ: the variance of pairs within all cells, divided by that
/// of independent games, with 30 pairs of independent games added to both. μ is the rate of the cell, with `pairs_of_mean` pairs
/// of the mean rate of all cells added: 15 for the cell's own variance, infinitely many for a test that all cells have the same
/// rate.
///
/// Source: an estimated dispersion as in McCullagh, Nelder, *Generalized Linear Models* (1989), section 4.5.
#[must_use]
pub fn pooled_variances(cells: &[Moments], pairs_of_mean: f64) -> Vec<f64> {
    let pairs: f64 = cells.iter().map(|cell| cell.pairs).sum();
    let mean = (0.5 + cells.iter().map(|cell| cell.pairs * cell.rate).sum::<f64>()) / (pairs + 1.0);
    let independent = |cell: &Moments| {
        let part = if pairs_of_mean.is_finite() { pairs_of_mean / (cell.pairs + pairs_of_mean) } else { 1.0 };
        let rate = part * mean + (1.0 - part) * cell.rate;
        rate * (1.0 - rate) / 2.0
    };
    let mut sums = [DISPERSION_PAIRS * mean * (1.0 - mean) / 2.0; 2];
    for cell in cells {
        sums[0] += cell.pairs * cell.pair_variance;
        sums[1] += (cell.pairs - 1.0).max(0.0) * independent(cell);
    }
    cells.iter().map(|cell| sums[0] / sums[1] * independent(cell) / cell.pairs).collect()
}

/// The degrees of freedom of the dispersion of cells on a size, with these numbers of pairs.
pub(crate) fn degrees_of_dispersion(pairs: &[f64]) -> f64 {
    DISPERSION_PAIRS + pairs.iter().map(|pairs| (pairs - 1.0).max(0.0)).sum::<f64>()
}

/// Pairs of the mean rate of a size that are added to a cell, for the variance of its own games.
pub(crate) const PAIRS_OF_MEAN: f64 = 15.0;

/// Pairs of independent games that are added to the pairs of a size, for its dispersion.
pub(crate) const DISPERSION_PAIRS: f64 = 30.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variance_is_that_of_the_mean_pair_score() {
        let estimate = RateEstimate::of(&PairCounts::from([10, 2, 50, 10, 3, 25])).expect("pairs");
        let (mean, squares) = ((0.5 + 30.0 + 2.25 + 25.0) / 100.0, 0.125 + 15.0 + 1.687_5 + 25.0);
        assert!((estimate.rate - mean).abs() < 1e-15);
        assert!((estimate.variance - (squares / 100.0 - mean * mean) / 100.0).abs() < 1e-15);
        assert_eq!(RateEstimate::of(&PairCounts::default()), None);
    }

    #[test]
    fn cells_have_a_common_variance_also_where_all_games_end_alike() {
        let variance = |all: &[[u64; 6]]| {
            let cells: Vec<_> =
                all.iter().map(|counts| crate::summary(&(*counts).into(), 0.95).expect("pairs")).collect();
            common_variance(&cells)
        };
        assert_eq!(variance(&[]), 0.25);
        // Half a game of twenty-one is lost.
        assert!((variance(&[[0, 0, 0, 0, 0, 10]]) - 20.5 * 0.5 / 441.0).abs() < 1e-15);
        assert!((variance(&[[0, 0, 0, 10, 0, 0]]) - 0.25 / 21.0).abs() < 1e-15);
    }

    #[test]
    fn equal_scores_have_a_variance_that_shrinks_with_their_number() {
        let variance = |counts: [u64; 6]| RateEstimate::of(&counts.into()).expect("pairs").variance;
        assert_eq!(variance([0, 0, 0, 0, 0, 2]), 0.25 / 4.0 / 2.0);
        assert_eq!(variance([0, 0, 60, 40, 0, 0]), 0.25 / 102.0 / 100.0, "drawn and split pairs score alike");
        assert!(variance([0, 0, 0, 0, 0, 1000]) < 1e-6);
    }
}
