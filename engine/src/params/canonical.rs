//! One form for all parameters that play alike: what has no effect is as in the defaults.
//!
//! Only what plays bit for bit alike, under every memory limit, is made one. (RAVE that no simulation chooses with is not
//! the same as no RAVE: its counters take memory, so that a full tree drops other nodes.) Presets and all players of
//! `configs/` are canonical, and stay so: a player is known by its canonical form.

use super::{
    DistanceCompat, FinalMove, KnowledgeCompat, LastGoodReply, MateInOneCompat, Params, PlayoutCompat,
    RaveCompat, RingCompat,
};
use crate::game::MAX_SLOTS;
use crate::havannah::{BoardSize, LEAST_RING};

/// Cells of the largest board.
const CELLS: usize = BoardSize::MAX.cells();
/// As many choices of a playout as there can be, and its name in the table's words: "all".
const ALL_CHOICES: u32 = 1000;
/// Permanent stones that no side has while a cell is empty.
const TOO_MANY_PERMANENT: u32 = (CELLS as u32 - 1).div_ceil(2) + 1;

impl Params {
    /// Whether RAVE is on: its equivalence counts from a tenth of a playout, whatever it gains by empty slots.
    pub(crate) fn uses_rave(&self) -> bool {
        self.rave_k > 0.1
    }

    /// The parameters by which this player is known: those of all players that play every game as it does.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut params = self.clone();
        params.settle_rave();
        params.settle_choice();
        params.settle_knowledge();
        params.settle_urgency();
        let playouts = params.clone();
        params.settle_mates();
        params.settle_rings();
        let published = params.playout_compat == PlayoutCompat::Published;
        if published && playouts.has_policies() && !params.has_policies() {
            // Published playouts count the depth of rings otherwise than random ones as soon as they have any policy.
            params = playouts;
        }
        params.settle_playouts();
        params
    }

    /// The tunables that are set without effect, as the canonical form shows.
    #[must_use]
    pub fn without_effect(&self) -> Vec<&'static str> {
        let canonical = self.canonical();
        let names = Self::TABLE.iter().map(|info| info.name);
        names.filter(|name| self.get(name) != canonical.get(name)).collect()
    }

    fn settle_rave(&mut self) {
        if !self.uses_rave() {
            (self.rave_k, self.rave_k_per_empty, self.rave_compat) = (0.0, 0.0, RaveCompat::Off);
        }
    }

    /// How simulations and final moves choose.
    fn settle_choice(&mut self) {
        let (rave, exploration) = (self.uses_rave(), self.exploration > 0.0);
        let samples_rave = rave && self.rave_probability < 1.0;
        // Where one of the two terms is drawn for, an uncertain one draws too, though it has no effect.
        if !rave && !self.samples_exploration() {
            self.rave_probability = 1.0;
        }
        if !exploration {
            let draws =
                samples_rave && self.exploration_probability > 0.0 && self.exploration_probability < 1.0;
            self.exploration_probability = if draws { 0.5 } else { 1.0 };
        }
        if self.widening <= 1.0 {
            self.widening = 0.0;
        }
        let by_value = self.final_move == FinalMove::Value;
        if !by_value || self.final_rave_k <= 0.1 {
            self.final_rave_k = 0.0;
        }
        if !by_value {
            self.final_exploration = 1.0;
        }
    }

    fn samples_exploration(&self) -> bool {
        self.exploration > 0.0 && self.exploration_probability < 1.0
    }

    fn settle_knowledge(&mut self) {
        for weight in self.knowledge_weights() {
            if *weight as f32 == 0.0 {
                *weight = 0.0;
            }
        }
        if self.locality == 0.0 && self.locality_any == 0.0 && self.group_size == 0.0 {
            self.knowledge_compat = KnowledgeCompat::Off;
        }
        if self.distance == 0.0 && self.distance_both == 0.0 {
            self.distance_compat = DistanceCompat::Off;
        }
    }

    fn knowledge_weights(&mut self) -> [&mut f64; 8] {
        [
            &mut self.maintain_vc,
            &mut self.locality,
            &mut self.locality_any,
            &mut self.local_reply,
            &mut self.connectivity,
            &mut self.group_size,
            &mut self.distance,
            &mut self.distance_both,
        ]
    }

    /// Without knowledge no mean is above 1. So every first-play urgency above 1 puts unvisited moves first, unless there is
    /// RAVE with exploration; without RAVE and with enough exploration (see `Terms::unvisited_first`) 1 does as well.
    fn settle_urgency(&mut self) {
        let rave = self.uses_rave();
        let explores = self.exploration > 0.0;
        let knows = self.knowledge_weights().into_iter().any(|weight| *weight != 0.0);
        if knows || (rave && explores) || self.samples_exploration() || self.fpu as f32 <= 1.0 {
            return;
        }
        self.fpu = if !rave && self.exploration as f32 > 0.02 { 1.0 } else { 2.0 };
    }

    /// Choices at which mates in one are looked for.
    fn mate_choices(&self, size: BoardSize) -> u32 {
        self.mate_in_one + (self.mate_in_one_per_size * f64::from(size.get())) as u32
    }

    fn looks_for_mates(&self) -> bool {
        self.mate_in_one > 0 || self.mate_in_one_per_size > 0.0
    }

    fn settle_mates(&mut self) {
        let at_all = BoardSize::all().all(|size| self.mate_choices(size) as usize >= size.cells());
        if at_all {
            (self.mate_in_one, self.mate_in_one_per_size) = (ALL_CHOICES, 0.0);
        }
        // Only whole choices count: the least number that gives as many on every size.
        let share = |size: BoardSize| {
            let n = f64::from(size.get());
            (self.mate_in_one_per_size * n).floor() / n
        };
        let least =
            Self { mate_in_one_per_size: BoardSize::all().map(share).fold(0.0, f64::max), ..self.clone() };
        if BoardSize::all().all(|size| least.mate_choices(size) == self.mate_choices(size)) {
            self.mate_in_one_per_size = least.mate_in_one_per_size;
        }
        if BoardSize::all().all(|size| self.mate_choices(size) == 0) {
            self.mate_in_one_compat = MateInOneCompat::Off;
        }
    }

    /// Whether no ring ever counts in a playout.
    fn no_ring_counts(&self) -> bool {
        self.ring_probability <= 0.0
            || self.ring_depth == 0
            // The first move of a published playout always passes the share.
            || (self.ring_depth_share <= 0.0 && self.playout_compat == PlayoutCompat::Off)
            || self.ring_permanent >= TOO_MANY_PERMANENT
    }

    fn settle_rings(&mut self) {
        let default = Self::default();
        if self.no_ring_counts() {
            // An uncertain playout draws, whatever it draws for.
            let draws = self.ring_probability < 1.0;
            self.ring_probability = if draws { 0.0 } else { 1.0 };
            self.ring_depth = if draws { default.ring_depth } else { 0 };
            (self.ring_depth_share, self.ring_size) = (default.ring_depth_share, LEAST_RING);
            (self.ring_growth, self.ring_growth_share, self.ring_permanent) = (0, 0.0, 0);
        }
        if self.ring_depth as usize >= CELLS {
            self.ring_depth = default.ring_depth;
        }
        if self.ring_growth as usize >= CELLS {
            self.ring_growth = 0;
        }
        let is_all = |share: f64| (1..=CELLS).all(|all| (share * all as f64).ceil() as usize == all);
        if is_all(self.ring_depth_share) {
            self.ring_depth_share = 1.0;
        }
        if is_all(self.ring_growth_share) {
            self.ring_growth_share = 0.0;
        }
        if !self.searches_rings() {
            self.ring_compat = RingCompat::Off;
        }
    }

    /// Whether rings have to be searched for in playouts.
    fn searches_rings(&self) -> bool {
        self.ring_size > LEAST_RING
            || self.ring_growth > 0
            || self.ring_growth_share > 0.0
            || self.ring_permanent > 0
    }

    /// Whether playouts are other than uniformly random by the rules of the game, as `policy::playouts` has it.
    fn has_policies(&self) -> bool {
        let chooses = self.vc_replies || self.last_good_reply != LastGoodReply::Off || self.looks_for_mates();
        let limits_rings = self.ring_probability < 1.0
            || (self.ring_depth as usize) < MAX_SLOTS
            || self.ring_depth_share < 1.0
            || self.searches_rings();
        chooses || limits_rings
    }

    /// Whether playouts are played as described or as published, which mates in one and the depth of rings depend on.
    fn settle_playouts(&mut self) {
        let has_depth = self.has_policies() && !self.no_ring_counts();
        if !self.looks_for_mates() && !has_depth {
            self.playout_compat = PlayoutCompat::Off;
        }
    }
}
