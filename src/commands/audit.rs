//! `gauntlet audit`: who changed what.

use super::number::whole;
use super::print;
use super::target::TargetArgs;
use super::time::utc;
use protocol::endpoints::ListChanges;
use protocol::query::AuditQuery;
use protocol::query::LARGEST_PAGE;
use std::fmt::Write;

/// Lists who changed what, latest change first.
///
/// Every line has a number, the time in UTC, the name of the token or user, the action, its object, and details.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  gauntlet audit --limit 20
  gauntlet audit --before 1200                   continues a list")]
pub(crate) struct AuditArgs {
    /// The number of changes to list.
    #[arg(long, value_name = "N", default_value = "100", value_parser = whole(1..=LARGEST_PAGE))]
    limit: u32,
    /// List only changes with a number below this one. The first column shows the numbers; the last line of a list names the
    /// number with which the list continues.
    #[arg(long, value_name = "NUMBER", value_parser = whole(1..=9_007_199_254_740_992_i64))]
    before: Option<i64>,
    #[command(flatten)]
    target: TargetArgs,
}

/// Prints the list.
pub(crate) async fn run(args: AuditArgs) -> anyhow::Result<()> {
    let AuditArgs { limit, before, target } = args;
    let target = target.open().await?;
    let page = target.read(ListChanges, (), &AuditQuery { before, limit }).await?;
    target.close().await;
    let mut out = String::new();
    for entry in &page.entries {
        let (seq, at, who) = (entry.seq, utc(entry.at_ms), &entry.who);
        writeln!(out, "{seq:>6}  {at}  {who}  {}  {}  {}", entry.action, entry.what, entry.detail)?;
    }
    if let Some(next) = page.next {
        writeln!(out, "earlier changes: gauntlet audit --before {next}")?;
    }
    print(&out)
}
