//! The search tree in memory. Every node has a record of a few cache lines, which also holds its first children and its
//! RAVE counters while these are bytes.
//!
//! A RAVE counter takes a byte while that suffices, then 16 bits, then a word. A child exists from its first visit on.

mod children;
mod collect;
mod layout;
mod memory;
mod memory_pool;
mod snapshot;

use super::lanes::BLOCK;
use super::proven_outcome::ProvenOutcome;
use super::slots::{MAX_SLOTS, SlotSet};
use crate::cpu::prefetch;
pub(crate) use children::{ChildScan, Children, Shape, Visit, upper_half};
use children::{Chunks, child_of, room_for};
use layout::Layout;
use memory::{Line, UNIT_WORDS, Unit};
pub use memory_pool::release_pooled_memory;
use memory_pool::{Kind, Memory};

/// Index of a node.
pub(crate) type NodeId = u32;
pub(crate) const NO_NODE: NodeId = u32::MAX;
/// In place of the index of a node's next child: a slot without a child yet.
pub(crate) const UNVISITED: u16 = u16::MAX;
/// In place of the index of a node's next child: none was chosen yet.
pub(crate) const UNDECIDED: u16 = u16::MAX - 1;

/// An expanded position: the head of its record.
#[repr(C)]
pub(crate) struct Node {
    /// Playouts through the node. Those of the root include its virtual playouts.
    pub(crate) n: u32,
    /// The node of the next child, kept here so that a descent reads nothing but nodes. [`NO_NODE`] if the child has no
    /// node or is solved.
    pub(crate) next_node: NodeId,
    /// The index of the child that the next descent takes, or [`UNVISITED`] or [`UNDECIDED`].
    pub(crate) next: u16,
    /// The slot of the next child.
    pub(crate) next_slot: u16,
    /// Children visited at least once.
    pub(crate) visited: u16,
    /// How many of these are solved.
    pub(crate) proven: u16,
    /// The first unit of its chunk of children, if the children have outgrown the record.
    chunk: u32,
    /// The first unit of its RAVE counters, if they have outgrown the record.
    counters: u32,
    /// Plies to the end of the game under the proof, once solved.
    pub(crate) depth: u16,
    pub(crate) proof: ProvenOutcome,
    width: Width,
}

/// The size of a RAVE counter of playouts or of wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Width {
    Byte = 0,
    Half = 1,
    Word = 2,
}

impl Width {
    /// The largest count.
    #[inline(always)]
    pub(crate) fn most(self) -> u32 {
        match self {
            Self::Byte => 0xff,
            Self::Half => 0xffff,
            Self::Word => u32::MAX,
        }
    }

    /// The smallest width that can count to `n`.
    fn holding(n: u32) -> Self {
        [Self::Byte, Self::Half].into_iter().find(|width| n <= width.most()).unwrap_or(Self::Word)
    }

    /// Units of counters outside the record, for `lanes` slots.
    #[inline(always)]
    fn units(self, lanes: usize) -> usize {
        match self {
            Self::Byte => 0,
            Self::Half => lanes / UNIT_WORDS,
            Self::Word => 2 * lanes / UNIT_WORDS,
        }
    }
}

impl Node {
    /// The largest count of its RAVE counters.
    #[inline(always)]
    pub(crate) fn most_counted(&self) -> u32 {
        self.width.most()
    }
}

/// A child as the rest of the search sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Child {
    pub(crate) slot: u16,
    pub(crate) n: u32,
    pub(crate) half_points: u32,
    pub(crate) node: NodeId,
    pub(crate) proof: ProvenOutcome,
    pub(crate) depth: u16,
}

impl Child {
    /// The child that an unvisited slot would have.
    pub(crate) fn unvisited(slot: u16) -> Self {
        Self { slot, n: 0, half_points: 0, node: NO_NODE, proof: ProvenOutcome::Unknown, depth: 0 }
    }
}

/// A node's RAVE counters: playouts and wins by slot. There is an entry for each of [`NodeView::slots`]; a slice may go
/// on with the counters of other nodes.
pub(crate) enum Rave<'a> {
    /// None are kept.
    Off,
    /// Two slots in each word. Each half word has playouts in the low byte, wins in the high byte.
    Bytes(&'a mut [u32]),
    /// Playouts in the low half of each word, wins in the high half.
    Halves(&'a mut [u32]),
    /// A plane of playouts and a plane of wins.
    Words(&'a mut [u32], &'a mut [u32]),
}

/// A node with everything that selection reads there.
pub(crate) struct NodeView<'a> {
    pub(crate) node: &'a mut Node,
    /// Open slots without a child yet, one bit for each slot.
    pub(crate) unvisited: &'a mut [u32],
    pub(crate) children: Children<'a>,
    pub(crate) rave: Rave<'a>,
    /// The bits of an f32 for each of [`NodeView::slots`], or empty where no knowledge is kept.
    pub(crate) knowledge: &'a mut [u32],
    /// Slots of the game, rounded up to whole vectors.
    pub(crate) slots: usize,
}

impl NodeView<'_> {
    /// Makes a choice that does without the RAVE counters.
    pub(crate) fn leave_out_rave(&mut self) {
        self.rave = Rave::Off;
        self.children.shape.rave = false;
    }

    /// Sets the next child: its index, or [`UNVISITED`], and its slot.
    #[inline(always)]
    pub(crate) fn decide(&mut self, next: u16, next_slot: u16) {
        let next_node = self.children.node_of_next(next);
        (self.node.next, self.node.next_slot, self.node.next_node) = (next, next_slot, next_node);
    }
}

/// All nodes of one search. Every record has the parts that `layout` describes, and begins with a valid [`Node`]:
/// [`Tree::add`] writes it (over zeros, which are a valid one too), and [`Tree::restore`] checks it.
pub(crate) struct Tree {
    records: Vec<Line>,
    /// How many nodes there are.
    count: usize,
    chunks: Chunks,
    /// RAVE counters that have outgrown their node's record.
    counters: Vec<Unit>,
    layout: Layout,
    shape: Shape,
    kind: Kind,
}

impl Drop for Tree {
    fn drop(&mut self) {
        let records = std::mem::take(&mut self.records);
        let (chunks, counters) = (std::mem::take(&mut self.chunks.units), std::mem::take(&mut self.counters));
        Memory { kind: self.kind, records, chunks, counters }.leave();
    }
}

impl Tree {
    /// An empty tree of nodes of this shape for a game of `slots` slots, with room reserved for `bytes`.
    pub(crate) fn new(bytes: usize, slots: usize, shape: Shape) -> Self {
        let Memory { kind, records, chunks, counters } = Memory::take(Kind { bytes, slots, shape });
        let layout = Layout::new(slots, shape);
        Self { records, count: 0, chunks: Chunks::new(chunks), counters, layout, shape, kind }
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Memory in use, in bytes, including what a collection would need.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.records)
            + size_of_val(&*self.chunks.units)
            + size_of_val(&*self.counters)
            + self.count * collect::BYTES_PER_NODE
    }

    /// Makes the next descent through each node choose a child.
    #[cold]
    pub(crate) fn forget_choices(&mut self) {
        (0..self.count as NodeId).for_each(|id| self.node_mut(id).next = UNDECIDED);
    }

    /// Removes all nodes and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.records.clear();
        self.count = 0;
        self.chunks.clear();
        self.counters.clear();
    }

    /// Adds a node with this proof and without visited children. Its RAVE counters have at least this width.
    pub(crate) fn add(&mut self, n: u32, open: SlotSet, proof: ProvenOutcome, width: Width) -> NodeId {
        let id = self.count as NodeId;
        self.count += 1;
        self.records.resize(self.count * self.layout.lines, Line::default());
        let NodeView { node, unvisited, .. } = self.view(id);
        *node = Node {
            n,
            next_node: NO_NODE,
            next: UNDECIDED,
            next_slot: 0,
            visited: 0,
            proven: 0,
            chunk: 0,
            counters: 0,
            depth: 0,
            proof,
            width: Width::Byte,
        };
        unvisited.copy_from_slice(&open.words()[..unvisited.len()]);
        if width > Width::Byte {
            self.widen_to(id, width);
        }
        id
    }

    /// The words of a node's record.
    #[inline(always)]
    fn record(&self, id: NodeId) -> &[u32] {
        let at = id as usize * self.layout.lines;
        Line::words(&self.records[at..at + self.layout.lines])
    }

    /// A node of this tree.
    #[inline(always)]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        let line: *const Line = &self.records[id as usize * self.layout.lines];
        // SAFETY: a record of a `Tree` begins with a valid `Node`, which is smaller and less aligned than a `Line`.
        unsafe { &*line.cast() }
    }

    /// Prefetches a node and its first children.
    #[inline(always)]
    pub(crate) fn prefetch(&self, id: NodeId) {
        let lines = &self.records[id as usize * self.layout.lines..];
        lines.iter().take(2).for_each(prefetch);
    }

    /// [`Tree::node`], mutable.
    #[inline(always)]
    pub(crate) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let line: *mut Line = &mut self.records[id as usize * self.layout.lines];
        // SAFETY: a record of a `Tree` begins with a valid `Node`, and `&mut self` makes the reference unique.
        unsafe { &mut *line.cast() }
    }

    /// The fields that its nodes have.
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// A node with all that belongs to it.
    pub(crate) fn view(&mut self, id: NodeId) -> NodeView<'_> {
        self.view_as(self.shape, id)
    }

    /// [`Tree::view`] for callers in which the tree's shape is a constant.
    #[inline(always)]
    pub(crate) fn view_as(&mut self, shape: Shape, id: NodeId) -> NodeView<'_> {
        debug_assert!(shape == self.shape);
        let layout = &self.layout;
        let at = id as usize * layout.lines;
        let record = Line::words_mut(&mut self.records[at..at + layout.lines]);
        // SAFETY: the parts of a `Layout` add up to the length of a record, so that every split is within it. A record
        // of a `Tree` begins with a valid `Node`.
        let (node, unvisited, own, bytes, knowledge) = unsafe {
            let (node, rest) = record.split_at_mut_unchecked(Layout::NODE);
            let (unvisited, rest) = rest.split_at_mut_unchecked(layout.unvisited);
            let (own, rest) = rest.split_at_mut_unchecked(layout.children);
            let (bytes, knowledge) = rest.split_at_mut_unchecked(layout.counters);
            (&mut *node.as_mut_ptr().cast::<Node>(), unvisited, own, bytes, knowledge)
        };
        let (words, room) = if usize::from(node.visited) <= layout.room {
            (own, layout.room)
        } else {
            (self.chunks.words_mut(node.chunk), BLOCK)
        };
        let children = Children { words, room, len: node.visited, shape };
        let rave = if !shape.rave {
            Rave::Off
        } else if node.width == Width::Byte {
            Rave::Bytes(bytes)
        } else {
            let grown = Unit::words_mut(&mut self.counters[node.counters as usize..]);
            if node.width == Width::Half {
                Rave::Halves(grown)
            } else {
                let (playouts, wins) = grown.split_at_mut(layout.lanes);
                Rave::Words(playouts, wins)
            }
        };
        NodeView { node, unvisited, children, rave, knowledge, slots: layout.lanes }
    }

    /// The words of a node's children, in the record or in a chunk, and the room of a block.
    #[inline(always)]
    fn children(&self, id: NodeId) -> (&[u32], usize) {
        let node = self.node(id);
        if usize::from(node.visited) <= self.layout.room {
            (&self.record(id)[self.layout.children_at()], self.layout.room)
        } else {
            (self.chunks.words(node.chunk), BLOCK)
        }
    }

    /// The child at `index`, in the order of first visits.
    #[inline(always)]
    pub(crate) fn child(&self, id: NodeId, index: u16) -> Child {
        let (words, room) = self.children(id);
        child_of(words, self.shape, room, index)
    }

    /// Every visited child.
    pub(crate) fn visited(&self, id: NodeId) -> impl Iterator<Item = Child> + '_ {
        let (words, room) = self.children(id);
        (0..self.node(id).visited).map(move |index| child_of(words, self.shape, room, index))
    }

    /// Open slots without a child yet.
    pub(crate) fn unvisited(&self, id: NodeId) -> SlotSet {
        let mut words = [0; MAX_SLOTS / 32];
        words[..self.layout.unvisited].copy_from_slice(&self.record(id)[self.layout.unvisited_at()]);
        SlotSet::of(words)
    }

    /// Replaces the set of a node's unvisited slots.
    pub(crate) fn set_unvisited(&mut self, id: NodeId, slots: SlotSet) {
        let unvisited = self.view(id).unvisited;
        unvisited.copy_from_slice(&slots.words()[..unvisited.len()]);
    }

    /// Makes an unvisited slot a child without playouts. Returns its index.
    ///
    /// # Panics
    /// When the slot is not unvisited, as after a choice in which all values were NaN.
    pub(crate) fn visit(&mut self, id: NodeId, slot: u16) -> u16 {
        let at = id as usize * self.layout.lines;
        let record = Line::words_mut(&mut self.records[at..at + self.layout.lines]);
        let word = record[self.layout.unvisited_at()].get_mut(usize::from(slot) / 32);
        let Some(word) = word.filter(|word| **word >> (slot % 32) & 1 == 1) else {
            panic!("slot {slot} is not open, or has a child already");
        };
        *word &= !(1 << (slot % 32));
        let index = self.node(id).visited;
        let own = self.layout.room;
        let room = if usize::from(index) <= own { own } else { room_for(index) };
        if usize::from(index) == room {
            self.outgrow(id, room);
        }
        // `view_as` finds the children by `visited`. So they move to a larger chunk before `visited` grows.
        self.node_mut(id).visited += 1;
        self.view_as(self.shape, id).children.set_new(index, slot);
        index
    }

    /// Moves the children of a node, whose room is full, to a larger chunk.
    fn outgrow(&mut self, id: NodeId, room: usize) {
        let larger = room_for(room as u16 + 1);
        let to = self.chunks.take(self.shape, larger);
        if room == self.layout.room {
            let record = id as usize * self.layout.lines;
            let record = Line::words(&self.records[record..record + self.layout.lines]);
            let own = &record[self.layout.children_at()];
            let block = self.chunks.words_mut(to);
            for word in 0..self.shape.words() {
                block[word * BLOCK..][..room].copy_from_slice(&own[word * room..][..room]);
            }
        } else {
            let from = self.node(id).chunk as usize;
            self.chunks.units.copy_within(from..from + self.shape.units(room), to as usize);
            self.chunks.give_back(from as u32, room);
        }
        self.node_mut(id).chunk = to;
    }

    /// Gives a child its node.
    pub(crate) fn set_node(&mut self, id: NodeId, index: u16, node: NodeId) {
        self.view_as(self.shape, id).children.set_node(index, node);
    }

    /// Sets the proof of a child and its depth.
    pub(crate) fn set_proof(&mut self, id: NodeId, index: u16, proof: ProvenOutcome, depth: u16) {
        let NodeView { node, mut children, .. } = self.view_as(self.shape, id);
        node.proven += u16::from(children.set_proof(index, proof, depth));
    }

    /// Sets what knowledge adds to the value of each slot of a node.
    pub(crate) fn set_knowledge(&mut self, id: NodeId, values: &[f32; MAX_SLOTS]) {
        let plane = self.view(id).knowledge;
        plane.iter_mut().zip(values).for_each(|(word, value)| *word = value.to_bits());
    }

    /// What knowledge adds to the value of a slot; 0 where no knowledge is kept.
    pub(crate) fn knowledge(&self, id: NodeId, slot: u16) -> f32 {
        let plane = &self.record(id)[self.layout.knowledge_at()];
        plane.get(usize::from(slot)).map_or(0.0, |&bits| f32::from_bits(bits))
    }

    /// RAVE playouts and wins of a slot of a node; 0 without RAVE.
    pub(crate) fn rave(&self, id: NodeId, slot: u16) -> (u32, u32) {
        let (node, slot) = (self.node(id), usize::from(slot));
        let grown = &Unit::words(&self.counters)[node.counters as usize * UNIT_WORDS..];
        match node.width {
            _ if !self.shape.rave => (0, 0),
            Width::Byte => {
                let bytes = &self.record(id)[self.layout.counters_at()];
                let pair = bytes[slot / 2] >> (16 * (slot % 2));
                (pair & 0xff, pair >> 8 & 0xff)
            }
            Width::Half => (grown[slot] & 0xffff, grown[slot] >> 16),
            Width::Word => (grown[slot], grown[slot + self.layout.lanes]),
        }
    }

    /// Makes the RAVE counters of a node, if it has any, wide enough to count to `most`.
    pub(crate) fn widen(&mut self, id: NodeId, most: u32) {
        self.widen_to(id, Width::holding(most));
    }

    #[cold]
    fn widen_to(&mut self, id: NodeId, width: Width) {
        if !self.shape.rave || self.node(id).width >= width {
            return;
        }
        let lanes = self.layout.lanes;
        let at = self.counters.len();
        self.counters.resize(at + width.units(lanes), Unit::default());
        for slot in 0..lanes {
            let (n, wins) = self.rave(id, slot as u16);
            let grown = &mut Unit::words_mut(&mut self.counters)[at * UNIT_WORDS..];
            if width == Width::Half {
                grown[slot] = n | wins << 16;
            } else {
                (grown[slot], grown[slot + lanes]) = (n, wins);
            }
        }
        let node = self.node_mut(id);
        (node.counters, node.width) = (at as u32, width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(slots: u16) -> SlotSet {
        (0..slots).collect()
    }

    #[test]
    fn records_are_as_short_as_is_said() {
        let lines = |slots, shape| Layout::new(slots, shape).lines;
        assert_eq!([37, 61, 91, 169, 271].map(|slots| lines(slots, Shape::UCT)), [2, 2, 2, 2, 3]);
        assert_eq!([37, 61, 91, 169, 271].map(|slots| lines(slots, Shape::RAVE)), [3, 4, 5, 8, 11]);
        for code in 0..8 {
            let shape = Shape { rave: code & 1 > 0, explores: code & 2 > 0, knows: code & 4 > 0 };
            for slots in 1..=MAX_SLOTS {
                let Layout { unvisited, room, children, counters, knowledge, lines, .. } =
                    Layout::new(slots, shape);
                let parts = Layout::NODE + unvisited + children + counters + knowledge;
                assert_eq!(parts, lines * memory::LINE_WORDS);
                assert!(room >= 3 && children >= shape.words() * room && children >= shape.scanned(room));
            }
        }
    }

    #[test]
    fn children_keep_their_numbers_while_they_move() {
        for (shape, slots) in [(Shape::UCT, 40), (Shape::RAVE, 271), (Shape::UCT, 7)] {
            let mut tree = Tree::new(1 << 20, slots.into(), shape);
            let id = tree.add(1, open(slots), ProvenOutcome::Unknown, Width::Byte);
            for slot in 0..slots {
                let child = tree.visit(id, slot);
                let visit = Visit { child, playouts: u32::from(slot) + 1, half_points: slot.into() };
                tree.view(id).children.count(visit, |n| n as f32, |_, _| 0.0);
                tree.set_node(id, child, 7 * u32::from(slot));
            }
            let seen: Vec<_> = tree.visited(id).map(|c| (c.slot, c.n, c.half_points, c.node)).collect();
            let expected: Vec<_> = (0..slots)
                .map(|slot| (slot, u32::from(slot) + 1, u32::from(slot), 7 * u32::from(slot)))
                .collect();
            assert_eq!(seen, expected);
            assert!(tree.unvisited(id).is_empty());
        }
    }

    #[test]
    fn widening_keeps_the_counts() {
        let shape = Shape { rave: true, explores: true, knows: true };
        let mut tree = Tree::new(1 << 20, 3, shape);
        let id = tree.add(1, open(3), ProvenOutcome::Unknown, Width::Byte);
        tree.set_knowledge(id, &std::array::from_fn(|slot| if slot == 2 { 0.25 } else { 0.0 }));
        if let Rave::Bytes(counters) = tree.view(id).rave {
            counters[0] = (7 << 8 | 255) << 16 | 3 << 8 | 4;
            counters[1] = 1 << 8 | 1;
        }
        for (most, width) in
            [(255, Width::Byte), (256, Width::Half), (65_535, Width::Half), (65_536, Width::Word)]
        {
            tree.widen(id, most);
            assert_eq!(tree.node(id).width, width);
            assert_eq!([0, 1, 2].map(|slot| tree.rave(id, slot)), [(4, 3), (255, 7), (1, 1)], "{width:?}");
            assert_eq!(tree.knowledge(id, 2), 0.25);
        }
    }
}
