//! The answer to the name of an experiment that does not exist, or was left out.

use super::target::{Refusal, Target};
use anyhow::anyhow;
use engine::spelling::closest;
use protocol::report::{ExperimentState, ExperimentSummary};
use std::path::Path;

/// The most experiments that an error lists.
const LISTED: usize = 12;

/// Whether an error says that something does not exist.
pub(super) fn is_unknown(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(Refusal::is_not_found)
}

/// The result, or an error for an unknown experiment that lists the existing ones.
pub(crate) async fn or_names<T>(target: &Target, asked: &str, found: anyhow::Result<T>) -> anyhow::Result<T> {
    match found {
        Err(error) if is_unknown(&error) => Err(unknown(asked, &target.experiments(true).await?)),
        found => found,
    }
}

/// The experiment that was asked for, or the only one outside the archive, whose control does not count.
pub(super) async fn or_only(target: &Target, asked: Option<&str>) -> anyhow::Result<String> {
    if let Some(asked) = asked {
        return Ok(asked.to_owned());
    }
    let mut experiments = target.experiments(true).await?;
    experiments.retain(|experiment| experiment.state != ExperimentState::Archived && !experiment.is_control);
    match experiments.as_slice() {
        [] => Err(anyhow!("there are no experiments yet")),
        [only] => Ok(only.id.to_string()),
        several => Err(anyhow!("name an experiment; there are: {}", listed(&names(several)))),
    }
}

/// The names, newest first, each once.
fn names(experiments: &[ExperimentSummary]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for experiment in experiments {
        if !names.contains(&experiment.name.as_str()) {
            names.push(&experiment.name);
        }
    }
    names
}

/// The first names, and how many others there are.
fn listed(names: &[&str]) -> String {
    match names.len().checked_sub(LISTED) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{}, and {more} more", names[..LISTED].join(", ")),
    }
}

/// The error for an unknown experiment; it names the one that was probably meant, or lists all, newest first.
fn unknown(asked: &str, experiments: &[ExperimentSummary]) -> anyhow::Error {
    let names = names(experiments);
    let missing = if Path::new(asked).is_file() {
        format!("the experiment in {asked} was never applied here")
    } else {
        format!("no experiment is called `{asked}`")
    };
    if let Some(name) = closest(asked, names.iter().copied()) {
        return anyhow!("{missing}; did you mean `{name}`?");
    }
    match names.as_slice() {
        [] => anyhow!("{missing}: there are no experiments yet"),
        names => anyhow!("{missing}; there are: {}", listed(names)),
    }
}
