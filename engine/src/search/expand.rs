//! Expansion: makes a node of a leaf, after a lookahead of up to two plies.

use super::game::{Game, Policy, WinningMoves};
use super::proven_outcome::ProvenOutcome;
use super::select::count;
use super::slots::{MAX_SLOTS, SlotSet};
use super::state::Search;
use super::tree::{NodeId, Visit, Width};

/// The result of an expansion.
pub(crate) enum Expansion {
    /// A new node.
    Node(NodeId),
    /// A proof, from the view of the side to move at the leaf, with the move to play and the plies to the end.
    Proven { proof: ProvenOutcome, slot: u16, depth: u16 },
}

/// What a lookahead shows of a position that is not over.
pub(super) enum Look {
    /// A proof, from the view of the side to move, with the move to play and the plies to the end.
    Proven { proof: ProvenOutcome, slot: u16, depth: u16 },
    /// The opponent threatens to win at this slot: every other move loses.
    Forced(u16),
    /// Neither.
    Undecided,
}

/// Looks up to two plies ahead. With one ply, a winning move of the mover proves a win. With two plies, a single winning
/// move of the opponent leaves only the reply to it, and several prove a loss. `has_no_win` says that the mover is known to
/// have no winning move.
#[inline]
pub(super) fn look_ahead<G: Game>(position: &G, plies: u32, has_no_win: bool) -> Look {
    let mover = position.to_move();
    if plies >= 1 {
        debug_assert!(!has_no_win || position.winning_moves(mover) == WinningMoves::None);
        if !has_no_win
            && let WinningMoves::One(slot) | WinningMoves::Several { first: slot, .. } =
                position.winning_moves(mover)
        {
            return Look::Proven { proof: ProvenOutcome::Win, slot, depth: 1 };
        }
        if position.open_count() == 1 {
            let slot = position.open().first().expect("one slot is open");
            return Look::Proven { proof: ProvenOutcome::Draw, slot, depth: 1 };
        }
    }
    if plies == 2 {
        match position.winning_moves(mover.other()) {
            WinningMoves::None => {}
            WinningMoves::One(slot) => return Look::Forced(slot),
            WinningMoves::Several { last, .. } => {
                return Look::Proven { proof: ProvenOutcome::Loss, slot: last, depth: 2 };
            }
        }
    }
    Look::Undecided
}

impl<G: Game> Search<G> {
    /// Expands the leaf, which has had `playouts` playouts and the proof `known`. Draw detection comes after the lookahead:
    /// it solves no position in which a side can win at once.
    pub(super) fn expand(&mut self, playouts: u32, known: ProvenOutcome) -> Expansion {
        let (mover, leaf) = (self.leaf.to_move(), &self.leaf);
        let mut open = leaf.open();
        // The lookahead at the parent already saw the mover's winning moves. There was none, or the move played has taken
        // away the only one, and a move adds none to the other side.
        let has_no_win = G::MOVES_HELP_ONLY_THEIR_SIDE && self.params.lookahead == 2 && !self.path.is_empty();
        let forced = match look_ahead(leaf, self.params.lookahead, has_no_win) {
            Look::Proven { proof, slot, depth } => return Expansion::Proven { proof, slot, depth },
            Look::Forced(slot) => Some(slot),
            Look::Undecided => None,
        };
        let mut proof = known;
        if self.params.draw_detection {
            proof =
                known.and(ProvenOutcome::of_chances([mover, mover.other()].map(|side| leaf.could_win(side))));
            if proof.is_solved() {
                let slot = open.first().expect("the game is not over");
                return Expansion::Proven { proof, slot, depth: leaf.open_count() as u16 };
            }
        }
        if let Some(slot) = forced {
            open = SlotSet::from_iter([slot]);
        }
        // With the defect that `thesis2011` repeats, one playout may credit a slot several times.
        let counts_twice = self.params.overwrites_tree_moves();
        let width = if counts_twice { Width::Word } else { Width::Byte };
        let id = self.tree.add(playouts, open, proof, width);
        if self.policy.has_knowledge() {
            let last = self.path.last().map(|step| step.slot).or(self.last);
            let mut values = [0.0; MAX_SLOTS];
            self.policy.knowledge(&self.leaf, last, &mut values);
            self.tree.set_knowledge(id, &values);
        }
        if let Some(slot) = forced {
            // The reply gets as many virtual wins as this simulation needs to expand it too.
            let child = self.tree.visit(id, slot);
            let wins = self.params.expand_visits;
            if wins > 0 {
                let virtual_wins = Visit { child, playouts: wins, half_points: 2 * wins };
                count(&mut self.tree.view(id), virtual_wins);
            }
        }
        Expansion::Node(id)
    }
}
