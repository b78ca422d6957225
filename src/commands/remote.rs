//! HTTP client for the API of a coordinator on another machine.

use anyhow::Context;
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use reqwest::Client;
use std::time::Duration;
use worker::Address;

/// A coordinator's API over HTTP, with a token, which may be empty.
#[derive(Debug)]
pub(super) struct Remote {
    http: Client,
    base: String,
    token: String,
}

impl Remote {
    /// The coordinator at `url`.
    pub(super) fn new(url: &str, token: &str) -> anyhow::Result<Self> {
        let address: Address = url.parse()?;
        let http = address.client().build().context("cannot set up the HTTP client")?;
        let base = address.at("/").as_str().trim_end_matches('/').to_owned();
        Ok(Self { http, base, token: token.to_owned() })
    }

    /// The address, for messages.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Sends a request whose address is a path below the root of the coordinator. The answer may take this long.
    pub(super) async fn send(&self, request: Request<Vec<u8>>, limit: Duration) -> anyhow::Result<Response> {
        let (parts, body) = request.into_parts();
        let sent = self.http.request(parts.method, format!("{}{}", self.base, parts.uri));
        let mut sent = sent.headers(parts.headers).body(body).timeout(limit);
        if !self.token.is_empty() {
            sent = sent.bearer_auth(&self.token);
        }
        let answer = sent.send().await.map_err(|error| match worker::distrust(&error) {
            Some(why) => anyhow::anyhow!("{why}"),
            None => error.into(),
        });
        let answer = answer.with_context(|| format!("cannot reach {}", self.base))?;
        Ok(axum::http::Response::from(answer).map(Body::new))
    }
}
