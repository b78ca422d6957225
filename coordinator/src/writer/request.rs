//! The requests that the writer takes, and how each is answered.

use crate::intake::{JudgedSync, SyncRefusal};
use crate::store::{StoreError, Tx};
use protocol::sync::SyncResponse;
use std::pin::Pin;
use tokio::sync::oneshot;

/// Where the result of a request goes.
pub(super) type ReplySender<T> = oneshot::Sender<Result<T, StoreError>>;

/// A request to the writer.
pub(crate) enum Write {
    Sync(Box<JudgedSync>, ReplySender<Result<SyncResponse, SyncRefusal>>),
    /// A change that a person makes.
    Change(Box<dyn Change>),
    /// Ends the leases whose deadline has passed.
    Lapse(ReplySender<u64>),
    /// Gives every active lease a full term from now.
    ExtendAll(ReplySender<u64>),
}

/// The work of a change, at a time in milliseconds since 1970.
pub(crate) type ChangeFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A change and its caller, whatever the type of the answer.
pub(crate) trait Change: Send {
    /// Performs the change, and keeps or undoes its writes.
    fn make<'a>(self: Box<Self>, tx: &'a mut Tx, now_ms: i64) -> ChangeFuture<'a, HeldAnswer>;

    /// Answers that the change was not performed.
    fn refuse(self: Box<Self>, error: StoreError);
}

/// Gives a closure the type of a change. Without this function the compiler infers one lifetime for the argument rather than all
/// lifetimes.
pub(crate) fn changing<T, F>(change: F) -> F
where
    F: for<'a> FnOnce(&'a mut Tx, i64) -> ChangeFuture<'a, T> + Send + 'static,
{
    change
}

pub(super) struct PendingChange<T, F> {
    pub(super) change: F,
    pub(super) answer: ReplySender<T>,
}

impl<T, F> Change for PendingChange<T, F>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Tx, i64) -> ChangeFuture<'a, T> + Send + 'static,
{
    fn make<'a>(self: Box<Self>, tx: &'a mut Tx, now_ms: i64) -> ChangeFuture<'a, HeldAnswer> {
        Box::pin(async move {
            let result = (self.change)(tx, now_ms).await;
            finish(tx, result, self.answer).await
        })
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        // The caller may have disconnected.
        let _ = self.answer.send(Err(error));
    }
}

/// An answer that is held until its group is committed. It is called with the reason if the group is not committed.
pub(crate) type HeldAnswer = Box<dyn FnOnce(Result<(), &str>) + Send>;

/// Keeps or undoes the writes of a request, and holds its answer. If neither is possible the transaction is lost: the
/// request is refused, and the error is the cause.
pub(super) async fn finish<T: Send + 'static>(
    tx: &mut Tx,
    result: Result<T, StoreError>,
    answer: ReplySender<T>,
) -> Result<HeldAnswer, StoreError> {
    let lost = match &result {
        Ok(_) => tx.release().await.err(),
        Err(error) => {
            tracing::error!("a request failed and is undone: {error}");
            tx.roll_back().await.err()
        }
    };
    if let Some(lost) = lost {
        let error = tx.named(result.err().unwrap_or(lost)).await;
        // The caller may have disconnected.
        let _ = answer.send(Err(StoreError::NotCommitted(error.to_string())));
        return Err(error);
    }
    let result = match result {
        Ok(result) => Ok(result),
        Err(error) => Err(tx.named(error).await),
    };
    Ok(keep_back(answer, result))
}

pub(super) fn keep_back<T: Send + 'static>(
    answer: ReplySender<T>,
    result: Result<T, StoreError>,
) -> HeldAnswer {
    Box::new(move |committed| {
        // The caller may have disconnected.
        let _ = answer.send(match committed {
            Ok(()) => result,
            Err(why) => Err(StoreError::NotCommitted(why.to_owned())),
        });
    })
}

/// Answers a request that was not performed.
pub(super) fn refuse(request: Write, why: &str) {
    let error = StoreError::NotCommitted(why.to_owned());
    // The callers may have disconnected.
    match request {
        Write::Sync(_, answer) => drop(answer.send(Err(error))),
        Write::Change(change) => change.refuse(error),
        Write::Lapse(answer) | Write::ExtendAll(answer) => drop(answer.send(Err(error))),
    }
}
