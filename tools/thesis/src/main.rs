//! Judges the conclusions of a publication by games that were played again: the program that writes `docs/thesis`.
//!
//! A file of conclusions names the figures of the publication, what each claims, and the experiments that play it. [`pages`]
//! reads the exports of these experiments and writes a page for each figure; [`judge`] decides a claim.

mod by_time;
mod cost;
mod file;
mod finding;
mod judge;
mod overview;
mod page;
mod pages;
mod played;
mod programs;
mod steer;
mod verdicts;

use clap::Parser;
use gauntlet::commands::print;
use gauntlet::commands::target::TargetArgs;
use gauntlet::commands::time::pause;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Judges the conclusions of a publication by games that were played again.
///
/// Made for docs/thesis: the two programs of a figure are always called "correct RAVE" and "with the defect".
#[derive(Debug, Parser)]
enum Thesis {
    /// Writes the pages into the folder of the file: one for each figure that was played, with the verdict on its conclusion; a
    /// front page; and a page that tells which program each figure resembles. They are made from the exports in `results/`.
    Pages {
        /// The file of conclusions.
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
    },
    /// Exports the results of the file's experiments into `results/`, and their games as bundles, `games/FIGURE.tar.gz`, and
    /// writes the pages. Experiments without games are left out. A bundle that is there is left as it is.
    Export {
        /// The file of conclusions.
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        /// Exports this figure only, such as `lgr` or `by-time-rave`. May be repeated.
        #[arg(long, value_name = "FIGURE")]
        figure: Vec<String>,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Prints what each figure's games say now, and how many more would decide it.
    Verdicts {
        /// The file of conclusions.
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Gives the figures' experiments and their cells weights by what more games would decide. The figure whose next claim needs
    /// the least core time gets the most of it, and within the figure the cells of that claim. A decided claim gets games
    /// until each of its cells has 40. Points that no claim names get 40 games, too, but later.
    Steer {
        /// The file of conclusions.
        #[arg(value_name = "FILE.toml")]
        file: PathBuf,
        /// Looks again after this time, such as 5m, until every figure's experiment is over.
        #[arg(long, value_name = "TIME", value_parser = pause)]
        every: Option<Duration>,
        #[command(flatten)]
        target: TargetArgs,
    },
}

/// The top of the repository.
#[cfg(test)]
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn main() -> ExitCode {
    gauntlet::run_tool(run)
}

async fn run(command: Thesis) -> anyhow::Result<ExitCode> {
    let text = match &command {
        Thesis::Pages { file } => pages::write(file)?,
        Thesis::Export { file, figure, target } => {
            let target = target.open().await?;
            let exported = pages::export(file, figure, &target).await;
            target.close().await;
            exported?;
            pages::write(file)?
        }
        Thesis::Verdicts { file, target } => {
            let target = target.open().await?;
            let verdicts = verdicts::verdicts(file, &target).await;
            target.close().await;
            verdicts?
        }
        Thesis::Steer { file, every, target } => {
            let target = target.open().await?;
            let steered = steer::steer(*every, file, &target).await;
            target.close().await;
            steered?;
            String::new()
        }
    };
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
