//! Looking two plies ahead: the outcome of a position that does not need a node.

use super::{Meter, MoveFindings, Solution};
use crate::search::{Game, ProvenOutcome, SlotSet, WinningMoves};

/// What the next two plies show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The outcome for the side to move, and a move that reaches it.
    Decided(ProvenOutcome, u16),
    /// The other side threatens to win at this slot: every other move loses.
    Forced(u16),
    /// Neither a win nor a threat.
    Undecided,
}

/// Looks ahead from any position that is not over.
pub(super) fn look_ahead<G: Game>(position: &G) -> Look {
    match position.winning_moves(position.to_move()) {
        WinningMoves::One(slot) | WinningMoves::Several { first: slot, .. } => {
            Look::Decided(ProvenOutcome::Win, slot)
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
        return Look::Decided(ProvenOutcome::Draw, position.open().first().expect("one slot is open"));
    }
    match position.winning_moves(mover.other()) {
        WinningMoves::None => Look::Undecided,
        WinningMoves::One(slot) => Look::Forced(slot),
        WinningMoves::Several { first, .. } => Look::Decided(ProvenOutcome::Loss, first),
    }
}

/// The moves of an undecided position that do not lose at once.
pub(super) fn moves<G: Game>(position: &G) -> SlotSet {
    match position.winning_moves(position.to_move().other()) {
        WinningMoves::One(slot) => SlotSet::from_iter([slot]),
        _ => position.open(),
    }
}

/// The outcome of a finished game for the side that would be to move.
pub(super) fn outcome_of_end<G: Game>(position: &G) -> Option<ProvenOutcome> {
    position.winner().map(|winner| match winner {
        None => ProvenOutcome::Draw,
        Some(side) if side == position.to_move() => ProvenOutcome::Win,
        Some(_) => ProvenOutcome::Loss,
    })
}

/// The outcome of a position that is not over, from whether each side could still win.
pub(super) fn chances<G: Game>(position: &G) -> ProvenOutcome {
    let mover = position.to_move();
    ProvenOutcome::of_chances([mover, mover.other()].map(|side| position.could_win(side)))
}

impl Meter<'_, '_> {
    /// The solution of a root that two plies of lookahead decide. Otherwise the meter gets the bounds of its outcome.
    pub(super) fn look_at_root<G: Game>(&mut self, root: &G) -> Option<Solution> {
        if let Some(outcome) = outcome_of_end(root) {
            return Some(self.solved(outcome, None));
        }
        self.nodes += 2 * root.open_count() as u64;
        if let Look::Decided(outcome, slot) = look_ahead(root) {
            self.moves = vec![MoveFindings::new(slot, outcome, 0)];
            return Some(self.solved(outcome, Some(slot)));
        }
        self.proven = chances(root);
        // If neither side can win, every move draws.
        self.proven.is_solved().then(|| self.solution(root.open().first(), None))
    }
}
