//! What it costs to keep the tree from one move to the next.

use crate::cpu::thread_time;
use crate::havannah::{Board, BoardSize, Params};
use crate::search::{Budget, Game, Search, SearchResult};
use crate::side::{BySide, Side};
use std::time::Duration;

/// A player's CPU time in games against itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Keeping {
    /// In searches.
    pub searching: Duration,
    /// Between searches, when a move was played: the tree below it is kept, and the rest dropped.
    pub keeping: Duration,
}

impl Keeping {
    /// The time between searches for one unit of time in searches.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.keeping.as_secs_f64() / self.searching.as_secs_f64()
    }
}

/// Plays whole games of a player against itself, with `sims` simulations a move, until the searches have taken the time `least`.
#[must_use]
pub fn keeping(size: BoardSize, params: &Params, sims: u64, least: Duration) -> Keeping {
    let mut times = Keeping { searching: Duration::ZERO, keeping: Duration::ZERO };
    let mut seeds = 0..;
    while times.searching < least {
        let mut board = Board::new(size);
        let mut player = |_| Search::new(board.clone(), params, seeds.next().expect("more seeds"));
        let mut players = BySide::from_fn(&mut player);
        while board.outcome().is_none() {
            let SearchResult { slot, cpu, .. } = players[Game::to_move(&board)].think(Budget::Sims(sims));
            times.searching += cpu;
            board.play_slot(slot);
            if board.outcome().is_none() {
                let began = thread_time();
                Side::BOTH.iter().for_each(|side| players[*side].advance(slot));
                times.keeping += thread_time() - began;
            }
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_played_until_the_searches_have_taken_their_time() {
        let size = BoardSize::new(4).expect("size");
        let params = Params::preset("rave").expect("preset");
        let least = Duration::from_millis(20);
        let times = keeping(size, &params, 2000, least);
        assert!(times.searching >= least && times.keeping > Duration::ZERO, "{times:?}");
    }
}
