//! Calls of workers.

use super::{BoxFuture, Coordinator};
use crate::access::Caller;
use crate::admission::check_worker;
use crate::error::CoordinatorError;
use crate::intake;
use crate::intake::{JudgedGame, JudgedSync, Recheck};
use crate::principal::Principal;
use crate::watching::WATCHED_SYNC_MS;
use protocol::ids::LeaseId;
use protocol::lease::Budget;
use protocol::sync::{SyncRequest, SyncResponse};
use std::collections::{BTreeSet, HashMap};

impl Coordinator {
    /// A call of a worker in this process: see `docs/reference/protocol.md`. Its machine is its own principal.
    ///
    /// # Errors
    /// Refuses workers of another protocol or engine, and stores nothing of their calls. Refuses processes that a later one of
    /// the same worker has replaced, but stores their finished games.
    pub fn sync(&self, request: SyncRequest) -> BoxFuture<'static, Result<SyncResponse, CoordinatorError>> {
        self.sync_with(request, None)
    }

    /// As [`Coordinator::sync`], for a worker with a token.
    ///
    /// # Errors
    /// Those of [`Coordinator::sync`].
    pub fn sync_with(
        &self,
        mut request: SyncRequest,
        caller: Option<Caller>,
    ) -> BoxFuture<'static, Result<SyncResponse, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            check_worker(&request)?;
            // A speed that no machine can have is dropped: the results are still judged, and the worker gets no games of that
            // size.
            request.speeds.retain(intake::is_believed);
            let mut leases = HashMap::new();
            if !request.finished.is_empty() {
                let ids: BTreeSet<LeaseId> = request.finished.iter().map(|game| game.lease).collect();
                leases = inner.store.intake_conn().await?.leased_cells(&Vec::from_iter(ids)).await?;
            }
            let games = request.finished.iter().map(|game| {
                let leased = leases.get(&game.lease);
                let recheck = leased.and_then(|leased| {
                    let whole = matches!(leased.spec.budget, Budget::Sims(_));
                    leased.rechecks.map(|checked| Recheck { checked, whole })
                });
                JudgedGame { verdict: intake::judge(game, request.worker, leased), recheck }
            });
            let games = games.collect();
            // Under overload leases wait first, then heartbeats; results never wait.
            if inner.writer.is_busy() {
                request.want = 0;
            }
            let (worker, watched) = (request.worker, std::mem::take(&mut request.watched));
            let told = request.told.take();
            let looked_at = inner.machines.is_watched(worker, inner.clock.passed_ms());
            let watch = inner.watching.watched_leases(&request.held, inner.clock.passed_ms());
            let (token, principal) =
                caller.map_or((None, None), |caller| (Some(caller.token), caller.principal));
            let principal = principal.unwrap_or_else(|| Principal::of_worker(request.worker));
            let call = JudgedSync { request, token, principal, games };
            let mut answer = inner.writer.sync(call).await?.map_err(CoordinatorError::from)?;
            inner.watching.report(worker, watched, inner.clock.now_ms());
            inner.machines.report(worker, told, inner.clock.now_ms());
            answer.looked_at = looked_at;
            if looked_at || !watch.is_empty() {
                answer.next_sync_ms = answer.next_sync_ms.min(WATCHED_SYNC_MS);
                answer.watch = watch;
            }
            answer.acks.iter().for_each(|ack| inner.metrics.judged(ack.status));
            inner.metrics.granted(answer.leases.len());
            Ok(answer)
        })
    }
}
