//! Calls that change something: they need a token.

use super::admit::{Admin, Machine};
use super::body::{Body, Path, SyncBody};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use protocol::operate::{
    Directed, DirectiveRequest, ExcludeGamesRequest, ExcludeRequest, GamesChanged, QuarantineRequest,
    RestoreGamesRequest, RestoreRequest, Restored,
};
use protocol::report::Retried;
use protocol::sync::SyncResponse;

/// `POST /api/v1/sync`.
pub(crate) async fn sync(
    Machine(caller): Machine,
    State(coordinator): State<Coordinator>,
    SyncBody(request, _reserved): SyncBody,
) -> Result<Json<SyncResponse>, ApiError> {
    Ok(Json(coordinator.sync_with(request, Some(caller)).await?))
}

/// `POST /api/v1/experiments/{id or name}/retry`.
pub(crate) async fn retry(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<Retried>, ApiError> {
    Ok(Json(coordinator.retry(&key, &who).await?))
}

/// `POST /api/v1/games/{id}/exclude`.
pub(crate) async fn exclude(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
    Body(request): Body<ExcludeRequest>,
) -> Result<StatusCode, ApiError> {
    let game = coordinator.game_id(&id).await?;
    coordinator.exclude(game, request.lease, &request.why, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/games/{id}/restore`.
pub(crate) async fn restore(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
    Body(request): Body<RestoreRequest>,
) -> Result<Json<Restored>, ApiError> {
    let status = coordinator.restore(coordinator.game_id(&id).await?, request.lease, &who).await?;
    Ok(Json(Restored { status }))
}

/// `POST /api/v1/workers/directive`.
pub(crate) async fn direct(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<DirectiveRequest>,
) -> Result<Json<Directed>, ApiError> {
    Ok(Json(coordinator.direct(request, &who).await?))
}

/// `POST /api/v1/workers/quarantine`.
pub(crate) async fn quarantine(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<QuarantineRequest>,
) -> Result<Json<Directed>, ApiError> {
    Ok(Json(coordinator.quarantine(request, &who).await?))
}

/// `POST /api/v1/workers/exclude`.
pub(crate) async fn exclude_games(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<ExcludeGamesRequest>,
) -> Result<Json<GamesChanged>, ApiError> {
    Ok(Json(coordinator.exclude_games(request, &who).await?))
}

/// `POST /api/v1/workers/restore`.
pub(crate) async fn restore_games(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<RestoreGamesRequest>,
) -> Result<Json<GamesChanged>, ApiError> {
    Ok(Json(coordinator.restore_games(request, &who).await?))
}
