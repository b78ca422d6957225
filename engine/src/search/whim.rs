//! Simulations that do without RAVE or without exploration now and then.

use super::Search;
use super::expand::equivalence;
use super::select::child_terms;
use super::tree::{NodeId, UNVISITED};
use super::uses_rave;
use crate::game::Game;
use crate::params::Params;
use crate::rng::Rng;

/// What the current simulation chooses with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Whims {
    /// Whether simulations differ at all.
    pub(super) any: bool,
    pub(super) rave: bool,
    pub(super) exploration: bool,
}

impl Whims {
    pub(super) fn new(params: &Params) -> Self {
        let rave = uses_rave(params) && params.rave_probability < 1.0;
        let exploration = params.exploration > 0.0 && params.exploration_probability < 1.0;
        Self { any: rave || exploration, rave: true, exploration: true }
    }

    /// Draws for a new simulation, only what is uncertain.
    pub(super) fn draw(&mut self, params: &Params, rng: &mut Rng) {
        if self.any {
            self.rave = happens(params.rave_probability, rng);
            self.exploration = happens(params.exploration_probability, rng);
        }
    }
}

fn happens(probability: f64, rng: &mut Rng) -> bool {
    const STEPS: f64 = (1_u64 << 53) as f64;
    probability >= 1.0 || (probability > 0.0 && ((rng.next_u64() >> 11) as f64) < probability * STEPS)
}

impl<G: Game> Search<G> {
    /// The child to visit next in a simulation of its own mind: its index, or [`UNVISITED`], and its slot.
    #[cold]
    pub(super) fn choose_on_a_whim(&mut self, id: NodeId) -> (u16, u16) {
        let n = self.tree.nodes[id as usize].n;
        let exploration = if self.whims.exploration { self.exploration(n) } else { 0.0 };
        if self.whims.rave {
            let k = equivalence(&self.params, self.leaf.open_count());
            return self.choose(id, n, exploration, None, k);
        }
        let tree = &self.tree;
        let unvisited = self.offered(id, n).unwrap_or(tree.nodes[id as usize].unvisited);
        let fresh = |slot| self.params.fpu as f32 + exploration + tree.knowledge(id, slot);
        let seen = tree.visited(id).zip(0..).map(|(child, index)| {
            let value = if child.proof.is_solved() {
                child.proof.value()
            } else if child.n == 0 {
                fresh(child.slot)
            } else {
                // Cached terms leave room for RAVE.
                let knowledge = tree.knowledge(id, child.slot);
                let (exploit, _, urgency) = child_terms(child.n, child.half_points, 0.0, knowledge);
                exploit + exploration * urgency
            };
            (value, index, child.slot)
        });
        let new = unvisited.iter().map(|slot| (fresh(slot), UNVISITED, slot));
        let best = seen.chain(new).reduce(|best, next| {
            let better = next.0 > best.0 || (next.0 == best.0 && next.2 < best.2);
            if better { next } else { best }
        });
        let (_, next, slot) = best.expect("a node has a child");
        (next, slot)
    }
}
