//! Metrics for Prometheus, in its text format.
//!
//! There is no crate for this: the coordinator has a few counters and histograms, and the format is a page long
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use crate::store::{RecheckCounts, StoreError};
use protocol::alarm::{Alarm, AlarmKind, Severity};
use protocol::report::{ExperimentState, Overview};
use protocol::sync::AckStatus;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histograms' buckets, in seconds.
const BOUNDS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

/// Durations by bucket.
#[derive(Debug, Default, Clone)]
struct Histogram {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Histogram {
    fn observe(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        if let Some(bucket) = BOUNDS.iter().position(|bound| seconds <= *bound) {
            self.buckets[bucket] += 1;
        }
        self.count += 1;
        self.seconds += seconds;
    }

    fn write(&self, out: &mut String, name: &str, labels: &str) -> std::fmt::Result {
        let comma = if labels.is_empty() { "" } else { "," };
        let mut so_far = 0;
        for (bound, count) in BOUNDS.iter().zip(self.buckets) {
            so_far += count;
            writeln!(out, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {so_far}")?;
        }
        writeln!(out, "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {}", self.count)?;
        let labels = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        writeln!(out, "{name}_sum{labels} {}", self.seconds)?;
        writeln!(out, "{name}_count{labels} {}", self.count)
    }
}

/// The resources that callers use at the moment.
pub(crate) struct EdgeMetrics {
    /// Lookups in the database to authenticate callers, so far.
    pub(crate) lookups: u64,
    /// Event streams open.
    pub(crate) streams: usize,
    /// Bytes reserved for request bodies.
    pub(crate) body_bytes: usize,
}

impl EdgeMetrics {
    fn write(&self, out: &mut String) -> std::fmt::Result {
        let Self { lookups, streams, body_bytes } = self;
        let name = "gauntlet_token_lookups_total";
        head(out, name, "counter", "Lookups in the database to authenticate callers.")?;
        writeln!(out, "{name} {lookups}")?;
        head(out, "gauntlet_event_streams", "gauge", "Event streams that are open.")?;
        writeln!(out, "gauntlet_event_streams {streams}")?;
        head(out, "gauntlet_body_bytes", "gauge", "Bytes reserved for request bodies.")?;
        writeln!(out, "gauntlet_body_bytes {body_bytes}")
    }
}

/// The counters of a coordinator since it was opened.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    request_seconds: Mutex<BTreeMap<String, Histogram>>,
    commit_seconds: Mutex<Histogram>,
    games: [AtomicU64; 4],
    leases_granted: AtomicU64,
    leases_lapsed: AtomicU64,
    commits_failed: AtomicU64,
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Metrics {
    /// Counts an answered request. `route` is the matched pattern, of which there are few, and not the path.
    pub(crate) fn answered(&self, route: &str, status: u16, took: Duration) {
        *locked(&self.requests).entry((route.to_owned(), status)).or_default() += 1;
        locked(&self.request_seconds).entry(route.to_owned()).or_default().observe(took);
    }

    /// Counts a reported game, stored or rejected.
    pub(crate) fn judged(&self, status: AckStatus) {
        self.games[status as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Reported games so far that were counted, and that were rejected.
    pub(crate) fn games(&self) -> [u64; 2] {
        [AckStatus::Accepted, AckStatus::Rejected]
            .map(|status| self.games[status as usize].load(Ordering::Relaxed))
    }

    /// Leases were granted.
    pub(crate) fn granted(&self, leases: usize) {
        self.leases_granted.fetch_add(leases as u64, Ordering::Relaxed);
    }

    pub(crate) fn lapsed(&self, leases: u64) {
        self.leases_lapsed.fetch_add(leases, Ordering::Relaxed);
    }

    /// A group was committed, or not.
    pub(crate) fn committed(&self, took: Duration, done: bool) {
        locked(&self.commit_seconds).observe(took);
        self.commits_failed.fetch_add(u64::from(!done), Ordering::Relaxed);
    }

    /// All metrics, including those of the overview and the writer's queue.
    pub(crate) fn text(
        &self,
        overview: &Overview,
        (rechecks, backup_age_ms): (&RecheckCounts, Option<i64>),
        queued: usize,
        edge: &EdgeMetrics,
    ) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        write_database(&mut out, true)?;
        if let Some(age_ms) = backup_age_ms {
            let name = "gauntlet_backup_age_seconds";
            head(
                &mut out,
                name,
                "gauge",
                "Time since the last `gauntlet db backup`; missing if there was none.",
            )?;
            writeln!(out, "{name} {}", age_ms / 1_000)?;
        }
        self.write_own(&mut out, queued)?;
        edge.write(&mut out)?;
        write_overview(&mut out, overview)?;
        write_rechecks(&mut out, overview, rechecks)?;
        Ok(out)
    }

    /// The metrics that need no database, and the reason of its failure.
    pub(crate) fn text_without_database(
        &self,
        why: &StoreError,
        queued: usize,
        edge: &EdgeMetrics,
    ) -> Result<String, std::fmt::Error> {
        let mut out = format!("# {}\n", why.to_string().replace(['\n', '\r'], " "));
        write_database(&mut out, false)?;
        self.write_own(&mut out, queued)?;
        edge.write(&mut out)?;
        Ok(out)
    }

    fn write_own(&self, out: &mut String, queued: usize) -> std::fmt::Result {
        head(out, "gauntlet_http_requests_total", "counter", "Requests answered, by route and status.")?;
        for ((route, status), count) in locked(&self.requests).iter() {
            writeln!(
                out,
                "gauntlet_http_requests_total{{route=\"{}\",status=\"{status}\"}} {count}",
                label(route)
            )?;
        }
        let name = "gauntlet_http_request_seconds";
        head(out, name, "histogram", "Time from a request's head to its answer's, by route.")?;
        for (route, histogram) in locked(&self.request_seconds).iter() {
            histogram.write(out, name, &format!("route=\"{}\"", label(route)))?;
        }
        let name = "gauntlet_commit_seconds";
        head(
            out,
            name,
            "histogram",
            "Time of a transaction that writes, from its begin until it is on disk.",
        )?;
        locked(&self.commit_seconds).write(out, name, "")?;
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        head(out, "gauntlet_games_total", "counter", "Games reported, by what became of them.")?;
        for status in [AckStatus::Accepted, AckStatus::Duplicate, AckStatus::Superseded, AckStatus::Rejected]
        {
            let name = format!("{status:?}").to_lowercase();
            writeln!(
                out,
                "gauntlet_games_total{{status=\"{name}\"}} {}",
                load(&self.games[status as usize])
            )?;
        }
        for (name, kind, help, value) in [
            ("gauntlet_leases_granted_total", "counter", "Leases given out.", load(&self.leases_granted)),
            ("gauntlet_leases_lapsed_total", "counter", "Leases that lapsed.", load(&self.leases_lapsed)),
            (
                "gauntlet_commits_failed_total",
                "counter",
                "Transactions that were not committed.",
                load(&self.commits_failed),
            ),
            ("gauntlet_writer_queue", "gauge", "Requests that wait for the writer.", queued as u64),
        ] {
            head(out, name, kind, help)?;
            writeln!(out, "{name} {value}")?;
        }
        Ok(())
    }
}

fn write_database(out: &mut String, answers: bool) -> std::fmt::Result {
    let name = "gauntlet_database_up";
    head(out, name, "gauge", "Whether the database answers: 1, or 0.")?;
    writeln!(out, "{name} {}", u8::from(answers))
}

/// The metrics from the database, by experiment and worker.
fn write_overview(out: &mut String, overview: &Overview) -> std::fmt::Result {
    head(out, "gauntlet_info", "gauge", "Version of the coordinator.")?;
    writeln!(out, "gauntlet_info{{version=\"{}\"}} 1", label(&overview.version))?;
    for (name, help, value) in [
        ("gauntlet_workers", "Workers that called lately.", overview.fleet.alive),
        ("gauntlet_slots", "Games they play at once.", overview.fleet.slots),
    ] {
        head(out, name, "gauge", help)?;
        writeln!(out, "{name} {value}")?;
    }
    let name = "gauntlet_alarms";
    head(out, name, "gauge", "Alarms that stand, by kind and severity.")?;
    for kind in AlarmKind::ALL {
        for severity in [Severity::Amber, Severity::Red] {
            let such = |alarm: &&Alarm| (alarm.kind, alarm.severity) == (kind, severity);
            let number = overview.alarms.iter().filter(such).count();
            let (kind, severity) = (kind.name(), severity.name());
            writeln!(out, "{name}{{kind=\"{kind}\",severity=\"{severity}\"}} {number}")?;
        }
    }
    // Finished experiments no longer change, so a line for each would only cost.
    let shown = || {
        let over = [ExperimentState::Finished, ExperimentState::Stopped, ExperimentState::Archived];
        overview.experiments.iter().filter(move |experiment| !over.contains(&experiment.state))
    };
    type Measure = fn(&protocol::report::ExperimentSummary) -> f64;
    let measures: [(&str, &str, Measure); 5] = [
        ("gauntlet_experiment_games_planned", "Games planned.", |e| e.games_planned as f64),
        ("gauntlet_experiment_games_done", "Games counted towards the plan.", |e| e.games_done as f64),
        ("gauntlet_experiment_pairs_in_flight", "Pairs lent out.", |e| e.pairs_in_flight as f64),
        ("gauntlet_experiment_pairs_aside", "Pairs set aside.", |e| e.pairs_aside as f64),
        ("gauntlet_experiment_games_per_minute", "Games counted a minute, lately.", |e| e.games_per_minute),
    ];
    for (name, help, measure) in measures {
        head(out, name, "gauge", help)?;
        for experiment in shown() {
            writeln!(out, "{name}{{experiment=\"{}\"}} {}", label(&experiment.name), measure(experiment))?;
        }
    }
    Ok(())
}

/// Games played again by other machines, by verdict.
fn write_rechecks(out: &mut String, overview: &Overview, rechecks: &RecheckCounts) -> std::fmt::Result {
    let name = "gauntlet_workers_quarantined";
    head(out, name, "gauge", "Workers that get no work because they are in quarantine.")?;
    writeln!(out, "{name} {}", overview.fleet.quarantined)?;
    let name = "gauntlet_replays";
    head(out, name, "gauge", "Counted games chosen to be played again, by what came of it.")?;
    for (state, plays) in [
        ("open", rechecks.open - rechecks.disputed),
        ("disputed", rechecks.disputed),
        ("agreed", rechecks.agreed),
        ("refuted", rechecks.refuted),
        ("given_up", rechecks.given_up),
    ] {
        writeln!(out, "{name}{{state=\"{state}\"}} {plays}")?;
    }
    Ok(())
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) -> std::fmt::Result {
    writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}")
}

/// A label's value in the syntax of the format.
fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_count_everything_up_to_their_bound() {
        let mut histogram = Histogram::default();
        for ms in [1, 3, 3, 700, 9_000] {
            histogram.observe(Duration::from_millis(ms));
        }
        let mut out = String::new();
        histogram.write(&mut out, "x", "a=\"b\"").expect("a string");
        for line in [
            "x_bucket{a=\"b\",le=\"0.001\"} 1",
            "x_bucket{a=\"b\",le=\"0.005\"} 3",
            "x_bucket{a=\"b\",le=\"1\"} 4",
            "x_bucket{a=\"b\",le=\"5\"} 4",
            "x_bucket{a=\"b\",le=\"+Inf\"} 5",
            "x_count{a=\"b\"} 5",
        ] {
            assert!(out.lines().any(|found| found == line), "{line} is not in\n{out}");
        }
    }

    #[test]
    fn labels_cannot_break_out_of_their_quotes() {
        assert_eq!(label("a\"b\\c\nd"), "a\\\"b\\\\c\\nd");
    }
}
