//! Results side by side: `GET /api/v1/compare?left=…&right=…`.

use crate::ids::{CellId, ExperimentId};
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};

/// Two experiments, revisions of them, or a case of each, side by side. Rates are from 0 to 1, from the case's point of view.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SideBySide {
    /// The first side.
    pub left: ComparedSide,
    /// The second side.
    pub right: ComparedSide,
    /// Series of both sides that belong together, in the order of the first side's report.
    pub series: Vec<ComparedSeries>,
    /// Series of the first side, and sizes of series, without a counterpart.
    pub only_left: Vec<LoneSeries>,
    /// Series of the second side, and sizes of series, without a counterpart.
    pub only_right: Vec<LoneSeries>,
    /// What keeps results from being compared, such as different opponents, or bends a comparison, in sentences.
    pub notes: Vec<String>,
    /// The confidence of all intervals.
    pub confidence: f64,
    /// The difference beyond which an agreement excludes the true one.
    pub margin: f64,
    /// How differences are judged, in words.
    pub method: String,
}

/// A side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ComparedSide {
    /// The experiment.
    pub experiment: ExperimentId,
    /// The experiment's name.
    pub name: String,
    /// The only case compared; absent for all.
    pub case: Option<String>,
    /// The revision whose cells are compared; absent for the newest.
    pub revision: Option<u64>,
    /// When the next revision began, in milliseconds since 1970: pairs that were completed later do not count. Absent if results go on.
    pub until_ms: Option<i64>,
}

/// A series, or some of its sizes, that the other side does not have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LoneSeries {
    /// Case, baseline and budget in words.
    pub title: String,
    /// Its points, ascending in size.
    pub points: Vec<LonePoint>,
}

/// A cell that the other side does not have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LonePoint {
    /// The board size.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The cell.
    pub cell: CellId,
    /// Its complete pairs.
    pub pairs: u64,
    /// Its rate; absent before the first complete pair.
    pub rate: Option<Gap>,
}

/// Two series that belong together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ComparedSeries {
    /// The case of the first side.
    pub left: String,
    /// The case of the second side.
    pub right: String,
    /// The opponent of both; with its name on the second side if that is another one.
    pub against: String,
    /// The budget of a move; that of the first side and that of the second if they differ.
    pub budget: String,
    /// The sizes of both, ascending.
    pub points: Vec<ComparedPoint>,
    /// The mean difference over sizes, weighted by precision; absent before both sides have results of their own on a size.
    pub mean: Option<Gap>,
    /// The p-value of no difference on any size.
    pub p_value: Option<f64>,
}

/// Two cells on the same board size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ComparedPoint {
    /// The board size.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The first side's cell.
    pub left_cell: CellId,
    /// The second side's cell. The same cell has the same games.
    pub right_cell: CellId,
    /// The first side's rate; absent before the first complete pair.
    pub left: Option<Gap>,
    /// The second side's rate.
    pub right: Option<Gap>,
    /// Complete pairs of the first side.
    pub left_pairs: u64,
    /// Complete pairs of the second side.
    pub right_pairs: u64,
    /// The first rate less the second. If both sides are the same cell at two times, the later one counts with the pairs that the earlier
    /// one does not have.
    pub difference: Option<Gap>,
    /// The verdict.
    pub verdict: ComparedVerdict,
}

/// A rate or a difference with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Gap {
    /// The value.
    pub value: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

/// Whether two rates are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ComparedVerdict {
    /// The interval of the difference contains 0 and is at most twice the margin wide.
    Agrees,
    /// The interval of the difference does not contain 0.
    Differs,
    /// The interval contains 0 and is wider.
    TooFewGames,
    /// A side has no complete pair.
    NotPlayed,
    /// Both sides are the same cell with the same pairs.
    SameCell,
}
