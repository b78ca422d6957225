//! The tree of a proof-number search, and the steps by which one or more threads grow it.

use super::arena::{Arena, Node, NodeId, ROOT};
use super::config::ProofNumberConfig;
use super::numbers::{Child, Numbers, Thresholds, best_child};
use super::questions::Answer;
use super::{MoveFindings, Stop};
use crate::search::Game;
use crate::side::Side;

/// What a thread does next.
pub(super) enum Step {
    /// The root is solved.
    Solved,
    /// The path ends at a leaf that this thread has to expand.
    Expand,
    /// The path ends at a leaf that another thread is expanding.
    Busy,
}

/// A thread's path from the root, with the positions on it.
pub(super) struct Path<G> {
    steps: Vec<(NodeId, Thresholds)>,
    /// Positions of the steps. Entries beyond the last step are buffers of earlier, longer paths.
    positions: Vec<G>,
}

impl<G: Game> Path<G> {
    pub(super) fn new(root: &G) -> Self {
        Self { steps: vec![(ROOT, Thresholds::ROOT)], positions: vec![root.clone()] }
    }

    pub(super) fn position(&self) -> &G {
        &self.positions[self.steps.len() - 1]
    }

    /// Plies from the root.
    pub(super) fn ply(&self) -> u16 {
        (self.steps.len() - 1) as u16
    }

    fn top(&self) -> (NodeId, Thresholds) {
        *self.steps.last().expect("the root stays on the path")
    }

    fn push(&mut self, id: NodeId, thresholds: Thresholds, slot: u16) {
        let ply = self.steps.len();
        if self.positions.len() == ply {
            self.positions.push(self.positions[ply - 1].clone());
        } else {
            let (before, after) = self.positions.split_at_mut(ply);
            after[0].clone_from(&before[ply - 1]);
        }
        self.positions[ply].play_slot(slot);
        self.steps.push((id, thresholds));
    }
}

/// Evaluates the children of a leaf, without access to the tree.
pub(super) struct Children<G> {
    pub(super) nodes: Vec<Node>,
    /// Positions looked at, as [`super::Solution::nodes`] counts them.
    pub(super) looked_at: u64,
    config: ProofNumberConfig,
    after: G,
}

impl<G: Game> Children<G> {
    pub(super) fn new(root: &G, config: ProofNumberConfig) -> Self {
        Self { nodes: Vec::new(), looked_at: 0, config, after: root.clone() }
    }

    /// Evaluates the children of an undecided position. Returns the position's own numbers when they are known without
    /// children.
    pub(super) fn evaluate(&mut self, position: &G, attacker: Side) -> Option<Numbers> {
        let Self { nodes, looked_at, config, after } = self;
        nodes.clear();
        let add = |child: Child| nodes.push(Node::new(child.slot, child.numbers));
        let expansion =
            config.expand(position, config.lookahead.moves(position), attacker, after, |_| None, add);
        *looked_at = expansion.looked_at;
        expansion.known
    }
}

/// The tree for one question, which one or more threads grow.
pub(super) struct Tree {
    arena: Arena,
    config: ProofNumberConfig,
    attacker: Side,
}

impl Tree {
    /// # Errors
    /// When that much memory cannot be reserved.
    pub(super) fn new(config: ProofNumberConfig, attacker: Side, bytes: usize) -> Result<Self, Stop> {
        let unknown = Numbers { phi: 1, delta: 1, decisive: false };
        let arena = Arena::new(bytes, Node::new(0, unknown)).ok_or(Stop::Memory)?;
        Ok(Self { arena, config, attacker })
    }

    pub(super) fn attacker(&self) -> Side {
        self.attacker
    }

    /// Effort to prove and to disprove that the attacker wins, with `mover` to move at the root.
    pub(super) fn root_numbers(&self, mover: Side) -> (u32, u32) {
        let Numbers { phi, delta, .. } = self.arena[ROOT].numbers();
        if mover == self.attacker { (phi, delta) } else { (delta, phi) }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.arena[ROOT].numbers().solved()
    }

    /// The answer, once the root is solved.
    pub(super) fn answer(&self) -> Answer {
        Answer::new(self.arena[ROOT].numbers(), self.root_children())
    }

    fn root_children(&self) -> impl Iterator<Item = Child> {
        let child = |node: &Node| Child { slot: node.slot, numbers: node.numbers(), work: node.work.into() };
        self.arena.children_of(ROOT).iter().map(child)
    }

    /// What is known of the moves of the root, where `mover` is to move.
    pub(super) fn moves(&self, mover: Side) -> Vec<MoveFindings> {
        self.root_children().map(|child| child.findings(mover.other(), self.attacker)).collect()
    }

    /// Moves the path to the next leaf worth expanding.
    pub(super) fn descend<G: Game>(&mut self, path: &mut Path<G>) -> Step {
        loop {
            let (id, thresholds) = path.top();
            let node = &mut self.arena[id];
            let numbers = node.numbers();
            if id == ROOT && numbers.solved() {
                return Step::Solved;
            }
            if thresholds.reached_by(numbers) {
                self.climb(path);
            } else if !node.expanded() {
                if node.busy {
                    return Step::Busy;
                }
                node.busy = true;
                return Step::Expand;
            } else {
                let (child, thresholds) = self.choose(id, thresholds);
                self.enter(child);
                path.push(child, thresholds, self.arena[child].slot);
            }
        }
    }

    /// The child easiest to prove lost for its mover, and its thresholds. Every thread inside a child adds 1 to the
    /// child's δ, so that threads spread.
    #[inline]
    fn choose(&self, id: NodeId, thresholds: Thresholds) -> (NodeId, Thresholds) {
        let node = &self.arena[id];
        let deltas = self.arena.children_of(id).iter().map(|child| {
            let delta = child.numbers().delta;
            // The search would leave a child at its threshold at once, and then choose the same child again.
            if delta < thresholds.phi { delta + u32::from(child.inside) } else { u32::MAX }
        });
        let (best, second) = best_child(deltas);
        let child = (node.children().start + best) as NodeId;
        let numbers = self.arena[child].numbers();
        (child, thresholds.of_child(node.numbers(), numbers, second, self.config.epsilon))
    }

    /// Counts a thread inside a node.
    pub(super) fn enter(&mut self, id: NodeId) {
        self.arena[id].inside += 1;
    }

    /// Takes back the last step of a path, and updates the node that the path then ends at.
    fn climb<G: Game>(&mut self, path: &mut Path<G>) {
        let (id, _) = path.steps.pop().expect("the root is never left");
        self.leave(id);
        self.update(path.top().0);
    }

    fn leave(&mut self, id: NodeId) {
        let node = &mut self.arena[id];
        node.inside -= 1;
        if node.inside == 0 && node.numbers().solved() {
            self.arena.drop_children(id);
        }
    }

    /// Takes a path back to the root.
    pub(super) fn retreat<G: Game>(&mut self, path: &mut Path<G>) {
        while path.steps.len() > 1 {
            self.climb(path);
        }
    }

    /// Derives a node's numbers from its children.
    fn update(&mut self, id: NodeId) {
        if !self.arena[id].numbers().solved() && self.arena[id].expanded() {
            let numbers = Numbers::of_children(self.arena.children_of(id).iter().map(Node::numbers));
            self.arena[id].set_numbers(numbers);
        }
    }

    /// Ends the expansion of the leaf at a path's end with the leaf's own numbers or its children. Without thresholds
    /// the path then returns to the root.
    ///
    /// # Errors
    /// When memory is full and no subtree can be dropped.
    pub(super) fn attach<G: Game>(
        &mut self,
        path: &mut Path<G>,
        numbers: Option<Numbers>,
        children: &[Node],
    ) -> Result<(), Stop> {
        let (leaf, _) = path.top();
        for &(id, _) in &path.steps {
            let work = &mut self.arena[id].work;
            *work = work.saturating_add(1);
        }
        self.arena[leaf].busy = false;
        match numbers {
            Some(numbers) => self.arena[leaf].set_numbers(numbers),
            None if self.arena.attach(leaf, children) => self.update(leaf),
            None => return Err(Stop::Memory),
        }
        if !self.config.thresholds {
            self.retreat(path);
        }
        Ok(())
    }
}
