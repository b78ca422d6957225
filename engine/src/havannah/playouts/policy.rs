//! What a playout policy is.

use crate::havannah::cell::BoardSize;
use crate::havannah::params::HeuristicParams;
use crate::havannah::playout::Playout;
use crate::side::Side;

/// Chooses moves of playouts.
pub(super) trait PlayoutPolicy: Sized {
    /// The policy, if `params` switch it on.
    fn new(params: &HeuristicParams) -> Option<Self>;

    /// A search begins: what earlier playouts taught is forgotten.
    fn begin_search(&mut self) {}

    /// A playout begins on a board of this size.
    fn begin_playout(&mut self, size: BoardSize) {
        let _ = size;
    }

    /// Whether the policy may still choose a move of this playout. Once no policy may, all remaining moves are drawn at
    /// once, which is faster.
    fn may_choose(&self) -> bool {
        true
    }

    /// Whether [`PlayoutPolicy::choose`] asks the playout that begins for threats, which costs time at every move. A policy
    /// that needs them no longer says so by [`Playout::stop_watching`].
    fn needs_threats(&self) -> bool {
        false
    }

    /// The place of the move to play after the opponent's stone at `last`, if that is known; none to leave the choice to
    /// the next policy. It is an empty place.
    fn choose<const W: usize>(&mut self, playout: &mut Playout<'_, W>, last: Option<u16>) -> Option<u16>;

    /// Whether [`PlayoutPolicy::learn`] wants to be told of playouts.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a playout that `winner` won: all its moves from the root of the search on.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        let _ = (line, winner);
    }
}
