//! Calls of the HTTP interface, in process.

use axum::body::Body;
use axum::http::request::Builder;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use coordinator::{Coordinator, app};
use tower::ServiceExt;

pub(crate) async fn call(coordinator: &Coordinator, request: Request<Body>) -> Response {
    app(coordinator.clone()).oneshot(request).await.expect("infallible")
}

pub(crate) async fn status(coordinator: &Coordinator, request: Request<Body>) -> StatusCode {
    call(coordinator, request).await.status()
}

/// The status and the text of an answer.
pub(crate) async fn text(coordinator: &Coordinator, request: Request<Body>) -> (StatusCode, String) {
    let answer = call(coordinator, request).await;
    let status = answer.status();
    (status, String::from_utf8(content(answer).await).expect("UTF-8"))
}

pub(crate) async fn content(response: Response) -> Vec<u8> {
    axum::body::to_bytes(response.into_body(), usize::MAX).await.expect("a body").to_vec()
}

pub(crate) fn bare(request: Builder) -> Request<Body> {
    request.body(Body::empty()).expect("a request")
}

pub(crate) fn bearer(request: Builder, token: &str) -> Builder {
    request.header(header::AUTHORIZATION, format!("Bearer {token}"))
}

pub(crate) fn with_json(request: Builder, body: &impl serde::Serialize) -> Request<Body> {
    with_text(request, serde_json::to_string(body).expect("JSON"))
}

/// A request whose body is called JSON, and may be none.
pub(crate) fn with_text(request: Builder, body: impl Into<Body>) -> Request<Body> {
    request.header(header::CONTENT_TYPE, "application/json").body(body.into()).expect("a request")
}

/// The value of a metric in `/metrics`.
pub(crate) async fn metric(coordinator: &Coordinator, token: &str, name: &str) -> u64 {
    let (_, text) = text(coordinator, bare(bearer(Request::get("/metrics"), token))).await;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} in {text}")).parse().expect("a number")
}
