//! `gauntlet promote`: makes a case a named baseline.

use super::print;
use super::target::TargetArgs;
use super::unknown::or_names;
use protocol::baseline::{PromoteRequest, Promoted};
use protocol::endpoints::PromoteCase;

/// Makes a case a named baseline, for experiment files.
///
/// The database keeps where the baseline comes from: experiment and revision, the baseline that it was measured against, its
/// confirmation with all numbers, who promoted it and when. A name means one player for good. A case that is not confirmed is
/// refused without --unconfirmed. In an experiment file, `baseline = "NAME"` of a baseline, a player or a test is this player.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  gauntlet promote my-sweep rave_k=100 --as best-2026-08
  gauntlet promote my-sweep rave_k=100 --as guess --unconfirmed
  gauntlet baseline show best-2026-08                    its parameters and its ancestors")]
pub(crate) struct PromoteArgs {
    /// The experiment's name, its id, or the first digits of its id.
    experiment: String,
    /// The case, as for `gauntlet confirm`.
    case: String,
    /// The baseline, if the case meets several.
    #[arg(long, value_name = "BASELINE")]
    against: Option<String>,
    /// The name of the new baseline [default: the name of the case].
    #[arg(long = "as", value_name = "NAME")]
    name: Option<String>,
    /// Promote the case though it is not confirmed. The lineage says so.
    #[arg(long)]
    unconfirmed: bool,
    /// Print JSON, as in the API.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    target: TargetArgs,
}

/// Promotes the case.
pub(crate) async fn run(args: PromoteArgs) -> anyhow::Result<()> {
    let PromoteArgs { experiment, case, against, name, unconfirmed, json, target } = args;
    let request = PromoteRequest { case, against, name, unconfirmed };
    let target = target.open().await?;
    let promoted = target.change(PromoteCase, experiment.as_str(), &request).await;
    let promoted = or_names(&target, &experiment, promoted).await?;
    target.close().await;
    if json {
        return print(&(serde_json::to_string_pretty(&promoted)? + "\n"));
    }
    let Promoted { is_new, baseline } = promoted;
    let state = if is_new { "is a baseline now" } else { "is a baseline already" };
    print(&format!(
        "{0} {state}: {1} of {2}; in an experiment file: baseline = {0:?}\n",
        baseline.name, baseline.case, baseline.origin_name
    ))
}
