//! Alarms: what people should look at.

use crate::ids::WorkerId;
use serde::{Deserialize, Serialize};

/// All alarms that are not over, red ones first, then the oldest first: `GET /api/v1/alarms`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Alarms {
    /// The alarms.
    pub alarms: Vec<Alarm>,
}

/// Something that people should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Alarm {
    /// The kind.
    pub kind: AlarmKind,
    /// How serious it is.
    pub severity: Severity,
    /// What it is about, for people: a machine's name, or `control`.
    pub subject: String,
    /// The machine that it is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<WorkerId>,
    /// Since when it stands, in milliseconds since 1970.
    pub since_ms: i64,
    /// What is wrong, in words.
    pub words: String,
}

/// The kind of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlarmKind {
    /// Players do not score 50 % against themselves.
    Control,
    /// A machine's results differ from those of other machines in the same cells.
    Results,
    /// A machine's games have another speed than the machine says, compared with other machines.
    Speed,
    /// A machine's speed has changed since it was measured.
    Drift,
    /// A machine seems to choose which games it delivers.
    Choice,
    /// A machine gives one side more simulations than other machines do.
    Bias,
}

impl AlarmKind {
    /// Every kind.
    pub const ALL: [Self; 6] =
        [Self::Control, Self::Results, Self::Speed, Self::Drift, Self::Choice, Self::Bias];

    /// The name, such as `control`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Control => "control",
            Self::Results => "results",
            Self::Speed => "speed",
            Self::Drift => "drift",
            Self::Choice => "choice",
            Self::Bias => "bias",
        }
    }

    /// The kind with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// How serious an alarm is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Results may be wrong, or will be if it goes on.
    Amber,
    /// Results are wrong.
    Red,
}

impl Severity {
    /// The name: `amber` or `red`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Amber => "amber",
            Self::Red => "red",
        }
    }

    /// The severity with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Amber, Self::Red].into_iter().find(|severity| severity.name() == name)
    }
}
