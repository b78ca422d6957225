//! Measurements during the test: durations, processor time and memory.

use serde::Serialize;
use std::ops::Range;
use std::time::Duration;

/// All measured durations, in microseconds and in the order of measurement.
#[derive(Debug, Default, Clone)]
pub(crate) struct Durations(Vec<u32>);

/// Percentiles of durations, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Spread {
    pub(crate) count: u64,
    pub(crate) p50_ms: f64,
    pub(crate) p90_ms: f64,
    pub(crate) p95_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
}

impl Durations {
    pub(crate) fn add(&mut self, duration: Duration) {
        self.0.push(u32::try_from(duration.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The percentiles of a range of the durations, in the order of measurement. The percentile p is the smallest
    /// duration that at least p % of the durations do not exceed.
    pub(crate) fn spread(&self, which: Range<usize>) -> Option<Spread> {
        let mut sorted = self.0.get(which)?.to_vec();
        sorted.sort_unstable();
        let longest = *sorted.last()?;
        let ms = |microseconds: u32| f64::from(microseconds) / 1000.0;
        let at = |percent: usize| ms(sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]);
        let count = sorted.len() as u64;
        Some(Spread {
            count,
            p50_ms: at(50),
            p90_ms: at(90),
            p95_ms: at(95),
            p99_ms: at(99),
            max_ms: ms(longest),
        })
    }
}

/// Processor time and memory of a process, from `/proc`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    /// Processor time so far, in seconds.
    pub(crate) cpu_s: f64,
    /// Peak memory so far, in MiB.
    pub(crate) peak_mib: f64,
}

impl Usage {
    /// The usage of the process with this id; none if the system does not report it.
    pub(crate) fn of(process: u32) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The program name in parentheses may contain any character, so the fields are counted after the name.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        let kib: f64 = peak.trim().trim_end_matches("kB").trim().parse().ok()?;
        let ticks_a_second = rustix::param::clock_ticks_per_second() as f64;
        Some(Self { cpu_s: ticks / ticks_a_second, peak_mib: kib / 1024.0 })
    }
}

/// Processor time of the whole machine since its start, from `/proc`, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MachineTime {
    all: u64,
    /// Time that the machine was ready to use but that its host gave to other machines (steal).
    stolen: u64,
}

impl MachineTime {
    /// The processor time until now; none if the system does not report it.
    pub(crate) fn now() -> Option<Self> {
        Self::read(&std::fs::read_to_string("/proc/stat").ok()?)
    }

    /// Reads the line about all processors: user, nice, system, idle, iowait, irq, softirq and steal.
    fn read(stat: &str) -> Option<Self> {
        let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
        let ticks: Vec<u64> = line.split_whitespace().take(8).map_while(|ticks| ticks.parse().ok()).collect();
        Some(Self { all: ticks.iter().sum(), stolen: *ticks.get(7)? })
    }

    /// The share of the processor time since `then` that the host gave to other machines, from 0 to 1.
    pub(crate) fn stolen_since(self, then: Self) -> f64 {
        let all = self.all.saturating_sub(then.all).max(1);
        self.stolen.saturating_sub(then.stolen) as f64 / all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_names_durations_that_happened() {
        let mut durations = Durations::default();
        assert_eq!(durations.spread(0..durations.len()), None);
        for ms in (0..=100).rev() {
            durations.add(Duration::from_millis(ms));
        }
        let all = durations.spread(0..durations.len()).expect("some");
        assert_eq!(
            (all.count, all.p50_ms, all.p90_ms, all.p95_ms, all.p99_ms, all.max_ms),
            (101, 50.0, 90.0, 95.0, 99.0, 100.0)
        );
        let last = durations.spread(100..101).expect("one");
        assert_eq!((last.count, last.p50_ms, last.max_ms), (1, 0.0, 0.0));
    }

    #[test]
    fn this_process_has_used_memory() {
        let usage = Usage::of(std::process::id()).expect("/proc");
        assert!(usage.peak_mib > 1.0 && usage.cpu_s >= 0.0, "{usage:?}");
    }

    #[test]
    fn stolen_time_is_a_share_of_all_processors_time() {
        let read = |stat: &str| MachineTime::read(stat).expect("a line of processor time");
        let then = read("cpu  100 0 50 800 10 0 0 40 7 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n");
        let now = read("cpu  150 0 60 820 10 0 0 60 9 0\n");
        assert_eq!(now.stolen_since(then), 0.2);
        assert_eq!(then.stolen_since(now), 0.0, "a machine that has begun anew");
        assert_eq!(MachineTime::read("cpu  1 2 3\n"), None);
        assert!(MachineTime::now().is_some_and(|now| now.stolen_since(now) == 0.0));
    }
}
