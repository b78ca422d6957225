//! What proof-number searches can be told: how they look ahead, what fresh nodes are worth, when to turn elsewhere.

use super::Value;
use super::lookahead::{Look, look_at_threats, value_of_end};
use super::proof::Numbers;
use crate::game::{Game, MAX_SLOTS, SlotSet, WinningMoves};
use crate::policy::Policy;
use crate::side::Side;

/// How a proof-number search goes about it. Any plan gives the same values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// How far a move is looked at before it becomes a node.
    pub lookahead: Lookahead,
    /// The numbers of a node before its children are known.
    pub fresh: Fresh,
    /// A subtree is left when it looks 1 + ε times as hard as the next best, 0 or more.
    pub epsilon: f64,
    /// Whether the search stays below a node until its numbers pass thresholds (as df-pn does, but on a tree);
    /// otherwise it returns to the root after every expansion, and ε has no effect. Searches with a table always stay.
    pub thresholds: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { lookahead: Lookahead::Threats, fresh: Fresh::Mobility, epsilon: 0.25, thresholds: true }
    }
}

/// How far a move is looked at before it becomes a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lookahead {
    /// Whether it ends the game.
    Move,
    /// Whether a reply wins, too.
    Reply,
    /// Whether it makes two threats, too; and a single threat leaves one reply.
    Threats,
}

impl Lookahead {
    /// The moves worth a node, in an undecided position.
    pub(super) fn moves<G: Game>(self, position: &G) -> SlotSet {
        match self {
            Lookahead::Threats => moves(position),
            Lookahead::Move | Lookahead::Reply => position.open(),
        }
    }
}

/// The moves of an undecided position that do not lose at once.
pub(super) fn moves<G: Game>(position: &G) -> SlotSet {
    match position.winning_moves(position.to_move().other()) {
        WinningMoves::One(slot) => SlotSet::from_iter([slot]),
        _ => position.open(),
    }
}

/// What the numbers of a node are before its children are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fresh {
    /// One of its moves must do, or all of them must fail: 1, and the number of moves.
    Mobility,
    /// The number of moves twice.
    Equal,
    /// Twice what whichever side is nearer still needs to win through the cell of the move that led there, as the
    /// game's policy estimates it; [`Fresh::Mobility`] in games whose policy has no estimate. A reply to a threat
    /// counts 1.
    Distance,
}

/// Efforts of the moves of one position.
pub(super) struct Efforts {
    /// By slot, if the plan asks for it and the game can say.
    by_slot: Option<[u32; MAX_SLOTS]>,
}

impl Plan {
    /// What the moves of a position look like before they are made.
    pub(super) fn efforts<G: Game>(&self, position: &G) -> Efforts {
        let by_slot = if self.fresh == Fresh::Distance { G::Policy::distances(position) } else { None };
        Efforts { by_slot }
    }

    /// The numbers of the position `after` the move of `slot`, and how many positions were looked at for them: itself,
    /// and those after every reply tested.
    #[inline]
    pub(super) fn numbers<G: Game>(
        &self,
        after: &G,
        attacker: Side,
        efforts: &Efforts,
        slot: u16,
    ) -> (Numbers, u64) {
        let mover = after.to_move();
        let open = after.open_count() as u64;
        let known = |value| Numbers::known(value, mover, attacker);
        if self.lookahead == Lookahead::Threats {
            let numbers = match look_at_threats(after) {
                Look::Decided(value, _) => known(value),
                Look::Forced(_) => self.fresh(1, None),
                Look::Open => self.fresh(open as u32, efforts.of(slot)),
            };
            return (numbers, 1 + open);
        }
        if let Some(value) = value_of_end(after) {
            return (known(value), 1);
        }
        let (wins, tested) = match self.lookahead {
            Lookahead::Move => (false, 1),
            _ => (after.winning_moves(mover) != WinningMoves::None, 1 + open),
        };
        let numbers = if wins { known(Value::Win) } else { self.fresh(open as u32, efforts.of(slot)) };
        (numbers, tested)
    }

    fn fresh(&self, mobility: u32, distance: Option<u32>) -> Numbers {
        let (phi, delta) = match (self.fresh, distance) {
            (Fresh::Mobility, _) | (Fresh::Distance, None) => (1, mobility),
            (Fresh::Equal, _) => (mobility, mobility),
            (Fresh::Distance, Some(distance)) => (distance, distance),
        };
        Numbers { phi, delta, decisive: false }
    }
}

impl Efforts {
    /// For where only proofs count.
    pub(super) const UNKNOWN: Self = Self { by_slot: None };

    fn of(&self, slot: u16) -> Option<u32> {
        let by_slot = self.by_slot.as_ref()?;
        // Never proved, and never so far away that sums of it pass for proofs.
        Some(by_slot[usize::from(slot)].clamp(1, MAX_SLOTS as u32))
    }
}
