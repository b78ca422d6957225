//! The bound on the tree's memory.
//!
//! `memory_mib` bounds what is in use: nodes, children, counters, and the 12 bytes a node that a collection works
//! with. There is no second tree, neither for a collection nor for a new root. The vectors grow by doubling, so that
//! up to twice as many addresses may be reserved; pages never written take no memory. Besides there are two boards
//! and the tables of one simulation, some tens of KiB a search. A search never ends because its tree is full.

use super::Search;
use crate::game::Game;
use crate::params::Params;

/// What one simulation may add, generously: children of its nodes, and RAVE counters that outgrow 16 bits.
const SLACK: usize = 64 << 10;
/// A collection leaves at most this part of the memory in use.
const KEPT: usize = 3;

/// Bytes from which the tree of a player is full.
pub(super) fn full(params: &Params) -> usize {
    ((params.memory_mib as usize) << 20) - SLACK
}

impl<G: Game> Search<G> {
    /// Whether a simulation must not expand any more leaves.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.tree.bytes() >= self.full
    }

    /// Drops the light nodes of a full tree. Never the root; and what remains depends on the tree alone.
    #[inline(always)]
    pub(super) fn make_room(&mut self) {
        if self.is_full() {
            self.collect();
        }
    }

    #[cold]
    fn collect(&mut self) {
        self.root.node = self.tree.collect(self.root.node, ((self.params.memory_mib as usize) << 20) / KEPT);
        self.collections += 1;
    }
}
