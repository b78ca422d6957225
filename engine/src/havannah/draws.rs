//! The random moves of a playout, drawn some time before they are played: their random numbers do not wait for mispredicted
//! branches then, nor what is played for them.

use super::board::Board;
use crate::rng::{Rng, scale};

/// How many moves are drawn before the first is played. They stay that far ahead, or one less.
pub(super) const AHEAD: usize = 4;

/// Moves for which a playout takes words off its stream at once. Those of the last such block are taken whether or not
/// they are played, which is part of what a seed means.
const BLOCK: usize = 16;

/// Draws of the places that are left on a board, into its line.
pub(super) struct Draws {
    rng: Rng,
    /// The first move drawn.
    first: usize,
    /// The next to be drawn.
    next: usize,
    /// Moves until the board is full.
    len: usize,
}

impl Draws {
    /// Draws for a playout that has made `made` moves, of the places that its board has left.
    #[inline(always)]
    pub(super) fn begin(board: &mut Board, made: usize, rng: &Rng) -> Self {
        let mut draws = Self { rng: rng.clone(), first: made, next: made, len: board.open };
        for _ in 0..AHEAD / 2 {
            draws.go_on(board);
        }
        draws
    }

    /// The move to be played before the next two are drawn, of a playout of [`AHEAD`] moves or more while all that it has
    /// drawn was drawn in twos. Who asks has no need to count, which takes a register.
    #[inline(always)]
    pub(super) fn due(&self) -> usize {
        self.next.wrapping_sub(AHEAD)
    }

    /// Whether two moves or more are to be drawn.
    #[inline(always)]
    pub(super) fn has_two(&self) -> bool {
        self.next + 1 < self.len
    }

    /// To be called before every second move, before the first or before the second: draws two moves, or what is left.
    #[inline(always)]
    pub(super) fn go_on(&mut self, board: &mut Board) {
        if self.has_two() {
            self.draw_two(board);
        } else if self.next < self.len {
            let word = self.rng.next_u64();
            self.draw(board, self.next, word as u32);
            self.next += 1;
        }
    }

    /// [`Draws::go_on`] if [`Draws::has_two`].
    #[inline(always)]
    pub(super) fn draw_two(&mut self, board: &mut Board) {
        // Two draws a word.
        let word = self.rng.next_u64();
        self.draw(board, self.next, word as u32);
        self.draw(board, self.next + 1, (word >> 32) as u32);
        self.next += 2;
    }

    #[inline(always)]
    fn draw(&self, board: &mut Board, at: usize, bits: u32) {
        let left = self.len - at;
        let drawn = scale(bits, left as u32) as usize;
        debug_assert!(at < self.len && drawn < left && self.len <= board.empties.len());
        // SAFETY: `scale` gives less than the places left, of which there are as many as moves to be drawn.
        unsafe {
            *board.line.get_unchecked_mut(at) = *board.empties.get_unchecked(drawn);
            *board.empties.get_unchecked_mut(drawn) = *board.empties.get_unchecked(left - 1);
        }
    }

    /// Leaves `rng` where a playout that has ended after `made` moves brings it.
    #[inline(always)]
    pub(super) fn settle(self, rng: &mut Rng, made: usize) {
        let blocks = (made - self.first).div_ceil(BLOCK);
        rng.skip((blocks * BLOCK).min(self.len - self.first).div_ceil(2));
    }
}

#[cfg(test)]
mod tests {
    use super::super::cell::BoardSize;
    use super::*;

    #[test]
    fn a_playout_draws_as_if_a_block_at_a_time() {
        let board = Board::new(BoardSize::new(3).expect("size"));
        let len = board.open;
        for first in 0..len {
            for made in first..=len {
                let (mut ahead, mut rng) = (board.clone(), Rng::new(made as u64));
                let mut draws = Draws::begin(&mut ahead, first, &rng);
                for _ in (first..made).step_by(2) {
                    draws.go_on(&mut ahead);
                }
                draws.settle(&mut rng, made);

                let (mut left, mut line) = (board.empties[..len - first].to_vec(), Vec::new());
                let mut expected = Rng::new(made as u64);
                while line.len() < made - first {
                    for _ in 0..BLOCK / 2 {
                        if left.is_empty() {
                            break;
                        }
                        let word = expected.next_u64();
                        for bits in [word as u32, (word >> 32) as u32] {
                            if !left.is_empty() {
                                line.push(left.swap_remove(scale(bits, left.len() as u32) as usize));
                            }
                        }
                    }
                }
                assert_eq!(ahead.line[first..made], line[..made - first]);
                assert_eq!(rng, expected, "from {first} to {made}");
            }
        }
    }
}
