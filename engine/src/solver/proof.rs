//! Proof numbers, and the questions they are asked.
//!
//! A question is a yes or no: does the attacker win? A draw is a no. A no whose proof met no draw is more than that,
//! namely a win for the defender, and is marked `decisive`, so that most positions need one question only; the rest
//! need a second one with the sides exchanged. Nothing is approximate about draws then.

use super::{Meter, MoveFindings, Solution, Stop, Value};
use crate::game::Game;
use crate::side::Side;

/// Above every number of an unsolved node.
pub const INFINITE: u32 = 1 << 30;

/// Effort estimates from the view of the side to move at a node, whose aim is to win if it is the attacker, and to stop
/// the attacker if it is the defender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    /// To prove that it reaches its aim; 0 once it is proven.
    pub(super) phi: u32,
    /// To prove that it does not; 0 once it is proven.
    pub(super) delta: u32,
    /// Of a solved node: no draw was needed for the proof.
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

    /// The numbers of a position in which the attacker can win no more. Whether the defender can is not known.
    pub(super) fn without_hope(mover: Side, attacker: Side) -> Self {
        if mover == attacker { Self::missed(false) } else { Self::reached(false) }
    }

    /// The numbers of a position whose value for `mover`, to move, is known.
    pub(super) fn known(value: Value, mover: Side, attacker: Side) -> Self {
        match value {
            Value::Win => Self::reached(true),
            Value::Loss => Self::missed(true),
            Value::Draw => Self::without_hope(mover, attacker),
        }
    }

    /// What the numbers of the position after a move say of the move, which leaves `mover` to move.
    pub(super) fn findings(self, slot: u16, work: u32, mover: Side, attacker: Side) -> MoveFindings {
        use Value::{Draw, Loss, Win};
        let (at_least, at_most) = match (self.phi == 0, self.delta == 0) {
            // The reply wins, or stops an attack by more than a draw.
            (true, _) if mover == attacker || self.decisive => (Loss, Loss),
            (true, _) => (Loss, Draw),
            (_, true) if mover != attacker || self.decisive => (Win, Win),
            (_, true) => (Draw, Win),
            _ => (Loss, Win),
        };
        MoveFindings { slot, at_least, at_most, work: work.into(), numbers: Some((self.phi, self.delta)) }
    }

    /// The numbers of a node from those of its children.
    #[inline]
    pub(super) fn of_children(children: impl Iterator<Item = Numbers>) -> Self {
        let (mut phi, mut delta) = (INFINITE, 0_u32);
        let (mut all_decisive, mut winner_decisive) = (true, false);
        for child in children {
            phi = phi.min(child.delta);
            // Four numbers near 2³⁰ pass 2³².
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

/// When a node has been searched enough for now: once either number reaches its threshold.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

impl Thresholds {
    /// Those of the root: never reached without a solution.
    pub(super) const ROOT: Self = Self { phi: INFINITE, delta: INFINITE };

    #[inline]
    pub(super) fn reached_by(self, numbers: Numbers) -> bool {
        numbers.phi >= self.phi || numbers.delta >= self.delta
    }

    /// Those of a node's best child: until it is clearly worse than the second best (by 1 + ε, so that the search
    /// does not hop between two subtrees), or the node itself reaches its own.
    #[inline]
    pub(super) fn of_child(self, node: Numbers, child: Numbers, second_delta: u32, epsilon: f64) -> Self {
        let more = (f64::from(second_delta) * epsilon) as u32;
        Self {
            phi: (self.delta.saturating_sub(node.delta)).saturating_add(child.phi).min(INFINITE),
            delta: self.phi.min(second_delta.saturating_add(more).saturating_add(1)),
        }
    }
}

/// The answer to a question.
pub(super) struct Answer {
    /// The root's numbers, solved.
    pub(super) numbers: Numbers,
    /// A move that reaches the aim, or the one that resisted longest.
    pub(super) best: Option<u16>,
}

/// Finds the value of a position by asking at most two questions. `ask` answers whether the given side wins.
pub(super) fn solve_by_questions<G: Game>(
    root: &G,
    meter: &mut Meter<'_, '_>,
    ask: impl FnMut(Side, &mut Meter<'_, '_>) -> Result<Answer, Stop>,
) -> (Solution, Vec<MoveFindings>) {
    let solution = solve_root(root, meter, ask);
    let mut moves = std::mem::take(&mut meter.moves);
    for found in &mut moves {
        // What no move can pass, none does.
        found.at_most = found.at_most.min(meter.at_most);
        found.at_least = found.at_least.min(found.at_most);
    }
    (solution, moves)
}

fn solve_root<G: Game>(
    root: &G,
    meter: &mut Meter<'_, '_>,
    mut ask: impl FnMut(Side, &mut Meter<'_, '_>) -> Result<Answer, Stop>,
) -> Solution {
    if let Some(solution) = meter.look_at_root(root) {
        return solution;
    }
    let mover = root.to_move();
    let mut best = root.open().first();
    if meter.at_most == Value::Win {
        match ask(mover, meter) {
            Err(stop) => return meter.solution(None, Some(stop)),
            Ok(answer) if answer.numbers.phi == 0 => return meter.solved(Value::Win, answer.best),
            Ok(answer) if answer.numbers.decisive => return meter.solved(Value::Loss, answer.best),
            Ok(_) => meter.at_most = Value::Draw,
        }
    }
    if meter.at_least == Value::Loss {
        match ask(mover.other(), meter) {
            Err(stop) => return meter.solution(None, Some(stop)),
            Ok(answer) if answer.numbers.delta == 0 => return meter.solved(Value::Loss, answer.best),
            Ok(answer) => best = answer.best,
        }
    }
    // The other side cannot win, so that every move draws unless the second question named one.
    meter.solved(Value::Draw, best)
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
        // A refuted move counts no more.
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
