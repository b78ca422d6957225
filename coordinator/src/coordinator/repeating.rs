//! Code that the repeating tasks share.

use std::fmt::Display;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Ticks with this time between them, however long a step takes.
pub(super) fn every(time: Duration) -> Interval {
    let mut ticks = interval(time);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// Whether the last step failed. Of several failures in a row, the first one is logged.
#[derive(Default)]
pub(super) struct Failing(bool);

impl Failing {
    /// Notes the result of a step, and gives its value. `consequence` explains a failure to people.
    pub(super) fn note<T, E: Display>(&mut self, look: Result<T, E>, consequence: &str) -> Option<T> {
        match look {
            Ok(found) => {
                self.0 = false;
                Some(found)
            }
            Err(error) => {
                if !std::mem::replace(&mut self.0, true) {
                    tracing::warn!("{consequence}: {error}");
                }
                None
            }
        }
    }

    pub(super) fn is(&self) -> bool {
        self.0
    }
}
