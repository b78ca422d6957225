//! Calls that only read. They write nothing and scan no games.

use super::admit::{Admin, Reader};
use super::body::{Path, Queried};
use super::error::ApiError;
use crate::computing::compute;
use crate::coordinator::{Coordinator, SideKey};
use crate::reporting::keep_best;
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use engine::havannah::BoardSize;
use protocol::alarm::Alarms;
use protocol::analysis::ExperimentAnalysis;
use protocol::board_sizes;
use protocol::compare::SideBySide;
use protocol::games::{GameReport, GamesPage};
use protocol::ids::LeaseId;
use protocol::machine::MachineReport;
use protocol::news::News;
use protocol::operate::{AuditPage, Why};
use protocol::report::{ExperimentReport, Overview, WorkersPage};
use protocol::table::cells;
use serde::Deserialize;

/// `GET /livez`: whether this process works. An unreachable database is no reason to restart it.
pub(crate) async fn live(State(coordinator): State<Coordinator>) -> Result<&'static str, ApiError> {
    coordinator.lives()?;
    Ok("alive\n")
}

/// `GET /healthz`: whether the database answers.
pub(crate) async fn health(State(coordinator): State<Coordinator>) -> Result<&'static str, ApiError> {
    coordinator.healthy().await?;
    Ok("ok\n")
}

/// `GET /readyz`: whether results can be stored now.
pub(crate) async fn ready(State(coordinator): State<Coordinator>) -> Result<&'static str, ApiError> {
    coordinator.ready().await?;
    Ok("ready\n")
}

/// `GET /metrics`: numbers for Prometheus.
pub(crate) async fn metrics(_: Reader, State(coordinator): State<Coordinator>) -> Result<Response, ApiError> {
    Ok(exposed(coordinator.metrics().await?))
}

/// An answer in Prometheus' text format.
pub(super) fn exposed(metrics: String) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (headers, metrics).into_response()
}

/// `GET /api/v1/why/{id or name}`: why a worker, a cell or an experiment is in its present state.
pub(crate) async fn why(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<Why>, ApiError> {
    Ok(Json(coordinator.why(&key).await?))
}

/// `GET /api/v1/overview`.
pub(crate) async fn overview(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Overview>, ApiError> {
    Ok(Json(coordinator.overview().await?))
}

/// `GET /api/v1/alarms`: what people should look at.
pub(crate) async fn alarms(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Alarms>, ApiError> {
    Ok(Json(coordinator.alarms().await?))
}

/// `GET /api/v1/news`.
pub(crate) async fn news(_: Reader, State(coordinator): State<Coordinator>) -> Result<Json<News>, ApiError> {
    Ok(Json(coordinator.news().await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichWorkers {
    #[serde(default, deserialize_with = "protocol::query::count")]
    offset: u32,
    #[serde(default = "hundred", deserialize_with = "protocol::query::page")]
    limit: u32,
}

/// `GET /api/v1/workers?offset=…&limit=…`.
pub(crate) async fn workers(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Queried(which): Queried<WhichWorkers>,
) -> Result<Json<WorkersPage>, ApiError> {
    Ok(Json(coordinator.workers(which.offset, which.limit).await?))
}

/// `GET /api/v1/workers/{id or name}`.
pub(crate) async fn machine(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<MachineReport>, ApiError> {
    Ok(Json(coordinator.machine(&key).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Format {
    #[serde(default)]
    format: Shape,
    /// The most series for each baseline and budget; all if omitted.
    #[serde(default, deserialize_with = "protocol::query::maybe_exact")]
    best: Option<usize>,
    /// The edition of an earlier answer, or nothing: leaves out the points that have not changed.
    since: Option<String>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Shape {
    #[default]
    Json,
    Csv,
}

/// About the largest size of a cell in a report, in bytes.
const BYTES_A_CELL: usize = 640;

/// `GET /api/v1/experiments/{id or name}`, with `.csv` or `?format=csv` as a table. `?best=6` leaves out all series but the
/// strongest, `?since=EDITION` all points that have not changed since that edition.
pub(crate) async fn experiment(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(Format { format, best, since }): Queried<Format>,
) -> Result<Response, ApiError> {
    let (key, suffixed) = match key.strip_suffix(".csv") {
        Some(key) => (key, true),
        None => (key.as_str(), false),
    };
    let as_csv = suffixed || format == Shape::Csv;
    let mut report = match &since {
        Some(_) if as_csv || best.is_some() => {
            let why = "`since` goes with neither `best` nor a table: leave it out";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid", why));
        }
        Some(since) => coordinator.report_since(key, since).await?,
        None => coordinator.report(key).await?,
    };
    if let Some(best) = best {
        keep_best(&mut report, best);
    }
    // With ten thousand cells these are megabytes: no other answer should wait for them.
    if as_csv {
        let analysis = coordinator.analysis(&report.summary.id.to_string(), None).await?;
        return Ok(compute(move || table(&report, &analysis)).await?);
    }
    Ok(compute(move || json(&report)).await?)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneSize {
    #[serde(default, deserialize_with = "one_size")]
    size: Option<BoardSize>,
}

/// Reads a board size, as the command line reads it.
fn one_size<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<BoardSize>, D::Error> {
    let text = String::deserialize(deserializer)?;
    board_sizes::one(&text).map(Some).map_err(serde::de::Error::custom)
}

/// `GET /api/v1/experiments/{id or name}/analysis?size=…`.
pub(crate) async fn analysis(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(OneSize { size }): Queried<OneSize>,
) -> Result<Json<ExperimentAnalysis>, ApiError> {
    Ok(Json(coordinator.analysis(&key, size).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sides {
    left: String,
    right: String,
    #[serde(default, deserialize_with = "protocol::query::maybe_exact")]
    left_revision: Option<u64>,
    #[serde(default, deserialize_with = "protocol::query::maybe_exact")]
    right_revision: Option<u64>,
    left_case: Option<String>,
    right_case: Option<String>,
}

/// `GET /api/v1/compare?left=…&right=…&left_revision=…&right_revision=…&left_case=…&right_case=…`: two experiments side by side,
/// or a revision or a case of each.
pub(crate) async fn compare(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Queried(sides): Queried<Sides>,
) -> Result<Json<SideBySide>, ApiError> {
    let left = SideKey { experiment: sides.left, revision: sides.left_revision, case: sides.left_case };
    let right = SideKey { experiment: sides.right, revision: sides.right_revision, case: sides.right_case };
    Ok(Json(coordinator.compare([left, right]).await?))
}

fn table(report: &ExperimentReport, analysis: &ExperimentAnalysis) -> Response {
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], cells(report, analysis).csv()).into_response()
}

/// Like `Json`, but writes into a vector of the expected size, which takes less than half the time.
fn json(report: &ExperimentReport) -> Response {
    let mut content = Vec::with_capacity(BYTES_A_CELL * (1 + report.summary.cells as usize));
    serde_json::to_writer(&mut content, report).expect("protocol types serialise: their keys are strings");
    ([(header::CONTENT_TYPE, "application/json")], content).into_response()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    after: Option<String>,
    #[serde(default = "hundred", deserialize_with = "protocol::query::page")]
    limit: u32,
}

fn hundred() -> u32 {
    100
}

/// `GET /api/v1/experiments/{id or name}/games?after=…&limit=…`.
pub(crate) async fn games(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(page): Queried<Page>,
) -> Result<Json<GamesPage>, ApiError> {
    Ok(Json(coordinator.games(&key, page.after.as_deref(), page.limit).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WhichPlay {
    pub(super) lease: Option<LeaseId>,
}

/// `GET /api/v1/games/{id}?lease=…`.
pub(crate) async fn game(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
    Queried(WhichPlay { lease }): Queried<WhichPlay>,
) -> Result<Json<GameReport>, ApiError> {
    Ok(Json(coordinator.game(coordinator.game_id(&id).await?, lease).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Noted {
    #[serde(default, deserialize_with = "protocol::query::maybe_exact")]
    before: Option<i64>,
    #[serde(default = "hundred", deserialize_with = "protocol::query::page")]
    limit: u32,
}

/// `GET /api/v1/audit?before=…&limit=…`: changes with their authors.
pub(crate) async fn audit(
    _: Admin,
    State(coordinator): State<Coordinator>,
    Queried(page): Queried<Noted>,
) -> Result<Json<AuditPage>, ApiError> {
    Ok(Json(coordinator.audit(page.before, page.limit).await?))
}
