//! The acknowledgement deadline: how long a call may wait for its answer.
//!
//! A call takes longer than usual when the database cannot commit, or when the disk does not take what was committed. Such a
//! call is deferred: the worker gets an answer without acknowledgements ([`SyncResponse::deferred`]), and the call goes on.
//! The worker treats that as a lost answer: it keeps its games and calls again soon. Its next deadline is twice as long, and
//! doubles until the worker is served, so that a database that is always slow serves its workers, too.

use crate::error::CoordinatorError;
use crate::metrics::Metrics;
use crate::store::StoreError;
use engine::havannah::BoardSize;
use protocol::ids::WorkerId;
use protocol::sync::{Directive, SyncRequest, SyncResponse};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;
use tokio::time::Instant;

/// Workers that are remembered at most. Beyond that number all are forgotten, and each waits once for its full answer.
const REMEMBERED: usize = 100_000;

/// Deferred calls that may go on at the same time. At this number no further call is deferred: otherwise a long standstill
/// would fill the memory with repeated calls.
const GOING_ON: usize = 4096;

/// The deadlines of all workers.
pub(crate) struct Deadlines {
    /// The deadline of a worker whose last call was not deferred.
    usual: Duration,
    going_on: Arc<Semaphore>,
    last: Mutex<HashMap<WorkerId, Last>>,
}

/// What a worker was told last.
struct Last {
    directive: Directive,
    sizes: Vec<BoardSize>,
    /// How often its deadline has doubled.
    doubled: u32,
}

/// The deadline of one call, and the answer that is sent when it passes.
struct Limit {
    deadline: Duration,
    doubled: u32,
    instead: SyncResponse,
}

/// The worker of a call, and the number of games in it.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    worker: WorkerId,
    leaving: bool,
    games: usize,
}

impl From<&SyncRequest> for Waiter {
    fn from(request: &SyncRequest) -> Self {
        Self { worker: request.worker, leaving: request.leaving, games: request.finished.len() }
    }
}

impl Deadlines {
    pub(crate) fn new(usual: Duration) -> Self {
        Self { usual, going_on: Arc::new(Semaphore::new(GOING_ON)), last: Mutex::default() }
    }

    /// The answer to `call`, or the deferred answer when the deadline passes first. Two kinds of workers have no deadline: one
    /// that is leaving, because it may not call again, and one that has had no answer yet.
    ///
    /// # Errors
    /// Those of the call.
    pub(crate) async fn answer(
        &self,
        waiter: Waiter,
        mut call: JoinHandle<Result<SyncResponse, CoordinatorError>>,
        metrics: &Metrics,
    ) -> Result<SyncResponse, CoordinatorError> {
        let (answered, doubled) = match self.limit(waiter) {
            None => (call.await, 0),
            Some(Limit { deadline, doubled, instead }) => {
                let began = Instant::now();
                let in_time = tokio::time::timeout(deadline, &mut call).await;
                match in_time {
                    // What was needed once is kept until half of it suffices.
                    Ok(answered) if began.elapsed() > deadline / 2 => (answered, doubled),
                    Ok(answered) => (answered, doubled.saturating_sub(1)),
                    Err(_) => match Arc::clone(&self.going_on).try_acquire_owned() {
                        Ok(permit) => {
                            metrics.deferred(waiter.games);
                            tokio::spawn(async move {
                                let _ = call.await;
                                drop(permit);
                            });
                            return Ok(instead);
                        }
                        Err(_) => (call.await, doubled),
                    },
                }
            }
        };
        let answer = answered.unwrap_or_else(|ended| match ended.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(StoreError::Closed.into()),
        });
        match &answer {
            Ok(answer) => self.told(waiter, answer, doubled),
            // A call that failed says nothing about the time that calls need.
            Err(_) => {
                if let Some(last) = self.last().get_mut(&waiter.worker) {
                    last.doubled = doubled;
                }
            }
        }
        answer
    }

    fn last(&self) -> MutexGuard<'_, HashMap<WorkerId, Last>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The limit of a call; none for a worker without a deadline. The worker counts as deferred until the call is answered.
    fn limit(&self, waiter: Waiter) -> Option<Limit> {
        let mut workers = self.last();
        let last = workers.get_mut(&waiter.worker).filter(|_| !waiter.leaving)?;
        let doubled = last.doubled;
        last.doubled += 1;
        let nothing = SyncResponse {
            acks: Vec::new(),
            leases: Vec::new(),
            revoked: Vec::new(),
            directive: last.directive,
            sizes: last.sizes.clone(),
            next_sync_ms: u64::MAX,
            watch: Vec::new(),
            looked_at: false,
            no_work: None,
            deferred: true,
        };
        let deadline = self.usual.saturating_mul(2_u32.saturating_pow(doubled));
        Some(Limit { deadline, doubled, instead: nothing.deferred() })
    }

    fn told(&self, waiter: Waiter, answer: &SyncResponse, doubled: u32) {
        let mut workers = self.last();
        if waiter.leaving {
            workers.remove(&waiter.worker);
            return;
        }
        if workers.len() >= REMEMBERED {
            workers.clear();
        }
        let last = Last { directive: answer.directive, sizes: answer.sizes.clone(), doubled };
        workers.insert(waiter.worker, last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    const USUAL: Duration = Duration::from_millis(20);

    fn answer(directive: Directive) -> SyncResponse {
        SyncResponse {
            acks: Vec::new(),
            leases: Vec::new(),
            revoked: Vec::new(),
            directive,
            sizes: BoardSize::all().collect(),
            next_sync_ms: 10_000,
            watch: Vec::new(),
            looked_at: false,
            no_work: None,
            deferred: false,
        }
    }

    /// Answers a call that takes so long and would be told to work on.
    async fn call(deadlines: &Deadlines, waiter: Waiter, takes: Duration) -> (SyncResponse, Duration) {
        let began = Instant::now();
        let call = tokio::spawn(async move {
            tokio::time::sleep(takes).await;
            Ok(answer(Directive::Pause))
        });
        let answer = deadlines.answer(waiter, call, &Metrics::default()).await.expect("an answer");
        (answer, began.elapsed())
    }

    fn is_deferred(answer: &SyncResponse) -> bool {
        answer.next_sync_ms <= 500
    }

    #[tokio::test(start_paused = true)]
    async fn a_deferred_worker_is_told_what_it_was_told_last_and_waits_twice_as_long_the_next_time() {
        let deadlines = Deadlines::new(USUAL);
        let waiter = Waiter { worker: WorkerId::random(), leaving: false, games: 1 };
        let slow = USUAL * 7;
        let (first, took) = call(&deadlines, waiter, slow).await;
        assert!(!is_deferred(&first) && took == slow, "it was told nothing yet");
        for waits in [1, 2, 4] {
            let (answer, took) = call(&deadlines, waiter, slow).await;
            assert!(is_deferred(&answer) && took == USUAL * waits, "{took:?}");
            assert_eq!((answer.directive, answer.sizes), (Directive::Pause, BoardSize::all().collect()));
        }
        // A database that stays slow puts it off no more.
        for _ in 0..3 {
            let (answer, took) = call(&deadlines, waiter, slow).await;
            assert!(!is_deferred(&answer) && took == slow);
        }
        // Once the database is quick again, the deadline shrinks to the usual one.
        for _ in 0..3 {
            let (answer, took) = call(&deadlines, waiter, USUAL / 2).await;
            assert!(!is_deferred(&answer) && took == USUAL / 2);
        }
        let (answer, took) = call(&deadlines, waiter, slow).await;
        assert!(is_deferred(&answer) && took == USUAL);
    }

    #[tokio::test(start_paused = true)]
    async fn a_worker_that_leaves_waits_as_long_as_it_takes() {
        let deadlines = Deadlines::new(USUAL);
        let waiter = Waiter { worker: WorkerId::random(), leaving: false, games: 1 };
        call(&deadlines, waiter, Duration::ZERO).await;
        let slow = Duration::from_secs(60);
        let (last, took) = call(&deadlines, Waiter { leaving: true, ..waiter }, slow).await;
        assert!(!is_deferred(&last) && took == slow);
        assert!(deadlines.last().is_empty(), "it is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_goes_on_when_its_answer_was_deferred() {
        let deadlines = Deadlines::new(USUAL);
        let waiter = Waiter { worker: WorkerId::random(), leaving: false, games: 1 };
        call(&deadlines, waiter, Duration::ZERO).await;
        let (done, is_done) = oneshot::channel();
        let slow = tokio::spawn(async move {
            tokio::time::sleep(USUAL * 5).await;
            done.send(()).expect("somebody waits");
            Ok(answer(Directive::Work))
        });
        let deferred = deadlines.answer(waiter, slow, &Metrics::default()).await.expect("an answer");
        assert!(is_deferred(&deferred));
        is_done.await.expect("it went on");
    }

    #[tokio::test(start_paused = true)]
    async fn no_answer_is_deferred_while_as_many_calls_go_on_as_may() {
        let deadlines = Deadlines::new(USUAL);
        let waiter = Waiter { worker: WorkerId::random(), leaving: false, games: 1 };
        call(&deadlines, waiter, Duration::ZERO).await;
        let slow = USUAL * 5;
        let all = Arc::clone(&deadlines.going_on).acquire_many_owned(GOING_ON as u32).await.expect("open");
        let (answer, took) = call(&deadlines, waiter, slow).await;
        assert!(!is_deferred(&answer) && took == slow);
        drop(all);
        call(&deadlines, waiter, Duration::ZERO).await;
        let (answer, _) = call(&deadlines, waiter, slow).await;
        assert!(is_deferred(&answer));
        assert_eq!(deadlines.going_on.available_permits(), GOING_ON - 1);
        tokio::time::sleep(slow).await;
        assert_eq!(deadlines.going_on.available_permits(), GOING_ON, "it has ended");
    }
}
