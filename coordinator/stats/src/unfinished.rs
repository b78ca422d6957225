//! Pairs that were begun and are not complete: bounds on their effect.
//!
//! The holder of a pair knows how its games end, and may deliver the others first. So complete pairs are no random sample while
//! some are missing. Pairs are begun in the order of their numbers, which no result changes. A statement that is true however the
//! missing games end is one about all pairs that were begun, and holds at every look.

use crate::counts::PairCounts;
use crate::normal::OutsideUnitInterval;
use crate::sequence::{PRIOR, confidence_sequence, log_e_value};

/// The pairs of a cell that were begun and are not complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unfinished {
    /// The pairs.
    pub pairs: u64,
    /// Their games that are counted: losses, draws and wins of the case.
    pub games: [u64; 3],
}

impl Unfinished {
    /// The pairs of a cell with these complete ones, if the case loses all games that are missing, and if it wins them. A
    /// statement about all pairs that were begun lies between those about the two.
    #[must_use]
    pub fn extremes(&self, complete: &PairCounts) -> [PairCounts; 2] {
        let [losses, draws, wins] = self.games;
        let untouched = self.pairs.saturating_sub(losses + draws + wins);
        let [mut lost, mut won] = [*complete; 2];
        lost += PairCounts { ll: untouched + losses, ld: draws, wl: wins, ..PairCounts::default() };
        won += PairCounts { ww: untouched + wins, wd: draws, wl: losses, ..PairCounts::default() };
        [lost, won]
    }

    /// How far the rate of all pairs that were begun may be from that of the complete ones: 0 if none is missing.
    #[must_use]
    pub fn reach(&self, complete: &PairCounts) -> f64 {
        let rate = |counts: &PairCounts| counts.points() / (2 * counts.pairs()).max(1) as f64;
        let apart = |extreme: &PairCounts| (rate(extreme) - rate(complete)).abs();
        if self.pairs == 0 { 0.0 } else { self.extremes(complete).iter().map(apart).fold(0.0, f64::max) }
    }

    /// The games of all pairs that were begun, and the case's points in them, if it loses and if it wins all that is missing. The
    /// arguments are the points and games of the complete pairs.
    #[must_use]
    pub fn with(&self, points: f64, games: f64) -> BegunPairs {
        let all = 2.0 * self.pairs as f64;
        let [losses, draws, wins] = self.games.map(|games| games as f64);
        let least = points + wins + draws / 2.0;
        BegunPairs { games: games + all, least, most: least + (all - losses - draws - wins).max(0.0) }
    }
}

/// All pairs of a cell that were begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BegunPairs {
    /// Their games.
    pub games: f64,
    /// The case's points, if it loses all games that are missing.
    pub least: f64,
    /// The case's points, if it wins them.
    pub most: f64,
}

impl BegunPairs {
    /// What contains the confidence sequence of the rate, however the missing games end, and the rate of the complete pairs.
    ///
    /// # Errors
    /// When `confidence` is not between 0 and 1.
    pub(crate) fn sequence(&self, rate: f64, confidence: f64) -> Result<(f64, f64), OutsideUnitInterval> {
        let (low, high) = confidence_sequence(self.least, self.games, confidence, PRIOR)?;
        if self.least == self.most {
            return Ok((low, high));
        }
        let (_, high) = confidence_sequence(self.most, self.games, confidence, PRIOR)?;
        Ok((low.min(rate), high.max(rate)))
    }

    /// The smallest logarithm of the e-value against 50 % that the games may have.
    pub(crate) fn log_e_value(&self) -> f64 {
        // The e-value falls towards half of the points.
        let points = (self.games / 2.0).clamp(self.least, self.most);
        log_e_value(points, self.games, 0.5, PRIOR)
    }
}
