//! What is recorded of a game.

use crate::havannah::{Cell, Outcome};
use crate::search::{Claim, Thought};
use std::time::Duration;

/// One move as its player saw it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveRecord {
    /// Where the stone went.
    pub cell: Cell,
    /// Mean result expected by the mover, 0 for a loss to 1 for a win.
    pub value: f32,
    /// What the search proved.
    pub claim: Claim,
    /// Simulations made for this move.
    pub sims: u64,
    /// Nodes in the tree after the search.
    pub nodes: u64,
    /// CPU time of the searching thread.
    pub cpu: Duration,
}

/// A finished game. The opening's moves are in its [`GameSpec`](super::GameSpec) only.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The players' moves in order.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub outcome: Outcome,
}

impl From<Thought> for MoveRecord {
    fn from(thought: Thought) -> Self {
        let Thought { slot, value, claim, sims, nodes, cpu, .. } = thought;
        Self { cell: Cell(slot), value, claim, sims, nodes, cpu }
    }
}

impl MoveRecord {
    /// Whether two records of a move agree in everything but time.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        *self == Self { cpu: self.cpu, ..*other }
    }
}
