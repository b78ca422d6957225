//! The layout of a node's record.
//!
//! All records of a tree have the same number of whole cache lines. A record holds, in this order, the node, the set of
//! its unvisited slots, its first children, RAVE counters of a byte each, and knowledge. So all data of a young node,
//! as most are, is in one place. Children and counters that outgrow the record move elsewhere.

use super::super::lanes::{BLOCK, MOST_LANES};
use super::Node;
use super::children::Shape;
use super::memory::LINE_WORDS;
use std::ops::Range;

/// The least number of children that a record has room for.
const LEAST_ROOM: usize = 3;

/// The numbers of words of a record's parts. Behind the node come `unvisited`, `children`, `counters` and `knowledge`,
/// which fill the record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Words of the set of unvisited slots, one bit for each slot.
    pub(super) unvisited: usize,
    /// How many children there is room for.
    pub(super) room: usize,
    /// Words for children.
    pub(super) children: usize,
    /// Words of RAVE counters: two of a byte for each slot.
    pub(super) counters: usize,
    /// Words of knowledge: one for each slot.
    pub(super) knowledge: usize,
    /// Cache lines of the record.
    pub(super) lines: usize,
    /// Slots of the game, rounded up to whole vectors: the entries of counters and knowledge.
    pub(super) lanes: usize,
}

impl Layout {
    /// Words of the [`Node`].
    pub(super) const NODE: usize = size_of::<Node>() / size_of::<u32>();

    /// The layout for nodes of this shape with `slots` slots.
    pub(super) fn new(slots: usize, shape: Shape) -> Self {
        let lanes = slots.next_multiple_of(MOST_LANES);
        let unvisited = slots.div_ceil(u32::BITS as usize);
        let counters = if shape.rave { lanes / 2 } else { 0 };
        let knowledge = if shape.knows { lanes } else { 0 };
        let others = Self::NODE + unvisited + counters + knowledge;
        let least = (LEAST_ROOM * shape.words()).max(shape.scanned(LEAST_ROOM));
        let lines = (others + least).div_ceil(LINE_WORDS);
        // The children get the padding too, so that the planes behind them end with the record: no vector crosses a
        // line.
        let children = lines * LINE_WORDS - others;
        let room = (children / shape.words()).min(BLOCK);
        Self { unvisited, room, children, counters, knowledge, lines, lanes }
    }

    /// The words of the unvisited slots in a record.
    #[inline(always)]
    pub(super) fn unvisited_at(&self) -> Range<usize> {
        Self::NODE..Self::NODE + self.unvisited
    }

    /// The words of the children in a record.
    #[inline(always)]
    pub(super) fn children_at(&self) -> Range<usize> {
        let from = self.unvisited_at().end;
        from..from + self.children
    }

    /// The words of the RAVE counters in a record.
    pub(super) fn counters_at(&self) -> Range<usize> {
        let from = self.children_at().end;
        from..from + self.counters
    }

    /// The words of the knowledge in a record.
    pub(super) fn knowledge_at(&self) -> Range<usize> {
        let from = self.counters_at().end;
        from..from + self.knowledge
    }
}
