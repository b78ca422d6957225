//! The verdicts by the games of a database or a coordinator, as a table for people.

use super::file::{self, CORRECT, DEFECT};
use super::judge::{Finding, More};
use super::page::{counts, short};
use super::{Assumptions, Played, Result, figures, reports, results};
use crate::commands::columns::aligned;
use crate::commands::files::folder_of;
use crate::commands::target::Target;
use indicatif::HumanCount;
use std::path::Path;

/// The table.
pub(in super::super) async fn verdicts(
    path: &Path,
    assumptions: Assumptions,
    target: &Target,
) -> anyhow::Result<String> {
    let file = file::read(path)?;
    let assumptions = file.assumptions(assumptions);
    let known = figures(&file, path, target).await?;
    let played = known.iter().filter(|one| one.games_done > 0);
    let reports = reports(target, played).await?;
    let report = |figure: &file::Figure| Ok(reports.get(&file.experiment(figure)).cloned());
    let results = results(&file, folder_of(path), assumptions, report)?;
    let headings = ["figure", CORRECT, DEFECT, "games"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(headings).chain(results.iter().map(row)).collect();
    Ok(format!("{}\n{}\n", aligned(&rows, 3), counts(&results)))
}

fn row(result: &Result<'_>) -> [String; 4] {
    let [correct, defect] = result.programs().map(|program| words(program.map(|one| one.judgement.finding)));
    let games = result.played.as_ref().map_or(0, Played::games_of_claims);
    [result.figure.title.clone(), correct, defect, HumanCount(games).to_string()]
}

/// A finding, or the games that it needs, in few words.
fn words(finding: Option<Finding>) -> String {
    match finding {
        Some(Finding::Undecided { more: Some(More { games, holds }) }) => {
            let leans = if holds { "holding" } else { "not holding" };
            format!("leans to {leans}, {} games", HumanCount(games))
        }
        other => short(other).to_owned(),
    }
}
