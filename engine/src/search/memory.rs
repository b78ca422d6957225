//! The bound on the tree's memory.
//!
//! `memory_mib` bounds the memory in use: nodes, children, counters, and the 12 bytes for each node that a collection
//! needs. There is no second tree, neither for a collection, nor for a new root, nor for a snapshot. More addresses are
//! reserved, but pages that are never written take no memory. The pages of a finished search stay with its thread for the
//! next search of the same kind, until one of another kind begins, or until
//! [`release_pooled_memory`](super::release_pooled_memory). Boards and the tables of one simulation take some tens of KiB
//! more. A search never ends because its tree is full.

use super::lanes::MOST_LANES;
use super::params::SearchParams;

/// A generous bound on the bytes that are added after the last look whether the tree is full: records, children that outgrow
/// them, and wider RAVE counters.
const SLACK: usize = 64 << 10;
/// The size in bytes from which on a player's tree is full.
pub(super) fn full(params: &SearchParams) -> usize {
    ((params.memory_mib as usize) << 20) - SLACK
}

/// The most bytes that a collection leaves in use.
pub(super) fn kept(params: &SearchParams) -> usize {
    ((params.memory_mib as usize) << 20) / 3
}

/// The nodes that a simulation adds, on the high side of the average. A forced reply is expanded together with the node that
/// forces it, and so on; [`BYTES_PER_NODE`] is generous enough for longer chains.
const NODES_PER_SIMULATION: u64 = 2;
/// A generous bound on the bytes of a node, without a word of RAVE counters and a word of knowledge for each slot: the
/// rest of its record, a child in a chunk that has just grown, and its share of counters that outgrow 16 bits.
const BYTES_PER_NODE: u64 = 512;

/// A bound on the memory in MiB that a player's tree needs for `sims` simulations in all, on a board of `slots` cells:
/// `memory_mib`, or less if so few simulations cannot fill it.
#[must_use]
pub fn tree_mib(params: &SearchParams, slots: usize, sims: u64) -> u32 {
    let node = BYTES_PER_NODE + 2 * size_of::<u32>() as u64 * slots.next_multiple_of(MOST_LANES) as u64;
    // With `expand_visits` = 0 one simulation expands a node at every ply to the end of the game.
    let nodes = if params.expand_visits == 0 { slots as u64 } else { NODES_PER_SIMULATION };
    let bytes = sims.saturating_mul(nodes * node).saturating_add(SLACK as u64);
    u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX).min(params.memory_mib)
}
