//! The one task that writes: requests that wait together are committed together, and answered after the commit.

use crate::clock::Clock;
use crate::metrics::Metrics;
use crate::schedule::lapse;
use crate::store::{Store, StoreError, Tx};
use crate::sync::{JudgedSync, Superseded, Terms, sync};
use protocol::experiment::Experiment;
use protocol::report::Applied;
use protocol::sync::SyncResponse;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// Requests that may wait before callers are told to come back later.
const QUEUE: usize = 1024;

/// Requests committed together at most.
const GROUP: usize = 128;

/// How long rates are remembered: twice as long as any is taken over.
const RECENT_MS: i64 = 600_000;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// What can be asked of the writer.
pub(crate) enum Write {
    Sync(Box<JudgedSync>, Answer<Result<SyncResponse, Superseded>>),
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

struct Asked<T, F> {
    change: F,
    answer: Answer<T>,
}

impl<T, F> Change for Asked<T, F>
where
    T: Send + 'static,
    F: for<'a> FnOnce(&'a mut Tx, i64) -> Doing<'a, T> + Send + 'static,
{
    fn make<'a>(self: Box<Self>, tx: &'a mut Tx, now_ms: i64) -> Doing<'a, KeptAnswer> {
        Box::pin(async move {
            let result = (self.change)(tx, now_ms).await;
            settle(tx, result, self.answer).await
        })
    }

    fn refuse(self: Box<Self>, error: StoreError) {
        // A caller that went away wants no answer.
        let _ = self.answer.send(Err(error));
    }
}

/// An answer kept back until its group is committed; called with the reason when it is not.
pub(crate) type KeptAnswer = Box<dyn FnOnce(Option<&str>) + Send>;

/// The way to the writer.
#[derive(Debug, Clone)]
pub(crate) struct Writer {
    requests: mpsc::Sender<Write>,
}

impl Writer {
    /// Starts the task. It ends after the requests then waiting when `closing` is cancelled, and announces every
    /// committed revision in `revision`.
    pub(crate) fn start(
        store: Arc<Store>,
        terms: Terms,
        clock: Clock,
        (revision, metrics): (watch::Sender<i64>, Arc<Metrics>),
        closing: CancellationToken,
    ) -> (Self, tokio::task::JoinHandle<()>) {
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
                    return;
                }
                commit(&store, &terms, &clock, &mut group, (&revision, &metrics)).await;
            }
        });
        (Self { requests: sender }, task)
    }

    /// Asks for a write and waits until it is durable, however many wait already: for results.
    ///
    /// # Errors
    /// The request's own failure, its group's, or that the queue is closed.
    pub(crate) async fn insist<T>(&self, request: impl FnOnce(Answer<T>) -> Write) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.requests.send(request(answer)).await.map_err(|_| StoreError::Closed)?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// As [`Writer::insist`], but gives way when the queue is full: for everything that can be asked again.
    ///
    /// # Errors
    /// Those of [`Writer::insist`], or that the queue is full.
    pub(crate) async fn ask<T>(&self, request: impl FnOnce(Answer<T>) -> Write) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.requests.try_send(request(answer)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })?;
        answered.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Asks for a change that somebody makes by hand, and waits until it is durable.
    ///
    /// # Errors
    /// Those of [`Writer::ask`].
    pub(crate) async fn change<T, F>(&self, change: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'a> FnOnce(&'a mut Tx, i64) -> Doing<'a, T> + Send + 'static,
    {
        self.ask(|answer| Write::Change(Box::new(Asked { change, answer }))).await
    }

    /// Whether the task has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.requests.is_closed()
    }

    /// Requests that wait.
    pub(crate) fn waiting(&self) -> usize {
        QUEUE - self.requests.capacity()
    }

    /// Whether so much waits that new leases should wait, too.
    pub(crate) fn is_busy(&self) -> bool {
        self.requests.capacity() < QUEUE / 2
    }
}

/// Commits a group and answers it. Without the commit every request of the group fails.
async fn commit(
    store: &Store,
    terms: &Terms,
    clock: &Clock,
    group: &mut Vec<Write>,
    (revision, metrics): (&watch::Sender<i64>, &Metrics),
) {
    let (size, began) = (group.len(), Instant::now());
    let mut lapsed = 0;
    let mut kept = Vec::with_capacity(size);
    let mut waiting = std::mem::take(group).into_iter();
    let committed = async {
        let (mut tx, number) = store.write().await?;
        let now_ms = clock.now_ms();
        tx.forget_recent_games(now_ms - RECENT_MS).await?;
        for request in waiting.by_ref() {
            kept.push(perform(&mut tx, request, terms, now_ms, &mut lapsed).await?);
        }
        tx.commit().await?;
        Ok::<_, StoreError>(number)
    }
    .await;
    metrics.committed(began.elapsed(), committed.is_ok());
    let failure = match committed {
        Ok(number) => {
            metrics.lapsed(lapsed);
            revision.send_replace(number);
            None
        }
        Err(error) => {
            tracing::error!("could not commit a group of {size} requests: {error}");
            Some(error.to_string())
        }
    };
    for answer in kept {
        answer(failure.as_deref());
    }
    for request in waiting {
        refuse(request, failure.as_deref().unwrap_or_default());
    }
}

/// Performs one request so that its failure leaves no trace and does not touch the others of its group. An error means
/// that the transaction itself is lost.
async fn perform(
    tx: &mut Tx,
    request: Write,
    terms: &Terms,
    now_ms: i64,
    lapsed: &mut u64,
) -> Result<KeptAnswer, StoreError> {
    if let Err(error) = tx.mark().await {
        refuse(request, &error.to_string());
        return Err(error);
    }
    match request {
        Write::Sync(call, answer) => {
            let result = sync(tx, &call, terms, now_ms, lapsed).await;
            settle(tx, result, answer).await
        }
        Write::Apply(experiment, who, answer) => {
            let result = apply(tx, &experiment, &who, now_ms).await;
            settle(tx, result, answer).await
        }
        Write::Change(change) => change.make(tx, now_ms).await,
        Write::Lapse(answer) => {
            let result = lapse(tx, terms, now_ms).await;
            *lapsed += result.as_ref().copied().unwrap_or_default();
            settle(tx, result, answer).await
        }
        Write::ExtendAll(answer) => {
            let result = tx.extend_all_leases(now_ms, now_ms + terms.lease_ms).await;
            settle(tx, result, answer).await
        }
    }
}

/// Applies an experiment, and notes what that changed.
async fn apply(tx: &mut Tx, experiment: &Experiment, who: &str, now_ms: i64) -> Result<Applied, StoreError> {
    let applied = tx.apply(experiment, now_ms).await?;
    if applied.created || !applied.superseded.is_empty() {
        let detail =
            format!("{}; {} cells, {} superseded", applied.id, applied.cells, applied.superseded.len());
        tx.note_change(who, ("apply", &experiment.name, &detail), now_ms).await?;
    }
    Ok(applied)
}

/// Keeps or undoes a request's changes, and keeps its answer back. When neither is possible the transaction is lost:
/// the request is refused, and the error is what it failed of.
async fn settle<T: Send + 'static>(
    tx: &mut Tx,
    result: Result<T, StoreError>,
    answer: Answer<T>,
) -> Result<KeptAnswer, StoreError> {
    let lost = match &result {
        Ok(_) => tx.keep().await.err(),
        Err(error) => {
            tracing::error!("a request failed and is undone: {error}");
            tx.undo().await.err()
        }
    };
    if let Some(lost) = lost {
        let error = result.err().unwrap_or(lost);
        // A caller that went away wants no answer.
        let _ = answer.send(Err(StoreError::NotCommitted(error.to_string())));
        return Err(error);
    }
    Ok(Box::new(move |failure| {
        // A caller that went away wants no answer.
        let _ = answer.send(match failure {
            None => result,
            Some(why) => Err(StoreError::NotCommitted(why.to_owned())),
        });
    }))
}

/// Answers a request of which nothing was done.
fn refuse(request: Write, why: &str) {
    let error = StoreError::NotCommitted(why.to_owned());
    // Callers that went away want no answer.
    match request {
        Write::Sync(_, answer) => drop(answer.send(Err(error))),
        Write::Apply(_, _, answer) => drop(answer.send(Err(error))),
        Write::Change(change) => change.refuse(error),
        Write::Lapse(answer) | Write::ExtendAll(answer) => drop(answer.send(Err(error))),
    }
}
