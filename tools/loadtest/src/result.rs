//! The findings of a test, as text and as JSON.

use crate::LoadtestArgs;
use crate::measure::{MachineTime, Spread, Usage};
use crate::nuisance::NuisanceResult;
use crate::pages::PageTimes;
use crate::test::Test;
use coordinator::Verification;
use protocol::report::ExperimentReport;
use serde::Serialize;
use std::fmt::Write;
use std::time::Instant;

/// The measured time span.
pub(crate) struct Window {
    opened: Instant,
    seconds: f64,
    /// Numbers of calls and games at its start and at its end.
    from: (usize, u64),
    to: (usize, u64),
    usage: (Option<Usage>, Option<Usage>),
    own_usage: (Option<Usage>, Option<Usage>),
    machine: (Option<MachineTime>, Option<MachineTime>),
}

impl Window {
    pub(crate) fn open(test: &Test, usage: Option<Usage>) -> Self {
        let from = counted(test);
        let own_usage = (Usage::of(std::process::id()), None);
        let machine = (MachineTime::now(), None);
        Self {
            opened: Instant::now(),
            seconds: 0.0,
            from,
            to: from,
            usage: (usage, None),
            own_usage,
            machine,
        }
    }

    pub(crate) fn close(mut self, test: &Test, usage: Option<Usage>) -> Self {
        self.seconds = self.opened.elapsed().as_secs_f64();
        self.to = counted(test);
        self.usage.1 = usage;
        self.own_usage.1 = Usage::of(std::process::id());
        self.machine.1 = MachineTime::now();
        self
    }
}

fn counted(test: &Test) -> (usize, u64) {
    let tally = test.tally();
    (tally.syncs.len(), tally.games)
}

/// The average number of processors in use.
fn cores(seconds: f64, (from, to): (Option<Usage>, Option<Usage>)) -> Option<f64> {
    Some((to?.cpu_s - from?.cpu_s) / seconds.max(1e-9))
}

/// All findings.
#[derive(Debug, Serialize)]
pub(crate) struct Findings {
    workers: u32,
    cells: u32,
    /// Games in the database before the workers joined.
    stored_games: u64,
    /// Length of the measurement, in seconds.
    seconds: f64,
    syncs_per_second: f64,
    games_per_second: f64,
    games_per_second_asked_for: f64,
    /// Times from a worker's arrival until it had joined and made its first call.
    join: Option<Spread>,
    sync: Option<Spread>,
    /// Times of calls before the measurement, while the workers joined.
    sync_while_joining: Option<Spread>,
    /// Number of calls that had to be repeated, and the reason of the last one.
    #[serde(rename = "put_off")]
    called_again: u64,
    #[serde(rename = "why_put_off")]
    why_called_again: String,
    pages: Vec<PageTimes>,
    /// The additional load.
    nuisance: Vec<NuisanceResult>,
    /// Resources of the coordinator, if the test started it.
    coordinator_cores: Option<f64>,
    coordinator_peak_mib: Option<f64>,
    loadtest_cores: Option<f64>,
    /// Share of this machine's processor time that its host gave to other machines.
    stolen: Option<f64>,
    /// Number of games acknowledged, including games that the test stored before the workers joined.
    games_acknowledged: u64,
    /// Number of games that were delivered again and correctly acknowledged as duplicates.
    games_repeated: u64,
    /// Number of counted games that were played again as rechecks.
    games_replayed: u64,
    lost: u64,
    doubled: u64,
    /// Number of totals that differ from the stored games; none when the test did not start the coordinator.
    wrong_totals: Option<usize>,
    mistakes: Vec<String>,
}

impl Findings {
    pub(crate) fn new(
        args: &LoadtestArgs,
        window: Window,
        (pages, nuisance): (Vec<PageTimes>, Vec<NuisanceResult>),
        test: &Test,
        (before, after): (&ExperimentReport, &ExperimentReport),
        verification: Option<&Verification>,
    ) -> Self {
        let (tally, oracle) = (test.tally(), test.oracle());
        let (lost, doubled) = oracle.compare(before, after);
        let rate = |count: f64| count / window.seconds.max(1e-9);
        let had: u64 = before.series.iter().flat_map(|series| &series.points).map(|point| point.games).sum();
        Self {
            workers: args.workers,
            cells: args.cells,
            stored_games: had.max(args.stored_games),
            seconds: window.seconds,
            syncs_per_second: rate((window.to.0 - window.from.0) as f64),
            games_per_second: rate((window.to.1 - window.from.1) as f64),
            games_per_second_asked_for: args.games_per_second,
            join: tally.joins.spread(0..tally.joins.len()),
            sync: tally.syncs.spread(window.from.0..window.to.0),
            sync_while_joining: tally.syncs.spread(0..window.from.0),
            called_again: tally.called_again,
            why_called_again: tally.why_called_again.clone(),
            pages,
            nuisance,
            coordinator_cores: cores(window.seconds, window.usage),
            coordinator_peak_mib: window.usage.1.map(|usage| usage.peak_mib),
            loadtest_cores: cores(window.seconds, window.own_usage),
            stolen: window.machine.1.zip(window.machine.0).map(|(to, from)| to.stolen_since(from)),
            games_acknowledged: oracle.games(),
            games_repeated: oracle.repeated,
            games_replayed: oracle.replayed,
            lost,
            doubled,
            wrong_totals: verification.map(|found| found.differences.len() + found.unknown.len()),
            mistakes: oracle.wrong.clone(),
        }
    }

    /// Whether every game was counted once.
    pub(crate) fn is_right(&self) -> bool {
        self.lost == 0 && self.doubled == 0 && self.mistakes.is_empty() && self.wrong_totals.unwrap_or(0) == 0
    }

    /// The findings as text.
    pub(crate) fn text(&self) -> Result<String, std::fmt::Error> {
        let mut out = String::new();
        let Self { workers, cells, stored_games, seconds, .. } = self;
        writeln!(
            out,
            "{workers} workers, {cells} cells, {stored_games} games stored before; {seconds:.0} s measured"
        )?;
        writeln!(
            out,
            "{:.0} syncs a second, {:.0} games a second of {:.0} asked for",
            self.syncs_per_second, self.games_per_second, self.games_per_second_asked_for
        )?;
        writeln!(out, "\nmilliseconds           count      p50      p90      p95      p99      max")?;
        let rows = [("join", self.join), ("sync, joining", self.sync_while_joining), ("sync", self.sync)];
        for (what, spread) in rows {
            write_spread(&mut out, what, spread)?;
            writeln!(out)?;
        }
        for page in &self.pages {
            write_spread(&mut out, page.page, page.spread)?;
            let errors = if page.errors > 0 { format!(", {} errors", page.errors) } else { String::new() };
            writeln!(out, "   {} kB{errors}", page.bytes / 1000)?;
        }
        for NuisanceResult { what, errors, spread } in &self.nuisance {
            write_spread(&mut out, what, *spread)?;
            writeln!(out, "{}", if *errors > 0 { format!("   {errors} errors") } else { String::new() })?;
        }
        if let (Some(cores), Some(peak)) = (self.coordinator_cores, self.coordinator_peak_mib) {
            let own = self.loadtest_cores.unwrap_or_default();
            writeln!(
                out,
                "\ncoordinator: {cores:.2} cores, {peak:.0} MiB at most; this test: {own:.2} cores"
            )?;
        }
        if let Some(stolen) = self.stolen.filter(|&share| share >= WORTH_SAYING) {
            writeln!(
                out,
                "steal {:.0} %: so much of this machine's processor time its host gave to others; calls took longer",
                100.0 * stolen
            )?;
        }
        if self.called_again > 0 {
            writeln!(
                out,
                "{} calls were made again; the last: {}",
                self.called_again, self.why_called_again
            )?;
        }
        writeln!(
            out,
            "\n{} games acknowledged, {} handed in again and known, {} played again; {} lost, {} counted twice",
            self.games_acknowledged, self.games_repeated, self.games_replayed, self.lost, self.doubled
        )?;
        match self.wrong_totals {
            Some(0) => writeln!(out, "every total in the database is right")?,
            Some(n) => writeln!(out, "{n} totals in the database are wrong: see `gauntlet verify`")?,
            None => {}
        }
        for mistake in &self.mistakes {
            writeln!(out, "mistake: {mistake}")?;
        }
        Ok(out)
    }
}

fn write_spread(out: &mut String, what: &str, spread: Option<Spread>) -> std::fmt::Result {
    match spread {
        None => write!(out, "{what:<18}        none"),
        Some(Spread { count, p50_ms, p90_ms, p95_ms, p99_ms, max_ms }) => write!(
            out,
            "{what:<18} {count:>9} {p50_ms:>8.1} {p90_ms:>8.1} {p95_ms:>8.1} {p99_ms:>8.1} {max_ms:>8.1}"
        ),
    }
}

/// A progress line. `stolen` is the share of processor time that went to other machines since the last line.
pub(crate) fn progress(test: &Test, workers: u32, stolen: Option<f64>) -> String {
    let tally = test.tally();
    let (calls, games) = (tally.syncs.len(), tally.games);
    let lately = tally.syncs.spread(calls.saturating_sub(1000)..calls);
    let p99 = lately.map_or(String::new(), |lately| format!(", p99 {:.0} ms", lately.p99_ms));
    let stolen = stolen
        .filter(|&share| share >= WORTH_SAYING)
        .map_or(String::new(), |share| format!(", steal {:.0} %", 100.0 * share));
    format!("{} of {workers} workers, {calls} syncs, {games} games{p99}{stolen}", tally.joined)
}

/// The smallest share of stolen processor time that is reported.
const WORTH_SAYING: f64 = 0.01;
