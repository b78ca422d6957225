//! One connection, kept open between calls as a worker's is. A client with a pool would send the calls of ten thousand
//! workers over the few connections that happen to be free.

use anyhow::{Context, bail};
use hyper::body::{Body, Bytes, Incoming};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use protocol::sync::ErrorBody;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::Pin;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;

/// A coordinator's address.
#[derive(Debug, Clone)]
pub(super) struct Address {
    /// Host and port.
    authority: String,
}

impl Address {
    /// Reads `http://HOST:PORT`.
    pub(super) fn parse(url: &str) -> anyhow::Result<Self> {
        let wanted = "give the coordinator as http://HOST:PORT, without TLS and without a path";
        let url = reqwest::Url::parse(url.trim()).with_context(|| format!("`{url}`: {wanted}"))?;
        match (url.scheme(), url.host_str(), url.port_or_known_default(), url.path()) {
            ("http", Some(host), Some(port), "/") => Ok(Self { authority: format!("{host}:{port}") }),
            _ => bail!("`{url}`: {wanted}"),
        }
    }
}

/// What a call came to.
pub(super) enum Answer<T> {
    /// It was answered.
    Done(T),
    /// Nothing was heard, or it is to be asked again after a while.
    Again(Duration, String),
}

/// How long to wait before a call is repeated when the coordinator names no time.
const PAUSE: Duration = Duration::from_secs(1);

/// How long something is asked again.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection, made when it is first needed and again when it broke.
pub(super) struct Connection {
    address: Address,
    bearer: String,
    sender: Option<SendRequest<String>>,
}

impl Connection {
    pub(super) fn new(address: Address, token: &str) -> Self {
        Self { address, bearer: format!("Bearer {token}"), sender: None }
    }

    /// `POST path` with a JSON body. An error is a refusal for good.
    pub(super) async fn post<T: DeserializeOwned>(
        &mut self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<Answer<T>> {
        self.call(Method::POST, path, serde_json::to_string(body)?).await
    }

    /// `GET path`. An error is a refusal for good.
    async fn get<T: DeserializeOwned>(&mut self, path: &str) -> anyhow::Result<Answer<T>> {
        self.call(Method::GET, path, String::new()).await
    }

    /// As [`Connection::get`], repeated until it is answered, for a while.
    pub(super) async fn fetch<T: DeserializeOwned>(&mut self, path: &str) -> anyhow::Result<T> {
        let began = Instant::now();
        loop {
            match self.get(path).await? {
                Answer::Done(answer) => return Ok(answer),
                Answer::Again(_, why) if began.elapsed() > PATIENCE => bail!("{path}: {why}"),
                Answer::Again(after, _) => tokio::time::sleep(after).await,
            }
        }
    }

    /// As [`Connection::post`], repeated until it is answered, for a while.
    pub(super) async fn insist<T: DeserializeOwned>(
        &mut self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<T> {
        let began = Instant::now();
        loop {
            match self.post(path, body).await? {
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
            return Ok(Answer::Done(answer.with_context(|| format!("{path} gave an answer that is none"))?));
        }
        let Ok(ErrorBody { error }) = serde_json::from_slice(&content) else {
            bail!("{path} answered {status}, not as a coordinator does");
        };
        let again = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
        if !again && error.retry_after_ms.is_none() {
            bail!("the coordinator says: {} ({})", error.message, error.code);
        }
        Ok(Answer::Again(error.retry_after_ms.map_or(PAUSE, Duration::from_millis), error.message))
    }

    /// Sends a request and reads its answer whole; `as_browser` takes it compressed.
    pub(super) async fn send(
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

    /// Shows another token from now on.
    pub(super) fn show(&mut self, token: &str) {
        self.bearer = format!("Bearer {token}");
    }

    /// Listens to a stream until it ends; `begun` is called when its first part comes.
    pub(super) async fn listen(&mut self, path: &str, begun: impl FnOnce()) {
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
    // How it ends is seen by the next call.
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
        for (url, authority) in [("http://host:8437", "host:8437"), ("http://[::1]/", "[::1]:80")] {
            assert_eq!(Address::parse(url).expect(url).authority, authority);
        }
        for url in ["https://host", "host:8437", "http://host/path", ""] {
            let error = Address::parse(url).expect_err(url);
            assert!(format!("{error:#}").contains("http://HOST:PORT"), "{error:#}");
        }
    }
}
