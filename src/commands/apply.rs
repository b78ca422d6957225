//! `gauntlet apply`: gives an experiment to a coordinator.

use super::read_experiment;
use super::target::{Target, TargetArgs, post, who};
use protocol::report::Applied;
use protocol::words::counted;
use std::path::PathBuf;

/// Gives an experiment file to a coordinator.
///
/// Beside the coordinator's database no token is needed, and the coordinator need not run. From elsewhere a token with
/// the scope `experiment` is needed. Applying the same content again changes nothing. A file with a known name and other
/// content takes the place of the earlier version, whose results stay. `gauntlet help experiment-file` describes the
/// file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet apply my-sweep.toml                   in the directory of `gauntlet serve`
  gauntlet apply my-sweep.toml --database postgres://user@host/gauntlet
  GAUNTLET_TOKEN=… gauntlet apply my-sweep.toml --coordinator http://host:8437")]
pub(crate) struct ApplyArgs {
    /// The experiment file; - is standard input.
    file: PathBuf,
    #[command(flatten)]
    target: TargetArgs,
}

/// Applies the file and prints what changed.
pub(crate) async fn run(args: ApplyArgs) -> anyhow::Result<()> {
    let experiment = read_experiment(&args.file)?;
    let target = args.target.open().await?;
    let applied = match &target {
        Target::Database(coordinator) => coordinator.apply_as(&experiment, &who()).await?,
        Target::Remote(remote, token) => post::<Applied>((remote, token), "experiments", &experiment).await?,
    };
    target.close().await;
    super::print(&format!("{}\n", describe(&experiment.name, &applied)))
}

/// What applying an experiment changed, in one line.
pub(crate) fn describe(name: &str, applied: &Applied) -> String {
    let state = if applied.created { "new" } else { "known already" };
    let superseded = match applied.superseded.len() as u64 {
        0 => String::new(),
        n => format!("; takes the place of {}", counted(n, "earlier version")),
    };
    format!(
        "{name} ({state}{superseded}): {}, {} of {} games done",
        counted(applied.cells, "cell"),
        applied.games_done,
        applied.games_planned
    )
}
