//! `gauntlet fleet`: telling machines what to do.

use super::print;
use super::target::{Target, TargetArgs, post, who};
use protocol::operate::{Directed, DirectiveRequest, Machines};
use protocol::sync::Directive;

/// Tells machines to pause, to go on, or to leave.
///
/// They finish the games in hand first. A pause holds until `resume`, whatever happens to the machine; to drain ends the
/// worker that runs now, and one that is started later works again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet fleet pause node7
  gauntlet fleet drain --label slurm
  gauntlet fleet resume --all")]
pub(crate) struct FleetArgs {
    /// What they are to do.
    #[arg(value_enum)]
    order: Order,
    /// The machine's name or id.
    #[arg(value_name = "NAME", required_unless_present_any = ["label", "all"], conflicts_with_all = ["label", "all"])]
    machine: Option<String>,
    /// Every machine with this label.
    #[arg(long, value_name = "LABEL", conflicts_with = "all")]
    label: Option<String>,
    /// Every machine.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Finish the games in hand and wait.
    Pause,
    /// Go on.
    Resume,
    /// Finish the games in hand and end.
    Drain,
}

/// Tells them.
pub(crate) async fn run(args: FleetArgs) -> anyhow::Result<()> {
    let machines = match (args.machine, args.label) {
        (Some(name), _) => Machines::Named(name),
        (None, Some(label)) => Machines::Label(label),
        (None, None) => Machines::All,
    };
    let directive = match args.order {
        Order::Pause => Directive::Pause,
        Order::Resume => Directive::Work,
        Order::Drain => Directive::Drain,
    };
    let request = DirectiveRequest { machines, directive };
    let target = args.target.open().await?;
    let told = match &target {
        Target::Database(coordinator) => coordinator.direct(request, &who()).await?,
        Target::Remote(remote, token) => {
            post::<Directed>((remote, token), "workers/directive", &request).await?
        }
    };
    target.close().await;
    let machines = told.machines;
    print(&format!("{machines} machine{} told to {directive}\n", if machines == 1 { "" } else { "s" }))
}
