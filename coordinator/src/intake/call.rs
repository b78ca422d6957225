//! A call of a worker, and its answer.

use super::rejection::Rejection;
use crate::error::CoordinatorError;
use crate::principal::Principal;
use crate::store::Play;
use protocol::games::PlayRecord;
use protocol::ids::{LeaseId, WorkerId};
use protocol::sync::{SyncRequest, SyncResponse};
use thiserror::Error;

/// The most leases that one call gets.
pub(super) const MOST_LEASES: u32 = 1024;

/// A call whose games have been judged.
#[derive(Debug)]
pub(crate) struct JudgedSync {
    pub(crate) request: SyncRequest,
    /// The digest of the caller's token, if the call came over HTTP.
    pub(crate) token: Option<String>,
    /// The principal of the worker.
    pub(crate) principal: Principal,
    /// The games of the request, in its order.
    pub(crate) games: Vec<JudgedGame>,
}

/// A reported game, as judged before the call waits for the writer.
#[derive(Debug)]
pub(crate) struct JudgedGame {
    pub(crate) verdict: Result<(Play, PlayRecord), Rejection>,
    /// The recheck that the game was played for, if its lease is for one.
    pub(crate) recheck: Option<Recheck>,
}

/// The play that a game rechecks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Recheck {
    /// The lease of the play under check.
    pub(crate) checked: LeaseId,
    /// Whether the lease of the recheck is for both games of the pair.
    pub(crate) whole: bool,
}

/// Why a call is refused.
#[derive(Debug, Error)]
pub(crate) enum SyncRefusal {
    /// A later process of the same worker has replaced this one.
    #[error(
        "another process of this worker ({0}) was started after this one, so this one stops: is its state directory a \
         copy? Give each process a state directory of its own"
    )]
    Superseded(WorkerId),
    /// The start number is too far in the future.
    #[error(
        "the number of this start, {0}, lies more than a day beyond this coordinator's clock: set the clocks of both \
         machines, remove the file `starts` in the worker's directory, and start the worker again"
    )]
    BadStart(u64),
    /// The token may not use this worker's id.
    #[error("{0}")]
    NotYours(String),
}

impl From<SyncRefusal> for CoordinatorError {
    fn from(why: SyncRefusal) -> Self {
        match why {
            SyncRefusal::NotYours(_) => Self::Forbidden(why.to_string()),
            SyncRefusal::Superseded(_) | SyncRefusal::BadStart(_) => Self::Refused(why.to_string()),
        }
    }
}

/// The answer to a call, or why the call is refused.
pub(crate) type SyncResult = Result<SyncResponse, SyncRefusal>;
