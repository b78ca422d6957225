//! The identity of a player: one form for all parameters that play alike, in which what has no effect is as in the
//! defaults.
//!
//! Only what plays bit for bit alike is made one. Presets and all players of `configs/` are canonical, and stay so: a
//! player is known by the differences of its canonical form from the defaults.

use super::cell::BoardSize;
use super::params::{
    DistanceCompat, HeuristicParams, KnowledgeCompat, MateInOneCompat, Params, PlayoutCompat, RingCompat,
};
use super::rings::LEAST as LEAST_RING;
use super::{knowledge, playouts};
use crate::params::ParamValue;
use std::collections::BTreeMap;

/// Cells of the largest board.
const CELLS: usize = BoardSize::MAX.cells();
/// As many choices of a playout as there can be, and its name in the table's words: "all".
const ALL_CHOICES: u32 = 1000;
/// Permanent stones that no side has while a cell is empty.
const TOO_MANY_PERMANENT: u32 = (CELLS as u32 - 1).div_ceil(2) + 1;

impl Params {
    /// What differs from the defaults in the canonical form. Players that play alike have equal differences, and a
    /// tunable added later does not change an older player's.
    #[must_use]
    pub fn differences(&self) -> BTreeMap<&'static str, ParamValue> {
        let (default, canonical) = (Self::default(), self.canonical());
        Self::TABLE
            .iter()
            .filter_map(|info| {
                let value = canonical.get(info.name)?;
                (default.get(info.name).as_ref() != Some(&value)).then_some((info.name, value))
            })
            .collect()
    }

    /// The parameters by which this player is known: those of all players that play every game as it does.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let heuristics = self.heuristics.canonical();
        let knows = knowledge::is_on(&heuristics);
        Self { search: self.search.canonical(knows), heuristics }
    }

    /// The tunables that are set without effect, as the canonical form shows.
    #[must_use]
    pub fn without_effect(&self) -> Vec<&'static str> {
        let canonical = self.canonical();
        let names = Self::TABLE.iter().map(|info| info.name);
        names.filter(|name| self.get(name) != canonical.get(name)).collect()
    }
}

impl HeuristicParams {
    fn canonical(&self) -> Self {
        let mut params = self.clone();
        params.settle_knowledge();
        let unsettled = params.clone();
        params.settle_mates();
        params.settle_rings();
        let published = params.playout_compat == PlayoutCompat::Published;
        if published && playouts::are_special(&unsettled) && !playouts::are_special(&params) {
            // Published playouts count the depth of rings otherwise than random ones as soon as they have any policy.
            params = unsettled;
        }
        params.settle_playouts();
        params
    }

    /// A weight that is 0 once it is rounded is 0.
    fn settle_knowledge(&mut self) {
        for name in knowledge::names() {
            if let Some(ParamValue::Number(weight)) = self.get(name)
                && weight as f32 == 0.0
            {
                self.set_own(name, &ParamValue::Number(0.0)).expect("a weight").expect("within its domain");
            }
        }
        if self.locality == 0.0 && self.locality_any == 0.0 && self.group_size == 0.0 {
            self.knowledge_compat = KnowledgeCompat::Off;
        }
        if self.distance == 0.0 && self.distance_both == 0.0 {
            self.distance_compat = DistanceCompat::Off;
        }
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

    /// Whether playouts are played as described or as published, which mates in one and the depth of rings depend on.
    fn settle_playouts(&mut self) {
        let has_depth = playouts::are_special(self) && !self.no_ring_counts();
        if !self.looks_for_mates() && !has_depth {
            self.playout_compat = PlayoutCompat::Off;
        }
    }
}
