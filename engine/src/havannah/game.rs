//! Havannah as a [`Game`] for the search.

use super::board::Board;
use super::cell::Cell;
use super::geometry::with_stride;
use super::heuristics::Heuristics;
use super::outcome::Outcome;
use super::symmetry::images;
use crate::rng::Rng;
use crate::search::{Game, SlotSet, Winner, WinningMoves};
use crate::side::Side;

impl Game for Board {
    type Policy = Heuristics;

    const MOVES_HELP_ONLY_THEIR_SIDE: bool = true;

    #[inline]
    fn slots(&self) -> usize {
        self.size().cells()
    }

    #[inline]
    fn to_move(&self) -> Side {
        self.to_move
    }

    fn open(&self) -> SlotSet {
        if self.outcome.is_some() { SlotSet::default() } else { self.empty }
    }

    #[inline]
    fn open_count(&self) -> usize {
        self.empty_count
    }

    #[inline]
    fn winner(&self) -> Option<Winner> {
        self.outcome.map(Outcome::winner)
    }

    /// # Panics
    /// When the slot is not open. The position is then unchanged.
    #[inline]
    fn play_slot(&mut self, slot: u16) {
        with_stride!(self.geometry.stride, W => {
            // SAFETY: `play_strided` needs the stride of this board, which `with_stride!` gives as W.
            unsafe { self.play_strided::<W>(slot) }
        });
    }

    fn play_slots(&mut self, slots: impl Iterator<Item = u16>) {
        with_stride!(self.geometry.stride, W => slots.for_each(|slot| {
            // SAFETY: `play_strided` needs the stride of this board, which `with_stride!` gives as W.
            unsafe { self.play_strided::<W>(slot) }
        }));
    }

    fn winning_moves(&self, side: Side) -> WinningMoves {
        with_stride!(self.geometry.stride, W => self.winning_moves_strided::<W>(side))
    }

    /// Exact: fills every empty cell with stones of `side`. More stones never undo a shape, so this shows all that
    /// `side` can reach. Once the game is over, only its winner could win.
    fn could_win(&self, side: Side) -> bool {
        if let Some(winner) = self.winner() {
            return winner == Some(side);
        }
        // SAFETY: `could_win_strided` needs the stride of this board, which `with_stride!` gives as W, and a board that
        // was not played out. A board that was played out is over, and the function has returned.
        with_stride!(self.geometry.stride, W => unsafe { self.could_win_strided::<W>(side) })
    }

    fn symmetries(&self) -> Vec<Vec<u16>> {
        let images: Vec<[Cell; 12]> =
            self.size().iter_cells().map(|cell| images(self.size(), cell)).collect();
        let keeps_stones = |symmetry: &usize| {
            let stays = |(cell, image)| self.owner(cell) == self.owner(image);
            self.size().iter_cells().zip(images.iter().map(|images| images[*symmetry])).all(stays)
        };
        let slots = |symmetry: usize| images.iter().map(|images| images[symmetry].index() as u16).collect();
        (1..12).filter(keeps_stones).map(slots).collect()
    }

    /// # Panics
    /// When the game is over. The position is then unchanged.
    #[inline]
    fn rollout(&mut self, rng: &mut Rng) -> Winner {
        assert!(self.outcome.is_none(), "the game is over");
        self.play_at_random(rng)
    }

    #[inline]
    fn rollout_line(&self, mut f: impl FnMut(Side, u16)) {
        let (plies, first) = self.rollout;
        let second = first.other();
        let cell: &[u16] = &self.geometry.cell;
        // Each round passes one move of each side, so that `f` needs no branch on the side.
        let (rounds, rest) = self.line[..plies].as_chunks();
        for &[place, next] in rounds {
            f(first, cell[usize::from(place)]);
            f(second, cell[usize::from(next)]);
        }
        if let &[place] = rest {
            f(first, cell[usize::from(place)]);
        }
    }
}
