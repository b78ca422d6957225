//! What is known for certain about a position, and how a node learns it from its children.

use super::Search;
use super::tree::{Child, NodeId};
use crate::game::Game;
use crate::selfplay::Claim;
use crate::side::Side;

/// What is known about a position, from the view of the side to move in it. About a child, from its parent's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Proof {
    Unknown = 0,
    /// A loss or a draw: the side cannot win.
    NotWon = 1,
    /// A draw or a win: the side cannot lose.
    NotLost = 2,
    Loss = 4,
    Draw = 5,
    Win = 6,
}

impl Proof {
    /// Whether the outcome is known, not only bounded.
    #[inline(always)]
    pub(crate) const fn is_solved(self) -> bool {
        self as u8 >= Proof::Loss as u8
    }

    /// The same knowledge from the opponent's view.
    pub(crate) const fn inverted(self) -> Self {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
            Proof::NotWon => Proof::NotLost,
            Proof::NotLost => Proof::NotWon,
            Proof::Unknown | Proof::Draw => self,
        }
    }

    /// What is known when both are: a solved outcome stands, and opposite bounds leave a draw.
    pub(crate) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Proof::NotWon, Proof::NotLost) | (Proof::NotLost, Proof::NotWon) => Proof::Draw,
            _ if other.is_solved() || matches!(self, Proof::Unknown) => other,
            _ => self,
        }
    }

    /// What `winnable`, for the side to move and its opponent, says of a position not over yet.
    pub(crate) const fn of_chances(winnable: [bool; 2]) -> Self {
        match winnable {
            [true, true] => Proof::Unknown,
            [true, false] => Proof::NotLost,
            [false, true] => Proof::NotWon,
            [false, false] => Proof::Draw,
        }
    }

    /// The proof whose number is in the three lowest bits.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u32) -> Self {
        const BY_NUMBER: [Proof; 8] = [
            Proof::Unknown,
            Proof::NotWon,
            Proof::NotLost,
            Proof::Unknown,
            Proof::Loss,
            Proof::Draw,
            Proof::Win,
            Proof::Unknown,
        ];
        BY_NUMBER[bits as usize & 7]
    }

    /// Whether a proof has this number.
    pub(super) const fn is_number(number: u32) -> bool {
        Self::from_bits(number) as u32 == number
    }

    /// Result of the side to move, once solved: 1, ½ or 0.
    pub(super) const fn mean(self) -> f32 {
        match self {
            Proof::Win => 1.0,
            Proof::Loss => 0.0,
            _ => 0.5,
        }
    }

    /// The fixed value of a solved child: a win is taken at once, a draw or a loss only when nothing else is left.
    pub(super) const fn value(self) -> f32 {
        match self {
            Proof::Win => 1e9,
            Proof::Draw => -1.0,
            _ => -2.0,
        }
    }

    /// What a proof from the view of `mover` says of the two sides.
    pub(super) const fn claim(self, mover: Side) -> Claim {
        match (self, mover) {
            (Proof::Unknown, _) => Claim::None,
            (Proof::Draw, _) => Claim::Draw,
            (Proof::Win, Side::White) | (Proof::Loss, Side::Black) => Claim::White,
            (Proof::Win | Proof::Loss, _) => Claim::Black,
            (Proof::NotLost, Side::White) | (Proof::NotWon, Side::Black) => Claim::WhiteOrDraw,
            (Proof::NotLost | Proof::NotWon, _) => Claim::BlackOrDraw,
        }
    }
}

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
