//! Serving: the listener, the API and the tasks of a coordinator, until the order to stop.

use super::{api, listen};
use crate::coordinator::{BoxFuture, Coordinator};
use axum_server::Handle;
use std::convert::Infallible;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long connections may take to end after the order to stop.
const LAST_ANSWERS: Duration = Duration::from_secs(10);

impl Coordinator {
    /// Serves the API and the dashboard until `shutdown`, then finishes the current answers. The coordinator stays
    /// open: see [`Coordinator::close`].
    ///
    /// # Errors
    /// When the socket fails, or the database at the start.
    pub fn serve(
        &self,
        listener: TcpListener,
        shutdown: CancellationToken,
    ) -> BoxFuture<'static, std::io::Result<()>> {
        let coordinator = self.clone();
        Box::pin(async move {
            coordinator.resume().await.map_err(std::io::Error::other)?;
            // Plays the self-test now, so that the first worker's call does not wait for it.
            tokio::task::spawn_blocking(protocol::selftest::digest);
            let handle = Handle::new();
            let serving = listen::serve(
                listener,
                coordinator.inner.tls.as_ref(),
                api::app(coordinator.clone()),
                handle.clone(),
            );
            let stopping = async {
                let closing = &coordinator.inner.closing;
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = closing.cancelled() => {}
                }
                // An event stream lasts as long as its reader, so it is cancelled. All other answers have a timeout.
                closing.cancel();
                handle.graceful_shutdown(None);
                tokio::time::sleep(LAST_ANSWERS).await;
                handle.shutdown();
                std::future::pending::<Infallible>().await
            };
            let watching = coordinator.watch();
            let upkeep = coordinator.upkeep();
            let attention = coordinator.follow_attention();
            let alarms = coordinator.watch_for_alarms();
            let control = coordinator.follow_control();
            let tunes = coordinator.follow_tunes();
            let sums = coordinator.sum_up();
            tokio::select! {
                served = serving => served,
                never = stopping => match never {},
                why = watching => Err(std::io::Error::other(why)),
                never = upkeep => match never {},
                never = attention => match never {},
                never = alarms => match never {},
                never = control => match never {},
                never = tunes => match never {},
                never = sums => match never {},
            }
        })
    }
}
