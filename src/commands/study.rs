//! `gauntlet study`: how the studies of other programs stand.

use super::columns::aligned;
use super::print;
use super::target::{Target, TargetArgs};
use super::time::utc;
use super::tune::{past, setting, with_interval};
use protocol::endpoints::{GetStudy, ListStudies};
use protocol::prefix::short;
use protocol::study::{StudyStatus, StudySummary};
use protocol::tune::PastRecommendation;
use protocol::words::counted;
use std::fmt::Write;

/// Shows the studies of other programs, which ask for points over HTTP and tell results.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum StudyCommand {
    /// Lists the studies, the newest first.
    #[command(after_help = "\
Example:
  gauntlet study list")]
    List {
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
    /// Shows what a study recommends, and the response along each parameter.
    #[command(after_help = "\
Examples:
  gauntlet study show my-program
  gauntlet study show my-program --json | jq .recommendations[0].point")]
    Show {
        /// The study's name, its id, or the first digits of its id.
        study: String,
        /// Print JSON, as in the API.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        target: TargetArgs,
    },
}

pub(crate) async fn run(command: StudyCommand) -> anyhow::Result<()> {
    match command {
        StudyCommand::List { json, target } => {
            let target = target.open().await?;
            let studies = target.read(ListStudies, (), &()).await;
            target.close().await;
            let studies = studies?;
            match (json, &studies[..]) {
                (true, _) => print(&(serde_json::to_string_pretty(&studies)? + "\n")),
                (false, []) => print("no study\n"),
                (false, _) => print(&table(&studies)),
            }
        }
        StudyCommand::Show { study, json, target } => {
            let target = target.open().await?;
            let status = status(&target, &study).await;
            target.close().await;
            let status = status?;
            print(&if json { serde_json::to_string_pretty(&status)? + "\n" } else { text(&status)? })
        }
    }
}

async fn status(target: &Target, key: &str) -> anyhow::Result<StudyStatus> {
    target.read(GetStudy, key, &()).await
}

/// The state of a study, in a word.
fn state(study: &StudySummary) -> &'static str {
    match study {
        StudySummary { archived: true, .. } => "archived",
        study if study.games_left == 0 && waiting(study) == 0 => "finished",
        _ => "active",
    }
}

/// The points without a result.
fn waiting(study: &StudySummary) -> u64 {
    study.asked - study.told - study.failed
}

fn table(studies: &[StudySummary]) -> String {
    let ids: Vec<_> = studies.iter().map(|study| study.id.0).collect();
    let headings = ["id", "name", "state", "strategy", "parameters", "games told", "waiting", "begun"];
    let mut rows = vec![headings.map(str::to_owned)];
    rows.extend(short(&ids).into_iter().zip(studies).map(|(id, one)| {
        let parameters = one.study.parameters.parameters().len().to_string();
        let games = format!("{} of {}", one.games_told, one.study.games);
        let [state, strategy] = [state(one).to_owned(), one.study.strategy.to_string()];
        let waiting = waiting(one).to_string();
        [id, one.name.clone(), state, strategy, parameters, games, waiting, utc(one.created_ms)]
    }));
    aligned(&rows, headings.len())
}

/// The status for people.
fn text(status: &StudyStatus) -> Result<String, std::fmt::Error> {
    let StudySummary { name, study, games_told, games_left, given_up, .. } = &status.summary;
    let mut out = format!("{name} ({}): strategy {}\n", state(&status.summary), study.strategy);
    write!(out, "{games_told} of {} games told, {games_left} left", study.games)?;
    write!(out, ", {} without a result", counted(waiting(&status.summary), "point"))?;
    if *given_up > 0 {
        write!(out, "; {} given up, which results chose that were taken back", counted(*given_up, "point"))?;
    }
    out.push('\n');
    for ((found, words), concentration) in
        status.recommendations.iter().zip(&status.words).zip(&status.concentrations)
    {
        let on = found.size.map_or(String::new(), |size| format!(" on size {size}"));
        let expected = found.overall.map_or(String::new(), |rate| {
            format!(" The model expects {} against the baseline.", with_interval(rate))
        });
        write!(out, "\nRecommended{on}: {words}{expected}\n\n{}", setting(found, concentration)?)?;
        let course: Vec<&PastRecommendation> =
            status.course.iter().filter(|one| one.size == found.size).collect();
        if !course.is_empty() {
            write!(out, "\n{}", past(&course))?;
        }
    }
    Ok(out)
}
