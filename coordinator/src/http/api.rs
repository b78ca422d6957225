//! The HTTP API: a route for each declared endpoint, one error envelope.

mod access;
mod admit;
mod body;
mod bundle;
mod call;
mod error;
mod events;
mod experiments;
mod monitoring;
mod outage;
mod routes;
mod sync;

use super::dashboard;
use crate::coordinator::Coordinator;
use axum::Extension;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::any;
use protocol::endpoints::GZIP;
use std::time::{Duration, Instant};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

/// The longest path and query, in bytes. The HTTP library itself answers addresses beyond 64 KiB, without a body.
const LONGEST_ADDRESS: usize = 8 << 10;

/// How long a request may take, its body included.
const REQUEST_TIME: Duration = Duration::from_secs(45);

/// The level of compression. It makes a report of ten thousand cells a third longer than the usual level 6, in a third
/// of the time.
const COMPRESSION: CompressionLevel = CompressionLevel::Precise(2);

/// Default headers that forbid browsers to run, load or frame anything in an answer.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Every route over an open coordinator.
pub fn app(coordinator: Coordinator) -> Router {
    let mut app = routes::routes()
        .router
        .route("/api/{*rest}", any(error::unknown_route))
        .merge(dashboard::router())
        .fallback(error::unknown_route)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(from_fn(in_time))
        .layer(from_fn(of_usual_length))
        .route_layer(from_fn_with_state(coordinator.clone(), outage::answered_soon))
        .route_layer(from_fn_with_state(coordinator.clone(), measured))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(
            CompressionLayer::new()
                .quality(COMPRESSION)
                .compress_when(DefaultPredicate::new().and(NotForContentType::const_new(GZIP))),
        )
        .layer(TraceLayer::new_for_http().on_failure(()));
    for (name, value) in HEADERS {
        app = app.layer(SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value)));
    }
    app.with_state(coordinator)
}

/// The same routes for the owner of the database: for this process, which needs no token, and whose changes have this name.
pub fn app_of_owner(coordinator: Coordinator, name: &str) -> Router {
    app(coordinator).layer(Extension(admit::Owner(name.to_owned())))
}

/// The router for plain HTTP on a TLS listener: one answer to everything.
pub(crate) fn plain_http_to_tls() -> Router {
    Router::new().fallback(error::needs_tls)
}

/// Counts a request and its time for the route that it matched, and logs a fault.
async fn measured(State(coordinator): State<Coordinator>, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let is_of_owner = request.extensions().get::<admit::Owner>().is_some();
    let began = Instant::now();
    let response = next.run(request).await;
    // The owner's command prints the answer.
    if let Some(error::Fault(why)) = response.extensions().get().filter(|_| !is_of_owner) {
        tracing::error!("answering {}: {why}", response.status());
    }
    let route = route.as_deref().unwrap_or("none");
    coordinator.inner.metrics.answered(route, response.status().as_u16(), began.elapsed());
    response
}

/// Ends a request that takes too long, unless the owner waits. The writer may still perform it; every request may be repeated.
async fn in_time(request: Request, next: Next) -> Response {
    if request.extensions().get::<admit::Owner>().is_some() {
        return next.run(request).await;
    }
    match tokio::time::timeout(REQUEST_TIME, next.run(request)).await {
        Ok(response) => response,
        Err(_) => error::too_slow(),
    }
}

/// Refuses a request with a very long address.
async fn of_usual_length(request: Request, next: Next) -> Response {
    match request.uri().path_and_query().map_or(0, |address| address.as_str().len()) {
        0..=LONGEST_ADDRESS => next.run(request).await,
        _ => error::too_long(LONGEST_ADDRESS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::StatusCode;
    use axum::routing::get;
    use protocol::sync::ErrorBody;
    use tower::ServiceExt;

    async fn answered(app: Router) -> (StatusCode, ErrorBody) {
        let request = Request::get("/").body(Body::empty()).expect("a request");
        let response = app.oneshot(request).await.expect("infallible");
        let status = response.status();
        let content = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (status, serde_json::from_slice(&content).expect("the envelope"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_that_takes_too_long_is_answered_and_may_be_asked_again() {
        let app = Router::new().route("/", get(std::future::pending::<()>)).layer(from_fn(in_time));
        let (status, body) = answered(app).await;
        assert_eq!(status, StatusCode::REQUEST_TIMEOUT);
        assert_eq!((body.error.code.as_str(), body.error.retry_after_ms), ("timeout", Some(5_000)));
    }

    #[tokio::test]
    async fn a_handler_that_panics_is_an_answer_too() {
        let broken = async || -> () { panic!("a defect, made for this test") };
        let app = Router::new().route("/", get(broken)).layer(CatchPanicLayer::custom(error::panicked));
        let (status, body) = answered(app).await;
        assert_eq!((status, body.error.code.as_str()), (StatusCode::INTERNAL_SERVER_ERROR, "panicked"));
        assert!(!body.error.message.contains("made for this test"), "{body:?}");
    }
}
