//! The mean of a case's rates over board sizes, and its confidence sequence.

use crate::counts::PairCounts;
use crate::estimate::RateEstimate;
use crate::lowest_mean::{log_capital, lowest_mean};
use crate::normal::OutsideUnitInterval;
use crate::sequence::{PRIOR, log_e_value};
use crate::stakes::{SCORES, Stratum};
use crate::unfinished::{BegunPairs, Unfinished};

/// The mean of the rates of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct StratifiedMean {
    /// The mean, from 0 to 1.
    pub rate: f64,
    /// So many pairs, spread over the cells by their weights, would give a mean of the same precision. Other numbers are worth
    /// fewer pairs than there are.
    pub pairs: f64,
    /// The variance of the score of a pair around the rate of its cell.
    pub pair_variance: f64,
    /// The cells of a weight above 0.
    strata: Vec<Stratum>,
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
        Self::begun(cells.into_iter().map(|(cell, weight)| (cell, Unfinished::default(), weight)))
    }

    /// As [`StratifiedMean::weighted`], while some pairs were begun and are not complete. Sequences then hold however the missing
    /// games end.
    #[must_use]
    pub fn begun(cells: impl IntoIterator<Item = (PairCounts, Unfinished, f64)>) -> Option<Self> {
        let (mut total, mut rate, mut inverses, mut variances) = (0.0, 0.0, 0.0, 0.0);
        let mut strata = Vec::new();
        for (counts, unfinished, weight) in cells {
            let cell = counts.moments()?;
            let pairs = cell.pairs + 1.0;
            let mean = (cell.rate * cell.pairs + 0.5) / pairs;
            let squares = (cell.pair_variance + cell.rate.powi(2)) * cell.pairs + 0.5;
            let variance = (squares - pairs * mean.powi(2)) / cell.pairs.powi(2);
            total += weight;
            rate += weight * cell.rate;
            inverses += weight.powi(2) / cell.pairs;
            variances += weight.powi(2) * variance;
            if weight > 0.0 {
                let [least, most] = unfinished
                    .extremes(&counts)
                    .map(|counts| <[u64; 6]>::from(counts).map(|count| count as f64));
                strata.push(Stratum { least, most, weight });
            }
        }
        strata.iter_mut().for_each(|stratum| stratum.weight /= total);
        (total > 0.0).then(|| Self {
            rate: rate / total,
            pairs: total.powi(2) / inverses,
            pair_variance: variances / inverses,
            strata,
        })
    }

    /// The mean after `factor` times as many pairs, if all rates stay as they are.
    #[must_use]
    pub fn after(&self, factor: f64) -> Self {
        let after = |stratum: &Stratum| Stratum {
            least: stratum.least.map(|count| factor * count),
            most: stratum.most.map(|count| factor * count),
            ..*stratum
        };
        Self { pairs: self.pairs * factor, strata: self.strata.iter().map(after).collect(), ..*self }
    }

    /// The mean with the variance of its error.
    #[must_use]
    pub fn estimate(&self) -> RateEstimate {
        RateEstimate { rate: self.rate, variance: self.pair_variance / self.pairs }
    }

    /// The logarithm of the e-value against a mean, strictly between 0 and 1, however the missing games end. The sequence of a
    /// confidence contains the mean as long as this is below −ln(1 − confidence).
    ///
    /// Half of the capital bets that the mean is higher, and half that it is lower; the e-value is the larger half. With one cell
    /// it is the cell's own.
    #[must_use]
    pub fn log_e_value(&self, mean: f64) -> f64 {
        if let Some(begun) = self.only() {
            // The e-value falls towards about this number of points, where it is below 1.
            let points = ((begun.games + 1.0) * mean - 0.5).clamp(begun.least, begun.most);
            return log_e_value(points, begun.games, mean, PRIOR);
        }
        log_capital(&self.strata, mean).max(log_capital(&self.mirrored(), 1.0 - mean)) - 2f64.ln()
    }

    /// The confidence sequence of the mean: the means whose e-value is below 1/α. It contains the true mean at all numbers of
    /// pairs at once, however unequally the cells progress, whenever they end and however the missing games do, with at least
    /// this confidence. It contains the mean of the games, too. With one cell it is the cell's own.
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub fn sequence(&self, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(OutsideUnitInterval(confidence));
        }
        if let Some(begun) = self.only() {
            return begun.sequence(self.rate, confidence);
        }
        let bound = (2.0 / (1.0 - confidence)).ln();
        let (low, high) = (lowest_mean(&self.strata, bound), 1.0 - lowest_mean(&self.mirrored(), bound));
        Ok((low.min(self.rate), high.max(self.rate)))
    }

    /// The pairs of the only cell, if there is one only.
    fn only(&self) -> Option<BegunPairs> {
        let [only] = self.strata[..] else { return None };
        let points =
            |counts: [f64; 6]| counts.iter().zip(SCORES).map(|(count, score)| 2.0 * count * score).sum();
        Some(BegunPairs { games: 2.0 * only.pairs(), least: points(only.least), most: points(only.most) })
    }

    fn mirrored(&self) -> Vec<Stratum> {
        self.strata.iter().map(Stratum::mirrored).collect()
    }

    /// The confidence sequence of the difference to the mean of another case, which shares no games with this one. With m and m′
    /// as the means, (m + 1 − m′)/2 is a mean over the cells of both, where the other case's wins and losses are exchanged.
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub fn difference_sequence(
        &self,
        other: &Self,
        confidence: f64,
    ) -> Result<(f64, f64), OutsideUnitInterval> {
        let halved = |stratum: Stratum| Stratum { weight: stratum.weight / 2.0, ..stratum };
        let own = self.strata.iter().copied();
        let strata = own.chain(other.strata.iter().map(Stratum::mirrored)).map(halved).collect();
        let both = Self { rate: (self.rate + 1.0 - other.rate) / 2.0, strata, ..*self };
        let (low, high) = both.sequence(confidence)?;
        Ok((2.0 * low - 1.0, 2.0 * high - 1.0))
    }
}
