//! The memory of a proof-number tree: blocks of sibling nodes within a fixed number of bytes.
//!
//! When the memory is full, the least searched subtrees are dropped. Their roots keep their numbers and are expanded again
//! when the search returns to them. Nodes never move, so that the paths of searching threads stay valid.

use super::numbers::Numbers;
use crate::search::MAX_SLOTS;

/// Index of a node.
pub(super) type NodeId = u32;

/// The root's index.
pub(super) const ROOT: NodeId = 0;

/// A node of the tree. The position itself is not stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    phi: u32,
    delta: u32,
    /// Expansions in the subtree, including this node and dropped subtrees.
    pub(super) work: u32,
    /// The first child.
    first: NodeId,
    /// The number of children; 0 before expansion.
    len: u16,
    /// The move that leads here.
    pub(super) slot: u16,
    /// Threads inside the subtree.
    pub(super) inside: u16,
    decisive: bool,
    /// A thread is expanding this node.
    pub(super) busy: bool,
}

impl Node {
    pub(super) fn new(slot: u16, numbers: Numbers) -> Self {
        let Numbers { phi, delta, decisive } = numbers;
        Self { phi, delta, work: 0, first: 0, len: 0, slot, inside: 0, decisive, busy: false }
    }

    #[inline]
    pub(super) fn numbers(&self) -> Numbers {
        Numbers { phi: self.phi, delta: self.delta, decisive: self.decisive }
    }

    #[inline]
    pub(super) fn set_numbers(&mut self, numbers: Numbers) {
        Numbers { phi: self.phi, delta: self.delta, decisive: self.decisive } = numbers;
    }

    #[inline]
    pub(super) fn expanded(&self) -> bool {
        self.len != 0
    }

    /// Indices of the children.
    #[inline]
    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }
}

/// The nodes and the free blocks.
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// The largest number of nodes.
    capacity: usize,
    /// Starts of free blocks, by length.
    free: Vec<Vec<NodeId>>,
    /// The number of nodes in use.
    used: usize,
    /// Subtrees with less work are dropped when memory is full.
    least_work: f64,
    /// A buffer of `drop_children`, empty between calls.
    dropping: Vec<NodeId>,
}

/// The longest free block.
const LONGEST: usize = MAX_SLOTS;

/// The start and the lower bound of [`Arena::least_work`].
const LEAST_WORK: f64 = 5.0;

impl Arena {
    /// An arena of at most `bytes` with only a root; `None` when that much memory cannot be reserved.
    pub(super) fn new(bytes: usize, root: Node) -> Option<Self> {
        let capacity = (bytes / size_of::<Node>()).clamp(1, NodeId::MAX as usize);
        let mut nodes = Vec::new();
        // Reserved at once, so that growing never copies. The system provides pages when they are first used.
        nodes.try_reserve_exact(capacity).ok()?;
        nodes.push(root);
        let free = vec![Vec::new(); LONGEST + 1];
        Some(Self { nodes, capacity, free, used: 1, least_work: LEAST_WORK, dropping: Vec::new() })
    }

    /// Gives a node its children. If there is no room, other subtrees are dropped. Returns false if that was not enough.
    pub(super) fn attach(&mut self, id: NodeId, children: &[Node]) -> bool {
        let len = children.len();
        let first = match self.take(len) {
            Some(first) => first,
            None => {
                self.collect();
                match self.take(len) {
                    Some(first) => first,
                    None => return false,
                }
            }
        };
        self.used += len;
        self.nodes[first as usize..first as usize + len].copy_from_slice(children);
        let node = &mut self[id];
        (node.first, node.len) = (first, len as u16);
        true
    }

    /// A free block: one of the right length, the rest of the arena, or a part of the shortest longer one.
    fn take(&mut self, len: usize) -> Option<NodeId> {
        if let Some(first) = self.free[len].pop() {
            return Some(first);
        }
        let end = self.nodes.len();
        if end + len <= self.capacity {
            self.nodes.resize(end + len, self.nodes[0]);
            return Some(end as NodeId);
        }
        let longer = (len + 1..=LONGEST).find(|&longer| !self.free[longer].is_empty())?;
        let first = self.free[longer].pop()?;
        self.free[longer - len].push(first + len as NodeId);
        Some(first)
    }

    /// Frees everything below a node.
    pub(super) fn drop_children(&mut self, id: NodeId) {
        // Every solved node drops its children, so that the buffer is kept to save allocations.
        let mut pending = std::mem::take(&mut self.dropping);
        pending.push(id);
        while let Some(id) = pending.pop() {
            let node = self[id];
            pending.extend(
                node.children().filter(|&child| self.nodes[child].expanded()).map(|child| child as NodeId),
            );
            if node.expanded() {
                self.free[usize::from(node.len)].push(node.first);
                self.used -= usize::from(node.len);
                self[id].len = 0;
            }
        }
        self.dropping = pending;
    }

    /// Drops the least searched subtrees until half of the nodes are free or nothing can be dropped. Subtrees with a thread
    /// inside stay.
    fn collect(&mut self) {
        let target = self.capacity / 2;
        loop {
            let mut pending = vec![ROOT];
            let mut most_work = 0;
            while let Some(id) = pending.pop() {
                for child in self[id].children() {
                    let node = self.nodes[child];
                    if !node.expanded() {
                        continue;
                    }
                    if node.inside == 0 && (f64::from(node.work) < self.least_work || node.numbers().solved())
                    {
                        self.drop_children(child as NodeId);
                    } else {
                        if node.inside == 0 {
                            most_work = most_work.max(node.work);
                        }
                        pending.push(child as NodeId);
                    }
                }
            }
            if self.used <= target || most_work == 0 {
                break;
            }
            self.least_work *= 1.3;
        }
        self.least_work = (self.least_work * 0.9).max(LEAST_WORK);
        self.join_free_blocks();
    }

    /// Rebuilds the free blocks, so that neighbours are joined.
    fn join_free_blocks(&mut self) {
        let mut taken = Vec::new();
        let mut pending = vec![ROOT];
        while let Some(id) = pending.pop() {
            let children = self[id].children();
            pending.extend(
                children.clone().filter(|&child| self.nodes[child].expanded()).map(|child| child as NodeId),
            );
            if !children.is_empty() {
                taken.push(children);
            }
        }
        taken.sort_unstable_by_key(|block| block.start);
        self.free.iter_mut().for_each(Vec::clear);
        // Behind the root.
        let mut end = 1;
        for block in taken {
            let mut start = end;
            while start < block.start {
                let len = (block.start - start).min(LONGEST);
                self.free[len].push(start as NodeId);
                start += len;
            }
            end = block.end;
        }
        self.nodes.truncate(end);
    }

    /// The nodes of a node's children.
    #[inline]
    pub(super) fn children_of(&self, id: NodeId) -> &[Node] {
        &self.nodes[self[id].children()]
    }
}

impl std::ops::Index<NodeId> for Arena {
    type Output = Node;
    #[inline]
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }
}

impl std::ops::IndexMut<NodeId> for Arena {
    #[inline]
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Checks that no node belongs to two parents, and that the nodes counted are those in the tree.
    fn check(arena: &Arena) {
        let mut parents = vec![0; arena.nodes.len()];
        parents[ROOT as usize] = 1;
        let mut pending = vec![ROOT];
        while let Some(id) = pending.pop() {
            for child in arena[id].children() {
                parents[child] += 1;
                pending.push(child as NodeId);
            }
        }
        for (len, starts) in arena.free.iter().enumerate() {
            starts.iter().for_each(|&start| {
                parents[start as usize..start as usize + len].iter_mut().for_each(|n| *n += 1)
            });
        }
        assert!(parents.iter().all(|&n| n == 1), "every node is the root, a child or free");
        let free: usize = arena.free.iter().enumerate().map(|(len, starts)| len * starts.len()).sum();
        assert_eq!(arena.used + free, arena.nodes.len());
        assert!(arena.nodes.len() <= arena.capacity);
    }

    #[test]
    fn a_full_arena_makes_room_and_never_mixes_up_its_blocks() {
        let fresh = |slot| Node::new(slot, Numbers { phi: 1, delta: 1, decisive: false });
        let mut arena = Arena::new(500 * size_of::<Node>(), fresh(0)).expect("a few kilobytes");
        let mut rng = Rng::new(1);
        let mut refused = 0;
        for round in 0..3000 {
            // A walk to a leaf, which gets up to 40 children; sometimes a subtree goes.
            let mut path = vec![ROOT];
            while arena[path[path.len() - 1]].expanded() {
                let children = arena[path[path.len() - 1]].children();
                path.push((children.start + rng.below(children.len() as u32) as usize) as NodeId);
            }
            path.iter().for_each(|&id| (arena[id].work, arena[id].inside) = (arena[id].work + 1, 1));
            let leaf = path[path.len() - 1];
            let children: Vec<Node> = (0..1 + rng.below(40) as u16).map(fresh).collect();
            if arena.attach(leaf, &children) {
                assert_eq!(arena[leaf].children().len(), children.len());
            } else {
                refused += 1;
            }
            path.iter().for_each(|&id| arena[id].inside = 0);
            if round % 7 == 0 {
                arena.drop_children(path[path.len() / 2]);
            }
            check(&arena);
        }
        assert!(refused < 30, "{refused} refused: half of the nodes can nearly always be freed");
    }

    #[test]
    fn subtrees_with_a_search_inside_are_never_dropped() {
        let fresh = |slot| Node::new(slot, Numbers { phi: 1, delta: 1, decisive: false });
        let mut arena = Arena::new(30 * size_of::<Node>(), fresh(0)).expect("a kilobyte");
        assert!(arena.attach(ROOT, &[fresh(0), fresh(1)]));
        let [busy, idle] = [1, 2];
        assert!(arena.attach(busy, &[fresh(2); 10]) && arena.attach(idle, &[fresh(3); 10]));
        (arena[ROOT].inside, arena[busy].inside) = (1, 1);
        let leaf = arena[busy].children().start as NodeId;
        assert!(arena.attach(leaf, &[fresh(4); 12]));
        assert!(arena[busy].expanded() && !arena[idle].expanded());
        check(&arena);
        let leaf = arena[leaf].children().start as NodeId;
        (arena[busy + 2].inside, arena[leaf].inside) = (1, 1);
        assert!(!arena.attach(leaf, &[fresh(5); 12]), "everything left is under way");
    }
}
