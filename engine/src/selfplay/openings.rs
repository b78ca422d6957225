//! Random openings.

use crate::havannah::{Board, BoardSize, Cell};
use crate::rng::Rng;
use crate::search::Game;

/// The most random moves of an opening on any board.
pub const MOST_OPENING_PLIES: u8 = 10;

/// The most random moves of an opening on a board of this size: so many cannot end the game. A bridge needs as many stones
/// as the board has cells on a side, a fork more, a ring six.
#[must_use]
pub fn most_opening_plies(size: BoardSize) -> u8 {
    (2 * size.get() - 2).min(MOST_OPENING_PLIES)
}

/// The opening of a pair of games: `plies` random moves from the empty board after which neither side has won, or half as many as
/// there are cells if that is less. The same size, plies and seed give the same opening on every machine.
#[must_use]
pub fn random_opening(size: BoardSize, plies: u8, seed: u64) -> Vec<Cell> {
    let mut rng = Rng::stream(seed, u64::from(size.get()));
    let plies = usize::from(plies).min(size.cells() / 2);
    loop {
        let mut board = Board::new(size);
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies && board.outcome().is_none() {
            let empty: Vec<Cell> = board.legal_moves().collect();
            let cell = empty[rng.below(empty.len() as u32) as usize];
            board.play_slot(cell.0);
            moves.push(cell);
        }
        if board.outcome().is_none() {
            return moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_depend_on_seed_and_size_only() {
        for size in BoardSize::all() {
            for seed in 0..20 {
                let opening = random_opening(size, 6, seed);
                assert_eq!(opening, random_opening(size, 6, seed));
                assert_eq!(opening.len(), 6);
                assert_eq!(Board::after(size, &opening).expect("legal").outcome(), None);
            }
        }
        assert_ne!(random_opening(BoardSize::MAX, 4, 1), random_opening(BoardSize::MAX, 4, 2));
    }
}
