//! What time it is: an argument, so that tests move it by hand.
//!
//! A coordinator's clock runs by itself from the moment of its start, as the time that passes does, and is set by an
//! authority: the database server's clock, or the machine's for a file. Whoever sets that clock is noticed: the
//! authority then shows another time than the one that passed.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A difference between clocks that is worth a word, in milliseconds. Leases live for many times as long.
pub(crate) const WORTH_A_WORD: i64 = 2_000;

/// A look at the machine's clock that took longer says nothing: the process did not run in between.
const LONG_LOOK: Duration = Duration::from_millis(100);

/// How often the machine's clock is looked at, when every look takes long.
const LOOKS: usize = 4;

/// When this process began to count, roughly.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The coordinator's clock. All deadlines come from it; workers report durations only.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The machine's.
    #[default]
    System,
    /// One that runs by itself until an authority sets it: how far it is ahead of the time since `BEGAN`.
    Running(Arc<AtomicI64>),
    /// One that stands still until [`Clock::advance`].
    Manual(Arc<Hands>),
}

/// A clock moved by hand, in milliseconds.
#[derive(Debug, Default)]
pub struct Hands {
    shown: AtomicI64,
    /// How far the machine's clock, which the coordinator has not looked at yet, was set forward or back.
    set_by: AtomicI64,
    passed: AtomicI64,
}

impl Clock {
    /// A clock moved by hand that shows `now_ms` milliseconds since 1970.
    #[must_use]
    pub fn manual(now_ms: i64) -> Self {
        Self::Manual(Arc::new(Hands { shown: now_ms.into(), ..Hands::default() }))
    }

    /// A clock that runs by itself, so many milliseconds ahead of the machine's, until it is set.
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
            Clock::Manual(hands) => hands.shown.load(Ordering::SeqCst),
        }
    }

    /// Milliseconds that have passed since some moment, whoever sets a clock.
    #[must_use]
    pub fn passed_ms(&self) -> i64 {
        match self {
            Clock::System | Clock::Running(_) => since_began(),
            Clock::Manual(hands) => hands.passed.load(Ordering::SeqCst),
        }
    }

    /// Sets the clock by its authority, which is the database server if it said what time it was after `asked_ms` of
    /// this clock, and the machine otherwise. Gives how many milliseconds the clock went forward, or back.
    pub(crate) fn agree(&self, asked_ms: i64, server_ms: Option<i64>) -> i64 {
        match self {
            Clock::System => 0,
            Clock::Running(ahead) => {
                let (earliest, shown, latest) = match server_ms {
                    Some(server_ms) => (asked_ms, server_ms, self.now_ms()),
                    None => self.look_at_the_machine(),
                };
                // Whoever asks waits for the answer: any time between is right.
                let wrong = shown - shown.clamp(earliest, latest.max(earliest));
                ahead.fetch_add(wrong, Ordering::SeqCst);
                wrong
            }
            Clock::Manual(hands) => {
                let wrong = hands.set_by.swap(0, Ordering::SeqCst);
                hands.shown.fetch_add(wrong, Ordering::SeqCst);
                wrong
            }
        }
    }

    /// What this clock showed before, what the machine's shows, and what this one showed afterwards.
    fn look_at_the_machine(&self) -> (i64, i64, i64) {
        let look = || (self.now_ms(), machine_ms(), self.now_ms());
        let is_quick = |&(before, _, after): &(i64, i64, i64)| {
            u128::try_from(after - before).is_ok_and(|took| took < LONG_LOOK.as_millis())
        };
        (0..LOOKS).map(|_| look()).find(is_quick).unwrap_or_else(look)
    }

    /// Lets time pass on a manual clock; the machine's goes by itself.
    pub fn advance(&self, ms: i64) {
        if let Clock::Manual(hands) = self {
            hands.shown.fetch_add(ms, Ordering::SeqCst);
            hands.passed.fetch_add(ms, Ordering::SeqCst);
        }
    }

    /// Sets the machine's clock that a manual clock goes by, forward or back, while no time passes. The coordinator
    /// shows the new time once it has looked.
    pub fn step(&self, ms: i64) {
        if let Clock::Manual(hands) = self {
            hands.set_by.fetch_add(ms, Ordering::SeqCst);
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

/// What the writer owes to the leases: full terms, after the coordinator's start or when the clock was set. It owes
/// them until a transaction that gives them is committed.
#[derive(Debug, Default)]
pub(crate) struct Debt(Mutex<Owed>);

/// See [`Debt`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Owed {
    /// The coordinator started, and could not give full terms then.
    pub(crate) start: bool,
    /// How many milliseconds the clock went forward, or back.
    pub(crate) step_ms: i64,
}

impl Debt {
    fn owed(&self) -> MutexGuard<'_, Owed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clock went forward or back by so much: whether that is worth a word.
    pub(crate) fn clock_moved(&self, step_ms: i64) -> bool {
        let is_step = step_ms.abs() > WORTH_A_WORD;
        if is_step {
            self.owed().step_ms += step_ms;
        }
        is_step
    }

    /// The coordinator started, and the database did not let it say so.
    pub(crate) fn started(&self) {
        self.owed().start = true;
    }

    /// What is owed, if anything is.
    pub(crate) fn any(&self) -> Option<Owed> {
        Some(*self.owed()).filter(|owed| *owed != Owed::default())
    }

    /// So much was given.
    pub(crate) fn paid(&self, paid: Owed) {
        let mut owed = self.owed();
        owed.start &= !paid.start;
        owed.step_ms -= paid.step_ms;
    }
}

/// How far a clock was set, in words.
pub(crate) fn in_words(step_ms: i64) -> String {
    let direction = if step_ms < 0 { "back" } else { "forward" };
    format!("{direction} by {}", long(step_ms))
}

/// How long a time is, whatever its sign, in words.
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
        let debt = Debt::default();
        assert!(!debt.clock_moved(-WORTH_A_WORD) && debt.any().is_none());
        assert!(debt.clock_moved(-600_000));
        let first = debt.any().expect("owed");
        debt.started();
        assert!(debt.clock_moved(60_000));
        debt.paid(first);
        assert_eq!(debt.any(), Some(Owed { start: true, step_ms: 60_000 }));
        debt.paid(Owed { start: true, step_ms: 60_000 });
        assert_eq!(debt.any(), None);
    }

    #[test]
    fn steps_are_told_in_the_unit_that_fits() {
        let words = [-600_000, 90_000, 7_200_000, -2_001].map(in_words);
        assert_eq!(words, ["back by 10 min", "forward by 90 s", "forward by 2 h", "back by 3 s"]);
    }
}
