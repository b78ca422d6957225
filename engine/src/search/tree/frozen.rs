//! A tree written down and read back, node for node and word for word.
//!
//! What is read may have been written by anybody. Everything is looked at that later searches rely on: that no memory is
//! shared or out of range, that no way leads back, and that no number overflows or is none. Whether the nodes are those of a
//! position is for [`Search::thaw`](super::super::Search::thaw) to say. Counts that are merely wrong make a search that plays
//! badly.

use super::super::formula;
use super::super::frozen::{NotThisSearch, Reader, put_words};
use super::super::outcome::Proof;
use super::children::{Chunks, factors_of};
use super::layout::Layout;
use super::memory::{Line, Unit};
use super::{Child, NO_NODE, Node, NodeId, Tree, UNDECIDED, UNVISITED, Width};
use crate::search::slots::MAX_SLOTS;

/// The most playouts that a node or a child may have: as many again are no overflow, of half-points either.
const MOST_PLAYOUTS: u32 = 1 << 30;

impl Tree {
    /// Writes down a tree that was just slid together, so that nothing in it is unused.
    pub(crate) fn freeze(&self, out: &mut Vec<u8>) {
        put_words(out, Line::words(&self.records));
        put_words(out, Unit::words(&self.chunks.units));
        put_words(out, Unit::words(&self.counters));
    }

    /// The tree that was written down, whose root has this number.
    pub(crate) fn thaw(&self, input: &mut Reader<'_>, root: NodeId) -> Result<Self, NotThisSearch> {
        let records = Line::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let chunks = Unit::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let counters = Unit::of_words(&input.words()?).ok_or(NotThisSearch)?;
        let count = records.len() / self.layout.lines;
        if !records.len().is_multiple_of(self.layout.lines) || count > NO_NODE as usize {
            return Err(NotThisSearch);
        }
        // A node has a proof and a width, whose bytes are not looked at any more once it is one.
        for record in records.chunks_exact(self.layout.lines) {
            let [.., proof, width] = Line::words(record)[Layout::NODE - 1].to_ne_bytes();
            let widest = if self.shape.rave { Width::Word } else { Width::Byte };
            if !Proof::is_number(u32::from(proof)) || width > widest as u8 {
                return Err(NotThisSearch);
            }
        }
        let (layout, shape) = (self.layout, self.shape);
        let tree = Self { records, count, chunks: Chunks::new(chunks), counters, layout, shape };
        if tree.is_sound(root) { Ok(tree) } else { Err(NotThisSearch) }
    }

    /// Whether everything a search relies on is true of the tree itself.
    fn is_sound(&self, root: NodeId) -> bool {
        // In this order: what is looked at later lies where it was found to be sound before.
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

    /// Whether what nodes have in one place beside their records fills it without gap, and nothing belongs to two.
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

    /// Whether a node is sound, given that its children lie where none of another node does. `reached` are the nodes that
    /// older ones lead to.
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
                // Nodes are as old as their numbers say, so that no way leads back, and to each leads one way.
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

    /// Whether a child has counts that do not overflow, and what follows from them.
    fn is_child_sound(&self, id: NodeId, index: u16, child: &Child) -> bool {
        let (words, room) = self.children(id);
        let (factor, known) = factors_of(words, self.shape, room, index);
        let knowledge = self.knowledge(id, child.slot);
        // Before its first playout neither is worked out.
        let is = |word: u32, value: f32| word == value.to_bits() || (child.n == 0 && word == 0);
        child.n <= MOST_PLAYOUTS
            && child.half_points <= 2 * child.n
            && usize::from(child.depth) <= MAX_SLOTS
            && factor.is_none_or(|word| is(word, formula::exploration_factor(child.n)))
            && known.is_none_or(|word| is(word, formula::decayed_knowledge(knowledge, child.n)))
    }

    /// Whether the next child of a node is one of its children, or one that it may have.
    fn goes_on_soundly(&self, id: NodeId) -> bool {
        let node = self.node(id);
        let exists = node.next_node == NO_NODE || (node.next_node as usize) < self.len();
        match node.next {
            // It is not looked at before the next choice.
            UNDECIDED => exists,
            // Nobody goes on below a solved node, which nobody chooses for once it is solved.
            UNVISITED if node.proof.is_solved() => exists,
            UNVISITED => self.unvisited(id).contains_checked(node.next_slot) && node.next_node == NO_NODE,
            next if next >= node.visited => false,
            _ if node.proof.is_solved() => exists,
            next => {
                let child = self.child(id, next);
                let way_on = if child.proof.is_solved() { NO_NODE } else { child.node };
                child.slot == node.next_slot && way_on == node.next_node
            }
        }
    }
}
