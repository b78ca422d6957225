//! One HTTP connection, kept open between calls like a worker's. A client with a connection pool would send the calls
//! of ten thousand workers over a few shared connections.

use anyhow::{Context, bail};
use gauntlet::commands::target::address;
use hyper::body::{Body, Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use protocol::endpoint::Endpoint;
use protocol::sync::ErrorBody;
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// A coordinator's address.
#[derive(Debug, Clone)]
pub(crate) struct Address {
    /// Host and port.
    authority: String,
}

impl Address {
    /// Reads `http://HOST:PORT`.
    pub(crate) fn parse(url: &str) -> anyhow::Result<Self> {
        let wanted = "give the coordinator as http://HOST:PORT, without TLS and without a path";
        let url = url.parse::<::worker::Address>().with_context(|| wanted)?.at("/");
        match (url.scheme(), url.host_str(), url.port_or_known_default(), url.path()) {
            ("http", Some(host), Some(port), "/") => Ok(Self { authority: format!("{host}:{port}") }),
            _ => bail!("`{url}`: {wanted}"),
        }
    }
}

/// The result of a call.
pub(crate) enum Answer<T> {
    /// The coordinator's answer.
    Done(T),
    /// No answer, or a request to repeat the call: the time to wait, and the reason.
    Again(Duration, String),
}

/// Pause before a call is repeated, unless the coordinator names a time.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest time for which a call is repeated.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection that is opened at the first call, and again after it broke.
pub(crate) struct Connection {
    address: Address,
    bearer: String,
    sender: Option<SendRequest<String>>,
}

impl Connection {
    pub(crate) fn new(address: Address, token: &str) -> Self {
        Self { address, bearer: format!("Bearer {token}"), sender: None }
    }

    /// Sends a body to an endpoint. An error means that repeating the call is useless.
    pub(crate) async fn post<E: Endpoint<Path = (), Answer: DeserializeOwned>>(
        &mut self,
        _: E,
        query: &E::Query,
        body: &E::Body,
    ) -> anyhow::Result<Answer<E::Answer>> {
        self.call(Method::POST, &address::<E>(&(), query), serde_json::to_string(body)?).await
    }

    /// Reads from an endpoint, repeatedly until there is an answer or the time is up.
    pub(crate) async fn fetch<E: Endpoint<Answer: DeserializeOwned>>(
        &mut self,
        _: E,
        path: &E::Path,
        query: &E::Query,
    ) -> anyhow::Result<E::Answer> {
        let (began, path) = (Instant::now(), &address::<E>(path, query));
        loop {
            match self.call(Method::GET, path, String::new()).await? {
                Answer::Done(answer) => return Ok(answer),
                Answer::Again(_, why) if began.elapsed() > PATIENCE => bail!("{path}: {why}"),
                Answer::Again(after, _) => tokio::time::sleep(after).await,
            }
        }
    }

    /// Like [`Connection::post`], repeated until there is an answer or the time is up.
    pub(crate) async fn insist<E: Endpoint<Path = (), Answer: DeserializeOwned> + Copy>(
        &mut self,
        endpoint: E,
        query: &E::Query,
        body: &E::Body,
    ) -> anyhow::Result<E::Answer> {
        let (began, path) = (Instant::now(), E::DECLARATION.path);
        loop {
            match self.post(endpoint, query, body).await? {
                Answer::Done(answer) => return Ok(answer),
                Answer::Again(_, why) if began.elapsed() > PATIENCE => bail!("{path}: {why}"),
                Answer::Again(after, _) => tokio::time::sleep(after).await,
            }
        }
    }

    async fn call<T: DeserializeOwned>(
        &mut self,
        method: Method,
        path: &str,
        body: String,
    ) -> anyhow::Result<Answer<T>> {
        let (status, content) = match self.send(method, path, body, false).await {
            Ok(answer) => answer,
            Err(error) => {
                self.sender = None;
                return Ok(Answer::Again(PAUSE, format!("{error:#}")));
            }
        };
        if status.is_success() {
            let answer = serde_json::from_slice(&content);
            return Ok(Answer::Done(
                answer.with_context(|| format!("{path} gave an answer that cannot be read"))?,
            ));
        }
        let Ok(ErrorBody { error }) = serde_json::from_slice(&content) else {
            bail!("{path} answered {status}, which is no answer of a coordinator");
        };
        let again = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
        if !again && error.retry_after_ms.is_none() {
            bail!("the coordinator says: {} ({})", error.message, error.code);
        }
        Ok(Answer::Again(error.retry_after_ms.map_or(PAUSE, Duration::from_millis), error.message))
    }

    /// Sends a request and reads the complete answer. `as_browser` accepts a compressed answer.
    pub(crate) async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: String,
        as_browser: bool,
    ) -> anyhow::Result<(StatusCode, Vec<u8>)> {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.address.authority)
            .header(AUTHORIZATION, &self.bearer);
        if as_browser {
            request = request.header("accept-encoding", "gzip");
        }
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request.body(body).context("cannot make the request")?;
        let answer = self.sender().await?.send_request(request).await.context("the call broke off")?;
        let status = answer.status();
        Ok((status, read(answer.into_body()).await?))
    }

    /// Uses another token from now on.
    pub(crate) fn show(&mut self, token: &str) {
        self.bearer = format!("Bearer {token}");
    }

    /// Reads an event stream until the stream ends. `begun` is called at the first frame.
    pub(crate) async fn listen(&mut self, path: &str, begun: impl FnOnce()) {
        let request = Request::get(path)
            .header(HOST, &self.address.authority)
            .header(AUTHORIZATION, &self.bearer)
            .body(String::new());
        let (Ok(request), Ok(sender)) = (request, self.sender().await) else { return };
        let answer = sender.send_request(request).await;
        self.sender = None;
        let Some(mut body) =
            answer.ok().filter(|answer| answer.status().is_success()).map(Response::into_body)
        else {
            return;
        };
        let mut begun = Some(begun);
        while let Some(Ok(_)) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
            if let Some(begun) = begun.take() {
                begun();
            }
        }
    }

    async fn sender(&mut self) -> anyhow::Result<&mut SendRequest<String>> {
        let open = match self.sender.take() {
            Some(mut sender) => sender.ready().await.is_ok().then_some(sender),
            None => None,
        };
        let sender = match open {
            Some(sender) => sender,
            None => connect(&self.address).await?,
        };
        Ok(self.sender.insert(sender))
    }
}

async fn connect(address: &Address) -> anyhow::Result<SendRequest<String>> {
    let stream = TcpStream::connect(&address.authority).await;
    let stream = stream.with_context(|| format!("cannot connect to {}", address.authority))?;
    stream.set_nodelay(true).context("cannot set up the connection")?;
    let (sender, connection) = handshake(TokioIo::new(stream)).await.context("cannot speak HTTP")?;
    // The next call notices the end of the connection.
    tokio::spawn(async move { drop(connection.await) });
    Ok(sender)
}

async fn read(mut body: Incoming) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let data: Result<Bytes, _> = frame.context("the answer broke off")?.into_data();
        content.extend_from_slice(&data.unwrap_or_default());
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_plain_http_without_a_path() {
        for (url, authority) in
            [("http://host:8437", "host:8437"), ("http://[::1]/", "[::1]:80"), ("host:8437", "host:8437")]
        {
            assert_eq!(Address::parse(url).expect(url).authority, authority);
        }
        for url in ["https://host", "http://host/path", ""] {
            let error = Address::parse(url).expect_err(url);
            assert!(format!("{error:#}").contains("http://HOST:PORT"), "{error:#}");
        }
    }
}
