//! Havannah: its rules, its heuristics and the parameters of its players.
//!
//! * Rules: [`Board`] on padded rows (`geometry`), with stones and their groups (`stones`, `union_find`).
//! * Playouts: of random moves (`rollout`), and with chosen moves or ring rules (`playout`, `rings`, `threats`).
//! * Heuristics for the search (`heuristics`): `knowledge` and `playouts`.
//! * Players: [`Params`], and their canonical form (`identity`).

mod board;
mod cell;
mod cliques;
mod connection_distance;
mod draws;
mod game;
mod geometry;
mod groups;
mod heuristics;
mod identity;
mod knowledge;
mod outcome;
mod params;
mod permanent;
mod places;
mod playout;
mod playouts;
mod rings;
mod rollout;
mod stones;
mod symmetry;
mod threats;
mod union_find;
mod winning_structure;

pub use board::{Board, PlayError};
pub use cell::{BadBoardSize, BoardSize, Cell, NoBoardSize, Notation, ParseCellError};
pub use heuristics::Heuristics;
pub(crate) use identity::NO_DEPTH_SHARE;
pub use knowledge::{knowledge, knowledge_points};
pub use outcome::{Outcome, WinKind};
pub use params::{
    DistanceCompat, HeuristicParams, KnowledgeCompat, LastGoodReply, MateInOneCompat, Params, PlayoutCompat,
    RingCompat,
};
pub use symmetry::{canonical_position, images};
