//! Confirmations: a case is played against its baseline once more, on openings and seeds that chose nothing, until tests
//! decide.

use crate::experiment::{ERRORS, Hypotheses, StopRule};
use crate::ids::{CellId, ExperimentId, PlayerId, content_id};
use crate::lease::Budget;
use crate::state::{ExperimentState, StopOutcome};
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// `POST /api/v1/experiments/{id or name}/confirm`: begins the confirmation of a case of this experiment, or says what it
/// would play.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ConfirmRequest {
    /// The case: its name in the results, its group if that has one case, or the first digits of the id of its player or of
    /// one of its cells.
    pub case: String,
    /// The baseline, named likewise. Needed where the case meets several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The board sizes; empty for all on which the case is played.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<u8>"))]
    pub sizes: Vec<BoardSize>,
    /// The hypotheses of the tests; absent for 0 and 20 Elo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hypotheses: Option<Hypotheses>,
    /// The chance that a test accepts the upper hypothesis where the lower one is true; absent for 0.05.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<f64>,
    /// The chance of the opposite mistake; absent for 0.05.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beta: Option<f64>,
    /// Games at which a test is given up; absent for four times the mean length at the worst rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_games: Option<u32>,
    /// The share of the workers, relative to other experiments; absent for 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Whether to begin another confirmation if there is one.
    #[serde(default)]
    pub again: bool,
    /// Whether to say what would be played, and begin nothing.
    #[serde(default)]
    pub preview: bool,
}

impl ConfirmRequest {
    /// The confirmation of a case as it is by default.
    #[must_use]
    pub fn of(case: &str) -> Self {
        Self {
            case: case.to_owned(),
            against: None,
            sizes: Vec::new(),
            hypotheses: None,
            alpha: None,
            beta: None,
            most_games: None,
            weight: None,
            again: false,
            preview: false,
        }
    }

    /// The test of each cell. Its numbers may be outside their ranges.
    #[must_use]
    pub fn rule(&self) -> StopRule {
        StopRule::Sprt {
            hypotheses: self.hypotheses.unwrap_or_default(),
            alpha: self.alpha.unwrap_or(ERRORS),
            beta: self.beta.unwrap_or(ERRORS),
        }
    }
}

/// The answer to a [`ConfirmRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConfirmAnswer {
    /// Whether this request began the confirmation.
    pub began: bool,
    /// The confirmation: the one that was begun, or the last one that exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// What is played, or would be; absent where an earlier confirmation is the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<ConfirmationPlan>,
}

/// What a confirmation plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConfirmationPlan {
    /// The name of the experiment that plays it.
    pub name: String,
    /// The case.
    pub case: String,
    /// The baseline.
    pub baseline: String,
    /// The number of the confirmation of this case, from 1.
    pub number: u64,
    /// The test of each cell in words.
    pub rule: String,
    /// How games begin, and what is fresh, in words.
    pub openings: String,
    /// The share of the workers, relative to other experiments.
    pub weight: f64,
    /// The cells.
    pub cells: Vec<ConfirmationCell>,
    /// The mean number of pairs in all cells, if the lower hypothesis is true in each.
    pub pairs_if_lower: f64,
    /// The same halfway between the hypotheses, where tests take longest.
    pub pairs_if_between: f64,
    /// The same if the upper hypothesis is true in each.
    pub pairs_if_upper: f64,
}

/// A cell that a confirmation plays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConfirmationCell {
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// Pairs at which the test is given up.
    pub most_pairs: u64,
    /// The mean number of pairs if the lower hypothesis is true.
    pub pairs_if_lower: f64,
    /// The same halfway between the hypotheses.
    pub pairs_if_between: f64,
    /// The same if the upper hypothesis is true.
    pub pairs_if_upper: f64,
}

/// A confirmation that was begun, and what it found so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Confirmation {
    /// The experiment that plays it.
    pub experiment: ExperimentId,
    /// Its name.
    pub name: String,
    /// The experiment that the case comes from.
    pub origin: ExperimentId,
    /// Its name.
    pub origin_name: String,
    /// The revision of its plan when the confirmation began.
    pub origin_revision: u64,
    /// The name of the case in it.
    pub case: String,
    /// The player that is the case.
    pub case_player: PlayerId,
    /// The name of the baseline.
    pub baseline: String,
    /// The player that is the baseline.
    pub baseline_player: PlayerId,
    /// The number of the confirmation of this case, from 1. A case that is confirmed at the third attempt has had three chances.
    pub number: u64,
    /// The test of each cell in words.
    pub rule: String,
    /// The state of the experiment that plays it.
    pub state: ExperimentState,
    /// Whether the plan is the one that it began with.
    pub as_planned: bool,
    /// What the tests say together.
    pub verdict: ConfirmationVerdict,
    /// The same in words.
    pub words: String,
    /// Complete pairs in all cells.
    pub pairs: u64,
    /// The cells.
    pub cells: Vec<ConfirmedCell>,
    /// Of the confirmation of a baseline: where the case was played without a test when it was promoted, such as
    /// `on size 6 at 1 s`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub untested: BTreeSet<String>,
    /// When it began, in milliseconds since 1970.
    pub began_ms: i64,
    /// Who began it.
    pub who: String,
}

impl Confirmation {
    /// Where the case was played without a test when it was promoted, in words.
    #[must_use]
    pub fn untested(&self) -> String {
        Vec::from_iter(self.untested.iter().map(String::as_str)).join(", ")
    }
}

/// A cell of a confirmation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ConfirmedCell {
    /// The cell.
    pub cell: CellId,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// The outcome of the test.
    pub outcome: StopOutcome,
    /// Pairs that the test has read.
    pub pairs: u64,
    /// Win rate after the decision, corrected for the stop; absent before, and after a stop by a person.
    pub rate: Option<f64>,
    /// Lower end of its interval.
    pub low: Option<f64>,
    /// Upper end of its interval.
    pub high: Option<f64>,
    /// All of this in words.
    pub words: String,
}

/// What the tests of a confirmation say together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationVerdict {
    /// Some test is not at its end.
    Open,
    /// Every test accepted the upper hypothesis.
    Confirmed,
    /// Some tests accepted the upper hypothesis, others did not.
    Mixed,
    /// Every test accepted the lower hypothesis.
    Refuted,
    /// No test accepted the upper hypothesis, and some did not decide.
    Inconclusive,
}

impl std::fmt::Display for ConfirmationVerdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Open => "open",
            Self::Confirmed => "confirmed",
            Self::Mixed => "mixed",
            Self::Refuted => "refuted",
            Self::Inconclusive => "inconclusive",
        })
    }
}

/// What an experiment that plays a confirmation confirms, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Confirms {
    /// The experiment that the case comes from.
    pub origin: ExperimentId,
    /// Its name.
    pub origin_name: String,
    /// The case.
    pub case: String,
    /// What the tests say together.
    pub verdict: ConfirmationVerdict,
}

impl std::fmt::Display for Confirms {
    /// Such as ``rave_k=500 of my-sweep: confirmed``.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}: {}", self.case, self.origin_name, self.verdict)
    }
}

/// The seed of a confirmation, from 0 to 2^63 − 1 as in experiment files. It is a digest, so it is no seed that a person writes
/// into a file, and that of no other confirmation. `salt` gives another one.
#[must_use]
pub fn fresh_seed(origin: ExperimentId, players: (PlayerId, PlayerId), number: u64, salt: u64) -> u64 {
    content_id("confirmation", &(origin, players, number, salt)).as_u64_pair().1 & (u64::MAX >> 1)
}
