//! Fast error answers while the database server is unreachable, with the reason.

use super::admit::may_read_unasked;
use super::error::ApiError;
use super::monitoring::exposed;
use crate::coordinator::Coordinator;
use crate::store::StoreError;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use protocol::endpoint::Endpoint;
use protocol::endpoints::GetMetrics;
use std::time::Duration;
use tokio::time::sleep;

/// How long an answer may take before the database server is probed. With the probe an answer takes less than two seconds.
const PATIENCE: Duration = Duration::from_millis(200);

/// Answers in place of a handler that waits for an unreachable server. A handler that computes, or waits for a busy server,
/// continues. `/metrics` keeps the numbers of this process, so that an alarm about the server can be raised.
pub(super) async fn answered_soon(
    State(coordinator): State<Coordinator>,
    request: Request,
    next: Next,
) -> Response {
    if !coordinator.inner.store.is_on_a_server() {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let metrics = parts.uri.path() == GetMetrics::DECLARATION.path && may_read_unasked(&parts, &coordinator);
    let instead = |why: StoreError| match metrics {
        true => exposed(coordinator.own_metrics(&why)),
        false => ApiError::from(why).into_response(),
    };
    tokio::select! {
        answer = next.run(Request::from_parts(parts, body)) => {
            if !metrics || answer.status() != StatusCode::SERVICE_UNAVAILABLE {
                return answer;
            }
            // The handler has failed with the database's error.
            match coordinator.database_answers().await {
                Err(why) => instead(why),
                Ok(()) => answer,
            }
        }
        why = absence(&coordinator) => instead(why),
    }
}

/// Ends when the server does not answer, with the reason.
async fn absence(coordinator: &Coordinator) -> StoreError {
    loop {
        sleep(PATIENCE).await;
        if let Err(why) = coordinator.database_answers().await {
            return why;
        }
    }
}
