//! Proof-number search on a tree, depth first: [`ProofNumbers`], and the steps it shares with its parallel twin.

use super::arena::{Arena, Node, NodeId, ROOT};
use super::plan::Plan;
use super::proof::{Answer, Numbers, Thresholds, solve_by_questions};
use super::{Limits, Meter, MoveFindings, Solution, Solver, Stop, Watch};
use crate::game::Game;
use crate::side::Side;

/// Proof-number search on a tree in bounded memory.
///
/// It descends to the most promising leaf, and stays below a node until its numbers pass the thresholds that make
/// another node more promising. The same position gives the same search, node for node.
#[derive(Debug, Clone, Default)]
pub struct ProofNumbers {
    plan: Plan,
}

impl ProofNumbers {
    /// A solver that goes about it as planned.
    #[must_use]
    pub const fn new(plan: Plan) -> Self {
        Self { plan }
    }
}

impl<G: Game> Solver<G> for ProofNumbers {
    fn solve_with_moves(
        &mut self,
        position: &G,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> (Solution, Vec<MoveFindings>) {
        let mut meter = Meter::new(limits, watch);
        solve_by_questions(position, &mut meter, |attacker, meter| ask(position, self.plan, attacker, meter))
    }
}

fn ask<G: Game>(root: &G, plan: Plan, attacker: Side, meter: &mut Meter<'_, '_>) -> Result<Answer, Stop> {
    let mut tree = Tree::new(plan, attacker, meter.limits.memory)?;
    let answer = grow(root, plan, &mut tree, meter);
    meter.moves = tree.moves(root.to_move());
    answer
}

/// Grows a tree until it has the answer.
fn grow<G: Game>(root: &G, plan: Plan, tree: &mut Tree, meter: &mut Meter<'_, '_>) -> Result<Answer, Stop> {
    let attacker = tree.attacker;
    let mut path = Path::new(root);
    let mut children = Children::new(root, plan);
    tree.enter(ROOT);
    loop {
        meter.check(|| Some(tree.root_numbers(root.to_move())))?;
        match tree.descend(&mut path) {
            Step::Solved => return Ok(tree.answer()),
            Step::Expand => {
                let numbers = children.evaluate(path.position(), attacker);
                meter.nodes += children.tested;
                meter.depth = meter.depth.max(path.ply());
                tree.attach(&mut path, numbers, &children.nodes)?;
            }
            Step::Busy => unreachable!("one search never meets another"),
        }
    }
}

/// What a search does next.
pub(super) enum Step {
    /// The root is solved.
    Solved,
    /// The path ends at a leaf that this search has to expand.
    Expand,
    /// The path ends at a leaf that another search is expanding.
    Busy,
}

/// A search's way from the root, with the positions on it.
pub(super) struct Path<G> {
    steps: Vec<(NodeId, Thresholds)>,
    /// Positions of the steps, and behind them buffers of earlier, longer ways.
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

/// Evaluates the children of a leaf, without touching the tree.
pub(super) struct Children<G> {
    pub(super) nodes: Vec<Node>,
    /// What [`super::Solution::nodes`] counts.
    pub(super) tested: u64,
    plan: Plan,
    after: G,
}

impl<G: Game> Children<G> {
    pub(super) fn new(root: &G, plan: Plan) -> Self {
        Self { nodes: Vec::new(), tested: 0, plan, after: root.clone() }
    }

    /// Evaluates the children of an undecided position. Returns the position's numbers if they are known without
    /// children.
    pub(super) fn evaluate(&mut self, position: &G, attacker: Side) -> Option<Numbers> {
        self.nodes.clear();
        self.tested = 1;
        let mover = position.to_move();
        if !position.could_win(attacker) {
            return Some(Numbers::without_hope(mover, attacker));
        }
        let efforts = self.plan.efforts(position);
        for slot in self.plan.lookahead.moves(position).iter() {
            self.after.clone_from(position);
            self.after.play_slot(slot);
            let (numbers, tested) = self.plan.numbers(&self.after, attacker, &efforts, slot);
            self.tested += tested;
            self.nodes.push(Node::new(slot, numbers));
            if numbers.delta == 0 {
                break;
            }
        }
        None
    }
}

/// A tree that one or more searches grow, for one question.
pub(super) struct Tree {
    arena: Arena,
    plan: Plan,
    attacker: Side,
}

impl Tree {
    /// # Errors
    /// When there is not that much memory.
    pub(super) fn new(plan: Plan, attacker: Side, bytes: usize) -> Result<Self, Stop> {
        let unknown = Numbers { phi: 1, delta: 1, decisive: false };
        let arena = Arena::new(bytes, Node::new(0, unknown)).ok_or(Stop::Memory)?;
        Ok(Self { arena, plan, attacker })
    }

    /// Effort to prove and to disprove that the attacker wins, with `mover` to move at the root.
    pub(super) fn root_numbers(&self, mover: Side) -> (u32, u32) {
        let Numbers { phi, delta, .. } = self.arena[ROOT].numbers();
        if mover == self.attacker { (phi, delta) } else { (delta, phi) }
    }

    /// The answer, once the root is solved.
    pub(super) fn answer(&self) -> Answer {
        let numbers = self.arena[ROOT].numbers();
        let children = self.arena.children_of(ROOT);
        let best = if numbers.phi == 0 {
            children.iter().find(|child| child.numbers().delta == 0)
        } else {
            children.iter().reduce(|most, child| if child.work > most.work { child } else { most })
        };
        Answer { numbers, best: best.map(|child| child.slot) }
    }

    /// What is known of the moves of the root, where it is `mover`'s turn.
    pub(super) fn moves(&self, mover: Side) -> Vec<MoveFindings> {
        let children = self.arena.children_of(ROOT).iter();
        children
            .map(|child| child.numbers().findings(child.slot, child.work, mover.other(), self.attacker))
            .collect()
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

    /// The child easiest to prove lost for its mover. Other searches inside make it less attractive.
    #[inline]
    fn choose(&self, id: NodeId, thresholds: Thresholds) -> (NodeId, Thresholds) {
        let node = &self.arena[id];
        let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
        for (at, child) in self.arena.children_of(id).iter().enumerate() {
            let delta = child.numbers().delta;
            // A child whose number is at the threshold would be left again at once, and the next choice be the same.
            let delta = if delta < thresholds.phi { delta + u32::from(child.inside) } else { u32::MAX };
            if delta < least {
                (best, least, second) = (at, delta, least);
            } else if delta < second {
                second = delta;
            }
        }
        let child = (node.children().start + best) as NodeId;
        let numbers = self.arena[child].numbers();
        (child, thresholds.of_child(node.numbers(), numbers, second, self.plan.epsilon))
    }

    /// Marks a search inside a node.
    pub(super) fn enter(&mut self, id: NodeId) {
        self.arena[id].inside += 1;
    }

    /// Takes the last step of a path back.
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

    /// Ends the expansion of the leaf at a path's end, with its numbers or its children. Without thresholds the path
    /// returns to the root.
    ///
    /// # Errors
    /// When memory is full and nothing can be dropped.
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
        if !self.plan.thresholds {
            self.retreat(path);
        }
        Ok(())
    }
}
