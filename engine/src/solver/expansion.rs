//! Expansion: which moves of a position become nodes, and the numbers that each starts with.

use super::config::{LeafInitialisation, Lookahead, ProofNumberConfig};
use super::lookahead::{Look, look_at_threats, moves, outcome_of_end};
use super::numbers::{Child, Numbers};
use crate::search::{Game, MAX_SLOTS, Policy, ProvenOutcome, SlotSet, WinningMoves};
use crate::side::Side;

/// The result of an expansion.
pub(super) struct Expansion {
    /// The position's own numbers, when they are known without children.
    pub(super) known: Option<Numbers>,
    /// Positions looked at, as [`super::Solution::nodes`] counts them.
    pub(super) looked_at: u64,
}

impl Lookahead {
    /// The moves of an undecided position that become nodes.
    pub(super) fn moves<G: Game>(self, position: &G) -> SlotSet {
        match self {
            Lookahead::Threats => moves(position),
            Lookahead::Move | Lookahead::Reply => position.open(),
        }
    }
}

impl ProofNumberConfig {
    /// Evaluates the children of an undecided position and passes them to `add`. `moves` are those of
    /// [`Lookahead::moves`]. A child that `remembered` returns for the index of its move is not evaluated. The expansion
    /// ends at the first child that is lost for its mover, because that child decides. `after` is a buffer.
    pub(super) fn expand<G: Game>(
        &self,
        position: &G,
        moves: SlotSet,
        attacker: Side,
        after: &mut G,
        remembered: impl Fn(usize) -> Option<Child>,
        mut add: impl FnMut(Child),
    ) -> Expansion {
        let mut looked_at = 1;
        if !position.could_win(attacker) {
            let known = Numbers::attacker_cannot_win(position.to_move(), attacker);
            return Expansion { known: Some(known), looked_at };
        }
        let distances = Distances::of(position, self.leaf);
        for (at, slot) in moves.iter().enumerate() {
            let child = remembered(at).unwrap_or_else(|| {
                after.clone_from(position);
                after.play_slot(slot);
                let (numbers, tested) = self.evaluate(after, attacker, &distances, slot);
                looked_at += tested;
                Child { slot, numbers, work: 0 }
            });
            add(child);
            if child.numbers.delta == 0 {
                break;
            }
        }
        Expansion { known: None, looked_at }
    }

    /// The numbers of the position `after` the move of `slot`, and how many positions were looked at: `after` itself,
    /// and the position after every reply that was tested.
    #[inline]
    pub(super) fn evaluate<G: Game>(
        &self,
        after: &G,
        attacker: Side,
        distances: &Distances,
        slot: u16,
    ) -> (Numbers, u64) {
        let mover = after.to_move();
        let open = after.open_count() as u64;
        let known = |outcome| Numbers::known(outcome, mover, attacker);
        if self.lookahead == Lookahead::Threats {
            let numbers = match look_at_threats(after) {
                Look::Decided(outcome, _) => known(outcome),
                Look::Forced(_) => self.leaf.numbers(1, None),
                Look::Undecided => self.leaf.numbers(open as u32, distances.of_move(slot)),
            };
            return (numbers, 1 + open);
        }
        if let Some(outcome) = outcome_of_end(after) {
            return (known(outcome), 1);
        }
        let (wins, tested) = match self.lookahead {
            Lookahead::Move => (false, 1),
            _ => (after.winning_moves(mover) != WinningMoves::None, 1 + open),
        };
        let numbers = if wins {
            known(ProvenOutcome::Win)
        } else {
            self.leaf.numbers(open as u32, distances.of_move(slot))
        };
        (numbers, tested)
    }
}

impl LeafInitialisation {
    /// The numbers of a leaf with this many moves, whose last move is at this distance from a win.
    fn numbers(self, mobility: u32, distance: Option<u32>) -> Numbers {
        let (phi, delta) = match (self, distance) {
            (LeafInitialisation::Mobility, _) | (LeafInitialisation::Distance, None) => (1, mobility),
            (LeafInitialisation::Equal, _) => (mobility, mobility),
            (LeafInitialisation::Distance, Some(distance)) => (distance, distance),
        };
        Numbers { phi, delta, decisive: false }
    }
}

/// The distance from a win through each cell of one position.
pub(super) struct Distances {
    /// By slot. `None` when the configuration does not need distances or the game's policy has none.
    by_slot: Option<[u32; MAX_SLOTS]>,
}

impl Distances {
    /// For a replay, where only solved numbers matter.
    pub(super) const UNKNOWN: Self = Self { by_slot: None };

    fn of<G: Game>(position: &G, leaf: LeafInitialisation) -> Self {
        let needed = leaf == LeafInitialisation::Distance;
        Self { by_slot: if needed { G::Policy::distances(position) } else { None } }
    }

    fn of_move(&self, slot: u16) -> Option<u32> {
        let by_slot = self.by_slot.as_ref()?;
        // 0 would mean solved; sums of larger numbers could reach infinity.
        Some(by_slot[usize::from(slot)].clamp(1, MAX_SLOTS as u32))
    }
}
