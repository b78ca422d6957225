//! Garbage collection: a full tree drops the nodes with the fewest playouts, and a new root drops every node that is
//! not below it. The remaining nodes are compacted in place, so that no second tree is needed.

use super::super::proven_outcome::ProvenOutcome;
use super::children::room_for;
use super::memory::Unit;
use super::{NO_NODE, Node, NodeId, Tree};
use std::collections::BTreeMap;

/// Memory that [`Tree::collect`] and [`Tree::keep_below`] need for each node while they work: its weight or new id, and
/// a sort key.
pub(super) const BYTES_PER_NODE: usize = size_of::<u32>() + size_of::<u64>();

/// The weight of the root: more than that of any other node.
const ROOT: u32 = u32::MAX;

impl Tree {
    /// Drops all nodes but `root` and those below it. Returns the new id of the root.
    pub(crate) fn keep_below(&mut self, root: NodeId) -> NodeId {
        let weights = self.weights(root, |_, _| true);
        self.compact(root, weights, 1)
    }

    /// Keeps `root` and the nodes below it whose weight reaches a threshold: the lowest with which at most `budget`
    /// bytes are kept. A node weighs no more than any node above it, so that the kept nodes are connected. A dropped
    /// node remains as a child, with its playouts and its proof. Below a won node only the winning move is kept.
    /// Returns the new id of the root.
    pub(crate) fn collect(&mut self, root: NodeId, budget: usize) -> NodeId {
        let weights =
            self.weights(root, |node, child| node.proof != ProvenOutcome::Win || child == ProvenOutcome::Win);
        let mut bytes_by_weight = BTreeMap::new();
        for (id, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
            *bytes_by_weight.entry(weight).or_insert(0) += self.node_bytes(id as NodeId);
        }
        let mut kept = 0;
        let fitting = bytes_by_weight.into_iter().rev().take_while(|(_, bytes)| {
            kept += bytes;
            kept <= budget
        });
        let lightest = fitting.last().map_or(ROOT, |(weight, _)| weight);
        self.compact(root, weights, lightest)
    }

    /// The weight of every node: the fewest playouts of a node on the path to it from `root`, or 0 where there is no
    /// path. A path leads from a node to a child with a proof only where `goes_on` is true.
    fn weights(&self, root: NodeId, goes_on: impl Fn(&Node, ProvenOutcome) -> bool) -> Vec<u32> {
        let mut weights = vec![0; self.len()];
        weights[root as usize] = ROOT;
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            let node = self.node(id);
            for child in self.visited(id).filter(|child| child.node != NO_NODE && goes_on(node, child.proof))
            {
                let heaviest = weights[id as usize].min(ROOT - 1);
                weights[child.node as usize] = self.node(child.node).n.clamp(1, heaviest);
                waiting.push(child.node);
            }
        }
        weights
    }

    /// Bytes of a node with its children, its RAVE counters and its share of what a collection needs.
    fn node_bytes(&self, id: NodeId) -> usize {
        let units = self.chunk_units(id) + self.counter_units(id);
        size_of_val(self.record(id)) + BYTES_PER_NODE + units * size_of::<Unit>()
    }

    /// Units of a node's children outside its record.
    pub(super) fn chunk_units(&self, id: NodeId) -> usize {
        let visited = self.node(id).visited;
        let grown = usize::from(visited) > self.layout.room;
        if grown { self.shape.units(room_for(visited)) } else { 0 }
    }

    /// Units of a node's RAVE counters outside its record.
    pub(super) fn counter_units(&self, id: NodeId) -> usize {
        self.node(id).width.units(self.layout.lanes)
    }

    /// Drops the nodes that weigh less than `lightest`. Returns the new id of `root`.
    fn compact(&mut self, root: NodeId, weights: Vec<u32>, lightest: u32) -> NodeId {
        let mut numbers = weights;
        let (mut kept, lines) = (0, self.layout.lines);
        for (id, number) in numbers.iter_mut().enumerate() {
            let keep = *number >= lightest;
            *number = if keep { kept as NodeId } else { NO_NODE };
            if keep {
                self.records.copy_within(id * lines..(id + 1) * lines, kept * lines);
                kept += 1;
            }
        }
        self.records.truncate(kept * lines);
        self.count = kept;
        for id in 0..kept as NodeId {
            let next = &mut self.node_mut(id).next_node;
            if *next != NO_NODE {
                *next = numbers[*next as usize];
            }
            for index in 0..self.node(id).visited {
                let child = self.child(id, index).node;
                if child != NO_NODE {
                    self.set_node(id, index, numbers[child as usize]);
                }
            }
        }
        let root = numbers[root as usize];
        drop(numbers);
        self.slide_chunks();
        self.slide_counters();
        root
    }

    fn slide_chunks(&mut self) {
        let mut end = 0;
        for (from, id) in self.in_order(|node| node.chunk) {
            let units = self.chunk_units(id);
            self.chunks.units.copy_within(from..from + units, end);
            self.node_mut(id).chunk = if units > 0 { end as u32 } else { 0 };
            end += units;
        }
        self.chunks.truncate(end);
    }

    fn slide_counters(&mut self) {
        let mut end = 0;
        for (from, id) in self.in_order(|node| node.counters) {
            let units = self.counter_units(id);
            self.counters.copy_within(from..from + units, end);
            self.node_mut(id).counters = if units > 0 { end as u32 } else { 0 };
            end += units;
        }
        self.counters.truncate(end);
    }

    /// All nodes with their `place`, in ascending order of places.
    pub(super) fn in_order(&self, place: fn(&Node) -> u32) -> impl Iterator<Item = (usize, NodeId)> + use<> {
        let mut order: Vec<u64> = (0..self.count as NodeId)
            .map(|id| u64::from(place(self.node(id))) << 32 | u64::from(id))
            .collect();
        order.sort_unstable();
        order.into_iter().map(|word| ((word >> 32) as usize, word as NodeId))
    }
}
