//! The listener, with timeouts for sending a request and for receiving the answer.
//!
//! `axum::serve` has no such timeouts: with it, a few silent clients would hold every connection indefinitely.

use super::api::plain_http_to_tls;
use super::connections::{Connections, Encrypted, Place};
use super::slow_readers::Hurried;
use crate::access::{Network, Tls};
use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, getrlimit, setrlimit};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// The most open connections.
const MOST_CONNECTIONS: usize = 20_000;

/// The most open connections of one address; the rest is for other addresses.
const OF_ONE_ADDRESS: usize = 15_000;

/// Open files besides connections: databases, logs, certificates.
const OTHER_FILES: usize = 200;

/// How long a caller may take to receive some kilobytes of an answer.
const WRITE_TIME: Duration = Duration::from_secs(30);

/// How long a connection may take to send the head of its next request. Workers are silent for up to a minute.
const HEAD_TIME: Duration = Duration::from_secs(75);

/// How long a TLS handshake may take.
const HANDSHAKE_TIME: Duration = Duration::from_secs(10);

/// The first byte of a TLS connection. No plain request begins with it.
const HANDSHAKE: u8 = 0x16;

/// The pause after `accept` fails, usually because too many files are open.
const PAUSE: Duration = Duration::from_millis(200);

/// Raises the limit of open files to what the system allows, because every connection needs one and shells begin with 1024. Gives
/// the number of connections that fit.
fn raise_open_files() -> usize {
    let mut limit = getrlimit(Resource::Nofile);
    let before = limit.current;
    limit.current = limit.maximum;
    match setrlimit(Resource::Nofile, limit) {
        Ok(()) => {}
        Err(error) => {
            let before = before.map_or("no limit".to_owned(), |files| files.to_string());
            tracing::warn!("cannot raise the number of open files, now {before}: {error}");
        }
    }
    let files = getrlimit(Resource::Nofile).current.map_or(usize::MAX, |files| files as usize);
    MOST_CONNECTIONS.min(files.saturating_sub(OTHER_FILES).max(files / 2))
}

/// Serves until `stopped`, then until the current requests are answered; over TLS if there is a certificate.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<Tls>,
    app: Router,
    proxies: Vec<Network>,
    stopped: impl Future<Output = ()>,
) -> io::Result<()> {
    let most = raise_open_files();
    let connections = Connections::new(most, OF_ONE_ADDRESS.min(most * 3 / 4), proxies);
    serve_within(listener, tls, app, connections, stopped, HEAD_TIME).await
}

/// As [`serve`], with these limits for connections and for the time of a request's head.
async fn serve_within(
    listener: TcpListener,
    tls: Option<Tls>,
    app: Router,
    room: Arc<Connections>,
    stopped: impl Future<Output = ()>,
    head_time: Duration,
) -> io::Result<()> {
    let (closing, connections) = (CancellationToken::new(), TaskTracker::new());
    let mut stopped = std::pin::pin!(stopped);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stopped => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let Some(place) = room.enter(peer.ip()) else { continue };
                let (tls, app, closing) = (tls.clone(), app.clone(), closing.clone());
                let closed = place.closed().clone();
                let connection = async move {
                    // Answers are small, and a worker waits for each.
                    let _ = stream.set_nodelay(true);
                    let from = From { peer, encrypted: None, place };
                    match tls {
                        None => connection(stream, from, app, head_time, closing).await,
                        Some(tls) => encrypted_connection(stream, from, &tls, app, head_time, closing).await,
                    }
                };
                connections.spawn(closed.run_until_cancelled_owned(connection));
            }
            Err(error) if is_the_callers(&error) => {}
            Err(error) => {
                tracing::warn!("cannot take another connection: {error}");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    drop(listener);
    closing.cancel();
    connections.close();
    connections.wait().await;
    Ok(())
}

/// Whether an error concerns one connection only.
fn is_the_callers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// The peer of a connection.
#[derive(Clone)]
struct From {
    peer: SocketAddr,
    encrypted: Option<Encrypted>,
    place: Arc<Place>,
}

/// The body of an answer. When it is written or abandoned, its connection is no longer busy and may be closed.
struct OnItsWay {
    body: Body,
    place: Arc<Place>,
}

impl hyper::body::Body for OnItsWay {
    type Data = <Body as hyper::body::Body>::Data;
    type Error = <Body as hyper::body::Body>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for OnItsWay {
    fn drop(&mut self) {
        self.place.answered();
    }
}

/// Serves a connection after a TLS handshake. The only answer to plain HTTP is that TLS is needed.
async fn encrypted_connection(
    stream: TcpStream,
    from: From,
    tls: &Tls,
    app: Router,
    head_time: Duration,
    closing: CancellationToken,
) {
    let beginning = async {
        let mut first = [0];
        stream.peek(&mut first).await?;
        if first[0] != HANDSHAKE {
            return Ok(Err(stream));
        }
        tls.acceptor.accept(stream).await.map(Ok)
    };
    let begun = tokio::select! {
        begun = tokio::time::timeout(HANDSHAKE_TIME.min(head_time), beginning) => begun,
        () = closing.cancelled() => return,
    };
    let peer = from.peer;
    match begun {
        Ok(Ok(Ok(stream))) => {
            connection(stream, From { encrypted: Some(Encrypted), ..from }, app, head_time, closing).await;
        }
        Ok(Ok(Err(stream))) => connection(stream, from, plain_http_to_tls(), head_time, closing).await,
        Ok(Err(error)) => tracing::debug!(%peer, "no TLS with this caller: {error}"),
        Err(_) => tracing::debug!(%peer, "a caller took too long to begin with TLS"),
    }
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin,
    from: From,
    app: Router,
    head_time: Duration,
    closing: CancellationToken,
) {
    let peer = from.peer;
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let place = from.place.clone();
        place.heard();
        let mut request = request.map(Body::new);
        let extensions = request.extensions_mut();
        extensions.insert(ConnectInfo(peer));
        extensions.insert(place.clone());
        if let Some(encrypted) = from.encrypted {
            extensions.insert(encrypted);
        }
        // A router is always ready.
        let answer = app.clone().call(request);
        async move { Ok::<_, Infallible>(answer.await?.map(|body| Body::new(OnItsWay { body, place }))) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_time);
    let mut serving =
        std::pin::pin!(builder.serve_connection(TokioIo::new(Hurried::new(stream, WRITE_TIME)), service));
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = closing.cancelled() => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%peer, "a connection ended badly: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    async fn started(
        most: usize,
        head_time: Duration,
    ) -> (SocketAddr, CancellationToken, tokio::task::JoinHandle<io::Result<()>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let stop = CancellationToken::new();
        let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.ip().to_string();
        let app = Router::new().route("/", get(peer));
        let room = Connections::new(most, most, Vec::new());
        let serving = serve_within(listener, None, app, room, stop.clone().cancelled_owned(), head_time);
        (address, stop, tokio::spawn(serving))
    }

    async fn rest(stream: &mut TcpStream) -> String {
        let mut text = String::new();
        stream.read_to_string(&mut text).await.expect("UTF-8");
        text
    }

    #[tokio::test]
    async fn who_does_not_say_what_he_wants_is_cut_off_and_the_others_are_served() {
        let (address, stop, serving) = started(100, Duration::from_millis(100)).await;
        let mut silent = TcpStream::connect(address).await.expect("connected");
        let mut slow = TcpStream::connect(address).await.expect("connected");
        slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").await.expect("sent");
        let mut good = TcpStream::connect(address).await.expect("connected");
        good.write_all(b"GET / HTTP/1.0\r\n\r\n").await.expect("sent");
        let answer = rest(&mut good).await;
        assert!(answer.starts_with("HTTP/1.0 200") && answer.ends_with("127.0.0.1"), "{answer}");
        // Each of these would never return if the connection stayed open.
        for stream in [&mut silent, &mut slow] {
            assert!(!rest(stream).await.contains("200"));
        }
        stop.cancel();
        serving.await.expect("no panic").expect("served");
    }

    #[tokio::test]
    async fn nonsense_ends_its_own_connection_only() {
        let (address, stop, serving) = started(100, HEAD_TIME).await;
        for nonsense in [&b"\x16\x03\x01\x02\x00"[..], b"GET\r\n\r\n", b"\r\n\r\n\0\0", &[b'A'; 70_000]] {
            let mut stream = TcpStream::connect(address).await.expect("connected");
            // The other end may close in the middle of it.
            let _ = stream.write_all(nonsense).await;
            let _ = stream.shutdown().await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
        let mut good = TcpStream::connect(address).await.expect("connected");
        good.write_all(b"GET / HTTP/1.0\r\n\r\n").await.expect("sent");
        assert!(rest(&mut good).await.starts_with("HTTP/1.0 200"));
        stop.cancel();
        serving.await.expect("no panic").expect("served");
    }

    #[tokio::test]
    async fn idle_connections_keep_nobody_out() {
        let (address, stop, serving) = started(20, HEAD_TIME).await;
        let mut idle = Vec::new();
        for n in 0..100 {
            let mut stream = TcpStream::connect(address).await.expect("connected");
            if n % 2 == 0 {
                stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.expect("sent");
            }
            idle.push(stream);
        }
        for _ in 0..3 {
            let mut good = TcpStream::connect(address).await.expect("connected");
            good.write_all(b"GET / HTTP/1.0\r\n\r\n").await.expect("sent");
            assert!(rest(&mut good).await.starts_with("HTTP/1.0 200"));
        }
        // The first are closed for the last: this would never return if they were not.
        let _ = idle[0].read(&mut [0]).await;
        stop.cancel();
        drop(idle);
        serving.await.expect("no panic").expect("served");
    }
}
