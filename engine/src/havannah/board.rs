//! A position of Havannah: stones, empty cells, the side to move, and the outcome.

use super::cell::{BoardSize, Cell, Notation};
use super::geometry::{CELLS, Geometry, Near, cells, with_stride};
use super::stones::{GROUPS, Stones};
use crate::havannah::outcome::Outcome;
use crate::search::{Game, MAX_SLOTS, SlotSet, WinningMoves};
use crate::side::Side;
use thiserror::Error;

/// A move that the rules forbid.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The cell already has a stone.
    #[error("`{cell}` already has a stone of {owner}")]
    Occupied {
        /// The cell in GUI notation.
        cell: String,
        /// The owner of the stone.
        owner: Side,
    },
    /// The cell belongs to a larger board.
    #[error("cell number {index} is not on a board of size {size}")]
    OffBoard {
        /// The cell's index.
        index: usize,
        /// The board's size.
        size: BoardSize,
    },
    /// The game has ended.
    #[error("the game is already over: {0}")]
    Over(Outcome),
}

/// A position, with all that is needed to continue the game.
pub struct Board {
    pub(super) geometry: &'static Geometry,
    pub(super) stones: Stones,
    /// Places of the empty cells, in any order. Meaningless after a rollout.
    pub(super) empties: [u16; CELLS],
    /// Places of the last rollout's moves.
    pub(super) line: [u16; CELLS],
    /// The position of each empty cell in `empties`.
    pub(super) index: [u16; CELLS],
    pub(super) empty_count: usize,
    /// The empty cells as a set.
    pub(super) empty: SlotSet,
    pub(super) to_move: Side,
    pub(super) outcome: Option<Outcome>,
    /// The number of moves of the last rollout, and the side that made the first.
    pub(super) rollout: (usize, Side),
}

impl Clone for Board {
    fn clone(&self) -> Self {
        Self { stones: self.stones.clone(), ..*self }
    }

    /// Copies only what a board of this size uses, because the search copies a board in every simulation.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        if !std::ptr::eq(self.geometry, other.geometry) {
            *self = other.clone();
            return;
        }
        with_stride!(self.geometry.stride, W => {
            // The lengths are constants, so that the copies compile to inline code without calls.
            let cells = cells(W);
            self.stones.copy_from::<W>(&other.stones);
            self.empties[..cells].copy_from_slice(&other.empties[..cells]);
            self.index[..cells].copy_from_slice(&other.index[..cells]);
        });
        self.empty_count = other.empty_count;
        self.empty = other.empty;
        self.to_move = other.to_move;
        self.outcome = other.outcome;
        self.rollout = other.rollout;
        // Searches copy only boards that were not played out: their lines need no copy.
        if other.rollout.0 > 0 {
            self.line = other.line;
        }
    }
}

impl Board {
    /// The empty board, White to move.
    #[must_use]
    pub fn new(size: BoardSize) -> Self {
        let geometry = Geometry::of(size);
        let mut empties = [0; CELLS];
        empties[..size.cells()].copy_from_slice(&geometry.place);
        Self {
            geometry,
            stones: Stones::new(geometry),
            empties,
            line: [0; CELLS],
            index: std::array::from_fn(|i| i as u16),
            empty_count: size.cells(),
            empty: (0..size.cells() as u16).collect(),
            to_move: Side::White,
            outcome: None,
            rollout: (0, Side::White),
        }
    }

    /// The position after `moves` from the empty board.
    ///
    /// # Errors
    /// On the first move that the rules forbid.
    pub fn after(size: BoardSize, moves: &[Cell]) -> Result<Self, PlayError> {
        let mut board = Self::new(size);
        for &cell in moves {
            board.play(cell)?;
        }
        Ok(board)
    }

    /// The board's size.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.geometry.size
    }

    /// How the game ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The number of stones on the board.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.size().cells() - self.empty_count
    }

    /// The owner of the stone on a cell, if there is one.
    #[must_use]
    pub fn owner(&self, cell: Cell) -> Option<Side> {
        let side = self.stones.owner(*self.geometry.place.get(cell.index())?)?;
        Some(Side::BOTH[side])
    }

    /// The legal moves, row `a` first. There are none once the game is over.
    pub fn legal_moves(&self) -> impl Iterator<Item = Cell> + '_ {
        let over = self.outcome.is_some();
        self.size().iter_cells().filter(move |&cell| !over && self.owner(cell).is_none())
    }

    /// Puts a stone of the side to move on `cell`. Returns the outcome if the game ends.
    ///
    /// # Errors
    /// When the rules forbid the move. The position is then unchanged.
    pub fn play(&mut self, cell: Cell) -> Result<Option<Outcome>, PlayError> {
        let size = self.size();
        if cell.index() >= size.cells() {
            return Err(PlayError::OffBoard { index: cell.index(), size });
        }
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        if let Some(owner) = self.owner(cell) {
            return Err(PlayError::Occupied { cell: Notation::Gui.write(size, cell), owner });
        }
        self.play_slot(cell.0);
        Ok(self.outcome)
    }

    /// [`Game::play_slot`] on a board with stride `W`.
    ///
    /// # Panics
    /// When the slot is not open. The position is then unchanged.
    ///
    /// # Safety
    /// The stride of this board is `W`.
    #[inline(always)]
    pub(super) unsafe fn play_strided<const W: usize>(&mut self, slot: u16) {
        if self.outcome.is_some() || !self.empty.take(slot) {
            not_open(slot, self.outcome);
        }
        let cell = Cell(slot);
        // SAFETY: `take` has found the cell in the set of empty cells, in a game that goes on. `Board` has this
        // invariant until it is played out: the first `empty_count` entries of `empties` are the places of the empty
        // cells, and `index` has the position of each.
        let place = unsafe {
            let place = *self.geometry.place.get_unchecked(cell.index());
            // The last entry fills the gap, which keeps `empties` dense.
            let at = *self.index.get_unchecked(cell.index());
            self.empty_count -= 1;
            let last = *self.empties.get_unchecked(self.empty_count);
            *self.empties.get_unchecked_mut(usize::from(at)) = last;
            let moved = *self.geometry.cell.get_unchecked(usize::from(last));
            *self.index.get_unchecked_mut(usize::from(moved)) = at;
            place
        };

        let side = self.to_move;
        // SAFETY: `Stones::place` needs an empty on-board place: `place` is from the geometry of this board, whose
        // stride is W by the contract of `play_strided`, and its cell was in the set of empty cells.
        let won = unsafe { self.stones.place::<W>(side.index(), usize::from(place)) };
        self.to_move = side.other();
        if won {
            self.outcome = Some(Outcome::Win { winner: side, kind: self.stones.shape(place) });
        } else if self.empty_count == 0 {
            self.outcome = Some(Outcome::Draw);
        }
    }

    /// Bytes from one row to the next of the padded board.
    pub(crate) fn stride(&self) -> usize {
        self.geometry.stride
    }

    /// The empty cells, in any order. Must not be called after a rollout.
    pub(crate) fn empty_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.empties[..self.empty_count].iter().map(|&place| self.geometry.cell_at(place))
    }

    /// The cells with a stone, ascending.
    pub(crate) fn occupied_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.size().iter_cells().filter(|&cell| !self.empty.contains(cell.0))
    }

    /// The neighbours of a cell with a stone of `side`, as bits in the order of [`Near::adjacent`].
    pub(crate) fn around(&self, cell: Cell, side: Side) -> u8 {
        self.stones.own_around(side.index(), usize::from(self.geometry.place[cell.index()]))
    }

    /// The cells around a cell.
    pub(crate) fn near(&self, cell: Cell) -> &'static Near {
        &self.geometry.near[cell.index()]
    }

    /// An identifier of the group that the stone on `cell` belongs to, below [`MAX_SLOTS`] and equal for all stones of
    /// the group.
    pub(crate) fn group(&self, cell: Cell) -> usize {
        const { assert!(GROUPS <= MAX_SLOTS) };
        self.stones.root(self.geometry.place[cell.index()]).into()
    }

    /// Corners (six bits) and sides (six bits) that the group of `cell` touches; for an empty cell, those that it lies
    /// on itself.
    pub(crate) fn marks(&self, cell: Cell) -> u16 {
        let place = self.geometry.place[cell.index()];
        match self.stones.owner(place) {
            Some(_) => self.stones.marks(self.stones.root(place)),
            None => self.stones.cell_marks(place),
        }
    }

    /// The corner or side that the cell itself lies on, as one bit of twelve; 0 inside the board.
    pub(crate) fn border(&self, cell: Cell) -> u16 {
        self.geometry.marks[usize::from(self.geometry.place[cell.index()])]
    }

    /// How the last rollout ended, with the winning shape.
    ///
    /// # Panics
    /// When the game goes on.
    #[must_use]
    pub fn rollout_outcome(&self) -> Outcome {
        self.outcome.expect("a rollout plays to the end")
    }

    /// The number of moves of the last rollout.
    #[must_use]
    pub fn rollout_plies(&self) -> usize {
        self.rollout.0
    }

    /// [`Game::could_win`] on a board with stride `W`.
    ///
    /// # Safety
    /// The stride of this board is `W`, and the board was not played out.
    pub(super) unsafe fn could_win_strided<const W: usize>(&self, side: Side) -> bool {
        let mut filled = self.stones.clone();
        // SAFETY: `Stones::place` needs an empty place. By the contract of `could_win_strided` the stride is W, and
        // `empties` still holds the places of the empty cells, all different.
        self.empties[..self.empty_count]
            .iter()
            .any(|&place| unsafe { filled.place::<W>(side.index(), usize::from(place)) })
    }

    pub(super) fn winning_moves_strided<const W: usize>(&self, side: Side) -> WinningMoves {
        let mut moves = WinningMoves::None;
        let note = |place: usize| {
            let last = self.geometry.cell_at(place as u16).0;
            moves = match moves {
                WinningMoves::None => WinningMoves::One(last),
                WinningMoves::One(first) | WinningMoves::Several { first, .. } => {
                    WinningMoves::Several { first, last }
                }
            };
        };
        // SAFETY: `winning_places` needs the geometry of this board and its stride, which `Game::winning_moves` passes
        // as W.
        unsafe { self.stones.winning_places::<W>(side.index(), self.geometry, note) };
        moves
    }
}

#[cold]
#[inline(never)]
fn not_open(slot: u16, outcome: Option<Outcome>) -> ! {
    match outcome {
        Some(outcome) => panic!("slot {slot} is not open: the game is over: {outcome}"),
        None => panic!("slot {slot} is not open"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::WinKind;
    use crate::rng::Rng;

    fn board(size: u8, moves: &str) -> Board {
        let size = BoardSize::new(size).expect("size");
        Board::after(size, &Notation::Gui.read_list(size, moves).expect("cells")).expect("legal")
    }

    #[test]
    fn refused_moves_leave_the_position_as_it_was() {
        let mut board = board(4, "a1 g4 a2 g5 a3 g6");
        let d4 = Notation::Gui.read(board.size(), "d4").expect("cell");
        let a1 = Notation::Gui.read(board.size(), "a1").expect("cell");
        let a4 = Notation::Gui.read(board.size(), "a4").expect("cell");
        assert!(matches!(board.play(a1), Err(PlayError::Occupied { owner: Side::White, .. })));
        assert!(matches!(board.play(Cell(37)), Err(PlayError::OffBoard { .. })));
        let won = Outcome::Win { winner: Side::White, kind: WinKind::Bridge };
        assert_eq!(board.play(a4), Ok(Some(won)));
        assert_eq!(board.play(d4), Err(PlayError::Over(won)));
        assert_eq!((board.plies(), board.legal_moves().count()), (7, 0));
    }

    #[test]
    fn winning_moves_of_both_sides_are_seen_without_being_to_move() {
        let board = board(4, "a1 g4 a2 g5 a3");
        let slot = |name| Notation::Gui.read(board.size(), name).expect("cell").0;
        assert_eq!(board.winning_moves(Side::White), WinningMoves::One(slot("a4")));
        assert_eq!(board.winning_moves(Side::Black), WinningMoves::None);
    }

    #[test]
    fn a_rollout_is_a_legal_game_that_ends_where_it_says() {
        let mut rng = Rng::new(3);
        for size in BoardSize::all() {
            for _ in 0..200 {
                let start = Board::new(size);
                let mut end = start.clone();
                let winner = end.rollout(&mut rng);
                let mut replay = start.clone();
                end.rollout_line(|side, slot| {
                    assert_eq!(replay.to_move(), side);
                    replay.play(Cell(slot)).expect("legal");
                });
                assert_eq!(replay.outcome(), Some(end.rollout_outcome()));
                assert_eq!(replay.winner(), Some(winner));
            }
        }
    }
}
