//! Pairs that a cell began and that are not complete.

use super::Point;
use serde::{Deserialize, Serialize};

impl Point {
    /// The pairs that were begun and are not complete.
    #[must_use]
    pub fn unfinished(&self) -> stats::Unfinished {
        let of = |missing: &MissingPairs| stats::Unfinished { pairs: missing.pairs, games: missing.games };
        self.missing.as_ref().map_or_else(stats::Unfinished::default, of)
    }
}

/// Pairs that were begun and are not complete: being played, returned, failed, excluded, or set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MissingPairs {
    /// The number of pairs.
    pub pairs: u64,
    /// Their games that are counted: losses, draws and wins of the case.
    pub games: [u64; 3],
    /// The win rate if all of their missing games are lost.
    pub low: f64,
    /// The win rate if all of their missing games are won.
    pub high: f64,
    /// The same in words.
    pub words: String,
}
