//! One cell for people who look at it: its result, how the result came about, and who played its games.

use crate::browse::{DifferingParameter, PlannedBy};
use crate::ids::{CellId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::operate::AuditEntry;
use crate::report::{Point, StopOutcome};
use engine::havannah::{BoardSize, WinKind};
use engine::side::Side;
use serde::{Deserialize, Serialize};

/// A cell in full: `GET /api/v1/cells/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellReport {
    /// The cell.
    pub id: CellId,
    /// The case's group and label, as the first of the plans names them.
    pub case: String,
    /// The baseline's label.
    pub baseline: String,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// How the games begin, in words.
    pub opening: String,
    /// `engine::SEMANTICS` of its games.
    pub semantics: u32,
    /// Whether this build plays its games bit for bit alike.
    pub is_repeatable: bool,
    /// What the games show, in words.
    pub finding: String,
    /// Everything that was counted. Numbers of planned games and the verdict are those of the first plan.
    pub point: Point,
    /// The confidence level of the intervals, such as 0.95.
    pub confidence: f64,
    /// The method of the intervals.
    pub interval_method: String,
    /// The method of the confidence sequences.
    pub sequence_method: String,
    /// The experiments that have the cell, the active ones first.
    pub plans: Vec<CellPlan>,
    /// Why the cell is in its present state, in words, as `gauntlet why` tells.
    pub reasons: Vec<String>,
    /// The parameters in which the players differ.
    pub parameters: Vec<DifferingParameter>,
    /// The case's differences from the engine's defaults.
    pub case_params: ParamSet,
    /// The baseline's differences from the engine's defaults.
    pub baseline_params: ParamSet,
    /// The case's results as White, who moves first, and as Black.
    pub colours: Vec<ColourResults>,
    /// The wins of both players by the winning shape: fork, bridge, ring.
    pub shapes: Vec<ShapeResults>,
    /// The counted games by their number of moves, the shortest first.
    pub lengths: Vec<LengthResults>,
    /// The machines that played counted games, those with most games first.
    pub machines: Vec<CellMachine>,
    /// Why games ended without a result that counts, the most frequent reason first.
    pub voids: Vec<VoidReason>,
}

/// A reason why games ended without a result that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VoidReason {
    /// The reason in words.
    pub words: String,
    /// The number of games.
    pub games: u64,
}

/// What an experiment plans for a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellPlan {
    /// The experiment.
    pub experiment: PlannedBy,
    /// The case's group and label in that experiment.
    pub case: String,
    /// The baseline's label in that experiment.
    pub baseline: String,
    /// The pairs that it plans.
    pub pairs: u64,
    /// Whether it has the cell played.
    pub state: CellState,
}

/// Whether an experiment has a cell played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CellState {
    /// Pairs are missing and are given out.
    Open,
    /// All planned pairs are complete.
    Complete,
    /// The stopping rule decided before all planned pairs were played.
    Stopped,
    /// A person stopped the experiment for good.
    Ended,
    /// The missing pairs are in play.
    InPlay,
    /// The missing pairs were set aside because they failed again and again.
    SetAside,
    /// A revision took the cell out of the plan.
    Closed,
    /// The experiment is paused.
    Paused,
    /// The experiment is archived.
    Archived,
}

/// The case's results with one colour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ColourResults {
    /// The side that the case played.
    #[cfg_attr(test, schemars(with = "crate::tests::Colour"))]
    pub side: Side,
    /// Games won by the case.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the case.
    pub losses: u64,
    /// The case's score; absent without games.
    pub rate: Option<f64>,
    /// Lower end of the interval of the score.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
}

/// The games that a shape won.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ShapeResults {
    /// The shape.
    #[cfg_attr(test, schemars(with = "crate::tests::Shape"))]
    pub kind: WinKind,
    /// Games won by the case.
    pub wins: u64,
    /// Games won by the baseline.
    pub losses: u64,
}

/// The games with a number of moves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LengthResults {
    /// The number of moves, with those of the opening.
    pub plies: u32,
    /// Games won by the case.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the case.
    pub losses: u64,
}

/// The counted games of a machine in a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellMachine {
    /// The machine.
    pub worker: WorkerId,
    /// Its name.
    pub name: String,
    /// Counted games.
    pub games: u64,
    /// Games won by the case.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the case.
    pub losses: u64,
    /// The case's score.
    pub rate: f64,
    /// The comparison with the other machines; absent if no other machine has games of the same colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<BesideOthers>,
}

/// A machine's games beside those of other machines in the same cell, colour by colour.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BesideOthers {
    /// The case's score in the others' games, weighted like the machine's own games.
    pub rate: f64,
    /// The residual: the machine's score minus that of the others.
    pub difference: f64,
    /// The chance that honest machines differ as much, for one look at one machine; absent where all results are equal.
    pub p_value: Option<f64>,
}

/// How the result of a cell came about: `GET /api/v1/cells/{id}/running`. Pairs are taken in the order of their numbers, in
/// which stopping rules read them, and not in the order of arrival.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunningCell {
    /// The cell.
    pub id: CellId,
    /// Complete pairs.
    pub pairs: u64,
    /// Complete pairs before the first pair that is not complete. Stopping rules read these.
    pub in_order: u64,
    /// There is a point for the first pair, for each so many further pairs, and for the last pair.
    pub every: u64,
    /// The confidence level of the intervals.
    pub confidence: f64,
    /// The estimate after so many pairs.
    pub points: Vec<RunningPoint>,
    /// The stopping rules of the experiments that have the cell.
    pub rules: Vec<RunningRule>,
    /// What people changed while the cell was played, in the order of time: the latest changes, at most twelve.
    pub changes: Vec<RunningChange>,
}

/// A change of an experiment that has the cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunningChange {
    /// About so many pairs were complete: half of the games that had arrived.
    pub pairs: u64,
    /// The experiment.
    pub experiment: PlannedBy,
    /// The change.
    pub entry: AuditEntry,
}

/// The estimate of a cell after some of its pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunningPoint {
    /// Complete pairs so far.
    pub pairs: u64,
    /// Win rate over these pairs.
    pub rate: f64,
    /// Lower end of the interval for a number of games that was fixed beforehand.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
    /// Lower end of the confidence sequence, which holds at every look.
    pub cs_low: f64,
    /// Upper end of the confidence sequence.
    pub cs_high: f64,
}

/// What a stopping rule watches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RuleMeasure {
    /// The log-likelihood ratio of a sequential test.
    Llr,
    /// The natural logarithm of the e-value against 50 %.
    LogEValue,
    /// Half of the width of the interval of the win rate.
    HalfWidth,
}

/// A stopping rule as it reads a cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunningRule {
    /// The experiments that have the rule.
    pub experiments: Vec<PlannedBy>,
    /// What the rule watches.
    pub measure: RuleMeasure,
    /// The rule decides at this value or below.
    pub lower: Option<f64>,
    /// The rule decides at this value or above.
    pub upper: Option<f64>,
    /// The measure after so many pairs, up to the decision.
    pub values: Vec<RunningValue>,
    /// The outcome so far, for the first of the experiments.
    pub outcome: StopOutcome,
    /// The pairs at the decision, if there is one.
    pub decided: Option<u64>,
    /// All of this in words.
    pub words: String,
}

/// The measure of a stopping rule after some pairs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunningValue {
    /// Pairs read.
    pub pairs: u64,
    /// The measure.
    pub value: f64,
}
