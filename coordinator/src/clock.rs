//! The clock of a coordinator, which tests move by hand.
//!
//! The clock runs by itself from the coordinator's start, as time passes, and is set by an authority: the clock of the database
//! server, or of the machine for a file. A step of the authority's clock is noticed, because its time then differs from the time
//! that has passed.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A difference between clocks that is reported, in milliseconds. Leases last many times as long.
pub(crate) const WORTH_A_WORD: i64 = 2_000;

/// A reading of the machine's clock that took longer is discarded: the process was suspended meanwhile.
const LONG_LOOK: Duration = Duration::from_millis(100);

/// How often the machine's clock is read when every reading takes long.
const LOOKS: usize = 4;

/// The approximate start of this process.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The coordinator's clock. All deadlines come from it; workers report durations only.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The machine's clock.
    #[default]
    System,
    /// A clock that runs by itself until an authority sets it; the value is its lead over the time since `BEGAN`.
    Running(Arc<AtomicI64>),
    /// A clock that stops until [`Clock::advance`].
    Manual(Arc<ManualClock>),
}

/// A clock moved by hand, in milliseconds.
#[derive(Debug, Default)]
pub struct ManualClock {
    shown: AtomicI64,
    /// The step of the machine's clock that the coordinator has not read yet.
    set_by: AtomicI64,
    passed: AtomicI64,
}

impl Clock {
    /// A manual clock that shows `now_ms` milliseconds since 1970.
    #[must_use]
    pub fn manual(now_ms: i64) -> Self {
        Self::Manual(Arc::new(ManualClock { shown: now_ms.into(), ..ManualClock::default() }))
    }

    /// A clock that runs by itself, this many milliseconds ahead of the machine's clock, until it is set.
    #[must_use]
    pub fn shifted(ms: i64) -> Self {
        let ahead = machine_ms().saturating_add(ms) - since_began();
        Self::Running(Arc::new(AtomicI64::new(ahead)))
    }

    /// Milliseconds since 1970.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        match self {
            Clock::System => machine_ms(),
            Clock::Running(ahead) => since_began().saturating_add(ahead.load(Ordering::SeqCst)),
            Clock::Manual(manual) => manual.shown.load(Ordering::SeqCst),
        }
    }

    /// Milliseconds since some moment, unaffected by the setting of clocks.
    #[must_use]
    pub fn passed_ms(&self) -> i64 {
        match self {
            Clock::System | Clock::Running(_) => since_began(),
            Clock::Manual(manual) => manual.passed.load(Ordering::SeqCst),
        }
    }

    /// Sets the clock by its authority: the database server, if it gave its time after `asked_ms` of this clock, and
    /// otherwise the machine. Gives the milliseconds by which the clock moved.
    pub(crate) fn agree(&self, asked_ms: i64, server_ms: Option<i64>) -> i64 {
        match self {
            Clock::System => 0,
            Clock::Running(ahead) => {
                let (earliest, shown, latest) = match server_ms {
                    Some(server_ms) => (asked_ms, server_ms, self.now_ms()),
                    None => self.look_at_the_machine(),
                };
                // The server read its clock between the query and now: any time in between is right.
                let wrong = shown - shown.clamp(earliest, latest.max(earliest));
                ahead.fetch_add(wrong, Ordering::SeqCst);
                wrong
            }
            Clock::Manual(manual) => {
                let wrong = manual.set_by.swap(0, Ordering::SeqCst);
                manual.shown.fetch_add(wrong, Ordering::SeqCst);
                wrong
            }
        }
    }

    /// The time of this clock before, the time of the machine's clock, and the time of this clock afterwards.
    fn look_at_the_machine(&self) -> (i64, i64, i64) {
        let look = || (self.now_ms(), machine_ms(), self.now_ms());
        let is_quick = |&(before, _, after): &(i64, i64, i64)| {
            u128::try_from(after - before).is_ok_and(|took| took < LONG_LOOK.as_millis())
        };
        (0..LOOKS).map(|_| look()).find(is_quick).unwrap_or_else(look)
    }

    /// Lets time pass on a manual clock; other clocks run by themselves.
    pub fn advance(&self, ms: i64) {
        if let Clock::Manual(manual) = self {
            manual.shown.fetch_add(ms, Ordering::SeqCst);
            manual.passed.fetch_add(ms, Ordering::SeqCst);
        }
    }

    /// Sets the machine's clock behind a manual clock, while no time passes. The coordinator has the new time after its next
    /// reading.
    pub fn step(&self, ms: i64) {
        if let Clock::Manual(manual) = self {
            manual.set_by.fetch_add(ms, Ordering::SeqCst);
        }
    }
}

/// The machine's clock, in milliseconds since 1970.
fn machine_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn since_began() -> i64 {
    i64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(i64::MAX)
}

/// The renewal of leases that is due, after the coordinator's start or a step of the clock. It remains due until a
/// transaction that performs it is committed.
#[derive(Debug, Default)]
pub(crate) struct PendingRenewal(Mutex<DueRenewal>);

/// See [`PendingRenewal`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct DueRenewal {
    /// The coordinator has started, and could not renew the leases then.
    pub(crate) start: bool,
    /// The milliseconds by which the clock moved.
    pub(crate) step_ms: i64,
}

impl PendingRenewal {
    fn owed(&self) -> MutexGuard<'_, DueRenewal> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a movement of the clock; gives whether it is a step.
    pub(crate) fn clock_moved(&self, step_ms: i64) -> bool {
        let is_step = step_ms.abs() > WORTH_A_WORD;
        if is_step {
            self.owed().step_ms += step_ms;
        }
        is_step
    }

    /// Notes that the coordinator has started while the database could not be written.
    pub(crate) fn started(&self) {
        self.owed().start = true;
    }

    /// The renewal that is due, if any.
    pub(crate) fn any(&self) -> Option<DueRenewal> {
        Some(*self.owed()).filter(|owed| *owed != DueRenewal::default())
    }

    /// Notes that this renewal was performed.
    pub(crate) fn paid(&self, paid: DueRenewal) {
        let mut owed = self.owed();
        owed.start &= !paid.start;
        owed.step_ms -= paid.step_ms;
    }
}

/// A movement of a clock in words.
pub(crate) fn in_words(step_ms: i64) -> String {
    let direction = if step_ms < 0 { "back" } else { "forward" };
    format!("{direction} by {}", long(step_ms))
}

/// The length of a time in words, without its sign.
pub(crate) fn long(ms: i64) -> String {
    match ms.unsigned_abs().div_ceil(1_000) {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_runs_goes_by_the_time_that_passes_until_its_authority_says_otherwise() {
        let clock = Clock::shifted(3_600_000);
        let asked = clock.now_ms();
        assert_eq!(clock.agree(asked, Some(asked)), 0, "the answer took no time, and is right");
        let back = clock.agree(asked, Some(asked - 600_000));
        assert_eq!(back, -600_000);
        assert!((clock.now_ms() - (asked - 600_000)).abs() < 60_000, "it shows what the server says");
        let slow = clock.now_ms() - 10_000;
        assert_eq!(clock.agree(slow, Some(slow + 5_000)), 0, "an answer that took ten seconds is no step");
        let wrong = clock.agree(0, None);
        assert!((wrong + 3_000_000).abs() < 60_000, "without a server the machine is right: {wrong}");
    }

    #[test]
    fn what_is_owed_is_owed_until_it_is_paid() {
        let debt = PendingRenewal::default();
        assert!(!debt.clock_moved(-WORTH_A_WORD) && debt.any().is_none());
        assert!(debt.clock_moved(-600_000));
        let first = debt.any().expect("owed");
        debt.started();
        assert!(debt.clock_moved(60_000));
        debt.paid(first);
        assert_eq!(debt.any(), Some(DueRenewal { start: true, step_ms: 60_000 }));
        debt.paid(DueRenewal { start: true, step_ms: 60_000 });
        assert_eq!(debt.any(), None);
    }

    #[test]
    fn steps_are_told_in_the_unit_that_fits() {
        let words = [-600_000, 90_000, 7_200_000, -2_001].map(in_words);
        assert_eq!(words, ["back by 10 min", "forward by 90 s", "forward by 2 h", "back by 3 s"]);
    }
}
