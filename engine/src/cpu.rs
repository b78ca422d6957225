//! Access to the CPU: the CPU time of the calling thread, which is the only clock that play depends on, a tick counter
//! for profiles, prefetches, and feature detection.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time that the calling thread has used.
#[must_use]
pub fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// A counter that advances evenly with time and is read within nanoseconds. It compares the durations of parts of a
/// program; its unit differs from machine to machine.
#[inline(always)]
#[must_use]
pub fn ticks() -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        // SAFETY: `_rdtsc` requires the instruction RDTSC. Every x86-64 processor has it, and user programs may execute
        // it.
        unsafe { core::arch::x86_64::_rdtsc() }
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let now = clock_gettime(ClockId::Monotonic);
        now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
    }
}

/// Prefetches the cache line of a place that will be read, on x86-64.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: `_mm_prefetch` requires SSE, which every x86-64 processor has. It changes nothing that a program can
        // see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Whether the CPU has all these features.
#[cfg(target_arch = "x86_64")]
macro_rules! has_features {
    ($($feature:tt)*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
}
#[cfg(target_arch = "x86_64")]
pub(crate) use has_features;

/// Whether a test can run code for these instructions, which it can if they `exist`. If not, a line on standard error
/// says so, once for each kind of `instructions`. The line bypasses the test runner, which hides the output of tests
/// that pass. With `GAUNTLET_REQUIRE_VECTORS` set, the test fails instead.
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
