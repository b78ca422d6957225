//! Measures the capacity of a coordinator with simulated workers: [`fleet`] drives them, [`oracle`] knows what the totals must be.

mod connection;
mod fleet;
mod host;
mod measure;
mod nuisance;
mod open_files;
mod oracle;
mod pages;
mod result;
mod revise;
mod stock;
mod store;
mod test;
mod worker;

use anyhow::{Context, bail, ensure};
use connection::Connection;
use fleet::Behaviour;
use gauntlet::commands::number::whole;
use gauntlet::commands::print;
use gauntlet::commands::time::seconds;
use gauntlet::signals::stop_on_signals;
use host::Host;
use measure::{MachineTime, Usage};
use nuisance::{CALLS, Nuisance};
use protocol::access::JoinCodeRequest;
use protocol::endpoints::{ApplyExperiment, CreateJoinCode, GetExperiment, GetOverview};
use protocol::experiment::Experiment;
use protocol::query::{ApplyQuery, ReportQuery};
use protocol::report::ExperimentReport;
use result::{Findings, Window};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stock::GameStock;
use test::Test;
use tokio_util::sync::CancellationToken;

/// Measures how many workers and games a coordinator bears.
///
/// Simulated workers join with a code, lease pairs of games and deliver finished games. They use the protocol of real
/// workers, each over a connection of its own, but they play nothing: their games come from a stock of real games,
/// because the coordinator checks every game by the rules. During the test a simulated user looks at the dashboard, and
/// some calls are made twice, as if their answers had been lost.
///
/// At the end, the test compares the coordinator's totals with its own count, cell by cell. If the test started the
/// coordinator itself, it also verifies the database. The exit code is 1 if a game was lost or counted twice.
#[derive(Debug, clap::Parser)]
#[command(after_help = "\
By default the test starts a coordinator in another process, on a new SQLite database that is deleted afterwards. \
Then the simulated workers and the coordinator share this machine, so a coordinator alone on its machine can do more.

The time of a call counts from the moment when the call was due, so that waiting for the previous call counts, too. \
The result names the share of processor time that the host of a virtual machine gave to others (steal).

Examples:
  loadtest                      1000 workers, 100 games a second, for a minute
  loadtest --workers 10000 --join-seconds 60 --sync-seconds 30 --games-per-second 500
  loadtest --cells 10000 --stored-games 1000000 --database big.db
                                         many cells and games; the next test can use the file
  loadtest --database postgres://user@host/loadtest --json
  loadtest --streams 1000 --wrong-tokens 500 --health-checks 500
                                         with other callers
  loadtest --coordinator http://host:8437 --token TOKEN
                                         a running coordinator without other experiments")]
struct LoadtestArgs {
    /// Simulated workers, each on a connection of its own that stays open.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole(1..=100_000_u32))]
    workers: u32,
    /// The workers start one after another within this time.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, value_parser = nothing_or_more)]
    join_seconds: f64,
    /// The time between two calls of a worker.
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    sync_seconds: f64,
    /// Games that all workers together deliver each second.
    #[arg(long, value_name = "N", default_value_t = 100.0, value_parser = nothing_or_more)]
    games_per_second: f64,
    /// The length of the measurement, which begins when all workers have joined and called twice.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    seconds: f64,
    /// The number of cells of the experiment.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = whole(1..=1_000_000_u32))]
    cells: u32,
    /// Games in the database before the workers start; games that it has already count.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=1_000_000_000_u64))]
    stored_games: u64,
    /// Add a cell to the experiment every so often, as a person does who applies a changed file while results arrive.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    revise_every: Option<f64>,
    /// Event streams that are open during the test, one for each dashboard.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole(0..=100_000_u32))]
    streams: u32,
    /// Calls a second with invalid tokens.
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = nothing_or_more)]
    wrong_tokens: f64,
    /// Health checks a second.
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = nothing_or_more)]
    health_checks: f64,
    /// The database of the test, which is kept: an SQLite file, or postgres://…. It must have no other unfinished experiment.
    #[arg(long, visible_alias = "db", value_name = "DATABASE", conflicts_with = "coordinator")]
    database: Option<String>,
    /// Test this coordinator. The games of the test stay in its database.
    #[arg(long, value_name = "URL", requires = "token")]
    coordinator: Option<String>,
    /// A token of that coordinator with the scope `admin`.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: Option<String>,
    /// Print the findings as JSON.
    #[arg(long)]
    json: bool,
}

/// 0, or a number that [`seconds`] takes.
fn nothing_or_more(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(0.0) => Ok(0.0),
        _ => seconds(text).map_err(|_| format!("`{text}` is neither 0 nor a number from 0.001 to 1000000")),
    }
}

/// An upper bound on the open files other than connections.
const OTHER_FILES: u64 = 100;

fn main() -> ExitCode {
    gauntlet::run_tool(run)
}

/// Runs the test.
async fn run(args: LoadtestArgs) -> anyhow::Result<ExitCode> {
    let stop = CancellationToken::new();
    stop_on_signals(stop.clone())?;
    tokio::select! {
        found = find_out(args) => found,
        // Dropping the other future also ends a coordinator that it started.
        () = stop.cancelled() => bail!("stopped before the end: there are no findings"),
    }
}

async fn find_out(args: LoadtestArgs) -> anyhow::Result<ExitCode> {
    let files = open_files::allow_as_many_as_possible();
    let callers = (args.wrong_tokens / CALLS).ceil() + (args.health_checks / CALLS).ceil();
    let connections = u64::from(args.workers) + u64::from(args.streams) + callers as u64;
    ensure!(
        connections + OTHER_FILES <= files,
        "{} workers, {} event streams and {callers} other callers need {connections} connections, and this system allows a \
         process {files} open files: raise the hard limit (ulimit -Hn), or simulate fewer",
        args.workers,
        args.streams
    );
    let experiment = stock::experiment(args.cells)?;
    let host = match &args.coordinator {
        Some(url) => Host::running(url, args.token.as_deref().unwrap_or_default()),
        None => Host::start(args.database.as_deref(), &experiment).await?,
    };
    let stock = tokio::task::block_in_place(GameStock::play)?;
    eprintln!(
        "a stock of games is played, {:.0} bytes each; the coordinator is {}",
        stock.mean_bytes(),
        host.url
    );
    // With the cells that will be added.
    let revised =
        Experiment { name: experiment.name.clone(), ..stock::experiment(args.cells + revisions(&args))? };
    let cells = revised.cells.iter().map(|cell| cell.spec.id()).collect();
    let test = Arc::new(Test::new(stock, cells));

    let mut desk = Administrator::new(&host, &experiment).await?;
    let code = desk.code(args.workers + 1).await?;
    // With the games of cells that an earlier test on this database has added, and that this one will add again.
    if args.revise_every.is_some() {
        desk.apply(&revised).await?;
    }
    let report = desk.report().await?;
    if args.revise_every.is_some() {
        desk.apply(&experiment).await?;
    }
    let stored = report.series.iter().flat_map(|series| &series.points).map(|point| point.games).sum::<u64>();
    if stored < args.stored_games {
        fill(&test, &host, &code, args.stored_games - stored).await?;
    }
    let behaviour = Behaviour {
        workers: args.workers,
        joining: Duration::from_secs_f64(args.join_seconds),
        interval: Duration::from_secs_f64(args.sync_seconds),
        games_per_second: args.games_per_second,
        code,
    };
    let (stopping, watched) = (CancellationToken::new(), CancellationToken::new());
    let pages = pages::watch(host.address()?, &host.token, &desk.experiment, watched.clone());
    let nuisance = Nuisance {
        streams: args.streams,
        wrong_tokens: args.wrong_tokens,
        health_checks: args.health_checks,
    };
    let address = host.address()?;
    let nuisance = nuisance::run(&address, &host.token, nuisance, &watched);
    let fleet = async {
        let address = host.address()?;
        let result = fleet::run(&test, &address, &behaviour, &stopping).await;
        watched.cancel();
        stopping.cancel();
        result
    };
    let window = observe(&test, &host, &args, &stopping);
    let revising = async {
        let every = Duration::from_secs_f64(args.revise_every?);
        let cells = (&revised, experiment.cells.len());
        Some(revise::revise(address.clone(), &host.token, cells, every, &watched).await)
    };
    let (fleet, window, pages, mut nuisance, revising) =
        tokio::join!(fleet, window, pages, nuisance, revising);
    fleet?;
    nuisance.extend(revising);

    let after = desk.report().await?;
    let verification = host.end().await?;
    let findings =
        Findings::new(&args, window, (pages, nuisance), &test, (&report, &after), verification.as_ref());
    print(&if args.json {
        format!("{}\n", serde_json::to_string_pretty(&findings)?)
    } else {
        findings.text()?
    })?;
    Ok(if findings.is_right() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The largest number of cells that a test adds.
fn revisions(args: &LoadtestArgs) -> u32 {
    let longest = 2.0 * (args.join_seconds + args.seconds) + 4.0 * args.sync_seconds;
    args.revise_every.map_or(0, |every| (longest / every).ceil().min(10_000.0) as u32)
}

/// Stores games before the workers join.
async fn fill(test: &Test, host: &Host, code: &str, games: u64) -> anyhow::Result<()> {
    let (began, mut said) = (Instant::now(), 0);
    let progress = |stored: u64| {
        if stored / 50_000 > said {
            said = stored / 50_000;
            let rate = stored as f64 / began.elapsed().as_secs_f64();
            eprintln!("stored {stored} of {games} games, {rate:.0} a second");
        }
    };
    store::fill(test, host.address()?, code, games, progress).await
}

/// Prints the progress of the fleet, measures for the given time, and then stops the fleet.
async fn observe(test: &Test, host: &Host, args: &LoadtestArgs, stopping: &CancellationToken) -> Window {
    let began = Instant::now();
    let interval = Duration::from_secs_f64(args.sync_seconds);
    // The first call of each worker delivers no games, so the measurement starts after everyone's second call.
    let mut warm_at = None;
    let (mut window, mut said, mut machine) = (None, 0, MachineTime::now());
    loop {
        let ended = tokio::select! {
            () = tokio::time::sleep(Duration::from_millis(200)) => false,
            () = stopping.cancelled() => true,
        };
        let elapsed = began.elapsed();
        if warm_at.is_none() && test.tally().joined >= u64::from(args.workers) {
            warm_at = Some(elapsed + interval);
        }
        if window.is_none() && warm_at.is_some_and(|at| elapsed >= at) {
            window = Some(Window::open(test, host.process().and_then(Usage::of)));
        }
        if elapsed.as_secs() / 5 > said {
            said = elapsed.as_secs() / 5;
            let before = std::mem::replace(&mut machine, MachineTime::now());
            let stolen = machine.zip(before).map(|(now, before)| now.stolen_since(before));
            eprintln!("{:>5} s: {}", elapsed.as_secs(), result::progress(test, args.workers, stolen));
        }
        // The fleet ends early only by an error.
        let over = warm_at.is_some_and(|at| elapsed >= at + Duration::from_secs_f64(args.seconds));
        if over || ended {
            stopping.cancel();
            let window = window.unwrap_or_else(|| Window::open(test, None));
            return window.close(test, host.process().and_then(Usage::of));
        }
    }
}

/// The administrator of the test: applies the experiment, makes the join code, and reads the totals.
struct Administrator {
    connection: Connection,
    /// The experiment's id.
    experiment: String,
}

impl Administrator {
    async fn new(host: &Host, experiment: &Experiment) -> anyhow::Result<Self> {
        let mut connection = Connection::new(host.address()?, &host.token);
        let overview = connection.fetch(GetOverview, &(), &()).await?;
        let other = overview
            .experiments
            .iter()
            .find(|other| other.state.is_under_way() && other.name != experiment.name);
        if let Some(other) = other {
            bail!(
                "this coordinator has `{}` to play, and simulated workers would take its pairs: test one that has \
                 nothing else to play",
                other.name
            );
        }
        let mut desk = Self { connection, experiment: String::new() };
        desk.apply(experiment).await?;
        Ok(desk)
    }

    async fn apply(&mut self, experiment: &Experiment) -> anyhow::Result<()> {
        let applied =
            self.connection.insist(ApplyExperiment, &ApplyQuery { supersede: true }, experiment).await?;
        self.experiment = applied.id.to_string();
        Ok(())
    }

    async fn code(&mut self, machines: u32) -> anyhow::Result<String> {
        let request = JoinCodeRequest { machines, expires_in_ms: 86_400_000 };
        Ok(self.connection.insist(CreateJoinCode, &(), &request).await?.code)
    }

    async fn report(&mut self) -> anyhow::Result<ExperimentReport> {
        self.connection
            .fetch(GetExperiment, &self.experiment, &ReportQuery::default())
            .await
            .context("cannot read the totals")
    }
}
