//! `gauntlet run`: coordinator and worker in one process.

mod progress;

use super::results::table;
use super::serve::{DatabaseArgs, listen};
use super::work::CalibrationArgs;
use super::{DEFAULT_PORT, cores, host_name, print, read_experiment, stop_on_signals};
use anyhow::Context;
use coordinator::{Config, Coordinator};
use progress::Progress;
use protocol::report::ExperimentReport;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Plays an experiment on this machine.
///
/// Opens the database, starts the coordinator and the dashboard on 127.0.0.1 and a worker on all cores, shows how far
/// it is, prints the table of results at the end, and goes on serving the dashboard until Ctrl-C. Stopped or killed
/// at any moment and run again, it continues where it was.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet run configs/quickstart.toml
  gauntlet run my.toml --database my.db --port 0 --slots 4 --exit-when-done")]
pub(crate) struct RunArgs {
    /// The experiment file.
    file: PathBuf,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Port of the dashboard on 127.0.0.1; 0 takes any that is free.
    #[arg(long, env = "GAUNTLET_PORT", value_name = "PORT", default_value_t = DEFAULT_PORT)]
    port: u16,
    /// Games played at once, one core each; all cores unless given.
    #[arg(long, env = "GAUNTLET_SLOTS", value_name = "N")]
    slots: Option<NonZeroUsize>,
    /// End when all games are played.
    #[arg(long)]
    exit_when_done: bool,
    #[command(flatten)]
    calibration: CalibrationArgs,
}

/// How often progress is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Plays the experiment.
pub(crate) async fn run(args: RunArgs) -> anyhow::Result<()> {
    let experiment = read_experiment(&args.file)?;
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let listener = listen(address, "--port PORT").await?;
    let url = format!("http://{}", listener.local_addr().context("the socket has no address")?);
    let config = Config { only_experiment: Some(experiment.id()), ..args.database.config() };
    let coordinator = Coordinator::open(config).await?;
    let applied = coordinator.apply(&experiment).await?;
    let token = coordinator.create_token("gauntlet run").await?;
    eprintln!("{}", super::apply::describe(&experiment.name, &applied));
    eprintln!("dashboard: {url}/");

    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    let stop_serving = CancellationToken::new();
    let mut server = tokio::spawn(coordinator.serve(listener, stop_serving.clone()));
    let worker = worker::Config {
        coordinator: url.clone(),
        token: token.reveal().to_owned(),
        dir: worker_dir(&args.database.database),
        slots: args.slots.unwrap_or_else(cores),
        name: host_name(),
        calibration: args.calibration.into(),
        max_games: None,
        max_time: None,
    };
    let stop_worker = stop.child_token();
    let mut worker = tokio::spawn(worker::run(worker, stop_worker.clone()));

    let id = applied.id.to_string();
    let finished = tokio::select! {
        report = play(&coordinator, &id) => Some(report?),
        ended = &mut server => {
            ended.context("the server panicked")?.context("the server failed")?;
            anyhow::bail!("the server ended before it was told to");
        }
        ended = &mut worker => match ended.context("the worker panicked")? {
            Ok(()) => None,
            Err(error) => return Err(anyhow::Error::new(error).context("the worker stopped")),
        },
    };
    if let Some(report) = &finished {
        print(&format!("\n{}", table(report)))?;
        if !args.exit_when_done && !stop.is_cancelled() {
            eprintln!("\nall games are played; the dashboard stays at {url}/ until Ctrl-C");
            stop.cancelled().await;
        }
        stop_worker.cancel();
        worker.await.context("the worker panicked")?.context("the worker stopped")?;
    } else {
        eprintln!("stopped; run the same command again to continue");
    }
    stop_serving.cancel();
    server.await.context("the server panicked")?.context("the server failed")?;
    coordinator.close().await;
    Ok(())
}

/// Shows progress until every game is played, and gives the final report.
async fn play(coordinator: &Coordinator, experiment: &str) -> anyhow::Result<ExperimentReport> {
    let mut progress = Progress::start();
    let mut looks = tokio::time::interval(LOOK);
    loop {
        looks.tick().await;
        let report = coordinator.report(experiment).await?;
        progress.show(&report);
        if report.summary.games_done >= report.summary.games_planned {
            progress.end();
            return Ok(report);
        }
    }
}

/// The worker's directory: beside an SQLite database, so that each has its own, else in the current directory.
fn worker_dir(database: &str) -> PathBuf {
    if database.contains("://") { "gauntlet-worker".into() } else { format!("{database}.worker").into() }
}
