//! `gauntlet retry`: releases pairs that were set aside.

use super::print;
use super::target::TargetArgs;
use protocol::endpoints::RetryPairs;
use protocol::words::counted;

/// Releases pairs that were set aside, so that they are played.
///
/// A pair that fails five times is set aside, so that it does not block the experiment. A pair fails when its worker is lost
/// or ends, or when its games stall, are rejected or cannot be played. The experiment's page lists these pairs and why.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet retry quickstart")]
pub(crate) struct RetryArgs {
    /// The experiment's name or id.
    #[arg(value_name = "NAME")]
    experiment: String,
    #[command(flatten)]
    target: TargetArgs,
}

/// Releases the pairs.
pub(crate) async fn run(args: RetryArgs) -> anyhow::Result<()> {
    let RetryArgs { experiment, target } = args;
    let target = target.open().await?;
    let retried = target.change(RetryPairs, experiment.as_str(), &()).await?;
    target.close().await;
    print(&match retried.pairs {
        0 => format!("nothing of {experiment} is set aside\n"),
        pairs => format!("{} handed out again\n", counted(pairs, "pair")),
    })
}
