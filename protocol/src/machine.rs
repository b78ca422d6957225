//! One machine for people: `GET /api/v1/workers/{id or name}`.

use crate::browse::PairInPlay;
use crate::ids::CellId;
use crate::lease::Budget;
use crate::report::WorkerReport;
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};

/// Lines of its log that a worker tells at most.
pub const MOST_LINES: usize = 100;

/// Characters of such a line at most.
pub const LONGEST_LINE: usize = 400;

/// All that is known of a machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineReport {
    /// The machine, as in lists.
    pub worker: WorkerReport,
    /// Memory per slot for the trees of a game's two players in MiB; absent for imported machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u32>,
    /// The id of the token that it works with, if it came with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The self-test that its build passed: the digest of games that every build plays alike.
    pub self_test: String,
    /// Why it plays or not, as `gauntlet why` says it.
    pub reasons: Vec<String>,
    /// Its part of the counted games of all machines, from 0 to 1.
    pub share: f64,
    /// The speed of the machines that are present, by size.
    pub fleet: Vec<FleetSpeed>,
    /// Its speeds of the last two weeks, oldest first: one for each size and five minutes in which a speed changed.
    pub history: Vec<PastSpeed>,
    /// Pairs that it plays at the moment.
    pub in_play: Vec<PairInPlay>,
    /// Its results in the cells with most of its games, at most a hundred.
    pub cells: Vec<MachineCell>,
    /// The number of cells that it played.
    pub cells_played: u64,
    /// What it told of itself; absent until its next call after a request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<ToldState>,
    /// The coordinator's time, in milliseconds since 1970.
    pub now_ms: i64,
}

/// The speed of the machines that are present on a size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct FleetSpeed {
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// Machines that measured this size.
    pub machines: u64,
    /// The median of their speeds relative to the reference machine.
    pub relative: f64,
}

/// A speed that a machine reported.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PastSpeed {
    /// The beginning of the five minutes, in milliseconds since 1970.
    pub at_ms: i64,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// Simulations per CPU second of one slot, as calibrated.
    pub sims_per_s: f64,
    /// The speed relative to the reference machine, with the drift.
    pub relative: f64,
    /// The speed of recent moves relative to the first ones after the calibration.
    pub drift: f64,
}

/// The results of a machine in a cell, beside those of other machines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct MachineCell {
    /// The cell.
    pub cell: CellId,
    /// The case.
    pub case: String,
    /// The baseline.
    pub baseline: String,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// Its counted games.
    pub games: u64,
    /// The case's score in its games, from 0 to 1.
    pub rate: f64,
    /// Counted games of other machines.
    pub others_games: u64,
    /// The case's score that follows from the others' games; absent if they have none of the same colours.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others_rate: Option<f64>,
    /// The residual in standard deviations: what exceeds the mean of a random sample; absent if no other machine played, or all games
    /// ended alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviations: Option<f64>,
}

/// What a machine told of itself because a person views it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ToldState {
    /// When it was told, in milliseconds since 1970.
    pub heard_ms: i64,
    /// Finished games on its disk that are not acknowledged yet.
    pub spooled: u64,
    /// Its clock minus that of the coordinator, in milliseconds. The way of the call is part of it.
    pub clock_ms: i64,
    /// The last lines of its log, level info and above, oldest first.
    pub log: Vec<String>,
}
