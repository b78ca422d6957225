//! What was heard in a call, before it is answered.

use super::call::{Answer, JudgedSync};
use super::hands::InHand;
use crate::store::WorkerAfter;
use protocol::sync::Ack;

/// What was heard in a call.
pub(super) enum Heard<'a> {
    InTurn(Taken<'a>),
    /// Only its results were taken: this is the answer.
    OutOfTurn(Answer),
}

/// What became of a call's results and of the leases in its worker's hands.
pub(super) struct Taken<'a> {
    pub(super) call: &'a JudgedSync,
    /// The worker's quarantine is to be looked up: it was there before, or a report of this group may have brought it
    /// there.
    pub(super) suspect: bool,
    pub(super) acks: Vec<Ack>,
    pub(super) hand: InHand,
    pub(super) after: WorkerAfter<'a>,
}
