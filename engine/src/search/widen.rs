//! Dynamic widening: a node looks at few children first, the most promising ones by knowledge, and at more as its
//! playouts grow.

use super::game::{Game, Policy};
use super::slots::{MAX_SLOTS, SlotSet};
use super::state::Search;
use super::tree::NodeId;

impl<G: Game> Search<G> {
    /// Whether nodes widen.
    #[inline(always)]
    pub(super) fn widens(&self) -> bool {
        self.log_widening > 0.0
    }

    /// Has a node list as unvisited only what it offers after so many playouts more. Returns what it listed.
    #[cold]
    pub(super) fn offer(&mut self, id: NodeId, ahead: u32) -> SlotSet {
        let offered = self.offered(id, self.tree.node(id).n + ahead);
        let listed = self.tree.unvisited(id);
        self.tree.set_unvisited(id, offered);
        listed
    }

    /// With widening, the slots never visited that a node of `n` playouts looks at: as many as are missing from 2 +
    /// ⌊ln n / ln w⌋ unproven children, those with the most knowledge first, of equal knowledge the lowest slot. (All
    /// visited children are among them: the number only grows.)
    pub(super) fn offered(&self, id: NodeId, n: u32) -> SlotSet {
        let node = self.tree.node(id);
        let unvisited = self.tree.unvisited(id);
        let width = 2 + (libm::log(f64::from(n)) / self.log_widening) as usize;
        let missing = width.saturating_sub(usize::from(node.visited - node.proven));
        if missing == 0 || !self.policy.has_knowledge() {
            return unvisited.iter().take(missing).collect();
        }
        // The bits of numbers not negative are in their order: the most knowledge and the lowest slot come first.
        let order = |slot| u64::from(!self.tree.knowledge(id, slot).to_bits()) << 16 | u64::from(slot);
        let mut keys = [0; MAX_SLOTS];
        let mut open = 0;
        for (key, slot) in keys.iter_mut().zip(unvisited.iter()) {
            *key = order(slot);
            open += 1;
        }
        if missing < open {
            keys[..open].select_nth_unstable(missing);
        }
        keys[..missing.min(open)].iter().map(|&key| key as u16).collect()
    }
}
