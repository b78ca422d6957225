//! The identity of a player: the canonical form of its parameters. In this form, every tunable without effect has its
//! default.
//!
//! Two parameter sets may have one canonical form only if they play every game bit for bit alike. A player is
//! identified by the differences of its canonical form from the defaults. The presets and all players of `configs/` are
//! canonical and must stay so.

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
/// The canonical value of [`HeuristicParams::mate_in_one`] for all choices of a playout: the upper end of its range.
const ALL_CHOICES: u32 = 1000;
/// The canonical value of [`HeuristicParams::ring_depth_share`] for rings that count in the last move of a playout from the
/// deepest leaf, too: the upper end of its range.
pub(crate) const NO_DEPTH_SHARE: f64 = 1000.0;
/// More permanent stones than a side can have while a cell is empty.
const TOO_MANY_PERMANENT: u32 = (CELLS as u32 - 1).div_ceil(2) + 1;

impl Params {
    /// The tunables of the canonical form that differ from the defaults. A tunable that is added later does not change
    /// the differences of an older player.
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

    /// The canonical form of the parameters. Players with equal canonical forms play every game alike.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let heuristics = self.heuristics.canonical();
        let knows = knowledge::is_on(&heuristics);
        Self { search: self.search.canonical(knows), heuristics }
    }

    /// The tunables that are set but have no effect: those that the canonical form changes.
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
            // A published playout with any policy counts the depth of rings differently from a random playout.
            params = unsettled;
        }
        params.settle_playouts();
        params
    }

    /// Sets weights to 0 that round to 0 in single precision, and switches that then have no effect to their defaults.
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

    /// The number of choices of a playout at which it looks for mates in one.
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
        // Only whole choices count, so the canonical value is the least one that gives the same number on every size.
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
            // In a published playout rings always count by the share at the first move.
            || (self.ring_depth_share <= 0.0 && self.playout_compat == PlayoutCompat::Off)
            || self.ring_permanent >= TOO_MANY_PERMANENT
    }

    fn settle_rings(&mut self) {
        let default = Self::default();
        if self.no_ring_counts() {
            // With a probability below 1, every playout takes a random word, even if no ring counts.
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
        if self.ring_depth_share >= CELLS as f64 {
            self.ring_depth_share = NO_DEPTH_SHARE;
        }
        if is_all(self.ring_growth_share) {
            self.ring_growth_share = 0.0;
        }
        if !self.searches_rings() {
            self.ring_compat = RingCompat::Off;
        }
    }

    /// Whether playouts may have to search for rings.
    fn searches_rings(&self) -> bool {
        self.ring_size > LEAST_RING
            || self.ring_growth > 0
            || self.ring_growth_share > 0.0
            || self.ring_permanent > 0
    }

    /// Resets the compatibility of playouts where it has no effect: it matters only for mates in one and for the depth
    /// of rings.
    fn settle_playouts(&mut self) {
        let is_unlimited =
            self.ring_depth == Self::default().ring_depth && self.ring_depth_share == NO_DEPTH_SHARE;
        let has_depth = playouts::are_special(self) && !self.no_ring_counts() && !is_unlimited;
        if !self.looks_for_mates() && !has_depth {
            self.playout_compat = PlayoutCompat::Off;
        }
        if self.playout_compat == PlayoutCompat::Off {
            self.ring_depth_share = self.ring_depth_share.min(1.0);
        }
    }
}
