//! The verdicts by the games of a database or a coordinator, as a table for people.

use crate::file::{self, CORRECT, DEFECT};
use crate::finding::{Decision, Finding, GamesToDecide, Outlook};
use crate::judge::JudgedClaim;
use crate::page::{counts, short};
use crate::pages::{PlayedFigure, Result, figures, reports, results};
use crate::steer::open_cells;
use gauntlet::commands::columns::aligned;
use gauntlet::commands::files::folder_of;
use gauntlet::commands::target::Target;
use indicatif::HumanCount;
use std::path::Path;

/// The table.
pub(crate) async fn verdicts(path: &Path, target: &Target) -> anyhow::Result<String> {
    let file = file::read(path)?;
    let assumptions = file.assumptions();
    let known = figures(&file, path, target).await?;
    let played = known.iter().filter(|one| one.games_done > 0);
    let reports = reports(target, played).await?;
    let report = |figure: &file::Figure| Ok(reports.get(&file.experiment(figure)).cloned());
    let results = results(&file, folder_of(path), assumptions, report)?;
    let headings = ["figure", CORRECT, DEFECT, "games"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(headings).chain(results.iter().map(row)).collect();
    let mut out = format!("{}\n{}\n", aligned(&rows, 3), counts(&results));
    for line in results.iter().flat_map(ended) {
        out += &format!("\n{line}\n");
    }
    Ok(out)
}

/// The undecided claims whose cells have all games of the plan, a sentence each.
fn ended(result: &Result<'_>) -> Vec<String> {
    let Some(played) = &result.played else { return Vec::new() };
    let open = open_cells(&played.report);
    let ended = |judged: &&JudgedClaim<'_>| {
        let is_undecided = matches!(judged.finding, Finding::Undecided(_));
        is_undecided && !judged.cells.is_empty() && judged.cells.iter().all(|cell| !open.contains_key(cell))
    };
    let mut sentences = Vec::new();
    for (name, program) in [CORRECT, DEFECT].into_iter().zip(result.programs()) {
        for judged in program.into_iter().flat_map(|program| &program.judgement.claims).filter(ended) {
            sentences.push(format!(
                "{}, {name}: all games of the plan are played, and this is undecided: {}. A larger `games_per_cell` in the experiment file allows more.",
                result.figure.title,
                judged.claim.words()
            ));
        }
    }
    sentences
}

fn row(result: &Result<'_>) -> [String; 4] {
    let [correct, defect] = result.programs().map(|program| words(program.map(|one| one.judgement.finding)));
    let games = result.played.as_ref().map_or(0, PlayedFigure::games_of_claims);
    [result.figure.title.clone(), correct, defect, HumanCount(games).to_string()]
}

/// A finding, or the games that it needs, in few words.
fn words(finding: Option<Finding>) -> String {
    match finding {
        Some(Finding::Undecided(Outlook::More(GamesToDecide { games, to }))) => {
            let leans = match to {
                Decision::Holds => "holding",
                Decision::Smaller => "smaller",
                Decision::Fails => "not holding",
            };
            format!("leans to {leans}, {} games", HumanCount(games))
        }
        Some(Finding::Undecided(Outlook::Opposite)) => "opposite effects on sizes".to_owned(),
        other => short(other).to_owned(),
    }
}
