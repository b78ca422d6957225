//! The random moves of a playout. They are drawn some moves before they are played, so that drawing never waits for
//! mispredicted branches of the play, and the play never waits for random numbers.

use super::board::Board;
use crate::rng::{Rng, scale};

/// How many moves are drawn before the first is played. The draws stay that far ahead, or one move less.
pub(super) const AHEAD: usize = 4;

/// A playout takes words off its random stream in blocks for this many moves. All words of the last block are taken,
/// even if their moves are not played. Seeded games depend on this number.
const BLOCK: usize = 16;

/// Draws moves from the empty places of a board into its line.
pub(super) struct Draws {
    rng: Rng,
    /// Index of the first move drawn.
    first: usize,
    /// Index of the next move to draw.
    next: usize,
    /// Number of moves until the board is full.
    len: usize,
}

impl Draws {
    /// Begins to draw for a playout that has made `made` moves.
    #[inline(always)]
    pub(super) fn begin(board: &mut Board, made: usize, rng: &Rng) -> Self {
        let mut draws = Self { rng: rng.clone(), first: made, next: made, len: board.empty_count };
        for _ in 0..AHEAD / 2 {
            draws.go_on(board);
        }
        draws
    }

    /// The index of the next move to play, so that the caller needs no counter, which would take a register. Valid in a
    /// playout of [`AHEAD`] moves or more, before two moves are drawn, and as long as all moves were drawn in twos.
    #[inline(always)]
    pub(super) fn due(&self) -> usize {
        self.next.wrapping_sub(AHEAD)
    }

    /// Whether at least two moves are left to draw.
    #[inline(always)]
    pub(super) fn has_two(&self) -> bool {
        self.next + 1 < self.len
    }

    /// Draws two moves, or what is left. The caller draws once for every two moves that it plays, before either of
    /// them.
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

    /// [`Draws::go_on`] where [`Draws::has_two`] is known to be true.
    #[inline(always)]
    pub(super) fn draw_two(&mut self, board: &mut Board) {
        // One word is enough for two draws.
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
        // SAFETY: callers draw only while moves are left, so `at` is below `len`, the number of empty cells, which
        // `line` and `empties` can hold. `scale` gives a number below `left`.
        unsafe {
            *board.line.get_unchecked_mut(at) = *board.empties.get_unchecked(drawn);
            *board.empties.get_unchecked_mut(drawn) = *board.empties.get_unchecked(left - 1);
        }
    }

    /// Advances `rng` past the words that a playout of `made` moves takes.
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
        let len = board.empty_count;
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
