//! How playouts end.

use super::speed::watched;
use crate::havannah::{Board, BoardSize, Outcome, Params, WinKind};
use crate::rng::Rng;
use crate::search::{Budget, Game, Probe};

/// How the playouts of a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PlayoutEnds {
    /// The number of playouts won by fork, bridge and ring.
    pub wins: [u64; 3],
    /// The sum of their plies from the searched position, with the plies in the tree.
    pub plies: [u64; 3],
    /// The number of drawn playouts.
    pub draws: u64,
}

impl PlayoutEnds {
    fn add(&mut self, outcome: Outcome, plies: usize) {
        let Some(kind) = outcome.kind() else {
            self.draws += 1;
            return;
        };
        let i = match kind {
            WinKind::Fork => 0,
            WinKind::Bridge => 1,
            WinKind::Ring => 2,
        };
        self.wins[i] += 1;
        self.plies[i] += plies as u64;
    }
}

impl Probe<Board> for PlayoutEnds {
    fn rollout_ended(&mut self, end: &Board, tree_plies: usize) {
        self.add(end.rollout_outcome(), tree_plies + end.rollout_plies());
    }
}

/// How the playouts of one search of `sims` simulations from the empty board end.
#[must_use]
pub fn playout_ends(size: BoardSize, params: &Params, sims: u64, seed: u64) -> PlayoutEnds {
    let mut ends = PlayoutEnds::default();
    watched(size, params, Budget::Sims(sims), seed, &mut ends);
    ends
}

/// How uniformly random games from the empty board end.
#[must_use]
pub fn random_ends(size: BoardSize, games: u64, seed: u64) -> PlayoutEnds {
    let mut ends = PlayoutEnds::default();
    let mut rng = Rng::new(seed);
    let start = Board::new(size);
    let mut board = start.clone();
    for _ in 0..games {
        board.clone_from(&start);
        board.rollout(&mut rng);
        ends.add(board.rollout_outcome(), board.rollout_plies());
    }
    ends
}
