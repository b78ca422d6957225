//! How many playouts a tree counts.
//!
//! Counters are words that vectors read as signed numbers, so that none may reach 2³¹. Half-points would be the first, at two
//! a playout. A search ends when its root has had as many playouts as that allows. A subtree with more than half as many is
//! not kept for the next move: so no search of up to half as many is ever cut short.

use super::params::SearchParams;
use super::rave::RAVE_UPDATES_PER_EMPTY;
use thiserror::Error;

/// No counter reaches it.
const END: u64 = 1 << 31;
/// More playouts than are given to a node for nothing, and than a simulation makes.
const GIVEN: u64 = 1 << 23;

/// Playouts that the root of a player's tree may have had.
pub(super) fn most_playouts(params: &SearchParams, slots: usize) -> u32 {
    let slots = slots.max(1) as u64;
    let half_points = END / 2 - GIVEN;
    if !(params.uses_rave() && params.overwrites_tree_moves()) {
        return half_points as u32;
    }
    // The defect may credit a slot once for each entry of a playout, up to where nodes stop to count RAVE.
    let equivalence = params.rave_k + params.rave_k_per_empty * slots as f64;
    let updated = f64::from(RAVE_UPDATES_PER_EMPTY) * slots as f64 * equivalence;
    let credits = if updated * (slots as f64) < END as f64 { half_points } else { END / slots };
    credits.min(half_points) as u32
}

/// Playouts given to a new root, so that it is expanded at once: the expansion threshold and one.
pub(super) fn gift(params: &SearchParams) -> u32 {
    params.expand_visits + 1
}

/// Simulations for each move that a player always makes in full, on a board of `slots` cells: with its rollouts they are
/// half of the playouts that a tree counts.
#[must_use]
pub fn most_sims(params: &SearchParams, slots: usize) -> u64 {
    let playouts = most_playouts(params, slots) / 2 - gift(params);
    u64::from(playouts / params.rollouts.max(1))
}

/// More simulations than a tree counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "{sims} simulations a move are too many with `rollouts` = {rollouts}: the search's counters hold {most} of them at most; \
     take fewer simulations or fewer rollouts"
)]
pub struct TooManySims {
    /// Simulations a move.
    pub sims: u64,
    /// Rollouts a simulation.
    pub rollouts: u32,
    /// The most there may be.
    pub most: u64,
}

/// Refuses more simulations a move than [`most_sims`].
///
/// # Errors
/// Says how many there may be.
pub fn check_sims(params: &SearchParams, slots: usize, sims: u64) -> Result<(), TooManySims> {
    let most = most_sims(params, slots);
    if sims <= most { Ok(()) } else { Err(TooManySims { sims, rollouts: params.rollouts, most }) }
}
