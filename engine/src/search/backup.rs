//! Carrying a simulation's result, and any proof it found, from the leaf to the root.

use super::expand::equivalence;
use super::select::{Terms, child_terms, choose};
use super::tree::{NodeId, Proof};
use super::{Result, Search};
use crate::game::Game;
use crate::side::Side;

/// Fixed values of proven children: a win is taken at once, a draw or a loss only when nothing else is left.
fn proven_value(proof: Proof) -> f32 {
    match proof {
        Proof::Win => 1e9,
        Proof::Draw => -1.0,
        _ => -2.0,
    }
}

/// RAVE counters are updated while 50·r·k exceeds the node's playouts, r being its empty slots.
const RAVE_UPDATES_PER_EMPTY: f32 = 50.0;

impl<G: Game> Search<G> {
    /// Counts `result` along the path. `proved` is what the expansion of the leaf proved, from the view of the side
    /// to move there, with its depth.
    pub(super) fn back_up(&mut self, result: Result, mut proved: Option<(Proof, u16)>) {
        let playouts = result.playouts();
        let root_mover = self.position.to_move();
        let root_open = self.position.open_count();
        let credited = self.credits.any();
        for ply in (0..self.path.len()).rev() {
            let step = self.path[ply];
            let mover = if ply % 2 == 0 { root_mover } else { root_mover.other() };
            let open = root_open - ply;
            let k = equivalence(&self.params, open);
            // The descent already counted one.
            self.tree.nodes[step.node as usize].n += playouts - 1;
            let half_points = 2 * result.wins[mover.index()] + result.draws;
            self.count_child(step.node, step.child, playouts, half_points, k);
            if let Some((proof, depth)) = proved.take() {
                let proof = proof.inverted();
                self.tree.set_proof(step.node, step.child, proof, depth, proven_value(proof));
                proved = self.prove(step.node, proof, depth);
            }
            if proved.is_some() {
                continue;
            }
            let node = &self.tree.nodes[step.node as usize];
            let alone = node.visited == 1 && node.unvisited.is_empty();
            let updates =
                k > 0.0 && credited && !alone && RAVE_UPDATES_PER_EMPTY * open as f32 * k > node.n as f32;
            if updates && node.n > u32::from(u16::MAX) - self.params.rollouts {
                self.tree.widen(step.node);
            }
            // The next descent counts itself before it chooses.
            self.choose_next(step.node, 1, updates.then_some(mover), k);
        }
        self.credits.clear();
    }

    /// Adds playouts to a child and renews the terms of its value.
    #[inline]
    pub(super) fn count_child(&mut self, id: NodeId, child: u16, n: u32, half_points: u32, k: f32) {
        let child_now = self.tree.count(id, child, n, half_points);
        if child_now.proof != Proof::Unknown {
            return;
        }
        let knowledge = self.tree.knowledge(id, child_now.slot);
        let (exploit, beta, urgency) = child_terms(child_now.n, child_now.half_points, k, knowledge);
        self.tree.set_terms(id, child, exploit, beta, urgency);
    }

    /// What the proof of a child means for its node: a winning child wins it; otherwise all children must be proven,
    /// and the best of them decides. Returns the node's proof from its own mover's view, with its depth.
    pub(super) fn prove(&mut self, id: NodeId, child: Proof, depth: u16) -> Option<(Proof, u16)> {
        let node = &self.tree.nodes[id as usize];
        let (proof, depth) = if child == Proof::Win {
            (Proof::Win, depth + 1)
        } else if node.proven == node.visited && node.unvisited.is_empty() {
            let any_draw = self.tree.visited(id).any(|child| child.proof == Proof::Draw);
            let depth = self.tree.visited(id).map(|child| child.depth).max().unwrap_or(0);
            (if any_draw { Proof::Draw } else { Proof::Loss }, depth + 1)
        } else {
            return None;
        };
        let node = &mut self.tree.nodes[id as usize];
        (node.proof, node.depth) = (proof, depth);
        Some((proof, depth))
    }

    /// Chooses the child that the next descent through a node will take, `ahead` playouts from now, after crediting
    /// the node's RAVE counters with the moves of `credit`.
    pub(super) fn choose_next(&mut self, id: NodeId, ahead: u32, credit: Option<Side>, k: f32) {
        let exploration = self.params.exploration as f32;
        let exploration = if exploration > 0.0 {
            let n = (self.tree.nodes[id as usize].n + ahead) as f32;
            exploration * libm::logf(n).sqrt()
        } else {
            0.0
        };
        let terms = Terms { fpu: self.params.fpu as f32, exploration, rave: k > 0.0 };
        let credit = credit.map(|side| self.credits.of(side));
        let (next, slot) = choose(&mut self.tree, id, credit, terms, &mut self.means);
        let node = &mut self.tree.nodes[id as usize];
        (node.next, node.next_slot, node.next_is_known) = (next, slot, true);
    }
}
