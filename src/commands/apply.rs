//! `gauntlet apply`: gives an experiment to a coordinator that runs.

use super::read_experiment;
use super::remote::Remote;
use anyhow::Context;
use protocol::report::Applied;
use std::path::PathBuf;

/// Gives an experiment file to a running coordinator.
///
/// The same content is the same experiment, however often it is applied. A file of the same name with other
/// content takes the earlier one's place; its results stay.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  GAUNTLET_TOKEN=… gauntlet apply configs/quickstart.toml --coordinator http://host:8437")]
pub(crate) struct ApplyArgs {
    /// The experiment file.
    file: PathBuf,
    /// The coordinator's address.
    #[arg(long, env = "GAUNTLET_COORDINATOR", value_name = "URL")]
    coordinator: String,
    /// A token of that coordinator.
    #[arg(long, env = "GAUNTLET_TOKEN", value_name = "TOKEN", hide_env_values = true)]
    token: String,
}

/// Applies the file and says what came of it.
pub(crate) async fn run(args: ApplyArgs) -> anyhow::Result<()> {
    let experiment = read_experiment(&args.file)?;
    let answer = Remote::new(&args.coordinator)?.post("experiments", &args.token, &experiment).await?;
    let applied: Applied = answer.json().await.context("the coordinator's answer cannot be read")?;
    super::print(&format!("{}\n", describe(&experiment.name, &applied)))
}

/// What applying an experiment changed, in a line.
pub(crate) fn describe(name: &str, applied: &Applied) -> String {
    let state = if applied.created { "new" } else { "known already" };
    let superseded = match applied.superseded.len() {
        0 => String::new(),
        n => format!("; takes the place of {n} earlier version{}", if n == 1 { "" } else { "s" }),
    };
    format!(
        "{name} ({state}{superseded}): {} cells, {} of {} games done",
        applied.cells, applied.games_done, applied.games_planned
    )
}
