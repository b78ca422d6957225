//! Ring rules: which rings count in playouts. Rings are far more frequent in random play than between players. The tree
//! always plays by the rules of the game, so it still sees every ring.

use crate::havannah::params::{HeuristicParams, PlayoutCompat, RingCompat};
use crate::havannah::rings::{LEAST as LEAST_RING, Rings};
use crate::rng::Rng;
use crate::search::MAX_SLOTS;

/// The ring rules of a player.
pub(super) struct RingRules {
    probability: f64,
    depth: usize,
    depth_share: f64,
    stones: u32,
    growth: usize,
    growth_share: f64,
    permanent: u32,
    lassos: bool,
    compat: PlayoutCompat,
}

impl RingRules {
    pub(super) fn new(params: &HeuristicParams) -> Self {
        Self {
            probability: params.ring_probability,
            depth: params.ring_depth as usize,
            depth_share: params.ring_depth_share,
            stones: params.ring_size,
            growth: params.ring_growth as usize,
            growth_share: params.ring_growth_share,
            permanent: params.ring_permanent,
            lassos: params.ring_compat == RingCompat::Published,
            compat: params.playout_compat,
        }
    }

    /// Whether a playout under these rules may differ from one by the rules of the game.
    pub(super) fn matter(&self) -> bool {
        self.probability < 1.0
            || self.depth < MAX_SLOTS
            || self.depth_share < 1.0
            || self.stones > LEAST_RING
            || self.growth > 0
            || self.growth_share > 0.0
            || self.permanent > 0
    }

    /// The rules of one playout of at most `empties` moves, which begins `tree_plies` below the root. If rings count in
    /// some playouts only, one word of `rng` decides whether they count in this one.
    pub(super) fn draw(&self, empties: usize, tree_plies: usize, rng: &mut Rng) -> Rings {
        let share = |share: f64| (share * empties as f64).ceil() as usize;
        let counting = self.probability >= 1.0 || {
            // Only the upper half of the word is used, so probabilities have steps of 2⁻³².
            ((rng.next_u64() >> 32) as f64) < self.probability * 4_294_967_296.0
        };
        let (mut depth, mut by_share) = (self.depth, share(self.depth_share));
        if self.compat == PlayoutCompat::Published {
            // The published program counted the depth from the root. By the share, however, rings always counted at the
            // first move of a playout.
            depth = depth.saturating_sub(tree_plies);
            by_share = by_share.saturating_sub(tree_plies).max(1);
        }
        Rings {
            until: if counting { depth.min(by_share) } else { 0 },
            stones: self.stones,
            growth: [self.growth, share(self.growth_share)],
            permanent: self.permanent,
            lassos: self.lassos,
        }
    }
}
