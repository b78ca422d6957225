//! What people ask of a running coordinator, besides looking.

use crate::ids::LeaseId;
use crate::sync::Directive;
use serde::{Deserialize, Serialize};

/// `POST /api/v1/games/{id}/exclude`: takes a play out of the results. It is kept, and its game is played again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcludeRequest {
    /// Which play; the counted one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<LeaseId>,
    /// Why, for everybody who looks at the results later.
    pub why: String,
}

/// `POST /api/v1/games/{id}/restore`: puts an excluded play back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreRequest {
    /// Which play; the only excluded one if none is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<LeaseId>,
}

/// What became of a play that was put back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restored {
    /// Counted, or superseded by another play of the same game.
    pub status: crate::games::GameStatus,
}

/// Which machines are meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Machines {
    /// All there are.
    All,
    /// Those with this label.
    Label(String),
    /// That of this id, or those of this name.
    Named(String),
    /// Those that work with the token of this id.
    Token(String),
}

impl std::fmt::Display for Machines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Machines::All => f.write_str("all machines"),
            Machines::Label(label) => write!(f, "machines with the label {label}"),
            Machines::Named(name) => write!(f, "machine {name}"),
            Machines::Token(id) => write!(f, "machines with the token {id}"),
        }
    }
}

/// `POST /api/v1/workers/directive`: tells machines what to do from their next call on. To pause holds until it is
/// taken back; to drain holds for the process that runs now, and one that is started later works again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DirectiveRequest {
    /// Which.
    pub machines: Machines,
    /// What they are to do.
    pub directive: Directive,
}

/// `POST /api/v1/workers/quarantine`: puts machines in quarantine, or releases them. One in quarantine gets no work,
/// and what it sends is kept and counts only once it is released.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuarantineRequest {
    /// Which.
    pub machines: Machines,
    /// Why they cannot be trusted; none to release them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// `POST /api/v1/workers/exclude`: takes all counted games of machines out of the results, in one change that
/// `POST /api/v1/workers/restore` undoes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExcludeGamesRequest {
    /// Whose.
    pub machines: Machines,
    /// Only those that came since then, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// Why, for everybody who looks at the results later.
    pub why: String,
}

/// `POST /api/v1/workers/restore`: puts back all games of machines that were taken out together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RestoreGamesRequest {
    /// Whose.
    pub machines: Machines,
}

/// What became of the games of machines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesChanged {
    /// Games taken out, or put back.
    pub games: u64,
    /// Of those put back, the ones that count again; of the others another play was counted meanwhile.
    #[serde(default)]
    pub counted: u64,
}

/// How many machines were told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Directed {
    /// Machines.
    pub machines: u64,
}

/// A change that somebody made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its number, from 1, in the order of changes.
    pub seq: i64,
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Whose token was shown, or what was typed where the database is.
    pub who: String,
    /// What was done: a word such as `apply`, `exclude` or `revoke`.
    pub action: String,
    /// To what.
    pub what: String,
    /// Anything else worth knowing.
    pub detail: String,
}

/// A page of changes, the latest first: `GET /api/v1/audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditPage {
    /// The changes.
    pub entries: Vec<AuditEntry>,
    /// What to give as `before` for the next page; none on the last.
    pub next: Option<i64>,
}

/// What a question was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyKind {
    /// Why a worker plays or does not.
    Worker,
    /// Why a cell is played or is not.
    Cell,
    /// Why an experiment moves on or does not.
    Experiment,
}

impl std::fmt::Display for WhyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WhyKind::Worker => "worker",
            WhyKind::Cell => "cell",
            WhyKind::Experiment => "experiment",
        })
    }
}

/// The scheduler's reasons: `GET /api/v1/why/{id or name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// What was found under the id or name.
    pub kind: WhyKind,
    /// What it is called.
    pub name: String,
    /// In words, the most telling first.
    pub reasons: Vec<String>,
}
