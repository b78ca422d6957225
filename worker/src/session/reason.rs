//! The reason why there is no work, for the log.

use super::{Contact, Session};
use crate::slot::QueueState;
use protocol::sync::{NoWork, NoWorkCode};
use protocol::words::counted;
use tracing::info;

/// Why there is no work.
#[derive(Debug)]
pub(super) enum Reason {
    /// The last call failed, with this error.
    NoContact(String),
    NoWork(NoWork),
}

impl Reason {
    /// The part that must change for a new log line: the numbers in the message may change with every call.
    fn kind(&self) -> Option<NoWorkCode> {
        match self {
            Reason::NoContact(_) => None,
            Reason::NoWork(no_work) => Some(no_work.code),
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::NoContact(why) => f.write_str(why),
            Reason::NoWork(no_work) => f.write_str(&no_work.message),
        }
    }
}

impl<A> Session<A> {
    /// Logs why there is no work, once per kind of reason.
    pub(super) fn log_reason(&mut self) {
        let reason = match &self.contact {
            Contact::Lost { why, .. } => Some(Reason::NoContact(why.clone())),
            _ if self.draining => None,
            _ => self.no_work.clone().filter(|_| self.calibrating.is_empty()).map(Reason::NoWork),
        };
        let kind = |reason: &Option<Reason>| reason.as_ref().map(Reason::kind);
        if kind(&reason) != kind(&self.reason) {
            match &reason {
                Some(reason) => info!("no new work: {reason} ({})", self.activity()),
                None => info!("there is work again"),
            }
        }
        self.reason = reason;
    }

    /// The activity of the slots, in words.
    fn activity(&self) -> String {
        let QueueState { waiting, idle, .. } = self.queue.content();
        let slots = self.config.slots.get();
        let (playing, slots) = (slots.saturating_sub(idle), counted(slots as u64, "slot"));
        format!("playing on {playing} of {slots}, {} waiting", counted(waiting as u64, "pair"))
    }

    /// Logs the worker's activity, and its results since the last line.
    pub(super) fn log_status(&mut self) {
        let lately = self.games - std::mem::replace(&mut self.told_games, self.games);
        info!(
            "{}, {} finished, {lately} of them since the last line, spool {}{}",
            self.activity(),
            counted(self.games, "game"),
            self.in_flight.unsent(),
            self.reason.as_ref().map(|reason| format!("; no new work: {reason}")).unwrap_or_default()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn a_coordinator_that_answers_is_not_said_to_be_away() {
        let why = "the coordinator says: later (busy)";
        assert_eq!(Reason::NoContact(why.into()).to_string(), why);
    }
}
