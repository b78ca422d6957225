//! One experiment: its state, its revisions, its timeline.

use crate::commands::print;
use crate::commands::target::{Target, TargetArgs};
use crate::commands::time::utc;
use crate::commands::unknown::or_names;
use anyhow::Context;
use protocol::endpoints::{GetHistory, GetRevision};
use protocol::experiment::Experiment;
use protocol::life::{ExperimentHistory, Revision};
use protocol::operate::AuditEntry;
use protocol::words::{count, number};
use std::fmt::Write;

/// What is shown of an experiment.
pub(super) enum ShownPart {
    /// Its state, its revisions and its timeline.
    History,
    /// What was applied as a revision.
    Revision(u64),
    /// The file of a revision, or of the latest.
    File(Option<u64>),
}

/// Prints the experiment, or a part of it.
pub(super) async fn run(key: &str, what: ShownPart, json: bool, target: TargetArgs) -> anyhow::Result<()> {
    let target = target.open().await?;
    let text = match what {
        ShownPart::Revision(number) => {
            serde_json::to_string_pretty(&revision(&target, key, number).await?)? + "\n"
        }
        ShownPart::File(asked) => {
            let number = match asked {
                Some(number) => number,
                None => {
                    let history = history(&target, key).await?;
                    history.revisions.iter().map(|one| one.number).max().context("it has no revision")?
                }
            };
            let applied = revision(&target, key, number).await?;
            applied.file.with_context(|| {
                format!("no file is kept of revision {number} of {key}: it was applied without one, or with a very long one")
            })?
        }
        ShownPart::History if json => serde_json::to_string_pretty(&history(&target, key).await?)? + "\n",
        ShownPart::History => text(&history(&target, key).await?)?,
    };
    target.close().await;
    print(&text)
}

/// What was applied as a revision.
async fn revision(target: &Target, key: &str, number: u64) -> anyhow::Result<Experiment> {
    or_names(target, key, target.read(GetRevision, (key.to_owned(), number), &()).await).await
}

async fn history(target: &Target, key: &str) -> anyhow::Result<ExperimentHistory> {
    or_names(target, key, target.read(GetHistory, key, &()).await).await
}

fn text(history: &ExperimentHistory) -> Result<String, std::fmt::Error> {
    let summary = &history.summary;
    let mut out = format!("{}: {}\n\n", summary.name, summary.question);
    let stalled = summary.stalled.as_ref().map_or(String::new(), |why| format!(": {why}"));
    writeln!(out, "id        {}", summary.id)?;
    writeln!(out, "state     {}{stalled}", summary.state)?;
    if let Some(confirms) = &summary.confirms {
        writeln!(out, "confirms  {confirms}")?;
    }
    writeln!(out, "weight    {}", number(summary.weight))?;
    writeln!(
        out,
        "games     {} of {} in {} cells",
        count(summary.games_done),
        count(summary.games_planned),
        count(summary.cells)
    )?;
    if !summary.tags.is_empty() {
        writeln!(out, "tags      {}", summary.tags.join(", "))?;
    }
    writeln!(out, "\nrevisions")?;
    for Revision { number, content, applied_ms, who } in &history.revisions {
        writeln!(out, "  {number:>4}  {}  {who}  {}", utc(*applied_ms), content.short())?;
    }
    writeln!(out, "\ntimeline")?;
    if history.changes.is_empty() {
        writeln!(out, "  nothing was changed yet")?;
    }
    for AuditEntry { at_ms, who, action, detail, .. } in &history.changes {
        writeln!(out, "  {}", format!("{}  {who}  {action}  {detail}", utc(*at_ms)).trim_end())?;
    }
    Ok(out)
}
