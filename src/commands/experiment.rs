//! `gauntlet experiment`: the life of experiments.

mod change;
mod diff;
mod list;
mod show;
mod weight;

pub use change::change;

use super::cells::Cells;
use super::number::{real, whole};
use super::target::TargetArgs;
use std::path::PathBuf;

/// Lists experiments, shows their history, and changes them while they run.
///
/// An experiment is named by its name, by its id, or by the first digits of its id. `gauntlet apply FILE` makes or revises one.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ExperimentCommand {
    /// Lists experiments, newest first.
    List {
        /// Also list archived experiments.
        #[arg(long)]
        all: bool,
        /// Only experiments with this tag.
        #[arg(long, value_name = "TAG")]
        tag: Option<String>,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Shows an experiment, the revisions of its plan, and what people changed while it ran.
    Show {
        #[command(flatten)]
        experiment: ExperimentArgs,
        /// Print what was applied as this revision, as JSON.
        #[arg(long, value_name = "NUMBER", value_parser = whole(1..=1_000_000_000_u64))]
        revision: Option<u64>,
        /// Print the file that was applied, as it was: the one of --revision, or else the latest.
        #[arg(long, conflicts_with = "json")]
        file: bool,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Shows what applying a file would add, close and keep; changes nothing.
    #[command(after_help = "\
Example:
  gauntlet experiment diff my-sweep.toml")]
    Diff {
        /// The experiment file; - is standard input.
        file: PathBuf,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Hands out no more games of experiments until `resume`. Games in play still count.
    Pause {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Ends a pause.
    Resume {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Stops experiments for good: nothing more is handed out. Games in play still count, and their results stay.
    ///
    /// A stop has no way back: `pause` waits for `resume`. A new experiment of the same cells keeps their games.
    Stop {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        /// Do not ask, even if games are still missing.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Sets the share of the workers that each of some experiments gets, relative to other experiments; or the share of some of
    /// its cells, relative to its other cells.
    ///
    /// With --case, --against or --size, the weight is a factor on the weights that the file gives these cells. It needs the
    /// policy `coverage` or `error`: the others weigh cases by their results.
    ///
    /// The next revision of the plan sets the weight of its file, and those of the cells that it changes; with
    /// another policy, those of all cells.
    #[command(after_help = "\
Examples:
  gauntlet experiment weight my-sweep 3          three times the work of an experiment of weight 1
  gauntlet experiment weight one another 0.5     half of that work each
  gauntlet experiment weight my-sweep 0.1 --case rave_k=100     a tenth of this case's pairs
  gauntlet experiment weight my-sweep 4 --against uct --size 7 --size 8")]
    Weight {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        /// The weight, from 1e-9 to 1e9.
        #[arg(value_parser = real(1e-9..=1e9))]
        weight: f64,
        #[command(flatten)]
        cells: Cells,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Hands out no more games of experiments, and takes them out of the lists. Their results stay.
    Archive {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        /// Do not ask, even if games are still missing.
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Takes experiments out of the archive; what is missing is played.
    Unarchive {
        #[command(flatten)]
        experiments: ExperimentsArgs,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Puts a note on the timeline of an experiment.
    #[command(after_help = "\
Example:
  gauntlet experiment note my-sweep \"node7 was replaced\"")]
    Note {
        #[command(flatten)]
        experiment: ExperimentArgs,
        /// The note.
        text: String,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Adds tags to an experiment, or removes them.
    #[command(after_help = "\
Examples:
  gauntlet experiment tag my-sweep thesis chapter-4
  gauntlet experiment tag my-sweep --remove chapter-4")]
    Tag {
        #[command(flatten)]
        experiment: ExperimentArgs,
        /// Tags to add.
        #[arg(value_name = "TAG", required_unless_present = "remove")]
        tags: Vec<String>,
        /// A tag to remove; may be repeated.
        #[arg(long, value_name = "TAG")]
        remove: Vec<String>,
        #[command(flatten)]
        target: TargetArgs,
    },
}

/// An experiment.
#[derive(Debug, clap::Args)]
pub(crate) struct ExperimentArgs {
    /// The experiment's name, its id, or the first digits of its id.
    #[arg(value_name = "NAME|ID")]
    experiment: String,
}

/// One or several experiments.
#[derive(Debug, clap::Args)]
pub(crate) struct ExperimentsArgs {
    /// Their names, their ids, or the first digits of their ids.
    #[arg(value_name = "NAME|ID", required = true)]
    experiments: Vec<String>,
}

impl From<ExperimentArgs> for ExperimentsArgs {
    fn from(one: ExperimentArgs) -> Self {
        Self { experiments: vec![one.experiment] }
    }
}

pub(crate) async fn run(command: ExperimentCommand) -> anyhow::Result<()> {
    use protocol::life::ExperimentChange as Change;
    match command {
        ExperimentCommand::List { all, tag, json, target } => list::run(all, tag, json, target).await,
        ExperimentCommand::Show { experiment, revision, file, json, target } => {
            let what = match (revision, file) {
                (revision, true) => show::ShownPart::File(revision),
                (Some(revision), false) => show::ShownPart::Revision(revision),
                (None, false) => show::ShownPart::History,
            };
            show::run(&experiment.experiment, what, json, target).await
        }
        ExperimentCommand::Diff { file, json, target } => diff::run(&file, json, target).await,
        ExperimentCommand::Pause { experiments, target } => {
            change::run(experiments, Change::Pause, target).await
        }
        ExperimentCommand::Resume { experiments, target } => {
            change::run(experiments, Change::Resume, target).await
        }
        ExperimentCommand::Weight { experiments, weight, cells, target } => {
            weight::run(experiments, weight, cells, target).await
        }
        ExperimentCommand::Archive { experiments, yes, target } => {
            change::end(experiments, Change::Archive, yes, target).await
        }
        ExperimentCommand::Stop { experiments, yes, target } => {
            change::end(experiments, Change::Stop, yes, target).await
        }
        ExperimentCommand::Unarchive { experiments, target } => {
            change::run(experiments, Change::Unarchive, target).await
        }
        ExperimentCommand::Note { experiment, text, target } => {
            change::run(experiment.into(), Change::Note(text), target).await
        }
        ExperimentCommand::Tag { experiment, tags: add, remove, target } => {
            change::run(experiment.into(), Change::Tags { add, remove }, target).await
        }
    }
}
