//! Pairs that were begun and are not complete: what they could still change.
//!
//! Who holds a pair knows how its games end, and may deliver the others first. So complete pairs are no random sample while some
//! are missing. Pairs are begun in the order of their numbers, which no result changes. A statement that is true however the missing
//! games end is one about all pairs that were begun, and holds at every look.

use crate::normal::OutsideUnitInterval;
use crate::sequence::{PRIOR, confidence_sequence, log_e_value};

/// The pairs of a cell that were begun and are not complete.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unfinished {
    /// The pairs.
    pub pairs: u64,
    /// Their games that are counted.
    pub games: u64,
    /// The case's points in these games.
    pub points: f64,
}

impl Unfinished {
    /// The games of all pairs that were begun, and the case's points in them, if it loses and if it wins all that is missing. The
    /// arguments are the points and games of the complete pairs.
    #[must_use]
    pub fn with(&self, points: f64, games: f64) -> Begun {
        let all = 2.0 * self.pairs as f64;
        let least = points + self.points;
        Begun { games: games + all, least, most: least + (all - self.games as f64).max(0.0) }
    }
}

/// All pairs of a cell that were begun.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Begun {
    /// Their games.
    pub games: f64,
    /// The case's points, if it loses all games that are missing.
    pub least: f64,
    /// The case's points, if it wins them.
    pub most: f64,
}

impl Begun {
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
