//! `gauntlet run`: coordinator and worker in one process.

mod progress;

use super::baseline::names_in;
use super::claim::{Claim, OWN_FILES};
use super::database::DatabaseArgs;
use super::files::read_experiments;
use super::number::whole;
use super::results::table;
use super::serve::{WAIT, control_share, know_the_self_test, listen};
use super::work::CalibrationArgs;
use super::{DEFAULT_PORT, cores, host_name, print};
use crate::signals::stop_on_signals;
use anyhow::{Context, anyhow, bail};
use coordinator::{Config, Coordinator, CoordinatorError, OpenResults};
use progress::Progress;
use protocol::access::Scope;
use protocol::experiment::Experiment;
use protocol::memory::Mib;
use protocol::report::{ExperimentReport, ExperimentState, ExperimentSummary};
use protocol::tune::TuneStatus;
use protocol::words::{command, counted};
use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use worker::{StateDir, StateError};

/// Plays experiments on this machine.
///
/// Opens the database, starts the coordinator and the dashboard on 127.0.0.1 and a worker on all cores, and shows the
/// progress. At the end it prints the table of results and serves the dashboard until Ctrl-C. You can stop or kill it at
/// any moment; run it again to continue. Several files are played at the same time, in proportion to their weights. Other
/// experiments of the database wait, except those that confirm cases of these files.
/// `gauntlet help experiment-file` describes the file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet run configs/quickstart.toml
  gauntlet run small-boards.toml large-boards.toml
  gauntlet run my.toml --database my.db --port 0 --slots 4 --exit-when-done")]
pub(crate) struct RunArgs {
    /// The experiment files; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Port of the dashboard on 127.0.0.1; 0 means any free port.
    #[arg(long, env = "GAUNTLET_PORT", value_name = "PORT", default_value_t = DEFAULT_PORT, value_parser = whole(0..=u16::MAX))]
    port: u16,
    /// Games played at once, one core each [default: all cores].
    #[arg(long, env = "GAUNTLET_SLOTS", value_name = "N", value_parser = super::slots)]
    slots: Option<NonZeroUsize>,
    /// Memory per game for the trees of its two players, for example 2GiB [default: an equal share of the machine's memory].
    /// Games that may need more are not played.
    #[arg(long, env = "GAUNTLET_MEMORY_PER_SLOT", value_name = "SIZE")]
    memory_per_slot: Option<Mib>,
    /// The share of the games' time in which every baseline plays itself, from 0 to 0.5: the experiment `control`.
    #[arg(long, env = "GAUNTLET_CONTROL_SHARE", value_name = "SHARE", value_parser = control_share, default_value_t = 0.0)]
    control_share: f64,
    /// Go back to files that later revisions have replaced.
    #[arg(long)]
    supersede: bool,
    /// End when all games are played.
    #[arg(long)]
    exit_when_done: bool,
    #[command(flatten)]
    calibration: CalibrationArgs,
}

/// The author of the experiments that a run applies.
const THIS_RUN: &str = "gauntlet run";

/// The author of changes by the page that was opened by the link of a run.
const PAGE_OF_THIS_RUN: &str = "the page of gauntlet run";

/// The prefix of the fragment of a link that signs a page in. `dashboard/src/parts/session.tsx` reads it. A browser does not send
/// the fragment to a server.
const SIGN_IN: &str = "token=";

/// The longest time between two updates of the progress, and the shortest.
const LONGEST_LOOK: Duration = Duration::from_secs(1);
const SHORTEST_LOOK: Duration = Duration::from_millis(100);

/// Plays the experiments.
pub(crate) async fn run(args: RunArgs) -> anyhow::Result<ExitCode> {
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    let experiments = read_experiments(&args.files, async || names_in(&args.database).await).await?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    Claim::check(&args.database).await?;
    let listener = listen(address, "--port PORT").await?;
    let url = format!("http://{}", listener.local_addr().context("the socket has no address")?);
    // Claim before applying: a second run on this database must not replace the first one's experiment.
    let _claim = Claim::take(&args.database, &format!("{url}/, {OWN_FILES}")).await?;
    let config = Config {
        only_experiments: experiments.iter().map(Experiment::id).collect(),
        open_results: OpenResults::ToThisMachine,
        control_share: args.control_share,
        wait: WAIT,
        ..args.database.config()
    };
    let coordinator = Coordinator::open(config).await?;
    let dir = worker_dir(&args.database);
    let state = StateDir::open(&dir).map_err(|error| taken(error, &args.database))?;
    know_the_self_test(dir.clone());
    let mut ids = Vec::new();
    for experiment in &experiments {
        let applied = coordinator.apply_over(experiment, THIS_RUN, args.supersede).await?;
        eprintln!("{}", super::apply::describe(&experiment.name, &applied));
        ids.push(applied.id.to_string());
    }
    let token = coordinator.token_of_this_process("gauntlet run", Scope::Work);
    eprintln!("dashboard: {url}/");
    // The journal of systemd is a log that others may read.
    if !crate::logging::is_kept() {
        let page = coordinator.token_of_this_process(PAGE_OF_THIS_RUN, Scope::Experiment);
        eprintln!(
            "    signed in, so that you may pause and weigh what it plays: {url}/#{SIGN_IN}{}",
            page.reveal()
        );
    }

    let stop_serving = CancellationToken::new();
    let mut server = tokio::spawn(coordinator.serve(listener, stop_serving.clone()));
    let slots = args.slots.unwrap_or_else(cores);
    let worker = worker::Config {
        memory: args.memory_per_slot.unwrap_or_else(|| worker::memory::per_slot(slots)),
        calibration: args.calibration.into(),
        log: crate::logging::tail(),
        ..worker::Config::new(&url, token.reveal(), dir, host_name(), slots)
    };
    let stop_worker = stop.child_token();
    let mut worker = tokio::spawn(worker::run_in(state, worker, stop_worker.clone()));

    let is_tune: Vec<bool> = experiments.iter().map(|experiment| experiment.tune.is_some()).collect();
    let look = async || {
        let (mut reports, mut confirming, mut goes_on) = (Vec::new(), Vec::new(), false);
        for id in &ids {
            let report = coordinator.report(id).await?;
            match coordinator.confirmations(id).await? {
                Some(confirmations) => confirming.extend(confirmations),
                None => goes_on |= !has_been_ended(report.summary.state),
            }
            let tune = if is_tune[reports.len()] { Some(coordinator.tune_status(id).await?) } else { None };
            reports.push(ExperimentView { report, tune });
        }
        for id in confirming {
            let report = coordinator.report(&id.to_string()).await?;
            // An old experiment that a person has paused is not waited for.
            if report.summary.state != ExperimentState::Paused {
                reports.push(ExperimentView { report, tune: None });
            }
        }
        // The progress line of a report is found by its index, so new ones come last.
        reports[ids.len()..].sort_by_key(|look| look.report.summary.created_ms);
        Ok::<_, CoordinatorError>((reports, goes_on))
    };
    let finished = tokio::select! {
        reports = play(look) => reports.map(Some),
        ended = &mut server => {
            ended.context("the server panicked")?.context("the server failed")?;
            bail!("the server ended without being told to");
        }
        ended = &mut worker => match ended.context("the worker panicked")? {
            Ok(()) => Ok(None),
            Err(error) => return Err(anyhow::Error::new(error).context("the worker stopped")),
        },
    };
    if let Ok(Some(reports)) = &finished {
        for ExperimentView { report, tune } in reports {
            let text = tune.as_ref().map_or_else(|| Ok(table(report)), super::tune::text)?;
            print(&format!("\n{text}"))?;
        }
        let reports = reports.iter().map(|look| &look.report);
        for report in reports.clone().filter(|report| report.summary.state == ExperimentState::Stuck) {
            let (aside, name) = (report.summary.pairs_aside, &report.summary.name);
            let pairs = counted(aside, "pair");
            eprintln!("\n{name}: {pairs} set aside after repeated failures; the reason of the last one:");
            eprintln!("    {}", report.aside.first().map_or("", |pair| &pair.why));
            eprintln!("`{}` releases them", command("gauntlet retry", &[name], &args.database.option()));
        }
        for report in reports.take(ids.len()).filter(|report| is_given_up(&report.summary)) {
            let ExperimentSummary { name, state, .. } = &report.summary;
            let missing = counted(report.summary.games_missing(), "game");
            eprintln!("\n{name} is {state}: {missing} of its plan will not be played");
        }
        if !args.exit_when_done && !stop.is_cancelled() {
            eprintln!("\nnothing is left to play; the dashboard stays at {url}/ until Ctrl-C");
            stop.cancelled().await;
        }
    }
    if let Ok(None) = finished {
        eprintln!("stopped; run the same command again to continue");
    } else {
        stop_worker.cancel();
        worker.await.context("the worker panicked")?.context("the worker stopped")?;
    }
    stop_serving.cancel();
    server.await.context("the server panicked")?.context("the server failed")?;
    coordinator.close().await;
    let reports = finished?.unwrap_or_default();
    let is_stuck = reports.iter().any(|look| look.report.summary.state == ExperimentState::Stuck);
    let is_short = reports.iter().take(ids.len()).any(|look| is_given_up(&look.report.summary));
    Ok(if is_stuck || is_short { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The state of an experiment, and its tune if it is one.
struct ExperimentView {
    report: ExperimentReport,
    tune: Option<TuneStatus>,
}

/// Whether a person stopped or archived it before its games were played.
fn is_given_up(summary: &ExperimentSummary) -> bool {
    matches!(summary.state, ExperimentState::Stopped | ExperimentState::Archived)
        && summary.games_missing() > 0
}

/// Shows progress until every game is played or set aside and all tunes have ended, and returns the final reports. A failed
/// update is only a warning.
async fn play<E: Display>(
    mut look: impl AsyncFnMut() -> Result<(Vec<ExperimentView>, bool), E>,
) -> anyhow::Result<Vec<ExperimentView>> {
    let mut failing = false;
    let mut progress: Vec<Progress> = Vec::new();
    let (mut looked, mut done_before, mut wait) = (Instant::now(), 0, Duration::ZERO);
    loop {
        sleep(wait).await;
        wait = LONGEST_LOOK;
        let (reports, goes_on) = match look().await {
            Ok(reports) => reports,
            Err(error) => {
                if !std::mem::replace(&mut failing, true) {
                    crate::logging::above_progress(|| {
                        eprintln!("warning: cannot read the progress ({error}); the games go on");
                    });
                }
                continue;
            }
        };
        failing = false;
        for (index, ExperimentView { report, tune }) in reports.iter().enumerate() {
            if progress.len() == index {
                progress.push(Progress::start(&report.summary.name, reports.len()));
            }
            progress[index].show(report, tune.as_ref());
        }
        if !goes_on && reports.iter().all(|look| is_over(&look.report.summary)) {
            progress.into_iter().for_each(Progress::end);
            return Ok(reports);
        }
        let sum =
            |of: fn(&ExperimentSummary) -> u64| reports.iter().map(|look| of(&look.report.summary)).sum();
        let done: u64 = sum(|summary| summary.games_done);
        let since = std::mem::replace(&mut looked, Instant::now()).elapsed();
        wait = next_look(sum(ExperimentSummary::games_missing), done.saturating_sub(done_before), since);
        done_before = done;
    }
}

/// The time until the next update: at the end of `missing` games, if they take as long as the last ones.
fn next_look(missing: u64, played: u64, since: Duration) -> Duration {
    let rest = since.as_secs_f64() * missing as f64 / played as f64;
    Duration::try_from_secs_f64(rest).unwrap_or(LONGEST_LOOK).clamp(SHORTEST_LOOK, LONGEST_LOOK)
}

/// Whether all games are played, set aside or spared by stopping rules, or a person stopped the experiment.
fn is_over(summary: &ExperimentSummary) -> bool {
    summary.games_done >= summary.games_planned
        || summary.state == ExperimentState::Finished
        || has_been_ended(summary.state)
}

/// Whether no more games are leased although some are missing.
fn has_been_ended(state: ExperimentState) -> bool {
    matches!(state, ExperimentState::Stuck | ExperimentState::Stopped | ExperimentState::Archived)
}

/// The worker's directory: beside an SQLite database, so that each database has its own; otherwise in the current directory.
fn worker_dir(database: &DatabaseArgs) -> PathBuf {
    database.file().map_or_else(|| "gauntlet-worker".into(), |file| format!("{file}.worker").into())
}

/// The error when another process uses the worker's directory.
fn taken(error: StateError, database: &DatabaseArgs) -> anyhow::Error {
    let StateError::InUse { dir, pid } = error else { return error.into() };
    match database.file() {
        Some(file) => anyhow!(
            "another gauntlet (process {pid}) is playing on {file}: stop it first, or give this run a database of its \
             own with --database FILE"
        ),
        None => anyhow!(
            "another gauntlet (process {pid}) is using the directory {}: stop it first, or start this run in another \
             directory",
            dir.display()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TINY: &str = include_str!("../../tests/end_to_end/tiny.toml");

    #[test]
    fn the_last_look_comes_when_the_last_game_is_expected() {
        let second = Duration::from_secs(1);
        assert_eq!(next_look(500, 2_000, second), Duration::from_millis(250));
        assert_eq!(next_look(50_000, 2_000, second), LONGEST_LOOK);
        assert_eq!([next_look(0, 7, second), next_look(1, 2_000, second)], [SHORTEST_LOOK; 2]);
        assert_eq!(
            [next_look(1, 0, second), next_look(0, 0, second)],
            [LONGEST_LOOK; 2],
            "nothing was played"
        );
    }

    #[tokio::test]
    async fn a_look_that_fails_does_not_end_the_run() {
        let home = tempfile::tempdir().expect("a directory");
        let database = home.path().join("tiny.db").display().to_string();
        let coordinator = Coordinator::open(Config::new(database)).await.expect("opens");
        let experiment = Experiment::parse("tiny.toml", TINY).expect("valid");
        coordinator.apply(&experiment).await.expect("applied");
        let mut looks = 0;
        let last = play(async || {
            looks += 1;
            // The first key is unknown.
            let mut report = coordinator.report(if looks == 1 { "none" } else { "tiny" }).await?;
            report.summary.games_done = report.summary.games_planned;
            Ok::<_, CoordinatorError>((vec![ExperimentView { report, tune: None }], false))
        })
        .await;
        assert_eq!(last.expect("the second look")[0].report.summary.name, "tiny");
        assert_eq!(looks, 2);
        coordinator.close().await;
    }
}
