//! `gauntlet results`: the results of an experiment.

mod table;

pub(crate) use table::{aligned, percent, table};

use super::remote::Refusal;
use super::target::{Target, TargetArgs, get};
use super::{print, read_experiment};
use anyhow::anyhow;
use coordinator::CoordinatorError;
use protocol::report::{ExperimentReport, Overview};
use std::path::Path;

/// Prints the results of an experiment.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet results quickstart
  gauntlet results configs/quickstart.toml --format csv > quickstart.csv
  gauntlet results quickstart --coordinator http://host:8437 --format json")]
pub(crate) struct ResultsArgs {
    /// The experiment's name, id or file.
    #[arg(value_name = "NAME|FILE")]
    experiment: String,
    /// The output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
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
    let report = report(&args.experiment, &args.target).await?;
    print(&formatted(&report, args.format)?)
}

/// The report of the experiment with this name or id, or in this file.
pub(crate) async fn report(experiment: &str, target: &TargetArgs) -> anyhow::Result<ExperimentReport> {
    // A file names the experiment that it describes, even if a later version has the same name.
    let key = match Path::new(experiment) {
        path if path.is_file() => read_experiment(path)?.id().to_string(),
        _ => experiment.to_owned(),
    };
    let target = target.open().await?;
    let report = match &target {
        Target::Remote(remote, token) => {
            match get((remote, token), &remote.path(&["experiments", &key])?).await {
                Err(error) if error.downcast_ref().is_some_and(Refusal::is_not_found) => {
                    Err(unknown(experiment, &get((remote, token), "overview").await?))
                }
                report => report,
            }
        }
        Target::Database(coordinator) => match coordinator.report(&key).await {
            Err(CoordinatorError::NotFound { .. }) => {
                Err(unknown(experiment, &coordinator.overview().await?))
            }
            report => report.map_err(Into::into),
        },
    };
    target.close().await;
    report
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
