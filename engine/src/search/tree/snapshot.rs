//! Writes a tree to bytes and reads it back, word for word.
//!
//! The bytes are untrusted. Reading checks everything that a search relies on: no memory is shared or out of range, there are no
//! cycles, no number overflows, and none is NaN. [`Search::restore`](super::super::Search::restore) checks whether the nodes fit
//! the position. Wrong counts are accepted: they only make a search play badly.

use super::super::formula;
use super::super::proven_outcome::ProvenOutcome;
use super::super::snapshot_bytes::{Reader, mismatch, put_words};
use super::children::factors_of;
use super::layout::Layout;
use super::memory::{Line, Unit};
use super::{Child, NO_NODE, Node, NodeId, Tree, UNDECIDED, UNVISITED, Width};
use crate::search::slots::MAX_SLOTS;
use std::io::{self, Write};
use std::mem::take;

/// The most playouts that a node or a child may have when it is read. A search adds fewer than as many again, so that
/// neither their sum nor its half-points overflow a word.
const MOST_PLAYOUTS: u32 = 1 << 30;

impl Tree {
    /// Writes a tree, which must have been compacted just before, so that nothing in it is unused.
    pub(crate) fn snapshot(&self, out: &mut dyn Write) -> io::Result<()> {
        put_words(out, Line::words(&self.records))?;
        put_words(out, Unit::words(&self.chunks.units))?;
        put_words(out, Unit::words(&self.counters))
    }

    /// Reads the tree that [`Tree::snapshot`] wrote, whose root has this id, into the memory of this one. After an error
    /// this tree is empty.
    pub(crate) fn restore(&mut self, input: &mut Reader<'_>, root: NodeId) -> io::Result<()> {
        self.clear();
        // What was read becomes part of the tree only after the check of its heads.
        let (mut records, mut chunks, mut counters) =
            (take(&mut self.records), take(&mut self.chunks.units), take(&mut self.counters));
        Line::read(input, &mut records)?;
        Unit::read(input, &mut chunks)?;
        Unit::read(input, &mut counters)?;
        let count = records.len() / self.layout.lines;
        if !records.len().is_multiple_of(self.layout.lines) || count > NO_NODE as usize {
            return Err(mismatch());
        }
        // Checked in the bytes: in a `Node` an invalid proof or width would be undefined behaviour.
        for record in records.chunks_exact(self.layout.lines) {
            let [.., proof, width] = Line::words(record)[Layout::NODE - 1].to_ne_bytes();
            let widest = if self.shape.rave { Width::Word } else { Width::Byte };
            if !ProvenOutcome::is_number(u32::from(proof)) || width > widest as u8 {
                return Err(mismatch());
            }
        }
        (self.records, self.count, self.chunks.units, self.counters) = (records, count, chunks, counters);
        if !self.is_sound(root) {
            self.clear();
            return Err(mismatch());
        }
        Ok(())
    }

    /// Whether the tree has every property that a search relies on.
    fn is_sound(&self, root: NodeId) -> bool {
        // The order matters: each check reads only memory that the checks before have found sound.
        let mut reached = vec![false; self.len()];
        if let Some(root) = reached.get_mut(root as usize) {
            *root = true;
        } else if root != NO_NODE || self.len() > 0 {
            return false;
        }
        self.is_tiled(|node| node.chunk, Self::chunk_units, self.chunks.units.len())
            && self.is_tiled(|node| node.counters, Self::counter_units, self.counters.len())
            && (0..self.len() as NodeId).all(|id| self.is_node_sound(id, &mut reached))
    }

    /// Whether the pieces that nodes have outside their records, at their `place`, fill all `whole` units without gap
    /// or overlap.
    fn is_tiled(&self, place: fn(&Node) -> u32, units: fn(&Self, NodeId) -> usize, whole: usize) -> bool {
        let mut end = 0;
        let fits = |(from, id)| {
            let units = units(self, id);
            let fits = from == if units > 0 { end } else { 0 };
            end += units;
            fits
        };
        self.in_order(place).all(fits) && end == whole
    }

    /// Whether a node is sound, provided that nodes share no memory. `reached` marks the root and the nodes that are
    /// children of nodes with a lower id.
    fn is_node_sound(&self, id: NodeId, reached: &mut [bool]) -> bool {
        let node = self.node(id);
        let counts = node.n <= MOST_PLAYOUTS && usize::from(node.depth) <= MAX_SLOTS;
        if !reached[id as usize] || !counts || usize::from(node.visited) > MAX_SLOTS {
            return false;
        }
        let mut moves = self.unvisited(id);
        for (index, child) in (0..).zip(self.visited(id)) {
            let new = usize::from(child.slot) < MAX_SLOTS && !moves.contains(child.slot);
            if !new || !self.is_child_sound(id, index, &child) {
                return false;
            }
            moves.insert(child.slot);
            if child.node != NO_NODE {
                // A child has a higher id than its parent, so that there is no cycle, and it has one parent.
                let unreached = reached.get(child.node as usize) == Some(&false);
                if child.node <= id || !unreached || self.node(child.node).proof != child.proof.inverted() {
                    return false;
                }
                reached[child.node as usize] = true;
            }
        }
        let proven = self.visited(id).filter(|child| child.proof.is_solved()).count();
        usize::from(node.proven) == proven
            && moves.iter().all(|slot| self.knowledge(id, slot).is_finite())
            && self.goes_on_soundly(id)
    }

    /// Whether a child's counts are in range and its other words follow from them.
    fn is_child_sound(&self, id: NodeId, index: u16, child: &Child) -> bool {
        let (words, room) = self.children(id);
        let (factor, known) = factors_of(words, self.shape, room, index);
        let knowledge = self.knowledge(id, child.slot);
        // A child without playouts may have zeros instead.
        let is = |word: u32, value: f32| word == value.to_bits() || (child.n == 0 && word == 0);
        child.n <= MOST_PLAYOUTS
            && child.half_points <= 2 * child.n
            && usize::from(child.depth) <= MAX_SLOTS
            && factor.is_none_or(|word| is(word, formula::exploration_factor(child.n)))
            && known.is_none_or(|word| is(word, formula::decayed_knowledge(knowledge, child.n)))
    }

    /// Whether the next child of a node is one of its children or of its unvisited slots.
    fn goes_on_soundly(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let exists = node.next_node == NO_NODE || (node.next_node as usize) < self.len();
        match node.next {
            // The next node is not read before the next choice.
            UNDECIDED => exists,
            // No descent goes on below a solved node, and its next child is not updated any more.
            UNVISITED if node.proof.is_solved() => exists,
            UNVISITED => self.unvisited(id).contains_checked(node.next_slot) && node.next_node == NO_NODE,
            next if next >= node.visited => false,
            _ if node.proof.is_solved() => exists,
            next => {
                let child = self.child(id, next);
                let node_of_next = if child.proof.is_solved() { NO_NODE } else { child.node };
                child.slot == node.next_slot && node_of_next == node.next_node
            }
        }
    }
}
