//! The policies that order an experiment's cells.

use serde::{Deserialize, Serialize};

/// What decides which cell of an experiment is played next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The cell with the fewest pairs for its weight.
    #[default]
    Coverage,
    /// The cell whose squared error one more pair reduces most, for its weight.
    Error,
    /// More pairs for the cases that may be the best one.
    Best,
    /// Fewer pairs for the cases that are worse than another one.
    Race,
}

impl Policy {
    /// Every policy.
    pub const ALL: [Self; 4] = [Self::Coverage, Self::Error, Self::Best, Self::Race];

    /// The name in files and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Error => "error",
            Self::Best => "best",
            Self::Race => "race",
        }
    }

    /// Whether it gives cases attention by their results.
    #[must_use]
    pub fn weighs_cases(self) -> bool {
        matches!(self, Self::Best | Self::Race)
    }

    /// Whether it is the default. Then files do not name it, so that experiments keep their ids.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The policy in a few words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Coverage => "all cells progress evenly, by their weights",
            Self::Error => "the next pair goes where it reduces the error of a score most",
            Self::Best => "more pairs for the cases that may be the best one",
            Self::Race => "few pairs for the cases that are worse than another one",
        }
    }

    /// The policy of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|policy| policy.name() == name)
    }
}

impl std::fmt::Display for Policy {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
