//! The move to play once the search is over.

use super::formula;
use super::game::Game;
use super::params::FinalMove;
use super::proven_outcome::ProvenOutcome;
use super::state::Search;
use super::tree::{Child, NodeId};

impl<G: Game> Search<G> {
    /// The move to play, its value for the mover, and what is proved about it.
    pub(super) fn final_move(&self) -> (u16, f32, ProvenOutcome) {
        if let Some((proof, slot, _)) = self.root.proven {
            return (slot, proof.mean(), proof);
        }
        let child = self.best_child(self.root.node).expect("a root that is not over has an open slot");
        let mean = match child.proof {
            proof if proof.is_solved() => proof.mean(),
            _ if child.n == 0 => 0.5,
            _ => child.half_points as f32 / (2.0 * child.n as f32),
        };
        // A side that cannot win cannot win after any move.
        let root = self.tree.node(self.root.node).proof;
        let proof = if root == ProvenOutcome::AtMostDraw { root.and(child.proof) } else { child.proof };
        (child.slot, mean, proof)
    }

    /// The move to play at a node. `None` only if no slot is open.
    fn best_child(&self, id: NodeId) -> Option<Child> {
        let unvisited = self.tree.unvisited(id);
        // Slots without playouts have equal ranks, unless the rank depends on RAVE.
        let alike = self.params.final_move != FinalMove::Value;
        let unvisited = unvisited.iter().take(if alike { 1 } else { usize::MAX }).map(Child::unvisited);
        self.best_of(id, self.tree.visited(id).chain(unvisited))
    }

    /// The child with the highest rank, and of equal ranks the one with the lowest slot.
    pub(super) fn best_of(&self, id: NodeId, children: impl Iterator<Item = Child>) -> Option<Child> {
        let ranked = children.map(|child| (self.rank(id, &child), child));
        let best = ranked.reduce(|best, next| {
            let better = next.0 > best.0 || (next.0 == best.0 && next.1.slot < best.1.slot);
            if better { next } else { best }
        });
        best.map(|(_, child)| child)
    }

    /// The rank of a final move. The order is: wins, fewest playouts first; unsolved moves; draws; moves that cannot
    /// win; losses, most playouts first, which were the hardest to prove. At a node proven drawn, draws come right
    /// after wins.
    fn rank(&self, id: NodeId, child: &Child) -> i64 {
        const CLASS: i64 = 1 << 40;
        let n = i64::from(child.n);
        let unsolved = || match self.params.final_move {
            FinalMove::Visits => n,
            FinalMove::Wins => i64::from(child.half_points / 2),
            FinalMove::Value => (self.lower_bound(id, child) * VALUE_STEPS) as i64,
        };
        match child.proof {
            ProvenOutcome::Win => 3 * CLASS - n,
            ProvenOutcome::Draw if self.tree.node(id).proof == ProvenOutcome::Draw => 2 * CLASS + n,
            ProvenOutcome::Unknown | ProvenOutcome::AtLeastDraw => unsolved(),
            ProvenOutcome::Draw => n - 2 * CLASS,
            ProvenOutcome::AtMostDraw => unsolved() - 4 * CLASS,
            ProvenOutcome::Loss => n - 6 * CLASS,
        }
    }

    /// A child's value for the final move, see [`formula::lower_bound`].
    pub(super) fn lower_bound(&self, id: NodeId, child: &Child) -> f64 {
        let n = f64::from(child.n);
        let mean = if child.n > 0 { f64::from(child.half_points) / (2.0 * n) } else { 0.0 };
        let (playouts, wins) = self.tree.rave(id, child.slot);
        let rave = if playouts > 0 { f64::from(wins) / f64::from(playouts) } else { 0.0 };
        let (k, constant) = (self.params.final_rave_k, self.params.final_exploration);
        formula::lower_bound(mean, rave, k, constant, n, f64::from(self.tree.node(id).n))
    }
}

/// Values are compared in steps of 2⁻³⁰.
const VALUE_STEPS: f64 = (1_u64 << 30) as f64;
