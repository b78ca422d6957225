//! The rules of Havannah.

mod cell;

pub use cell::{BadBoardSize, BoardSize, Cell, Notation, ParseCellError};
