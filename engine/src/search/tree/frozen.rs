//! A tree written down and read back, node for node and word for word.

use super::super::frozen::{NotThisSearch, Reader, put_words};
use super::super::proof::Proof;
use super::children::Chunks;
use super::layout::Layout;
use super::memory::{Line, Unit};
use super::{NO_NODE, NodeId, Tree, UNDECIDED, UNVISITED, Width};
use crate::game::SlotSet;

impl Tree {
    /// Writes down a tree that was just slid together, so that nothing in it is unused.
    pub(crate) fn freeze(&self, out: &mut Vec<u8>) {
        put_words(out, Line::words(&self.records));
        put_words(out, Unit::words(&self.chunks.units));
        put_words(out, Unit::words(&self.counters));
    }

    /// The tree that was written down. `slots` are those of the game, `root` is the root's number and what is
    /// open there.
    pub(crate) fn thaw(
        &self,
        input: &mut Reader<'_>,
        slots: SlotSet,
        root: (NodeId, SlotSet),
    ) -> Result<Self, NotThisSearch> {
        let records = Line::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let chunks = Unit::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let counters = Unit::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let count = records.len() / self.layout.lines;
        if !records.len().is_multiple_of(self.layout.lines) || count > NO_NODE as usize {
            return Err(NotThisSearch);
        }
        // A node has a proof and a width, whose bytes are not looked at any more once it is one.
        for record in records.chunks_exact(self.layout.lines) {
            let [.., proof, width] = Line::words(record)[Layout::NODE - 1].to_ne_bytes();
            if !Proof::is_number(u32::from(proof)) || width > Width::Word as u8 {
                return Err(NotThisSearch);
            }
        }
        let (layout, shape) = (self.layout, self.shape);
        let tree = Self { records, count, chunks: Chunks::new(chunks), counters, layout, shape };
        if tree.is_sound(slots, root) { Ok(tree) } else { Err(NotThisSearch) }
    }

    /// Whether everything a search relies on is true, the memory it reads without looking above all.
    fn is_sound(&self, slots: SlotSet, (root, open): (NodeId, SlotSet)) -> bool {
        // What is open at each node that is known to be reached.
        let mut open_at: Vec<Option<SlotSet>> = vec![None; self.len()];
        if let Some(at_root) = open_at.get_mut(root as usize) {
            *at_root = Some(open);
        }
        (0..self.len() as NodeId).all(|id| {
            let node = self.node(id);
            let Some(open) = open_at[id as usize] else { return false };
            if usize::from(node.visited) > slots.len()
                || node.chunk as usize + self.chunk_units(id) > self.chunks.units.len()
                || node.counters as usize + self.counter_units(id) > self.counters.len()
            {
                return false;
            }
            let mut moves = self.unvisited(id);
            for child in self.visited(id) {
                let new = slots.contains_checked(child.slot) && !moves.contains(child.slot);
                if !new {
                    return false;
                }
                moves.insert(child.slot);
                if child.node != NO_NODE {
                    // Nodes are as old as their numbers say, so that no way leads back.
                    let unreached = open_at.get(child.node as usize).is_some_and(Option::is_none);
                    if child.node <= id || !unreached {
                        return false;
                    }
                    let mut left = open;
                    left.remove(child.slot);
                    open_at[child.node as usize] = Some(left);
                }
            }
            let proven = self.visited(id).filter(|child| child.proof.is_solved()).count();
            self.goes_on_soundly(id)
                && usize::from(node.proven) == proven
                && moves.words().iter().zip(open.words()).all(|(moves, open)| moves & !open == 0)
        })
    }

    /// Whether the next child of a node is one of its children, or one that it may have.
    fn goes_on_soundly(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let next_node = match node.next {
            // Nobody goes on below a solved node, and it may have nothing to go on with.
            UNVISITED if node.proof.is_solved() || self.unvisited(id).contains_checked(node.next_slot) => {
                NO_NODE
            }
            // It is not looked at before the next choice.
            UNDECIDED => node.next_node,
            next if next < node.visited => {
                let child = self.child(id, next);
                if child.slot != node.next_slot {
                    return false;
                }
                child.node
            }
            _ => return false,
        };
        let exists = (next_node as usize) < self.len();
        node.next_node == NO_NODE || (node.next_node == next_node && exists)
    }
}
