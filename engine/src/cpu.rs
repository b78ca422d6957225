//! What the processor tells: the CPU time of the calling thread, which is the only clock of the engine, for profiles a
//! counter of ticks, and the instructions it has.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time the calling thread has used.
#[must_use]
pub fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A counter that advances evenly with time and is read within nanoseconds, for comparing stretches of a program with
/// each other: its unit differs from machine to machine.
#[inline(always)]
#[must_use]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: every x86-64 processor has the instruction, and user programs may use it.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let now = clock_gettime(ClockId::Monotonic);
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }
}

/// Asks for the cache line of a place that will be read, where processors can be asked.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 processor has the instruction, and it changes nothing that a program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Whether this machine has all these features.
#[cfg(target_arch = "x86_64")]
macro_rules! has_features {
    ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use has_features;

/// Whether a test can run what is compiled for these instructions. On a machine without them a line on standard error
/// says so, once. The line does not go through the test runner, which keeps what tests print that pass. With
/// `GAUNTLET_REQUIRE_VECTORS` the test fails instead.
#[cfg(all(test, target_arch = "x86_64"))]
pub(crate) fn can_test(instructions: &'static str, exist: bool) -> bool {
    use std::io::Write;
    static SAID: std::sync::Mutex<Vec<&str>> = std::sync::Mutex::new(Vec::new());
    let mut said = SAID.lock().expect("nobody panics with it");
    if !exist && !said.contains(&instructions) {
        said.push(instructions);
        writeln!(std::io::stderr(), "\nNOT TESTED: {instructions}, which this machine does not have")
            .expect("standard error");
    }
    drop(said);
    assert!(exist || std::env::var_os("GAUNTLET_REQUIRE_VECTORS").is_none(), "no {instructions} here");
    exist
}
