//! One experiment: its state, its revisions, its timeline.

use crate::commands::print;
use crate::commands::target::TargetArgs;
use crate::commands::time::utc;
use crate::commands::unknown::or_names;
use coordinator::Coordinator;
use protocol::experiment::Experiment;
use protocol::life::{ExperimentHistory, Revision};
use protocol::operate::AuditEntry;
use protocol::words::{count, number};
use std::fmt::Write;

/// Prints the experiment, or what was applied as one of its revisions.
pub(super) async fn run(
    key: &str,
    revision: Option<u64>,
    json: bool,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    if let Some(number) = revision {
        let path = ["experiments", key, "revisions", &number.to_string()];
        let here = async |here: &Coordinator| here.revision(key, number).await;
        let applied: anyhow::Result<Experiment> = target.read(&path, &(), here).await;
        let applied = or_names(&target, key, applied).await?;
        target.close().await;
        return print(&(serde_json::to_string_pretty(&applied)? + "\n"));
    }
    let here = async |here: &Coordinator| here.history(key).await;
    let history: anyhow::Result<ExperimentHistory> =
        target.read(&["experiments", key, "history"], &(), here).await;
    let history = or_names(&target, key, history).await?;
    target.close().await;
    print(&if json { serde_json::to_string_pretty(&history)? + "\n" } else { text(&history)? })
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
        let who = who.as_deref().unwrap_or("-");
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
