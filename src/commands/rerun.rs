//! `gauntlet rerun`: games of a bundle, played again on this machine.

mod sample;

use super::bundle::archive;
use super::game::{ReplayOutcome, again};
use super::number::whole;
use super::time::{now_ms, utc};
use super::{cores, print};
use crate::logging;
use anyhow::{Context, Result, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use protocol::bundle::Manifest;
use protocol::games::GameReport;
use protocol::ids::GameId;
use protocol::lease::Budget;
use protocol::words::counted;
use rayon::prelude::*;
use sample::Sample;
use serde::Serialize;
use stats::clopper_pearson;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

const CONFIDENCE: f64 = 0.95;

/// Plays a random sample of the games of a bundle again and compares every move.
///
/// Each move is searched with the simulations that its record names, so games with a budget in simulations and in time alike
/// must go as recorded, bit for bit: move, value, proof, simulations and nodes. How many simulations a machine makes in its
/// time is not compared. Plays that do not count and games of other engine semantics are left out.
///
/// The bundle is checked first: its format, its paths, and the digests of all its files. Nothing is unpacked.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet rerun gauntlet-my-sweep.tar.gz
  gauntlet rerun gauntlet-my-sweep.tar.gz --games 200 --seed 7
  gauntlet rerun gauntlet-my-sweep.tar.gz --games 5 --json

Exits with 1 when a game differs from its record, and when the bundle cannot be used.")]
pub(crate) struct RerunArgs {
    /// The bundle, as `gauntlet bundle` writes it.
    #[arg(value_name = "FILE.tar.gz")]
    bundle: PathBuf,
    /// So many games at most.
    #[arg(long, default_value_t = 20, value_parser = whole(1..=1_000_000_u32))]
    games: u32,
    /// The seed of the sample [default: another one each time].
    #[arg(long, value_parser = whole(0..=u64::MAX))]
    seed: Option<u64>,
    /// Games at once [default: all cores].
    #[arg(long, value_parser = super::slots)]
    slots: Option<NonZeroUsize>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// The result of the command.
#[derive(Serialize)]
struct RerunReport {
    bundle: Manifest,
    seed: u64,
    /// Games of the bundle from which the sample was drawn.
    of: u64,
    /// Plays of the bundle that do not count.
    uncounted: u64,
    /// Games of the bundle whose moves were deleted.
    without_moves: u64,
    /// Games of the bundle that another engine played.
    other_semantics: u64,
    games: Vec<RerunGame>,
    agree: u64,
    confidence: f64,
    /// The interval of the part of all these games that goes as recorded.
    low: f64,
    high: f64,
}

/// A game of the sample.
#[derive(Serialize)]
struct RerunGame {
    game: GameId,
    size: engine::havannah::BoardSize,
    budget: Budget,
    moves: u64,
    same_moves: bool,
    /// Whether the stored result is that of the moves; absent if other moves were made.
    same_result: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &RerunArgs) -> Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| now_ms().unsigned_abs());
    let mut sample = Sample::new(args.games as usize, seed);
    let bundle = archive::read(&args.bundle, |game| sample.offer(game))?.manifest;
    let (of_others, semantics) = sample.of_others;
    if let (true, Some(semantics)) = (sample.games.is_empty(), semantics) {
        anyhow::bail!(
            "its games were played by engine semantics {semantics}, and this program plays by {}: use a program with those; \
             Gauntlet {} made the bundle",
            engine::SEMANTICS,
            bundle.program
        );
    }
    ensure!(!sample.games.is_empty(), "{} has no game with moves that counts", args.bundle.display());
    sample.games.sort_by_key(|game| game.line.id);
    let games = replay(&sample.games, args.slots.unwrap_or_else(cores))?;
    let agree = games.iter().filter(|game| game.difference.is_none()).count();
    let (low, high) = interval(agree, games.len(), sample.of)?;
    let findings = RerunReport {
        bundle,
        seed,
        of: sample.of,
        uncounted: sample.uncounted,
        without_moves: sample.without_moves,
        other_semantics: of_others,
        agree: agree as u64,
        confidence: CONFIDENCE,
        low,
        high,
        games,
    };
    let text = if args.json { serde_json::to_string_pretty(&findings)? + "\n" } else { text(&findings)? };
    print(&text)?;
    Ok(if agree == findings.games.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The interval of the part of the games that agrees. It is a point when every game was replayed.
fn interval(agree: usize, replayed: usize, of: u64) -> Result<(f64, f64)> {
    if replayed as u64 == of {
        let part = agree as f64 / replayed as f64;
        return Ok((part, part));
    }
    Ok(clopper_pearson(agree as f64, (replayed - agree) as f64, CONFIDENCE)?)
}

fn replay(games: &[GameReport], slots: NonZeroUsize) -> Result<Vec<RerunGame>> {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(slots.get()).build();
    let style =
        ProgressStyle::with_template("{bar:30} {pos}/{len} games, {eta} left").expect("a valid template");
    let bar = logging::bars().add(ProgressBar::new(games.len() as u64).with_style(style));
    let found = threads.context("cannot start threads")?.install(|| {
        let found = |game: &GameReport| {
            let found = found(game);
            bar.inc(1);
            found
        };
        games.par_iter().map(found).collect()
    });
    bar.finish_and_clear();
    Ok(found)
}

/// Plays a game again. A record that cannot be replayed differs.
fn found(game: &GameReport) -> RerunGame {
    let again = again(game);
    let (same_moves, same_result) = match &again {
        Ok(ReplayOutcome::Same) => (true, Some(true)),
        Ok(ReplayOutcome::OtherResult { .. }) => (true, Some(false)),
        Ok(ReplayOutcome::OtherMoves(_)) | Err(_) => (false, None),
    };
    RerunGame {
        game: game.line.id,
        size: game.spec.size,
        budget: game.spec.budget,
        moves: game.play.record.sims.len() as u64,
        same_moves,
        same_result,
        difference: match again {
            Ok(again) => again.difference(),
            Err(error) => Some(super::in_words(&error)),
        },
    }
}

fn text(findings: &RerunReport) -> Result<String, std::fmt::Error> {
    let RerunReport { bundle, games, .. } = findings;
    let mut out = String::new();
    writeln!(
        out,
        "{}, revision {}, bundled {} by Gauntlet {}\n",
        bundle.name,
        bundle.revision,
        utc(bundle.made_ms),
        bundle.program
    )?;
    let yes_or_no = |is_so: bool| if is_so { "as recorded" } else { "OTHER" };
    writeln!(out, "game      size  budget        moves  played again  result")?;
    for game in games {
        writeln!(
            out,
            "{:.8}  {:>4}  {:<12}  {:>5}  {:<12}  {}",
            game.game.to_string(),
            game.size.get(),
            game.budget.words(),
            game.moves,
            yes_or_no(game.same_moves),
            game.same_result.map_or("-", yes_or_no)
        )?;
        if let Some(difference) = &game.difference {
            writeln!(out, "          {difference}")?;
        }
    }
    let replayed = games.len() as u64;
    write!(out, "\n{} of {} agree", findings.agree, counted(replayed, "replayed game"))?;
    if replayed == findings.of {
        writeln!(out, "; these are all games of the bundle that can be replayed")?;
    } else {
        writeln!(
            out,
            "; of all {} that can be replayed, {:.1} to {:.1} % do (Clopper-Pearson, {:.0} %; --seed {} draws this sample again)",
            findings.of,
            100.0 * findings.low,
            100.0 * findings.high,
            100.0 * findings.confidence,
            findings.seed
        )?;
    }
    let timed = games.iter().any(|game| matches!(game.budget, Budget::ReferenceSeconds(_)));
    if timed {
        writeln!(
            out,
            "Games with a budget in time were replayed with the simulations that each move had; how many a machine makes in its \
             time is not compared."
        )?;
    }
    for (number, what) in [
        (findings.uncounted, "play that does not count"),
        (findings.without_moves, "game without moves"),
        (findings.other_semantics, "game of another engine"),
    ] {
        if number > 0 {
            writeln!(out, "Left out: {number} × {what}")?;
        }
    }
    Ok(out)
}
