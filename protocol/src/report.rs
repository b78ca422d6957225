//! The data of the dashboard and the exports. Rates are fractions from 0 to 1 from the case's point of view.

mod missing;

pub use missing::MissingPairs;

use crate::alarm::Alarm;
use crate::browse::PlannedBy;
use crate::confirm::{Confirmation, Confirms};
use crate::ids::{CellId, ExperimentId, WorkerId};
use crate::lease::{Budget, ParamSet};
use crate::operate::AuditEntry;
use crate::result::Speed;
use crate::sync::Directive;
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};

pub use crate::state::{ExperimentState, StopOutcome};

/// The data of the first page: `GET /api/v1/overview`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Overview {
    /// Experiments, newest first.
    pub experiments: Vec<ExperimentSummary>,
    /// The first workers, in the order of [`WorkersPage`].
    pub workers: Vec<WorkerReport>,
    /// Numbers of workers.
    pub fleet: Fleet,
    /// Games counted a minute, lately. A game of a cell that experiments share is one game, while the rate of each of them has it.
    pub games_per_minute: f64,
    /// Seconds until all active experiments are complete, if games go on as in the last few minutes; absent while nothing is counted.
    pub seconds_left: Option<f64>,
    /// Whether players score 50 % against themselves; absent without pairs of such games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlReport>,
    /// What people should look at, as in [`Alarms`](crate::alarm::Alarms).
    pub alarms: Vec<Alarm>,
    /// Why results cannot be stored, if they cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Version of the coordinator's binary.
    pub version: String,
}

/// The state of the control: all cells whose case is their baseline, in experiments that are not archived.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ControlReport {
    /// The light.
    pub light: Light,
    /// The state in words.
    pub words: String,
    /// Control cells with complete pairs.
    pub cells: u64,
    /// Their complete pairs.
    pub pairs: u64,
    /// The score over all of them.
    pub rate: f64,
    /// The natural logarithm of the e-value against 50 %, which holds however often it is looked at.
    pub log_e_value: f64,
}

/// Every control cell: `GET /api/v1/control`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ControlPage {
    /// All cells judged together; absent without pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlReport>,
    /// The cells, in the order of their ids.
    pub cells: Vec<ControlCell>,
}

/// A control cell with its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ControlCell {
    /// The name of the player that meets itself.
    pub label: String,
    /// The budget of a move.
    pub budget: Budget,
    /// The experiments that plan the cell.
    pub experiments: Vec<PlannedBy>,
    /// Everything that was counted. Its planned games are those that began.
    pub point: Point,
}

/// A traffic light.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// There are too few games to speak for or against a score of 50 %.
    Grey,
    /// Nothing speaks against a score of 50 %.
    Green,
    /// Something does. By chance this ever happens with a probability of at most 5 %.
    Amber,
    /// The score is not 50 %. By chance this ever happens with a probability of at most 0.1 %.
    Red,
}

/// Numbers of workers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Fleet {
    /// All workers that ever called.
    pub workers: u64,
    /// Machines that never called: their games were imported, or a person settled disputes by hand.
    pub others: u64,
    /// Workers that are present.
    pub alive: u64,
    /// Slots of present workers.
    pub slots: u64,
    /// The speed of present workers together: so many cores of the reference machine.
    pub reference_cores: f64,
    /// Workers in quarantine, present or not.
    pub quarantined: u64,
    /// Present workers whose program has another version than the coordinator's.
    pub outdated: u64,
    /// All group labels.
    pub labels: Vec<String>,
}

/// A page of workers: `GET /api/v1/workers?offset=…&limit=…`. Workers in quarantine come first, then workers that are
/// present, then the others, each group by name.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkersPage {
    /// The workers.
    pub workers: Vec<WorkerReport>,
    /// The number of workers before them.
    pub offset: u64,
}

/// A summary of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExperimentSummary {
    /// The experiment's id.
    pub id: ExperimentId,
    /// The experiment's name, a label.
    pub name: String,
    /// The question that the experiment answers.
    pub question: String,
    /// The experiment's state.
    pub state: ExperimentState,
    /// The share of the workers, relative to other experiments.
    pub weight: f64,
    /// The number of the newest revision of the plan, from 1.
    pub revision: u64,
    /// Labels that people gave it, in alphabetical order.
    pub tags: Vec<String>,
    /// Whether it is the control that the coordinator keeps by itself, which has no end: the numbers of planned games mean nothing.
    pub is_control: bool,
    /// Whether it looks for the best setting of some parameters.
    pub is_tune: bool,
    /// The number of cells in the plan: case × baseline × size × budget.
    pub cells: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Planned games that are counted.
    pub games_done: u64,
    /// Planned games that will not be played, because a stopping rule ended their cells before.
    pub games_not_needed: u64,
    /// Pairs leased now.
    pub pairs_in_flight: u64,
    /// Pairs set aside after repeated failures.
    pub pairs_aside: u64,
    /// The part of the workers' core time that the experiment gets now, from 0 to 1; absent while it has no pair to be leased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Core seconds that the experiment was charged for its leases, with estimates for those in play.
    pub core_seconds: f64,
    /// Games counted per minute, over the last few minutes.
    pub games_per_minute: f64,
    /// Seconds to the end at that rate; absent while nothing is counted.
    pub seconds_left: Option<f64>,
    /// The case that the experiment confirms, if it plays a confirmation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirms: Option<Confirms>,
    /// Why none of the missing games is being played, if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled: Option<String>,
    /// When the experiment was first applied, in milliseconds since 1970.
    pub created_ms: i64,
}

impl ExperimentSummary {
    /// Planned games that are not played yet, and that no rule made unnecessary.
    #[must_use]
    pub fn games_missing(&self) -> u64 {
        self.games_planned.saturating_sub(self.games_done + self.games_not_needed)
    }
}

/// The result of applying an experiment: the answer to `POST /api/v1/experiments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Applied {
    /// The experiment's id, which all revisions share.
    pub id: ExperimentId,
    /// Whether the experiment is new.
    pub created: bool,
    /// The number of the revision, from 1.
    pub revision: u64,
    /// Whether this made a revision; false if the content was that of the newest one.
    pub revised: bool,
    /// What the revision changed in the cells.
    pub changes: CellChanges,
    /// The number of cells.
    pub cells: u64,
    /// Games planned.
    pub games_planned: u64,
    /// Games that its cells already had, from an earlier run or from another experiment with the same cells.
    pub games_done: u64,
}

/// What a revision changes in the cells of a plan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CellChanges {
    /// Cells that the plan did not have.
    pub added: u64,
    /// Cells that an earlier revision had closed. Their games count again.
    pub reopened: u64,
    /// Cells with other names, weights or numbers of games.
    pub changed: u64,
    /// Cells that are closed: not played any more, and not shown. Their games stay stored.
    pub closed: u64,
    /// Cells that stay as they are.
    pub kept: u64,
}

impl std::fmt::Display for CellChanges {
    /// The changes in words, such as `7 cells added, 1 cell closed`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let changes = [
            (self.added, "added"),
            (self.reopened, "reopened"),
            (self.changed, "changed"),
            (self.closed, "closed"),
        ];
        let words = changes.into_iter().filter(|(cells, _)| *cells > 0);
        let words: Vec<String> =
            words.map(|(cells, what)| format!("{} {what}", crate::words::counted(cells, "cell"))).collect();
        f.write_str(&if words.is_empty() { "no cell changed".to_owned() } else { words.join(", ") })
    }
}

/// A summary of a worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WorkerReport {
    /// The machine.
    pub id: WorkerId,
    /// The machine's name.
    pub name: String,
    /// The version of the worker's binary.
    pub version: String,
    /// Games that the worker plays at once. 0: it never called, and [`resting`](Self::resting) says what is known of it.
    pub slots: u32,
    /// Seconds since the last sync.
    pub seconds_since_seen: f64,
    /// Whether the worker is present.
    pub alive: bool,
    /// Pairs that the worker holds.
    pub pairs_held: u64,
    /// All counted games of the worker.
    pub games: u64,
    /// The speed by board size.
    pub speeds: Vec<Speed>,
    /// Why the worker has no work, if it is present, wants work and has none.
    pub no_work: Option<String>,
    /// Why the worker wants no work, according to itself, if it wants none.
    pub resting: Option<String>,
    /// The worker's directive.
    pub directive: Directive,
    /// Group labels.
    pub labels: Vec<String>,
    /// The reason for the quarantine, if the worker is in quarantine: it gets no work, and its games do not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarantine: Option<String>,
    /// Why the worker seems to deliver games selectively, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspicion: Option<String>,
    /// How the worker's games favour one side compared with other machines, if the difference is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biased: Option<String>,
}

/// One experiment in full: `GET /api/v1/experiments/{id}`, and the JSON export.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExperimentReport {
    /// The summary.
    pub summary: ExperimentSummary,
    /// Board sizes, ascending.
    #[cfg_attr(test, schemars(with = "Vec<u8>"))]
    pub sizes: Vec<BoardSize>,
    /// One series per case, baseline and budget, in the order of the file.
    pub series: Vec<Series>,
    /// The same cases as earlier versions of the engine played them, in cells that a revision closed.
    pub earlier: Vec<Series>,
    /// The confidence level of the intervals, such as 0.95.
    pub confidence: f64,
    /// The method of the intervals, for the legend.
    pub interval_method: String,
    /// The method of the confidence sequences, for the legend.
    pub sequence_method: String,
    /// What a confidence sequence guarantees, in words.
    pub guarantee: String,
    /// The pairs set aside, at most a hundred.
    pub aside: Vec<AsidePair>,
    /// What a reader must know, in words: games that count though their machine is in quarantine or though machines disagree on
    /// them, and cases that are the same player as their baseline or as another case.
    pub warnings: Vec<String>,
    /// The latest changes that people made while it ran, the last one first, at most twenty.
    pub timeline: Vec<AuditEntry>,
    /// Names this state of the points: an answer to `?since=EDITION` has only those points that have changed. Only callers that ask
    /// with `since` get one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edition: Option<String>,
    /// The edition to which `series` has the changes. Without one, `series` is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A pair that was set aside after repeated failures. It is not handed out until a person asks for a retry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AsidePair {
    /// The cell.
    pub cell: CellId,
    /// Case, baseline and size.
    pub what: String,
    /// The number of the pair within the cell.
    pub pair: u32,
    /// How often the pair was leased and not completed.
    pub failures: u64,
    /// The last failure.
    pub why: String,
    /// When the pair was set aside, in milliseconds since 1970.
    pub since_ms: i64,
}

/// The result of a retry: the answer to `POST /api/v1/experiments/{id}/retry`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Retried {
    /// The number of pairs that are handed out again.
    pub pairs: u64,
}

/// A series of the chart: one line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Series {
    /// The label within the experiment, such as `rave_k=500`.
    pub label: String,
    /// The label, with the group or what else differs where labels repeat: no other series against the same baseline with the same
    /// budget has this name.
    pub name: String,
    /// The test group.
    pub group: String,
    /// The case's parameters.
    pub case: ParamSet,
    /// The parameters in which the cases of the group differ, with the values of this case.
    pub swept: ParamSet,
    /// Those of these parameters whose values grow by equal factors rather than by equal steps: they stand on logarithmic axes.
    pub logarithmic: Vec<String>,
    /// The baseline's name.
    pub baseline_label: String,
    /// The baseline's parameters.
    pub baseline: ParamSet,
    /// The budget of a move.
    pub budget: Budget,
    /// `engine::SEMANTICS` of its games.
    pub semantics: u32,
    /// The last confirmation of the case against this baseline, if a person began one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// The name of the named baseline that the case is, if it was promoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promoted: Option<String>,
    /// One point per board size, in ascending order.
    pub points: Vec<Point>,
}

impl Series {
    /// The name for people: the label where no other is given.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.label } else { &self.name }
    }
}

/// A point of a series: one cell of the experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Point {
    /// The cell.
    pub cell: CellId,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// Games counted.
    pub games: u64,
    /// Games planned.
    pub games_planned: u64,
    /// The weight of the cell in averages over sizes; absent where one cell is shown, which several experiments may share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
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
    /// Games that ended without a result that counts, and are no losses: attempts that failed, and plays that were excluded.
    pub void_games: u64,
    /// Complete pairs.
    pub pairs: u64,
    /// Complete pairs by the case's two results: LL, LD, WL, DD, WD, WW.
    pub pair_counts: [u64; 6],
    /// The estimated strength of the case; its numbers are absent before the first complete pair.
    #[serde(flatten)]
    pub estimate: Option<stats::Summary>,
    /// Whether the case differs from its baseline.
    pub verdict: Verdict,
    /// The confidence sequence in words, with its guarantee.
    pub words: Option<String>,
    /// Games won by the first player, as a fraction of decided games.
    pub first_move_rate: Option<f64>,
    /// Wins of both sides by fork, bridge and ring.
    pub win_kinds: [u64; 3],
    /// Mean number of plies of a game, including the opening.
    pub mean_plies: Option<f64>,
    /// The stopping rule of the cell in this experiment, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopping: Option<Stopping>,
    /// The effect that pairs which were begun and are not complete could have, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingPairs>,
}

/// Whether a case differs from its baseline. A case of exactly 50 % is ever called better or worse with a chance of at most
/// 1 − confidence, however often a person looks. The verdict is that of the confidence sequence. In a cell with a sequential test
/// that excludes 50 % with an error rate of at most 1 − confidence, it is that of the test alone; the error rate of a test is
/// Wald's approximation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The true rate is above 50 %.
    Better,
    /// The true rate is below 50 %.
    Worse,
    /// The sequential test of the cell rejected that the case is better by what it asks for, and the confidence sequence does not
    /// say that the case is better. Where the case is as good as the upper hypothesis, the chance of this is the error rate β of
    /// the test.
    NotBetter,
    /// As `NotBetter`, of a test whose upper hypothesis is at most 50 %.
    NotWorse,
    /// Nothing is shown.
    #[default]
    Open,
}

/// A stopping rule, how far it has read, and what it decided. A rule reads the pairs in the order of their numbers, up to the
/// first one that is not complete or to its decision. Pairs that come later count for the cell, and not for the decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Stopping {
    /// The rule in words.
    pub rule: String,
    /// The outcome so far.
    pub outcome: StopOutcome,
    /// The outcome in a few words, such as `H1 (20 Elo) accepted`.
    pub found: String,
    /// Pairs read.
    pub pairs: u64,
    /// Pairs read by the case's two results: LL, LD, WL, DD, WD, WW.
    pub pair_counts: [u64; 6],
    /// Log-likelihood ratio of a sequential test at these pairs.
    pub llr: Option<f64>,
    /// The ratio at which H0, the lower hypothesis, is accepted.
    pub lower: Option<f64>,
    /// The ratio at which H1, the upper hypothesis, is accepted.
    pub upper: Option<f64>,
    /// Win rate at the stop. Absent before it, and after a stop by a person: no single rate is right for every reason to stop.
    pub rate: Option<f64>,
    /// Whether that rate is corrected for the stop, and so too high as often as too low: after a test or an e-value. After a rule
    /// of a half-width, which looks at the spread alone, it is the plain mean, which needs no correction.
    pub is_corrected: bool,
    /// Lower end of the interval of the true rate: that of the rate, or after a stop by a person that of the confidence sequence,
    /// which holds at every stop.
    pub low: Option<f64>,
    /// Upper end of that interval.
    pub high: Option<f64>,
    /// All of this in words.
    pub words: String,
}

impl Verdict {
    /// The name in tables: `better`, `worse`, `not_better`, `not_worse` or `open`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Better => "better",
            Verdict::Worse => "worse",
            Verdict::NotBetter => "not_better",
            Verdict::NotWorse => "not_worse",
            Verdict::Open => "open",
        }
    }
}
