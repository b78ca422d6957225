//! The input of knowledge heuristics.

use crate::havannah::board::Board;
use crate::havannah::cell::Cell;
use crate::havannah::geometry::OFF_BOARD;
use crate::havannah::params::{DistanceCompat, HeuristicParams, KnowledgeCompat};
use crate::search::Game;
use crate::side::Side;

/// The input of a heuristic.
pub(super) struct Scene<'a> {
    pub(super) board: &'a Board,
    /// The side whose move is evaluated.
    pub(super) mover: Side,
    /// The opponent's last move, if known.
    pub(super) last: Option<Cell>,
    pub(super) compat: KnowledgeCompat,
    pub(super) distance_compat: DistanceCompat,
}

impl<'a> Scene<'a> {
    /// The scene for the side to move, after the opponent's move `last`.
    pub(super) fn new(board: &'a Board, last: Option<Cell>, params: &HeuristicParams) -> Self {
        let &HeuristicParams { knowledge_compat: compat, distance_compat, .. } = params;
        Self { board, mover: board.to_move(), last, compat, distance_compat }
    }

    /// The cells of `near` that are on the board.
    pub(super) fn cells(near: &[u16; 6]) -> impl Iterator<Item = Cell> + '_ {
        near.iter().filter(|&&cell| cell != OFF_BOARD).map(|&cell| Cell(cell))
    }

    /// The neighbours of a cell with a stone of the mover.
    pub(super) fn own_neighbours(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let near = &self.board.near(cell).adjacent;
        let own = self.board.around(cell, self.mover);
        (0..6).filter(move |direction| own >> direction & 1 == 1).map(|direction| Cell(near[direction]))
    }

    pub(super) fn is_own(&self, cell: Cell) -> bool {
        self.board.owner(cell) == Some(self.mover)
    }
}
