//! Memory that players need and machines offer.

use crate::experiment::CellSpec;
use crate::lease::{Budget, reference_speed};
use engine::havannah::Params;
use engine::search::tree_mib;
use engine::spelling::excerpt;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use thiserror::Error;

/// Memory in MiB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Mib(pub u32);

impl std::fmt::Display for Mib {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Exact, because the value is compared.
        match self.0 {
            mib if mib > 0 && mib.is_multiple_of(512) => write!(f, "{} GiB", f64::from(mib) / 1024.0),
            mib => write!(f, "{mib} MiB"),
        }
    }
}

/// A text that is not an amount of memory.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no amount of memory from 1MiB on: write it as 512MiB or 2GiB")]
pub struct NoMemory(String);

impl FromStr for Mib {
    type Err = NoMemory;

    fn from_str(text: &str) -> Result<Self, NoMemory> {
        let wrong = || NoMemory(excerpt(text));
        let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?);
        let mib = match unit.to_ascii_lowercase().as_str() {
            "mib" | "m" => 1.0,
            "gib" | "g" => 1024.0,
            "tib" | "t" => 1024.0 * 1024.0,
            _ => return Err(wrong()),
        };
        let amount = number.trim().parse::<f64>().map_err(|_| wrong())? * mib;
        // NaN is outside every range.
        if !(1.0..=f64::from(u32::MAX)).contains(&amount) {
            return Err(wrong());
        }
        Ok(Self(amount as u32))
    }
}

/// With a budget in time a player may make this many times the simulations of the standard player on an empty board,
/// because simulations get shorter as the board fills and part of the tree is kept from move to move. This is an estimate;
/// `memory_mib` is the bound.
const MORE_IN_TIME: f64 = 2.0;

impl CellSpec {
    /// The memory that the trees of both players of a game may need together: at most `memory_mib` of each player, and less
    /// if the budget is too small to fill it.
    #[must_use]
    pub fn memory(&self) -> Mib {
        let own_moves = (self.size.cells() as u64).div_ceil(2);
        let of = |player: &Params| {
            let sims = match self.budget {
                // The tree kept from move to move is smaller than all simulations so far.
                Budget::Sims(sims) if player.search.keep_tree => sims.saturating_mul(own_moves),
                Budget::Sims(sims) => sims,
                // Saturates above the size of any tree.
                Budget::ReferenceSeconds(s) => (s * reference_speed(self.size) * MORE_IN_TIME) as u64,
            };
            tree_mib(&player.search, self.size.cells(), sims)
        };
        // No worker plays an unknown player.
        let players = [&self.case, &self.baseline].map(|player| player.resolve().unwrap_or_default());
        Mib(players.iter().map(of).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lease::ParamSet;
    use engine::havannah::BoardSize;
    use engine::params::ParamValue;

    #[test]
    fn amounts_are_read_as_they_are_written() {
        for (text, mib) in
            [("512MiB", 512), ("2GiB", 2048), ("1.5 GiB", 1536), ("1g", 1024), ("1TiB", 1 << 20)]
        {
            assert_eq!(text.parse(), Ok(Mib(mib)), "{text}");
        }
        for mib in [Mib(1), Mib(2000), Mib(512), Mib(2048), Mib(1 << 20)] {
            assert_eq!(mib.to_string().parse(), Ok(mib), "{mib}");
        }
        for wrong in ["", "2", "GiB", "-1GiB", "0MiB", "NaNGiB", "infGiB", "99999999TiB", "2 GB", "2kib", "ü"]
        {
            assert!(wrong.parse::<Mib>().is_err(), "{wrong}");
        }
    }

    fn spec(size: u8, budget: Budget, set: &[(&str, ParamValue)]) -> CellSpec {
        let set = set.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        CellSpec {
            semantics: engine::SEMANTICS,
            case: ParamSet(set.collect()),
            baseline: ParamSet::default(),
            size: BoardSize::new(size).expect("a size"),
            budget,
            opening_plies: 0,
            book: None,
            seed: 1,
        }
    }

    #[test]
    fn a_cell_needs_the_memory_of_both_players_or_what_its_budget_can_fill() {
        let needs = |size, budget, set: &[_]| spec(size, budget, set).memory().0;
        let (few, many) = (Budget::Sims(100), Budget::Sims(10_000_000));
        assert_eq!(needs(10, many, &[]), 2000);
        assert_eq!(needs(10, many, &[("memory_mib", ParamValue::Number(4096.0))]), 5096);
        assert_eq!(needs(10, Budget::Sims(u64::MAX), &[]), 2000);
        assert_eq!(needs(10, Budget::ReferenceSeconds(1e300), &[]), 2000);
        assert!(needs(4, few, &[]) < 20, "{}", needs(4, few, &[]));
        let (kept, dropped) = (
            needs(8, Budget::Sims(1000), &[]),
            needs(8, Budget::Sims(1000), &[("keep_tree", ParamValue::Flag(false))]),
        );
        assert!(dropped < kept && kept < 2000, "{dropped} {kept}");
        let seconds = [0.1, 1.0, 10.0].map(|s| needs(6, Budget::ReferenceSeconds(s), &[]));
        assert!(seconds.is_sorted_by(|a, b| a < b), "{seconds:?}");
    }
}
