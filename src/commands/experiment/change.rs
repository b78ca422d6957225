//! Changes of an experiment beside its plan.

use super::ExperimentsArgs;
use crate::commands::target::{Target, TargetArgs};
use crate::commands::unknown::or_names;
use crate::commands::{asked, print};
use anyhow::bail;
use protocol::endpoints::{ChangeExperiment, GetHistory};
use protocol::life::ExperimentChange;
use protocol::report::{ExperimentState, ExperimentSummary};
use protocol::words::{counted, operands};
use std::io::IsTerminal;

/// Makes a change and prints its effect.
pub(super) async fn run(
    several: ExperimentsArgs,
    change: ExperimentChange,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    let done = async { make_all(&target, &look_all(&target, &several).await?, &change).await }.await;
    target.close().await;
    done
}

/// Archives or stops experiments. Asks first if games are missing.
pub(super) async fn end(
    several: ExperimentsArgs,
    change: ExperimentChange,
    yes: bool,
    target: TargetArgs,
) -> anyhow::Result<()> {
    let target = target.open().await?;
    let done = async {
        let now = look_all(&target, &several).await?;
        let is_missed = |one: &&ExperimentSummary| {
            let waits = matches!(one.state, ExperimentState::Paused | ExperimentState::Archived);
            one.games_missing() > 0
                && (one.state.is_under_way() || (waits && change == ExperimentChange::Stop))
        };
        for one in now.iter().filter(is_missed).filter(|_| !yes) {
            let (verb, consequence) = consequence(one, &change);
            if !std::io::stdin().is_terminal() {
                bail!("{consequence}; --yes {verb}s it all the same");
            }
            if !asked(&consequence, &format!("{verb} it?"))? {
                return print("nothing is changed\n");
            }
        }
        make_all(&target, &now, &change).await
    }
    .await;
    target.close().await;
    done
}

/// A change of an experiment, and its effect.
fn consequence(one: &ExperimentSummary, change: &ExperimentChange) -> (&'static str, String) {
    let (verb, then) = if *change == ExperimentChange::Stop {
        ("stop", "that cannot be taken back")
    } else {
        ("archive", "lists will leave it out until `gauntlet experiment unarchive`")
    };
    let state = if one.state.is_under_way() { "running".to_owned() } else { one.state.to_string() };
    let games = counted(one.games_missing(), "game");
    (verb, format!("{} is {state}: its {games} missing will not be played, and {then}", one.name))
}

/// The experiments as they are. Where one is unknown, nothing is changed.
pub(super) async fn look_all(
    target: &Target,
    several: &ExperimentsArgs,
) -> anyhow::Result<Vec<ExperimentSummary>> {
    let mut all = Vec::new();
    for experiment in &several.experiments {
        all.push(or_names(target, experiment, look(target, experiment).await).await?);
    }
    Ok(all)
}

/// Changes them, and prints the effect of each change at once.
async fn make_all(
    target: &Target,
    all: &[ExperimentSummary],
    change: &ExperimentChange,
) -> anyhow::Result<()> {
    for one in all {
        make(target, one, change).await?;
    }
    Ok(())
}

/// Changes one, and prints the effect.
pub(super) async fn make(
    target: &Target,
    one: &ExperimentSummary,
    change: &ExperimentChange,
) -> anyhow::Result<()> {
    let summary = self::change(target, &one.id.to_string(), change).await?;
    print(&format!("{}\n", described(change, &summary)))
}

/// Makes a change.
pub async fn change(
    target: &Target,
    key: &str,
    change: &ExperimentChange,
) -> anyhow::Result<ExperimentSummary> {
    target.change(ChangeExperiment, key, change).await
}

async fn look(target: &Target, key: &str) -> anyhow::Result<ExperimentSummary> {
    Ok(target.read(GetHistory, key, &()).await?.summary)
}

/// The effect of a change, in one line.
pub(super) fn described(change: &ExperimentChange, summary: &ExperimentSummary) -> String {
    let ExperimentSummary { name, weight, pairs_in_flight, tags, .. } = summary;
    let in_play = match pairs_in_flight {
        0 => String::new(),
        pairs => format!("; {} in play still count", counted(*pairs, "pair")),
    };
    let word = operands(&[name]);
    match change {
        ExperimentChange::Pause => {
            format!("{name} is paused{in_play}; `gauntlet experiment resume {word}` goes on")
        }
        ExperimentChange::Resume | ExperimentChange::Unarchive => format!("{name} is {}", summary.state),
        // Stopping rules may have ended it with games missing. The archive hides whether it is stopped.
        ExperimentChange::Stop
            if summary.state != ExperimentState::Stopped
                && (summary.state != ExperimentState::Archived || summary.games_missing() == 0) =>
        {
            format!("{name} is finished already")
        }
        ExperimentChange::Stop => format!("{name} is stopped{in_play}; its results stay"),
        ExperimentChange::Archive => {
            format!("{name} is archived{in_play}; `gauntlet experiment unarchive {word}` takes it out")
        }
        ExperimentChange::Weight(_) => format!("{name} has the weight {weight}"),
        ExperimentChange::CellWeights { cells, factor } => {
            format!(
                "{} of {name}: {factor} times the weight of the file",
                counted(cells.len() as u64, "cell")
            )
        }
        ExperimentChange::Note(_) => format!("noted on the timeline of {name}"),
        ExperimentChange::Tags { .. } if tags.is_empty() => format!("{name} has no tags"),
        ExperimentChange::Tags { .. } => format!("{name} has the tags {}", tags.join(", ")),
    }
}
