//! What experiments have to tell on the first page: who leads, what is decided, and how fast they go.

use crate::ids::{CellId, ExperimentId};
use crate::lease::Budget;
use crate::report::Verdict;
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};

/// The news of all experiments that are not archived: `GET /api/v1/news`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct News {
    /// The news by experiment, newest experiment first. What takes long to compute may be missing at first and some seconds old later.
    pub experiments: Vec<ExperimentNews>,
}

/// The news of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExperimentNews {
    /// The experiment.
    pub id: ExperimentId,
    /// Games counted in the last hour, in thirty slices of two minutes, the oldest first. The last slice has just begun.
    pub games: Vec<u64>,
    /// The best case; absent before the first complete pair, and where no case differs from its baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub leader: Option<Leader>,
    /// The cases with a decision, in the order of the file, at most a hundred.
    pub decided: Vec<Decided>,
    /// The number of cases with a decision.
    pub cases_decided: u64,
    /// The number of cells with a decision.
    pub cells_decided: u64,
}

/// The best case of an experiment: the first of the ranking of the field with most pairs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Leader {
    /// The case.
    pub case: String,
    /// The baseline.
    pub against: String,
    /// The budget of a move.
    pub budget: String,
    /// Win rate, averaged over the sizes.
    pub rate: f64,
    /// Lower end of its interval: the one that holds at any look, until the planned games are complete and no rule looked at them.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
    /// Whether every other case with games is shown to be worse, with a confidence of 95 %. The only case that is planned leads always.
    pub leads: bool,
}

/// The cells of a case that have the same decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Decided {
    /// The case.
    pub case: String,
    /// The baseline.
    pub against: String,
    /// The budget of a move.
    pub budget: Budget,
    /// The decision. `open` means that a stopping rule has ended and 50 % is not excluded.
    pub verdict: Verdict,
    /// The cells.
    pub cells: Vec<DecidedCell>,
}

/// A cell with a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DecidedCell {
    /// The cell.
    pub cell: CellId,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
}
