//! The list of experiments.

use crate::commands::columns::aligned;
use crate::commands::print;
use crate::commands::target::TargetArgs;
use protocol::prefix::short;
use protocol::report::ExperimentSummary;
use protocol::words::{count, number};

const HEADINGS: [&str; 9] =
    ["id", "name", "state", "weight", "revision", "cells", "games", "confirms", "tags"];

/// Prints the list.
pub(super) async fn run(
    all: bool,
    tag: Option<String>,
    json: bool,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    let every = target.experiments(true).await;
    target.close().await;
    let mut experiments = every?;
    let archived = experiments.iter().filter(|experiment| is_hidden(experiment)).count();
    experiments.retain(|experiment| {
        (all || !is_hidden(experiment)) && tag.as_ref().is_none_or(|tag| experiment.tags.contains(tag))
    });
    if json {
        return print(&(serde_json::to_string_pretty(&experiments)? + "\n"));
    }
    if experiments.is_empty() {
        print("no experiment\n")?;
    } else {
        print(&table(&experiments))?;
    }
    if archived > 0 && !all {
        eprintln!("{archived} in the archive: --all lists them too");
    }
    Ok(())
}

/// Whether lists leave the experiment out.
fn is_hidden(experiment: &ExperimentSummary) -> bool {
    experiment.state == protocol::report::ExperimentState::Archived
}

fn table(experiments: &[ExperimentSummary]) -> String {
    let ids: Vec<_> = experiments.iter().map(|experiment| experiment.id.0).collect();
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    for (id, experiment) in short(&ids).into_iter().zip(experiments) {
        rows.push([
            id,
            experiment.name.clone(),
            experiment.state.to_string(),
            number(experiment.weight),
            experiment.revision.to_string(),
            experiment.cells.to_string(),
            match experiment.is_control {
                true => count(experiment.games_done),
                false => format!("{} of {}", count(experiment.games_done), count(experiment.games_planned)),
            },
            experiment.confirms.as_ref().map_or(String::new(), ToString::to_string),
            experiment.tags.join(", "),
        ]);
    }
    aligned(&rows, HEADINGS.len())
}
