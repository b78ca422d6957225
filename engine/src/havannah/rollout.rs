//! Playouts of uniformly random moves, the hot loop of every simulation.

use super::board::Board;
use super::draws::{AHEAD, Draws};
use super::geometry::with_stride;
use super::outcome::Outcome;
use super::union_find::{self, PlayoutTask, UnionFind};
use crate::rng::Rng;
use crate::search::Winner;
use crate::side::Side;

/// [`Board::play_at_random`] as a task.
struct Rollout<'a> {
    board: &'a mut Board,
    rng: &'a mut Rng,
}

impl<const W: usize> PlayoutTask<W> for Rollout<'_> {
    type Output = Winner;

    #[inline(always)]
    unsafe fn run<R: UnionFind>(self) -> Winner {
        // SAFETY: `rollout_among` needs the contract of `PlayoutTask::run`, which the caller keeps, and W as the stride
        // of the board, which `with_stride!` gave where the task was made.
        unsafe { self.board.rollout_among::<W, R>(self.rng) }
    }
}

impl Board {
    /// Plays random moves to the end of the game. Consumes `empties`.
    #[inline]
    pub(super) fn play_at_random(&mut self, rng: &mut Rng) -> Winner {
        with_stride!(self.stride(), W => union_find::run::<W, _>(Rollout { board: self, rng }))
    }

    /// [`Board::play_at_random`] with the forest in memory, on any machine.
    #[cfg(test)]
    pub(super) fn play_in_memory(&mut self, rng: &mut Rng) -> Winner {
        with_stride!(self.stride(), W => union_find::run_in_memory::<W, _>(Rollout { board: self, rng }))
    }

    /// [`Board::play_at_random`] with the groups in the structure `R`.
    ///
    /// # Safety
    /// The contract of [`PlayoutTask::run`] holds, and the board's stride is `W`.
    #[inline(always)]
    unsafe fn rollout_among<const W: usize, R: UnionFind>(&mut self, rng: &mut Rng) -> Winner {
        let (first, len) = (self.to_move, self.empty_count);
        let (mover, other) = (first.index(), first.index() ^ 1);
        // SAFETY: `UnionFind::load` has the contract of `UnionFind`, which that of `PlayoutTask::run` includes.
        let (mut movers, mut others) =
            unsafe { (R::load(self.stones.parents(mover)), R::load(self.stones.parents(other))) };
        let mut draws = Draws::begin(self, 0, rng);
        let last = 'game: {
            // Each round plays one move of each side, so that no code asks which side moves.
            while draws.has_two() {
                let at = draws.due();
                draws.draw_two(self);
                // SAFETY: `play_drawn` needs a drawn move, and draws are two or more moves ahead. The contract of
                // `rollout_among` gives the rest.
                if unsafe { self.play_drawn::<W, R>(mover, at, &mut movers) } {
                    break 'game Some((at, mover));
                }
                // SAFETY: `play_drawn` needs a drawn move, and draws are two or more moves ahead. The contract of
                // `rollout_among` gives the rest.
                if unsafe { self.play_drawn::<W, R>(other, at + 1, &mut others) } {
                    break 'game Some((at + 1, other));
                }
            }
            let mut at = if len < AHEAD { 0 } else { draws.due() };
            // Fewer than two moves are left to draw. `go_on` draws the last one, if there is one.
            draws.go_on(self);
            loop {
                if at >= len {
                    break None;
                }
                // SAFETY: `play_drawn` needs a drawn move: all moves below `len` are drawn now. The contract of
                // `rollout_among` gives the rest.
                if unsafe { self.play_drawn::<W, R>(mover, at, &mut movers) } {
                    break Some((at, mover));
                }
                if at + 1 >= len {
                    break None;
                }
                // SAFETY: `play_drawn` needs a drawn move: all moves below `len` are drawn now. The contract of
                // `rollout_among` gives the rest.
                if unsafe { self.play_drawn::<W, R>(other, at + 1, &mut others) } {
                    break Some((at + 1, other));
                }
                at += 2;
            }
        };
        // SAFETY: `UnionFind::store` has the contract of `UnionFind`, which that of `PlayoutTask::run` includes.
        unsafe {
            movers.store(self.stones.parents(mover));
            others.store(self.stones.parents(other));
        }
        let made = last.map_or(len, |(at, _)| at + 1);
        draws.settle(rng, made);
        self.rollout = (made, first);
        let outcome = last.map_or(Outcome::Draw, |(at, side)| Outcome::Win {
            winner: Side::BOTH[side],
            kind: self.stones.shape(self.line[at]),
        });
        self.outcome = Some(outcome);
        outcome.winner()
    }

    /// Plays the move that was drawn for `at`; true if it wins.
    ///
    /// # Safety
    /// The move `at` was drawn in this playout and has not been played. `side` is 0 or 1, and the board's stride is
    /// `W`. The contract of [`UnionFind`] holds.
    #[inline(always)]
    unsafe fn play_drawn<const W: usize, R: UnionFind>(
        &mut self,
        side: usize,
        at: usize,
        forest: &mut R,
    ) -> bool {
        // SAFETY: `Stones::place_among` needs an empty place. By the contract of `play_drawn`, the line has one at
        // `at`: draws are distinct places of empty cells.
        unsafe {
            let place = usize::from(*self.line.get_unchecked(at));
            self.stones.place_among::<W, R>(side, place, forest)
        }
    }
}
