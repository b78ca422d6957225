//! The life of an experiment: what people change in it, what they changed, and what a file would change.

use crate::ids::{CellId, ExperimentId};
use crate::operate::AuditEntry;
use crate::report::{CellChanges, ExperimentSummary};
use serde::{Deserialize, Serialize};

/// `POST /api/v1/experiments/{id or name}/change`: changes an experiment beside its plan. The answer is the summary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ExperimentChange {
    /// Hands out no more games. Games in play still count.
    Pause,
    /// Ends a pause.
    Resume,
    /// Stops the experiment for good: its plan ends with the games in play, which still count. There is no way back.
    Stop,
    /// Hands out no more games, and takes the experiment out of the lists. Games in play still count.
    Archive,
    /// Takes the experiment out of the archive. If it was paused, it still is.
    Unarchive,
    /// Sets the share of the workers, relative to other experiments, from 1e-9 to 1e9.
    Weight(f64),
    /// Sets what cells count beside the others of the experiment: a factor on their weights in the file, from 1e-9 to 1e9.
    /// It holds until a revision changes the cell or the policy. Policies that weigh cases by themselves refuse it.
    CellWeights {
        /// The cells.
        cells: Vec<CellId>,
        /// The factor.
        factor: f64,
    },
    /// Puts a note on the timeline.
    Note(String),
    /// Adds and removes tags.
    Tags {
        /// The tags to add.
        #[serde(default)]
        add: Vec<String>,
        /// The tags to remove.
        #[serde(default)]
        remove: Vec<String>,
    },
}

/// The history of an experiment: `GET /api/v1/experiments/{id or name}/history`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ExperimentHistory {
    /// The experiment now.
    pub summary: ExperimentSummary,
    /// The revisions of its plan, the newest first.
    pub revisions: Vec<Revision>,
    /// What people changed while it ran, the latest change first, at most a thousand: revisions, weights, pauses, exclusions,
    /// notes.
    pub changes: Vec<AuditEntry>,
    /// The games counted so far, over time: by hours, and lately by minutes.
    pub games: Vec<GamesUntil>,
}

/// The games that an experiment had counted at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GamesUntil {
    /// The time, in milliseconds since 1970.
    pub at_ms: i64,
    /// All games counted until then.
    pub games: u64,
}

/// A revision of an experiment's plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Revision {
    /// The number, from 1.
    pub number: u64,
    /// The digest of the content. The first revision's digest is the experiment's id.
    pub content: ExperimentId,
    /// When it was applied, in milliseconds since 1970.
    pub applied_ms: i64,
    /// Who applied it.
    pub who: String,
}

/// What applying an experiment would change: the answer to `POST /api/v1/diff`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlanDifference {
    /// The experiment of this name; absent if the file would be a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub experiment: Option<ExperimentSummary>,
    /// Whether the content is that of the newest revision, so that applying it changes nothing.
    pub is_newest: bool,
    /// What the content is called if it is that of an older revision, which is applied with `supersede` only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub older: Option<String>,
    /// Changes beside the cells, in words: the question, the weight; and what changes of all cells alike, such as their games.
    pub settings: Vec<String>,
    /// The numbers of cells.
    pub cells: CellChanges,
    /// The cells by case and change, in the order of the file; cells that are closed come last.
    pub cases: Vec<CaseDifference>,
}

/// What a revision has otherwise than an earlier one: `GET /api/v1/experiments/{id or name}/revisions/{number}/changes`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RevisionChanges {
    /// The number of the earlier revision; 0 for nothing at all, before the first one.
    pub since: u64,
    /// The number of the revision.
    pub number: u64,
    /// Changes beside the cells, and of all cells alike, in words.
    pub settings: Vec<String>,
    /// The numbers of cells. None is called reopened.
    pub cells: CellChanges,
    /// The cells by case and change, in the order of the file; cells that are closed come last.
    pub cases: Vec<CaseDifference>,
    /// The text of the file that was applied; absent if a program applied the plan, or the file was very long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// The cells of a case that change alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CaseDifference {
    /// The change.
    pub change: CellChange,
    /// The test group.
    pub group: String,
    /// The case.
    pub case: String,
    /// The baseline.
    pub baseline: String,
    /// The number of cells.
    pub cells: u64,
    /// Games that the plan has in these cells afterwards, or had before if they are closed.
    pub games_planned: u64,
    /// Games of them that are played already. They stay stored whatever happens.
    pub games_played: u64,
}

/// How a cell changes with a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CellChange {
    /// The plan did not have it.
    Added,
    /// An earlier revision had closed it.
    Reopened,
    /// It gets other names, another weight or another number of games.
    Changed,
    /// The plan has it no more.
    Closed,
    /// It stays as it is.
    Kept,
}

impl CellChange {
    /// Every change.
    pub const ALL: [Self; 5] = [Self::Added, Self::Reopened, Self::Changed, Self::Closed, Self::Kept];
}

impl std::fmt::Display for CellChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Added => "added",
            Self::Reopened => "reopened",
            Self::Changed => "changed",
            Self::Closed => "closed",
            Self::Kept => "kept",
        })
    }
}
