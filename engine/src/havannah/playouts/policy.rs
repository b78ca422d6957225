//! The interface of playout policies.

use crate::havannah::cell::BoardSize;
use crate::havannah::params::HeuristicParams;
use crate::havannah::playout::Playout;
use crate::rng::Rng;
use crate::side::Side;

/// A playout policy: it may choose moves of playouts.
pub(super) trait PlayoutPolicy: Sized {
    /// The policy, if `params` switch the policy on.
    fn new(params: &HeuristicParams) -> Option<Self>;

    /// Begins a search. The policy forgets what it learned from earlier playouts.
    fn begin_search(&mut self) {}

    /// Begins a playout on a board of this size.
    fn begin_playout(&mut self, size: BoardSize) {
        let _ = size;
    }

    /// Whether the policy may still choose a move of this playout. Once no policy may, all remaining moves are random
    /// and take a faster path.
    fn may_choose(&self) -> bool {
        true
    }

    /// Whether [`PlayoutPolicy::choose`] needs threats in the playout that begins. Tracking threats costs time at every
    /// move. A policy that needs no more threats calls [`Playout::stop_tracking_threats`].
    fn needs_threats(&self) -> bool {
        false
    }

    /// The place of the move to play after the opponent's stone at `last`, if that is known. A place is the position of a
    /// cell in memory, where padding surrounds the board. The place must be an empty cell; the playout panics for
    /// another. `None` leaves the choice to the next policy. Random words come from `rng` alone, so that the seed of a game
    /// decides them: `rng.happens(probability)`, `rng.below(n)`.
    fn choose<const W: usize>(
        &mut self,
        playout: &mut Playout<'_, W>,
        last: Option<u16>,
        rng: &mut Rng,
    ) -> Option<u16>;

    /// Whether the policy learns from playouts, so that [`PlayoutPolicy::learn`] must be called.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a playout that `winner` won. `line` has all moves from the root of the search.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        let _ = (line, winner);
    }
}
