//! The one task that writes. Requests that wait together are committed together, and are answered after the commit.

mod group;
mod request;
mod storing;

use group::commit;
pub(crate) use group::{RECENT_MS, synchronise_clock};
use request::{ChangeFuture, PendingChange, ReplySender};
pub(crate) use request::{Write, changing};
pub(crate) use storing::Storing;

use crate::clock::{Clock, PendingRenewal};
use crate::intake::{JudgedSync, SyncRefusal};
use crate::metrics::Metrics;
use crate::store::{Store, StoreError, Tx};
use crate::terms::Terms;
use protocol::sync::SyncResponse;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The length of the queue. When the queue is full, requests fail and callers retry later.
const QUEUE: usize = 1024;

/// The largest number of requests that are committed together.
const GROUP: usize = 128;

/// A handle of the writer.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    requests: mpsc::Sender<Write>,
}

impl Writer {
    /// Starts the task, which sends every committed revision to `revision`. After `closing` is cancelled, the task
    /// performs the requests that wait and ends.
    pub(crate) fn start(
        store: Arc<Store>,
        terms: Terms,
        (clock, debt, storing): (Clock, Arc<PendingRenewal>, Arc<Storing>),
        (revision, metrics): (watch::Sender<i64>, Arc<Metrics>),
        closing: CancellationToken,
    ) -> (Self, JoinHandle<()>) {
        let (sender, mut requests) = mpsc::channel(QUEUE);
        let task = tokio::spawn(async move {
            let mut group = Vec::with_capacity(GROUP);
            loop {
                let received = tokio::select! {
                    biased;
                    received = requests.recv_many(&mut group, GROUP) => received,
                    () = closing.cancelled(), if !requests.is_closed() => {
                        requests.close();
                        continue;
                    }
                };
                if received == 0 {
                    break;
                }
                commit(&store, &terms, (&clock, &debt, &storing), &mut group, (&revision, &metrics)).await;
            }
        });
        (Self { requests: sender }, task)
    }

    /// Performs a worker's call. Gives the answer after the commit, which is on disk. A call with results waits for room
    /// in the queue; a call without results fails when the queue is full.
    ///
    /// # Errors
    /// The call's own failure, its group's, or that the queue is closed or full.
    pub(crate) async fn sync(
        &self,
        call: JudgedSync,
    ) -> Result<Result<SyncResponse, SyncRefusal>, StoreError> {
        let insists = !call.games.is_empty();
        let (answer, answered) = oneshot::channel();
        let request = Write::Sync(Box::new(call), answer);
        if insists {
            self.requests.send(request).await.map_err(|_| StoreError::Closed)?;
        } else {
            self.try_send(request)?;
        }
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Performs another write, and waits until it is on disk. It fails when the queue is full; the caller may try again.
    ///
    /// # Errors
    /// The request's own failure, its group's, or that the queue is closed or full.
    pub(crate) async fn ask<T>(
        &self,
        request: impl FnOnce(ReplySender<T>) -> Write,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.try_send(request(answer))?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    fn try_send(&self, request: Write) -> Result<(), StoreError> {
        self.requests.try_send(request).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })
    }

    /// Performs a change that a person makes, and waits until it is on disk.
    ///
    /// # Errors
    /// Those of [`Writer::ask`].
    pub(crate) async fn change<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Tx, i64) -> ChangeFuture<'a, T> + Send + 'static,
    {
        self.ask(|answer| Write::Change(Box::new(PendingChange { change, answer }))).await
    }

    /// Whether the task has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    /// The number of requests that wait.
    pub(crate) fn waiting(&self) -> usize {
        QUEUE - self.requests.capacity()
    }

    /// Whether the queue is so long that new leases should wait, too.
    pub(crate) fn is_busy(&self) -> bool {
        self.requests.capacity() < QUEUE / 2
    }
}
