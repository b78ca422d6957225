//! The calls of a group of workers, inside the writer's transaction. The results of all calls come first, then the
//! leases that the workers hold, then new leases.

use super::answer::{LeaseGranter, RemainingWork};
use super::call::{JudgedSync, SyncRefusal, SyncResult};
use super::call_stage::{AcknowledgedCall, CallStage};
use super::identity;
use super::reconcile::{CallContext, reconcile};
use super::results::{take_failures, take_results};
use crate::checking::{bounds, quarantine};
use crate::delivered::Delivered;
use crate::scheduling::{capabilities, lapse};
use crate::store::{StoreError, WorkerAfter, WorkerBefore, WriteBatch};
use crate::terms::Terms;
use protocol::ids::WorkerId;
use protocol::sync::{Ack, AckStatus, Directive, SyncRequest, SyncResponse};
use std::cmp::Ordering;
use std::collections::HashSet;

/// Answers the calls of a group, each of another worker. The answers must not leave before the transaction is
/// committed.
pub(crate) async fn sync(
    batch: &mut WriteBatch<'_>,
    calls: &[&JudgedSync],
    terms: &Terms,
    lapsed: &mut u64,
) -> Result<Vec<SyncResult>, StoreError> {
    batch.draws_kept = batch.draws_kept.max(terms.replay_share);
    let workers: Vec<WorkerId> = calls.iter().map(|call| call.request.worker).collect();
    let before = batch.tx().workers_before(&workers).await?;
    // A call out of turn leaves the other leases of its worker alone.
    let mut in_turn = Vec::with_capacity(calls.len());
    let (mut touched, mut held, mut games) = (HashSet::new(), HashSet::new(), Vec::new());
    for JudgedSync { request, .. } in calls {
        games.extend(request.finished.iter().map(|game| game.game));
        touched.extend(request.finished.iter().map(|game| game.lease));
        touched.extend(request.failed.iter().map(|failed| failed.lease));
        if CallOrder::of(request, before.get(&request.worker), batch.now_ms).is_heard() {
            in_turn.push(request.worker);
            held.extend(request.held.iter().map(|held| held.lease));
        }
    }
    batch.read(&in_turn, (&touched, &held), &games).await?;

    let mut heard = Vec::with_capacity(calls.len());
    for call in calls {
        heard.push(process_call(batch, call, before.get(&call.request.worker), terms).await?);
    }
    // A call out of turn has only results, so lapsed leases are not looked for.
    if heard.iter().any(|heard| matches!(heard, CallStage::InTurn(_))) {
        *lapsed += lapse(batch, terms).await?;
    }

    let rechecked = calls.iter().any(|call| call.games.iter().any(|game| game.recheck.is_some()));
    let mut lender = LeaseGranter::new(batch, terms, &heard).await?;
    let mut offers = Vec::with_capacity(calls.len());
    for heard in heard {
        offers.push(match heard {
            CallStage::InTurn(taken) => {
                let offer = lender.offer(batch, &taken, taken.suspect || rechecked).await?;
                Ok((taken, offer))
            }
            CallStage::OutOfTurn(answer) => Err(answer),
        });
    }
    let rest = RemainingWork::new(batch, terms, &offers).await?;
    let (mut after, mut changed) = (Vec::with_capacity(calls.len()), Vec::new());
    let answers = offers.into_iter().map(|offered| match offered {
        Ok((taken, offer)) => {
            let (response, worker) = rest.conclude(taken, offer, terms);
            let request = worker.request;
            if before.get(&request.worker).is_none_or(|before| before.had_other_speeds(&request.speeds)) {
                changed.push((request.worker, request.speeds.as_slice()));
            }
            after.push(worker);
            Ok(response)
        }
        Err(answer) => answer,
    });
    let answers = answers.collect();
    let now_ms = batch.now_ms;
    batch.tx().put_workers(&after, now_ms).await?;
    batch.tx().note_speeds(&changed, now_ms).await?;
    bounds::compare(batch).await?;
    // The answers report changes that are still in memory, so these are written first.
    batch.written().await?;
    Ok(answers)
}

/// The position of a call in the sequence of its worker's calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CallOrder {
    /// The worker's first call, or one later than the last call received.
    Next,
    /// The first call of a new process of the worker.
    Restarted,
    /// A later call of the same process was received first, or this call is a repetition.
    Late,
    /// A call of a process that was started later was received first.
    Superseded,
}

impl CallOrder {
    fn of(request: &SyncRequest, before: Option<&WorkerBefore>, now_ms: i64) -> Self {
        let Some(before) = before else { return Self::Next };
        let is_same = (request.session, request.start) == (before.session, before.start);
        // An impossible number may be stored from the time before such numbers were refused. Such a number must not lock out its
        // machine.
        let known = if is_same || !identity::is_far(before.start, now_ms) { before.start } else { 0 };
        match request.start.cmp(&known) {
            Ordering::Greater => Self::Restarted,
            Ordering::Less => Self::Superseded,
            // Two copies of a state directory were started at the same time: the one whose call arrives first continues.
            Ordering::Equal if request.session != before.session => Self::Superseded,
            Ordering::Equal if request.sequence <= before.sequence => Self::Late,
            Ordering::Equal => Self::Next,
        }
    }

    fn is_heard(self) -> bool {
        matches!(self, Self::Next | Self::Restarted)
    }
}

/// The answer to an overtaken call, with acknowledgements only. The answer to a later call has the rest.
fn only_acknowledged(acks: Vec<Ack>, directive: Directive, terms: &Terms) -> SyncResponse {
    let (leases, revoked, sizes) = (Vec::new(), Vec::new(), Vec::new());
    SyncResponse {
        acks,
        leases,
        revoked,
        directive,
        sizes,
        next_sync_ms: terms.sync_ms,
        watch: Vec::new(),
        looked_at: false,
        no_work: None,
    }
}

/// Takes the results and the leases of a call.
///
/// Only the newest process of a worker may hold leases. It takes over at once, because after a crash no process could report the
/// end of the one before. Earlier processes are refused from then on: otherwise two processes of one state directory would take
/// each other's leases without end. Within one process the call with the highest number is the newest, in whatever order calls
/// arrive. An older call does not list the leases granted since, so it neither gets leases nor returns any. The results of both
/// are stored.
async fn process_call<'a>(
    batch: &mut WriteBatch<'_>,
    call: &'a JudgedSync,
    before: Option<&WorkerBefore>,
    terms: &Terms,
) -> Result<CallStage<'a>, StoreError> {
    let (request, now_ms) = (&call.request, batch.now_ms);
    let is_new = match identity::admit(batch, call, before).await? {
        Ok(is_new) => is_new,
        Err(why) => {
            tracing::warn!(worker.id = %request.worker, "refused a call: {why}");
            return Ok(CallStage::OutOfTurn(Err(why)));
        }
    };
    let turn = CallOrder::of(request, before, now_ms);
    if let (Some(before), false) = (before, turn.is_heard()) {
        let (acks, counted) = take_results(batch, call, before.quarantined, terms).await?;
        if counted > 0 {
            batch.tx().add_worker_games(request.worker, counted).await?;
        }
        if turn == CallOrder::Late {
            return Ok(CallStage::OutOfTurn(Ok(only_acknowledged(acks, before.directive, terms))));
        }
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "refused a process of this worker, because a later one took its place");
        return Ok(CallStage::OutOfTurn(Err(SyncRefusal::Superseded(request.worker))));
    }
    let restarted = turn == CallOrder::Restarted;
    if restarted
        && before.is_some_and(|before| !before.away && now_ms - before.seen_ms < 2 * terms.sync_ms as i64)
    {
        tracing::warn!(worker.id = %request.worker, worker.name = request.name,
            "the worker started again moments after the last call of its former process: so it is after a kill, but if that process still runs, two of them share one state directory, which they must not");
    }
    Ok(CallStage::InTurn(take(batch, call, before, (restarted, is_new), terms).await?))
}

/// Takes the results of a call, and updates the leases that its worker holds. The worker may have been restarted (`restarted`), and
/// the token may be new for this worker (`is_new`).
async fn take<'a>(
    batch: &mut WriteBatch<'_>,
    call: &'a JudgedSync,
    before: Option<&WorkerBefore>,
    (restarted, is_new): (bool, bool),
    terms: &Terms,
) -> Result<AcknowledgedCall<'a>, StoreError> {
    let (request, now_ms) = (&call.request, batch.now_ms);
    // The order to drain holds for the running process. A process that is started later was started to work.
    let directive = match before.map(|before| before.directive) {
        Some(Directive::Drain) if restarted => Directive::Work,
        told => told.unwrap_or(Directive::Work),
    };
    let progress_ms =
        before.filter(|_| request.finished.is_empty()).map_or(now_ms, |before| before.progress_ms);
    let mut after = WorkerAfter {
        request,
        token: call.token.as_deref(),
        principal: &call.principal,
        directive,
        capabilities: capabilities(request),
        asked_ms: if request.want > 0 { now_ms } else { before.map_or(0, |before| before.asked_ms) },
        delivered: before
            .map_or_else(Delivered::default, |before| before.delivered.after(now_ms - before.seen_ms)),
        games_counted: 0,
        progress_ms,
        no_work: None,
    };
    if before.is_none() {
        // Leases and games refer to the worker, so its row must exist before them.
        batch.tx().put_workers(std::slice::from_ref(&after), now_ms).await?;
    }
    let mut quarantined = before.is_some_and(|before| before.quarantined);
    if is_new {
        quarantined = quarantine::follow_quarantine(batch, request.worker).await?;
    }
    let (acks, counted) = take_results(batch, call, quarantined, terms).await?;
    take_failures(batch, request, terms).await?;
    let was_away = before.is_some_and(|before| before.away);
    let context = CallContext { restarted, was_away, can_lease: directive == Directive::Work, progress_ms };
    let reconciled = reconcile(batch, request, context, terms).await?;
    let taken = acks.iter().filter(|ack| matches!(ack.status, AckStatus::Accepted | AckStatus::Superseded));
    after.delivered = after.delivered.and(if quarantined { 0 } else { taken.count() as i64 });
    (after.games_counted, after.progress_ms) = (counted, reconciled.progress_ms);
    Ok(AcknowledgedCall { call, suspect: quarantined, acks, reconciled, after })
}
