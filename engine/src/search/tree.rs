//! The tree's memory: nodes of one cache line, children only once visited, RAVE counters dense by slot.
//!
//! Children lie in chunks of seven planes (structure of arrays) so that choosing one is a straight scan. RAVE
//! counters are one packed word a slot while 16 bits suffice, two words after that.

mod collect;

use super::lanes::LANES;
use super::proof::Proof;
use crate::game::{MAX_SLOTS, SlotSet};

/// Index of a node.
pub(crate) type NodeId = u32;
/// No node.
pub(crate) const NO_NODE: NodeId = u32::MAX;
/// The next move of a node is one that was never visited.
pub(crate) const UNVISITED: u16 = u16::MAX;

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
    /// The child to descend into next, or [`UNVISITED`]; valid while `next_is_known`.
    pub(crate) next: u16,
    /// Its slot.
    pub(crate) next_slot: u16,
    /// Plies to the end under the proof, once proven.
    pub(crate) depth: u16,
    pub(crate) proof: Proof,
    pub(crate) next_is_known: bool,
    /// Whether the RAVE counters have outgrown 16 bits.
    wide: bool,
    /// Open slots without a child yet.
    pub(crate) unvisited: SlotSet,
}

/// What a chunk's planes hold, one word a child in each.
#[derive(Clone, Copy)]
enum Plane {
    /// Share of the mean in the value: (1 − β)·mean, or the fixed value of a proven child (f32).
    Exploit = 0,
    /// Weight β of the RAVE mean (f32).
    Beta = 1,
    /// 1/√(n + 1), the factor of the exploration term (f32).
    Urgency = 2,
    /// Playouts.
    Playouts = 3,
    /// Half-points of the side that moves into the child.
    HalfPoints = 4,
    /// Its node, or [`NO_NODE`].
    Node = 5,
    /// Slot, proof and proof depth.
    Meta = 6,
}
const PLANES: usize = 7;
const SMALLEST_CHUNK: usize = LANES;

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

/// What a choice at a node looks at. Planes of children are padded to whole scans.
pub(crate) struct Planes<'a> {
    pub(crate) node: &'a Node,
    pub(crate) exploit: &'a [u32],
    pub(crate) beta: &'a [u32],
    pub(crate) urgency: &'a [u32],
    pub(crate) meta: &'a [u32],
    pub(crate) rave: Rave<'a>,
    /// Values by slot (f32), or empty where no knowledge is kept.
    pub(crate) knowledge: &'a [u32],
}

/// All nodes of one search.
#[derive(Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    children: Vec<u32>,
    blocks: Vec<u32>,
    /// Chunks outgrown, by the logarithm of their capacity.
    free: Vec<Vec<u32>>,
    /// Words of a plane of slots: slots rounded up to whole scans.
    lanes: usize,
    /// Whether nodes have RAVE counters.
    rave: bool,
    /// Whether nodes have a value of knowledge for each slot.
    knowledge: bool,
}

fn capacity(visited: u16) -> usize {
    usize::from(visited).next_power_of_two().max(SMALLEST_CHUNK)
}

impl Tree {
    /// An empty tree, whose nodes may have RAVE counters and knowledge for each slot.
    pub(crate) fn new(slots: usize, rave: bool, knowledge: bool) -> Self {
        Self { lanes: slots.next_multiple_of(LANES), rave, knowledge, ..Self::default() }
    }

    /// Words of a node's block.
    fn block_words(&self, wide: bool) -> usize {
        self.lanes * (usize::from(self.rave) * (1 + usize::from(wide)) + usize::from(self.knowledge))
    }

    /// Memory in use, in bytes, with what a collection would need besides.
    pub(crate) fn bytes(&self) -> usize {
        let words = self.children.len() + self.blocks.len();
        self.nodes.len() * (size_of::<Node>() + collect::BYTES_PER_NODE) + words * size_of::<u32>()
    }

    /// Forgets everything and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.children.clear();
        self.blocks.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// A node without visited children, of which `proof` is known.
    pub(crate) fn add(&mut self, n: u32, open: SlotSet, proof: Proof, wide: bool) -> NodeId {
        let chunk = self.take_chunk(SMALLEST_CHUNK);
        let block = self.blocks.len() as u32;
        self.blocks.resize(self.blocks.len() + self.block_words(wide), 0);
        self.nodes.push(Node {
            n,
            chunk,
            block,
            visited: 0,
            proven: 0,
            next: 0,
            next_slot: 0,
            depth: 0,
            proof,
            next_is_known: false,
            wide,
            unvisited: open,
        });
        self.nodes.len() as NodeId - 1
    }

    /// A chunk without children: every exploit is below any value.
    fn take_chunk(&mut self, capacity: usize) -> u32 {
        let class = capacity.ilog2() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        let at = self.free[class].pop().unwrap_or_else(|| {
            let at = self.children.len() as u32;
            self.children.resize(self.children.len() + PLANES * capacity, 0);
            at
        });
        let planes = &mut self.children[at as usize..][..PLANES * capacity];
        planes[..capacity].fill(f32::NEG_INFINITY.to_bits());
        planes[capacity..].fill(0);
        at
    }

    #[inline(always)]
    fn at(&self, id: NodeId, index: u16, plane: Plane) -> usize {
        let node = &self.nodes[id as usize];
        debug_assert!(index < node.visited);
        node.chunk as usize + plane as usize * capacity(node.visited) + usize::from(index)
    }

    /// The child at `index`, in the order of first visits.
    #[inline]
    pub(crate) fn child(&self, id: NodeId, index: u16) -> Child {
        let meta = self.children[self.at(id, index, Plane::Meta)];
        Child {
            slot: meta as u16,
            n: self.children[self.at(id, index, Plane::Playouts)],
            half_points: self.children[self.at(id, index, Plane::HalfPoints)],
            node: self.children[self.at(id, index, Plane::Node)],
            proof: Proof::from_bits(meta >> 16),
            depth: (meta >> 19) as u16,
        }
    }

    /// Every visited child.
    pub(crate) fn visited(&self, id: NodeId) -> impl Iterator<Item = Child> + '_ {
        (0..self.nodes[id as usize].visited).map(move |index| self.child(id, index))
    }

    /// Makes an unvisited slot a child without playouts.
    pub(crate) fn visit(&mut self, id: NodeId, slot: u16) -> u16 {
        let node = &self.nodes[id as usize];
        let (index, old) = (node.visited, capacity(node.visited));
        if usize::from(index) == old {
            let (from, to) = (node.chunk as usize, self.take_chunk(2 * old) as usize);
            for plane in 0..PLANES {
                self.children.copy_within(from + plane * old..from + (plane + 1) * old, to + plane * 2 * old);
            }
            self.free[old.ilog2() as usize].push(from as u32);
            self.nodes[id as usize].chunk = to as u32;
        }
        let node = &mut self.nodes[id as usize];
        node.visited += 1;
        node.unvisited.remove(slot);
        for (plane, word) in [
            (Plane::Exploit, 0),
            (Plane::Beta, 0),
            (Plane::Urgency, 0),
            (Plane::Playouts, 0),
            (Plane::HalfPoints, 0),
            (Plane::Node, NO_NODE),
            (Plane::Meta, u32::from(slot)),
        ] {
            let at = self.at(id, index, plane);
            self.children[at] = word;
        }
        index
    }

    /// Counts playouts of a child, and returns the child as it is then.
    #[inline]
    pub(crate) fn count(&mut self, id: NodeId, index: u16, n: u32, half_points: u32) -> Child {
        let at = self.at(id, index, Plane::Playouts);
        self.children[at] += n;
        let at = self.at(id, index, Plane::HalfPoints);
        self.children[at] += half_points;
        self.child(id, index)
    }

    /// Sets the terms of a child's value.
    #[inline]
    pub(crate) fn set_terms(&mut self, id: NodeId, index: u16, exploit: f32, beta: f32, urgency: f32) {
        for (plane, term) in [(Plane::Exploit, exploit), (Plane::Beta, beta), (Plane::Urgency, urgency)] {
            let at = self.at(id, index, plane);
            self.children[at] = term.to_bits();
        }
    }

    /// Gives a child its node.
    pub(crate) fn set_node(&mut self, id: NodeId, index: u16, node: NodeId) {
        let at = self.at(id, index, Plane::Node);
        self.children[at] = node;
    }

    /// Sets what is known of a child.
    pub(crate) fn set_proof(&mut self, id: NodeId, index: u16, proof: Proof, depth: u16) {
        let at = self.at(id, index, Plane::Meta);
        let old = self.children[at];
        self.children[at] = old & 0xffff | (proof as u32) << 16 | u32::from(depth) << 19;
        let newly_solved = proof.is_solved() && !Proof::from_bits(old >> 16).is_solved();
        self.nodes[id as usize].proven += u16::from(newly_solved);
    }

    /// Everything a choice at a node looks at.
    #[inline(always)]
    pub(crate) fn planes(&mut self, id: NodeId) -> Planes<'_> {
        let node = &self.nodes[id as usize];
        let capacity = capacity(node.visited);
        let scanned = usize::from(node.visited).next_multiple_of(LANES);
        let planes = &self.children[node.chunk as usize..][..PLANES * capacity];
        let plane = |plane: Plane| &planes[plane as usize * capacity..][..scanned];
        let words = self.block_words(node.wide);
        let block = &mut self.blocks[node.block as usize..][..words];
        let (counters, knowledge) = block.split_at_mut(words - self.lanes * usize::from(self.knowledge));
        let rave = if !self.rave {
            Rave::Off
        } else if node.wide {
            let (playouts, wins) = counters.split_at_mut(self.lanes);
            Rave::Wide(playouts, wins)
        } else {
            Rave::Narrow(counters)
        };
        Planes {
            node,
            exploit: plane(Plane::Exploit),
            beta: plane(Plane::Beta),
            urgency: plane(Plane::Urgency),
            meta: plane(Plane::Meta),
            rave,
            knowledge,
        }
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
        let mut tree = Tree::new(40, false, false);
        let id = tree.add(1, open(40), Proof::Unknown, false);
        for slot in 0..40 {
            let index = tree.visit(id, slot);
            tree.count(id, index, u32::from(slot) + 1, u32::from(slot));
        }
        let seen: Vec<_> = tree.visited(id).map(|c| (c.slot, c.n, c.half_points)).collect();
        let expected: Vec<_> = (0..40).map(|slot| (slot, u32::from(slot) + 1, u32::from(slot))).collect();
        assert_eq!(seen, expected);
        assert!(tree.nodes[id as usize].unvisited.is_empty());
    }

    #[test]
    fn widening_keeps_the_counts() {
        let mut tree = Tree::new(3, true, true);
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
