//! What determines a game.

use crate::havannah::{BoardSize, Cell, Outcome, Params, PlayError};
use crate::search::{Budget, TooManySims};
use crate::side::BySide;
use thiserror::Error;

/// One side of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// Its parameters.
    pub params: Params,
    /// What each of its moves may cost.
    pub budget: Budget,
    /// Seeds its random stream.
    pub seed: u64,
}

/// Everything that determines a game, with a simulation budget bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The board.
    pub size: BoardSize,
    /// Moves made before the players take over, White first.
    pub opening: Vec<Cell>,
    /// Who plays which side.
    pub players: BySide<Player>,
}

/// A specification that describes no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameSpecError {
    /// The rules forbid a move of the opening.
    #[error("move {} of the opening: {error}", .index + 1)]
    Opening {
        /// Its index, from 0.
        index: usize,
        /// Why.
        error: PlayError,
    },
    /// A player makes more simulations a move than its search counts.
    #[error("{0}")]
    Sims(TooManySims),
    /// The opening leaves nothing to play.
    #[error("the opening already ends the game: {0}")]
    Over(Outcome),
}
