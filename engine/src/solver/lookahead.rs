//! Looking two plies ahead: what a position is worth without making a node of it.

use super::{Meter, MoveFindings, Value};
use crate::game::{Game, WinningMoves};

/// What the next two plies say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The value for the side to move, and a move that gets it.
    Decided(Value, u16),
    /// The other side threatens to win at this slot: every other move loses.
    Forced(u16),
    /// Nothing to be seen.
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

/// Looks ahead from a position in which the side to move cannot win at once. That is so after every move made from a
/// position that [`look_ahead`] left undecided: the mover takes the only winning slot of the other side, if it had
/// one, and gives it no new one.
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

/// The value of a finished game for the side that would be to move.
pub(super) fn value_of_end<G: Game>(position: &G) -> Option<Value> {
    position.winner().map(|winner| match winner {
        None => Value::Draw,
        Some(side) if side == position.to_move() => Value::Win,
        Some(_) => Value::Loss,
    })
}

impl Meter<'_, '_> {
    /// What can be said of the root before searching, or the moves worth searching. Sets what is known of its value.
    pub(super) fn look_at_root<G: Game>(&mut self, root: &G) -> Option<super::Solution> {
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
        // When both hold, every move draws.
        (self.at_least == self.at_most).then(|| self.solution(root.open().first(), None))
    }
}
