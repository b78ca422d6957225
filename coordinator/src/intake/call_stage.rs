//! The state of a call between its results and its answer.

use super::call::{JudgedSync, SyncResult};
use super::reconcile::ReconciledLeases;
use crate::store::WorkerAfter;
use protocol::sync::Ack;

/// A call whose results were taken.
pub(super) enum CallStage<'a> {
    InTurn(AcknowledgedCall<'a>),
    /// Only the results were taken; this is the answer.
    OutOfTurn(SyncResult),
}

/// The acknowledged results of a call, and the leases that its worker holds.
pub(super) struct AcknowledgedCall<'a> {
    pub(super) call: &'a JudgedSync,
    /// Whether the quarantine must be looked up again: the worker was in quarantine before, or a result of this group
    /// may have put it there.
    pub(super) suspect: bool,
    pub(super) acks: Vec<Ack>,
    pub(super) reconciled: ReconciledLeases,
    pub(super) after: WorkerAfter<'a>,
}
