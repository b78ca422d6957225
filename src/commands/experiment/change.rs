//! Changes of an experiment beside its plan.

use super::Named;
use crate::commands::target::{Target, TargetArgs, get, post, who};
use crate::commands::unknown::or_names;
use crate::commands::{asked, print};
use anyhow::bail;
use protocol::life::{ExperimentChange, ExperimentHistory};
use protocol::report::{ExperimentState, ExperimentSummary};
use protocol::words::counted;
use std::io::IsTerminal;

/// Makes a change and prints what it means.
pub(super) async fn run(
    Named { experiment }: Named,
    change: ExperimentChange,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    let summary = or_names(&target, &experiment, make(&target, &experiment, &change).await).await;
    target.close().await;
    print(&format!("{}\n", described(&change, &summary?)))
}

/// Archives or stops an experiment. Asks first if games are missing.
pub(super) async fn end(
    Named { experiment }: Named,
    change: ExperimentChange,
    yes: bool,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    let now = or_names(&target, &experiment, look(&target, &experiment).await).await?;
    let missing = now.games_planned.saturating_sub(now.games_done);
    let is_stop = change == ExperimentChange::Stop;
    if !yes && missing > 0 && (now.state.is_under_way() || is_stop && now.state == ExperimentState::Paused) {
        let (verb, then) = if is_stop {
            ("stop", "that cannot be taken back")
        } else {
            ("archive", "lists will leave it out until `gauntlet experiment unarchive`")
        };
        let consequence = format!(
            "{} is {}: its {} missing will not be played, and {then}",
            now.name,
            if now.state.is_under_way() { "running" } else { "paused" },
            counted(missing, "game")
        );
        if !std::io::stdin().is_terminal() {
            target.close().await;
            bail!("{consequence}; --yes {verb}s it all the same");
        }
        if !asked(&consequence, &format!("{verb} it?"))? {
            target.close().await;
            return print("nothing is changed\n");
        }
    }
    let summary = or_names(&target, &experiment, make(&target, &experiment, &change).await).await;
    target.close().await;
    print(&format!("{}\n", described(&change, &summary?)))
}

async fn make(target: &Target, key: &str, change: &ExperimentChange) -> anyhow::Result<ExperimentSummary> {
    Ok(match target {
        Target::Database(coordinator) => coordinator.change_experiment(key, change.clone(), &who()).await?,
        Target::Remote(remote, token) => {
            post((remote, token), &remote.path(&["experiments", key, "change"])?, change).await?
        }
    })
}

async fn look(target: &Target, key: &str) -> anyhow::Result<ExperimentSummary> {
    Ok(match target {
        Target::Database(coordinator) => coordinator.summary(key).await?,
        Target::Remote(remote, token) => {
            let path = remote.path(&["experiments", key, "history"])?;
            get::<ExperimentHistory>((remote, token), &path).await?.summary
        }
    })
}

/// What a change means, in one line.
fn described(change: &ExperimentChange, summary: &ExperimentSummary) -> String {
    let ExperimentSummary { name, weight, pairs_in_flight, tags, .. } = summary;
    let in_play = match pairs_in_flight {
        0 => String::new(),
        pairs => format!("; {} in play still count", counted(*pairs, "pair")),
    };
    match change {
        ExperimentChange::Pause => {
            format!("{name} is paused{in_play}; `gauntlet experiment resume {name}` goes on")
        }
        ExperimentChange::Resume | ExperimentChange::Unarchive => format!("{name} is {}", summary.state),
        ExperimentChange::Stop if summary.state == ExperimentState::Finished => {
            format!("{name} is finished already")
        }
        ExperimentChange::Stop => format!("{name} is stopped{in_play}; its results stay"),
        ExperimentChange::Archive => {
            format!("{name} is archived{in_play}; `gauntlet experiment unarchive {name}` takes it out")
        }
        ExperimentChange::Weight(_) => format!("{name} has the weight {weight}"),
        ExperimentChange::Note(_) => format!("noted on the timeline of {name}"),
        ExperimentChange::Tags { .. } if tags.is_empty() => format!("{name} has no tags"),
        ExperimentChange::Tags { .. } => format!("{name} has the tags {}", tags.join(", ")),
    }
}
