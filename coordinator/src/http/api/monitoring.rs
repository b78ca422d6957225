//! What monitors read: numbers, and whether the process, the database and storing work.

use super::call::Call;
use crate::error::CoordinatorError;
use crate::store::StoreError;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use protocol::endpoint::Endpoint;
use protocol::endpoints::{GetMetrics, IsHealthy, IsLive, IsReady};

pub(super) async fn live(call: Call<IsLive>) -> Result<&'static str, StoreError> {
    call.coordinator.lives().map(|()| "alive\n")
}

pub(super) async fn health(call: Call<IsHealthy>) -> Result<&'static str, StoreError> {
    call.coordinator.healthy().await.map(|()| "ok\n")
}

pub(super) async fn ready(call: Call<IsReady>) -> Result<&'static str, StoreError> {
    call.coordinator.ready().await.map(|()| "ready\n")
}

pub(super) async fn metrics(call: Call<GetMetrics>) -> Result<String, CoordinatorError> {
    call.coordinator.metrics().await
}

/// An answer in Prometheus' text format.
pub(super) fn exposed(metrics: String) -> Response {
    let content = GetMetrics::DECLARATION.content.unwrap_or_default();
    ([(header::CONTENT_TYPE, content)], metrics).into_response()
}
