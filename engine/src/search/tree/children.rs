//! The visited children of nodes, in chunks of planes (structures of arrays), so that choosing one is a
//! straight scan.
//!
//! A chunk has room for a power of two of children, at least four. Behind the planes that a choice looks at
//! lie those it does not.

use super::super::lanes::LANES;
use super::super::proof::Proof;
use super::{Child, NO_NODE, NodeId};
use crate::game::MAX_SLOTS;

/// The room of the smallest chunk. Four planes of it make whole vectors.
const SMALLEST: usize = 4;

/// The children of one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    /// Where its words begin.
    pub(super) at: u32,
    /// How many children there are.
    pub(super) len: u16,
}

impl Chunk {
    fn room(self) -> usize {
        usize::from(self.len).next_power_of_two().max(SMALLEST)
    }
}

/// What a choice looks at, by child; up to a whole vector behind the last child there is room with anything
/// in it.
pub(crate) struct TermPlanes<'a> {
    /// Share of the mean in the value: (1 − β)·mean, or the fixed value of a solved child (f32).
    pub(crate) exploit: &'a [u32],
    /// Weight β of the RAVE mean (f32); empty without RAVE.
    pub(crate) beta: &'a [u32],
    /// 1/√(n + 1), the factor of the exploration term (f32); empty without exploration.
    pub(crate) urgency: &'a [u32],
    /// Slot, proof and proof depth.
    pub(crate) meta: &'a [u32],
}

/// The terms of one child's value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub(crate) exploit: f32,
    pub(crate) beta: f32,
    pub(crate) urgency: f32,
}

/// The counters of a chunk, in the order of their planes behind `meta`.
#[derive(Clone, Copy)]
enum Counter {
    Playouts = 1,
    /// Of the side that moves into the child.
    HalfPoints = 2,
    Node = 3,
}

/// All chunks of a tree.
#[derive(Default)]
pub(super) struct Children {
    words: Vec<u32>,
    /// Chunks outgrown, by the logarithm of their room.
    free: Vec<Vec<u32>>,
    /// Whether there is a plane of β.
    rave: bool,
    /// Whether there is a plane of urgency.
    explores: bool,
}

impl Children {
    pub(super) fn new(rave: bool, explores: bool) -> Self {
        Self { rave, explores, ..Self::default() }
    }

    /// Words of all chunks.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// Number of the plane with slot, proof and depth; before it are the terms of a child's value.
    #[inline(always)]
    fn meta(&self) -> usize {
        1 + usize::from(self.rave) + usize::from(self.explores)
    }

    fn planes(&self) -> usize {
        self.meta() + 4
    }

    /// Words of a chunk.
    pub(super) fn words_of(&self, chunk: Chunk) -> usize {
        self.planes() * chunk.room()
    }

    /// A chunk without children.
    pub(super) fn take(&mut self) -> u32 {
        self.take_room(SMALLEST)
    }

    fn take_room(&mut self, room: usize) -> u32 {
        let class = room.ilog2() as usize;
        if self.free.len() <= class {
            self.free.resize(class + 1, Vec::new());
        }
        self.free[class].pop().unwrap_or_else(|| {
            let at = self.words.len() as u32;
            self.words.resize(self.words.len() + self.planes() * room, 0);
            at
        })
    }

    /// Adds a child without playouts. Returns where the chunk is then.
    pub(super) fn push(&mut self, chunk: Chunk, slot: u16) -> u32 {
        let (from, room) = (chunk.at as usize, chunk.room());
        let mut grown = Chunk { at: chunk.at, len: chunk.len + 1 };
        if usize::from(chunk.len) == room {
            grown.at = self.take_room(2 * room);
            let to = grown.at as usize;
            for plane in 0..self.planes() {
                self.words.copy_within(from + plane * room..from + (plane + 1) * room, to + plane * 2 * room);
            }
            self.free[room.ilog2() as usize].push(chunk.at);
        }
        for plane in 0..self.planes() {
            let at = self.at(grown, chunk.len, plane);
            self.words[at] = 0;
        }
        let at = self.at(grown, chunk.len, self.meta());
        self.words[at] = u32::from(slot);
        self.set_node(grown, chunk.len, NO_NODE);
        grown.at
    }

    #[inline(always)]
    fn at(&self, chunk: Chunk, index: u16, plane: usize) -> usize {
        debug_assert!(index < chunk.len);
        chunk.at as usize + plane * chunk.room() + usize::from(index)
    }

    #[inline(always)]
    fn counter(&self, chunk: Chunk, index: u16, counter: Counter) -> usize {
        self.at(chunk, index, self.meta() + counter as usize)
    }

    #[inline]
    pub(super) fn get(&self, chunk: Chunk, index: u16) -> Child {
        let meta = self.words[self.at(chunk, index, self.meta())];
        Child {
            slot: meta as u16,
            n: self.words[self.counter(chunk, index, Counter::Playouts)],
            half_points: self.words[self.counter(chunk, index, Counter::HalfPoints)],
            node: self.words[self.counter(chunk, index, Counter::Node)],
            proof: Proof::from_bits(meta >> 16),
            depth: (meta >> 19) as u16,
        }
    }

    /// The node to go on with in a child; [`NO_NODE`] where a descent ends.
    #[inline]
    pub(super) fn way_on(&self, chunk: Chunk, index: u16) -> NodeId {
        let (room, meta) = (chunk.room(), self.meta());
        let words = &self.words[chunk.at as usize..][..self.words_of(chunk)];
        let index = usize::from(index);
        let solved = Proof::from_bits(words[meta * room + index] >> 16).is_solved();
        if solved { NO_NODE } else { words[(meta + Counter::Node as usize) * room + index] }
    }

    /// Counts playouts of a child and, unless it is solved, sets the terms of its value.
    #[inline(always)]
    pub(super) fn count(
        &mut self,
        chunk: Chunk,
        index: u16,
        n: u32,
        half_points: u32,
        terms: impl FnOnce(u32, u32) -> Value,
    ) {
        let (room, meta) = (chunk.room(), self.meta());
        let (rave, explores) = (self.rave, self.explores);
        let end = chunk.at as usize + self.words_of(chunk);
        let words = &mut self.words[chunk.at as usize..end];
        let index = usize::from(index);
        let playouts = &mut words[(meta + Counter::Playouts as usize) * room + index];
        *playouts += n;
        let n = *playouts;
        let points = &mut words[(meta + Counter::HalfPoints as usize) * room + index];
        *points += half_points;
        let value = terms(n, *points);
        if !Proof::from_bits(words[meta * room + index] >> 16).is_solved() {
            write_terms(words, room, index, rave, explores, value);
        }
    }

    pub(super) fn set_terms(&mut self, chunk: Chunk, index: u16, value: Value) {
        let words = &mut self.words[chunk.at as usize..];
        write_terms(words, chunk.room(), usize::from(index), self.rave, self.explores, value);
    }

    pub(super) fn set_node(&mut self, chunk: Chunk, index: u16, node: NodeId) {
        let at = self.counter(chunk, index, Counter::Node);
        self.words[at] = node;
    }

    /// Sets what is known of a child. Returns whether it is solved now and was not before.
    pub(super) fn set_proof(&mut self, chunk: Chunk, index: u16, proof: Proof, depth: u16) -> bool {
        let at = self.at(chunk, index, self.meta());
        let old = self.words[at];
        self.words[at] = old & 0xffff | (proof as u32) << 16 | u32::from(depth) << 19;
        proof.is_solved() && !Proof::from_bits(old >> 16).is_solved()
    }

    #[inline(always)]
    pub(super) fn terms(&self, chunk: Chunk) -> TermPlanes<'_> {
        let (room, meta) = (chunk.room(), self.meta());
        let scanned = usize::from(chunk.len).next_multiple_of(LANES);
        debug_assert!(chunk.at as usize + self.planes() * room <= self.words.len());
        // SAFETY: a chunk's words are all there, and behind the plane of meta words come three more, so that
        // even the smallest chunk's scans end before them.
        let plane = |plane: usize| unsafe {
            let at = chunk.at as usize + plane * room;
            self.words.get_unchecked(at..at + scanned)
        };
        TermPlanes {
            exploit: plane(0),
            beta: if self.rave { plane(1) } else { &[] },
            urgency: if self.explores { plane(meta - 1) } else { &[] },
            meta: plane(meta),
        }
    }

    /// Chunks of the same planes, without any.
    pub(super) fn another(&self) -> Self {
        Self::new(self.rave, self.explores)
    }

    /// The words of all chunks.
    pub(super) fn all_words(&self) -> &[u32] {
        &self.words
    }

    /// Takes these as the words of all chunks.
    pub(super) fn set_words(&mut self, words: Vec<u32>) {
        self.words = words;
    }

    /// Whether all words of a chunk are there.
    pub(super) fn contains(&self, chunk: Chunk) -> bool {
        usize::from(chunk.len) <= MAX_SLOTS && chunk.at as usize + self.words_of(chunk) <= self.words.len()
    }

    /// Slides a chunk down to `to`, over what is no longer needed. Returns where it ends then.
    pub(super) fn slide(&mut self, chunk: Chunk, to: u32) -> u32 {
        let (from, words) = (chunk.at as usize, self.words_of(chunk));
        self.words.copy_within(from..from + words, to as usize);
        to + words as u32
    }

    /// Drops all chunks from `end` on, and those outgrown.
    pub(super) fn truncate(&mut self, end: u32) {
        self.words.truncate(end as usize);
        self.free.iter_mut().for_each(Vec::clear);
    }
}

#[inline(always)]
fn write_terms(words: &mut [u32], room: usize, index: usize, rave: bool, explores: bool, value: Value) {
    words[index] = value.exploit.to_bits();
    if rave {
        words[room + index] = value.beta.to_bits();
    }
    if explores {
        words[(1 + usize::from(rave)) * room + index] = value.urgency.to_bits();
    }
}
