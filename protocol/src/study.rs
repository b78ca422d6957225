//! Studies: any program that wins, draws and loses asks the strategies for points and tells results. No engine and no worker takes part.

use crate::ids::StudyId;
use crate::tune::PastRecommendation;
use serde::{Deserialize, Serialize};
use tuner::{
    Aim, Concentration, Condition, Kind, Objective, ObjectiveError, Outcome, Parameter, Point,
    Recommendation, SizeWeight, Space, SpaceError, StrategyName, Value,
};

/// Points that one call asks for at most.
pub const MOST_ASKED: u32 = 1_000;

/// Results that one call tells at most.
pub const MOST_TOLD: usize = 10_000;

/// Points of a study without a result at most.
pub const MOST_WAITING: usize = 10_000;

/// Points of a study at most.
pub const MOST_POINTS: usize = 100_000;

/// The most games of a study.
pub const MOST_GAMES: u64 = 10_000_000;

/// Parameters of a study at most.
pub const MOST_PARAMETERS: usize = 100;

/// The size of a study without sizes.
pub const NO_SIZE: u8 = 0;

/// `POST /api/v1/studies`: begins a study. The same request again gives the same study.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StudyRequest {
    /// Its name, which no other study has.
    pub name: String,
    /// The parameters that are tuned.
    pub parameters: Vec<StudyParameter>,
    /// The strategy that proposes points.
    #[serde(default)]
    pub strategy: StrategyName,
    /// The games that are to be played.
    pub games: u64,
    /// The sizes on which points are played, by their weights. Any small numbers are sizes. Empty if points are played in one way.
    #[serde(default)]
    pub sizes: Vec<SizeWeight>,
    /// How the sizes count.
    #[serde(default)]
    pub objective: Aim,
    /// The seed of the strategy.
    #[serde(default)]
    pub seed: u64,
}

/// A parameter of a [`StudyRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StudyParameter {
    /// Its name, any text.
    pub name: String,
    /// Its values.
    #[serde(flatten)]
    pub kind: Kind,
    /// The value where the study begins; absent for the middle of a range, `false`, or the first word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Value>,
    /// Where the parameter matters; everywhere without a condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_if: Option<Condition>,
}

/// What a study tunes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The parameters.
    #[cfg_attr(test, schemars(with = "Vec<tuner::Parameter>"))]
    pub parameters: Space,
    /// The strategy that proposes points.
    pub strategy: StrategyName,
    /// The games that are to be played.
    pub games: u64,
    /// The sizes and their weights; empty if points are played in one way.
    pub sizes: Vec<SizeWeight>,
    /// How the sizes count.
    pub objective: Aim,
    /// The seed of the strategy.
    pub seed: u64,
}

impl StudyRequest {
    /// What is tuned.
    ///
    /// # Errors
    /// Names the parameter, the size or the number that is wrong.
    pub fn study(&self) -> Result<Study, String> {
        if !(2..=MOST_GAMES).contains(&self.games) {
            return Err(format!("a study has 2 to {MOST_GAMES} games, not {}", self.games));
        }
        if self.parameters.len() > MOST_PARAMETERS {
            return Err(format!(
                "a study has at most {MOST_PARAMETERS} parameters, not {}",
                self.parameters.len()
            ));
        }
        let parameter = |one: &StudyParameter| {
            let StudyParameter { name, kind, start, only_if } = one.clone();
            let start = start.map_or_else(|| kind.usual_start(), Ok);
            let start = start.map_err(|reason| SpaceError::Range { name: name.clone(), reason })?;
            Ok(Parameter { name, kind, start, only_if })
        };
        let parameters: Result<Vec<Parameter>, SpaceError> = self.parameters.iter().map(parameter).collect();
        let parameters = parameters.and_then(Space::new).map_err(|error| error.to_string())?;
        let is_number = |one: &Parameter| matches!(one.kind, Kind::Real { .. } | Kind::Whole { .. });
        if self.strategy == StrategyName::Spsa && !parameters.parameters().iter().any(is_number) {
            return Err("the strategy `spsa` moves numbers, and this study has none".to_owned());
        }
        let study = Study {
            parameters,
            strategy: self.strategy,
            games: self.games,
            sizes: self.sizes.clone(),
            objective: self.objective,
            seed: self.seed,
        };
        study.begin().map_err(|error| error.to_string())?;
        Ok(study)
    }
}

impl Study {
    /// The study without points.
    ///
    /// # Errors
    /// When the sizes and weights are no objective.
    pub fn begin(&self) -> Result<tuner::Tune, ObjectiveError> {
        let objective = match &self.sizes[..] {
            [] => Objective::on(NO_SIZE),
            sizes => Objective::new(sizes.to_vec(), self.objective)?,
        };
        Ok(tuner::Tune::new(self.parameters.clone(), objective, self.strategy, self.games, self.seed))
    }
}

/// `POST /api/v1/studies/{id or name}/ask`: what is to be played next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// How many points are wanted.
    pub count: u32,
    /// A name of this call, which no other call has. The same call again gives the same points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
}

/// A point that is to be played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AskedPoint {
    /// Its number, with which its result is told.
    pub number: u64,
    /// A value of every parameter.
    pub point: Point,
    /// The point that it plays against; absent for the baseline, which the program chooses once for all points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent: Option<Point>,
    /// The size; absent in a study without sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u8>,
    /// Its result, once it is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Whether it was given back without a result.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
    /// Whether it was given up, because results had chosen it that were taken back: it need not be played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub given_up: bool,
}

/// The answer to an [`AskRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AskAnswer {
    /// The points: fewer than wanted where fewer games are left, and none at the end of the study.
    pub points: Vec<AskedPoint>,
    /// Games of the budget that are neither told nor asked for.
    pub games_left: u64,
}

/// Points of a study by number: `GET /api/v1/studies/{id or name}/points?from=…&limit=…&waiting=…`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PointsPage {
    /// The points.
    pub points: Vec<AskedPoint>,
    /// The number from which on there are more; absent if these are the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// `POST /api/v1/studies/{id or name}/tell`: results, in any order, and points that are given back. All of them are stored, or none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TellRequest {
    /// The results.
    pub results: Vec<ToldResult>,
}

/// The result of a point, or that it has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToldResult {
    /// The number of the point.
    pub number: u64,
    /// Games that it won.
    #[serde(default)]
    pub wins: u32,
    /// Games that it drew.
    #[serde(default)]
    pub draws: u32,
    /// Games that it lost.
    #[serde(default)]
    pub losses: u32,
    /// Gives the point back without a result. With the games of the result that was told, takes that back: points that it had chosen are
    /// given up, and the budget has their games again. A result may be told later; the one that was taken back brings these points back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub failed: bool,
}

impl ToldResult {
    /// The result alone, without games for a point that is given back.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome { wins: self.wins, draws: self.draws, losses: self.losses }
    }
}

/// The answer to a [`TellRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TellAnswer {
    /// Results that were new.
    pub new: u64,
    /// Results that had been told before, the same.
    pub repeated: u64,
    /// Games of all results.
    pub games_told: u64,
    /// Games of the budget that are neither told nor asked for.
    pub games_left: u64,
}

/// A study in a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StudySummary {
    /// Its id.
    #[cfg_attr(test, schemars(with = "String"))]
    pub id: StudyId,
    /// Its name.
    pub name: String,
    /// Who began it.
    pub who: String,
    /// When, in milliseconds since 1970.
    pub created_ms: i64,
    /// Whether it is archived: it gives no more points.
    pub archived: bool,
    /// What it tunes.
    #[serde(flatten)]
    pub study: Study,
    /// Points that were asked for, without those that were given up.
    pub asked: u64,
    /// Points whose results were told.
    pub told: u64,
    /// Points that were given back without a result.
    pub failed: u64,
    /// Points that were given up, because results had chosen them that were taken back. The study does not learn from them, and asks for
    /// others.
    pub given_up: u64,
    /// Games of these results.
    pub games_told: u64,
    /// Games of the budget that are neither told nor asked for.
    pub games_left: u64,
}

/// How a study stands: `GET /api/v1/studies/{id or name}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StudyStatus {
    /// The study.
    #[serde(flatten)]
    pub summary: StudySummary,
    /// The recommended settings: one, or one for each size.
    pub recommendations: Vec<Recommendation>,
    /// What the verdict of each recommendation means, as a sentence.
    pub words: Vec<String>,
    /// Results that the recommendations are made from. After many results they are not recomputed with each.
    pub results_seen: u64,
    /// What would have been recommended after some of the first points, the first ones first.
    pub course: Vec<PastRecommendation>,
    /// Whether the course has all looks that are due. They are made one after the other.
    pub course_is_complete: bool,
    /// Where the weight of the fit is: one for each recommendation.
    pub concentrations: Vec<Concentration>,
}

/// `POST /api/v1/studies/{id or name}/change`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct StudyChange {
    /// Whether the study is archived.
    pub archived: bool,
}

/// The games of a budget that are neither told nor asked for. A point without a result counts as a pair of games.
#[must_use]
pub fn games_left(games: u64, told: u64, waiting: u64) -> u64 {
    games.saturating_sub(told).saturating_sub(2 * waiting)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn request(parameters: &str, more: &str) -> Result<Study, String> {
        let text = format!(r#"{{"name": "s", "games": 100, "parameters": [{parameters}]{more}}}"#);
        serde_json::from_str::<StudyRequest>(&text).map_err(|error| error.to_string())?.study()
    }

    #[test]
    fn a_study_begins_in_the_middle_unless_it_says_where() {
        let study = request(
            r#"{"name": "depth", "kind": "whole", "low": 1, "high": 9}, {"name": "prune", "kind": "flag"},
               {"name": "c", "kind": "real", "low": 0.01, "high": 1, "scale": "log", "only_if": {"parameter": "prune", "values": [true]}},
               {"name": "order", "kind": "word", "values": ["a", "b"], "start": "b"}"#,
            "",
        );
        let start = study.expect("a study").parameters.start();
        let expected: Point = BTreeMap::from([
            ("depth".to_owned(), Value::Whole(5)),
            ("prune".to_owned(), Value::Flag(false)),
            ("c".to_owned(), Value::Real(0.1)),
            ("order".to_owned(), Value::Word("b".to_owned())),
        ]);
        assert_eq!(start, expected);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let flag = r#"{"name": "x", "kind": "flag"}"#;
        let told = |parameters: &str, more: &str| request(parameters, more).expect_err("refused");
        assert_eq!(told("", ""), "there is no parameter to tune");
        assert_eq!(told(&format!("{flag}, {flag}"), ""), "two parameters have the name `x`");
        let range = told(r#"{"name": "x", "kind": "real", "low": 2, "high": 1}"#, "");
        assert_eq!(range, "`x`: the range 2 to 1 begins above its end: write the lower end first");
        assert!(told(r#"{"name": "x", "kind": "reel"}"#, "").contains("unknown variant `reel`"));
        let typo = told(r#"{"name": "x", "kind": "real", "low": 0, "high": 1, "sclae": "log"}"#, "");
        assert!(typo.contains("unknown field `sclae`"), "{typo}");
        assert!(told(flag, r#", "strategy": "spsa""#).contains("moves numbers"));
        let twice = told(flag, r#", "sizes": [{"size": 4, "weight": 1}, {"size": 4, "weight": 1}]"#);
        assert_eq!(twice, "size 4 occurs twice");
    }

    #[test]
    fn a_point_without_a_result_counts_as_a_pair() {
        assert_eq!([games_left(100, 10, 5), games_left(100, 99, 5)], [80, 0]);
    }
}
