//! The one task that writes: requests that wait together are committed together, and answered after the commit.

mod committed;
mod deadline;
mod flush;
mod storing;

pub use committed::Committed;
pub(crate) use deadline::{Deadlines, Waiter};
pub(crate) use flush::Commits;
pub(crate) use storing::Storing;

use crate::clock::{Clock, Debt, Owed, in_words};
use crate::intake::{JudgedSync, NotHeard, sync};
use crate::metrics::Metrics;
use crate::scheduling::{lapse, renew};
use crate::store::{Store, StoreError, Tx, WriteBatch};
use crate::tally::left_games;
use crate::terms::Terms;
use flush::Flushed;
use protocol::experiment::Experiment;
use protocol::report::Applied;
use protocol::sync::SyncResponse;
use protocol::words::counted;
use std::collections::{HashSet, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Requests that may wait before callers are told to come back later.
const QUEUE: usize = 1024;

/// Requests committed together at most.
const GROUP: usize = 128;

/// How long rates are remembered: twice as long as any is taken over.
const RECENT_MS: i64 = 600_000;

/// What came of a request, and its group's way to the disk.
type Answer<T> = oneshot::Sender<Result<(T, Flushed), StoreError>>;

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
        (clock, debt, storing): (Clock, Arc<Debt>, Arc<Storing>),
        (revision, metrics): (watch::Sender<i64>, Arc<Metrics>),
        (commits, flushing): (Commits, JoinHandle<()>),
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
                commit(
                    &store,
                    &terms,
                    (&clock, &debt, &storing),
                    &mut group,
                    &commits,
                    (&revision, &metrics),
                )
                .await;
            }
            drop(commits);
            if let Err(error) = flushing.await {
                tracing::error!("the last flush ended badly: {error}");
            }
        });
        (Self { requests: sender }, task)
    }

    /// Performs a worker's call, and gives its answer as soon as it is committed: what it acknowledges may leave when it
    /// is on disk. Calls with results wait however many wait already; the others give way when the queue is full.
    ///
    /// # Errors
    /// The call's own failure, its group's, or that the queue is closed or full.
    pub(crate) async fn sync(
        &self,
        call: JudgedSync,
    ) -> Result<(Result<SyncResponse, NotHeard>, Flushed), StoreError> {
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

    /// Asks for another write and waits until it is durable. Gives way when the queue is full: it can be asked again.
    ///
    /// # Errors
    /// The request's own failure, its group's, or that the queue is closed or full.
    pub(crate) async fn ask<T>(&self, request: impl FnOnce(Answer<T>) -> Write) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.try_send(request(answer))?;
        let (result, flushed) = answered.await.unwrap_or(Err(StoreError::Closed))?;
        flushed.wait().await?;
        Ok(result)
    }

    fn try_send(&self, request: Write) -> Result<(), StoreError> {
        self.requests.try_send(request).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => StoreError::Overloaded,
            mpsc::error::TrySendError::Closed(_) => StoreError::Closed,
        })
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

/// A worker's call with its caller.
type Call = (Box<JudgedSync>, Answer<Result<SyncResponse, NotHeard>>);

/// Requests of a group that nobody has seen to yet.
struct Waiting {
    /// The calls of workers, which are performed together.
    calls: Vec<Call>,
    others: VecDeque<Write>,
}

impl Waiting {
    fn new(group: &mut Vec<Write>) -> Self {
        let mut waiting = Self { calls: Vec::new(), others: VecDeque::new() };
        for request in group.drain(..) {
            match request {
                Write::Sync(call, answer) => waiting.calls.push((call, answer)),
                other => waiting.others.push_back(other),
            }
        }
        waiting
    }

    /// Calls of different workers. A worker that calls twice at once is heard twice.
    fn next_calls(&mut self) -> Vec<Call> {
        let mut seen = HashSet::new();
        let (now, later) = std::mem::take(&mut self.calls)
            .into_iter()
            .partition(|(call, _)| seen.insert(call.request.worker));
        self.calls = later;
        now
    }

    /// Answers that nothing was done.
    fn refuse(self, why: &str) {
        self.others.into_iter().for_each(|request| refuse(request, why));
        refuse_calls(self.calls, why);
    }
}

/// Sets the clock by its authority, and says so when that is more than a correction.
pub(crate) fn notice_the_time(clock: &Clock, debt: &Debt, server: Option<(i64, i64)>) -> bool {
    let asked_ms = server.map_or(0, |(asked_ms, _)| asked_ms);
    let step_ms = clock.agree(asked_ms, server.map(|(_, now_ms)| now_ms));
    let is_step = debt.clock_moved(step_ms);
    if is_step {
        tracing::warn!(
            "the clock was set {}, or this machine slept: every lease gets a full term from now",
            in_words(step_ms)
        );
    }
    is_step
}

/// Commits a group and answers it. Without the commit every request of the group fails.
async fn commit(
    store: &Store,
    terms: &Terms,
    (clock, debt, storing): (&Clock, &Debt, &Storing),
    group: &mut Vec<Write>,
    commits: &Commits,
    (revision, metrics): (&watch::Sender<i64>, &Metrics),
) {
    let (size, began) = (group.len(), Instant::now());
    let (mut lapsed, mut refused) = (0, None);
    let mut kept = Vec::with_capacity(size);
    let mut waiting = Waiting::new(group);
    let results = waiting.calls.iter().any(|(call, _)| !call.games.is_empty());
    let committed = async {
        let (mut tx, number, server) = store.write_at(|| clock.now_ms()).await?;
        notice_the_time(clock, debt, server);
        let now_ms = clock.now_ms();
        let owed = debt.any();
        if let Some(owed) = owed {
            renew(&mut tx, owed, terms.lease_ms, now_ms).await?;
        }
        while let Some(request) = waiting.others.pop_front() {
            kept.push(perform(&mut tx, request, terms, now_ms, &mut lapsed).await?);
        }
        while !waiting.calls.is_empty() {
            perform_calls(
                &mut tx,
                waiting.next_calls(),
                terms,
                (&mut kept, &mut lapsed, &mut refused),
                now_ms,
            )
            .await?;
        }
        tx.commit().await?;
        owed.into_iter().for_each(|paid| debt.paid(paid));
        Ok::<_, StoreError>(number)
    }
    .await;
    metrics.committed(began.elapsed(), committed.is_ok());
    let committed = committed.map_err(|error| store.named(error));
    match committed.as_ref().err().or(refused.as_ref()) {
        None => storing.stored(results, clock.passed_ms()),
        Some(why) => {
            if storing.failed(why.to_string(), clock.passed_ms()) {
                tracing::error!("a group of {size} requests is not stored, or not all of it: {why}");
            }
        }
    }
    let committed = match committed {
        Ok(number) => {
            metrics.lapsed(lapsed);
            revision.send_replace(number);
            Ok(commits.committed())
        }
        Err(error) => Err(error.to_string()),
    };
    let committed = committed.as_ref().map_err(String::as_str);
    for answer in kept {
        answer(committed);
    }
    waiting.refuse(committed.err().unwrap_or_default());
}

/// Performs the calls of several workers together, or, when that fails, each by itself, so that one that cannot be
/// performed does not touch the others. An error means that the transaction itself is lost.
async fn perform_calls(
    tx: &mut Tx,
    calls: Vec<Call>,
    terms: &Terms,
    (kept, lapsed, refused): (&mut Vec<KeptAnswer>, &mut u64, &mut Option<StoreError>),
    now_ms: i64,
) -> Result<(), StoreError> {
    let mut waiting = VecDeque::from([calls]);
    while let Some(calls) = waiting.pop_front() {
        let performed = async {
            tx.savepoint().await?;
            let requests: Vec<_> = calls.iter().map(|(call, _)| &**call).collect();
            let mut lapsed_now = 0;
            let result = sync(&mut WriteBatch::new(tx, now_ms), &requests, terms, &mut lapsed_now).await;
            match &result {
                Ok(_) => tx.release().await?,
                Err(error) => {
                    tracing::debug!("a group of {} calls failed and is undone: {error}", requests.len());
                    tx.roll_back().await?;
                    lapsed_now = 0;
                }
            }
            *lapsed += lapsed_now;
            Ok::<_, StoreError>(result)
        }
        .await;
        match performed {
            Ok(Ok(results)) => {
                let answered = calls.into_iter().zip(results);
                kept.extend(answered.map(|((_, answer), result)| keep_back(answer, Ok(result))));
            }
            Ok(Err(error)) if calls.len() == 1 => {
                let error = tx.named(error).await;
                if error.is_of_the_disk() {
                    *refused = Some(StoreError::Disk(error.to_string()));
                } else {
                    tracing::error!("a call failed and is undone: {error}");
                }
                kept.extend(calls.into_iter().next().map(|(_, answer)| keep_back(answer, Err(error))));
            }
            Ok(Err(_)) => waiting.extend(calls.into_iter().map(|call| vec![call])),
            Err(lost) => {
                let lost = tx.named(lost).await;
                let left = calls.into_iter().chain(waiting.into_iter().flatten());
                refuse_calls(left, &lost.to_string());
                return Err(lost);
            }
        }
    }
    Ok(())
}

/// Performs another request so that its failure leaves no trace and does not touch the others of its group. An error
/// means that the transaction itself is lost.
async fn perform(
    tx: &mut Tx,
    request: Write,
    terms: &Terms,
    now_ms: i64,
    lapsed: &mut u64,
) -> Result<KeptAnswer, StoreError> {
    if let Err(error) = tx.savepoint().await {
        refuse(request, &error.to_string());
        return Err(error);
    }
    match request {
        Write::Sync(call, answer) => {
            let result = sync(&mut WriteBatch::new(tx, now_ms), &[&call], terms, lapsed).await;
            finish(tx, result.map(|mut answers| answers.remove(0)), answer).await
        }
        Write::Apply(experiment, who, answer) => {
            let result = apply(tx, &experiment, &who, now_ms).await;
            finish(tx, result, answer).await
        }
        Write::Change(change) => change.make(tx, now_ms).await,
        Write::Lapse(answer) => {
            tx.forget_recent_games(now_ms - RECENT_MS).await?;
            let mut batch = WriteBatch::new(tx, now_ms);
            let result = async {
                let lapsed = lapse(&mut batch, terms).await?;
                left_games::apply(&mut batch).await?;
                batch.written().await?;
                Ok(lapsed)
            };
            let result = result.await;
            *lapsed += result.as_ref().copied().unwrap_or_default();
            finish(tx, result, answer).await
        }
        Write::ExtendAll(answer) => {
            let start = Owed { start: true, step_ms: 0 };
            let result = renew(tx, start, terms.lease_ms, now_ms).await;
            finish(tx, result, answer).await
        }
    }
}

/// Applies an experiment, and notes what that changed.
async fn apply(tx: &mut Tx, experiment: &Experiment, who: &str, now_ms: i64) -> Result<Applied, StoreError> {
    let applied = tx.apply(experiment, now_ms).await?;
    if applied.created || !applied.superseded.is_empty() {
        let detail = format!(
            "{}; {}, {} superseded",
            applied.id,
            counted(applied.cells, "cell"),
            applied.superseded.len()
        );
        tx.note_change(who, ("apply", &experiment.name, &detail), now_ms).await?;
    }
    Ok(applied)
}

/// Keeps or undoes a request's changes, and keeps its answer back. When neither is possible the transaction is lost:
/// the request is refused, and the error is what it failed of.
async fn finish<T: Send + 'static>(
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

fn keep_back<T: Send + 'static>(answer: Answer<T>, result: Result<T, StoreError>) -> KeptAnswer {
    Box::new(move |committed| {
        // A caller that went away wants no answer.
        let _ = answer.send(match committed {
            Ok(flushed) => result.map(|result| (result, flushed.clone())),
            Err(why) => Err(StoreError::NotCommitted(why.to_owned())),
        });
    })
}

fn refuse_calls(calls: impl IntoIterator<Item = Call>, why: &str) {
    for (_, answer) in calls {
        // A caller that went away wants no answer.
        let _ = answer.send(Err(StoreError::NotCommitted(why.to_owned())));
    }
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
