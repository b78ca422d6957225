//! Exhaustive search of any game, from the trait alone: what a proof must agree with.

use engine::search::{Game, Winner};
use engine::side::Side;
use std::collections::HashMap;

/// Values of positions already solved, by what the game says identifies them.
pub(crate) struct Solver<G, K> {
    key: fn(&G) -> K,
    known: HashMap<K, Winner>,
}

impl<G: Game, K: std::hash::Hash + Eq> Solver<G, K> {
    pub(crate) fn new(key: fn(&G) -> K) -> Self {
        Self { key, known: HashMap::new() }
    }

    /// Who wins with best play of both.
    pub(crate) fn value(&mut self, game: &G) -> Winner {
        if let Some(winner) = game.winner() {
            return winner;
        }
        let key = (self.key)(game);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let mover = game.to_move();
        let mut best = Some(mover.other());
        for slot in game.open().iter() {
            let value = self.value_after(game, slot);
            if rank(value, mover) > rank(best, mover) {
                best = value;
            }
            if best == Some(mover) {
                break;
            }
        }
        self.known.insert(key, best);
        best
    }

    pub(crate) fn value_after(&mut self, game: &G, slot: u16) -> Winner {
        let mut next = game.clone();
        next.play_slot(slot);
        self.value(&next)
    }
}

/// Loss, draw, win for `side`.
fn rank(value: Winner, side: Side) -> u8 {
    match value {
        None => 1,
        Some(winner) => 2 * u8::from(winner == side),
    }
}
