//! `gauntlet compare`: results beside published points.

mod conclusions;
mod matching;
pub(crate) mod picture;
mod published;
mod report;
mod table;

use super::number::{whole, within};
use super::results;
use super::target::TargetArgs;
use super::time::pause;
use super::{deliver, print};
use anyhow::ensure;
use report::Assumptions;
use std::path::PathBuf;
use std::time::Duration;

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
  gauntlet compare my-sweep --with theirs.csv --games 1000 --json
  gauntlet compare --conclusions docs/thesis/conclusions.toml
  gauntlet compare --conclusions docs/thesis/conclusions.toml --verdicts --database thesis.db
  gauntlet compare --conclusions docs/thesis/conclusions.toml --export --database thesis.db
  gauntlet compare --conclusions docs/thesis/conclusions.toml --steer --every 5m --database thesis.db")]
pub(crate) struct CompareArgs {
    /// The experiment's name, id or file.
    #[arg(value_name = "NAME|FILE", required_unless_present_any = ["conclusions", "export", "steer", "verdicts"])]
    experiment: Option<String>,
    /// The published points.
    #[arg(long, value_name = "FILE.csv", required_unless_present_any = ["conclusions", "export", "steer", "verdicts"])]
    with: Option<PathBuf>,
    /// Writes a page for each figure of this file that was played, with the verdict on its conclusion, a front page, and a page
    /// that tells which program each figure resembles, into the folder of the file. The results are exports, `results/FIGURE.json` of `gauntlet results --json`. Made for docs/thesis:
    /// the two programs of a figure are always called "correct RAVE" and "with the defect".
    #[arg(long, value_name = "FILE.toml", conflicts_with_all = ["experiment", "with", "games", "margin", "confidence", "svg", "json"])]
    conclusions: Option<PathBuf>,
    /// With --conclusions: first exports the results of its experiments, and their games as bundles, `games/FIGURE.tar.gz`.
    /// Experiments without games are left out.
    #[arg(long, requires = "conclusions")]
    export: bool,
    /// With --conclusions: prints what each figure's games say now, and how many more would decide it, and writes no page.
    #[arg(long, requires = "conclusions", conflicts_with_all = ["export", "steer"])]
    verdicts: bool,
    /// With --conclusions: gives the figures' experiments and their cells weights by what more games would decide, and writes no
    /// page. The figure whose next claim needs the least core time gets the most of it, and within the figure the cells of that
    /// claim. A decided claim gets games until each of its cells has 40. Points that no claim names get 40 games, too, but later.
    #[arg(long, requires = "conclusions", conflicts_with = "export")]
    steer: bool,
    /// With --steer: looks again after this time, such as 5m, until every figure's experiment is over.
    #[arg(long, requires = "steer", value_name = "TIME", value_parser = pause)]
    every: Option<Duration>,
    /// A figure of the file; may be repeated. By default the one that the experiment is named after, or else all figures
    /// with series of the experiment. With --conclusions and --export: exports this figure only, such as `lgr` or
    /// `by-time-rave`.
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
    if let Some(file) = &args.conclusions {
        ensure!(
            args.export || args.figure.is_empty(),
            "with --conclusions, --figure chooses what --export exports; the pages are always those of all figures"
        );
        let reads_games = args.steer || args.export || args.verdicts;
        ensure!(
            reads_games || !args.target.is_given,
            "the pages are written from exports: --database and --coordinator need --export, --verdicts or --steer"
        );
        if reads_games {
            let target = args.target.open().await?;
            let said = if args.steer {
                conclusions::steer(args.every, file, assumptions, &target).await.map(|()| String::new())
            } else if args.verdicts {
                conclusions::verdicts(file, assumptions, &target).await
            } else {
                conclusions::export(file, &args.figure, &target).await.map(|()| String::new())
            };
            target.close().await;
            print(&said?)?;
        }
        if args.steer || args.verdicts {
            return Ok(());
        }
        return print(&conclusions::write(file, assumptions)?);
    }
    let (Some(experiment), Some(with)) = (&args.experiment, &args.with) else { return Ok(()) };
    let figures = published::read(with)?;
    let results = results::report(Some(experiment), &args.target).await?;
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
