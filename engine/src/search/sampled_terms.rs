//! Terms of the selection formula that only some simulations use: each draws whether it chooses with RAVE, and
//! whether with exploration.

use super::Search;
use super::select::{lessened, root_of_log, urgency};
use super::tree::{NodeId, UNVISITED};
use crate::game::Game;
use crate::params::Params;
use crate::policy::Policy;
use crate::rng::Rng;

/// The terms that the current simulation chooses with.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampledTerms {
    /// Whether simulations differ at all.
    pub(super) vary: bool,
    /// Whether this one uses RAVE.
    pub(super) rave: bool,
    /// The exploration constant, or 0.
    pub(super) exploration: f32,
}

impl SampledTerms {
    pub(super) fn new(params: &Params) -> Self {
        let rave = params.uses_rave() && params.rave_probability < 1.0;
        let exploration = params.exploration > 0.0 && params.exploration_probability < 1.0;
        Self { vary: rave || exploration, rave: true, exploration: params.exploration as f32 }
    }

    /// Draws for a new simulation, only what is uncertain.
    pub(super) fn draw(&mut self, params: &Params, rng: &mut Rng) {
        if self.vary {
            self.rave = happens(params.rave_probability, rng);
            let explores = happens(params.exploration_probability, rng);
            self.exploration = if explores { params.exploration as f32 } else { 0.0 };
        }
    }
}

fn happens(probability: f64, rng: &mut Rng) -> bool {
    const STEPS: f64 = (1_u64 << 53) as f64;
    probability >= 1.0 || (probability > 0.0 && ((rng.next_u64() >> 11) as f64) < probability * STEPS)
}

impl<G: Game> Search<G> {
    /// Chooses the child to visit next without RAVE, where simulations differ.
    #[cold]
    pub(super) fn choose_next_without_rave(&mut self, id: NodeId) {
        let (next, slot) = self.choose_without_rave(id);
        self.tree.open(id).decide(next, slot);
    }

    /// The child of the highest value without RAVE, of equal values that of the lowest slot: its index, or
    /// [`UNVISITED`], and its slot.
    fn choose_without_rave(&self, id: NodeId) -> (u16, u16) {
        let n = self.tree.node(id).n;
        let exploration = self.sampled.exploration * root_of_log(n);
        let tree = &self.tree;
        let unvisited = if self.widens() { self.offered(id, n) } else { tree.unvisited(id) };
        let fresh = |slot| self.params.fpu as f32 + exploration + tree.knowledge(id, slot);
        let seen = tree.visited(id).zip(0..).map(|(child, index)| {
            let value = if child.proof.is_solved() {
                child.proof.value()
            } else if child.n == 0 {
                fresh(child.slot)
            } else {
                let mean = child.half_points as f32 * 0.5 / child.n as f32;
                mean + exploration * urgency(child.n) + lessened(tree.knowledge(id, child.slot), child.n)
            };
            (value, index, child.slot)
        });
        // Without knowledge they are all alike.
        let worth_a_look = if self.policy.has_knowledge() { usize::MAX } else { 1 };
        let new = unvisited.iter().take(worth_a_look).map(|slot| (fresh(slot), UNVISITED, slot));
        let best = seen.chain(new).reduce(|best, next| {
            let better = next.0 > best.0 || (next.0 == best.0 && next.2 < best.2);
            if better { next } else { best }
        });
        let (_, next, slot) = best.expect("a node has a child");
        (next, slot)
    }
}
