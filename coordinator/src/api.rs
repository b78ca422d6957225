//! The HTTP API: thin handlers over [`Coordinator`], one error envelope.

mod body;
mod csv;
mod error;
mod events;
mod read;
mod write;

pub use csv::csv;

use crate::coordinator::Coordinator;
use crate::dashboard;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{any, get, post};
use tower_http::compression::CompressionLayer;
use tower_http::trace::TraceLayer;

/// Largest request body in bytes: some thousand games of the largest board.
const LARGEST_BODY: usize = 32 << 20;

/// Every route over an open coordinator.
pub fn app(coordinator: Coordinator) -> Router {
    Router::new()
        .route("/api/v1/sync", post(write::sync))
        .route("/api/v1/experiments", post(write::apply))
        .route("/api/v1/overview", get(read::overview))
        .route("/api/v1/experiments/{key}", get(read::experiment))
        .route("/api/v1/experiments/{key}/games", get(read::games))
        .route("/api/v1/experiments/{key}/retry", post(write::retry))
        .route("/api/v1/games/{id}", get(read::game))
        .route("/api/v1/games/{id}/exclude", post(write::exclude))
        .route("/api/v1/games/{id}/restore", post(write::restore))
        .route("/api/v1/audit", get(read::audit))
        .route("/api/v1/events", get(events::stream))
        .route("/api/{*rest}", any(error::unknown_route))
        .route("/healthz", get(read::health))
        .merge(dashboard::router())
        .fallback(error::unknown_route)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new())
        .layer(TraceLayer::new_for_http())
        .with_state(coordinator)
}
