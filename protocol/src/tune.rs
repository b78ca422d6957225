//! What is told about tunes, and what other programs tell them.

use crate::confirm::Confirmation;
pub use crate::experiment::tuning::{GROUP, MOST_GAMES, Tune, first_trials, sizes, switch};
use crate::ids::{CellId, ExperimentId};
use crate::lease::ParamSet;
use crate::state::ExperimentState;
use serde::{Deserialize, Serialize};
use tuner::{BestValue, Concentration, Outcome, Point, Rate, Recommendation, SizeWeight, Trial};

/// How a tune stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TuneStatus {
    /// The experiment.
    pub experiment: ExperimentId,
    /// Its name.
    pub name: String,
    /// Its state.
    pub state: ExperimentState,
    /// What is tuned.
    pub tune: Tune,
    /// The name of the baseline.
    pub baseline: String,
    /// The sizes and their weights.
    pub sizes: Vec<SizeWeight>,
    /// Games of pairs with a result.
    pub games_played: u64,
    /// Games of the budget that have no result yet.
    pub games_left: u64,
    /// Pairs that were asked for and have no result yet.
    pub outstanding: u64,
    /// Games of other experiments that the tune learns from.
    pub imported: u64,
    /// Games at points that were given up, because excluded games had chosen them. The tune does not learn from them, and plays as many
    /// others.
    pub given_up: u64,
    /// The recommended settings: one, or one for each size.
    pub recommendations: Vec<Recommended>,
    /// Results that the recommendations are made from. After many games they are not recomputed with each result.
    pub results_seen: u64,
    /// What would have been recommended after some of the first trials, the first ones first.
    pub course: Vec<PastRecommendation>,
    /// Whether the course has all looks that are due. After a start of the coordinator they are made one after the other.
    pub course_is_complete: bool,
    /// Where the weight of the fit is: one for each recommendation.
    pub concentrations: Vec<Concentration>,
    /// What was done when all games were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<String>,
    /// The confirmations of settings of this tune, the first one first.
    pub confirmations: Vec<Confirmation>,
}

/// A recommended setting.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Recommended {
    /// What the setting is called in results and commands.
    pub label: String,
    /// The player.
    pub params: ParamSet,
    /// Whether all games are played, so that the setting stays.
    pub is_final: bool,
    /// The setting is chosen, and so many games that measure it are still to be played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_games_left: Option<u64>,
    /// What the model of the strategy says of the setting. The intervals of its rates are too narrow where the response is no quadratic
    /// function, such as on a narrow ridge.
    #[serde(flatten)]
    pub recommendation: Recommendation,
    /// The win rates of the games at the end of the tune, which had no part in choosing the setting: one for each size.
    pub measured: Vec<Measured>,
    /// The same for all sizes by the objective.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_overall: Option<Measured>,
    /// What is known, as sentences.
    pub words: String,
    /// The command that makes the setting a named baseline; absent until it is confirmed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub promote: Option<String>,
}

/// What would have been recommended after the first trials of a tune.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PastRecommendation {
    /// The number of these trials.
    pub trials: u64,
    /// Their games.
    pub games: u64,
    /// The size it is for; absent if it is for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// The setting.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, tuner::Value>"))]
    pub point: Point,
    /// What was not told apart from its values.
    pub parameters: Vec<BestValue>,
    /// The win rate that the model expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<Rate>,
}

impl PastRecommendation {
    /// What of a recommendation is kept, after so many trials with so many games.
    #[must_use]
    pub fn new(trials: u64, games: u64, of: Recommendation) -> Self {
        let Recommendation { size, point, parameters, overall, .. } = of;
        Self { trials, games, size, point, parameters, rate: overall }
    }
}

/// The points that a tune has played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayedPoints {
    /// How many there are, on all sizes.
    pub count: u64,
    /// The points; of many, some from every time of the tune.
    pub points: Vec<PlayedPoint>,
}

/// A point that was played on a size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayedPoint {
    /// Its cell; absent in a study.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellId>,
    /// The number of its first trial.
    pub number: u64,
    /// The point.
    #[cfg_attr(test, schemars(with = "std::collections::BTreeMap<String, tuner::Value>"))]
    pub point: Point,
    /// The point that it was played against; absent for the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<std::collections::BTreeMap<String, tuner::Value>>"))]
    pub opponent: Option<Point>,
    /// The size.
    pub size: u8,
    /// The results of all its trials together.
    pub outcome: Outcome,
    /// Its score per game.
    pub rate: f64,
}

/// A win rate against the baseline with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Measured {
    /// The size; absent for all sizes together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// The games.
    pub games: u64,
    /// The rate.
    #[serde(flatten)]
    pub rate: Rate,
}

/// Points that another program proposes to a tune with the strategy `foreign`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProposedPoints {
    /// The points, each of which is played once.
    pub points: Vec<ProposedPoint>,
}

/// A point that another program proposes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProposedPoint {
    /// A value of every parameter.
    pub point: Point,
    /// Another point as its opponent; absent for the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Point>,
    /// The size; absent for sizes by their weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
}

/// Points that one call proposes at most.
pub const MOST_PROPOSED: usize = 500;

/// The numbers of proposed trials, in the order of the points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Proposed {
    /// The numbers.
    pub numbers: Vec<u64>,
}

/// Trials of a tune.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrialsPage {
    /// The trials, by number.
    pub trials: Vec<NumberedTrial>,
    /// The number of the next one; absent if these are the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// A trial with its number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NumberedTrial {
    /// The number.
    pub number: u64,
    /// Who wanted the trial: start, strategy, foreign, final or imported.
    pub wanted_by: String,
    /// What is played, and its result once there is one.
    #[serde(flatten)]
    pub trial: Trial,
    /// Whether it is no part of the log any more, because excluded games had chosen its point. Its result is not told.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
}

/// Which experiment's games a tune is to learn from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ImportRequest {
    /// The name of the experiment, its id, or the first digits of its id.
    pub experiment: String,
}

/// What a tune learns from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Imported {
    /// Points of the space.
    pub points: u64,
    /// Their games.
    pub games: u64,
}
