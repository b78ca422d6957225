//! Calls by which people change something in a running coordinator.

use crate::ids::LeaseId;
use crate::sync::Directive;
use serde::{Deserialize, Serialize};

/// `POST /api/v1/games/{id}/exclude`: takes a play out of the results. The play stays stored and its game is played again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExcludeRequest {
    /// The play; the counted one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<LeaseId>,
    /// The reason, for people who read the results later.
    pub why: String,
}

/// `POST /api/v1/games/{id}/restore`: puts an excluded play back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RestoreRequest {
    /// The play; the only excluded one if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lease: Option<LeaseId>,
}

/// The result of restoring a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Restored {
    /// Counted, or superseded by another play of the same game.
    pub status: crate::games::GameStatus,
}

/// A selection of machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Machines {
    /// All machines.
    All,
    /// The machines with this label.
    Label(String),
    /// The machine with this id, or the machines with this name.
    Named(String),
    /// The machines that work with the token of this id.
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

/// `POST /api/v1/workers/directive`: gives machines a directive, which they receive with their next call. A pause holds
/// until it is revoked. A drain holds for the present process; a process that is started later works again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DirectiveRequest {
    /// The machines.
    pub machines: Machines,
    /// The directive.
    pub directive: Directive,
}

/// `POST /api/v1/workers/quarantine`: puts machines in quarantine, or releases them. A machine in quarantine gets no work;
/// its games are stored and count only after its release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct QuarantineRequest {
    /// The machines.
    pub machines: Machines,
    /// The reason for the quarantine; absent to release the machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// `POST /api/v1/workers/exclude`: takes all counted games of machines out of the results, in one change that
/// `POST /api/v1/workers/restore` undoes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExcludeGamesRequest {
    /// The machines.
    pub machines: Machines,
    /// Only games that arrived since this time, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_ms: Option<i64>,
    /// The reason, for people who read the results later.
    pub why: String,
}

/// `POST /api/v1/workers/restore`: restores all games of machines that were excluded together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RestoreGamesRequest {
    /// The machines.
    pub machines: Machines,
}

/// The result of excluding or restoring the games of machines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GamesChanged {
    /// Games excluded or restored.
    pub games: u64,
    /// Restored games that count again. Another play of each of the others has been counted meanwhile.
    pub counted: u64,
}

/// The number of machines that got the directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Directed {
    /// The number of machines.
    pub machines: u64,
}

/// An entry of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AuditEntry {
    /// The number of the change, from 1, in order.
    pub seq: i64,
    /// The time, in milliseconds since 1970.
    pub at_ms: i64,
    /// The name of the caller's token, or of the user of a command on the database.
    pub who: String,
    /// The kind of change, such as `apply`, `exclude` or `revoke`.
    pub action: String,
    /// The object that was changed.
    pub what: String,
    /// Further details.
    pub detail: String,
}

/// A page of the audit log, latest change first: `GET /api/v1/audit`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AuditPage {
    /// The changes.
    pub entries: Vec<AuditEntry>,
    /// The value of `before` for the next page; absent on the last page.
    pub next: Option<i64>,
}

/// The kind of object that a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum WhyKind {
    /// A worker: why it plays or not.
    Worker,
    /// A cell: why it is played or not.
    Cell,
    /// An experiment: why it progresses or not.
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Why {
    /// The kind of object with this id or name.
    pub kind: WhyKind,
    /// The object's name.
    pub name: String,
    /// The reasons in words, most important first.
    pub reasons: Vec<String>,
}
