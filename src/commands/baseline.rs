//! `gauntlet baseline`: named baselines and where they come from.

use super::columns::{aligned, percent};
use super::confirm::confirmation_text;
use super::database::DatabaseArgs;
use super::print;
use super::target::{Target, TargetArgs};
use super::time::utc;
use protocol::baseline::{BaselineLineage, NamedBaseline};
use protocol::endpoints::{GetBaseline, ListBaselines};
use protocol::experiment::Baselines;
use protocol::prefix::short;
use std::fmt::Write;

/// Lists the cases that were promoted, and shows where each comes from.
///
/// `gauntlet promote` makes a baseline. An experiment file uses it with `baseline = "NAME"` in place of `preset`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum BaselineCommand {
    /// Lists named baselines, the oldest first.
    List {
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Shows the parameters of a baseline, its confirmation, and its ancestors.
    #[command(after_help = "\
Example:
  gauntlet baseline show best-2026-08
  gauntlet baseline show 8b2f3c1e")]
    Show {
        /// The name, or the id of the player or its first digits.
        #[arg(value_name = "NAME|PLAYER")]
        name: String,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
}

pub(crate) async fn run(command: BaselineCommand) -> anyhow::Result<()> {
    match command {
        BaselineCommand::List { json, target } => {
            let target = target.open().await?;
            let all = baselines(&target).await;
            target.close().await;
            let all = all?;
            if json {
                return print(&(serde_json::to_string_pretty(&all)? + "\n"));
            }
            print(&if all.is_empty() { "no baseline was promoted\n".to_owned() } else { table(&all) })
        }
        BaselineCommand::Show { name, json, target } => {
            let target = target.open().await?;
            let lineage = target.read(GetBaseline, name, &()).await;
            target.close().await;
            let lineage = lineage?;
            print(&if json { serde_json::to_string_pretty(&lineage)? + "\n" } else { text(&lineage)? })
        }
    }
}

/// Every named baseline.
async fn baselines(target: &Target) -> anyhow::Result<Vec<NamedBaseline>> {
    target.read(ListBaselines, (), &()).await
}

/// The parameters of the named baselines, for experiment files.
pub(super) async fn names(target: &TargetArgs) -> anyhow::Result<Baselines> {
    names_of(target.open().await?).await
}

/// As [`names`], of a database that a command is about to open.
pub(super) async fn names_in(database: &DatabaseArgs) -> anyhow::Result<Baselines> {
    names_of(Target::of_database(database.open_existing().await?)).await
}

async fn names_of(target: Target) -> anyhow::Result<Baselines> {
    let all = baselines(&target).await;
    target.close().await;
    Ok(all?.into_iter().map(|one| (one.name, one.params)).collect())
}

/// Whether a baseline was confirmed when it was promoted, in a few words.
fn verdict(baseline: &NamedBaseline) -> String {
    match &baseline.confirmation {
        None => "unconfirmed".to_owned(),
        Some(confirmation) if confirmation.untested.is_empty() => confirmation.verdict.to_string(),
        Some(confirmation) => format!("{} in part", confirmation.verdict),
    }
}

fn table(all: &[NamedBaseline]) -> String {
    let headings = ["name", "player", "case", "of", "against", "verdict", "promoted", "who"];
    let mut rows = vec![headings.map(str::to_owned)];
    let players = short(&all.iter().map(|one| one.player.0).collect::<Vec<_>>());
    for (player, one) in players.into_iter().zip(all) {
        rows.push([
            one.name.clone(),
            player,
            one.case.clone(),
            one.origin_name.clone(),
            parent(one),
            verdict(one),
            utc(one.promoted_ms),
            one.who.clone(),
        ]);
    }
    aligned(&rows, headings.len())
}

/// The player that a baseline was measured against.
fn parent(one: &NamedBaseline) -> String {
    match (&one.parent, &one.preset) {
        (Some(parent), _) => parent.clone(),
        (None, Some(preset)) => format!("{preset} (preset)"),
        (None, None) => one.against.clone(),
    }
}

fn text(lineage: &BaselineLineage) -> Result<String, std::fmt::Error> {
    let one = &lineage.baseline;
    let mut out =
        format!("{}: {} of {}, revision {}\n\n", one.name, one.case, one.origin_name, one.origin_revision);
    writeln!(out, "player      {}", one.player)?;
    let settings: Vec<String> = one.params.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let settings = if settings.is_empty() { "the engine's defaults".to_owned() } else { settings.join(", ") };
    writeln!(out, "parameters  {settings}")?;
    writeln!(out, "promoted    {} by {}", utc(one.promoted_ms), one.who)?;
    writeln!(out, "in a file   baseline = {:?}", one.name)?;
    match &one.confirmation {
        None => writeln!(out, "\nnot confirmed when it was promoted")?,
        Some(confirmation) => {
            write!(out, "\n{}", confirmation_text(confirmation)?)?;
            if !confirmation.untested.is_empty() {
                writeln!(out, "  not tested {}", confirmation.untested())?;
            }
        }
    }
    writeln!(out, "\nlineage")?;
    let line: Vec<&NamedBaseline> = lineage.ancestors.iter().rev().chain([one]).collect();
    writeln!(out, "  {}", parent(line[0]))?;
    for (depth, one) in line.iter().enumerate() {
        let indent = "   ".repeat(depth);
        writeln!(out, "  {indent}└─ {}: {} of {}, {}", one.name, one.case, one.origin_name, gain(one))?;
    }
    let indent = "   ".repeat(line.len());
    for child in &lineage.children {
        writeln!(out, "  {indent}└─ {child}")?;
    }
    Ok(out)
}

/// The verdict with the win rates that the confirmation found.
fn gain(one: &NamedBaseline) -> String {
    let cells = one.confirmation.iter().flat_map(|confirmation| &confirmation.cells);
    let rates: Vec<String> =
        cells.map(|cell| format!("{} on size {}", percent(cell.rate), cell.size)).collect();
    let verdict = verdict(one);
    if rates.is_empty() { verdict } else { format!("{verdict}: {}", rates.join(", ")) }
}
