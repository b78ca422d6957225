//! `gauntlet results`: the results of an experiment.

mod latex;
mod latex_text;
mod picture;
mod table;

pub(crate) use table::table;

use super::baseline::names;
use super::cells::Cells;
use super::number::whole;
use super::parquet::parquet;
use super::target::{Target, TargetArgs};
use super::time::{now_ms, utc};
use super::unknown::{is_unknown, or_names, or_only};
use super::{deliver, format_of, read_experiment};
use anyhow::ensure;
use engine::havannah::BoardSize;
use protocol::analysis::ExperimentAnalysis;
use protocol::endpoints::{GetAnalysis, GetExperiment};
use protocol::query::{AnalysisQuery, ReportQuery};
use protocol::report::ExperimentReport;
use protocol::table::cells;
use std::path::{Path, PathBuf};

/// Prints the results of an experiment.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet results quickstart
  gauntlet results configs/quickstart.toml --format csv > quickstart.csv
  gauntlet results quickstart --case rave_k=100 --size 6
  gauntlet results quickstart --out quickstart.tex
  gauntlet results quickstart --out quickstart.svg --best 5
  gauntlet results quickstart --out cells.parquet
  gauntlet results quickstart --analysis
  gauntlet results quickstart --analysis --size 6
  gauntlet results quickstart --coordinator http://host:8437 --format json")]
pub(crate) struct ResultsArgs {
    /// The experiment's name, id or file [default: the only one].
    #[arg(value_name = "NAME|FILE")]
    experiment: Option<String>,
    #[command(flatten)]
    cells: Cells,
    /// The output format [default: the one that the ending of --out means, or else table].
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print the analysis of the whole experiment, or with --size of one size, instead of its cells: a ranking by shrunken win
    /// rates, the cases that differ from 50 %, the comparison of the best cases opening by opening, whether the size matters, the
    /// best value of each numeric parameter, the importance of several parameters, and ratings.
    #[arg(long)]
    analysis: bool,
    /// The cases of a picture: the best of each baseline and budget.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole(1..=1000_usize))]
    best: usize,
    /// Print JSON; the same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write into this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Table,
    /// Everything, as in the API.
    Json,
    /// One row per cell, with a column for each parameter.
    Csv,
    /// The same as CSV, for pandas, polars and DuckDB.
    Parquet,
    /// A picture with error bars, for pgfplots, and tables.
    Latex,
    /// A picture of the best cases with error bars, by board size.
    Svg,
}

/// The endings of files, with the formats that they mean.
const ENDINGS: [(&str, Format); 6] = [
    ("txt", Format::Table),
    ("json", Format::Json),
    ("csv", Format::Csv),
    ("parquet", Format::Parquet),
    ("tex", Format::Latex),
    ("svg", Format::Svg),
];

/// Prints the results.
pub(crate) async fn run(args: ResultsArgs) -> anyhow::Result<()> {
    let asked = if args.json { Some(Format::Json) } else { args.format };
    let format = format_of(asked, args.out.as_deref(), &ENDINGS)?.unwrap_or(Format::Table);
    ensure!(
        !args.analysis || matches!(format, Format::Table | Format::Json),
        "an analysis is no table of cells: leave out --format, or take --json, and end the name of the file in .txt or .json"
    );
    if args.analysis {
        let size = args.cells.one_size()?;
        let report = report(args.experiment.as_deref(), &args.target).await?;
        let found = analysis(&report.summary.id.to_string(), size, &args.target).await?;
        let text =
            if format == Format::Json { serde_json::to_string_pretty(&found)? + "\n" } else { found.text() };
        return deliver(text.as_bytes(), args.out.as_deref());
    }
    let mut report = report(args.experiment.as_deref(), &args.target).await?;
    args.cells.keep(&mut report)?;
    let mut text = match format {
        Format::Csv | Format::Parquet => {
            let table = cells(&report, &analysis(&report.summary.id.to_string(), None, &args.target).await?);
            if format == Format::Csv { table.csv().into_bytes() } else { parquet(&table)? }
        }
        Format::Table => table(&report).into_bytes(),
        Format::Json => (serde_json::to_string_pretty(&report)? + "\n").into_bytes(),
        Format::Latex => latex::latex(&report, &utc(now_ms())[..10]).into_bytes(),
        Format::Svg => picture::draw(&report, args.best).into_bytes(),
    };
    if format == Format::Table && !args.cells.are_all() {
        text.extend(b"Some cells are left out; the number of games is that of the whole experiment.\n");
    }
    deliver(&text, args.out.as_deref())
}

/// The analysis of the experiment with this id, or of one of its sizes.
async fn analysis(
    id: &str,
    size: Option<BoardSize>,
    target: &TargetArgs,
) -> anyhow::Result<ExperimentAnalysis> {
    let target = target.open().await?;
    let found = target.read(GetAnalysis, id, &AnalysisQuery { size }).await;
    target.close().await;
    found
}

/// The report of the experiment with this name or id, of the one that this file describes, or of the only one.
pub(crate) async fn report(
    experiment: Option<&str>,
    target: &TargetArgs,
) -> anyhow::Result<ExperimentReport> {
    let file = match experiment.map(Path::new) {
        Some(path) if path.is_file() => Some(read_experiment(path, async || names(target).await).await?),
        _ => None,
    };
    let target = target.open().await?;
    let experiment = &or_only(&target, experiment).await?;
    let report = match &file {
        None => report_of(&target, experiment).await,
        // The content finds the experiment even if it has another name here.
        Some(file) => match report_of(&target, &file.id().to_string()).await {
            Err(error) if is_unknown(&error) => {
                let report = report_of(&target, &file.name).await;
                if let Ok(report) = &report {
                    let revision = report.summary.revision;
                    eprintln!(
                        "{experiment} as it is now was never applied here; these are the results of revision {revision}"
                    );
                }
                report
            }
            report => report,
        },
    };
    let report = or_names(&target, experiment, report).await;
    target.close().await;
    report
}

/// The results of an experiment, by its name or id.
pub async fn report_of(target: &Target, key: &str) -> anyhow::Result<ExperimentReport> {
    target.read(GetExperiment, key, &ReportQuery::default()).await
}
