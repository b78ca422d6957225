//! `gauntlet apply`: gives an experiment to a coordinator.

use super::asked;
use super::baseline::names;
use super::claim::Server;
use super::files::read_experiments;
use super::target::{Refusal, Target, TargetArgs};
use protocol::endpoints::ApplyExperiment;
use protocol::experiment::Experiment;
use protocol::query::ApplyQuery;
use protocol::report::Applied;
use protocol::words::{count, counted};
use std::io::IsTerminal;
use std::path::PathBuf;

/// Gives experiment files to a coordinator.
///
/// Beside the coordinator's database no token is needed, and the coordinator need not run. From elsewhere a token with
/// the scope `experiment` is needed. Applying the same content again changes nothing. A file with a known name and other
/// content is the next revision of that experiment: new cells are added, cells that are gone are closed, and all others go
/// on; `gauntlet experiment diff FILE` shows this beforehand. The content of an older revision is applied with --supersede, or
/// when you say so on the terminal. `gauntlet help experiment-file` describes the file.
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
    /// Go back to files that later revisions have replaced, without asking.
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
        let applied = match apply(&target, experiment, args.supersede).await {
            Err(error) if is_of_older_revision(&error) && std::io::stdin().is_terminal() => {
                if !asked(&error.to_string(), &format!("go back to this revision of {}?", experiment.name))? {
                    eprintln!("{} is left as it is", experiment.name);
                    continue;
                }
                apply(&target, experiment, true).await?
            }
            applied => applied?,
        };
        super::print(&format!("{}\n", describe(&experiment.name, &applied)))?;
        for remark in experiment.remarks() {
            eprintln!("note: {}: {remark}", experiment.name);
        }
    }
    target.close().await;
    if let Server::OwnFiles(by) = Server::of(&args.target) {
        eprintln!(
            "note: this database is served by {by}; to add an experiment, start it again with all files, or use `gauntlet \
             serve`"
        );
    }
    Ok(())
}

async fn apply(target: &Target, experiment: &Experiment, supersede: bool) -> anyhow::Result<Applied> {
    target.call(ApplyExperiment, (), &ApplyQuery { supersede }, experiment).await
}

/// Whether an error says that a later revision has replaced the content.
fn is_of_older_revision(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(Refusal::is_of_older_revision)
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
        count(applied.games_done),
        count(applied.games_planned)
    )
}
