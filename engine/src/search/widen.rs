//! Dynamic widening: a node considers a few children first, those with the most knowledge, and more as its playouts
//! grow.

use super::game::{Game, Policy};
use super::slots::{MAX_SLOTS, SlotSet};
use super::state::Search;
use super::tree::NodeId;

impl<G: Game> Search<G> {
    /// Whether dynamic widening is on.
    #[inline(always)]
    pub(super) fn widens(&self) -> bool {
        self.log_widening > 0.0
    }

    /// Reduces the unvisited slots of a node to those considered after `ahead` more playouts. Returns the full set,
    /// which the caller restores after the choice.
    #[cold]
    pub(super) fn narrow_to_candidates(&mut self, id: NodeId, ahead: u32) -> SlotSet {
        let candidates = self.candidates(id, self.tree.node(id).n + ahead);
        let listed = self.tree.unvisited(id);
        self.tree.set_unvisited(id, candidates);
        listed
    }

    /// The unvisited slots that a node with `n` playouts considers: as many as it lacks of 2 + ⌊ln n / ln w⌋ unsolved
    /// children. Slots with the most knowledge come first, and of equal knowledge the lowest slot. (The width only
    /// grows, so that visited children always stay within it.)
    pub(super) fn candidates(&self, id: NodeId, n: u32) -> SlotSet {
        let node = self.tree.node(id);
        let unvisited = self.tree.unvisited(id);
        let width = 2 + (libm::log(f64::from(n)) / self.log_widening) as usize;
        let missing = width.saturating_sub(usize::from(node.visited - node.proven));
        if missing == 0 || !self.policy.has_knowledge() {
            return unvisited.iter().take(missing).collect();
        }
        // The bits of floats that are not negative sort like the floats. Inverted, the most knowledge comes first.
        let order = |slot| u64::from(!self.tree.knowledge(id, slot).to_bits()) << 16 | u64::from(slot);
        let mut keys = [0; MAX_SLOTS];
        let mut listed = 0;
        for (key, slot) in keys.iter_mut().zip(unvisited.iter()) {
            *key = order(slot);
            listed += 1;
        }
        if missing < listed {
            keys[..listed].select_nth_unstable(missing);
        }
        keys[..missing.min(listed)].iter().map(|&key| key as u16).collect()
    }
}
