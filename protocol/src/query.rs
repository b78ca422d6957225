//! The queries of calls, and whole numbers in them, each with its limits; `5.0` is whole, as in bodies and files.

use crate::board_sizes;
use crate::ids::LeaseId;
use engine::havannah::BoardSize;
use engine::numbers;
use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serialize};

/// Which experiments are listed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ExperimentsQuery {
    /// Those in the archive, too.
    pub all: bool,
    /// Those with this tag alone.
    pub tag: Option<String>,
}

/// How an experiment is applied.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ApplyQuery {
    /// The content of an older revision becomes the next one.
    pub supersede: bool,
}

/// The form of an experiment's report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReportFormat {
    /// JSON.
    #[default]
    Json,
    /// A table.
    Csv,
}

/// What of an experiment's report is wanted.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ReportQuery {
    /// JSON, or a table.
    pub format: ReportFormat,
    /// The most series for each baseline and budget; all if omitted.
    #[serde(deserialize_with = "maybe_exact")]
    pub best: Option<usize>,
    /// The edition of an earlier answer, or nothing: leaves out the points that have not changed.
    pub since: Option<String>,
}

/// What is analysed.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnalysisQuery {
    /// The cells of this board size alone.
    #[serde(deserialize_with = "one_size")]
    #[cfg_attr(test, schemars(with = "Option<u8>"))]
    pub size: Option<BoardSize>,
}

/// Reads a board size, as the command line reads it.
fn one_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<BoardSize>, D::Error> {
    let text = String::deserialize(deserializer)?;
    board_sizes::one(&text).map(Some).map_err(Error::custom)
}

/// The sides of a comparison.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CompareQuery {
    /// An experiment, by id or name.
    pub left: String,
    /// The other experiment, by id or name.
    pub right: String,
    /// A revision of the left experiment, as it stood when the next one began.
    #[serde(default, deserialize_with = "maybe_exact")]
    pub left_revision: Option<u64>,
    /// A revision of the right experiment.
    #[serde(default, deserialize_with = "maybe_exact")]
    pub right_revision: Option<u64>,
    /// The only case of the left experiment that is compared.
    pub left_case: Option<String>,
    /// The only case of the right experiment that is compared.
    pub right_case: Option<String>,
}

/// A page of an experiment's games.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    /// A place that an earlier page named.
    pub after: Option<String>,
    /// Games at most, 1 to 1000; 100 if absent.
    #[serde(default = "hundred", deserialize_with = "page")]
    pub limit: u32,
}

/// Which play of a game is wanted.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlayQuery {
    /// The play of this lease; the counted one if absent.
    pub lease: Option<LeaseId>,
}

/// A page of the workers.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WorkersQuery {
    /// Workers to leave out at the beginning.
    #[serde(default, deserialize_with = "count")]
    pub offset: u32,
    /// Workers at most, 1 to 1000; 100 if absent.
    #[serde(default = "hundred", deserialize_with = "page")]
    pub limit: u32,
}

/// A page of the changes.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AuditQuery {
    /// Changes before the one with this number.
    #[serde(default, deserialize_with = "maybe_exact")]
    pub before: Option<i64>,
    /// Changes at most, 1 to 1000; 100 if absent.
    #[serde(default = "hundred", deserialize_with = "page")]
    pub limit: u32,
}

/// The parameters of a surface.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SurfaceQuery {
    /// A parameter.
    pub x: String,
    /// Another parameter.
    pub y: String,
    /// The board size, where each has an optimum of its own.
    #[serde(default, deserialize_with = "maybe_whole::<_, _, 3, 10>")]
    pub size: Option<u8>,
}

/// A page of a tune's trials.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TrialsQuery {
    /// The number of the first trial; 0 if absent.
    #[serde(default, deserialize_with = "exact")]
    pub from: u64,
    /// Trials at most, 1 to 1000; 200 if absent.
    #[serde(default = "two_hundred", deserialize_with = "page")]
    pub limit: u32,
}

/// A page of a study's points.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PointsQuery {
    /// The number of the first point; 0 if absent.
    #[serde(default, deserialize_with = "exact")]
    pub from: u64,
    /// Points at most, 1 to 1000; 200 if absent.
    #[serde(default = "two_hundred", deserialize_with = "page")]
    pub limit: u32,
    /// Points without a result alone.
    #[serde(default)]
    pub waiting: bool,
}

/// What a revision is compared with.
#[derive(Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ChangesQuery {
    /// The number of an earlier revision; the one before if absent.
    #[serde(default, deserialize_with = "maybe_exact")]
    pub since: Option<u64>,
}

fn hundred() -> u32 {
    100
}

fn two_hundred() -> u32 {
    200
}

/// Reads a whole number from `MIN` to `MAX`.
///
/// # Errors
/// Says the limits.
pub fn whole<'de, D: Deserializer<'de>, N: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    deserializer: D,
) -> Result<N, D::Error> {
    let text = String::deserialize(deserializer)?;
    numbers::whole::<i64>(&text)
        .filter(|number| (MIN..=MAX).contains(number))
        .and_then(|number| N::try_from(number).ok())
        .ok_or_else(|| Error::custom(format!("give a whole number from {MIN} to {MAX}")))
}

/// The most entries of a page, of whatever list.
pub const LARGEST_PAGE: u32 = 1_000;

/// Reads the number of entries that a page may have.
///
/// # Errors
/// Says the limits.
pub fn page<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole::<D, u32, 1, { LARGEST_PAGE as i64 }>(deserializer)
}

/// Reads a whole number from `MIN` to `MAX` that may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_whole<'de, D: Deserializer<'de>, N: TryFrom<i64>, const MIN: i64, const MAX: i64>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    whole::<D, N, MIN, MAX>(deserializer).map(Some)
}

/// Up to this number, 2⁵³, whole numbers are exact in JavaScript.
pub const LARGEST_EXACT: i64 = 1 << 53;

/// Reads a number of entries that a page leaves out.
///
/// # Errors
/// Says the limits.
pub fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    whole::<D, u32, 0, { u32::MAX as i64 }>(deserializer)
}

/// Reads a number up to [`LARGEST_EXACT`].
///
/// # Errors
/// Says the limits.
pub fn exact<'de, D: Deserializer<'de>, N: TryFrom<i64>>(deserializer: D) -> Result<N, D::Error> {
    whole::<D, N, 0, LARGEST_EXACT>(deserializer)
}

/// As [`exact`], where it may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_exact<'de, D: Deserializer<'de>, N: TryFrom<i64>>(
    deserializer: D,
) -> Result<Option<N>, D::Error> {
    exact(deserializer).map(Some)
}

/// Reads a time in milliseconds since 1970, which may be absent.
///
/// # Errors
/// Says the limits.
pub fn maybe_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<i64>, D::Error> {
    maybe_whole::<D, i64, { -LARGEST_EXACT }, LARGEST_EXACT>(deserializer)
}

#[cfg(test)]
mod tests {
    use super::{maybe_whole, whole};
    use serde::Deserialize;
    use serde::de::IntoDeserializer;
    use serde::de::value::{Error, StrDeserializer};

    #[test]
    fn a_number_outside_its_limits_is_answered_with_them() {
        let read = |text: &'static str| {
            let text: StrDeserializer<'_, Error> = text.into_deserializer();
            whole::<_, u32, 0, 100>(text).map_err(|error| error.to_string())
        };
        assert_eq!(["7", "5.0", "1e2"].map(read), [Ok(7), Ok(5), Ok(100)]);
        for text in ["", "-1", "101", "5.5", "ten", "99999999999999999999"] {
            assert_eq!(read(text), Err("give a whole number from 0 to 100".to_owned()), "{text}");
        }
    }

    #[test]
    fn an_absent_number_is_none() {
        #[derive(Deserialize)]
        struct Query {
            #[serde(default, deserialize_with = "maybe_whole::<_, _, 0, 100>")]
            number: Option<u8>,
        }
        let read = |json: &str| serde_json::from_str::<Query>(json).map(|query| query.number).ok();
        assert_eq!(
            [read("{}"), read("{\"number\":\"5.0\"}"), read("{\"number\":\"101\"}")],
            [Some(None), Some(Some(5)), None]
        );
    }
}
