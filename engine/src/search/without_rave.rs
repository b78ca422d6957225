//! Selection without RAVE, where only some simulations use RAVE.

use super::formula;
use super::game::{Game, Policy};
use super::state::Search;
use super::tree::{NodeId, UNVISITED};

impl<G: Game> Search<G> {
    /// Chooses the next child of a node without RAVE.
    #[cold]
    pub(super) fn choose_next_without_rave(&mut self, id: NodeId) {
        let (next, slot) = self.choose_without_rave(id);
        self.tree.view(id).decide(next, slot);
    }

    /// The index, or [`UNVISITED`], and the slot of the child with the highest value without RAVE; of equal values the
    /// one with the lowest slot.
    fn choose_without_rave(&self, id: NodeId) -> (u16, u16) {
        let n = self.tree.node(id).n;
        let exploration = formula::exploration(self.sampled.exploration, n);
        let tree = &self.tree;
        let unvisited = if self.widens() { self.candidates(id, n) } else { tree.unvisited(id) };
        let fresh =
            |slot| formula::first_play(self.params.fpu as f32, None, exploration, tree.knowledge(id, slot));
        let seen = tree.visited(id).zip(0..).map(|(child, index)| {
            let value = if child.proof.is_solved() {
                child.proof.value()
            } else if child.n == 0 {
                fresh(child.slot)
            } else {
                formula::mean(child.half_points, child.n, 0.0, 0.0)
                    + exploration * formula::exploration_factor(child.n)
                    + formula::decayed_knowledge(tree.knowledge(id, child.slot), child.n)
            };
            (value, index, child.slot)
        });
        // Without knowledge all unvisited slots have the same value.
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
