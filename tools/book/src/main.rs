//! Makes a book of openings: plays games from candidates and keeps the balanced ones.

mod candidates;

use anyhow::{Context, ensure};
use candidates::{Candidate, candidates, play_one};
use engine::havannah::{BoardSize, Cell, Notation, Params};
use engine::rng::mix;
use engine::selfplay::{MOST_OPENING_PLIES, most_opening_plies};
use gauntlet::commands::files::folder_of;
use gauntlet::commands::number::{real, whole};
use gauntlet::commands::{can_deliver, cores, deliver, print};
use protocol::book::read_openings;
use protocol::words::option;
use rayon::prelude::*;
use std::fmt::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

/// Makes the openings of a book for one board size.
///
/// Random positions that differ by more than a symmetry of the board are candidates. A player plays itself from each. In
/// a first round the candidates play half of the games, and those nearest to 50 % go on, twice as many as are wanted. In
/// a second round these play all games. The nearest to 50 % over both rounds are kept, if they are within the limit. The
/// kept ones then play fresh games, which say how balanced the book is: the rates of the rounds that chose the openings
/// flatter it. The file states all of that, and the same command makes the same file on every machine.
#[derive(Debug, clap::Parser)]
#[command(after_help = "\
Examples:
  book --size 5 --openings 64 --out configs/books/mine/5.txt
  book --size 10 --plies 2 --openings 32 --candidates 96 --sims 100 --games 16

A book becomes part of a build by its rows in protocol/src/book.rs.")]
struct BookArgs {
    /// The board size.
    #[arg(long, value_name = "N", value_parser = gauntlet::commands::sizes::one)]
    size: BoardSize,
    /// Moves of an opening.
    #[arg(long, default_value_t = 2, value_name = "PLIES", value_parser = whole(1..=MOST_OPENING_PLIES))]
    plies: u8,
    /// Openings of the book.
    #[arg(long, default_value_t = 64, value_name = "NUMBER", value_parser = whole(1..=10_000_u32))]
    openings: u32,
    /// Candidates; by default four for each opening.
    #[arg(long, value_name = "NUMBER", value_parser = whole(1..=100_000_u32))]
    candidates: Option<u32>,
    /// Games from each candidate in the second round; half as many are played in the first.
    #[arg(long, default_value_t = 32, value_name = "NUMBER", value_parser = whole(2..=100_000_u32))]
    games: u32,
    /// Simulations for a move.
    #[arg(long, default_value_t = 300, value_name = "NUMBER", value_parser = whole(1..=1_000_000_u64))]
    sims: u64,
    /// The largest distance of the first player's score from 50 %, in percentage points.
    #[arg(long, default_value_t = 15.0, value_name = "POINTS", value_parser = real(0.0..=50.0))]
    within: f64,
    /// The player, a preset.
    #[arg(long, default_value = "rave", value_name = "PRESET")]
    preset: String,
    /// The seed of the candidates and the games.
    #[arg(long, default_value_t = 1, value_name = "NUMBER", value_parser = whole(0..=u64::MAX))]
    seed: u64,
    /// A file of openings that the book must not have: no opening of the book is one of them or continues one, in any symmetry
    /// of the board. May be given several times.
    #[arg(long, value_name = "FILE")]
    apart_from: Vec<PathBuf>,
    /// Games played at once; by default as many as there are cores.
    #[arg(long, value_name = "NUMBER", value_parser = gauntlet::commands::threads)]
    threads: Option<NonZeroUsize>,
    /// The file to write; by default standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl BookArgs {
    fn candidates(&self) -> u32 {
        self.candidates.unwrap_or(4 * self.openings)
    }

    /// The command, with every number that matters.
    fn command(&self) -> String {
        let apart: String =
            self.apart_from.iter().map(|file| option("--apart-from", &file.display().to_string())).collect();
        format!(
            "cargo run --release -p book -- --size {} --plies {} --openings {} --candidates {} --games {} --sims {} --within {} --preset {} \
             --seed {}{apart}",
            self.size,
            self.plies,
            self.openings,
            self.candidates(),
            self.games,
            self.sims,
            self.within,
            self.preset,
            self.seed
        )
    }
}

fn main() -> ExitCode {
    gauntlet::run_tool(async |args: BookArgs| run(&args).map(|()| ExitCode::SUCCESS))
}

/// Makes the openings.
fn run(args: &BookArgs) -> anyhow::Result<()> {
    let size = args.size;
    let most = most_opening_plies(size);
    ensure!(
        args.plies <= most,
        "on size {size} a game can be over after {} moves; --plies can be {most} at most",
        most + 1
    );
    ensure!(
        args.within > 0.0 && args.within <= 50.0,
        "--within is above 0 and at most 50 percentage points, not {}",
        args.within
    );
    let params = Params::preset(&args.preset)?;
    if let Some(path) = &args.out {
        let folder = folder_of(path);
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        can_deliver(path)?;
    }
    let threads = args.threads.unwrap_or_else(cores);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build()?;
    let play = |round: u64, candidates: &mut [Candidate], games: u32| {
        eprintln!("round {round}: {} openings, {games} games each", candidates.len());
        pool.install(|| {
            candidates.par_iter_mut().for_each(|candidate| {
                let position = Notation::Gui.write_list(size, &candidate.moves);
                let place = position.bytes().fold(args.seed, |hash, byte| mix(hash ^ u64::from(byte)));
                let results: Vec<u8> = (0..games)
                    .into_par_iter()
                    .map(|game| {
                        let seed = mix(place ^ round).wrapping_add(mix(u64::from(game)));
                        play_one(size, &candidate.moves, &params, args.sims, seed)
                    })
                    .collect();
                candidate.add(&results);
            });
        });
    };
    let wanted = args.openings as usize;
    let taken = apart_from(size, &args.apart_from)?;
    let mut chosen = candidates(size, args.plies, args.candidates() as usize, args.seed, &taken);
    ensure!(!chosen.is_empty(), "every position of {} plies is in the files of --apart-from", args.plies);
    let tried = chosen.len();
    play(1, &mut chosen, args.games / 2);
    keep_nearest(&mut chosen, 2 * wanted);
    play(2, &mut chosen, args.games);
    keep_nearest(&mut chosen, wanted);
    chosen.retain(|candidate| candidate.imbalance() <= args.within / 100.0);
    ensure!(
        !chosen.is_empty(),
        "no candidate is within {} points of 50 %; try more --candidates, other --plies, or a wider --within",
        args.within
    );
    let mut fresh: Vec<Candidate> = chosen.iter().map(Candidate::afresh).collect();
    play(3, &mut fresh, args.games);
    let text = file(args, size, tried, &chosen, &fresh)?;
    match &args.out {
        None => print(&text),
        Some(path) => {
            deliver(text.as_bytes(), Some(path))?;
            if chosen.len() < wanted {
                eprintln!(
                    "warning: only {} of {wanted} openings are within {} points of 50 %; more --candidates find more",
                    chosen.len(),
                    args.within
                );
            }
            print(&format!("wrote {} openings to {}\n", chosen.len(), path.display()))
        }
    }
}

/// The openings of files.
fn apart_from(size: BoardSize, files: &[PathBuf]) -> anyhow::Result<Vec<Vec<Cell>>> {
    let mut openings = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        openings.extend(read_openings(size, &text).with_context(|| format!("{}", file.display()))?);
    }
    Ok(openings)
}

/// Keeps the candidates nearest to 50 %, in order. Among equals the earlier one stays.
fn keep_nearest(candidates: &mut Vec<Candidate>, count: usize) {
    candidates.sort_by(|a, b| a.imbalance().total_cmp(&b.imbalance()));
    candidates.truncate(count);
}

/// The text of the file.
fn file(
    args: &BookArgs,
    size: BoardSize,
    tried: usize,
    chosen: &[Candidate],
    fresh: &[Candidate],
) -> anyhow::Result<String> {
    let (mean, spread) = balance(fresh);
    let mut text = String::new();
    writeln!(
        text,
        "# {} openings of {} plies for size {size}, of {tried} candidates.",
        chosen.len(),
        args.plies
    )?;
    writeln!(text, "# Made by: {}", args.command())?;
    writeln!(
        text,
        "# Engine semantics {}. The number behind an opening is White's score in the games that chose it.",
        engine::SEMANTICS
    )?;
    writeln!(
        text,
        "# In {} fresh games each, White scored {:.1} % on average; the openings' true scores have a standard deviation of {:.1} points.",
        args.games,
        100.0 * mean,
        100.0 * spread
    )?;
    for candidate in chosen {
        let moves = Notation::Gui.write_list(size, &candidate.moves);
        writeln!(text, "{moves}  # {:.1} % of {}", 100.0 * candidate.rate(), candidate.games)?;
    }
    Ok(text)
}

/// The mean of the rates and the standard deviation of the true rates: the variance of the observed rates, less the part
/// that so few games explain.
fn balance(fresh: &[Candidate]) -> (f64, f64) {
    let count = fresh.len() as f64;
    let mean = fresh.iter().map(Candidate::rate).sum::<f64>() / count;
    let noise = fresh
        .iter()
        .map(|one| one.rate() * (1.0 - one.rate()) / f64::from(one.games.max(2) - 1))
        .sum::<f64>();
    let variance = fresh.iter().map(|one| (one.rate() - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, (variance - noise / count).max(0.0).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn args(line: &str) -> BookArgs {
        BookArgs::parse_from(std::iter::once("book").chain(line.split(' ')))
    }

    #[test]
    fn the_same_command_makes_the_same_book() {
        let folder = tempfile::tempdir().expect("a directory");
        let made = |threads: u8| {
            let out = folder.path().join(threads.to_string());
            let line = "--size 4 --openings 4 --candidates 12 --games 8 --sims 20 --within 50 --seed 3";
            run(&args(&format!("{line} --threads {threads} --out {}", out.display()))).expect("made");
            std::fs::read_to_string(out).expect("written")
        };
        let text = made(1);
        assert_eq!(text, made(2));
        let size = BoardSize::new(4).expect("size");
        assert_eq!(read_openings(size, &text).expect("a book").len(), 4);
        assert!(text.contains(
            "--openings 4 --candidates 12 --games 8 --sims 20 --within 50 --preset rave --seed 3\n"
        ));
        let [first, second] = ["1", "other"].map(|name| folder.path().join(name));
        let line =
            "--size 4 --openings 4 --candidates 12 --games 2 --sims 5 --within 50 --seed 3 --apart-from";
        run(&args(&format!("{line} {} --out {}", first.display(), second.display()))).expect("made");
        let other = std::fs::read_to_string(second).expect("written");
        assert!(other.contains(&format!("--seed 3 --apart-from {}\n", first.display())), "{other}");
        let openings = read_openings(size, &text).expect("a book");
        assert!(read_openings(size, &other).expect("a book").iter().all(|moves| !openings.contains(moves)));
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        for (line, expected) in [
            ("--size 3 --plies 5", "--plies can be 4 at most"),
            ("--size 4 --within 0", "--within is above 0"),
            ("--size 4 --preset raev", "there is no preset `raev`"),
            ("--size 4 --apart-from no-such-file", "cannot read no-such-file"),
        ] {
            let error = run(&args(line)).expect_err(line).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn the_spread_of_true_rates_is_without_the_noise_of_the_games() {
        let of = |points: &[u8]| {
            let mut candidate = candidates(BoardSize::MIN, 1, 1, 1, &[]).remove(0);
            candidate.add(points);
            candidate
        };
        let even: Vec<Candidate> = (0..50).map(|_| of(&[0, 2, 0, 2])).collect();
        assert_eq!(balance(&even), (0.5, 0.0));
        let decided: Vec<Candidate> = (0..50).map(|i| of(&[if i % 2 == 0 { 2 } else { 0 }; 8])).collect();
        let (mean, spread) = balance(&decided);
        assert!((mean - 0.5).abs() < 1e-12 && (spread - 0.505).abs() < 0.001, "{mean} {spread}");
    }
}
