//! `gauntlet fleet`: pauses, resumes, drains, quarantines and releases machines.

use super::print;
use super::target::{Target, TargetArgs};
use anyhow::ensure;
use protocol::endpoints::{DirectWorkers, QuarantineWorkers};
use protocol::operate::{Directed, DirectiveRequest, Machines, QuarantineRequest};
use protocol::sync::Directive;
use protocol::words::counted;

/// Pauses, resumes, drains, quarantines and releases machines.
///
/// A machine finishes its games first. `pause` holds until `resume`, also when the machine restarts. `drain` ends the worker
/// that runs now; a worker that is started later works again. A machine in quarantine gets no work, and its games count
/// only after `release`. A machine is also quarantined when two other machines play its games differently.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet fleet pause node7
  gauntlet fleet drain --label slurm
  gauntlet fleet resume --all
  gauntlet fleet quarantine node7 --why \"its memory fails\"
  gauntlet fleet release node7")]
pub(crate) struct FleetArgs {
    /// What the machines are to do.
    #[arg(value_enum)]
    order: Order,
    /// The machine's name or id, as `gauntlet status` and `gauntlet why` show it.
    #[arg(value_name = "NAME", required_unless_present_any = ["label", "all"], conflicts_with_all = ["label", "all"])]
    machine: Option<String>,
    /// Every machine with this label.
    #[arg(long, value_name = "LABEL", conflicts_with = "all")]
    label: Option<String>,
    /// Every machine.
    #[arg(long)]
    all: bool,
    /// The reason for the quarantine.
    #[arg(long, value_name = "REASON", required_if_eq("order", "quarantine"))]
    why: Option<String>,
    #[command(flatten)]
    target: TargetArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Order {
    /// Finish the games under way, then wait until told to resume.
    Pause,
    /// Work again, after a pause or a drain.
    Resume,
    /// Finish the games under way, then end the worker.
    Drain,
    /// Give no more work to the machine and all others with its token; their games are stored but do not count.
    Quarantine,
    /// End the quarantine of the machine and all others with its token; their games count unless played again meanwhile.
    Release,
}

/// Runs the command.
pub(crate) async fn run(args: FleetArgs) -> anyhow::Result<()> {
    ensure!(
        args.why.is_none() || matches!(args.order, Order::Quarantine),
        "--why is the reason of a quarantine, and no other order has one"
    );
    let machines = match (args.machine, args.label) {
        (Some(name), _) => Machines::Named(name),
        (None, Some(label)) => Machines::Label(label),
        (None, None) => Machines::All,
    };
    let target = args.target.open().await?;
    let (told, order) = match args.order {
        Order::Pause => (direct(&target, machines, Directive::Pause).await?, "told to pause"),
        Order::Resume => (direct(&target, machines, Directive::Work).await?, "told to go on"),
        Order::Drain => (direct(&target, machines, Directive::Drain).await?, "told to finish and leave"),
        Order::Quarantine => (quarantine(&target, machines, args.why).await?, "put in quarantine"),
        Order::Release => (quarantine(&target, machines, None).await?, "released"),
    };
    target.close().await;
    print(&format!("{} {order}\n", counted(told.machines, "machine")))?;
    if let (Order::Quarantine, 1..) = (args.order, told.machines) {
        print(
            "earlier games stay counted; `gauntlet game exclude --worker NAME --why REASON` takes those of a machine out\n",
        )?;
    }
    Ok(())
}

async fn direct(target: &Target, machines: Machines, directive: Directive) -> anyhow::Result<Directed> {
    let request = DirectiveRequest { machines, directive };
    target.change(DirectWorkers, (), &request).await
}

async fn quarantine(target: &Target, machines: Machines, why: Option<String>) -> anyhow::Result<Directed> {
    let request = QuarantineRequest { machines, why };
    target.change(QuarantineWorkers, (), &request).await
}
