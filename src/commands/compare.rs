//! `gauntlet compare`: results beside published points.

pub mod matching;
pub mod picture;
pub mod published;
pub mod report;
pub mod table;

use super::number::{whole, within};
use super::results;
use super::target::TargetArgs;
use super::{deliver, print};
use report::Assumptions;
use std::path::PathBuf;

/// Puts the results of an experiment beside published points.
///
/// The file of published points is CSV with a heading. The columns `figure`, `series`, `size` and `winrate` (in percent)
/// are needed; a column `games` gives the games of a point, and others are ignored. A series of the file is compared with
/// the case of the same label, or with the case of a sweep whose value has the name of the series: `500` with
/// `rave_k=500`.
///
/// Each point gets a verdict. It differs if the interval of the difference (Newcombe's) does not contain 0. It agrees if
/// the interval contains 0 and is at most twice the margin wide; otherwise there are too few games. One point
/// in twenty differs by chance at a confidence of 95 %, so each figure has two chi-square tests over all its points:
/// whether all differences are 0, and whether all are equal.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet compare thesis/ravegraph --with docs/results/thesis-figures.csv
  gauntlet compare thesis/rave-vs-uct --with docs/results/thesis-figures.csv --figure ravegraph --svg rave.svg
  gauntlet compare my-sweep --with theirs.csv --games 1000 --json")]
pub(crate) struct CompareArgs {
    /// The experiment's name, id or file.
    #[arg(value_name = "NAME|FILE")]
    experiment: String,
    /// The published points.
    #[arg(long, value_name = "FILE.csv")]
    with: PathBuf,
    /// A figure of the file; may be repeated. By default the one that the experiment is named after, or else all figures
    /// with series of the experiment.
    #[arg(long, value_name = "FIGURE")]
    figure: Vec<String>,
    /// The assumed number of games of a published point, where the file has no column `games`.
    #[arg(long, default_value_t = 300, value_name = "GAMES", value_parser = whole(1..=1_000_000_000_u32))]
    games: u32,
    /// Largest half-width, in percentage points, of an interval that counts as agreement.
    #[arg(long, default_value_t = 10.0, value_name = "POINTS", value_parser = within(0.0, 50.0))]
    margin: f64,
    /// The confidence of all intervals, between 0 and 1.
    #[arg(long, default_value_t = 0.95, value_name = "CONFIDENCE", value_parser = within(0.0, 1.0))]
    confidence: f64,
    /// Prints everything as JSON.
    #[arg(long)]
    json: bool,
    /// Also draws a picture into this file.
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the comparison.
pub(crate) async fn run(args: CompareArgs) -> anyhow::Result<()> {
    let assumptions =
        Assumptions { published_games: args.games, margin: args.margin / 100.0, confidence: args.confidence };
    let figures = published::read(&args.with)?;
    let results = results::report(Some(&args.experiment), &args.target).await?;
    let figures = matching::choose(figures, &args.figure, &results)?;
    let comparison = report::compare(&results, figures, assumptions);
    if let Some(file) = &args.svg {
        let picture = picture::draw(&comparison);
        deliver(picture.as_bytes(), Some(file))?;
    }
    if args.json {
        return print(&(serde_json::to_string_pretty(&comparison)? + "\n"));
    }
    print(&table::table(&comparison))
}
