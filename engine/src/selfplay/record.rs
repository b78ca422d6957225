//! The record of a game.

use crate::havannah::{Cell, Outcome};
use crate::search::{ProvenOutcome, SearchResult};
use std::time::Duration;

/// One move, with the result of the search that chose it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveRecord {
    /// The cell of the stone.
    pub cell: Cell,
    /// The mean result that the mover expects, from 0 for a loss to 1 for a win.
    pub value: f32,
    /// What the search proved about the position after the move, from White's view.
    pub claim: ProvenOutcome,
    /// The number of simulations for this move.
    pub sims: u64,
    /// The number of nodes in the tree after the search.
    pub nodes: u64,
    /// CPU time of the searching thread for this move.
    pub cpu: Duration,
}

/// A finished game. The moves of the opening are only in its [`GameSpec`](super::GameSpec).
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The players' moves in order.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub outcome: Outcome,
}

impl From<SearchResult> for MoveRecord {
    fn from(result: SearchResult) -> Self {
        let SearchResult { slot, value, claim, sims, nodes, cpu, .. } = result;
        Self { cell: Cell(slot), value, claim, sims, nodes, cpu }
    }
}

/// The index of the first move at which two records of a game are not the same; none if they are records of the same game,
/// wherever and whenever it was played. This is the only definition of the same game.
#[must_use]
pub fn first_difference(one: &[MoveRecord], other: &[MoveRecord]) -> Option<usize> {
    let agree = one.iter().zip(other).take_while(|(one, other)| one.agrees_with(other)).count();
    (agree < one.len().max(other.len())).then_some(agree)
}

impl MoveRecord {
    /// Whether two records are of the same move: cell, value, proof, simulations and nodes. CPU times are the machine's own and
    /// differ.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        *self == Self { cpu: self.cpu, ..*other }
    }
}
