//! A random sample of the games of a bundle, drawn while they are read.

use engine::rng::Rng;
use protocol::bundle::BundledGame;
use protocol::games::{GameReport, GameStatus};

/// The sample, and what was left out of it and why.
pub(super) struct Sample {
    pub(super) games: Vec<GameReport>,
    most: usize,
    rng: Rng,
    /// Games that can be replayed.
    pub(super) of: u64,
    /// Plays that do not count.
    pub(super) uncounted: u64,
    /// Games whose moves were deleted.
    pub(super) without_moves: u64,
    /// Games of other semantics, and the semantics of one of them.
    pub(super) of_others: (u64, Option<u32>),
}

impl Sample {
    /// A sample of so many games.
    pub(super) fn new(most: usize, seed: u64) -> Self {
        Self {
            games: Vec::new(),
            most,
            rng: Rng::new(seed),
            of: 0,
            uncounted: 0,
            without_moves: 0,
            of_others: (0, None),
        }
    }

    /// Offers a game. Every game that can be replayed has the same chance (Vitter's algorithm R).
    pub(super) fn offer(&mut self, game: BundledGame) {
        if game.line.status != GameStatus::Counted {
            self.uncounted += 1;
            return;
        }
        if game.spec.semantics != engine::SEMANTICS {
            self.of_others = (self.of_others.0 + 1, Some(game.spec.semantics));
            return;
        }
        let Some(game) = game.report() else {
            self.without_moves += 1;
            return;
        };
        self.of += 1;
        if self.games.len() < self.most {
            self.games.push(game);
        } else {
            let place = self.rng.below(u32::try_from(self.of).unwrap_or(u32::MAX)) as usize;
            if let Some(kept) = self.games.get_mut(place) {
                *kept = game;
            }
        }
    }
}
