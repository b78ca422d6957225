//! The rules of Havannah.

mod board;
mod cell;
mod geometry;
mod stones;

pub use board::{Board, PlayError};
pub use cell::{BadBoardSize, BoardSize, Cell, Notation, ParseCellError};
