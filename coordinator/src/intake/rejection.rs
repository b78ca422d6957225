//! Why a reported game is refused.

use engine::havannah::{Outcome, PlayError};
use protocol::ids::GameId;
use protocol::result::MoveColumnsError;
use thiserror::Error;

/// Why a reported game cannot be one of its lease.
#[derive(Debug, Error)]
pub(crate) enum Rejection {
    #[error("the lease is unknown here")]
    UnknownLease,
    #[error("the lease belongs to another worker")]
    OtherWorker,
    #[error("game {found} does not belong to this lease, whose games are {white} and {black}")]
    OtherGame { found: GameId, white: GameId, black: GameId },
    #[error(transparent)]
    Columns(#[from] MoveColumnsError),
    #[error("move {number}: {why}")]
    Illegal { number: usize, why: PlayError },
    #[error("the game goes on after move {number}, which ended it as {outcome}")]
    GoesOn { number: usize, outcome: Outcome },
    #[error("the game is not over after its {plies} plies")]
    NotOver { plies: usize },
    #[error("by the rules the game ended as {by_rules}, but {reported} was reported")]
    OtherOutcome { by_rules: Outcome, reported: Outcome },
    #[error("move {number}: {what}")]
    Insane { number: usize, what: String },
    #[error("{0}")]
    BadSpeed(String),
}
