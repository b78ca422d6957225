//! One game between two players: from a complete specification to a complete record, and back again.

use crate::havannah::{BoardSize, Cell};
use crate::params::Params;
use crate::side::{BySide, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What one move may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Exactly this many simulations, fewer only when the position is proven earlier.
    Sims(u64),
    /// This much CPU time of the searching thread.
    CpuTime(Duration),
}

/// One side of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// Its parameters.
    pub params: Params,
    /// What each of its moves may cost.
    pub budget: Budget,
}

/// Everything that determines a game, with a simulation budget bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The board.
    pub size: BoardSize,
    /// Moves made before the players take over, White first.
    pub opening: Vec<Cell>,
    /// Seeds both players' random streams.
    pub seed: u64,
    /// Who plays which side.
    pub players: BySide<Player>,
}

/// What a search has proved about the position after its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    /// Nothing.
    None,
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// Best play draws.
    Draw,
}

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

/// A finished game. The opening's moves are in its [`GameSpec`] only.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The players' moves in order.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub outcome: Outcome,
}

/// The first place where a replayed game left its record.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index into [`GameRecord::moves`].
    pub index: usize,
    /// Who moved.
    pub side: Side,
    /// What the record says, if it goes on that long.
    pub recorded: Option<MoveRecord>,
    /// What was played now, if the game went on that long.
    pub replayed: Option<MoveRecord>,
}
