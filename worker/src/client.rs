//! The HTTP client: calls to the coordinator, and the classification of failures by retry.

use crate::address::{Address, NoAddress};
use crate::certificate::distrust;
use protocol::access::{JoinRequest, Joined};
use protocol::endpoint::Endpoint;
use protocol::endpoints::{GetSelfTest, Join, SyncWorker};
use protocol::selftest::Trial;
use protocol::sync::{ErrorBody, SyncRequest, SyncResponse};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{StatusCode, Url};
use serde::de::DeserializeOwned;
use std::future::Future;
use std::time::Duration;
use thiserror::Error;

/// Why a call failed, classified by what the worker does next.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CallError {
    /// The call may succeed later: the coordinator is absent or busy, or a proxy answered in its place.
    #[error("{why}")]
    Retry {
        /// The shortest wait before the next attempt, if the coordinator named one.
        after: Option<Duration>,
        /// The cause.
        why: String,
    },
    /// TLS does not trust the coordinator's certificate. The call cannot succeed before a certificate, a clock or the address
    /// changes.
    #[error("{why}")]
    Untrusted {
        /// The cause, and what to change.
        why: String,
    },
    /// The call cannot succeed before a person changes the token, the address or the program.
    #[error("{why}")]
    Stop {
        /// The coordinator's reason.
        why: String,
    },
}

/// The coordinator's interface for workers. It is HTTP in production and a simulated network in tests.
pub trait CoordinatorApi: Send + Sync + 'static {
    /// Reports and asks for work. A request whose answer was lost can be repeated safely.
    fn sync(&self, request: &SyncRequest) -> impl Future<Output = Result<SyncResponse, CallError>> + Send;

    /// The self-test's games as the coordinator's build plays them.
    fn self_test(&self) -> impl Future<Output = Result<Vec<Trial>, CallError>> + Send;
}

/// An address or token that cannot be used.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The address.
    #[error(transparent)]
    Address(#[from] NoAddress),
    /// The token contains characters that no header allows. The message does not repeat the token.
    #[error("the token holds characters a token never has: was it copied whole?")]
    BadToken,
    /// The HTTP client cannot be set up, for example because there are no root certificates.
    #[error("cannot set up the HTTP client: {0}")]
    Setup(#[source] reqwest::Error),
}

/// The coordinator over HTTP.
#[derive(Debug)]
pub struct HttpCoordinator {
    http: reqwest::Client,
    sync_url: Url,
    self_test_url: Url,
}

/// A coordinator for a machine that has no token yet.
#[derive(Debug)]
pub(crate) struct JoinClient {
    http: reqwest::Client,
    url: Url,
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(60);

impl HttpCoordinator {
    /// A client for the coordinator at an [`Address`], such as `http://host:8437`.
    ///
    /// # Errors
    /// When the address is not a URL, the token is not a header value, or TLS cannot be set up.
    pub fn new(url: &str, token: &str) -> Result<Self, ClientError> {
        let mut bearer =
            HeaderValue::from_str(&format!("Bearer {}", token.trim())).map_err(|_| ClientError::BadToken)?;
        bearer.set_sensitive(true);

        let address: Address = url.parse()?;
        let http = http_client(&address, HeaderMap::from_iter([(AUTHORIZATION, bearer)]))?;
        Ok(Self {
            http,
            sync_url: address.at(SyncWorker::DECLARATION.path),
            self_test_url: address.at(GetSelfTest::DECLARATION.path),
        })
    }
}

impl JoinClient {
    /// As [`HttpCoordinator::new`], without a token.
    pub(crate) fn new(url: &str) -> Result<Self, ClientError> {
        let address: Address = url.parse()?;
        Ok(Self { http: http_client(&address, HeaderMap::new())?, url: address.at(Join::DECLARATION.path) })
    }

    /// Exchanges a code for a token.
    pub(crate) async fn join(&self, request: &JoinRequest) -> Result<Joined, CallError> {
        answer(self.http.post(self.url.clone()).json(request), &self.url).await
    }
}

fn http_client(address: &Address, headers: HeaderMap) -> Result<reqwest::Client, ClientError> {
    let builder = address
        .client()
        .default_headers(headers)
        .user_agent(concat!("gauntlet-worker/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        .timeout(CALL_TIMEOUT);
    builder.build().map_err(ClientError::Setup)
}

/// Sends a call and reads its answer.
async fn answer<T: DeserializeOwned>(request: reqwest::RequestBuilder, url: &Url) -> Result<T, CallError> {
    let answer = request.send().await.map_err(transport)?;
    let status = answer.status();
    let body = answer.bytes().await.map_err(transport)?;
    if !status.is_success() {
        return Err(refusal(status, &body, url));
    }
    serde_json::from_slice(&body).map_err(|error| CallError::Retry {
        after: None,
        why: format!("{url} answered something that is no answer to this call: {error}"),
    })
}

impl CoordinatorApi for HttpCoordinator {
    async fn sync(&self, request: &SyncRequest) -> Result<SyncResponse, CallError> {
        answer(self.http.post(self.sync_url.clone()).json(request), &self.sync_url).await
    }

    async fn self_test(&self) -> Result<Vec<Trial>, CallError> {
        answer(self.http.get(self.self_test_url.clone()), &self.self_test_url).await
    }
}

/// A call that got no answer.
fn transport(error: reqwest::Error) -> CallError {
    if let Some(why) = distrust(&error) {
        return CallError::Untrusted { why };
    }
    // The outer error contains only the URL; its sources name the cause.
    let mut why = format!("the coordinator cannot be reached: {error}");
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        why = format!("{why}: {inner}");
        source = inner.source();
    }
    CallError::Retry { after: None, why }
}

/// The error for an answer other than success.
fn refusal(status: StatusCode, body: &[u8], url: &Url) -> CallError {
    match serde_json::from_slice::<ErrorBody>(body) {
        Ok(ErrorBody { error }) => {
            let why = format!("the coordinator says: {} ({})", error.message, error.code);
            let after = error.retry_after_ms.map(Duration::from_millis);
            if after.is_some() || may_pass(status) {
                CallError::Retry { after, why }
            } else {
                CallError::Stop { why }
            }
        }
        // Not an answer of the coordinator. The page of a proxy or of a restarting server does not end the retries.
        Err(_) => CallError::Retry {
            after: None,
            why: format!("{url} answered {status}, which is no answer of a coordinator"),
        },
    }
}

/// Whether the same request may succeed later.
fn may_pass(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderMap as Headers;
    use axum::routing::post;
    use protocol::ids::{SessionId, WorkerId};

    fn request() -> SyncRequest {
        SyncRequest {
            heard: None,
            watched: Vec::new(),
            told: None,
            protocol: protocol::PROTOCOL_VERSION,
            semantics: engine::SEMANTICS,
            worker: WorkerId::random(),
            session: SessionId::random(),
            start: 1,
            sequence: 1,
            name: "test".into(),
            version: "0".into(),
            self_test: String::new(),
            labels: vec![],
            slots: 1,
            memory: protocol::memory::Mib(1024),
            speeds: vec![],
            held: vec![],
            finished: vec![],
            failed: vec![],
            want: 1,
            ahead: None,
            leaving: false,
            resting: None,
        }
    }

    /// What a worker makes of a server that gives this answer to the right token.
    async fn answered(status: u16, body: &'static str) -> Result<SyncResponse, CallError> {
        let status = StatusCode::from_u16(status).expect("a status");
        let app = axum::Router::new().route(
            "/somewhere/api/v1/sync",
            post(move |headers: Headers| async move {
                assert_eq!(headers["authorization"], "Bearer t0ken");
                (status, body)
            }),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}/somewhere/", listener.local_addr().expect("bound"));
        let server = tokio::spawn(async move { axum::serve(listener, app).await });
        let result = HttpCoordinator::new(&url, "t0ken\n").expect("a client").sync(&request()).await;
        server.abort();
        result
    }

    #[tokio::test]
    async fn an_answer_is_understood() {
        let body = r#"{"acks":[],"leases":[],"revoked":[],"directive":"work","sizes":[4,5],"next_sync_ms":900,
            "no_work":{"code":"no_experiment","message":"apply one"}}"#;
        let answer = answered(200, body).await.expect("understood");
        assert_eq!(answer.next_sync_ms, 900);
        assert_eq!(answer.sizes.len(), 2);
    }

    #[tokio::test]
    async fn refusals_stop_and_troubles_are_repeated() {
        let token = r#"{"error":{"code":"unauthorized","message":"unknown token"}}"#;
        let stop = CallError::Stop { why: "the coordinator says: unknown token (unauthorized)".into() };
        assert_eq!(answered(401, token).await, Err(stop.clone()));
        assert_eq!(answered(409, token).await, Err(stop));
        let busy = r#"{"error":{"code":"busy","message":"later","retry_after_ms":1500}}"#;
        let later = CallError::Retry {
            after: Some(Duration::from_millis(1500)),
            why: "the coordinator says: later (busy)".into(),
        };
        assert_eq!(answered(429, busy).await, Err(later.clone()));
        assert_eq!(answered(409, busy).await, Err(later));
        for (status, body) in [(500, token), (503, "<html>"), (404, "not here"), (200, "{}"), (200, "<html>")]
        {
            let error = answered(status, body).await.expect_err("no answer");
            assert!(matches!(error, CallError::Retry { after: None, .. }), "{status} {body}: {error:?}");
        }
    }

    #[tokio::test]
    async fn an_absent_coordinator_is_tried_again() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("bound"));
        drop(listener);
        let error =
            HttpCoordinator::new(&url, "t").expect("a client").sync(&request()).await.expect_err("nobody");
        assert!(
            matches!(&error, CallError::Retry { why, .. } if why.starts_with("the coordinator cannot be reached: ") && why.contains("refused")),
            "{error:?}"
        );
    }

    #[test]
    fn addresses_and_tokens_that_cannot_work_are_named() {
        for url in ["", "ftp://host", "http//host", "::1"] {
            let error = HttpCoordinator::new(url, "t").expect_err(url);
            assert!(error.to_string().contains("http"), "{error}");
        }
        let error = HttpCoordinator::new("http://host", "secret\nline").expect_err("no header");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}
