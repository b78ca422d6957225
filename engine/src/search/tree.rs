//! The tree's memory: nodes of one cache line, children only once visited, RAVE counters dense by slot.
//!
//! RAVE counters are one packed word a slot while 16 bits suffice, two words after that.

mod children;
mod collect;
mod frozen;
mod spare;

use super::lanes::MOST_LANES;
use super::proof::Proof;
use crate::game::{MAX_SLOTS, SlotSet};
use children::{Children, Chunk};
pub(crate) use children::{TermPlanes, Value};
use spare::Memory;
pub use spare::release_spare_memory;

/// Index of a node.
pub(crate) type NodeId = u32;
/// No node.
pub(crate) const NO_NODE: NodeId = u32::MAX;
/// The next move of a node is one that was never visited.
pub(crate) const UNVISITED: u16 = u16::MAX;
/// The next move of a node was not chosen yet.
pub(crate) const UNDECIDED: u16 = u16::MAX - 1;

/// An expanded position.
#[derive(Clone)]
pub(crate) struct Node {
    /// Playouts counted through it, gifts at the root included.
    pub(crate) n: u32,
    /// Offset of its chunk of children.
    chunk: u32,
    /// Offset of its block of slots: RAVE counters, then knowledge, as far as they are kept.
    block: u32,
    /// Children visited at least once.
    pub(crate) visited: u16,
    /// Of these, how many are solved.
    pub(crate) proven: u16,
    /// The child to descend into next, or [`UNVISITED`] or [`UNDECIDED`].
    pub(crate) next: u16,
    /// Its slot.
    pub(crate) next_slot: u16,
    /// Its node, so that a descent looks at nothing else; [`NO_NODE`] without one and for a solved child.
    pub(crate) next_node: NodeId,
    /// Plies to the end under the proof, once proven.
    pub(crate) depth: u16,
    pub(crate) proof: Proof,
    /// Whether the RAVE counters have outgrown 16 bits.
    wide: bool,
    /// Open slots without a child yet.
    pub(crate) unvisited: SlotSet,
}

impl Node {
    /// Its visited children.
    #[inline(always)]
    fn children(&self) -> Chunk {
        Chunk::new(self.chunk, self.visited)
    }
}

/// A child as the rest of the search sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Child {
    pub(crate) slot: u16,
    pub(crate) n: u32,
    pub(crate) half_points: u32,
    pub(crate) node: NodeId,
    pub(crate) proof: Proof,
    pub(crate) depth: u16,
}

impl Child {
    /// An open slot that was never visited.
    pub(crate) fn unvisited(slot: u16) -> Self {
        Self { slot, n: 0, half_points: 0, node: NO_NODE, proof: Proof::Unknown, depth: 0 }
    }
}

/// A node's RAVE counters: playouts and wins by slot.
pub(crate) enum Rave<'a> {
    /// None are kept.
    Off,
    /// Playouts in the low half of each word, wins in the high half.
    Narrow(&'a mut [u32]),
    /// Playouts and wins in planes of their own.
    Wide(&'a mut [u32], &'a mut [u32]),
}

/// What a choice at a node looks at.
pub(crate) struct Planes<'a> {
    pub(crate) node: &'a Node,
    pub(crate) terms: TermPlanes<'a>,
    pub(crate) rave: Rave<'a>,
    /// Values by slot (f32), or empty where no knowledge is kept.
    pub(crate) knowledge: &'a [u32],
    /// Words of a plane of slots, the counters' and the knowledge's.
    pub(crate) slots: usize,
}

/// All nodes of one search.
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    children: Children,
    blocks: Vec<u32>,
    /// Words of a plane of slots: slots rounded up to whole scans.
    lanes: usize,
    /// Whether nodes have RAVE counters.
    rave: bool,
    /// Whether nodes have a value of knowledge for each slot.
    knowledge: bool,
}

impl Drop for Tree {
    fn drop(&mut self) {
        let (nodes, blocks) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.blocks));
        Memory { nodes, children: self.children.take_words(), blocks }.leave();
    }
}

impl Tree {
    /// An empty tree that grows to at most `bytes`, whose nodes may have RAVE counters and knowledge for each
    /// slot, and whose children may be explored.
    pub(crate) fn new(bytes: usize, slots: usize, rave: bool, explores: bool, knowledge: bool) -> Self {
        let Memory { nodes, children, blocks } = Memory::take(bytes);
        let children = Children::new(children, rave, explores);
        Self { nodes, children, blocks, lanes: slots.next_multiple_of(MOST_LANES), rave, knowledge }
    }

    /// Whether children have an urgency.
    pub(crate) fn explores(&self) -> bool {
        self.children.explores()
    }

    /// Words of a node's block.
    #[inline(always)]
    fn block_words(&self, wide: bool) -> usize {
        self.lanes * (usize::from(self.rave) * (1 + usize::from(wide)) + usize::from(self.knowledge))
    }

    /// Memory in use, in bytes, with what a collection would need besides.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.children.words() + self.blocks.len();
        self.nodes.len() * (size_of::<Node>() + collect::BYTES_PER_NODE) + words * size_of::<u32>()
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.blocks.clear();
    }

    /// A node without visited children, of which `proof` is known.
    pub(crate) fn add(&mut self, n: u32, open: SlotSet, proof: Proof, wide: bool) -> NodeId {
        let chunk = self.children.take();
        let block = self.blocks.len() as u32;
        self.blocks.resize(self.blocks.len() + self.block_words(wide), 0);
        self.nodes.push(Node {
            n,
            chunk,
            block,
            visited: 0,
            proven: 0,
            next: UNDECIDED,
            next_slot: 0,
            next_node: NO_NODE,
            depth: 0,
            proof,
            wide,
            unvisited: open,
        });
        self.nodes.len() as NodeId - 1
    }

    /// A node of this tree.
    #[inline(always)]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        debug_assert!((id as usize) < self.nodes.len());
        // SAFETY: numbers of nodes come from this tree, or were looked at when it was read back.
        unsafe { self.nodes.get_unchecked(id as usize) }
    }

    /// As [`Tree::node`], to change it.
    #[inline(always)]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        debug_assert!((id as usize) < self.nodes.len());
        // SAFETY: as above.
        unsafe { self.nodes.get_unchecked_mut(id as usize) }
    }

    /// The child at `index`, in the order of first visits.
    #[inline]
    pub(crate) fn child(&self, id: NodeId, index: u16) -> Child {
        self.children.get(self.chunk(id), index)
    }

    #[inline(always)]
    fn chunk(&self, id: NodeId) -> Chunk {
        self.node(id).children()
    }

    /// Sets the child to descend into next, by its index, or [`UNVISITED`], and its slot.
    #[inline(always)]
    pub(crate) fn decide(&mut self, id: NodeId, next: u16, next_slot: u16) {
        let chunk = self.chunk(id);
        let next_node = if next == UNVISITED { NO_NODE } else { self.children.way_on(chunk, next) };
        let node = self.node_mut(id);
        (node.next, node.next_slot, node.next_node) = (next, next_slot, next_node);
    }

    /// Every visited child.
    pub(crate) fn visited(&self, id: NodeId) -> impl Iterator<Item = Child> + '_ {
        (0..self.nodes[id as usize].visited).map(move |index| self.child(id, index))
    }

    /// Makes an unvisited slot a child without playouts.
    pub(crate) fn visit(&mut self, id: NodeId, slot: u16) -> u16 {
        let chunk = self.chunk(id);
        let node = &mut self.nodes[id as usize];
        node.chunk = self.children.push(chunk, slot);
        node.visited += 1;
        node.unvisited.remove(slot);
        chunk.len()
    }

    /// Counts playouts of a child and, unless it is solved, sets the terms of its value to what `terms` makes
    /// of its playouts, its half-points and the knowledge about its slot.
    #[inline(always)]
    pub(crate) fn count(
        &mut self,
        id: NodeId,
        index: u16,
        n: u32,
        half_points: u32,
        terms: impl FnOnce(u32, u32, f32) -> Value,
    ) {
        let chunk = self.chunk(id);
        let knowledge = if self.knowledge { self.knowledge(id, self.child(id, index).slot) } else { 0.0 };
        self.children.count(chunk, index, n, half_points, |n, half_points| terms(n, half_points, knowledge));
    }

    /// Sets the terms of a child's value.
    pub(crate) fn set_terms(&mut self, id: NodeId, index: u16, value: Value) {
        self.children.set_terms(self.chunk(id), index, value);
    }

    /// Gives a child its node.
    pub(crate) fn set_node(&mut self, id: NodeId, index: u16, node: NodeId) {
        self.children.set_node(self.chunk(id), index, node);
    }

    /// Sets what is known of a child.
    pub(crate) fn set_proof(&mut self, id: NodeId, index: u16, proof: Proof, depth: u16) {
        let newly_solved = self.children.set_proof(self.chunk(id), index, proof, depth);
        self.nodes[id as usize].proven += u16::from(newly_solved);
    }

    /// Everything a choice at a node looks at.
    #[inline(always)]
    pub(crate) fn planes(&mut self, id: NodeId) -> Planes<'_> {
        debug_assert!((id as usize) < self.nodes.len());
        // SAFETY: as in [`Tree::node`], which would borrow the counters, too.
        let node = unsafe { self.nodes.get_unchecked(id as usize) };
        let terms = self.children.terms(node.children());
        let (at, words, lanes) = (node.block as usize, self.block_words(node.wide), self.lanes);
        debug_assert!(at + words <= self.blocks.len());
        // SAFETY: a node's block is all there.
        let block = unsafe { self.blocks.get_unchecked_mut(at..at + words) };
        let (knowing, counting) = (usize::from(self.knowledge), usize::from(self.rave));
        // SAFETY: a block has planes for the counters, two if they are wide, and one for the knowledge.
        let (counters, knowledge) = unsafe { block.split_at_mut_unchecked(words - lanes * knowing) };
        // SAFETY: as above.
        let (playouts, wins) = unsafe { counters.split_at_mut_unchecked(lanes * counting) };
        let rave = match (self.rave, node.wide) {
            (false, _) => Rave::Off,
            (true, false) => Rave::Narrow(playouts),
            (true, true) => Rave::Wide(playouts, wins),
        };
        Planes { node, terms, rave, knowledge, slots: lanes }
    }

    /// Sets what knowledge says of each slot of a node, as added to its value.
    pub(crate) fn set_knowledge(&mut self, id: NodeId, values: &[f32; MAX_SLOTS]) {
        let end = self.nodes[id as usize].block as usize + self.block_words(self.nodes[id as usize].wide);
        let plane = &mut self.blocks[end - self.lanes..end];
        plane.iter_mut().zip(values).for_each(|(word, value)| *word = value.to_bits());
    }

    /// What knowledge says of a slot; 0 where none is kept.
    #[inline(always)]
    pub(crate) fn knowledge(&self, id: NodeId, slot: u16) -> f32 {
        if !self.knowledge {
            return 0.0;
        }
        let node = &self.nodes[id as usize];
        let end = node.block as usize + self.block_words(node.wide);
        f32::from_bits(self.blocks[end - self.lanes + usize::from(slot)])
    }

    /// RAVE playouts and wins of a slot of a node; none where none are kept.
    pub(crate) fn rave(&self, id: NodeId, slot: u16) -> (u32, u32) {
        let node = &self.nodes[id as usize];
        let at = node.block as usize + usize::from(slot);
        match (self.rave, node.wide) {
            (false, _) => (0, 0),
            (true, false) => (self.blocks[at] & 0xffff, self.blocks[at] >> 16),
            (true, true) => (self.blocks[at], self.blocks[at + self.lanes]),
        }
    }

    /// Moves a node's RAVE counters to full words, when they may pass 16 bits.
    pub(crate) fn widen(&mut self, id: NodeId) {
        let node = &self.nodes[id as usize];
        if node.wide || !self.rave {
            return;
        }
        let (from, to) = (node.block as usize, self.blocks.len());
        // Playouts, wins, and the knowledge behind them.
        self.blocks.extend_from_within(from..from + self.lanes);
        self.blocks.extend_from_within(from..from + self.block_words(false));
        let (playouts, wins) = self.blocks[to..to + 2 * self.lanes].split_at_mut(self.lanes);
        playouts.iter_mut().for_each(|word| *word &= 0xffff);
        wins.iter_mut().for_each(|word| *word >>= 16);
        let node = &mut self.nodes[id as usize];
        (node.block, node.wide) = (to as u32, true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(slots: u16) -> SlotSet {
        (0..slots).collect()
    }

    #[test]
    fn a_node_fills_one_cache_line() {
        assert_eq!(size_of::<Node>(), 64);
    }

    #[test]
    fn children_keep_their_numbers_while_chunks_grow() {
        let mut tree = Tree::new(1 << 20, 40, false, true, false);
        let id = tree.add(1, open(40), Proof::Unknown, false);
        for slot in 0..40 {
            let index = tree.visit(id, slot);
            let no_terms = |_, _, _| Value { exploit: 0.0, beta: 0.0, urgency: 0.0 };
            tree.count(id, index, u32::from(slot) + 1, u32::from(slot), no_terms);
        }
        let seen: Vec<_> = tree.visited(id).map(|c| (c.slot, c.n, c.half_points)).collect();
        let expected: Vec<_> = (0..40).map(|slot| (slot, u32::from(slot) + 1, u32::from(slot))).collect();
        assert_eq!(seen, expected);
        assert!(tree.nodes[id as usize].unvisited.is_empty());
    }

    #[test]
    fn widening_keeps_the_counts() {
        let mut tree = Tree::new(1 << 20, 3, true, true, true);
        let id = tree.add(1, open(3), Proof::Unknown, false);
        tree.set_knowledge(id, &std::array::from_fn(|slot| if slot == 2 { 0.25 } else { 0.0 }));
        if let Rave::Narrow(block) = tree.planes(id).rave {
            block[1] = 7 << 16 | 60_000;
        }
        tree.widen(id);
        let Rave::Wide(playouts, wins) = tree.planes(id).rave else { panic!("still narrow") };
        assert_eq!((playouts[1], wins[1], playouts[0]), (60_000, 7, 0));
        assert_eq!(tree.knowledge(id, 2), 0.25);
    }
}
