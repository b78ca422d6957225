//! Measuring the search's speed.

use crate::havannah::{Board, BoardSize};
use crate::params::Params;
use crate::search::Search;
use crate::selfplay::Budget;
use std::time::Duration;

/// Simulations and the CPU time they took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    /// Simulations.
    pub sims: u64,
    /// CPU time of the thread.
    pub cpu: Duration,
}

impl Measurement {
    /// Simulations per CPU second.
    #[must_use]
    pub fn sims_per_s(&self) -> f64 {
        self.sims as f64 / self.cpu.as_secs_f64()
    }
}

/// Runs one search of `sims` simulations from the empty board, with a fresh tree.
#[must_use]
pub fn from_empty(size: BoardSize, params: &Params, sims: u64, seed: u64) -> Measurement {
    search(size, params, Budget::Sims(sims), seed)
}

/// Runs one search within `budget` from the empty board, with a fresh tree.
#[must_use]
pub fn search(size: BoardSize, params: &Params, budget: Budget, seed: u64) -> Measurement {
    let thought = Search::new(Board::new(size), params, seed).think(budget);
    Measurement { sims: thought.sims, cpu: thought.cpu }
}
