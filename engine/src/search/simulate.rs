//! One simulation: descent to a leaf, expansion, rollouts, and backup.

use super::expand::Expansion;
use super::game::{Game, Policy, Winner};
use super::phases::{Phase, Probe};
use super::proven_outcome::ProvenOutcome;
use super::state::{Search, SimulationResult, Step};
use super::tree::{NO_NODE, NodeId, UNDECIDED, UNVISITED};

impl<G: Game> Search<G> {
    /// Runs one simulation.
    pub(super) fn simulate(&mut self, probe: &mut impl Probe<G>) {
        probe.enter(Phase::Descent);
        self.leaf.clone_from(&self.position);
        self.path.clear();
        self.sampled.draw(&self.params, &mut self.rng);
        if self.root.node == NO_NODE {
            probe.enter(Phase::Expansion);
            let expansion = self.expand(self.root.playouts, self.root.bound);
            probe.enter(Phase::Descent);
            match expansion {
                Expansion::Node(node) => self.root.node = node,
                Expansion::Proven { proof, slot, depth } => {
                    self.root.proven = Some((proof, slot, depth));
                    return;
                }
            }
        }
        let mut node = self.root.node;
        self.tree.node_mut(node).n += 1;
        let result = loop {
            // Walks to the leaf before it plays the moves, so that cache misses of nodes overlap.
            let played = self.path.len();
            let step = loop {
                let (step, next_node) = self.descend(node);
                self.path.push(step);
                if next_node == NO_NODE {
                    break step;
                }
                node = next_node;
                self.tree.node_mut(node).n += 1;
            };
            self.leaf.play_slots(self.path[played..].iter().map(|step| step.slot));
            let child = self.tree.child(node, step.child);
            if child.proof.is_solved() {
                // Only in a kept tree or a full one a solved child is ever the best.
                break (self.proven_result(child.proof.inverted()), None);
            }
            if let Some(winner) = self.leaf.winner() {
                break (self.certain_result(winner), None);
            }
            let playouts = child.n + 1;
            if playouts > self.params.expand_visits && !self.is_full() {
                let known = child.proof.inverted();
                probe.enter(Phase::Expansion);
                let expansion = self.expand(playouts, known);
                probe.enter(Phase::Descent);
                match expansion {
                    Expansion::Node(new) => {
                        self.tree.set_node(node, step.child, new);
                        node = new;
                        let proof = self.tree.node(new).proof;
                        if proof != known {
                            self.spread(proof);
                        }
                        continue;
                    }
                    Expansion::Proven { proof, depth, .. } => {
                        break (self.proven_result(proof), Some((proof, depth)));
                    }
                }
            }
            break (self.rollouts(probe), None);
        };
        probe.enter(Phase::BackUp);
        self.back_up(result.0, result.1, probe);
    }

    /// The step to the next child, which is created if its slot is unvisited, and its node or [`NO_NODE`] if the
    /// descent ends there.
    #[inline]
    fn descend(&mut self, id: NodeId) -> (Step, NodeId) {
        if self.tree.node(id).next == UNDECIDED || self.sampled.vary {
            self.choose_next(id, self.path.len());
        }
        let node = self.tree.node(id);
        let (slot, next, next_node) = (node.next_slot, node.next, node.next_node);
        let child = if next == UNVISITED { self.tree.visit(id, slot) } else { next };
        (Step { node: id, child, slot }, next_node)
    }

    /// Plays all rollouts of a simulation from the leaf.
    fn rollouts(&mut self, probe: &mut impl Probe<G>) -> SimulationResult {
        let mut result = SimulationResult::default();
        let keep_lines = self.params.uses_rave();
        let last_move = self.path.last().map(|step| step.slot).or(self.last);
        for last in (0..self.params.rollouts).rev() {
            probe.enter(Phase::Playout);
            let board = if last > 0 {
                self.scratch.clone_from(&self.leaf);
                &mut self.scratch
            } else {
                &mut self.leaf
            };
            let winner = self.policy.rollout(board, last_move, self.path.len(), &mut self.rng);
            probe.rollout_ended(board, self.path.len());
            probe.enter(Phase::BackUp);
            match winner {
                Some(winner) => {
                    result.wins[winner.index()] += 1;
                    if keep_lines {
                        let tree_line = self.path.iter().map(|step| step.slot);
                        self.credits.add_line(self.position.to_move(), tree_line, Some(board), winner);
                    }
                    if self.policy.learns() {
                        let tree_line = self.path.iter().map(|step| step.slot);
                        let first = self.position.to_move();
                        self.credits.copy_line(first, tree_line, board, &mut self.line);
                        self.policy.learn(&self.line, winner);
                    }
                }
                None => result.draws += 1,
            }
        }
        result
    }

    /// The result of a leaf with this proof, from the view of the side to move there.
    fn proven_result(&mut self, proof: ProvenOutcome) -> SimulationResult {
        let mover = self.leaf.to_move();
        self.certain_result(match proof {
            ProvenOutcome::Win => Some(mover),
            ProvenOutcome::Loss => Some(mover.other()),
            _ => None,
        })
    }

    /// A result known without a rollout. It counts as one playout, however many rollouts a simulation has, and its line
    /// is the moves in the tree.
    pub(super) fn certain_result(&mut self, winner: Winner) -> SimulationResult {
        let mut result = SimulationResult::default();
        let Some(side) = winner else {
            result.draws = 1;
            return result;
        };
        result.wins[side.index()] = 1;
        if self.params.uses_rave() {
            let tree_line = self.path.iter().map(|step| step.slot);
            self.credits.add_line(self.position.to_move(), tree_line, None::<&G>, side);
        }
        result
    }
}
