//! Which worker ids a token may use.
//!
//! The id of a worker is public: the overview shows it. So the id is bound to the token of the worker's first call, and a call
//! with this id and another token is refused before any part of it is stored. A machine whose token is no longer valid keeps its
//! id: it may call with another token.

use super::call::{JudgedSync, SyncRefusal};
use crate::access::id_of;
use crate::principal::Principal;
use crate::store::{StoreError, Tx, WorkerBefore, WriteBatch};
use protocol::ids::WorkerId;
use protocol::words::counted;

/// The largest lead of a start number over the coordinator's clock, in seconds. Workers use the seconds of their own clocks,
/// which may be off.
const FARTHEST_START: u64 = 86_400;

/// Whether a start number is farther in the future than any worker's clock.
pub(crate) fn is_far(start: u64, now_ms: i64) -> bool {
    start > (now_ms.max(0).unsigned_abs() / 1000).saturating_add(FARTHEST_START)
}

/// Checks whether the token of a call allows its sender to be the worker that the call names; gives whether the token is new for
/// this worker. Calls of this process have no token and may name any worker.
pub(crate) async fn admit(
    batch: &mut WriteBatch<'_>,
    call: &JudgedSync,
    before: Option<&WorkerBefore>,
) -> Result<Result<bool, SyncRefusal>, StoreError> {
    let (request, now_ms) = (&call.request, batch.now_ms);
    let goes_on =
        before.is_some_and(|before| before.session == request.session && before.start == request.start);
    let bound = before.and_then(|before| before.token.as_deref());
    let token = call.token.as_deref().filter(|token| bound != Some(token));
    if let Some(token) = token
        && let Some(why) =
            may_not_bind(batch.tx(), (request.worker, token), &call.principal, before, now_ms).await?
    {
        return Ok(Err(SyncRefusal::NotYours(why)));
    }
    if is_far(request.start, now_ms) && !goes_on {
        return Ok(Err(SyncRefusal::BadStart(request.start)));
    }
    if let (Some(token), Some(_)) = (token, before) {
        batch.tx().bind_worker(request.worker, token, &call.principal).await?;
    }
    Ok(Ok(token.is_some()))
}

/// Why a worker cannot be bound to a token, if it cannot be.
async fn may_not_bind(
    tx: &mut Tx,
    (worker, token): (WorkerId, &str),
    principal: &Principal,
    before: Option<&WorkerBefore>,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    // Tokens of this process are not stored. Such a token is for one machine, and replaces those of earlier processes.
    let row = tx.token(token).await?;
    if let Some(named) = row.as_ref().and_then(|row| row.worker).filter(|named| *named != worker) {
        return Ok(Some(format!(
            "this token is that of machine {named}, which joined with it: it is good for no other; `gauntlet token join` \
             makes a code by which this machine joins"
        )));
    }
    let is_own = row.is_none() && before.is_some_and(|before| before.principal == *principal);
    if !is_own && let Some(why) = bound_elsewhere(tx, worker, before, now_ms).await? {
        return Ok(Some(why));
    }
    let Some(row) = row else { return Ok(None) };
    if tx.workers_with_token(token).await?.len() as i64 >= row.machines {
        return Ok(Some(format!(
            "the token `{}` ({}) is for {}, and so many work with it: make another with `gauntlet token add NAME \
             --machines N`, or let this machine join with a code of its own, which `gauntlet token join` makes",
            row.name,
            id_of(token),
            counted(row.machines.unsigned_abs(), "machine")
        )));
    }
    Ok(None)
}

/// Why a worker id belongs to another caller, if it does: to another valid token, or to `gauntlet run`.
pub(crate) async fn bound_elsewhere(
    tx: &mut Tx,
    worker: WorkerId,
    before: Option<&WorkerBefore>,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    let Some(before) = before else { return Ok(None) };
    if before.principal == Principal::this_process() {
        return Ok(Some(format!(
            "machine {worker} is the one that plays inside `gauntlet run`: give this worker a state directory of its own \
             with --dir"
        )));
    }
    let Some(token) = &before.token else { return Ok(None) };
    if !tx.token(token).await?.is_some_and(|row| row.is_valid(now_ms)) {
        return Ok(None);
    }
    let id = id_of(token);
    Ok(Some(format!(
        "machine {worker} belongs to another token ({id}): if this is the same machine, revoke that with `gauntlet token \
         revoke {id}` and start the worker again; if not, give this worker a state directory of its own with --dir"
    )))
}
