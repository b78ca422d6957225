//! The visited children of nodes, in chunks of planes (structures of arrays), so that choosing one is a
//! straight scan.
//!
//! A chunk has room for a power of two of children, at least four. Behind the planes that a choice looks at
//! lie the records of what it does not, child by child.

use super::super::lanes::MOST_LANES;
use super::super::proof::Proof;
use super::{Child, NO_NODE, NodeId};
use crate::game::MAX_SLOTS;

/// The room of the smallest chunk. Four planes of it make whole vectors.
const SMALLEST: usize = 4;
/// Words of a child's record: playouts, half-points of the side that moves into it, and its node.
const RECORD: usize = 3;

/// The children of one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chunk {
    /// Where its words begin.
    at: u32,
    /// How many children there are.
    len: u16,
    /// The logarithm of its room.
    room_log2: u8,
}

impl Chunk {
    #[inline(always)]
    pub(super) fn new(at: u32, len: u16) -> Self {
        // The power of two that is not below it.
        let last = u32::from(len).saturating_sub(1) | (SMALLEST as u32 - 1);
        Self { at, len, room_log2: (u32::BITS - last.leading_zeros()) as u8 }
    }

    #[inline(always)]
    fn room(self) -> usize {
        1 << self.room_log2
    }

    pub(super) fn len(self) -> u16 {
        self.len
    }
}

/// What a choice looks at, by child; up to a whole vector behind the last child there is room with anything
/// in it.
pub(crate) struct TermPlanes<'a> {
    /// Share of the mean in the value: (1 − β)·mean, or the fixed value of a solved child (f32).
    pub(crate) exploit: &'a [u32],
    /// Weight β of the RAVE mean (f32), with RAVE.
    pub(crate) beta: &'a [u32],
    /// 1/√(n + 1), the factor of the exploration term (f32), with exploration.
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

/// All chunks of a tree.
pub(super) struct Children {
    words: Vec<u32>,
    /// Chunks outgrown, by the logarithm of their room.
    free: Vec<Vec<u32>>,
    /// Whether there is a plane of β.
    rave: bool,
    /// Whether there is a plane of urgency.
    explores: bool,
    /// Number of the plane with slot, proof and depth; before it are the terms of a child's value, behind it the records.
    meta: usize,
}

impl Children {
    /// Chunks whose words lie in this vector; none, and room for them, in an empty one.
    pub(super) fn new(words: Vec<u32>, rave: bool, explores: bool) -> Self {
        Self { words, free: Vec::new(), rave, explores, meta: 1 + usize::from(rave) + usize::from(explores) }
    }

    /// Whether there is a plane of urgency.
    pub(super) fn explores(&self) -> bool {
        self.explores
    }

    /// Words of all chunks.
    pub(super) fn words(&self) -> usize {
        self.words.len()
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    /// Words of a chunk.
    #[inline(always)]
    pub(super) fn words_of(&self, chunk: Chunk) -> usize {
        (self.meta + 1 + RECORD) << chunk.room_log2
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
            self.words.resize(self.words.len() + (self.meta + 1 + RECORD) * room, 0);
            at
        })
    }

    /// Adds a child without playouts. Returns where the chunk is then.
    pub(super) fn push(&mut self, chunk: Chunk, slot: u16) -> u32 {
        let mut grown = Chunk { len: chunk.len + 1, ..chunk };
        if usize::from(chunk.len) == chunk.room() {
            grown.room_log2 += 1;
            grown.at = self.take_room(grown.room());
            let (from, to, room) = (chunk.at as usize, grown.at as usize, chunk.room());
            for plane in 0..=self.meta {
                self.words.copy_within(from + plane * room..from + (plane + 1) * room, to + plane * 2 * room);
            }
            let records = from + (self.meta + 1) * room;
            self.words.copy_within(records..records + RECORD * room, to + (self.meta + 1) * 2 * room);
            self.free[usize::from(chunk.room_log2)].push(chunk.at);
        }
        for plane in 0..self.meta {
            *self.word(grown, chunk.len, plane) = 0;
        }
        *self.word(grown, chunk.len, self.meta) = u32::from(slot);
        *self.record(grown, chunk.len) = [0, 0, NO_NODE];
        grown.at
    }

    /// The place of a word in one of a child's planes.
    #[inline(always)]
    fn at(&self, chunk: Chunk, index: u16, plane: usize) -> usize {
        debug_assert!(index < chunk.len && plane <= self.meta);
        debug_assert!(chunk.at as usize + self.words_of(chunk) <= self.words.len());
        chunk.at as usize + (plane << chunk.room_log2) + usize::from(index)
    }

    /// The place of a child's record.
    #[inline(always)]
    fn record_at(&self, chunk: Chunk, index: u16) -> usize {
        self.at(chunk, 0, self.meta) + chunk.room() + RECORD * usize::from(index)
    }

    #[inline(always)]
    fn word(&mut self, chunk: Chunk, index: u16, plane: usize) -> &mut u32 {
        let at = self.at(chunk, index, plane);
        // SAFETY: a chunk's words are all there.
        unsafe { self.words.get_unchecked_mut(at) }
    }

    #[inline(always)]
    fn meta(&self, chunk: Chunk, index: u16) -> u32 {
        // SAFETY: a chunk's words are all there.
        unsafe { *self.words.get_unchecked(self.at(chunk, index, self.meta)) }
    }

    #[inline(always)]
    fn record(&mut self, chunk: Chunk, index: u16) -> &mut [u32; RECORD] {
        let at = self.record_at(chunk, index);
        // SAFETY: a chunk's words are all there.
        unsafe { &mut *self.words.as_mut_ptr().add(at).cast() }
    }

    #[inline]
    pub(super) fn get(&self, chunk: Chunk, index: u16) -> Child {
        let meta = self.meta(chunk, index);
        let record = self.record_at(chunk, index);
        let [n, half_points, node] = *self.words[record..].first_chunk().expect("a record is whole");
        let (proof, depth) = (Proof::from_bits(meta >> 16), (meta >> 19) as u16);
        Child { slot: meta as u16, n, half_points, node, proof, depth }
    }

    /// The node to go on with in a child; [`NO_NODE`] where a descent ends.
    #[inline(always)]
    pub(super) fn way_on(&mut self, chunk: Chunk, index: u16) -> NodeId {
        if is_solved(self.meta(chunk, index)) { NO_NODE } else { self.record(chunk, index)[2] }
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
        let [playouts, points, _] = self.record(chunk, index);
        *playouts += n;
        *points += half_points;
        let value = terms(*playouts, *points);
        if !is_solved(self.meta(chunk, index)) {
            self.set_terms(chunk, index, value);
        }
    }

    #[inline(always)]
    pub(super) fn set_terms(&mut self, chunk: Chunk, index: u16, value: Value) {
        *self.word(chunk, index, 0) = value.exploit.to_bits();
        if self.rave {
            *self.word(chunk, index, 1) = value.beta.to_bits();
        }
        if self.explores {
            *self.word(chunk, index, self.meta - 1) = value.urgency.to_bits();
        }
    }

    pub(super) fn set_node(&mut self, chunk: Chunk, index: u16, node: NodeId) {
        self.record(chunk, index)[2] = node;
    }

    /// Sets what is known of a child. Returns whether it is solved now and was not before.
    pub(super) fn set_proof(&mut self, chunk: Chunk, index: u16, proof: Proof, depth: u16) -> bool {
        let old = self.meta(chunk, index);
        *self.word(chunk, index, self.meta) = old & 0xffff | (proof as u32) << 16 | u32::from(depth) << 19;
        proof.is_solved() && !is_solved(old)
    }

    #[inline(always)]
    pub(super) fn terms(&self, chunk: Chunk) -> TermPlanes<'_> {
        let scanned = usize::from(chunk.len).next_multiple_of(MOST_LANES);
        debug_assert!(chunk.at as usize + self.words_of(chunk) <= self.words.len());
        // SAFETY: a chunk's words are all there, and behind the plane of meta words come three times as many, so that
        // even the smallest chunk's scans end before them.
        let plane = |plane: usize| unsafe {
            let at = chunk.at as usize + (plane << chunk.room_log2);
            self.words.get_unchecked(at..at + scanned)
        };
        TermPlanes {
            exploit: plane(0),
            beta: plane(1),
            urgency: plane(self.meta - 1),
            meta: plane(self.meta),
        }
    }

    /// Chunks of the same planes, with these words for all of them.
    pub(super) fn another(&self, words: Vec<u32>) -> Self {
        Self::new(words, self.rave, self.explores)
    }

    /// The words of all chunks.
    pub(super) fn all_words(&self) -> &[u32] {
        &self.words
    }

    /// Takes the words of all chunks away.
    pub(super) fn take_words(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.words)
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

/// Whether the meta word of a child says that its outcome is known.
#[inline(always)]
fn is_solved(meta: u32) -> bool {
    meta >> 16 & 7 >= Proof::Loss as u32
}
