//! Cells and games for their pages.

use super::admit::Reader;
use super::body::{Path, Queried};
use super::error::ApiError;
use super::read::WhichPlay;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use protocol::browse::{ByMoveNumber, FoundGames, GameInPlay, GameSearch, GameView, PairsInPlay};
use protocol::cell::{CellReport, RunningCell};
use protocol::report::ControlPage;

/// `GET /api/v1/cells/{id}`.
pub(crate) async fn cell(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
) -> Result<Json<CellReport>, ApiError> {
    Ok(Json(coordinator.cell(&id).await?))
}

/// `GET /api/v1/cells/{id}/running`: the estimate by the number of pairs.
pub(crate) async fn running(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
) -> Result<Json<RunningCell>, ApiError> {
    Ok(Json(coordinator.running_cell(&id).await?))
}

/// `GET /api/v1/control`: every control cell.
pub(crate) async fn control(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<ControlPage>, ApiError> {
    Ok(Json(coordinator.control_page().await?))
}

/// `GET /api/v1/games?…`: a search.
pub(crate) async fn search(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Queried(query): Queried<GameSearch>,
) -> Result<Json<FoundGames>, ApiError> {
    Ok(Json(coordinator.found_games(query).await?))
}

/// `GET /api/v1/games/by-move?…`: sums over the games of a search.
pub(crate) async fn by_move(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Queried(query): Queried<GameSearch>,
) -> Result<Json<ByMoveNumber>, ApiError> {
    Ok(Json(coordinator.games_by_move(query).await?))
}

/// `GET /api/v1/games/in-play`: what machines play at the moment.
pub(crate) async fn in_play(
    _: Reader,
    State(coordinator): State<Coordinator>,
) -> Result<Json<PairsInPlay>, ApiError> {
    Ok(Json(coordinator.pairs_in_play().await?))
}

/// `GET /api/v1/games/in-play/{lease}`: the game of a lease that is played at the moment.
pub(crate) async fn game_in_play(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(lease): Path<String>,
) -> Result<Json<GameInPlay>, ApiError> {
    Ok(Json(coordinator.game_in_play(&lease).await?))
}

/// `GET /api/v1/games/{id}/view?lease=…`.
pub(crate) async fn view(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
    Queried(WhichPlay { lease }): Queried<WhichPlay>,
) -> Result<Json<GameView>, ApiError> {
    Ok(Json(coordinator.game_view(&id, lease).await?))
}

/// `GET /api/v1/games/{id}/sgf?lease=…`: a game file.
pub(crate) async fn file(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
    Queried(WhichPlay { lease }): Queried<WhichPlay>,
) -> Result<Response, ApiError> {
    let text = coordinator.game_file(&id, lease).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-go-sgf; charset=utf-8")], text).into_response())
}
