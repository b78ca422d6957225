//! What the harness costs: coordinator and worker of one process play games of some lengths, each on threads of their own.

use super::BenchArgs;
use anyhow::{Context, Result};
use coordinator::{Config, Coordinator, OpenResults};
use protocol::access::Scope;
use protocol::experiment::Experiment;
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;
use worker::StateDir;
use worker::calibrate::Plan;

/// Simulations a move: from games of a millisecond to games of seconds.
const SIMS: [u64; 4] = [10, 100, 500, 20_000];
/// The time until both sides have found their pace.
const WARMING_UP: Duration = Duration::from_secs(3);
/// The names of the threads of one side. All others are the coordinator's.
const OF_WORKER: &str = "worker-side";
const OF_SLOTS: [&str; 2] = ["slot-", "spool"];
/// Clock ticks a second in `/proc`, on all machines that Linux runs on.
const TICKS: f64 = 100.0;

/// CPU seconds so far, and games counted.
#[derive(Debug, Clone, Copy)]
struct LoadSample {
    at: Instant,
    games: f64,
    searching: f64,
    worker: f64,
    coordinator: f64,
}

/// Prints and returns what the harness costs, for each length of games.
pub(super) fn run(args: &BenchArgs) -> Result<Value> {
    let slots = NonZeroUsize::new(args.threads.into()).expect("at least one");
    args.say(&format!("uct against itself on size 4, {slots} slots; milliseconds of CPU time a game, and how busy the slots are"));
    args.say("sims a move   games a second     search     worker   coordinator     busy");
    let mut rows = Vec::new();
    for sims in args.sims.map_or(SIMS.to_vec(), |sims| vec![sims]) {
        // Commands run inside a runtime, and a thread of it may not wait for another one.
        let measured = Duration::from_secs_f64(args.seconds);
        let (before, after) = std::thread::scope(|scope| {
            scope.spawn(|| samples(sims, slots, measured)).join().expect("measuring does not panic")
        })?;
        let (wall, games) = ((after.at - before.at).as_secs_f64(), after.games - before.games);
        let spent = |of: fn(&LoadSample) -> f64| of(&after) - of(&before);
        let searching = spent(|sample| sample.searching);
        let (worker, coordinator) = (spent(|sample| sample.worker), spent(|sample| sample.coordinator));
        let a_game = |seconds: f64| 1e3 * seconds / games;
        let busy = (worker + coordinator) / wall / slots.get() as f64;
        args.say(&format!(
            "{sims:>11}{:>17.1}{:>11.3}{:>11.3}{:>14.3}{busy:>9.2}",
            games / wall,
            a_game(searching),
            a_game(worker - searching),
            a_game(coordinator)
        ));
        rows.push(json!({
            "sims": sims, "games_per_second": games / wall, "search_ms": a_game(searching),
            "worker_ms": a_game(worker - searching), "coordinator_ms": a_game(coordinator), "busy": busy,
        }));
    }
    Ok(json!({ "seconds": args.seconds, "slots": slots, "harness": rows }))
}

/// What was spent after the warming up, and so many seconds later.
fn samples(sims: u64, slots: NonZeroUsize, measured: Duration) -> Result<(LoadSample, LoadSample)> {
    let home = tempfile::tempdir().context("cannot make a directory for the games")?;
    let text = format!(
        r#"
        experiment = {{ name = "harness", question = "What does the harness cost?" }}
        baseline = [{{ id = "uct", preset = "uct" }}]
        test = [{{ id = "uct", set = {{}} }}]
        sizes = {{ 4 = 1 }}
        budget = [{{ id = "s", sims = {sims} }}]
        play = {{ games_per_cell = 100_000 }}
        "#
    );
    let experiment = Experiment::parse("harness.toml", &text).context("the bench's own file")?;
    let [ours, theirs] = ["coordinator", OF_WORKER].map(side);
    let (ours, theirs) = (ours?, theirs?);
    let stop = CancellationToken::new();
    let (coordinator, url) = ours.block_on(async {
        let database = home.path().join("harness.db").display().to_string();
        let config = Config { open_results: OpenResults::ToThisMachine, ..Config::new(database) };
        let coordinator = Coordinator::open(config).await?;
        coordinator.apply(&experiment).await?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let url = format!("http://{}", listener.local_addr()?);
        tokio::spawn(coordinator.serve(listener, stop.clone()));
        anyhow::Ok((coordinator, url))
    })?;
    let token = coordinator.token_of_this_process("gauntlet bench", Scope::Work);
    let dir = home.path().join("worker");
    let config = worker::Config {
        calibration: Plan { runs: NonZeroU32::MIN, sims: 10_000 },
        ..worker::Config::new(&url, token.reveal(), &dir, "bench", slots)
    };
    let worker = theirs.spawn(worker::run_in(StateDir::open(&dir)?, config, stop.child_token()));
    let sample = || -> Result<LoadSample> {
        let summary = ours.block_on(coordinator.report("harness"))?.summary;
        let (worker, coordinator) = cpu_seconds()?;
        let (games, searching) = (summary.games_done as f64, summary.core_seconds);
        Ok(LoadSample { at: Instant::now(), games, searching, worker, coordinator })
    };
    let taken = (|| {
        std::thread::sleep(WARMING_UP);
        let before = sample()?;
        std::thread::sleep(measured);
        Ok((before, sample()?))
    })();
    stop.cancel();
    theirs.block_on(worker).context("the worker panicked")?.context("the worker stopped")?;
    ours.block_on(coordinator.close());
    taken
}

/// A runtime whose threads have this name.
fn side(name: &str) -> Result<Runtime> {
    Builder::new_multi_thread().thread_name(name).enable_all().build().context("cannot start threads")
}

/// The CPU seconds of this process's threads so far: those of the worker, and of the coordinator. The calling thread only waits.
fn cpu_seconds() -> Result<(f64, f64)> {
    let own = rustix::thread::gettid().as_raw_nonzero().to_string();
    let (mut worker, mut coordinator) = (0.0, 0.0);
    for task in std::fs::read_dir("/proc/self/task").context("cannot list the threads")? {
        let task = task?;
        // A thread may end meanwhile.
        let Ok(stat) = std::fs::read_to_string(task.path().join("stat")) else { continue };
        if task.file_name().to_string_lossy() == own {
            continue;
        }
        let (name, ticks) = name_and_ticks(&stat).context("/proc/self/task/*/stat cannot be read")?;
        let is_worker = name == OF_WORKER || OF_SLOTS.iter().any(|prefix| name.starts_with(prefix));
        *if is_worker { &mut worker } else { &mut coordinator } += ticks / TICKS;
    }
    Ok((worker, coordinator))
}

/// A thread's name and its clock ticks, of a line such as `7 (slot-0) R 1 … 120 30 …`.
fn name_and_ticks(stat: &str) -> Option<(&str, f64)> {
    let (name, rest) = stat.split_once('(')?.1.rsplit_once(") ")?;
    let mut fields = rest.split(' ').skip(11).map(|field| field.parse::<f64>().ok());
    Some((name, fields.next()?? + fields.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ticks_of_a_thread_are_those_of_user_and_system() {
        let stat = "123 (slot-0) R 1 123 1 0 -1 4194304 90 0 0 0 250 31 7 8 20 0 5 0 100 0 0";
        assert_eq!(name_and_ticks(stat), Some(("slot-0", 281.0)));
        assert_eq!(name_and_ticks("nonsense"), None);
        assert!(cpu_seconds().is_ok());
    }
}
