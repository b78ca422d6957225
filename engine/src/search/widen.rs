//! Dynamic widening: a node looks at few children first, the most promising ones by knowledge, and at more as its
//! playouts grow.

use super::Search;
use super::tree::NodeId;
use crate::game::{Game, SlotSet};

impl<G: Game> Search<G> {
    /// The slots never visited that a node of `n` playouts looks at: all (`None`) unless widening is on; then as many as
    /// are missing from 2 + ⌊ln n / ln w⌋ unproven children, those with the most knowledge first, of equal knowledge the
    /// lowest slot. (All visited children are among them: the number only grows.)
    #[inline(always)]
    pub(super) fn offered(&self, id: NodeId, n: u32) -> Option<SlotSet> {
        if self.params.widening > 1.0 { Some(self.first_by_knowledge(id, n)) } else { None }
    }

    #[cold]
    fn first_by_knowledge(&self, id: NodeId, n: u32) -> SlotSet {
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
