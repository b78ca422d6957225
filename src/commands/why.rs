//! `gauntlet why`: the scheduler's reasons.

use super::claim::Server;
use super::print;
use super::target::TargetArgs;
use protocol::endpoints::Explain;
use std::fmt::Write;

/// Explains why a worker is idle, a cell is not played, or an experiment does not progress.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet why node7
  gauntlet why quickstart
  gauntlet why 6f1c…                             a cell, by its id in the results")]
pub(crate) struct WhyArgs {
    /// A worker's name or id, an experiment's name or id, or a cell's id.
    #[arg(value_name = "NAME|ID")]
    of: String,
    /// Print JSON, as in the API.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the reasons.
pub(crate) async fn run(args: WhyArgs) -> anyhow::Result<()> {
    let target = args.target.open().await?;
    let why = target.read(Explain, args.of, &()).await?;
    target.close().await;
    Server::of(&args.target).note();
    if args.json {
        return print(&(serde_json::to_string_pretty(&why)? + "\n"));
    }
    let mut out = format!("{} {}:\n", why.kind, why.name);
    for reason in &why.reasons {
        writeln!(out, "  {reason}")?;
    }
    print(&out)
}
