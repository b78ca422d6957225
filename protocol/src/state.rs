//! Where an experiment or a stopping rule stands.

use serde::{Deserialize, Serialize};

/// An experiment's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ExperimentState {
    /// Its cells are handed out until every planned game is finished.
    Active,
    /// Every planned game is finished.
    Finished,
    /// Every missing game belongs to a pair that was set aside, and waits for a person.
    Stuck,
    /// A person paused it. Nothing is handed out until a person resumes it; games in play still count.
    Paused,
    /// A person stopped it for good: nothing is handed out any more; games in play still count.
    Stopped,
    /// A person archived it: nothing is handed out, and lists leave it out unless asked for everything.
    Archived,
}

impl ExperimentState {
    /// Whether games of the experiment are handed out now, or will be when something that went wrong is put right.
    #[must_use]
    pub fn is_under_way(self) -> bool {
        matches!(self, Self::Active | Self::Stuck)
    }
}

impl std::fmt::Display for ExperimentState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Active => "active",
            Self::Finished => "finished",
            Self::Stuck => "stuck",
            Self::Paused => "paused",
            Self::Stopped => "stopped",
            Self::Archived => "archived",
        })
    }
}

/// What a stopping rule found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum StopOutcome {
    /// The rule has not decided, and pairs are still played.
    Open,
    /// All planned pairs are read, and the rule has not decided.
    Inconclusive,
    /// A person stopped the experiment before the rule decided.
    Stopped,
    /// The test accepted the upper hypothesis.
    AcceptH1,
    /// The test accepted the lower hypothesis.
    AcceptH0,
    /// The interval is narrow enough.
    Precise,
    /// The win rate is above 50 %.
    Better,
    /// The win rate is below 50 %.
    Worse,
}

impl StopOutcome {
    /// The name in tables, such as `accept_h1`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Inconclusive => "inconclusive",
            Self::Stopped => "stopped",
            Self::AcceptH1 => "accept_h1",
            Self::AcceptH0 => "accept_h0",
            Self::Precise => "precise",
            Self::Better => "better",
            Self::Worse => "worse",
        }
    }
}
