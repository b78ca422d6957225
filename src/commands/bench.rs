//! `gauntlet bench`: how fast the engine searches here, how its playouts end, and whether it is the same engine.

use anyhow::{Context, Result};
use clap::Args;
use engine::bench::{self, Measurement, PlayoutEnds};
use engine::havannah::BoardSize;
use engine::params::Params;
use engine::selfplay::Budget;
use rayon::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// Measures the engine on this machine.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gauntlet bench                        speed of every preset on sizes 4, 5, 6, 8 and 10
  gauntlet bench --threads 2            the same with two searches at once, as games are played
  gauntlet bench --playouts 10000       how that many playouts end: fork, bridge, ring, draw
  gauntlet bench --signature            one number that equal engines share")]
pub(crate) struct BenchArgs {
    /// CPU seconds of each measurement.
    #[arg(long, default_value_t = 2.0, value_parser = positive_seconds)]
    seconds: f64,
    /// Board sizes.
    #[arg(long, value_delimiter = ',', default_value = "4,5,6,8,10", value_parser = board_size)]
    sizes: Vec<BoardSize>,
    /// Presets to measure.
    #[arg(long, value_delimiter = ',', default_value = "uct,rave")]
    players: Vec<String>,
    /// Searches at once; speeds are of one of them.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Instead of speeds, how this many simulations from the empty board end.
    #[arg(long, value_name = "SIMS", conflicts_with = "signature", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    playouts: Option<u64>,
    /// Instead of speeds, the signature of the engine.
    #[arg(long)]
    signature: bool,
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

fn board_size(text: &str) -> Result<BoardSize, String> {
    let number: u8 = text.parse().map_err(|_| format!("`{text}` is no board size: give 3 to 10"))?;
    BoardSize::new(number).map_err(|error| error.to_string())
}

fn positive_seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("`{text}` is no duration: give 0.01 to 3600 seconds")),
    }
}

/// Runs the command.
#[expect(clippy::print_stdout, reason = "the command's output")]
pub(crate) fn run(args: &BenchArgs) -> Result<()> {
    if args.signature {
        println!("{:016x}  (engine semantics {})", bench::signature(), engine::SEMANTICS);
        return Ok(());
    }
    let players = args
        .players
        .iter()
        .map(|name| Ok((name.as_str(), Params::preset(name)?)))
        .collect::<Result<Vec<_>>>()
        .context("--players")?;
    let value = match args.playouts {
        Some(sims) => playouts(args, &players, sims),
        None => speeds(args, &players)?,
    };
    if args.json {
        println!("{value:#}");
    }
    Ok(())
}

/// Prints and returns simulations per CPU second.
#[expect(clippy::print_stdout, reason = "the command's output")]
fn speeds(args: &BenchArgs, players: &[(&str, Params)]) -> Result<Value> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.into()).build()?;
    if !args.json {
        println!(
            "Simulations per CPU second of one thread, {} at once, empty board, fresh tree",
            args.threads
        );
        println!("size  {}", players.iter().map(|(name, _)| format!("{name:>12}")).collect::<String>());
    }
    let mut rows = Vec::new();
    for &size in &args.sizes {
        let speed = |params: &Params| {
            let budget = Budget::CpuTime(Duration::from_secs_f64(args.seconds));
            let runs: Vec<Measurement> = pool.install(|| {
                (0..args.threads)
                    .into_par_iter()
                    .map(|seed| bench::search(size, params, budget, seed.into()))
                    .collect()
            });
            runs.iter().map(Measurement::sims_per_s).sum::<f64>() / runs.len() as f64
        };
        let row: Vec<f64> = players.iter().map(|(_, params)| speed(params)).collect();
        if !args.json {
            println!("{size:>4}  {}", row.iter().map(|speed| format!("{speed:>12.0}")).collect::<String>());
        }
        let named = players.iter().zip(&row).map(|((name, _), speed)| ((*name).to_owned(), json!(speed)));
        rows.push(json!({ "size": size, "sims_per_cpu_second": Value::Object(named.collect()) }));
    }
    Ok(json!({ "seconds": args.seconds, "threads": args.threads, "speeds": rows }))
}

/// Prints and returns how playouts end.
#[expect(clippy::print_stdout, reason = "the command's output")]
fn playouts(args: &BenchArgs, players: &[(&str, Params)], sims: u64) -> Value {
    if !args.json {
        println!("How {sims} simulations from the empty board end, and after how many plies on average");
        println!("player  size      fork    bridge      ring     draws   plies: fork  bridge    ring");
    }
    let mut rows = Vec::new();
    for (name, params) in players {
        for &size in &args.sizes {
            let PlayoutEnds { wins, plies, draws } = bench::playout_ends(size, params, sims, 1);
            let mean = |kind: usize| plies[kind] as f64 / wins[kind].max(1) as f64;
            if !args.json {
                println!(
                    "{name:<6}{size:>6}{:>10}{:>10}{:>10}{draws:>10}{:>14.2}{:>8.2}{:>8.2}",
                    wins[0],
                    wins[1],
                    wins[2],
                    mean(0),
                    mean(1),
                    mean(2)
                );
            }
            rows.push(json!({ "player": name, "size": size, "wins": { "fork": wins[0], "bridge": wins[1], "ring": wins[2] },
                "draws": draws, "mean_plies": { "fork": mean(0), "bridge": mean(1), "ring": mean(2) } }));
        }
    }
    json!({ "sims": sims, "playouts": rows })
}
