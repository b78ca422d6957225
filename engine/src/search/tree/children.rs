//! The visited children of a node, in blocks of as many as a scan takes in at a time: first the same word of all of them,
//! then the next, and so on. So a scan goes straight through, and all words of a child are close to each other. The first
//! ones, less than a block, are in the node's record. Once that is full all move to a chunk of their own, which has room for
//! a power of two of them.

use super::super::lanes::BLOCK;
use super::super::outcome::Proof;
use super::{Child, NO_NODE, NodeId, UNIT_WORDS, UNVISITED, Unit};
use std::hint::select_unpredictable;

/// What a player keeps at a node. The words of a child are, in this order: half-points of the side that moves into it,
/// playouts, exploration factor, knowledge, slot with proof, and node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Whether slots have RAVE counters.
    pub(crate) rave: bool,
    /// Whether children have 1/√(n + 1), the factor of the exploration term (f32).
    pub(crate) explores: bool,
    /// Whether slots, and children, have what knowledge adds to their value (f32).
    pub(crate) knows: bool,
}

impl Shape {
    /// Of players with exploration only.
    pub(crate) const UCT: Self = Self { rave: false, explores: true, knows: false };
    /// Of players with RAVE only.
    pub(crate) const RAVE: Self = Self { rave: true, explores: false, knows: false };

    #[inline(always)]
    fn knowledge(self) -> usize {
        EXPLORATION_FACTOR + usize::from(self.explores)
    }

    /// The word with the slot in the lower half, then the depth of the proof, and in the three highest bits the proof.
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

    /// Words from the beginning of a block of so many children to where a scan of them ends.
    pub(super) fn scanned(self, room: usize) -> usize {
        self.meta() * room + BLOCK
    }

    /// Units of a chunk of so many children.
    pub(super) fn units(self, room: usize) -> usize {
        self.words() * room / UNIT_WORDS
    }
}

const HALF_POINTS: usize = 0;
const PLAYOUTS: usize = 1;
const EXPLORATION_FACTOR: usize = 2;

/// The room of a chunk that holds so many children.
#[inline(always)]
pub(super) fn room_for(len: u16) -> usize {
    usize::from(len).next_power_of_two().max(BLOCK)
}

/// Playouts to be counted at a child.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub(crate) child: u16,
    pub(crate) playouts: u32,
    /// Of the side that moves into the child.
    pub(crate) half_points: u32,
}

/// The children of one node.
pub(crate) struct Children<'a> {
    /// All blocks, and perhaps those of others behind them.
    pub(super) words: &'a mut [u32],
    /// Children that a block has room for.
    pub(super) room: usize,
    /// How many there are.
    pub(super) len: u16,
    pub(crate) shape: Shape,
}

/// Where a word of a child is, by the room of a block.
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
        // SAFETY: there are as many children as are said, and all their words.
        unsafe { self.words.get_unchecked_mut(at) }
    }

    /// Makes the child at `index` one without playouts.
    #[inline(always)]
    pub(super) fn set_new(&mut self, index: u16, slot: u16) {
        for word in 0..self.shape.meta() {
            *self.word(index, word) = 0;
        }
        *self.word(index, self.shape.meta()) = u32::from(slot);
        *self.word(index, self.shape.node()) = NO_NODE;
    }

    /// The node to go on with in the child `next`, or [`UNVISITED`]; [`NO_NODE`] where a descent ends.
    #[inline(always)]
    pub(super) fn way_on(&self, next: u16) -> NodeId {
        // Without branches, because nobody can foretell them.
        let unvisited = next == UNVISITED;
        let child = select_unpredictable(unvisited, 0, next);
        let word = |word: usize| {
            let at = place(self.shape, self.room, child, word);
            debug_assert!(at < self.words.len());
            // SAFETY: a child's words are all there, and there is room for the first one at least.
            unsafe { *self.words.get_unchecked(at) }
        };
        let (meta, node) = (word(self.shape.meta()), word(self.shape.node()));
        select_unpredictable(unvisited | is_solved(meta), NO_NODE, node)
    }

    /// Counts playouts of a child. `exploration_factor` and `knowledge` make of its playouts what it adds to its value by exploration
    /// and by knowledge, where it does.
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

    /// Sets what is known of a child. Returns whether it is solved now and was not before.
    pub(super) fn set_proof(&mut self, index: u16, proof: Proof, depth: u16) -> bool {
        let meta = self.word(index, self.shape.meta());
        let old = *meta;
        *meta = old & 0xffff | u32::from(depth) << 16 | (proof as u32) << PROOF;
        proof.is_solved() && !is_solved(old)
    }

    /// What a scan looks at.
    #[inline(always)]
    pub(crate) fn scan(&self) -> ChildScan {
        ChildScan { words: self.words.as_ptr(), room: self.room, len: self.len(), shape: self.shape }
    }
}

/// Where scans find the words of children. [`BLOCK`] words can be read wherever those of a block begin: behind the last
/// child there is memory of the tree with anything in it.
#[derive(Clone, Copy)]
pub(crate) struct ChildScan {
    words: *const u32,
    room: usize,
    pub(crate) len: usize,
    pub(crate) shape: Shape,
}

impl ChildScan {
    /// The words with this number of the children from `at` on, as far as they are in the same block.
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

    /// Only where children are explored.
    #[inline(always)]
    pub(crate) fn exploration_factor(&self, at: usize) -> *const u32 {
        self.those(at, EXPLORATION_FACTOR)
    }

    /// Only where knowledge adds to their values.
    #[inline(always)]
    pub(crate) fn knowledge(&self, at: usize) -> *const u32 {
        self.those(at, self.shape.knowledge())
    }

    #[inline(always)]
    pub(crate) fn meta(&self, at: usize) -> *const u32 {
        self.those(at, self.shape.meta())
    }
}

/// Where the proof is in the word of slot, depth and proof.
const PROOF: u32 = 29;

/// The least that the upper half of that word is with such a proof.
pub(crate) const fn upper_half(proof: Proof) -> u32 {
    (proof as u32) << (PROOF - 16)
}

#[inline(always)]
fn proof_of(meta: u32) -> Proof {
    Proof::from_bits(meta >> PROOF)
}

/// Whether the word of slot, depth and proof says that the outcome is known: of all proofs, those have the highest bit.
#[inline(always)]
fn is_solved(meta: u32) -> bool {
    meta >> 31 == 1
}

/// The child at `index` of blocks with that room.
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

/// What follows from the playouts of the child at `index`, as bits: the factor of its exploration term, and what knowledge
/// adds to its value; none where there is none.
pub(super) fn factors_of(words: &[u32], shape: Shape, room: usize, index: u16) -> (Option<u32>, Option<u32>) {
    let word = |word: usize| words[place(shape, room, index, word)];
    (shape.explores.then(|| word(EXPLORATION_FACTOR)), shape.knows.then(|| word(shape.knowledge())))
}

/// Chunks of children that have outgrown their node's record.
pub(super) struct Chunks {
    pub(super) units: Vec<Unit>,
    /// Chunks outgrown in their turn, by the logarithm of their room.
    free: Vec<Vec<u32>>,
}

impl Chunks {
    /// Chunks that lie in this vector.
    pub(super) fn new(units: Vec<Unit>) -> Self {
        Self { units, free: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0);
    }

    /// A chunk of so much room, with anything in it. Returns where it begins.
    pub(super) fn take(&mut self, shape: Shape, room: usize) -> u32 {
        let class = room.ilog2() as usize;
        self.free.get_mut(class).and_then(Vec::pop).unwrap_or_else(|| {
            let at = self.units.len();
            self.units.resize(at + shape.units(room), Unit::default());
            at as u32
        })
    }

    /// A chunk was outgrown.
    pub(super) fn give_back(&mut self, at: u32, room: usize) {
        let class = room.ilog2() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].push(at);
    }

    /// The words of the chunk that begins there, and of those behind it.
    #[inline(always)]
    pub(super) fn words(&self, at: u32) -> &[u32] {
        Unit::words(&self.units[at as usize..])
    }

    #[inline(always)]
    pub(super) fn words_mut(&mut self, at: u32) -> &mut [u32] {
        Unit::words_mut(&mut self.units[at as usize..])
    }

    /// Drops all chunks from `end` on, and those outgrown.
    pub(super) fn truncate(&mut self, end: usize) {
        self.units.truncate(end);
        self.free.iter_mut().for_each(Vec::clear);
    }
}
