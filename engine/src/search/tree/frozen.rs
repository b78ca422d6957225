//! A tree written down and read back, node for node and word for word.

use super::super::frozen::{NotThisSearch, Reader, put, put_words};
use super::super::proof::Proof;
use super::{NO_NODE, Node, NodeId, Tree, UNDECIDED, UNVISITED};
use crate::game::SlotSet;

impl Tree {
    /// Writes down a tree that was just slid together, so that nothing in it is unused.
    pub(crate) fn freeze(&self, out: &mut Vec<u8>) {
        put(out, self.nodes.len() as u32);
        for node in &self.nodes {
            put(out, node.n);
            put(out, node.chunk);
            put(out, node.block);
            put(out, u32::from(node.visited) | u32::from(node.proven) << 16);
            put(out, u32::from(node.next) | u32::from(node.next_slot) << 16);
            put(out, node.next_node);
            put(out, u32::from(node.depth) | u32::from(node.wide) << 16);
            put(out, node.proof as u32);
            put_words(out, node.unvisited.words());
        }
        put_words(out, self.children.all_words());
        put_words(out, &self.blocks);
    }

    /// The tree that was written down. `slots` are those of the game, `root` is the root's number and what is
    /// open there.
    pub(crate) fn thaw(
        &self,
        input: &mut Reader<'_>,
        slots: SlotSet,
        root: (NodeId, SlotSet),
    ) -> Result<Self, NotThisSearch> {
        let count = input.u32()?;
        let nodes = (0..count).map(|_| read_node(input)).collect::<Result<_, _>>()?;
        let children = self.children.another(input.words()?);
        let blocks = input.words()?;
        let (lanes, rave, knowledge) = (self.lanes, self.rave, self.knowledge);
        let tree = Self { nodes, children, blocks, lanes, rave, knowledge };
        if tree.is_sound(slots, root) { Ok(tree) } else { Err(NotThisSearch) }
    }

    /// Whether everything a search relies on is true, the memory it reads without looking above all.
    fn is_sound(&self, slots: SlotSet, (root, open): (NodeId, SlotSet)) -> bool {
        // What is open at each node that is known to be reached.
        let mut open_at: Vec<Option<SlotSet>> = vec![None; self.nodes.len()];
        if let Some(at_root) = open_at.get_mut(root as usize) {
            *at_root = Some(open);
        }
        self.nodes.iter().enumerate().all(|(id, node)| {
            let chunk = node.children();
            let block_end = node.block as usize + self.block_words(node.wide);
            let Some(open) = open_at[id] else { return false };
            if !self.children.contains(chunk) || block_end > self.blocks.len() {
                return false;
            }
            let mut moves = node.unvisited;
            for child in self.visited(id as NodeId) {
                let new = slots.contains_checked(child.slot) && !moves.contains(child.slot);
                if !new {
                    return false;
                }
                moves.insert(child.slot);
                if child.node != NO_NODE {
                    // Nodes are as old as their numbers say, so that no way leads back.
                    let unreached = open_at.get(child.node as usize).is_some_and(Option::is_none);
                    if child.node as usize <= id || !unreached {
                        return false;
                    }
                    let mut left = open;
                    left.remove(child.slot);
                    open_at[child.node as usize] = Some(left);
                }
            }
            let proven = self.visited(id as NodeId).filter(|child| child.proof.is_solved()).count();
            self.goes_on_soundly(id as NodeId)
                && usize::from(node.proven) == proven
                && moves.words().iter().zip(open.words()).all(|(moves, open)| moves & !open == 0)
        })
    }

    /// Whether the next child of a node is one of its children, or one that it may have.
    fn goes_on_soundly(&self, id: NodeId) -> bool {
        let node = &self.nodes[id as usize];
        let next_node = match node.next {
            // Nobody goes on below a solved node, and it may have nothing to go on with.
            UNVISITED if node.proof.is_solved() || node.unvisited.contains_checked(node.next_slot) => NO_NODE,
            // It is not looked at before the next choice.
            UNDECIDED => node.next_node,
            next if next < node.visited => {
                let child = self.child(id, next);
                if child.slot != node.next_slot {
                    return false;
                }
                child.node
            }
            _ => return false,
        };
        let exists = (next_node as usize) < self.nodes.len();
        node.next_node == NO_NODE || (node.next_node == next_node && exists)
    }
}

fn read_node(input: &mut Reader<'_>) -> Result<Node, NotThisSearch> {
    let halves = |word: u32| (word as u16, (word >> 16) as u16);
    let (n, chunk, block) = (input.u32()?, input.u32()?, input.u32()?);
    let (visited, proven) = halves(input.u32()?);
    let (next, next_slot) = halves(input.u32()?);
    let next_node = input.u32()?;
    let (depth, wide) = halves(input.u32()?);
    let proof: Proof = input.proof()?;
    let unvisited = SlotSet::of_words(&input.words()?).ok_or(NotThisSearch)?;
    let wide = wide == 1;
    Ok(Node { n, chunk, block, visited, proven, next, next_slot, next_node, depth, proof, wide, unvisited })
}
