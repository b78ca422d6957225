//! The terms of the selection formula that all children of a node share. Some simulations leave terms out: each draws
//! whether it chooses with RAVE, and whether with exploration.

use super::formula;
use super::game::Game;
use super::params::SearchParams;
use super::state::Search;
use crate::rng::Rng;

/// What a choice depends on besides the node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Terms {
    /// Playouts that the node will have gained when the choice is followed.
    pub(crate) ahead: u32,
    /// First-play urgency.
    pub(crate) fpu: f32,
    /// The exploration constant c, or 0 without exploration.
    pub(crate) exploration: f32,
    /// The RAVE equivalence k at this node, or 0 without RAVE.
    pub(crate) k: f32,
}

impl Terms {
    /// Whether, without RAVE and knowledge, an unvisited slot is worth more than any child of a node with at least two
    /// playouts. The reason is that no mean is above 1, and that the exploration term of a visited child is smaller by
    /// more than a rounding error.
    pub(super) fn unvisited_first(&self) -> bool {
        self.fpu >= 1.0 && self.exploration > 0.02
    }
}

impl<G: Game> Search<G> {
    /// The terms of a choice at a node that is `ply` plies below the root. A backup stores its choices for later
    /// simulations. So terms may depend on parameters, root, `ply` and the draws of [`SampledTerms`] only:
    /// [`Search::advance`] compares terms before and after the move, and forgets the stored choices if any differ.
    #[inline(always)]
    pub(super) fn terms(&self, ply: usize, ahead: u32) -> Terms {
        let params = &self.params;
        let exploration = if self.sampled.explores { params.exploration as f32 } else { 0.0 };
        let k = formula::equivalence(params, self.open_slots(ply));
        Terms { ahead, fpu: params.fpu as f32, exploration, k }
    }

    /// Open slots of a node that is `ply` plies below the root.
    #[inline(always)]
    pub(super) fn open_slots(&self, ply: usize) -> u32 {
        (self.position.open_count() - ply) as u32
    }
}

/// The terms that the current simulation uses.
#[derive(Debug, Clone, Copy)]
pub(super) struct SampledTerms {
    /// Whether simulations use different terms, so that no simulation follows a stored choice.
    pub(super) vary: bool,
    /// Whether the current simulation uses RAVE.
    pub(super) rave: bool,
    /// Whether the current simulation uses exploration.
    pub(super) explores: bool,
}

impl SampledTerms {
    pub(super) fn new(params: &SearchParams) -> Self {
        let rave = params.uses_rave() && params.rave_probability < 1.0;
        let exploration = params.explores() && params.exploration_probability < 1.0;
        Self { vary: rave || exploration, rave: true, explores: true }
    }

    /// Draws the terms of a new simulation. Probabilities 0 and 1 consume no random number.
    pub(super) fn draw(&mut self, params: &SearchParams, rng: &mut Rng) {
        if self.vary {
            self.rave = rng.happens(params.rave_probability);
            self.explores = rng.happens(params.exploration_probability);
        }
    }
}
