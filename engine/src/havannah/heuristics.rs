//! Havannah's [`Policy`] for the search: knowledge about moves, and playouts.

use super::board::Board;
use super::cell::Cell;
use super::knowledge::Knowledge;
use super::params::Params;
use super::playouts::Playouts;
use crate::rng::Rng;
use crate::search::{BySlot, Game, MAX_SLOTS, Policy, Winner};
use crate::side::Side;

/// The heuristics of a player.
pub struct Heuristics {
    knowledge: Knowledge,
    /// `None` if playouts are uniformly random by the rules of the game.
    playouts: Option<Box<Playouts>>,
}

impl Policy<Board> for Heuristics {
    type Params = Params;

    fn new(params: &Params) -> Self {
        Self {
            knowledge: Knowledge::new(&params.heuristics),
            playouts: Playouts::new(&params.heuristics).map(Box::new),
        }
    }

    fn has_knowledge(&self) -> bool {
        !self.knowledge.is_empty()
    }

    fn knowledge(&mut self, board: &Board, last: Option<u16>, values: &mut BySlot) {
        self.knowledge.write(board, last.map(Cell), values);
    }

    fn distances(board: &Board) -> Option<[u32; MAX_SLOTS]> {
        let [white, black] = Side::BOTH.map(|side| board.stones_needed(side));
        let mut distances = [0; MAX_SLOTS];
        for (distance, (&white, black)) in distances.iter_mut().zip(white.iter().zip(black)) {
            *distance = u32::from(white.min(black));
        }
        Some(distances)
    }

    fn begin_search(&mut self) {
        if let Some(playouts) = &mut self.playouts {
            playouts.begin_search();
        }
    }

    #[inline]
    fn rollout(&mut self, board: &mut Board, last: Option<u16>, tree_plies: usize, rng: &mut Rng) -> Winner {
        match &mut self.playouts {
            None => board.rollout(rng),
            Some(playouts) => playouts.play(board, last.map(Cell), tree_plies, rng),
        }
    }

    fn learns(&self) -> bool {
        self.playouts.as_ref().is_some_and(|playouts| playouts.learns())
    }

    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        if let Some(playouts) = &mut self.playouts {
            playouts.learn(line, winner);
        }
    }
}
