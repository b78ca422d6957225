//! The changes that applying a file would make.

use crate::commands::baseline::names;
use crate::commands::target::TargetArgs;
use crate::commands::{print, read_experiment};
use protocol::endpoints::DiffExperiment;
use protocol::life::{CaseDifference, CellChange, PlanDifference};
use protocol::words::{count, counted};
use std::fmt::Write;
use std::path::Path;

/// The most cases that are listed for each kind of change.
const LISTED: usize = 20;

/// Prints the difference.
pub(super) async fn run(file: &Path, json: bool, target: TargetArgs) -> anyhow::Result<()> {
    let experiment = read_experiment(file, async || names(&target).await).await?;
    let target = target.open().await?;
    let difference = target.change(DiffExperiment, (), &experiment).await?;
    target.close().await;
    print(&if json {
        serde_json::to_string_pretty(&difference)? + "\n"
    } else {
        text(&experiment.name, &difference)?
    })
}

fn text(name: &str, difference: &PlanDifference) -> Result<String, std::fmt::Error> {
    let mut out = match &difference.experiment {
        None => format!("{name} would be a new experiment\n"),
        Some(summary) if difference.is_newest => {
            return Ok(format!(
                "this is revision {} of {name}, the newest: nothing would change\n",
                summary.revision
            ));
        }
        Some(summary) => format!("{name} is at revision {}; this file would be the next\n", summary.revision),
    };
    if let Some(older) = &difference.older {
        writeln!(out, "this is {older}: `gauntlet apply` goes back to it with --supersede")?;
    }
    for setting in &difference.settings {
        writeln!(out, "{setting}")?;
    }
    for change in CellChange::ALL {
        let cases: Vec<&CaseDifference> =
            difference.cases.iter().filter(|case| case.change == change).collect();
        if cases.is_empty() {
            continue;
        }
        let sum = |of: fn(&CaseDifference) -> u64| cases.iter().map(|case| of(case)).sum::<u64>();
        let (cells, games, played) =
            (sum(|case| case.cells), sum(|case| case.games_planned), sum(|case| case.games_played));
        writeln!(
            out,
            "{change:<9} {}, {}, {} planned, {played} played",
            counted(cases.len() as u64, "case"),
            counted(cells, "cell"),
            counted(games, "game"),
        )?;
        if change == CellChange::Kept {
            continue;
        }
        for case in cases.iter().take(LISTED) {
            let CaseDifference { group, case, baseline, cells, games_planned, games_played, .. } = case;
            writeln!(
                out,
                "    {case} of {group} against {baseline}: {}, {} games, {} played",
                counted(*cells, "cell"),
                count(*games_planned),
                count(*games_played)
            )?;
        }
        let more = cases.len().saturating_sub(LISTED);
        if more > 0 {
            writeln!(out, "    and {}", counted(more as u64, "more case"))?;
        }
    }
    if difference.cells.closed > 0 {
        writeln!(out, "games of closed cells stay stored, and count again when the cell comes back")?;
    }
    Ok(out)
}
