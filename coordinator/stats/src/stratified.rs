//! The mean of a case's rates over board sizes, and its confidence sequence.

use crate::counts::PairCounts;
use crate::estimate::RateEstimate;
use crate::normal::OutsideUnitInterval;
use crate::sequence::{ASYMPTOTIC_OPTIMUM, PRIOR, asymptotic_sequence, confidence_sequence};

/// From so many pairs on, the asymptotic sequence takes the place of that of games.
const ASYMPTOTIC_FROM: f64 = 100.0;

/// The mean of the rates of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StratifiedMean {
    /// The mean, from 0 to 1.
    pub rate: f64,
    /// So many pairs, spread over the cells by their weights, would give a mean of the same precision. Other numbers are worth
    /// fewer pairs than there are.
    pub pairs: f64,
    /// The variance of the score of a pair around the rate of its cell.
    pub pair_variance: f64,
}

impl StratifiedMean {
    /// The mean over cells with the same weight; none if there are no cells, or one of them has no complete pair.
    #[must_use]
    pub fn of(cells: &[PairCounts]) -> Option<Self> {
        Self::weighted(cells.iter().map(|cell| (*cell, 1.0)))
    }

    /// The mean over cells with these weights; none if no weight is above 0, or a cell has no complete pair.
    ///
    /// With nₖ pairs in cell k of the part uₖ of all weights, the mean of the rates has the variance Σ uₖ²·vₖ/nₖ. A cell's vₖ is
    /// that of its pairs with half a lost and half a won pair added: otherwise a cell that ended early with nothing but wins
    /// would count as known exactly.
    #[must_use]
    pub fn weighted(cells: impl IntoIterator<Item = (PairCounts, f64)>) -> Option<Self> {
        let (mut total, mut rate, mut inverses, mut variances) = (0.0, 0.0, 0.0, 0.0);
        for (cell, weight) in cells {
            let cell = cell.moments()?;
            let pairs = cell.pairs + 1.0;
            let mean = (cell.rate * cell.pairs + 0.5) / pairs;
            let squares = (cell.pair_variance + cell.rate.powi(2)) * cell.pairs + 0.5;
            let variance = (squares - pairs * mean.powi(2)) / cell.pairs.powi(2);
            total += weight;
            rate += weight * cell.rate;
            inverses += weight.powi(2) / cell.pairs;
            variances += weight.powi(2) * variance;
        }
        (total > 0.0).then(|| Self {
            rate: rate / total,
            pairs: total.powi(2) / inverses,
            pair_variance: variances / inverses,
        })
    }

    /// The mean after `factor` times as many pairs, if all rates stay as they are.
    #[must_use]
    pub fn after(self, factor: f64) -> Self {
        Self { pairs: self.pairs * factor, ..self }
    }

    /// The mean with the variance of its error.
    #[must_use]
    pub fn estimate(self) -> RateEstimate {
        RateEstimate { rate: self.rate, variance: self.pair_variance / self.pairs }
    }

    /// The confidence sequence of the mean: that of games up to 100 pairs, and from then on the asymptotic one, which is
    /// narrower because it knows that pairs balance the colours, and that rates differ between sizes.
    ///
    /// In simulated cells, some of which end early by an e-value of 1000, the true mean ever leaves that of 95 % in about
    /// 5 % of runs or fewer (`tests/cell/stratified.rs`).
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub fn sequence(self, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
        let Self { rate, pairs, pair_variance } = self;
        let asymptotic = asymptotic_sequence(rate, pair_variance, pairs, ASYMPTOTIC_OPTIMUM, confidence)?;
        match asymptotic.filter(|_| pairs >= ASYMPTOTIC_FROM) {
            Some((low, high)) => Ok((low.max(0.0), high.min(1.0))),
            None => confidence_sequence(rate * 2.0 * pairs, 2.0 * pairs, confidence, PRIOR),
        }
    }

    /// The confidence sequence of the difference to the mean of another case, which shares no games with this one. While one
    /// of the cases has fewer than 100 pairs, the difference lies between those of the ends of both sequences, each of which
    /// is wrong with half the chance.
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub fn difference_sequence(
        self,
        other: Self,
        confidence: f64,
    ) -> Result<(f64, f64), OutsideUnitInterval> {
        let pairs = self.pairs.min(other.pairs);
        let pair_variance = pairs * (self.estimate().variance + other.estimate().variance);
        let difference = self.rate - other.rate;
        let asymptotic =
            asymptotic_sequence(difference, pair_variance, pairs, ASYMPTOTIC_OPTIMUM, confidence)?;
        if let Some((low, high)) = asymptotic.filter(|_| pairs >= ASYMPTOTIC_FROM) {
            return Ok((low.max(-1.0), high.min(1.0)));
        }
        let halved = f64::midpoint(1.0, confidence);
        let (own, others) = (self.sequence(halved)?, other.sequence(halved)?);
        Ok((own.0 - others.1, own.1 - others.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(lost: u64, won: u64) -> PairCounts {
        PairCounts { ll: lost, ww: won, ..PairCounts::default() }
    }

    #[test]
    fn every_cell_counts_alike_and_unequal_numbers_are_worth_fewer_pairs() {
        let even = StratifiedMean::of(&[cell(5, 5), cell(0, 10)]).expect("pairs");
        assert_eq!((even.rate, even.pairs), (0.75, 20.0));
        let uneven = StratifiedMean::of(&[cell(50, 50), cell(0, 10)]).expect("pairs");
        assert_eq!(uneven.rate, 0.75);
        assert!((uneven.pairs - 4.0 / (1.0 / 100.0 + 1.0 / 10.0)).abs() < 1e-12);
        assert_eq!(StratifiedMean::of(&[cell(5, 5), cell(0, 0)]), None);
        assert_eq!(StratifiedMean::of(&[]), None);
    }

    #[test]
    fn a_cell_of_three_times_the_weight_counts_as_three() {
        let mean =
            |weight| StratifiedMean::weighted([(cell(50, 50), 1.0), (cell(0, 10), weight)]).expect("pairs");
        assert_eq!((mean(1.0).rate, mean(3.0).rate, mean(0.0).rate), (0.75, 0.875, 0.5));
        assert!((mean(3.0).pairs - 16.0 / (1.0 / 100.0 + 9.0 / 10.0)).abs() < 1e-12);
        let alone = StratifiedMean::of(&[cell(50, 50)]).expect("pairs");
        assert_eq!((mean(0.0).pairs, mean(0.0).pair_variance), (alone.pairs, alone.pair_variance));
        assert_eq!(StratifiedMean::weighted([(cell(5, 5), 0.0)]), None);
    }

    #[test]
    fn a_difference_has_the_errors_of_both_means() {
        let mean = |lost, won| StratifiedMean::of(&[cell(lost, won)]).expect("pairs");
        let difference = |one: StratifiedMean, other| one.difference_sequence(other, 0.95).expect("inside");
        let even = mean(200, 200);
        let (low, high) = difference(even, even);
        assert!(low < -0.05 && high > 0.05 && (low + high).abs() < 1e-12);
        // Two errors of the same size make one that is √2 times as large.
        let (own_low, own_high) = even.sequence(0.95).expect("inside");
        assert!(((high - low) / (own_high - own_low) - 2f64.sqrt()).abs() < 1e-9);
        assert!(difference(mean(100, 300), mean(5_000, 5_000)).0 > 0.0);
        let (low, high) = difference(mean(10, 40), mean(30, 20));
        assert!(low < 0.4 && high > 0.4 && high - low > 0.5 && low > -0.2, "few pairs: {low} to {high}");
    }

    #[test]
    fn rates_that_differ_between_cells_add_no_variance_and_equal_scores_leave_some() {
        let apart = StratifiedMean::of(&[cell(0, 100), cell(100, 0)]).expect("pairs");
        assert!((apart.rate - 0.5).abs() < 1e-15);
        // 100 won pairs, half a won and half a lost one: 100.5 − 100.5²/101 = 0.4975.
        assert!((apart.pair_variance - 0.004_975_247_5).abs() < 1e-9, "{}", apart.pair_variance);
        let spread = StratifiedMean::of(&[cell(50, 50)]).expect("pairs");
        assert!((spread.pair_variance - 0.2525).abs() < 1e-12);
    }
}
