//! Looking two plies ahead: the value of a position that does not need a node.

use super::{Meter, MoveFindings, Solution, Value};
use crate::search::{Game, SlotSet, WinningMoves};

/// What the next two plies show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The value for the side to move, and a move that reaches it.
    Decided(Value, u16),
    /// The other side threatens to win at this slot: every other move loses.
    Forced(u16),
    /// Neither a win nor a threat.
    Open,
}

/// Looks ahead from any position that is not over.
pub(super) fn look_ahead<G: Game>(position: &G) -> Look {
    match position.winning_moves(position.to_move()) {
        WinningMoves::One(slot) | WinningMoves::Several { first: slot, .. } => {
            Look::Decided(Value::Win, slot)
        }
        WinningMoves::None => look_at_threats(position),
    }
}

/// Looks ahead from a position in which the side to move cannot win at once. Every move that [`moves`] returns leads to
/// such a position: the mover takes the other side's only winning slot, if there is one, and a move gives the other
/// side no new one.
pub(super) fn look_at_threats<G: Game>(position: &G) -> Look {
    let mover = position.to_move();
    debug_assert_eq!(position.winning_moves(mover), WinningMoves::None);
    if position.open_count() == 1 {
        return Look::Decided(Value::Draw, position.open().first().expect("one slot is open"));
    }
    match position.winning_moves(mover.other()) {
        WinningMoves::None => Look::Open,
        WinningMoves::One(slot) => Look::Forced(slot),
        WinningMoves::Several { first, .. } => Look::Decided(Value::Loss, first),
    }
}

/// The moves of an undecided position that do not lose at once.
pub(super) fn moves<G: Game>(position: &G) -> SlotSet {
    match position.winning_moves(position.to_move().other()) {
        WinningMoves::One(slot) => SlotSet::from_iter([slot]),
        _ => position.open(),
    }
}

/// The value of a finished game for the side that would be to move.
pub(super) fn value_of_end<G: Game>(position: &G) -> Option<Value> {
    position.winner().map(|winner| match winner {
        None => Value::Draw,
        Some(side) if side == position.to_move() => Value::Win,
        Some(_) => Value::Loss,
    })
}

impl Meter<'_, '_> {
    /// The solution of a root that two plies of lookahead decide. Otherwise the meter gets the bounds of its value.
    pub(super) fn look_at_root<G: Game>(&mut self, root: &G) -> Option<Solution> {
        if let Some(value) = value_of_end(root) {
            return Some(self.solved(value, None));
        }
        self.nodes += 2 * root.open_count() as u64;
        if let Look::Decided(value, slot) = look_ahead(root) {
            self.moves = vec![MoveFindings::known(slot, value, 0)];
            return Some(self.solved(value, Some(slot)));
        }
        if !root.could_win(root.to_move()) {
            self.at_most = Value::Draw;
        }
        if !root.could_win(root.to_move().other()) {
            self.at_least = Value::Draw;
        }
        // If neither side can win, every move draws.
        (self.at_least == self.at_most).then(|| self.solution(root.open().first(), None))
    }
}
