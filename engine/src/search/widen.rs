//! Dynamic widening: a node looks at few children first, the most promising ones by knowledge, and at more as its
//! playouts grow.

use super::Search;
use super::select::{Terms, choose};
use super::tree::NodeId;
use crate::game::{Game, SlotSet};
use crate::side::Side;

impl<G: Game> Search<G> {
    /// Whether nodes widen.
    #[inline(always)]
    pub(super) fn widens(&self) -> bool {
        self.params.widening > 1.0
    }

    /// Chooses a child of a node of `n` playouts among the visited ones and those offered.
    #[cold]
    pub(super) fn choose_narrowly(
        &mut self,
        id: NodeId,
        n: u32,
        credit: Option<Side>,
        terms: Terms,
    ) -> (u16, u16) {
        let offered = self.offered(id, n);
        let credit = credit.map(|side| self.credits.of(side));
        // The scan looks at what a node lists as unvisited.
        let unvisited = std::mem::replace(&mut self.tree.nodes[id as usize].unvisited, offered);
        let choice = choose(&mut self.tree, id, credit, terms, &mut self.means);
        self.tree.nodes[id as usize].unvisited = unvisited;
        choice
    }

    /// With widening, the slots never visited that a node of `n` playouts looks at: as many as are missing from 2 + ⌊ln n / ln w⌋ unproven children, those with the most knowledge first, of equal knowledge the
    /// lowest slot. (All visited children are among them: the number only grows.)
    pub(super) fn offered(&self, id: NodeId, n: u32) -> SlotSet {
        let node = &self.tree.nodes[id as usize];
        let width = 2.0 + (libm::log(f64::from(n)) / libm::log(self.params.widening)).floor();
        let missing = (width as usize).saturating_sub(usize::from(node.visited - node.proven));
        let mut rest = node.unvisited;
        if missing >= rest.len() {
            return rest;
        }
        let mut offered = SlotSet::default();
        for _ in 0..missing {
            let more = |best: u16, slot| {
                if self.tree.knowledge(id, slot) > self.tree.knowledge(id, best) { slot } else { best }
            };
            let Some(slot) = rest.iter().reduce(more) else { break };
            rest.remove(slot);
            offered.insert(slot);
        }
        offered
    }
}
