//! What the dashboard and the exports show. Rates are fractions from 0 to 1, always from the case's point of view.

use crate::ids::{CellId, ExperimentId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::result::Speed;
use crate::sync::Directive;
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};

/// The first screen: `GET /api/v1/overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overview {
    /// Experiments, the newest first.
    pub experiments: Vec<ExperimentSummary>,
    /// The first workers, as [`WorkersPage`] orders them.
    pub workers: Vec<WorkerReport>,
    /// All workers in numbers.
    pub fleet: Fleet,
    /// Why results cannot be stored, if they cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Version of the coordinator's binary.
    pub version: String,
}

/// All workers in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Fleet {
    /// Those that were ever heard of.
    pub workers: u64,
    /// Those that count as present.
    pub alive: u64,
    /// Games that those play at once.
    pub slots: u64,
    /// Those in quarantine, present or not.
    pub quarantined: u64,
    /// What they are called by, besides their names.
    pub labels: Vec<String>,
}

/// Some of the workers: `GET /api/v1/workers?offset=…&limit=…`. Those in quarantine come first, then those that are
/// present, then the others, each by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkersPage {
    /// The workers.
    pub workers: Vec<WorkerReport>,
    /// How many there are before them.
    pub offset: u64,
}

/// An experiment's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExperimentState {
    /// Its cells are handed out until every planned game is finished.
    Active,
    /// Every planned game is finished.
    Finished,
    /// Every game still missing belongs to a pair that was set aside: it waits for somebody to look.
    Stuck,
    /// A later revision of the file with the same name took its place; its results stay.
    Superseded,
}

/// An experiment in a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentSummary {
    /// Its id.
    pub id: ExperimentId,
    /// Its name: a label.
    pub name: String,
    /// The question it answers.
    pub question: String,
    /// Its state.
    pub state: ExperimentState,
    /// Cells: case × baseline × size × budget.
    pub cells: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Games counted, at most those planned.
    pub games_done: u64,
    /// Pairs leased now.
    pub pairs_in_flight: u64,
    /// Pairs that failed again and again and are not handed out any more.
    pub pairs_aside: u64,
    /// Games counted a minute, over the last few minutes.
    pub games_per_minute: f64,
    /// Seconds to the end at that rate; none while it is stalled.
    pub seconds_left: Option<f64>,
    /// Why nothing of it is played though games are missing, in words, if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled: Option<String>,
    /// Milliseconds since 1970 when it was first applied.
    pub created_ms: i64,
}

/// What applying an experiment came to: the answer of `POST /api/v1/experiments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Applied {
    /// Its id.
    pub id: ExperimentId,
    /// Whether it was unknown before.
    pub created: bool,
    /// Experiments of the same name whose place it took.
    pub superseded: Vec<ExperimentId>,
    /// Its cells.
    pub cells: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Games its cells had already: of an earlier run, or of another experiment with the same cells.
    pub games_done: u64,
}

/// A worker in a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkerReport {
    /// The machine.
    pub id: WorkerId,
    /// Its name.
    pub name: String,
    /// Version of its binary.
    pub version: String,
    /// Games it plays at once.
    pub slots: u32,
    /// Seconds since its last sync.
    pub seconds_since_seen: f64,
    /// Whether it counts as present.
    pub alive: bool,
    /// Pairs it holds.
    pub pairs_held: u64,
    /// Games counted from it, ever.
    pub games: u64,
    /// Its speed per board size.
    pub speeds: Vec<Speed>,
    /// Why it has no work, in words, if it has none.
    pub no_work: Option<String>,
    /// Why it wants none, in its own words, if it wants none.
    pub resting: Option<String>,
    /// What it was told to do.
    pub directive: Directive,
    /// What it is called by, besides its name.
    pub labels: Vec<String>,
    /// Why it gets no work and its games do not count until somebody releases it, if it is in quarantine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<String>,
    /// Why it seems to choose which games it delivers, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<String>,
    /// How its games differ from those of other machines in favour of one side, if they do by too much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biased: Option<String>,
}

/// One experiment in full: `GET /api/v1/experiments/{id}`, and the JSON export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExperimentReport {
    /// The line.
    pub summary: ExperimentSummary,
    /// Board sizes, ascending.
    #[cfg_attr(test, ts(type = "number[]"))]
    pub sizes: Vec<BoardSize>,
    /// One line of the graph for each case, baseline and budget, in the order of the file.
    pub series: Vec<Series>,
    /// The confidence of the intervals, such as 0.95.
    pub confidence: f64,
    /// How the intervals are made, for the legend.
    pub interval_method: String,
    /// The pairs set aside, a hundred at most.
    pub aside: Vec<AsidePair>,
}

/// A pair that failed so often that it is not handed out any more, until somebody puts it back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AsidePair {
    /// Its cell.
    pub cell: CellId,
    /// What is played: case, baseline and size.
    pub what: String,
    /// Its number within the cell.
    pub pair: u32,
    /// How often it was lent and did not come back whole.
    pub failures: u64,
    /// What happened the last time.
    pub why: String,
    /// Milliseconds since 1970 when it was set aside.
    pub since_ms: i64,
}

/// How many pairs were put back: the answer to `POST /api/v1/experiments/{id}/retry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Retried {
    /// Pairs that are handed out again.
    pub pairs: u64,
}

/// One line of the graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Series {
    /// What distinguishes it within the experiment, such as `rave_k=500`.
    pub label: String,
    /// The test group it belongs to.
    pub group: String,
    /// The case's parameters.
    pub case: ParamSet,
    /// The baseline's name.
    pub baseline_label: String,
    /// The baseline's parameters.
    pub baseline: ParamSet,
    /// What each move may cost.
    pub budget: Budget,
    /// One point a board size, ascending.
    pub points: Vec<Point>,
}

/// One cell of the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Point {
    /// The cell.
    pub cell: CellId,
    /// The board.
    #[cfg_attr(test, ts(type = "number"))]
    pub size: BoardSize,
    /// Games counted.
    pub games: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Pairs leased now.
    pub pairs_in_flight: u64,
    /// Pairs set aside.
    pub pairs_aside: u64,
    /// Games won by the case.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by the case.
    pub losses: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Complete pairs by the case's results in them: LL, LD, WL, DD, WD, WW.
    pub pair_counts: [u64; 6],
    /// Win rate over complete pairs, draws as half; none before the first complete pair.
    pub rate: Option<f64>,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end of its interval.
    pub high: Option<f64>,
    /// Elo difference of the rate and of the interval's ends; none where infinite.
    pub elo: Option<f64>,
    /// Design effect: variance of pairs relative to independent games.
    pub design_effect: Option<f64>,
    /// Games won by whoever moved first, as a fraction of decided games.
    pub first_move_rate: Option<f64>,
    /// Wins of either side by fork, bridge and ring.
    pub win_kinds: [u64; 3],
    /// Mean plies of a game, its opening included.
    pub mean_plies: Option<f64>,
    /// What the pairs could hide that were started and are missing, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingPairs>,
}

/// Pairs that were started, are in nobody's hands and not complete: let go, failed, excluded, or set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MissingPairs {
    /// How many.
    pub pairs: u64,
    /// The win rate if all of them had been lost.
    pub low: f64,
    /// The win rate if all of them had been won.
    pub high: f64,
    /// That in words.
    pub words: String,
}
