//! Where everything lies in a node's record.
//!
//! A record is a few whole cache lines, as many for every node of a tree: the node, the slots it has not visited, room for
//! its first children, and counters of a byte each. So a young node, as most are, is all in one place. What outgrows its
//! record gets a place elsewhere.

use super::super::lanes::{BLOCK, MOST_LANES};
use super::Node;
use super::children::Shape;
use super::memory::LINE_WORDS;
use std::ops::Range;

/// A record has room for so many children at least.
const LEAST_ROOM: usize = 3;

/// Words of the parts of a record, in their order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Of the slots not visited, one bit each, behind the node.
    pub(super) unvisited: usize,
    /// Children there is room for.
    pub(super) room: usize,
    /// Of the children.
    pub(super) children: usize,
    /// Of counters of a byte: two for every slot.
    pub(super) counters: usize,
    /// Of the knowledge about every slot.
    pub(super) knowledge: usize,
    /// Cache lines of the whole.
    pub(super) lines: usize,
    /// A plane of slots: as many, rounded up to whole scans.
    pub(super) lanes: usize,
}

impl Layout {
    /// Words of a node itself.
    pub(super) const NODE: usize = size_of::<Node>() / size_of::<u32>();

    /// The record of nodes of that shape with so many slots.
    pub(super) fn new(slots: usize, shape: Shape) -> Self {
        let lanes = slots.next_multiple_of(MOST_LANES);
        let unvisited = slots.div_ceil(u32::BITS as usize);
        let counters = if shape.rave { lanes / 2 } else { 0 };
        let knowledge = if shape.knows { lanes } else { 0 };
        let others = Self::NODE + unvisited + counters + knowledge;
        let least = (LEAST_ROOM * shape.words()).max(shape.scanned(LEAST_ROOM));
        let lines = (others + least).div_ceil(LINE_WORDS);
        // The counters end with the record, so that no vector of them crosses a line.
        let children = lines * LINE_WORDS - others;
        // No more than one block.
        let room = (children / shape.words()).min(BLOCK);
        Self { unvisited, room, children, counters, knowledge, lines, lanes }
    }

    /// Where the slots not visited are in a record.
    #[inline(always)]
    pub(super) fn unvisited_at(&self) -> Range<usize> {
        Self::NODE..Self::NODE + self.unvisited
    }

    /// Where the children are.
    #[inline(always)]
    pub(super) fn children_at(&self) -> Range<usize> {
        let from = self.unvisited_at().end;
        from..from + self.children
    }

    /// Where the counters are.
    pub(super) fn counters_at(&self) -> Range<usize> {
        let from = self.children_at().end;
        from..from + self.counters
    }

    /// Where the knowledge is.
    pub(super) fn knowledge_at(&self) -> Range<usize> {
        let from = self.counters_at().end;
        from..from + self.knowledge
    }
}
