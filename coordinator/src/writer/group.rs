//! A group of requests: performed in one transaction, committed, and then answered.

use super::request::{HeldAnswer, ReplySender, Write, finish, keep_back, refuse};
use super::storing::Storing;
use crate::clock::{Clock, DueRenewal, PendingRenewal, in_words};
use crate::intake::{JudgedSync, SyncRefusal, log_counted, sync};
use crate::metrics::Metrics;
use crate::scheduling::{lapse, renew};
use crate::store::{Store, StoreError, Tx, WriteBatch};
use crate::terms::Terms;
use protocol::sync::SyncResponse;
use std::collections::{HashSet, VecDeque};
use std::time::Instant;
use tokio::sync::watch;

/// How long games are remembered for rates: the hour that the news show, and the slice that has just begun.
pub(crate) const RECENT_MS: i64 = 3_720_000;

/// A worker's call, and where to send the answer.
type PendingCall = (Box<JudgedSync>, ReplySender<Result<SyncResponse, SyncRefusal>>);

/// The requests of a group that have not been performed yet.
struct PendingRequests {
    /// Calls of workers, which are performed together.
    calls: Vec<PendingCall>,
    others: VecDeque<Write>,
}

impl PendingRequests {
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

    /// The next calls, each of another worker. The second call of one worker comes in the next round.
    fn next_calls(&mut self) -> Vec<PendingCall> {
        let mut seen = HashSet::new();
        let (now, later) = std::mem::take(&mut self.calls)
            .into_iter()
            .partition(|(call, _)| seen.insert(call.request.worker));
        self.calls = later;
        now
    }

    /// Answers all requests with an error: none was performed.
    fn refuse(self, why: &str) {
        self.others.into_iter().for_each(|request| refuse(request, why));
        refuse_calls(self.calls, why);
    }
}

/// Sets the clock by its authority. Gives whether this was a step, which is logged, rather than a small correction.
pub(crate) fn synchronise_clock(clock: &Clock, debt: &PendingRenewal, server: Option<(i64, i64)>) -> bool {
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

/// Performs a group of requests, commits it, and answers it. If the commit fails, every request of the group fails.
pub(super) async fn commit(
    store: &Store,
    terms: &Terms,
    (clock, debt, storing): (&Clock, &PendingRenewal, &Storing),
    group: &mut Vec<Write>,
    (revisions, metrics): (&watch::Sender<i64>, &Metrics),
) {
    let (size, began) = (group.len(), Instant::now());
    let (mut lapsed, mut refused) = (0, None);
    let mut kept = Vec::with_capacity(size);
    let mut waiting = PendingRequests::new(group);
    let results = waiting.calls.iter().any(|(call, _)| !call.games.is_empty());
    let committed = async {
        let (mut tx, revision, server) = store.write_at(|| clock.now_ms()).await?;
        synchronise_clock(clock, debt, server);
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
        store.is_in_place()?;
        owed.into_iter().for_each(|paid| debt.paid(paid));
        Ok::<_, StoreError>(revision)
    }
    .await;
    metrics.committed(began.elapsed(), committed.is_ok());
    let committed = committed.map_err(|error| store.named(error).to_string());
    match committed.as_ref().err().or(refused.as_ref()) {
        None => storing.stored(results, clock.passed_ms()),
        Some(why) => {
            // On a read-only database the answer to the caller suffices.
            if storing.failed(why.clone(), clock.passed_ms()) && !store.is_read_only() {
                tracing::error!("a group of {size} requests is not stored, or not all of it: {why}");
            }
        }
    }
    let committed = committed.map(|revision| {
        metrics.lapsed(lapsed);
        revisions.send_replace(revision);
    });
    let committed = match &committed {
        Ok(()) => Ok(()),
        Err(why) => Err(why.as_str()),
    };
    for answer in kept {
        answer(committed);
    }
    waiting.refuse(committed.err().unwrap_or_default());
}

/// Performs the calls of several workers together. If that fails, performs each call alone, so that a bad call does not
/// affect the others. An error means that the transaction is lost.
async fn perform_calls(
    tx: &mut Tx,
    calls: Vec<PendingCall>,
    terms: &Terms,
    (kept, lapsed, refused): (&mut Vec<HeldAnswer>, &mut u64, &mut Option<String>),
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
                kept.extend(answered.map(|((call, answer), result)| keep_back_call(call, answer, result)));
            }
            Ok(Err(error)) if calls.len() == 1 => {
                let error = tx.named(error).await;
                if !error.is_of_the_disk() {
                    tracing::error!("a call failed and is undone: {error}");
                }
                *refused = Some(error.to_string());
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

/// Holds the answer to a call. If the group is committed, the counted games are logged first.
fn keep_back_call(
    call: Box<JudgedSync>,
    answer: ReplySender<Result<SyncResponse, SyncRefusal>>,
    result: Result<SyncResponse, SyncRefusal>,
) -> HeldAnswer {
    Box::new(move |committed| {
        if let (Ok(_), Ok(response)) = (committed, &result) {
            log_counted(&call, response);
        }
        keep_back(answer, Ok(result))(committed);
    })
}

/// Performs another request. Its failure leaves no trace and does not affect the other requests. An error means that
/// the transaction is lost.
async fn perform(
    tx: &mut Tx,
    request: Write,
    terms: &Terms,
    now_ms: i64,
    lapsed: &mut u64,
) -> Result<HeldAnswer, StoreError> {
    if let Err(error) = tx.savepoint().await {
        refuse(request, &error.to_string());
        return Err(error);
    }
    match request {
        Write::Sync(call, answer) => {
            let result = sync(&mut WriteBatch::new(tx, now_ms), &[&call], terms, lapsed).await;
            finish(tx, result.map(|mut answers| answers.remove(0)), answer).await
        }
        Write::Change(change) => change.make(tx, now_ms).await,
        Write::Lapse(answer) => {
            let result = async {
                tx.forget_recent_games(now_ms - RECENT_MS).await?;
                let mut batch = WriteBatch::new(tx, now_ms);
                let lapsed = lapse(&mut batch, terms).await?;
                batch.written().await?;
                Ok(lapsed)
            };
            let result = result.await;
            *lapsed += result.as_ref().copied().unwrap_or_default();
            finish(tx, result, answer).await
        }
        Write::ExtendAll(answer) => {
            let start = DueRenewal { start: true, step_ms: 0 };
            let result = renew(tx, start, terms.lease_ms, now_ms).await;
            finish(tx, result, answer).await
        }
    }
}

fn refuse_calls(calls: impl IntoIterator<Item = PendingCall>, why: &str) {
    for (_, answer) in calls {
        // The caller may have disconnected.
        let _ = answer.send(Err(StoreError::NotCommitted(why.to_owned())));
    }
}
