//! Making room: a full tree drops its light nodes, and a new root everything that is not below it. What stays slides
//! together in place, so that no second tree is needed.

use super::super::proof::Proof;
use super::{NO_NODE, Node, NodeId, Tree};
use std::collections::BTreeMap;

/// Memory that [`Tree::collect`] and [`Tree::keep_below`] need while they work: a weight or new number for every node,
/// and the place of its words.
pub(super) const BYTES_PER_NODE: usize = size_of::<u32>() + size_of::<u64>();

/// What the root weighs: more than any other node.
const ROOT: u32 = u32::MAX;

impl Tree {
    /// Drops everything but `root` and the nodes below it. Returns its new number.
    pub(crate) fn keep_below(&mut self, root: NodeId) -> NodeId {
        let weights = self.weights(root, |_, _| true);
        self.compact(root, weights, 1)
    }

    /// Keeps `root` and, of the nodes below it, those of at least so many playouts that at most `budget` bytes are
    /// kept: the fewest with which that is true. A node weighs no more than any above it, so what is kept hangs
    /// together; dropped nodes remain as children, with their playouts and proofs. Below a won node only the winning
    /// move is kept. Returns the root's new number.
    pub(crate) fn collect(&mut self, root: NodeId, budget: usize) -> NodeId {
        let weights = self.weights(root, |node, child| node.proof != Proof::Win || child == Proof::Win);
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

    /// For every node the fewest playouts of a node on the way to it from `root`, 0 where no way leads. `goes_on` says
    /// whether the way leads from a node to a child so proven.
    fn weights(&self, root: NodeId, goes_on: impl Fn(&Node, Proof) -> bool) -> Vec<u32> {
        let mut weights = vec![0; self.nodes.len()];
        weights[root as usize] = ROOT;
        let mut waiting = vec![root];
        while let Some(id) = waiting.pop() {
            let node = &self.nodes[id as usize];
            for child in self.visited(id).filter(|child| child.node != NO_NODE && goes_on(node, child.proof))
            {
                let heaviest = weights[id as usize].min(ROOT - 1);
                weights[child.node as usize] = self.nodes[child.node as usize].n.clamp(1, heaviest);
                waiting.push(child.node);
            }
        }
        weights
    }

    /// Bytes of a node and all that belongs to it.
    fn node_bytes(&self, id: NodeId) -> usize {
        let node = &self.nodes[id as usize];
        let words = self.children.words_of(self.chunk(id)) + self.block_words(node.wide);
        size_of::<Node>() + BYTES_PER_NODE + words * size_of::<u32>()
    }

    /// Drops the nodes lighter than `lightest`. Returns the new number of `root`.
    fn compact(&mut self, root: NodeId, weights: Vec<u32>, lightest: u32) -> NodeId {
        let mut numbers = weights;
        let mut kept = 0;
        for (id, number) in numbers.iter_mut().enumerate() {
            let keep = *number >= lightest;
            *number = if keep { kept } else { NO_NODE };
            if keep {
                self.nodes.swap(kept as usize, id);
                kept += 1;
            }
        }
        self.nodes.truncate(kept as usize);
        for id in 0..kept {
            let next = &mut self.nodes[id as usize].next_node;
            if *next != NO_NODE {
                *next = numbers[*next as usize];
            }
            for index in 0..self.nodes[id as usize].visited {
                let child = self.child(id, index).node;
                if child != NO_NODE {
                    self.set_node(id, index, numbers[child as usize]);
                }
            }
        }
        let root = numbers[root as usize];
        drop(numbers);
        self.slide_chunks();
        self.slide_blocks();
        root
    }

    fn slide_chunks(&mut self) {
        let mut end = 0;
        for (_, id) in in_order(&self.nodes, |node| node.chunk) {
            let chunk = self.chunk(id as NodeId);
            self.nodes[id].chunk = end;
            end = self.children.slide(chunk, end);
        }
        self.children.truncate(end);
    }

    fn slide_blocks(&mut self) {
        let mut end = 0;
        for (from, id) in in_order(&self.nodes, |node| node.block) {
            let words = self.block_words(self.nodes[id].wide);
            self.blocks.copy_within(from..from + words, end);
            self.nodes[id].block = end as u32;
            end += words;
        }
        self.blocks.truncate(end);
    }
}

/// Where each node's words are, and the node, in the order of places.
fn in_order(nodes: &[Node], place: fn(&Node) -> u32) -> impl Iterator<Item = (usize, usize)> + use<> {
    let mut order: Vec<u64> =
        nodes.iter().enumerate().map(|(id, node)| u64::from(place(node)) << 32 | id as u64).collect();
    order.sort_unstable();
    order.into_iter().map(|word| ((word >> 32) as usize, word as u32 as usize))
}
