//! The HTTP API: thin handlers over [`Coordinator`], one error envelope.

mod access;
mod admit;
mod body;
mod browse;
mod bundle;
mod error;
mod events;
mod experiments;
mod lineage;
mod outage;
mod read;
mod studies;
mod tunes;
mod write;

use super::dashboard;
use crate::coordinator::Coordinator;
use axum::Extension;
use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use axum::routing::{any, get, post};
use std::time::{Duration, Instant};
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::trace::TraceLayer;

/// The largest body of a worker's call in bytes: some thousand games of the largest board.
const LARGEST_SYNC: usize = 32 << 20;

/// The largest experiment: ten thousand cells with long labels.
const LARGEST_EXPERIMENT: usize = 16 << 20;

/// The largest list of points or results: five hundred points with many parameters, or ten thousand results.
const LARGEST_POINTS: usize = 1 << 20;

/// The largest body of all other requests, which are a few lines.
const LARGEST_BODY: usize = 64 << 10;

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
    let at_most = |bytes| Extension(body::Largest(bytes));
    let mut app = Router::new()
        .route("/api/v1/sync", post(write::sync).layer(at_most(LARGEST_SYNC)))
        .route("/api/v1/self-test", get(access::self_test))
        .route("/api/v1/join", post(access::join))
        .route("/api/v1/join-codes", post(access::code))
        .route("/api/v1/join-codes/withdraw", post(access::withdraw))
        .route("/api/v1/tokens", get(access::list).post(access::create))
        .route("/api/v1/tokens/{key}/revoke", post(access::revoke))
        .route("/api/v1/session", get(access::session).post(access::sign_in).delete(access::sign_out))
        .route("/api/v1/pages", get(access::pages))
        .route("/api/v1/pages/{id}/end", post(access::end_page))
        .route(
            "/api/v1/experiments",
            get(experiments::list).post(experiments::apply).layer(at_most(LARGEST_EXPERIMENT)),
        )
        .route("/api/v1/diff", post(experiments::difference).layer(at_most(LARGEST_EXPERIMENT)))
        .route("/api/v1/overview", get(read::overview))
        .route("/api/v1/control", get(browse::control))
        .route("/api/v1/alarms", get(read::alarms))
        .route("/api/v1/news", get(read::news))
        .route("/api/v1/compare", get(read::compare))
        .route("/api/v1/workers", get(read::workers))
        .route("/api/v1/workers/{key}", get(read::machine))
        .route("/api/v1/experiments/{key}", get(read::experiment))
        .route("/api/v1/experiments/{key}/change", post(experiments::change))
        .route("/api/v1/experiments/{key}/confirm", post(lineage::confirm))
        .route("/api/v1/experiments/{key}/promote", post(lineage::promote))
        .route("/api/v1/baselines", get(lineage::baselines))
        .route("/api/v1/baselines/{name}", get(lineage::baseline))
        .route("/api/v1/experiments/{key}/tune", get(tunes::status))
        .route("/api/v1/experiments/{key}/tune/trials", get(tunes::trials))
        .route("/api/v1/experiments/{key}/tune/surface", get(tunes::surface))
        .route(
            "/api/v1/experiments/{key}/tune/points",
            get(tunes::points).post(tunes::propose).layer(at_most(LARGEST_POINTS)),
        )
        .route("/api/v1/experiments/{key}/tune/import", post(tunes::import))
        .route("/api/v1/studies", get(studies::list).post(studies::begin))
        .route("/api/v1/studies/{key}", get(studies::status))
        .route("/api/v1/studies/{key}/ask", post(studies::ask))
        .route("/api/v1/studies/{key}/tell", post(studies::tell).layer(at_most(LARGEST_POINTS)))
        .route("/api/v1/studies/{key}/points", get(studies::points))
        .route("/api/v1/studies/{key}/played", get(studies::played))
        .route("/api/v1/studies/{key}/surface", get(studies::surface))
        .route("/api/v1/studies/{key}/change", post(studies::change))
        .route("/api/v1/experiments/{key}/history", get(experiments::history))
        .route("/api/v1/experiments/{key}/revisions/{number}", get(experiments::revision))
        .route("/api/v1/experiments/{key}/revisions/{number}/changes", get(experiments::changes))
        .route("/api/v1/experiments/{key}/analysis", get(read::analysis))
        .route("/api/v1/experiments/{key}/games", get(read::games))
        .route("/api/v1/cells/{id}", get(browse::cell))
        .route("/api/v1/cells/{id}/running", get(browse::running))
        .route("/api/v1/experiments/{key}/bundle", get(bundle::bundle))
        .route("/api/v1/experiments/{key}/retry", post(write::retry))
        .route("/api/v1/games", get(browse::search))
        .route("/api/v1/games/by-move", get(browse::by_move))
        .route("/api/v1/games/in-play", get(browse::in_play))
        .route("/api/v1/games/in-play/{lease}", get(browse::game_in_play))
        .route("/api/v1/games/{id}", get(read::game))
        .route("/api/v1/games/{id}/view", get(browse::view))
        .route("/api/v1/games/{id}/sgf", get(browse::file))
        .route("/api/v1/games/{id}/exclude", post(write::exclude))
        .route("/api/v1/games/{id}/restore", post(write::restore))
        .route("/api/v1/workers/directive", post(write::direct))
        .route("/api/v1/workers/quarantine", post(write::quarantine))
        .route("/api/v1/workers/exclude", post(write::exclude_games))
        .route("/api/v1/workers/restore", post(write::restore_games))
        .route("/api/v1/audit", get(read::audit))
        .route("/api/v1/events", get(events::stream))
        .route("/api/{*rest}", any(error::unknown_route))
        .route("/api/v1/why/{key}", get(read::why))
        .route("/metrics", get(read::metrics))
        .route("/livez", get(read::live))
        .route("/healthz", get(read::health))
        .route("/readyz", get(read::ready))
        .merge(dashboard::router())
        .fallback(error::unknown_route)
        .method_not_allowed_fallback(error::wrong_method)
        .layer(at_most(LARGEST_BODY))
        .layer(from_fn(in_time))
        .layer(from_fn(of_usual_length))
        .route_layer(from_fn_with_state(coordinator.clone(), outage::answered_soon))
        .route_layer(from_fn_with_state(coordinator.clone(), measured))
        .layer(CatchPanicLayer::custom(error::panicked))
        .layer(
            CompressionLayer::new()
                .quality(COMPRESSION)
                .compress_when(DefaultPredicate::new().and(NotForContentType::const_new(bundle::GZIP))),
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
