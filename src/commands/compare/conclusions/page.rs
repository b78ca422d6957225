//! The pages, in Markdown.

use super::file::{ByTime, File};
use super::{Agreement, Finding, Judged, Judgement, PointReport, Result, Variant, verdict};
use crate::commands::compare::report::Comparison;
use crate::commands::compare::table;
use protocol::words::counted;
use std::path::Path;

/// The table of all conclusions, and the method.
pub(super) fn front(file: &File, results: &[Result<'_>], effects: &[&ByTime]) -> String {
    let games: u64 = results.iter().filter_map(|result| Some(result.comparison.as_ref()?.games_done)).sum();
    let mut out = format!(
        "# {}: what still holds\n\nEach conclusion is judged by {} of this program, with a correct RAVE and with the defect of the \
         published program.\n\n| figure | conclusion | verdict | games |\n| --- | --- | --- | ---: |\n",
        file.publication,
        counted(games, "game")
    );
    for result in results {
        let figure = result.figure;
        let (title, games) = match &result.comparison {
            Some(comparison) => (format!("[{}]({}.md)", figure.title, figure.name), comparison.games_done),
            None => (figure.title.clone(), 0),
        };
        out += &format!("| {title} | {} | {} | {games} |\n", figure.conclusion, words(result));
    }
    if !effects.is_empty() {
        out += "\n## By time for a move\n\n";
    }
    for effect in effects {
        out += &format!("* [{}](by-time-{}.md)", effect.title, effect.name);
        out += &if effect.finding.is_empty() { "\n".to_owned() } else { format!(". {}\n", effect.finding) };
    }
    out + "\n" + file.method.trim() + "\n"
}

/// The page of a figure.
pub(super) fn figure(path: &Path, file: &File, result: &Result<'_>, comparison: &Comparison) -> String {
    let figure = result.figure;
    let mut out = format!(
        "# {}\n\nFigure `{}` of {}. Published conclusion: {}\n\n**Verdict: {}.**\n",
        figure.title,
        figure.name,
        file.publication,
        figure.conclusion,
        words(result)
    );
    out += &format!("\n![win rate by board size]({}.svg)\n", figure.name);
    let judgements = [("correct RAVE", &result.correct), ("with the defect", &result.defect)];
    let played: Vec<(&str, &Judgement<'_>)> =
        judgements.into_iter().filter_map(|(name, judgement)| Some((name, judgement.as_ref()?))).collect();
    out += "\n| claim | program | games | win rate | at any look | finding |\n| --- | --- | ---: | ---: | ---: | --- |\n";
    for (name, judgement) in &played {
        judgement.claims.iter().for_each(|claim| out += &row(name, claim));
    }
    out += "\nThe rate is the mean of the rates on the sizes of the claim. With a chance of at least 95 %, the true rate was in the range at every look.\n";
    for (name, judgement) in &played {
        let variants = comparison.figures.iter().flat_map(|figure| &figure.variants);
        for variant in variants.filter(|variant| judgement.variants.contains(&variant.name)) {
            out += &points(name, variant, judgement.variants.len() > 1);
        }
    }
    out + &again(path, &comparison.experiment, &figure.name)
}

/// The points of a variant that have games.
fn points(program: &str, variant: &Variant, is_one_of_several: bool) -> String {
    let which = if is_one_of_several { format!("{program}, {}", variant.name) } else { program.to_owned() };
    let mut out = format!(
        "\n## Point by point, {which}\n\nPoints that agree with the published ones: {} of {}. Points that differ: {}. Too few games: {}. \
         Not played: {}.\n",
        variant.count(Agreement::Agrees),
        variant.points.len(),
        variant.count(Agreement::Differs),
        variant.count(Agreement::TooFewGames),
        variant.count(Agreement::NotPlayed),
    );
    let played: Vec<&PointReport> = variant.points.iter().filter(|point| point.ours.is_some()).collect();
    if !played.is_empty() {
        out += &format!("\n```text\n{}```\n", table::points(played));
    }
    out
}

/// How others check the games or play more of them.
pub(super) fn again(path: &Path, experiment: &str, export: &str) -> String {
    let conclusions = path.display();
    format!(
        "\n## The games\n\n[games/{export}.tar.gz](games/{export}.tar.gz) has the games with their moves. The first command plays some of \
         them again, the others play new ones.\n\n    gauntlet rerun {}/games/{export}.tar.gz\n    gauntlet run \
         configs/{experiment}.toml --exit-when-done\n    gauntlet compare --conclusions {conclusions} --export\n",
        path.parent().unwrap_or(Path::new(".")).display()
    )
}

fn words(result: &Result<'_>) -> String {
    let finding = |judgement: &Option<Judgement<'_>>| judgement.as_ref().map(|judgement| judgement.finding);
    verdict(finding(&result.correct), finding(&result.defect))
}

fn row(program: &str, judged: &Judged<'_>) -> String {
    let (low, high) = judged.sequence;
    let rate = judged.rate.map_or("–".to_owned(), |rate| format!("{:.1} %", 100.0 * rate));
    let finding = match judged.finding {
        Finding::Holds => "holds".to_owned(),
        Finding::Fails => "does not hold".to_owned(),
        Finding::Undecided { needs: Some(games) } => format!("undecided, needs about {games} games"),
        Finding::Undecided { needs: None } => "undecided".to_owned(),
    };
    format!(
        "| {} | {program} | {} | {rate} | {:.1} to {:.1} % | {finding} |\n",
        judged.claim.words(),
        judged.games,
        100.0 * low,
        100.0 * high
    )
}
