//! The specification of a game.

use crate::havannah::{BoardSize, Cell, Outcome, Params, PlayError};
use crate::search::{Budget, TooManySims};
use crate::side::BySide;
use thiserror::Error;

/// One side of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// Its parameters.
    pub params: Params,
    /// The budget of each of its moves.
    pub budget: Budget,
    /// The seed of its random stream.
    pub seed: u64,
}

/// Everything that determines a game. If the budgets are in simulations, the game is reproducible bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The board's size.
    pub size: BoardSize,
    /// The moves before the players' own, White first.
    pub opening: Vec<Cell>,
    /// The players by side.
    pub players: BySide<Player>,
}

/// A specification that describes no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameSpecError {
    /// The rules forbid a move of the opening.
    #[error("move {} of the opening: {error}", .index + 1)]
    Opening {
        /// The index of the move, from 0.
        index: usize,
        /// Why the move is illegal.
        error: PlayError,
    },
    /// A player's budget has more simulations for each move than its search can count.
    #[error("{0}")]
    Sims(TooManySims),
    /// The opening already ends the game.
    #[error("the opening already ends the game: {0}")]
    Over(Outcome),
}
