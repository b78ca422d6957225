//! `gauntlet apply`: gives an experiment to a coordinator.

use super::baseline::names;
use super::files::read_experiments;
use super::target::{Target, TargetArgs, post, who};
use protocol::report::Applied;
use protocol::words::counted;
use std::path::PathBuf;

/// Gives experiment files to a coordinator.
///
/// Beside the coordinator's database no token is needed, and the coordinator need not run. From elsewhere a token with
/// the scope `experiment` is needed. Applying the same content again changes nothing. A file with a known name and other
/// content is the next revision of that experiment: new cells are added, cells that are gone are closed, and all others go
/// on; `gauntlet experiment diff FILE` shows this beforehand. The content of an older revision is refused without
/// --supersede. `gauntlet help experiment-file` describes the file.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet apply my-sweep.toml                   in the directory of `gauntlet serve`
  gauntlet apply small.toml large.toml
  gauntlet apply my-sweep.toml --database postgres://user@host/gauntlet
  GAUNTLET_TOKEN=… gauntlet apply my-sweep.toml --coordinator http://host:8437")]
pub(crate) struct ApplyArgs {
    /// The experiment files; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Go back to files that later revisions have replaced.
    #[arg(long)]
    supersede: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Applies the files and prints what changed. No file is applied unless all can be read.
pub(crate) async fn run(args: ApplyArgs) -> anyhow::Result<()> {
    let experiments = read_experiments(&args.files, async || names(&args.target).await).await?;
    let target = args.target.open().await?;
    for experiment in &experiments {
        let applied = match &target {
            Target::Database(coordinator) => {
                coordinator.apply_over(experiment, &who(), args.supersede).await?
            }
            Target::Remote(remote, token) => {
                let path = if args.supersede { "experiments?supersede=true" } else { "experiments" };
                post::<Applied>((remote, token), path, experiment).await?
            }
        };
        super::print(&format!("{}\n", describe(&experiment.name, &applied)))?;
        for remark in experiment.remarks() {
            eprintln!("note: {}: {remark}", experiment.name);
        }
    }
    target.close().await;
    Ok(())
}

/// What applying an experiment changed, in one line.
pub(crate) fn describe(name: &str, applied: &Applied) -> String {
    let state = match applied {
        Applied { created: true, .. } => "new".to_owned(),
        Applied { revised: false, .. } => "known already".to_owned(),
        Applied { revision, changes, .. } => format!("revision {revision}: {changes}"),
    };
    format!(
        "{name} ({state}): {}, {} of {} games done",
        counted(applied.cells, "cell"),
        applied.games_done,
        applied.games_planned
    )
}
