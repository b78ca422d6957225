//! Proof and disproof numbers, and the thresholds at which a search leaves a node.
//!
//! The numbers are those of df-pn: φ and δ belong to the side to move, so that one rule serves both kinds of nodes.

use super::MoveFindings;
use crate::search::ProvenOutcome;
use crate::side::Side;

/// The number of what is impossible. It exceeds every number of an unsolved node.
pub const INFINITE: u32 = 1 << 30;

/// Effort estimates for the side to move at a node. The attacker's aim is to win; the defender's aim is that the
/// attacker does not win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Effort to prove that the side reaches its aim; 0 once this is proven.
    pub(super) phi: u32,
    /// Effort to prove that the side misses its aim; 0 once this is proven.
    pub(super) delta: u32,
    /// The node is solved and the proof shows that one side wins: none of its lines ends in a draw, or where the attacker cannot
    /// win any more.
    pub(super) decisive: bool,
}

impl Numbers {
    /// The side to move reaches its aim.
    pub(super) const fn reached(decisive: bool) -> Self {
        Self { phi: 0, delta: INFINITE, decisive }
    }

    /// The side to move misses its aim.
    pub(super) const fn missed(decisive: bool) -> Self {
        Self { phi: INFINITE, delta: 0, decisive }
    }

    /// Whether either number is 0.
    #[inline]
    pub(super) const fn solved(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    /// The numbers of a position in which the attacker can no longer win. Whether the defender can win is unknown.
    pub(super) fn attacker_cannot_win(mover: Side, attacker: Side) -> Self {
        if mover == attacker { Self::missed(false) } else { Self::reached(false) }
    }

    /// The numbers of a position with this solved outcome for `mover`, to move.
    pub(super) fn known(outcome: ProvenOutcome, mover: Side, attacker: Side) -> Self {
        match outcome {
            ProvenOutcome::Win => Self::reached(true),
            ProvenOutcome::Loss => Self::missed(true),
            _ => Self::attacker_cannot_win(mover, attacker),
        }
    }

    /// The numbers of a node from those of its children.
    #[inline]
    pub(super) fn of_children(children: impl Iterator<Item = Numbers>) -> Self {
        let (mut phi, mut delta) = (INFINITE, 0_u32);
        let (mut all_decisive, mut winner_decisive) = (true, false);
        for child in children {
            phi = phi.min(child.delta);
            // The sum of four numbers near 2³⁰ exceeds 32 bits.
            delta = delta.saturating_add(child.phi);
            all_decisive &= child.decisive;
            winner_decisive |= child.decisive && child.delta == 0;
        }
        if phi == 0 {
            Self::reached(winner_decisive)
        } else if delta == 0 {
            Self::missed(all_decisive)
        } else {
            Self { phi: phi.min(INFINITE - 1), delta: delta.min(INFINITE - 1), decisive: false }
        }
    }
}

/// A child of a node: the move, the numbers of the position after it, and the expansions below.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child {
    pub(super) slot: u16,
    pub(super) numbers: Numbers,
    pub(super) work: u64,
}

impl Child {
    /// What is known of the move, after which `mover` is to move.
    pub(super) fn findings(self, mover: Side, attacker: Side) -> MoveFindings {
        let Self { slot, numbers: Numbers { phi, delta, decisive }, work } = self;
        let proven = match (phi == 0, delta == 0) {
            // The reply wins, or it stops the attack and the proof needs no draw.
            (true, _) if mover == attacker || decisive => ProvenOutcome::Loss,
            (true, _) => ProvenOutcome::AtMostDraw,
            (_, true) if mover != attacker || decisive => ProvenOutcome::Win,
            (_, true) => ProvenOutcome::AtLeastDraw,
            _ => ProvenOutcome::Unknown,
        };
        MoveFindings { slot, proven, work, numbers: Some((phi, delta)) }
    }
}

/// The child with the smallest δ, which is the easiest to prove lost for its mover, and the second smallest δ.
#[inline]
pub(super) fn best_child(deltas: impl Iterator<Item = u32>) -> (usize, u32) {
    let (mut best, mut least, mut second) = (0, u32::MAX, u32::MAX);
    for (at, delta) in deltas.enumerate() {
        if delta < least {
            (best, least, second) = (at, delta, least);
        } else if delta < second {
            second = delta;
        }
    }
    (best, second)
}

/// The search leaves a node when either of the node's numbers reaches its threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Thresholds {
    /// The root's thresholds: only a solution reaches them.
    pub(super) const ROOT: Self = Self { phi: INFINITE, delta: INFINITE };

    #[inline]
    pub(super) fn reached_by(self, numbers: Numbers) -> bool {
        numbers.phi >= self.phi || numbers.delta >= self.delta
    }

    /// The thresholds of a node's best child. The child reaches them when the node reaches its own thresholds, or when
    /// the child is clearly worse than the second best. "Clearly" means by 1 + ε, so that the search does not
    /// alternate between two subtrees.
    #[inline]
    pub(super) fn of_child(self, node: Numbers, child: Numbers, second_delta: u32, epsilon: f64) -> Self {
        let more = (f64::from(second_delta) * epsilon) as u32;
        Self {
            phi: (self.delta.saturating_sub(node.delta)).saturating_add(child.phi).min(INFINITE),
            delta: self.phi.min(second_delta.saturating_add(more).saturating_add(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_node_follow_from_those_of_its_children() {
        let n = |phi, delta| Numbers { phi, delta, decisive: false };
        let of = |children: &[Numbers]| Numbers::of_children(children.iter().copied());
        assert_eq!(of(&[n(3, 5), n(2, 7)]), n(5, 5));
        assert_eq!(of(&[n(3, 5), Numbers::missed(true)]), Numbers::reached(true));
        assert_eq!(of(&[n(3, 5), Numbers::missed(false)]), Numbers::reached(false));
        assert_eq!(of(&[Numbers::reached(true), Numbers::reached(true)]), Numbers::missed(true));
        assert_eq!(of(&[Numbers::reached(true), Numbers::reached(false)]), Numbers::missed(false));
        // A refuted move adds nothing.
        assert_eq!(of(&[Numbers::reached(true), n(2, 7)]), n(7, 2));
    }

    #[test]
    fn sums_never_pass_for_proofs() {
        let huge = Numbers { phi: INFINITE - 1, delta: INFINITE - 1, decisive: false };
        let node = Numbers::of_children([huge; 250].into_iter());
        assert_eq!((node.phi, node.delta), (INFINITE - 1, INFINITE - 1));
        assert!(!node.solved() && !Thresholds::ROOT.reached_by(node));
    }

    #[test]
    fn the_best_child_always_gets_room_below_its_thresholds() {
        for (node_phi, node_delta) in [(1, 1), (5, 9), (INFINITE - 1, INFINITE - 1)] {
            let node = Numbers { phi: node_phi, delta: node_delta, decisive: false };
            for phi in [1, node_delta] {
                let child = Numbers { phi, delta: node_phi, decisive: false };
                let above = Thresholds { phi: node_phi + 1, delta: node_delta + 1 };
                for second in [node_phi, INFINITE] {
                    for epsilon in [0.0, 0.25, 1e9] {
                        assert!(!above.of_child(node, child, second, epsilon).reached_by(child));
                    }
                }
            }
        }
    }
}
