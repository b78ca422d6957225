//! `gauntlet bench`: the engine's speed, its time per phase, the cost of its features and of keeping its tree, the ends of its
//! playouts and its signature; and what the harness costs.

mod ends;
mod features;
mod harness;
mod instructions;
mod keeping;
mod profile;
mod speeds;

use super::number::whole;
use super::print;
use super::sizes::{self, Sizes};
use super::time::seconds;
use anyhow::{Context, Result};
use clap::Args;
use engine::bench;
use engine::havannah::{BoardSize, Params};
use engine::params::ParamValue;
use engine::search::Budget;
use serde_json::Value;
use std::time::Duration;

/// Measures the engine on this machine.
///
/// Speeds are simulations per CPU second of one thread. Programs on the same core do not change them; programs that share
/// its caches do. When two players are compared, their runs alternate.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gauntlet bench                               speed and memory of uct and rave on five sizes
  gauntlet bench --threads 2                   the same with two searches at once, as in games
  gauntlet bench --players rave --set lookahead=1,rollouts=2
  gauntlet bench --profile                     time by phase, with 1, 2 and 10 rollouts
  gauntlet bench --keeping --seconds 20        the time between moves to keep the tree
  gauntlet bench --ends 10000 --seeds 6        how playouts end, and their length
  gauntlet bench --features --players rave     the cost of each parameter, changed alone
  gauntlet bench --instructions                instructions a simulation, counted by valgrind
  gauntlet bench --harness --threads 2         CPU time of the harness for a game, and how busy slots are
  gauntlet bench --signature                   one number that equal engines share")]
pub(crate) struct BenchArgs {
    /// CPU seconds per measurement.
    #[arg(long, default_value_t = 2.0, value_parser = seconds, conflicts_with_all = ["sims", "ends", "instructions", "signature"])]
    seconds: f64,
    /// Simulations per measurement, instead of a time.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000_u64), conflicts_with_all = ["ends", "signature"])]
    sims: Option<u64>,
    /// Board sizes, such as 6, or 5-7, or 4,6-8 [default: 4,5,6,8,10; for --profile and --features 5,10; for --ends 4 to 10].
    #[arg(long, value_name = "SIZES", value_parser = sizes::sizes, conflicts_with = "signature")]
    sizes: Vec<Sizes>,
    /// Presets to measure.
    #[arg(long, value_delimiter = ',', default_value = "uct,rave", conflicts_with = "signature")]
    players: Vec<String>,
    /// Parameters to set in all presets.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE", conflicts_with = "signature")]
    set: Vec<String>,
    /// Searches at once, when speeds are measured; speeds are per search. For --harness the slots.
    #[arg(long, default_value_t = 1, value_parser = whole(1..=1024_u16), conflicts_with_all = ["profile", "keeping", "ends", "features", "instructions", "signature"])]
    threads: u16,
    /// Do not measure playouts without a tree.
    #[arg(long, conflicts_with = "mode")]
    no_playouts: bool,
    /// Measure the share of time of each phase, instead of speeds.
    #[arg(long, group = "mode")]
    profile: bool,
    /// Measure what it costs to keep the tree between moves, in games with 50 000 or --sims simulations a move, instead of
    /// speeds.
    #[arg(long, group = "mode")]
    keeping: bool,
    /// Rollouts per simulation for --profile.
    #[arg(long, value_delimiter = ',', default_value = "1,2,10", value_name = "N", requires = "profile", value_parser = whole(1..=1000_u32))]
    rollouts: Vec<u32>,
    /// Measure how this many simulations from the empty board end, instead of speeds.
    #[arg(long, visible_alias = "playouts", value_name = "SIMS", group = "mode", value_parser = whole(1..=100_000_000_u64))]
    ends: Option<u64>,
    /// The number of searches for --ends, with different seeds, whose mean is printed [default: 1].
    #[arg(long, value_name = "N", value_parser = whole(1..=10_000_u64), requires = "ends")]
    seeds: Option<u64>,
    /// Measure how much slower a player is with one parameter changed from its default, instead of speeds.
    #[arg(long, group = "mode")]
    features: bool,
    /// Measure instructions per simulation, in the first 10 000 or --sims simulations, instead of speeds. Needs valgrind.
    #[arg(long, group = "mode")]
    instructions: bool,
    /// Measure what coordinator and worker cost beside the searches, with games of some lengths on --threads slots, instead of
    /// speeds.
    #[arg(long, group = "mode")]
    harness: bool,
    /// Print the signature of the engine, instead of speeds.
    #[arg(long, group = "mode")]
    signature: bool,
    /// Print JSON.
    #[arg(long, conflicts_with = "signature")]
    json: bool,
}

impl BenchArgs {
    fn budget(&self) -> Budget {
        match self.sims {
            Some(sims) => Budget::Sims(sims),
            None => Budget::CpuTime(Duration::from_secs_f64(self.seconds)),
        }
    }

    /// The requested sizes, or the default ones.
    fn sizes_or(&self, usual: &[u8]) -> Vec<BoardSize> {
        if self.sizes.is_empty() {
            usual.iter().map(|&size| BoardSize::new(size).expect("within range")).collect()
        } else {
            sizes::all(&self.sizes)
        }
    }

    fn players(&self) -> Result<Vec<(String, Params)>> {
        let player = |name: &String| {
            let mut params = Params::preset(name).context("--players")?;
            for pair in &self.set {
                let (name, value) =
                    pair.split_once('=').with_context(|| format!("--set `{pair}`: expected NAME=VALUE"))?;
                let value: ParamValue = value.parse().unwrap_or_else(|never| match never {});
                params.set(name, &value).context("--set")?;
            }
            Ok((name.clone(), params))
        };
        self.players.iter().map(player).collect()
    }

    /// Prints a line of a table, unless the output is JSON.
    fn say(&self, line: &str) {
        if self.json {
            return;
        }
        if let Err(error) = print(&format!("{line}\n")) {
            eprintln!("{error:#}");
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &BenchArgs) -> Result<()> {
    if args.signature {
        return print(&format!("{:016x}  (engine semantics {})\n", bench::signature(), engine::SEMANTICS));
    }
    let players = args.players()?;
    let value: Value = match args.ends {
        Some(sims) => ends::run(args, &players, sims),
        None if args.profile => profile::run(args, &players),
        None if args.keeping => keeping::run(args, &players),
        None if args.features => features::run(args, &players),
        None if args.harness => harness::run(args)?,
        None if args.instructions => instructions::run(args)?,
        None => speeds::run(args, &players)?,
    };
    if args.json { print(&format!("{value:#}\n")) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct BenchLine {
        #[command(flatten)]
        args: BenchArgs,
    }

    fn args(line: &[&str]) -> BenchArgs {
        BenchLine::try_parse_from([&["bench"], line].concat()).unwrap_or_else(|error| panic!("{error}")).args
    }

    #[test]
    fn every_mode_measures_what_it_says() {
        let line = ["--sizes", "4", "--players", "rave", "--json"];
        let with = |more: &[&str]| args(&[&line, more].concat());
        let players = with(&[]).players().expect("a preset");
        let short = ["--sims", "300"];

        let speeds =
            speeds::run(&with(&[&short[..], &["--threads", "2"]].concat()), &players).expect("threads");
        let row = &speeds["speeds"][0];
        assert_eq!((&row["size"], &row["player"]), (&4.into(), &"rave".into()));
        assert!(
            row["sims_per_cpu_second"].as_f64() > Some(0.0) && row["bytes_per_node"].as_f64() > Some(0.0)
        );

        let profile =
            profile::run(&with(&[&short[..], &["--profile", "--rollouts", "1,3"]].concat()), &players);
        let rows = profile["profiles"].as_array().expect("rows");
        assert_eq!(rows.len(), 2);
        for row in rows {
            let phases = ["descent", "expansion", "playout", "back_up"];
            let sum: f64 = phases.iter().map(|phase| row["shares"][phase].as_f64().expect("a share")).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{row}");
        }

        let ends = ends::run(&with(&["--ends", "200", "--seeds", "3"]), &players, 200);
        let row = &ends["playouts"][0];
        let count = |name: &str| row["wins"][name].as_f64().expect("a mean");
        let all = count("fork") + count("bridge") + count("ring") + row["draws"].as_f64().expect("a mean");
        assert!((all - 200.0).abs() < 1e-6, "{row}");

        let features = features::run(&with(&[&short[..], &["--features"]].concat()), &players);
        let rows = features["features"].as_array().expect("rows");
        assert!(rows.len() >= bench::variants().len() - 3, "{} rows", rows.len());
        assert!(rows.iter().all(|row| row["cost"].as_f64() > Some(0.0)), "{features}");

        let keeping = keeping::run(&with(&[&short[..], &["--keeping"]].concat()), &players);
        assert!(keeping["keeping"][0]["keeping_s"].as_f64() > Some(0.0), "{keeping}");
    }

    #[test]
    fn parameters_are_set_in_all_players_and_wrong_ones_named() {
        let players = args(&["--set", "rollouts=3,lookahead=1"]).players().expect("parameters");
        assert_eq!(players.len(), 2);
        assert!(
            players.iter().all(|(_, params)| (params.search.rollouts, params.search.lookahead) == (3, 1))
        );
        for (line, reason) in [
            (["--set", "rolouts=3"], "rollouts"),
            (["--set", "rollouts"], "NAME=VALUE"),
            (["--players", "ravee"], "rave"),
        ] {
            let error = args(&line).players().expect_err("refused");
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        }
    }

    #[test]
    fn only_one_thing_is_measured_at_a_time() {
        assert!(BenchLine::try_parse_from(["bench", "--profile", "--signature"]).is_err());
        assert!(BenchLine::try_parse_from(["bench", "--rollouts", "3"]).is_err());
    }

    #[test]
    fn options_that_a_mode_does_not_read_are_refused() {
        for line in [
            "--seeds 3",
            "--seconds 1 --sims 100",
            "--seconds 1 --ends 100",
            "--seconds 1 --instructions",
            "--sims 100 --ends 100",
            "--players rave --signature",
            "--threads 2 --profile",
            "--no-playouts --features",
            "--json --signature",
        ] {
            assert!(
                BenchLine::try_parse_from(["bench"].into_iter().chain(line.split(' '))).is_err(),
                "{line}"
            );
        }
    }
}
