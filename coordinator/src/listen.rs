//! Connections: how many, and how long one may take to say what it wants.
//!
//! `axum::serve` would do all of this but the time limit, without which a handful of silent clients holds every
//! connection for ever.

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// Connections open at once at most.
const MOST_CONNECTIONS: usize = 20_000;

/// How long a connection may take to send the head of its next request. Workers are silent for up to a minute.
const HEAD_TIME: Duration = Duration::from_secs(75);

/// How long to wait after the system gave no connection, for want of open files above all.
const PAUSE: Duration = Duration::from_millis(200);

/// Serves until `stopped`, then until the requests in hand are answered.
pub(crate) async fn serve(
    listener: TcpListener,
    app: Router,
    stopped: impl Future<Output = ()>,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let (closing, connections) = (CancellationToken::new(), TaskTracker::new());
    let mut stopped = std::pin::pin!(stopped);
    loop {
        let accepted = async {
            let place = room.clone().acquire_owned().await;
            (listener.accept().await, place)
        };
        let (accepted, place) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut stopped => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                let connection = connection(stream, peer, app.clone(), closing.clone());
                connections.spawn(async move {
                    connection.await;
                    drop(place);
                });
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

/// Errors of one connection, which say nothing about the next.
fn is_the_callers(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

async fn connection(stream: TcpStream, peer: SocketAddr, app: Router, closing: CancellationToken) {
    // Answers are small, and a worker waits for each.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        // A router is always ready.
        app.clone().call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let mut serving = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
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
