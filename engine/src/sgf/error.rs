//! Errors of game files, with their places.

use crate::havannah::{BadBoardSize, ParseCellError};
use crate::side::Side;
use thiserror::Error;

/// The deepest nesting of variations that is accepted. A game has fewer moves.
pub(super) const DEEPEST: usize = 600;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Line, from 1.
    pub line: u32,
    /// Character within the line, from 1.
    pub column: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A text that is not a game of Havannah.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{place}: {problem}")]
pub struct SgfError {
    /// The place.
    pub place: Place,
    /// The problem.
    pub problem: SgfProblem,
}

/// A problem of a game file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SgfProblem {
    /// The file is in an encoding that is not known.
    #[error(
        "the file is in the encoding `{0}`, which is not known: convert the file to UTF-8, and its `CA` to `CA[UTF-8]`"
    )]
    Encoding(String),
    /// The text violates the syntax of SGF.
    #[error("expected {expected}, found {found}")]
    Syntax {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        found: String,
    },
    /// Variations are nested deeper than any game is long.
    #[error("variations are nested more than {} deep", DEEPEST)]
    Nesting,
    /// The first node has no SZ property.
    #[error("the game has no board size: expected `SZ[n]`, n from 3 to 10, in its first node")]
    NoSize,
    /// SZ is not a number.
    #[error("expected a board size from 3 to 10, found `{0}`")]
    SizeNotANumber(String),
    /// SZ is out of range.
    #[error(transparent)]
    Size(#[from] BadBoardSize),
    /// NUMBERING is neither `gui` nor `grid`.
    #[error("expected `gui` or `grid`, found `{0}`")]
    Numbering(String),
    /// A move that is not a cell.
    #[error("{error}, `swap` or `resign`{}", if *.other_fits { "; the other numbering of cells has it" } else { "" })]
    Cell {
        /// Why the cell was refused.
        error: ParseCellError,
        /// Whether it is a cell in the other numbering.
        other_fits: bool,
    },
    /// A stone on an occupied cell.
    #[error("`{0}` already has a stone")]
    Occupied(String),
    /// A move after a win or on a full board.
    #[error("a move after the end of the game")]
    Over,
    /// A player moves twice in a row.
    #[error("expected a move of {0}, found one of {other}", other = .0.other())]
    Turn(Side),
    /// A swap that is not Black's first move.
    #[error("`swap` is only a move of black right after the first stone")]
    Swap,
    /// A move after a resignation.
    #[error("a move after a resignation")]
    AfterResignation,
    /// A property that puts or removes stones outside the order of moves.
    #[error("`{0}` sets up stones; expected a game that begins on the empty board")]
    Setup(String),
    /// A property that belongs in the first node.
    #[error("`{0}` belongs in the first node")]
    Misplaced(String),
}
