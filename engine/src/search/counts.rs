//! How many playouts a tree can count.
//!
//! Counters are words that vectors read as signed numbers, so that no counter may reach 2³¹. Half-points, two for each
//! playout, would be the first to reach it. A search ends when its root has had as many playouts as this limit allows.
//! A subtree with more than half as many is not kept for the next move. So a search of up to half as many is never cut
//! short.

use super::params::SearchParams;
use super::rave::RAVE_UPDATES_PER_EMPTY;
use thiserror::Error;

/// All counters stay below this.
const END: u64 = 1 << 31;
/// A margin: more than the virtual playouts of a node and the playouts of one simulation.
const MARGIN: u64 = 1 << 23;

/// The most playouts that the root of a player's tree may have had.
pub(super) fn most_playouts(params: &SearchParams, slots: usize) -> u32 {
    let slots = slots.max(1) as u64;
    let half_points = END / 2 - MARGIN;
    if !(params.uses_rave() && params.overwrites_tree_moves()) {
        return half_points as u32;
    }
    // The thesis' defect may credit one slot for every entry of a playout's list, until the node stops to count RAVE.
    let equivalence = params.rave_k + params.rave_k_per_empty * slots as f64;
    let updated = f64::from(RAVE_UPDATES_PER_EMPTY) * slots as f64 * equivalence;
    let credits = if updated * (slots as f64) < END as f64 { half_points } else { END / slots };
    credits.min(half_points) as u32
}

/// The virtual playouts of a new root: the expansion threshold and one, so that the first simulation expands the root.
pub(super) fn virtual_playouts(params: &SearchParams) -> u32 {
    params.expand_visits + 1
}

/// The most simulations a move that are never cut short, on a board of `slots` cells: with their rollouts they are half
/// of the playouts that a tree can count.
#[must_use]
pub fn most_sims(params: &SearchParams, slots: usize) -> u64 {
    let playouts = most_playouts(params, slots) / 2 - virtual_playouts(params);
    u64::from(playouts / params.rollouts.max(1))
}

/// More simulations than [`most_sims`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{sims} simulations a move are too many with `rollouts` = {rollouts}: the search's counters hold {most} of them at most; \
     take fewer simulations or fewer rollouts"
)]
pub struct TooManySims {
    /// The simulations a move that were asked for.
    pub sims: u64,
    /// Rollouts of each simulation.
    pub rollouts: u32,
    /// The most simulations a move.
    pub most: u64,
}

/// Checks a number of simulations a move.
///
/// # Errors
/// When there are more than [`most_sims`].
pub fn check_sims(params: &SearchParams, slots: usize, sims: u64) -> Result<(), TooManySims> {
    let most = most_sims(params, slots);
    if sims <= most { Ok(()) } else { Err(TooManySims { sims, rollouts: params.rollouts, most }) }
}
