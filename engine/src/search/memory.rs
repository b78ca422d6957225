//! The bound on the tree's memory.
//!
//! `memory_mib` bounds what is in use: nodes, children, counters, and the 12 bytes a node that a collection works
//! with. There is no second tree, neither for a collection nor for a new root. More addresses than that are reserved;
//! pages never written take no memory. Those of a finished search stay with its thread for the next one, until
//! [`release_spare_memory`](super::release_spare_memory). Besides there are two boards
//! and the tables of one simulation, some tens of KiB a search. A search never ends because its tree is full.

use super::lanes::MOST_LANES;
use super::params::SearchParams;

/// What one simulation may add, generously: records, children that outgrow theirs, and RAVE counters that become wider.
const SLACK: usize = 64 << 10;
/// Bytes from which the tree of a player is full.
pub(super) fn full(params: &SearchParams) -> usize {
    ((params.memory_mib as usize) << 20) - SLACK
}

/// Bytes that a collection leaves in use at most.
pub(super) fn kept(params: &SearchParams) -> usize {
    ((params.memory_mib as usize) << 20) / 3
}

/// Nodes that a simulation adds, generously: a forced reply is expanded together with the move that forces it.
const NODES_PER_SIMULATION: u64 = 2;
/// What a node takes in bytes, generously, besides a word of RAVE counters and one of knowledge for each slot: the rest of
/// its record, a child in a chunk that has just grown, and its part in counters that outgrow 16 bits.
const BYTES_PER_NODE: u64 = 512;

/// Memory that the tree of a player may need, in MiB, after `sims` simulations from its first move on a board of
/// `slots` cells on: `memory_mib`, or less where so few cannot fill it.
#[must_use]
pub fn tree_mib(params: &SearchParams, slots: usize, sims: u64) -> u32 {
    let node = BYTES_PER_NODE + 2 * size_of::<u32>() as u64 * slots.next_multiple_of(MOST_LANES) as u64;
    // Where no leaf waits for a playout a simulation expands everything down to the end of its game.
    let nodes = if params.expand_visits == 0 { slots as u64 } else { NODES_PER_SIMULATION };
    let bytes = sims.saturating_mul(nodes * node).saturating_add(SLACK as u64);
    u32::try_from(bytes.div_ceil(1 << 20)).unwrap_or(u32::MAX).min(params.memory_mib)
}
