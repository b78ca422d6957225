//! Proof backup: derives the proof of a node from the proofs of its children.

use super::game::Game;
use super::proven_outcome::ProvenOutcome;
use super::state::Search;
use super::tree::{Child, NodeId};

/// The rank of a child's proof for its parent, whose own bound is `known`. The child with the highest rank decides the
/// parent's proof. A child that ranks below an unknown one decides nothing while there is an unknown one.
const fn rank(child: ProvenOutcome, known: ProvenOutcome) -> u8 {
    match (child, known) {
        (ProvenOutcome::Win, _) => 6,
        (ProvenOutcome::AtLeastDraw, _) => 5,
        (ProvenOutcome::Draw, ProvenOutcome::AtMostDraw) => 4,
        (ProvenOutcome::Unknown, _) => 3,
        (ProvenOutcome::Draw, _) => 2,
        (ProvenOutcome::AtMostDraw, _) => 1,
        (ProvenOutcome::Loss, _) => 0,
    }
}

/// The child that decides the proof of its parent. `known` is the parent's own bound, and `more` says whether there are
/// unvisited slots besides the `visited` children. `None` while an unknown child decides. Of children with equal
/// proofs, this is the one with the most playouts for a loss or `AtMostDraw`, else with the fewest; then the one with the
/// lowest slot.
pub(super) fn deciding(
    visited: impl Iterator<Item = Child>,
    more: bool,
    known: ProvenOutcome,
) -> Option<Child> {
    let order = |child: &Child| {
        let playouts = i64::from(child.n);
        let hardest = matches!(child.proof, ProvenOutcome::Loss | ProvenOutcome::AtMostDraw);
        (rank(child.proof, known), if hardest { playouts } else { -playouts }, std::cmp::Reverse(child.slot))
    };
    let decider = visited.max_by_key(order)?;
    let unknown = rank(ProvenOutcome::Unknown, known);
    let decides = rank(decider.proof, known);
    (decides > unknown || (decides < unknown && !more)).then_some(decider)
}

impl<G: Game> Search<G> {
    /// Updates the proof of a node after the new proof of a child. Returns the node's new proof, from the view of its
    /// side to move, and the plies to the end (0 unless solved), if the proof has changed.
    pub(super) fn prove(
        &mut self,
        id: NodeId,
        child: ProvenOutcome,
        depth: u16,
    ) -> Option<(ProvenOutcome, u16)> {
        let node = self.tree.node(id);
        let known = node.proof;
        if known.is_solved() {
            return None;
        }
        let (proof, depth) = if child == ProvenOutcome::Win {
            (ProvenOutcome::Win, depth + 1)
        } else {
            // Without draw detection there are no bounds: unless a child wins, only a node with all children solved
            // changes.
            let more = !self.tree.unvisited(id).is_empty();
            if !self.params.draw_detection && (more || node.proven < node.visited) {
                return None;
            }
            let decider = deciding(self.tree.visited(id), more, known)?;
            let proof = known.and(decider.proof);
            let depth = match proof {
                ProvenOutcome::Win => decider.depth + 1,
                ProvenOutcome::Draw | ProvenOutcome::Loss => {
                    1 + self.tree.visited(id).map(|child| child.depth).max().unwrap_or(0)
                }
                _ => 0,
            };
            (proof, depth)
        };
        if proof == known {
            return None;
        }
        let node = self.tree.node_mut(id);
        (node.proof, node.depth) = (proof, depth);
        Some((proof, depth))
    }

    /// Propagates the proof of the position that the path has reached, from the view of the side to move there, up the
    /// path.
    pub(super) fn spread(&mut self, proof: ProvenOutcome) {
        let mut news = Some((proof, 0));
        for ply in (0..self.path.len()).rev() {
            let Some((proof, depth)) = news else { return };
            let step = self.path[ply];
            self.tree.set_proof(step.node, step.child, proof.inverted(), depth);
            news = self.prove(step.node, proof.inverted(), depth);
        }
    }
}
