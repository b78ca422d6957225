//! The visited children of a node, in blocks of [`BLOCK`]. A block holds the first word of all its children, then the
//! second word of all, and so on. So a scan reads memory in order, and all words of a child are close to each other.
//!
//! The first children, at most a block, are in the node's record. Once its room is full, all children move to a chunk
//! outside the record, whose room is a power of two.

use super::super::lanes::BLOCK;
use super::super::proven_outcome::ProvenOutcome;
use super::{Child, NO_NODE, NodeId, UNIT_WORDS, UNVISITED, Unit};
use std::hint::select_unpredictable;

/// The optional fields of the nodes and children of a tree. The words of a child are, in this order: half-points of the
/// side that moves into it, playouts, exploration factor, knowledge, slot with depth and proof, and node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether slots have RAVE counters.
    pub(crate) rave: bool,
    /// Whether children have 1/√(n + 1), the factor of the exploration term (f32).
    pub(crate) explores: bool,
    /// Whether slots and children have what knowledge adds to their value (f32).
    pub(crate) knows: bool,
}

impl Shape {
    /// Exploration only.
    pub(crate) const UCT: Self = Self { rave: false, explores: true, knows: false };
    /// RAVE only.
    pub(crate) const RAVE: Self = Self { rave: true, explores: false, knows: false };

    #[inline(always)]
    fn knowledge(self) -> usize {
        EXPLORATION_FACTOR + usize::from(self.explores)
    }

    /// The word with the slot in the low half, the proof in the three highest bits, and the depth of the proof between
    /// them.
    #[inline(always)]
    fn meta(self) -> usize {
        self.knowledge() + usize::from(self.knows)
    }

    #[inline(always)]
    fn node(self) -> usize {
        self.meta() + 1
    }

    /// Words of a child.
    #[inline(always)]
    pub(super) fn words(self) -> usize {
        self.node() + 1
    }

    /// Words that a scan reads of a first block with this room: its last vector begins with a meta word and has
    /// [`BLOCK`] words.
    pub(super) fn scanned(self, room: usize) -> usize {
        self.meta() * room + BLOCK
    }

    /// Units of a chunk with room for `room` children.
    pub(super) fn units(self, room: usize) -> usize {
        self.words() * room / UNIT_WORDS
    }
}

const HALF_POINTS: usize = 0;
const PLAYOUTS: usize = 1;
const EXPLORATION_FACTOR: usize = 2;

/// The room of a chunk of `len` children.
#[inline(always)]
pub(super) fn room_for(len: u16) -> usize {
    usize::from(len).next_power_of_two().max(BLOCK)
}

/// Playouts to count at a child.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) child: u16,
    pub(crate) playouts: u32,
    /// Half-points of the side that moves into the child.
    pub(crate) half_points: u32,
}

/// The children of one node. `words` holds all words of `len` children, and has room for one child at least.
pub(crate) struct Children<'a> {
    /// All blocks of the node. The blocks of other nodes may follow.
    pub(super) words: &'a mut [u32],
    /// How many children a block has room for.
    pub(super) room: usize,
    /// How many there are.
    pub(super) len: u16,
    pub(crate) shape: Shape,
}

/// The index of a word of a child, where blocks have this room.
#[inline(always)]
fn place(shape: Shape, room: usize, index: u16, word: usize) -> usize {
    let (block, lane) = (usize::from(index) / BLOCK, usize::from(index) % BLOCK);
    block * (shape.words() * BLOCK) + word * room + lane
}

impl Children<'_> {
    /// How many there are.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }

    #[inline(always)]
    fn word(&mut self, index: u16, word: usize) -> &mut u32 {
        let at = place(self.shape, self.room, index, word);
        debug_assert!(index < self.len && word < self.shape.words() && at < self.words.len());
        // SAFETY: `Children` holds all words of `len` children. Callers pass the index of one of them and a word of its
        // shape.
        unsafe { self.words.get_unchecked_mut(at) }
    }

    /// Initialises the child at `index`, without playouts.
    #[inline(always)]
    pub(super) fn set_new(&mut self, index: u16, slot: u16) {
        for word in 0..self.shape.meta() {
            *self.word(index, word) = 0;
        }
        *self.word(index, self.shape.meta()) = u32::from(slot);
        *self.word(index, self.shape.node()) = NO_NODE;
    }

    /// The node with which a descent goes on in `next`, the index of a child or [`UNVISITED`]. [`NO_NODE`] if it ends
    /// there.
    #[inline(always)]
    pub(super) fn node_of_next(&self, next: u16) -> NodeId {
        // Without branches, which would often be mispredicted.
        let unvisited = next == UNVISITED;
        let child = select_unpredictable(unvisited, 0, next);
        let word = |word: usize| {
            let at = place(self.shape, self.room, child, word);
            debug_assert!(at < self.words.len());
            // SAFETY: `Children` holds all words of its children and has room for child 0, which is read for
            // `UNVISITED`. Otherwise callers pass the index of a child.
            unsafe { *self.words.get_unchecked(at) }
        };
        let (meta, node) = (word(self.shape.meta()), word(self.shape.node()));
        select_unpredictable(unvisited | is_solved(meta), NO_NODE, node)
    }

    /// Counts playouts of a child. `exploration_factor` and `knowledge` compute the terms that depend on its playouts,
    /// for shapes that have them.
    #[inline(always)]
    pub(crate) fn count(
        &mut self,
        visit: Visit,
        exploration_factor: impl FnOnce(u32) -> f32,
        knowledge: impl FnOnce(u32, u16) -> f32,
    ) {
        let index = visit.child;
        *self.word(index, HALF_POINTS) += visit.half_points;
        *self.word(index, PLAYOUTS) += visit.playouts;
        let playouts = *self.word(index, PLAYOUTS);
        if self.shape.explores {
            *self.word(index, EXPLORATION_FACTOR) = exploration_factor(playouts).to_bits();
        }
        if self.shape.knows {
            let slot = *self.word(index, self.shape.meta()) as u16;
            *self.word(index, self.shape.knowledge()) = knowledge(playouts, slot).to_bits();
        }
    }

    pub(super) fn set_node(&mut self, index: u16, node: NodeId) {
        *self.word(index, self.shape.node()) = node;
    }

    /// Sets the proof of a child and its depth. Returns whether the child is solved now and was not before.
    pub(super) fn set_proof(&mut self, index: u16, proof: ProvenOutcome, depth: u16) -> bool {
        let meta = self.word(index, self.shape.meta());
        let old = *meta;
        *meta = old & 0xffff | u32::from(depth) << 16 | (proof as u32) << PROOF;
        proof.is_solved() && !is_solved(old)
    }

    /// The words that a scan reads.
    #[inline(always)]
    pub(crate) fn scan(&self) -> ChildScan {
        ChildScan { words: self.words.as_ptr(), room: self.room, len: self.len(), shape: self.shape }
    }
}

/// Pointers to the words of children, for scans. They are valid until the tree changes. From the place of a word of the
/// first child of a block on, [`BLOCK`] words can be read: those behind the last child are arbitrary memory of the
/// tree.
#[derive(Clone, Copy)]
pub(crate) struct ChildScan {
    words: *const u32,
    room: usize,
    pub(crate) len: usize,
    pub(crate) shape: Shape,
}

impl ChildScan {
    /// Word number `word` of the children from `at` to the end of their block.
    #[inline(always)]
    fn those(&self, at: usize, word: usize) -> *const u32 {
        self.words.wrapping_add(place(self.shape, self.room, at as u16, word))
    }

    #[inline(always)]
    pub(crate) fn half_points(&self, at: usize) -> *const u32 {
        self.those(at, HALF_POINTS)
    }

    #[inline(always)]
    pub(crate) fn playouts(&self, at: usize) -> *const u32 {
        self.those(at, PLAYOUTS)
    }

    /// Only where the shape explores.
    #[inline(always)]
    pub(crate) fn exploration_factor(&self, at: usize) -> *const u32 {
        self.those(at, EXPLORATION_FACTOR)
    }

    /// Only where the shape has knowledge.
    #[inline(always)]
    pub(crate) fn knowledge(&self, at: usize) -> *const u32 {
        self.those(at, self.shape.knowledge())
    }

    #[inline(always)]
    pub(crate) fn meta(&self, at: usize) -> *const u32 {
        self.those(at, self.shape.meta())
    }
}

/// The lowest bit of the proof in the word of slot, depth and proof.
const PROOF: u32 = 29;

/// The least value that the upper half of this word has with this proof.
pub(crate) const fn upper_half(proof: ProvenOutcome) -> u32 {
    (proof as u32) << (PROOF - 16)
}

#[inline(always)]
fn proof_of(meta: u32) -> ProvenOutcome {
    ProvenOutcome::from_bits(meta >> PROOF)
}

/// Whether the proof in the word of slot, depth and proof is solved. Exactly the solved proofs have the highest bit.
#[inline(always)]
fn is_solved(meta: u32) -> bool {
    meta >> 31 == 1
}

/// The child at `index`, where blocks have this room.
#[inline(always)]
pub(super) fn child_of(words: &[u32], shape: Shape, room: usize, index: u16) -> Child {
    let word = |word: usize| words[place(shape, room, index, word)];
    let meta = word(shape.meta());
    Child {
        slot: meta as u16,
        n: word(PLAYOUTS),
        half_points: word(HALF_POINTS),
        node: word(shape.node()),
        proof: proof_of(meta),
        depth: ((meta & ((1 << PROOF) - 1)) >> 16) as u16,
    }
}

/// The words of the child at `index` that follow from its playouts: its exploration factor, and what knowledge adds to
/// its value. `None` where the shape has no such word.
pub(super) fn factors_of(words: &[u32], shape: Shape, room: usize, index: u16) -> (Option<u32>, Option<u32>) {
    let word = |word: usize| words[place(shape, room, index, word)];
    (shape.explores.then(|| word(EXPLORATION_FACTOR)), shape.knows.then(|| word(shape.knowledge())))
}

/// Chunks of children that have outgrown their node's record.
pub(super) struct Chunks {
    pub(super) units: Vec<Unit>,
    /// Chunks that nodes have outgrown, by the binary logarithm of their room.
    free: Vec<Vec<u32>>,
}

impl Chunks {
    /// No chunks, with the memory of an empty vector.
    pub(super) fn new(units: Vec<Unit>) -> Self {
        Self { units, free: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// Allocates a chunk with this room and arbitrary content. Returns its first unit.
    pub(super) fn take(&mut self, shape: Shape, room: usize) -> u32 {
        let class = room.ilog2() as usize;
        self.free.get_mut(class).and_then(Vec::pop).unwrap_or_else(|| {
            let at = self.units.len();
            self.units.resize(at + shape.units(room), Unit::default());
            at as u32
        })
    }

    /// Frees a chunk that its node has outgrown.
    pub(super) fn give_back(&mut self, at: u32, room: usize) {
        let class = room.ilog2() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].push(at);
    }

    /// The words of the chunk that begins at unit `at`, and of all chunks behind it.
    #[inline(always)]
    pub(super) fn words(&self, at: u32) -> &[u32] {
        Unit::words(&self.units[at as usize..])
    }

    #[inline(always)]
    pub(super) fn words_mut(&mut self, at: u32) -> &mut [u32] {
        Unit::words_mut(&mut self.units[at as usize..])
    }

    /// Drops all chunks from unit `end` on, and the list of free ones.
    pub(super) fn truncate(&mut self, end: usize) {
        self.units.truncate(end);
        self.free.iter_mut().for_each(Vec::clear);
    }
}
