//! The rules of Havannah.

mod board;
mod cell;
mod cliques;
mod draws;
mod geometry;
mod groups;
mod permanent;
mod playout;
mod rings;
mod rollout;
mod roots;
mod stones;
mod threats;
mod ways;

pub(crate) use geometry::{OFF_BOARD, with_stride};
pub(crate) use playout::{Playout, Workspace};
pub(crate) use rings::{LEAST as LEAST_RING, Rings};

pub use board::{Board, PlayError};
pub use cell::{BadBoardSize, BoardSize, Cell, Notation, ParseCellError};
