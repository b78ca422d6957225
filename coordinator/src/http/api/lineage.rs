//! Confirmations and named baselines over HTTP.

use super::admit::{Experimenter, Reader};
use super::body::{Body, Path};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use protocol::baseline::{BaselineLineage, NamedBaseline, PromoteRequest, Promoted};
use protocol::confirm::{ConfirmAnswer, ConfirmRequest};

/// `POST /api/v1/experiments/{id or name}/confirm`.
pub(crate) async fn confirm(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(request): Body<ConfirmRequest>,
) -> Result<Json<ConfirmAnswer>, ApiError> {
    Ok(Json(coordinator.confirm(&key, request, &who).await?))
}

/// `POST /api/v1/experiments/{id or name}/promote`.
pub(crate) async fn promote(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(request): Body<PromoteRequest>,
) -> Result<Json<Promoted>, ApiError> {
    Ok(Json(coordinator.promote(&key, request, &who).await?))
}

/// `GET /api/v1/baselines`: the oldest first.
pub(crate) async fn baselines(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Vec<NamedBaseline>>, ApiError> {
    Ok(Json(coordinator.baselines().await?))
}

/// `GET /api/v1/baselines/{name}`.
pub(crate) async fn baseline(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(name): Path<String>,
) -> Result<Json<BaselineLineage>, ApiError> {
    Ok(Json(coordinator.lineage(&name).await?))
}
