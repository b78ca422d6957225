//! How well the strategies of tunes find optima that are known, beside the recorded figures of other tuners.

mod table;

use anyhow::{Context, Result, bail};
use clap::Parser;
use engine::cpu::thread_time;
use gauntlet::commands::number::whole;
use gauntlet::commands::print;
use protocol::median::median;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::process::ExitCode;
use std::time::Duration;
use tuner::StrategyName;
use tuner::simulation::{Arrival, Landscape, SimulatedTune, SimulationSettings, landscapes, simulate};

use table::markdown;

/// Numbers of games after which strategies recommend a point.
const GAMES: [u64; 3] = [1_000, 5_000, 20_000];

/// How trials are played: how many are outstanding, and in which order results come.
const MODES: [(usize, Arrival); 3] = [(1, Arrival::InOrder), (32, Arrival::InOrder), (32, Arrival::AnyOrder)];

/// Plays every strategy of tunes on simulated landscapes, whose optima are known, and prints a table in Markdown.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  tuners > tuners.md
  tuners --quick --landscapes log5,hav10
  tuners --sequential --strategies clop,duel --json")]
struct TunersArgs {
    /// Tunes with different seeds, whose mean is printed [default: 20; with --quick 2].
    #[arg(long, value_name = "N", value_parser = whole(1..=10_000_u64))]
    seeds: Option<u64>,
    /// 1000 games instead of 20 000, and one trial at a time.
    #[arg(long)]
    quick: bool,
    /// Only one trial at a time, and not 32 as well.
    #[arg(long)]
    sequential: bool,
    /// Only these landscapes.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    landscapes: Vec<String>,
    /// Only these strategies.
    #[arg(long, value_delimiter = ',', value_name = "NAME")]
    strategies: Vec<StrategyName>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    gauntlet::run_tool(run)
}

async fn run(args: TunersArgs) -> Result<ExitCode> {
    let results = play(&args)?;
    print(&if args.json { serde_json::to_string_pretty(&results)? + "\n" } else { markdown(&results) })?;
    Ok(ExitCode::SUCCESS)
}

/// Everything that was played, and the peers.
#[derive(Debug, Serialize)]
pub(crate) struct Results {
    /// What each number of games is.
    pub(crate) games: Vec<u64>,
    pub(crate) landscapes: Vec<About>,
    pub(crate) rows: Vec<Row>,
    pub(crate) peers: Vec<Peer>,
}

/// A landscape.
#[derive(Debug, Serialize)]
pub(crate) struct About {
    pub(crate) name: String,
    pub(crate) about: &'static str,
    /// The expected score of the best point.
    pub(crate) best: f64,
    /// How much the point where tunes begin lacks.
    pub(crate) regret_of_start: f64,
}

/// The results of a strategy on a landscape.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) landscape: String,
    pub(crate) strategy: StrategyName,
    pub(crate) outstanding: usize,
    pub(crate) arrival: Arrival,
    pub(crate) seeds: u64,
    /// After each number of games.
    pub(crate) regrets: Vec<Regret>,
    /// CPU time of the strategy per game.
    pub(crate) milliseconds_per_game: f64,
    /// Predictions of the recommended point's win rate at the end, and how many of their 95 % intervals are right.
    pub(crate) predictions: u32,
    pub(crate) covered: u32,
}

/// Regrets over seeds.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Regret {
    pub(crate) mean: f64,
    pub(crate) standard_error: f64,
    pub(crate) median: f64,
    pub(crate) worst: f64,
}

/// A recorded figure of another tuner.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Peer {
    pub(crate) tuner: String,
    /// Whom its points played: the baseline, or each other.
    pub(crate) games_against: String,
    pub(crate) landscape: String,
    pub(crate) seeds: u64,
    pub(crate) games: u64,
    pub(crate) mean: f64,
    pub(crate) standard_error: Option<f64>,
    pub(crate) worst: f64,
}

/// Plays all strategies on all landscapes.
fn play(args: &TunersArgs) -> Result<Results> {
    let all = chosen(&args.landscapes)?;
    let strategies = if args.strategies.is_empty() { &StrategyName::ALL[..] } else { &args.strategies };
    let modes = if args.quick || args.sequential { &MODES[..1] } else { &MODES[..] };
    let games = if args.quick { &GAMES[..1] } else { &GAMES[..] };
    let seeds = args.seeds.unwrap_or(if args.quick { 2 } else { 20 });
    let mut rows = Vec::new();
    for landscape in &all {
        for &strategy in strategies {
            for &(outstanding, arrival) in modes {
                let course = |seed: u64| {
                    let run = SimulationSettings { strategy, seed, outstanding, arrival };
                    simulate(landscape, run, games, thread_time)
                };
                let courses: Vec<SimulatedTune> = (1..=seeds).into_par_iter().map(course).collect();
                let row = row(landscape, strategy, (outstanding, arrival), &courses, games);
                // The table comes at the end, after minutes.
                eprintln!("{}", table::progress(&row));
                rows.push(row);
            }
        }
    }
    let about = |one: &Landscape| About {
        name: one.name.clone(),
        about: one.about,
        best: one.best(),
        regret_of_start: one.regret_of_start(),
    };
    let mut peers = peers()?;
    peers.retain(|peer| all.iter().any(|one| one.name == peer.landscape));
    Ok(Results { games: games.to_vec(), landscapes: all.iter().map(about).collect(), rows, peers })
}

fn chosen(names: &[String]) -> Result<Vec<Landscape>> {
    let mut all = landscapes();
    let known: Vec<String> = all.iter().map(|one| one.name.clone()).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(name)) {
        bail!("--landscapes: there is no landscape `{name}`: give {}", known.join(", "));
    }
    all.retain(|one| names.is_empty() || names.contains(&one.name));
    Ok(all)
}

fn row(
    landscape: &Landscape,
    strategy: StrategyName,
    (outstanding, arrival): (usize, Arrival),
    courses: &[SimulatedTune],
    games: &[u64],
) -> Row {
    let time: Duration = courses.iter().map(|course| course.time).sum();
    let played = courses.len() as f64 * games.last().copied().unwrap_or(1) as f64;
    let regret = |i: usize| regret(courses.iter().map(|course| course.regrets[i]).collect());
    Row {
        landscape: landscape.name.clone(),
        strategy,
        outstanding,
        arrival,
        seeds: courses.len() as u64,
        regrets: (0..games.len()).map(regret).collect(),
        milliseconds_per_game: 1e3 * time.as_secs_f64() / played,
        predictions: courses.iter().map(|course| course.predictions).sum(),
        covered: courses.iter().map(|course| course.covered).sum(),
    }
}

fn regret(all: Vec<f64>) -> Regret {
    let count = all.len() as f64;
    let mean = all.iter().sum::<f64>() / count;
    let variance = all.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    Regret {
        mean,
        standard_error: (variance / count).sqrt(),
        worst: all.iter().copied().fold(f64::MIN, f64::max),
        median: median(&all).unwrap_or(f64::NAN),
    }
}

/// Figures of other tuners on the published landscapes.
fn peers() -> Result<Vec<Peer>> {
    let mut reader = csv::Reader::from_reader(&include_bytes!("../../../docs/results/tuner-peers.csv")[..]);
    reader.deserialize().collect::<Result<_, _>>().context("docs/results/tuner-peers.csv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_played_on_the_landscapes_that_are_asked_for() {
        let played = |line: &str| play(&TunersArgs::parse_from(line.split(' ')));
        let results =
            played("tuners --quick --landscapes ill2 --strategies random,spsa").expect("landscapes");
        assert_eq!(results.rows.len(), 2);
        for row in &results.rows {
            assert_eq!((row.landscape.as_str(), row.seeds, row.regrets.len()), ("ill2", 2, 1));
            assert!(row.regrets[0].mean > 0.0 && row.regrets[0].worst >= row.regrets[0].mean, "{row:?}");
        }
        let table = markdown(&results);
        assert!(table.contains("| `random` |") && table.contains("| CLOP |"), "{table}");
        let error = played("tuners --landscapes hav1").expect_err("unknown");
        assert!(format!("{error:#}").contains("hav10"), "{error:#}");
    }
}
