//! Live viewing of machines. Workers report their state only while a client views it, and the state is not stored.

use protocol::ids::WorkerId;
use protocol::machine::{LONGEST_LINE, MOST_LINES, ToldState};
use protocol::sync::MachineState;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long after a request the machine reports its state.
const WATCH_MS: i64 = 60_000;

/// The most machines that are viewed at once.
const MOST: usize = 64;

struct MachineWatch {
    /// When it expires, on the monotonic clock.
    until_ms: i64,
    last: Option<ToldState>,
}

/// The machines that are viewed.
#[derive(Default)]
pub(crate) struct Machines(Mutex<HashMap<WorkerId, MachineWatch>>);

impl Machines {
    fn watches(&self) -> MutexGuard<'_, HashMap<WorkerId, MachineWatch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts or extends the viewing of a machine; gives its last report. Beyond [`MOST`] machines, no more are viewed.
    pub(crate) fn watch(&self, worker: WorkerId, passed_ms: i64) -> Option<ToldState> {
        let mut watches = self.watches();
        watches.retain(|_, watch| watch.until_ms > passed_ms);
        let until_ms = passed_ms + WATCH_MS;
        if let Some(watch) = watches.get_mut(&worker) {
            watch.until_ms = until_ms;
            return watch.last.clone();
        }
        if watches.len() < MOST {
            watches.insert(worker, MachineWatch { until_ms, last: None });
        }
        None
    }

    /// Whether a machine is viewed.
    pub(crate) fn is_watched(&self, worker: WorkerId, passed_ms: i64) -> bool {
        self.watches().get(&worker).is_some_and(|watch| watch.until_ms > passed_ms)
    }

    /// Stores the report of a machine.
    pub(crate) fn report(&self, worker: WorkerId, state: Option<MachineState>, now_ms: i64) {
        let mut watches = self.watches();
        let (Some(state), Some(watch)) = (state, watches.get_mut(&worker)) else { return };
        let skipped = state.log.len().saturating_sub(MOST_LINES);
        watch.last = Some(ToldState {
            heard_ms: now_ms,
            spooled: state.spooled,
            clock_ms: state.clock_ms.saturating_sub(now_ms),
            log: state.log.iter().skip(skipped).map(|line| shown(line)).collect(),
        });
    }
}

/// A line from outside in a form that can be shown.
fn shown(line: &str) -> String {
    line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(LONGEST_LINE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_tells_only_while_somebody_looks_and_only_so_much() {
        let machines = Machines::default();
        let worker = WorkerId::random();
        let state = |lines: usize| {
            let log = (0..lines).map(|n| format!("{n}\u{1b}[2K\n{}", "x".repeat(9_000))).collect();
            Some(MachineState { spooled: 3, clock_ms: 5_500, log })
        };
        machines.report(worker, state(1), 5_000);
        assert_eq!((machines.is_watched(worker, 0), machines.watch(worker, 0)), (false, None));
        assert!(machines.is_watched(worker, WATCH_MS - 1) && !machines.is_watched(worker, WATCH_MS));
        machines.report(worker, state(10_000), 5_000);
        let last = machines.watch(worker, 1_000).expect("told");
        assert_eq!((last.spooled, last.clock_ms, last.heard_ms, last.log.len()), (3, 500, 5_000, MOST_LINES));
        assert!(last.log.iter().all(|line| line.chars().count() == LONGEST_LINE && !line.contains('\u{1b}')));
        for _ in 0..2 * MOST {
            machines.watch(WorkerId::random(), 1_000);
        }
        assert_eq!(machines.watches().len(), MOST);
        assert_eq!(machines.watch(worker, 1_000 + WATCH_MS), None, "the last reader left long ago");
    }
}
