//! The rules of Havannah.

mod board;
mod cell;
mod geometry;
mod stones;

pub(crate) use geometry::OFF_BOARD;

pub use board::{Board, PlayError};
pub use cell::{BadBoardSize, BoardSize, Cell, Notation, ParseCellError};
