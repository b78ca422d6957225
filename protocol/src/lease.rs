//! Leases: a pair of games, handed out until a deadline.

use crate::ids::{CellId, GameId, LeaseId};
use crate::words;
use engine::havannah::{BoardSize, Params};
use engine::params::{ParamValue, SetParamError};
use engine::side::Side;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A player's parameters as differences from the engine's defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ParamSet(
    #[cfg_attr(test, schemars(with = "BTreeMap<String, crate::tests::ParamValue>"))]
    pub  BTreeMap<String, ParamValue>,
);

impl From<&Params> for ParamSet {
    fn from(params: &Params) -> Self {
        Self(params.differences().into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }
}

impl ParamSet {
    /// The complete parameters.
    ///
    /// # Errors
    /// When a name or value is unknown to this build's engine.
    pub fn resolve(&self) -> Result<Params, SetParamError> {
        let mut params = Params::default();
        for (name, value) in &self.0 {
            params.set(name, value)?;
        }
        Ok(params)
    }
}

/// The budget of a move, before a worker converts it for its own machine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Budget {
    /// A number of simulations, the same on every machine.
    Sims(u64),
    /// Seconds of the reference machine (see `worker::calibrate`), spent as thread CPU time.
    ReferenceSeconds(f64),
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Budget::Sims(sims) => write!(f, "{sims} sims"),
            Budget::ReferenceSeconds(seconds) => write!(f, "{} s", engine::numbers::shortest(*seconds)),
        }
    }
}

impl Budget {
    /// For people: long numbers in groups of digits.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Budget::Sims(sims) => format!("{} sims", words::count(*sims)),
            Budget::ReferenceSeconds(_) => self.to_string(),
        }
    }

    /// As analyses name it.
    #[must_use]
    pub fn per_move(&self) -> String {
        format!("{} per move", self.words())
    }
}

/// Simulations per CPU second of the reference machine (a Core 2 Duo of 2.4 GHz) in the standard configuration.
///
/// Size 4 is the standard of Ewalds, *Playing and Solving Havannah* (2012): 500 000 simulations in 11 s. Sizes 5
/// and 10 are its table of simulations by game phase; the others are interpolated between these three, and
/// extrapolated to size 3, as powers of the number of cells.
#[must_use]
pub fn reference_speed(size: BoardSize) -> f64 {
    match size.get() {
        3 => 80_500.0,
        4 => 500_000.0 / 11.0,
        5 => 29_614.0,
        6 => 22_264.0,
        7 => 17_553.0,
        8 => 14_318.0,
        9 => 11_978.0,
        _ => 10_219.0,
    }
}

/// Moves of a typical game: means of 24 games of `uct` and of `rave` against themselves, at 3000 simulations per move.
/// On large boards games of unequal players are up to three times shorter.
#[must_use]
pub fn typical_plies(size: BoardSize) -> u32 {
    match size.get() {
        3 => 11,
        4 => 17,
        5 => 26,
        6 => 35,
        7 => 46,
        8 => 58,
        9 => 62,
        _ => 79,
    }
}

/// The plausible range of a machine's speed relative to [`reference_speed`].
pub const BELIEVED_SPEED: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// The plausible range of drift. Beyond it a machine should be calibrated again, not corrected.
pub const BELIEVED_DRIFT: std::ops::RangeInclusive<f64> = 0.25..=4.0;

/// One game of a leased pair.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LeasedGame {
    /// The game's id, the same for all plays of the game.
    pub id: GameId,
    /// The side the case plays; the baseline plays the other.
    #[cfg_attr(test, schemars(with = "crate::tests::Colour"))]
    pub case_side: Side,
}

/// A pair of games (same opening and seed, colours swapped) leased to one worker.
#[must_use = "a lease not played must be returned"]
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Lease {
    /// The id of the lease.
    pub id: LeaseId,
    /// The cell of the games.
    pub cell: CellId,
    /// The number of the pair within its cell, from 0.
    pub pair: u32,
    /// The missing games: both, or the one that was not finished before.
    pub games: Vec<LeasedGame>,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The opening: moves made before the players take over, in GUI notation, separated by spaces.
    pub opening: String,
    /// The seed of both games.
    pub seed: u64,
    /// The budget of a move.
    pub budget: Budget,
    /// The simulations of each move, in place of the budget, when a game with a budget in time is replayed. Only with a
    /// single game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sims: Option<Vec<u64>>,
    /// Label of the case, for people.
    pub case_label: String,
    /// The case's parameters.
    pub case: ParamSet,
    /// Label of the baseline, for people.
    pub baseline_label: String,
    /// The baseline's parameters.
    pub baseline: ParamSet,
    /// Milliseconds until the lease lapses. Every sync that lists the lease as held extends it.
    pub expires_in_ms: u64,
    /// How long the games are expected to take, in core microseconds: as long as the counted games of the cell, on the machines that
    /// played them.
    pub expected_us: u64,
}
