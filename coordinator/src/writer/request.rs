//! What can be asked of the writer, and how each request is answered.

use super::flush::Flushed;
use crate::intake::{JudgedSync, NotHeard};
use crate::store::{StoreError, Tx};
use protocol::experiment::Experiment;
use protocol::report::Applied;
use protocol::sync::SyncResponse;
use std::pin::Pin;
use tokio::sync::oneshot;

/// What came of a request, and its group's way to the disk.
pub(super) type Answer<T> = oneshot::Sender<Result<(T, Flushed), StoreError>>;

/// What can be asked of the writer.
pub(crate) enum Write {
    Sync(Box<JudgedSync>, Answer<Result<SyncResponse, NotHeard>>),
    /// Applies an experiment, in the name of somebody.
    Apply(Box<Experiment>, String, Answer<Applied>),
    /// Something that somebody changes by hand.
    Change(Box<dyn Change>),
    /// Takes back the leases whose deadline has passed.
    Lapse(Answer<u64>),
    /// Gives every active lease a full term from now.
    ExtendAll(Answer<u64>),
}

/// What a change does to the database at a time, in milliseconds since 1970.
pub(crate) type Doing<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A change with its caller, whatever the type of its answer.
pub(crate) trait Change: Send {
    /// Makes it, and keeps or undoes what it did.
    fn make<'a>(self: Box<Self>, tx: &'a mut Tx, now_ms: i64) -> Doing<'a, KeptAnswer>;

    /// Answers that nothing was done.
    fn refuse(self: Box<Self>, error: StoreError);
}

/// A closure as a change. Without it the compiler takes its argument to live for one lifetime, not for any.
pub(crate) fn changing<T, F>(change: F) -> F
where
    F: for<'a> FnOnce(&'a mut Tx, i64) -> Doing<'a, T> + Send + 'static,
{
    change
}

pub(super) struct Asked<T, F> {
    pub(super) change: F,
    pub(super) answer: Answer<T>,
}

impl<T, F> Change for Asked<T, F>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Tx, i64) -> Doing<'a, T> + Send + 'static,
{
    fn make<'a>(self: Box<Self>, tx: &'a mut Tx, now_ms: i64) -> Doing<'a, KeptAnswer> {
        Box::pin(async move {
            let result = (self.change)(tx, now_ms).await;
            finish(tx, result, self.answer).await
        })
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        // A caller that went away wants no answer.
        let _ = self.answer.send(Err(error));
    }
}

/// An answer kept back until its group is committed; called with the reason when it is not.
pub(crate) type KeptAnswer = Box<dyn FnOnce(Result<&Flushed, &str>) + Send>;

/// Keeps or undoes a request's changes, and keeps its answer back. When neither is possible the transaction is lost:
/// the request is refused, and the error is what it failed of.
pub(super) async fn finish<T: Send + 'static>(
    tx: &mut Tx,
    result: Result<T, StoreError>,
    answer: Answer<T>,
) -> Result<KeptAnswer, StoreError> {
    let lost = match &result {
        Ok(_) => tx.release().await.err(),
        Err(error) => {
            tracing::error!("a request failed and is undone: {error}");
            tx.roll_back().await.err()
        }
    };
    if let Some(lost) = lost {
        let error = tx.named(result.err().unwrap_or(lost)).await;
        // A caller that went away wants no answer.
        let _ = answer.send(Err(StoreError::NotCommitted(error.to_string())));
        return Err(error);
    }
    let result = match result {
        Ok(result) => Ok(result),
        Err(error) => Err(tx.named(error).await),
    };
    Ok(keep_back(answer, result))
}

pub(super) fn keep_back<T: Send + 'static>(answer: Answer<T>, result: Result<T, StoreError>) -> KeptAnswer {
    Box::new(move |committed| {
        // A caller that went away wants no answer.
        let _ = answer.send(match committed {
            Ok(flushed) => result.map(|result| (result, flushed.clone())),
            Err(why) => Err(StoreError::NotCommitted(why.to_owned())),
        });
    })
}

/// Answers a request of which nothing was done.
pub(super) fn refuse(request: Write, why: &str) {
    let error = StoreError::NotCommitted(why.to_owned());
    // Callers that went away want no answer.
    match request {
        Write::Sync(_, answer) => drop(answer.send(Err(error))),
        Write::Apply(_, _, answer) => drop(answer.send(Err(error))),
        Write::Change(change) => change.refuse(error),
        Write::Lapse(answer) | Write::ExtendAll(answer) => drop(answer.send(Err(error))),
    }
}
