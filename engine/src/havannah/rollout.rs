//! Playouts of uniformly random moves: the hot loop of every simulation.

use super::board::Board;
use super::draws::{AHEAD, Draws};
use super::geometry::with_stride;
use super::outcome::Outcome;
use super::union_find::{self, PlayoutTask, UnionFind};
use crate::rng::Rng;
use crate::search::Winner;
use crate::side::Side;

/// [`Board::play_at_random`] on a board with stride `W`.
struct Rollout<'a> {
    board: &'a mut Board,
    rng: &'a mut Rng,
}

impl<const W: usize> PlayoutTask<W> for Rollout<'_> {
    type Output = Winner;

    #[inline(always)]
    unsafe fn run<R: UnionFind>(self) -> Winner {
        // SAFETY: the caller keeps the contract of `PlayoutTask`, and the board has stride W.
        unsafe { self.board.rollout_among::<W, R>(self.rng) }
    }
}

impl Board {
    /// Plays random moves to the end. Uses up `empties`.
    #[inline]
    pub(super) fn play_at_random(&mut self, rng: &mut Rng) -> Winner {
        with_stride!(self.stride(), W => union_find::run::<W, _>(Rollout { board: self, rng }))
    }

    /// The same with the forest in memory, on any machine.
    #[cfg(test)]
    pub(super) fn play_in_memory(&mut self, rng: &mut Rng) -> Winner {
        with_stride!(self.stride(), W => union_find::run_in_memory::<W, _>(Rollout { board: self, rng }))
    }

    /// Plays random moves to the end, with groups kept in this way.
    ///
    /// # Safety
    /// As for [`PlayoutTask::run`]; the board's stride is `W`.
    #[inline(always)]
    unsafe fn rollout_among<const W: usize, R: UnionFind>(&mut self, rng: &mut Rng) -> Winner {
        let (first, len) = (self.to_move, self.open);
        let (mover, other) = (first.index(), first.index() ^ 1);
        // SAFETY: by contract.
        let (mut movers, mut others) =
            unsafe { (R::load(self.stones.parents(mover)), R::load(self.stones.parents(other))) };
        let mut draws = Draws::begin(self, 0, rng);
        let last = 'game: {
            // Two moves a round, so that the sides need not be told apart.
            while draws.has_two() {
                let at = draws.due();
                draws.draw_two(self);
                // SAFETY: by contract, and drawn moves are ahead of those played.
                if unsafe { self.play_drawn::<W, R>(mover, at, &mut movers) } {
                    break 'game Some((at, mover));
                }
                // SAFETY: as above.
                if unsafe { self.play_drawn::<W, R>(other, at + 1, &mut others) } {
                    break 'game Some((at + 1, other));
                }
            }
            let mut at = if len < AHEAD { 0 } else { draws.due() };
            // What has been drawn, and one more if there is one.
            draws.go_on(self);
            loop {
                if at >= len {
                    break None;
                }
                // SAFETY: as above.
                if unsafe { self.play_drawn::<W, R>(mover, at, &mut movers) } {
                    break Some((at, mover));
                }
                if at + 1 >= len {
                    break None;
                }
                // SAFETY: as above.
                if unsafe { self.play_drawn::<W, R>(other, at + 1, &mut others) } {
                    break Some((at + 1, other));
                }
                at += 2;
            }
        };
        // SAFETY: by contract.
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
    /// It has been drawn. Otherwise as for [`Stones::place_among`](super::stones::Stones::place_among) on a board with
    /// stride `W`.
    #[inline(always)]
    unsafe fn play_drawn<const W: usize, R: UnionFind>(
        &mut self,
        side: usize,
        at: usize,
        roots: &mut R,
    ) -> bool {
        // SAFETY: by contract; the line holds distinct empty places of this board.
        unsafe {
            let place = usize::from(*self.line.get_unchecked(at));
            self.stones.place_among::<W, R>(side, place, roots)
        }
    }
}
