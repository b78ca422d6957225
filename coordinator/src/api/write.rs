//! Calls that change something: they need a token.

use super::body::{Authorised, Body};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use protocol::experiment::Experiment;
use protocol::report::Applied;
use protocol::sync::{SyncRequest, SyncResponse};

/// `POST /api/v1/sync`.
pub(crate) async fn sync(
    _: Authorised,
    State(coordinator): State<Coordinator>,
    Body(request): Body<SyncRequest>,
) -> Result<Json<SyncResponse>, ApiError> {
    Ok(Json(coordinator.sync(request).await?))
}

/// `POST /api/v1/experiments`.
pub(crate) async fn apply(
    _: Authorised,
    State(coordinator): State<Coordinator>,
    Body(experiment): Body<Experiment>,
) -> Result<Json<Applied>, ApiError> {
    Ok(Json(coordinator.apply(&experiment).await?))
}
