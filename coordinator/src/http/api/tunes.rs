//! Tunes over HTTP.

use super::admit::{Experimenter, Reader};
use super::body::{Body, Path, Queried};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use protocol::tune::{
    ImportRequest, Imported, PlayedPoints, Proposed, ProposedPoints, TrialsPage, TuneStatus,
};
use serde::Deserialize;
use tuner::Surface;

/// `GET /api/v1/experiments/{id or name}/tune`: the status of a tune.
pub(crate) async fn status(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<TuneStatus>, ApiError> {
    Ok(Json(coordinator.tune_status(&key).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    pub(super) x: String,
    pub(super) y: String,
    #[serde(default, deserialize_with = "protocol::query::maybe_whole::<_, _, 3, 10>")]
    pub(super) size: Option<u8>,
}

/// `GET /api/v1/experiments/{id or name}/tune/surface?x=…&y=…`: the fitted win rate over two parameters.
pub(crate) async fn surface(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(Pair { x, y, size }): Queried<Pair>,
) -> Result<Json<Surface>, ApiError> {
    Ok(Json(coordinator.tune_surface(&key, (&x, &y), size).await?))
}

/// `GET /api/v1/experiments/{id or name}/tune/points`: the points that were played.
pub(crate) async fn points(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<PlayedPoints>, ApiError> {
    Ok(Json(coordinator.tune_points(&key).await?))
}

/// `POST /api/v1/experiments/{id or name}/tune/points`: points of another program.
pub(crate) async fn propose(
    _: Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(points): Body<ProposedPoints>,
) -> Result<Json<Proposed>, ApiError> {
    Ok(Json(coordinator.propose(&key, points).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    #[serde(default, deserialize_with = "protocol::query::exact")]
    from: u64,
    #[serde(default = "usual_limit", deserialize_with = "protocol::query::page")]
    limit: u32,
}

/// The trials or points of a page when the query names no limit.
pub(super) fn usual_limit() -> u32 {
    200
}

/// `GET /api/v1/experiments/{id or name}/tune/trials?from=…&limit=…`.
pub(crate) async fn trials(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(From { from, limit }): Queried<From>,
) -> Result<Json<TrialsPage>, ApiError> {
    Ok(Json(coordinator.trials(&key, from, limit).await?))
}

/// `POST /api/v1/experiments/{id or name}/tune/import`: a tune learns from the games of another experiment.
pub(crate) async fn import(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(request): Body<ImportRequest>,
) -> Result<Json<Imported>, ApiError> {
    Ok(Json(coordinator.import_trials(&key, &request.experiment, &who).await?))
}
