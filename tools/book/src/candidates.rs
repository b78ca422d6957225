//! Positions that may become openings, and games from them.

use engine::havannah::{Board, BoardSize, Cell, Params, canonical_position};
use engine::rng::mix;
use engine::search::Budget;
use engine::selfplay::{GameSpec, Player, play, random_opening};
use engine::side::{BySide, Side};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// Random positions tried for each candidate, before the board is thought to have no more.
const TRIES: u64 = 50;

/// A candidate with the first player's results.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    /// The moves.
    pub(crate) moves: Vec<Cell>,
    /// Games played.
    pub(crate) games: u32,
    /// Half-points of White, who moves first on the empty board.
    half_points: u32,
}

impl Candidate {
    /// White's score, from 0 to 1.
    pub(crate) fn rate(&self) -> f64 {
        f64::from(self.half_points) / f64::from(2 * self.games)
    }

    /// The distance of White's score from even.
    pub(crate) fn imbalance(&self) -> f64 {
        (self.rate() - 0.5).abs()
    }

    /// Adds results.
    pub(crate) fn add(&mut self, half_points: &[u8]) {
        self.games += half_points.len() as u32;
        self.half_points += half_points.iter().map(|points| u32::from(*points)).sum::<u32>();
    }

    /// The same moves without results.
    pub(crate) fn afresh(&self) -> Self {
        Self { moves: self.moves.clone(), games: 0, half_points: 0 }
    }
}

/// Up to `count` random positions of `plies` stones. No two are equal by a symmetry or another order of the moves, and none
/// is or follows one of the openings `apart_from`. The same arguments give the same positions on every machine.
pub(crate) fn candidates(
    size: BoardSize,
    plies: u8,
    count: usize,
    seed: u64,
    apart_from: &[Vec<Cell>],
) -> Vec<Candidate> {
    let taken: BTreeSet<_> = apart_from.iter().map(|moves| canonical_position(size, moves)).collect();
    let lengths: BTreeSet<usize> = apart_from.iter().map(Vec::len).collect();
    let is_taken =
        |moves: &[Cell]| parts(moves, &lengths).any(|part| taken.contains(&canonical_position(size, &part)));
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for attempt in 0..TRIES * count as u64 {
        if found.len() == count {
            break;
        }
        let moves = random_opening(size, plies, mix(seed).wrapping_add(attempt));
        if !is_taken(&moves) && seen.insert(canonical_position(size, &moves)) {
            found.push(Candidate { moves, games: 0, half_points: 0 });
        }
    }
    found
}

/// The positions of so many stones from which these moves go on, in whatever order the moves are made.
fn parts(moves: &[Cell], lengths: &BTreeSet<usize>) -> impl Iterator<Item = Vec<Cell>> {
    let of_side = |side: usize, mask: u32| {
        let own = moves.iter().enumerate().skip(side).step_by(2);
        own.filter(move |(number, _)| mask & (1 << number) != 0).map(|(_, cell)| *cell).collect::<Vec<_>>()
    };
    let masks = (1..1_u32 << moves.len()).filter(|mask| lengths.contains(&(mask.count_ones() as usize)));
    masks.filter_map(move |mask| {
        let [white, black] = [0, 1].map(|side| of_side(side, mask));
        let is_position = white.len() == black.len() || white.len() == black.len() + 1;
        is_position.then(|| {
            (0..white.len() + black.len()).map(|number| [&white, &black][number % 2][number / 2]).collect()
        })
    })
}

/// White's half-points in a game of a player against itself from this opening.
pub(crate) fn play_one(size: BoardSize, opening: &[Cell], params: &Params, sims: u64, seed: u64) -> u8 {
    let player = |side: Side| Player {
        params: params.clone(),
        budget: Budget::Sims(sims),
        seed: mix(seed).wrapping_add(side.index() as u64),
    };
    let spec = GameSpec { size, opening: opening.to_vec(), players: BySide::from_fn(player) };
    debug_assert!(Board::after(size, opening).is_ok_and(|board| board.outcome().is_none()));
    let game = play(&spec, &mut |_| ControlFlow::Continue(())).expect("candidates leave a game to play");
    game.expect("nothing stops it").outcome.half_points(Side::White)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_distinct_and_as_many_as_there_are() {
        let size = BoardSize::new(4).expect("size");
        // 123 positions of two stones differ by the symmetries.
        let all = candidates(size, 2, 200, 1, &[]);
        assert!(all.len() > 100 && all.len() <= 123, "{}", all.len());
        let kinds: BTreeSet<_> = all.iter().map(|one| canonical_position(size, &one.moves)).collect();
        assert_eq!(kinds.len(), all.len());
        assert_eq!(candidates(size, 1, 200, 1, &[]).len(), 6);
        let moves =
            |seed| candidates(size, 3, 10, seed, &[]).into_iter().map(|one| one.moves).collect::<Vec<_>>();
        assert_eq!(moves(1), moves(1));
        assert_ne!(moves(1), moves(2));
    }

    #[test]
    fn candidates_apart_from_a_book_neither_are_nor_follow_its_openings() {
        let size = BoardSize::new(4).expect("size");
        let all = candidates(size, 2, 200, 1, &[]);
        let book: Vec<Vec<Cell>> = all.iter().take(60).map(|one| one.moves.clone()).collect();
        let kind = |moves: &[Cell]| canonical_position(size, moves);
        let taken: BTreeSet<_> = book.iter().map(|moves| kind(moves)).collect();
        let rest = candidates(size, 2, 200, 2, &book);
        assert!(rest.len() > 40 && rest.len() <= all.len() - 60, "{}", rest.len());
        assert!(rest.iter().all(|one| !taken.contains(&kind(&one.moves))));
        let longer = candidates(size, 4, 100, 2, &book);
        assert_eq!(longer.len(), 100);
        assert!(longer.iter().all(|one| {
            let [a, b, c, d] = one.moves[..] else { panic!("four moves") };
            [[a, b], [a, d], [c, b], [c, d]].iter().all(|first| !taken.contains(&kind(first)))
        }));
    }

    #[test]
    fn a_game_is_the_same_for_the_same_seed() {
        let size = BoardSize::new(3).expect("size");
        let (moves, params) = (random_opening(size, 2, 1), Params::default());
        let results = || (0..20).map(|seed| play_one(size, &moves, &params, 20, seed)).collect::<Vec<_>>();
        assert_eq!(results(), results());
        assert!(results().iter().any(|points| *points != results()[0]), "the seed matters");
    }
}
