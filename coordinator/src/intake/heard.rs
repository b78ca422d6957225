//! What was heard in a call, before the answer is made.

use super::call::{Answer, JudgedSync};
use super::hands::InHand;
use crate::store::WorkerAfter;
use protocol::sync::Ack;

/// What was heard in a call.
pub(super) enum Heard<'a> {
    InTurn(Taken<'a>),
    /// Only the results were taken; this is the answer.
    OutOfTurn(Answer),
}

/// What became of the results of a call, and of the leases that its worker holds.
pub(super) struct Taken<'a> {
    pub(super) call: &'a JudgedSync,
    /// Whether the quarantine must be looked up again: the worker was in quarantine before, or a result of this group
    /// may have put it there.
    pub(super) suspect: bool,
    pub(super) acks: Vec<Ack>,
    pub(super) hand: InHand,
    pub(super) after: WorkerAfter<'a>,
}
