//! Studies over HTTP: other programs ask for points and tell results.

use super::admit::{Experimenter, Reader};
use super::body::{Body, Path, Queried};
use super::error::ApiError;
use super::tunes::{Pair, usual_limit};
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use protocol::study::{
    AskRequest, Asked, PointsPage, StudyChange, StudyRequest, StudyStatus, StudySummary, TellRequest, Told,
};
use protocol::tune::PlayedPoints;
use serde::Deserialize;
use tuner::Surface;

/// `GET /api/v1/studies`: the newest first.
pub(crate) async fn list(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Vec<StudySummary>>, ApiError> {
    Ok(Json(coordinator.studies().await?))
}

/// `POST /api/v1/studies`.
pub(crate) async fn begin(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Body(request): Body<StudyRequest>,
) -> Result<Json<StudySummary>, ApiError> {
    Ok(Json(coordinator.begin_study(request, &who).await?))
}

/// `GET /api/v1/studies/{id or name}`.
pub(crate) async fn status(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<StudyStatus>, ApiError> {
    Ok(Json(coordinator.study_status(&key).await?))
}

/// `POST /api/v1/studies/{id or name}/ask`.
pub(crate) async fn ask(
    _: Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(request): Body<AskRequest>,
) -> Result<Json<Asked>, ApiError> {
    Ok(Json(coordinator.ask_study(&key, request).await?))
}

/// `POST /api/v1/studies/{id or name}/tell`.
pub(crate) async fn tell(
    _: Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(request): Body<TellRequest>,
) -> Result<Json<Told>, ApiError> {
    Ok(Json(coordinator.tell_study(&key, request).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct From {
    #[serde(default, deserialize_with = "protocol::query::exact")]
    from: u64,
    #[serde(default = "usual_limit", deserialize_with = "protocol::query::page")]
    limit: u32,
    #[serde(default)]
    waiting: bool,
}

/// `GET /api/v1/studies/{id or name}/points?from=…&limit=…&waiting=…`.
pub(crate) async fn points(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(From { from, limit, waiting }): Queried<From>,
) -> Result<Json<PointsPage>, ApiError> {
    Ok(Json(coordinator.study_points(&key, (from, limit), waiting).await?))
}

/// `GET /api/v1/studies/{id or name}/played`: the points that have results.
pub(crate) async fn played(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<PlayedPoints>, ApiError> {
    Ok(Json(coordinator.study_played(&key).await?))
}

/// `GET /api/v1/studies/{id or name}/surface?x=…&y=…`: the fitted win rate over two parameters.
pub(crate) async fn surface(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Queried(Pair { x, y, size }): Queried<Pair>,
) -> Result<Json<Surface>, ApiError> {
    Ok(Json(coordinator.study_surface(&key, (&x, &y), size).await?))
}

/// `POST /api/v1/studies/{id or name}/change`.
pub(crate) async fn change(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(StudyChange { archived }): Body<StudyChange>,
) -> Result<Json<StudySummary>, ApiError> {
    Ok(Json(coordinator.archive_study(&key, archived, &who).await?))
}
