//! `gauntlet results`: the results of an experiment.

mod table;

pub(crate) use table::{aligned, percent, table};

use super::remote::Refusal;
use super::target::{Target, TargetArgs, get};
use super::{print, read_experiment};
use anyhow::{anyhow, ensure};
use coordinator::CoordinatorError;
use protocol::analysis::ExperimentAnalysis;
use protocol::report::{ExperimentReport, Overview};
use std::path::Path;

/// Prints the results of an experiment.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet results quickstart
  gauntlet results configs/quickstart.toml --format csv > quickstart.csv
  gauntlet results quickstart --analysis
  gauntlet results quickstart --coordinator http://host:8437 --format json")]
pub(crate) struct ResultsArgs {
    /// The experiment's name, id or file.
    #[arg(value_name = "NAME|FILE")]
    experiment: String,
    /// The output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Print the analysis of the whole experiment instead of its cells: a ranking by shrunken win rates, the cases that differ
    /// from 50 %, the comparison of the best cases opening by opening, whether the size matters, the best value of each numeric
    /// parameter, the importance of several parameters, and ratings.
    #[arg(long)]
    analysis: bool,
    /// Print JSON; the same as --format json.
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    #[default]
    Table,
    /// Everything, as in the API.
    Json,
    /// One row per cell.
    Csv,
}

/// Prints the results.
pub(crate) async fn run(args: ResultsArgs) -> anyhow::Result<()> {
    let format = if args.json { Format::Json } else { args.format };
    ensure!(
        !args.analysis || format != Format::Csv,
        "an analysis is no table of cells: leave out --format csv, or take --json"
    );
    let report = report(&args.experiment, &args.target).await?;
    if !args.analysis {
        return print(&formatted(&report, format)?);
    }
    let found = analysis(&report.summary.id.to_string(), &args.target).await?;
    print(&if format == Format::Json { serde_json::to_string_pretty(&found)? + "\n" } else { found.text() })
}

/// The analysis of the experiment with this id.
async fn analysis(id: &str, target: &TargetArgs) -> anyhow::Result<ExperimentAnalysis> {
    let target = target.open().await?;
    let found = match &target {
        Target::Remote(remote, token) => {
            get((remote, token), &remote.path(&["experiments", id, "analysis"])?).await
        }
        Target::Database(coordinator) => coordinator.analysis(id).await.map_err(Into::into),
    };
    target.close().await;
    found
}

/// The report of the experiment with this name or id, or of the one that this file describes.
pub(crate) async fn report(experiment: &str, target: &TargetArgs) -> anyhow::Result<ExperimentReport> {
    let file = match Path::new(experiment) {
        path if path.is_file() => Some(read_experiment(path)?),
        _ => None,
    };
    let target = target.open().await?;
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

async fn report_of(target: &Target, key: &str) -> anyhow::Result<ExperimentReport> {
    match target {
        Target::Remote(remote, token) => get((remote, token), &remote.path(&["experiments", key])?).await,
        Target::Database(coordinator) => Ok(coordinator.report(key).await?),
    }
}

/// Whether an error says that something does not exist.
fn is_unknown(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(Refusal::is_not_found)
        || matches!(error.downcast_ref(), Some(CoordinatorError::NotFound { .. }))
}

/// What was found, or an error for an unknown experiment that lists the existing ones.
pub(crate) async fn or_names<T>(target: &Target, asked: &str, found: anyhow::Result<T>) -> anyhow::Result<T> {
    match found {
        Err(error) if is_unknown(&error) => {
            let overview = match target {
                Target::Remote(remote, token) => get((remote, token), "overview").await?,
                Target::Database(coordinator) => coordinator.overview().await?,
            };
            Err(unknown(asked, &overview))
        }
        found => found,
    }
}

/// The error for an unknown experiment; it lists the existing ones, newest first.
fn unknown(asked: &str, overview: &Overview) -> anyhow::Error {
    let mut names: Vec<&str> = Vec::new();
    for experiment in &overview.experiments {
        if !names.contains(&experiment.name.as_str()) {
            names.push(&experiment.name);
        }
    }
    let missing = if Path::new(asked).is_file() {
        format!("the experiment in {asked} was never applied here")
    } else {
        format!("no experiment is called `{asked}`")
    };
    match names.as_slice() {
        [] => anyhow!("{missing}: there are no experiments yet"),
        names => anyhow!("{missing}; there are: {}", names.join(", ")),
    }
}

fn formatted(report: &ExperimentReport, format: Format) -> anyhow::Result<String> {
    Ok(match format {
        Format::Table => table(report),
        Format::Json => serde_json::to_string_pretty(report)? + "\n",
        Format::Csv => coordinator::csv(report),
    })
}
