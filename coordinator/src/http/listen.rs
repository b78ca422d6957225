//! The listener: connections with timeouts, a limit for their number, and TLS.

use super::api::plain_http_to_tls;
use crate::access::Tls;
use axum::response::Response;
use axum::{Extension, Router};
use axum_server::accept::Accept;
use axum_server::tls_rustls::RustlsAcceptor;
use axum_server::{Handle, Server};
use hyper::Request;
use hyper::body::Incoming;
use rustix::process::{Resource, getrlimit, setrlimit};
use socket2::SockRef;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;
use tower::util::BoxCloneSyncService;
use tower::{Layer, Service};

/// The most open connections.
const MOST_CONNECTIONS: usize = 20_000;

/// Open files besides connections: databases, logs, certificates.
const OTHER_FILES: usize = 200;

/// The timeouts of a connection.
#[derive(Debug, Clone, Copy)]
struct Timeouts {
    /// From the connection to the head of the first request.
    first_head: Duration,
    /// From an answer to the head of the next request.
    next_head: Duration,
    /// While the peer receives nothing of an answer.
    write: Duration,
}

const TIMEOUTS: Timeouts = Timeouts {
    first_head: Duration::from_secs(10),
    // Workers are silent for up to a minute.
    next_head: Duration::from_secs(75),
    write: Duration::from_secs(30),
};

/// The first byte of a TLS connection. No plain request begins with it.
const HANDSHAKE: u8 = 0x16;

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

/// Serves until `handle` ends it; over TLS if there is a certificate.
pub(crate) async fn serve(
    listener: TcpListener,
    tls: Option<&Tls>,
    app: Router,
    handle: Handle<SocketAddr>,
) -> io::Result<()> {
    serve_within(listener, tls, app, handle, raise_open_files(), TIMEOUTS).await
}

/// As [`serve`], with these limits.
async fn serve_within(
    listener: TcpListener,
    tls: Option<&Tls>,
    app: Router,
    handle: Handle<SocketAddr>,
    most: usize,
    timeouts: Timeouts,
) -> io::Result<()> {
    let acceptor = Acceptor {
        free: Arc::new(Semaphore::new(most)),
        tls: tls.map(|tls| RustlsAcceptor::new(tls.config.clone())),
        timeouts,
    };
    let mut server = Server::<SocketAddr>::from_listener(listener)
        .handle(handle)
        .http1_only()
        .first_request_timeout(timeouts.first_head)
        .accept_error_handler(|peer: Option<&SocketAddr>, error| match peer {
            Some(peer) => tracing::debug!(%peer, "a connection ended badly: {error}"),
            None => tracing::warn!("cannot take another connection: {error}"),
        })
        .acceptor(acceptor);
    server.http_builder().http1().header_read_timeout(timeouts.next_head);
    server.serve(app.into_make_service_with_connect_info::<SocketAddr>()).await
}

/// Begins connections.
#[derive(Clone)]
struct Acceptor {
    free: Arc<Semaphore>,
    tls: Option<RustlsAcceptor>,
    timeouts: Timeouts,
}

type Stream = Either<TlsStream<TcpStream>, TcpStream>;
type Answering = BoxCloneSyncService<Request<Incoming>, Response, Infallible>;

impl Acceptor {
    /// Begins a connection, or fails if too many are open. The only answer to plain HTTP on a listener for TLS is that TLS is needed.
    async fn begin<S>(self, stream: TcpStream, service: S) -> io::Result<(Stream, Answering)>
    where
        S: Service<Request<Incoming>, Response = Response, Error = Infallible>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send,
    {
        let permit = self.free.try_acquire_owned().map_err(|_| io::Error::other("too many are open"))?;
        // The service holds the permit until the connection ends.
        let counted = Extension(Arc::new(permit));
        // Answers are small, and a worker waits for each.
        stream.set_nodelay(true)?;
        SockRef::from(&stream).set_tcp_user_timeout(Some(self.timeouts.write))?;
        let Some(tls) = self.tls else {
            return Ok((Either::Right(stream), Answering::new(counted.layer(service))));
        };
        let mut first = [0];
        timeout(self.timeouts.first_head, stream.peek(&mut first)).await??;
        if first[0] != HANDSHAKE {
            return Ok((Either::Right(stream), Answering::new(counted.layer(plain_http_to_tls()))));
        }
        let (stream, service) = tls.accept(stream, counted.layer(service)).await?;
        Ok((Either::Left(stream), Answering::new(service)))
    }
}

impl<S> Accept<TcpStream, S> for Acceptor
where
    S: Service<Request<Incoming>, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
    S::Future: Send,
{
    type Stream = Stream;
    type Service = Answering;
    type Future = Pin<Box<dyn Future<Output = io::Result<(Stream, Answering)>> + Send>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        Box::pin(self.clone().begin(stream, service))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::task::JoinHandle;

    const SHORT: Duration = Duration::from_millis(100);
    const LONG: Duration = Duration::from_secs(3_600);

    struct Started {
        address: SocketAddr,
        handle: Handle<SocketAddr>,
        serving: JoinHandle<io::Result<()>>,
    }

    impl Started {
        async fn within(most: usize, timeouts: Timeouts) -> Self {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("bound");
            let peer = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.ip().to_string();
            let app = Router::new()
                .route("/", get(peer))
                .route(
                    "/endless",
                    get(|| async {
                        Body::from_stream(futures_util::stream::pending::<io::Result<String>>())
                    }),
                )
                .route("/large", get(|| async { vec![0; 64 << 20] }));
            let handle = Handle::new();
            let serving = serve_within(listener, None, app, handle.clone(), most, timeouts);
            Self { address, handle: handle.clone(), serving: tokio::spawn(serving) }
        }

        async fn connect(&self) -> TcpStream {
            TcpStream::connect(self.address).await.expect("connected")
        }

        async fn sent(&self, request: &[u8]) -> TcpStream {
            let mut stream = self.connect().await;
            stream.write_all(request).await.expect("sent");
            stream
        }

        /// Whether a new connection gets its answer.
        async fn answers(&self) -> bool {
            let mut stream = self.connect().await;
            let mut answer = String::new();
            let asked = stream.write_all(b"GET / HTTP/1.0\r\n\r\n").await;
            asked.is_ok()
                && stream.read_to_string(&mut answer).await.is_ok()
                && answer.starts_with("HTTP/1.0 200")
                && answer.ends_with("127.0.0.1")
        }

        async fn until_connections_are(&self, number: usize) {
            while self.handle.connection_count() != number {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }

        async fn stop(self) {
            self.handle.graceful_shutdown(Some(SHORT));
            self.serving.await.expect("no panic").expect("served");
        }
    }

    #[tokio::test]
    async fn a_caller_that_sends_no_request_is_cut_off() {
        for timeouts in
            [Timeouts { first_head: SHORT, ..TIMEOUTS }, Timeouts { next_head: SHORT, ..TIMEOUTS }]
        {
            let server = Started::within(100, timeouts).await;
            let mut silent = server.connect().await;
            let mut slow = server.sent(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ").await;
            assert!(server.answers().await);
            // Each of these would never return if the connection stayed open.
            for stream in [&mut silent, &mut slow] {
                let mut answer = String::new();
                let _ = stream.read_to_string(&mut answer).await;
                assert!(!answer.contains("200"), "{answer}");
            }
            server.stop().await;
        }
    }

    #[tokio::test]
    async fn a_caller_that_receives_nothing_is_cut_off() {
        let server = Started::within(100, Timeouts { write: SHORT, ..TIMEOUTS }).await;
        let stuck = server.sent(b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n").await;
        stuck.readable().await.expect("an answer");
        // This would never return if the connection stayed open.
        server.until_connections_are(0).await;
        server.stop().await;
    }

    #[tokio::test]
    async fn nonsense_ends_its_own_connection_only() {
        let server = Started::within(100, TIMEOUTS).await;
        for nonsense in [&b"\x16\x03\x01\x02\x00"[..], b"GET\r\n\r\n", b"\r\n\r\n\0\0", &[b'A'; 70_000]] {
            let mut stream = server.connect().await;
            // The other end may close in the middle of it.
            let _ = stream.write_all(nonsense).await;
            let _ = stream.shutdown().await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
        assert!(server.answers().await);
        server.stop().await;
    }

    #[tokio::test]
    async fn idle_connections_keep_others_out_for_a_moment_only() {
        let server = Started::within(20, Timeouts { first_head: SHORT, ..TIMEOUTS }).await;
        let mut idle = Vec::new();
        for _ in 0..50 {
            idle.push(server.connect().await);
        }
        while !server.answers().await {
            tokio::time::sleep(SHORT / 10).await;
        }
        server.stop().await;
    }

    #[tokio::test]
    async fn a_server_stops_with_connections_of_every_kind() {
        let server = Started::within(100, Timeouts { first_head: LONG, next_head: LONG, write: LONG }).await;
        let silent = server.connect().await;
        let half = server.sent(b"GET / HTTP/1.1\r\nHost: x\r\n").await;
        let endless = server.sent(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n").await;
        let kept = server.sent(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").await;
        for answered in [&endless, &kept] {
            answered.readable().await.expect("an answer");
        }
        server.until_connections_are(4).await;
        // This would never return if one of the four kept it.
        server.stop().await;
        drop((silent, half, endless, kept));
    }
}
