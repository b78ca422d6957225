//! HTTP client for the API of a coordinator on another machine.

use anyhow::Context;
use protocol::sync::ErrorBody;
use reqwest::{Client, RequestBuilder, Response};
use worker::Address;

/// How long an answer may take that is a large file.
const LONGEST: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// An error that a coordinator answered.
#[derive(Debug)]
pub(crate) struct Refusal {
    code: String,
    message: String,
}

impl Refusal {
    /// Whether the requested object does not exist.
    pub(crate) fn is_not_found(&self) -> bool {
        self.code == "not_found"
    }

    /// Whether the moves of a game were deleted.
    pub(crate) fn is_without_moves(&self) -> bool {
        self.code == "dropped"
    }

    /// Whether a later revision has replaced what was to be applied.
    pub(crate) fn is_of_older_revision(&self) -> bool {
        self.code == "older_revision"
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the coordinator says: {} ({})", self.message, self.code)
    }
}

impl std::error::Error for Refusal {}

/// A coordinator's API over HTTP.
pub struct Remote {
    http: Client,
    base: String,
}

impl Remote {
    /// The coordinator at `url`.
    pub(crate) fn new(url: &str) -> anyhow::Result<Self> {
        let address: Address = url.parse()?;
        let builder = address.client().timeout(std::time::Duration::from_secs(60));
        let http = builder.build().context("cannot set up the HTTP client")?;
        let base = address.endpoint("").as_str().trim_end_matches('/').to_owned();
        Ok(Self { http, base })
    }

    /// `GET /api/v1/{path}` with a token, if there is one.
    pub(crate) async fn get_with(&self, path: &str, token: &str) -> anyhow::Result<Response> {
        let request = self.http.get(self.url(path));
        self.send(if token.is_empty() { request } else { request.bearer_auth(token) }).await
    }

    /// `GET /api/v1/{path}` with a token, for an answer that may take hours.
    pub(crate) async fn get_long(&self, path: &str, token: &str) -> anyhow::Result<Response> {
        let request = self.http.get(self.url(path)).timeout(LONGEST);
        self.send(if token.is_empty() { request } else { request.bearer_auth(token) }).await
    }

    /// Fails unless `/readyz` says that the coordinator can store results. This needs no token.
    pub(crate) async fn be_ready(&self) -> anyhow::Result<()> {
        let root = self.base.strip_suffix("/api/v1").expect("calls are below it");
        self.send(self.http.get(format!("{root}/readyz"))).await.map(drop)
    }

    /// A path whose segments may contain any character.
    pub(crate) fn path(&self, segments: &[&str]) -> anyhow::Result<String> {
        let mut url = reqwest::Url::parse("http://path")?;
        url.path_segments_mut().map_err(|()| anyhow::anyhow!("no path"))?.extend(segments);
        Ok(url.path().trim_start_matches('/').to_owned())
    }

    /// A path with a query of the fields that are not null.
    pub(crate) fn query(&self, path: &str, fields: &impl serde::Serialize) -> anyhow::Result<String> {
        let mut url = reqwest::Url::parse("http://path")?;
        for (name, value) in serde_json::to_value(fields)?.as_object().into_iter().flatten() {
            let text = match value {
                serde_json::Value::Null => continue,
                serde_json::Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            url.query_pairs_mut().append_pair(name, &text);
        }
        Ok(url.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}")))
    }

    /// `POST /api/v1/{path}` with a token.
    pub(crate) async fn post(
        &self,
        path: &str,
        token: &str,
        body: &impl serde::Serialize,
    ) -> anyhow::Result<Response> {
        let request = self.http.post(self.url(path)).json(body);
        self.send(if token.is_empty() { request } else { request.bearer_auth(token) }).await
    }

    fn url(&self, path: &str) -> String {
        format!("{}/{path}", self.base)
    }

    async fn send(&self, request: RequestBuilder) -> anyhow::Result<Response> {
        let answer = request.send().await.map_err(|error| match worker::distrust(&error) {
            Some(why) => anyhow::anyhow!("{why}"),
            None => error.into(),
        });
        let answer = answer.with_context(|| format!("cannot reach {}", self.base))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = answer.bytes().await.unwrap_or_default();
        match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(ErrorBody { error }) => Err(Refusal { code: error.code, message: error.message }.into()),
            Err(_) => anyhow::bail!("{} answered {status}, which is no answer of a coordinator", self.base),
        }
    }
}
