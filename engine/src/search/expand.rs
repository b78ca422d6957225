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

impl<G: Game> Search<G> {
    /// Expands the leaf, which has had `playouts` playouts and the proof `known`.
    ///
    /// With one ply of lookahead, a winning move of the mover proves a win. With two plies, a single winning move of
    /// the opponent leaves only the reply to it, and several prove a loss. Draw detection comes last: it solves no
    /// position in which a side can win at once.
    pub(super) fn expand(&mut self, playouts: u32, known: ProvenOutcome) -> Expansion {
        let (mover, leaf) = (self.leaf.to_move(), &self.leaf);
        let mut open = leaf.open();
        let mut forced = None;
        if self.params.lookahead >= 1 {
            // The lookahead at the parent already saw the mover's winning moves. There was none, or the move played has
            // taken away the only one, and a move adds none to the other side.
            let seen = G::MOVES_HELP_ONLY_THEIR_SIDE && self.params.lookahead == 2 && !self.path.is_empty();
            debug_assert!(!seen || leaf.winning_moves(mover) == WinningMoves::None);
            if !seen
                && let WinningMoves::One(slot) | WinningMoves::Several { first: slot, .. } =
                    leaf.winning_moves(mover)
            {
                return Expansion::Proven { proof: ProvenOutcome::Win, slot, depth: 1 };
            }
            if leaf.open_count() == 1 {
                let slot = open.first().expect("one slot is open");
                return Expansion::Proven { proof: ProvenOutcome::Draw, slot, depth: 1 };
            }
        }
        if self.params.lookahead == 2 {
            match leaf.winning_moves(mover.other()) {
                WinningMoves::None => {}
                WinningMoves::One(slot) => forced = Some(slot),
                WinningMoves::Several { last, .. } => {
                    return Expansion::Proven { proof: ProvenOutcome::Loss, slot: last, depth: 2 };
                }
            }
        }
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
