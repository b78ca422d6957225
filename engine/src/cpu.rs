//! The only clock of the engine: the CPU time of the calling thread.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// CPU time the calling thread has used.
#[must_use]
pub fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
