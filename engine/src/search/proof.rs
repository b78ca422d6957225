//! How a node learns what is proved about its position from its children.

use super::game::Game;
use super::outcome::Proof;
use super::state::Search;
use super::tree::{Child, NodeId};

/// How much a child's proof says for its parent, whose own bound is `known`. The highest decides; what ranks below an
/// unknown child decides nothing while there is one.
const fn rank(child: Proof, known: Proof) -> u8 {
    match (child, known) {
        (Proof::Win, _) => 6,
        (Proof::NotLost, _) => 5,
        (Proof::Draw, Proof::NotWon) => 4,
        (Proof::Unknown, _) => 3,
        (Proof::Draw, _) => 2,
        (Proof::NotWon, _) => 1,
        (Proof::Loss, _) => 0,
    }
}

/// The child whose proof its parent takes, whose own bound is `known` and whose `visited` children are all it has
/// unless `more` were never visited. None while an unknown child decides. Of equal proofs a win or a draw is that with
/// the fewest playouts, a loss that with the most, then that of the lowest slot.
pub(super) fn deciding(visited: impl Iterator<Item = Child>, more: bool, known: Proof) -> Option<Child> {
    let order = |child: &Child| {
        let playouts = i64::from(child.n);
        let hardest = matches!(child.proof, Proof::Loss | Proof::NotWon);
        (rank(child.proof, known), if hardest { playouts } else { -playouts }, std::cmp::Reverse(child.slot))
    };
    let decider = visited.max_by_key(order)?;
    let unknown = rank(Proof::Unknown, known);
    let decides = rank(decider.proof, known);
    (decides > unknown || (decides < unknown && !more)).then_some(decider)
}

impl<G: Game> Search<G> {
    /// What the new proof of a child means for its node. Returns what the node has become from its own mover's view,
    /// with the plies to the end (0 unless solved), if that is news.
    pub(super) fn prove(&mut self, id: NodeId, child: Proof, depth: u16) -> Option<(Proof, u16)> {
        let node = self.tree.node(id);
        let known = node.proof;
        if known.is_solved() {
            return None;
        }
        let (proof, depth) = if child == Proof::Win {
            (Proof::Win, depth + 1)
        } else {
            // Without bounds only a node whose children are all solved learns anything from less than a win.
            let more = !self.tree.unvisited(id).is_empty();
            if !self.params.draw_detection && (more || node.proven < node.visited) {
                return None;
            }
            let decider = deciding(self.tree.visited(id), more, known)?;
            let proof = known.and(decider.proof);
            let depth = match proof {
                Proof::Win => decider.depth + 1,
                Proof::Draw | Proof::Loss => {
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

    /// Tells the path what is known of the position it has reached, from the view of the side to move there.
    pub(super) fn spread(&mut self, proof: Proof) {
        let mut news = Some((proof, 0));
        for ply in (0..self.path.len()).rev() {
            let Some((proof, depth)) = news else { return };
            let step = self.path[ply];
            self.tree.set_proof(step.node, step.child, proof.inverted(), depth);
            news = self.prove(step.node, proof.inverted(), depth);
        }
    }
}
