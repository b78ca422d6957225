//! The pages, in Markdown.

use crate::cost::{CostPart, Costs};
use crate::file::{ByTime, CORRECT, Claim, DEFECT, Figure, File};
use crate::finding::{Decision, Finding, verdict};
use crate::judge::{JudgedClaim, SIZES_DIFFER, Spread};
use crate::pages::{PlayedFigure, Program, Result, Work};
use crate::programs::{self, WeighedFigure};
use engine::havannah::BoardSize;
use gauntlet::commands::compare::report::{LEAST_PAIRS, PointReport, Variant, Verdict as Agreement};
use gauntlet::commands::compare::table;
use gauntlet::commands::files::folder_of;
use indicatif::HumanCount;
use protocol::report::{Point, Series};
use protocol::words::{counted, option};
use stats::quantile;
use std::collections::BTreeSet;
use std::path::Path;

/// The table of all conclusions, and the method.
pub(crate) fn front(
    file: &File,
    results: &[Result<'_>],
    weighed: &[WeighedFigure<'_>],
    effects: &[&ByTime],
    work: &Work,
) -> String {
    let mut out = format!(
        "# {}: what still holds\n\nEach of {} is judged by games of two programs of our own. *Correct RAVE* is this engine. *With the defect* \
         is our copy of the published program, which credits RAVE to the [wrong moves](#method) as that did. {}\n\n",
        file.publication,
        counted(results.len() as u64, "figure"),
        counts(results)
    );
    if !file.guide.is_empty() {
        out += &format!("{}\n\n", file.guide.trim());
    }
    out += "![the claims of all figures](conclusions.svg)\n\n\
            A verdict is about the column \"judged\". *Holds for …* means that the publication says more than is judged. *Does not hold* means that the games \
            contradict a claim. *Smaller than published* means that an effect was claimed, that our effect is below five points in either direction, and that the \
            published one is excluded. *Undecided* means that the games allow for both.\n\n\
            | place | figure | the publication says | judged | verdict | level | our rate | games |\n\
            | --- | --- | --- | --- | --- | --- | --- | ---: |\n";
    for result in results {
        let Result { figure, played } = result;
        let title = match played {
            Some(_) => format!("[{}]({}.md)", figure.title, figure.name),
            None => figure.title.clone(),
        };
        let programs = result.programs();
        let [correct, defect] = programs.map(|one| one.map(|one| one.judgement.finding));
        let games = played.as_ref().map_or(0, PlayedFigure::games_of_claims);
        out += &format!(
            "| {} | {title} | {} | {} | {} | {} | {} | {} |\n",
            figure.place(),
            figure.statement,
            figure.conclusion,
            verdict(figure.part.as_deref(), correct, defect),
            levels(programs),
            beside_published(programs),
            HumanCount(games)
        );
    }
    out += &format!(
        "\n\"Level\" is the lowest level at which the verdict still stands, with a correct RAVE and with the defect: verdicts are given at 5 %. \"Leans to\" names the verdict that the present rates would bring, and \"needs N more games\" how many games that takes. \
         \"Our rate\" is lower or higher where the confidence sequence of a claim leaves out the published mean. \"Games\" are those of the cells that decide a conclusion, each counted once. Figures and effects by budget have {} games. Their moves took {:.1} \
         core-hours of CPU time ([more](method.md#time)). [How many games each figure has](played.md) tells \
         what was not played.\n",
        HumanCount(work.games.values().sum()),
        work.core_hours()
    );
    out += &certainty(results);
    out += &copy(results);
    if !weighed.is_empty() {
        out += &programs::sentence(results.len(), weighed);
    }
    out += &others(results);
    if !effects.is_empty() {
        out += "\n## By budget of a move\n\n";
        if !file.budgets.is_empty() {
            out += &format!("{}\n\n", file.budgets.trim());
        }
    }
    for effect in effects {
        out += &format!("* [{}]({}.md).", effect.title, effect.export());
        out += &if effect.finding.is_empty() { "\n".to_owned() } else { format!(" {}\n", effect.finding) };
    }
    out + "\n" + file.method.trim() + "\n"
}

pub(crate) fn short(finding: Option<Finding>) -> &'static str {
    match finding {
        None => "–",
        Some(Finding::Decided(decision)) => decision.words(),
        Some(Finding::Undecided(_)) => "undecided",
    }
}

/// A number before one of two forms of a verb.
pub(crate) fn verb(count: usize, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// How many conclusions hold, in a sentence for each program.
pub(crate) fn counts(results: &[Result<'_>]) -> String {
    let sentence = |(program, begin): (usize, &str)| {
        let findings = results.iter().map(|one| one.programs()[program].map(|one| one.judgement.finding));
        let findings: Vec<Option<Finding>> = findings.collect();
        let count = |is_wanted: fn(&&Option<Finding>) -> bool| findings.iter().filter(is_wanted).count();
        let not_played = match count(|one| one.is_none()) {
            0 => String::new(),
            many => format!(", {many} without games"),
        };
        format!(
            "{begin}, {}, {}, {} and {}{not_played}.",
            verb(count(|one| **one == Some(Finding::Decided(Decision::Holds))), ["holds", "hold"]),
            verb(count(|one| **one == Some(Finding::Decided(Decision::Fails))), ["does not", "do not"]),
            verb(
                count(|one| **one == Some(Finding::Decided(Decision::Smaller))),
                ["is smaller than published", "are smaller than published"]
            ),
            verb(count(|one| matches!(one, Some(Finding::Undecided(_)))), ["is undecided", "are undecided"])
        )
    };
    [(0, "With a correct RAVE"), (1, "With the defect")].map(sentence).join(" ")
}

/// The lowest levels at which the verdicts of both programs stand.
fn levels(programs: [Option<&Program<'_>>; 2]) -> String {
    let words = |one: Option<&Program<'_>>| {
        one.and_then(|one| one.judgement.level()).map_or("–".to_owned(), level_words)
    };
    let [correct, defect] = programs.map(words);
    if correct == defect { correct } else { format!("{correct}, {defect}") }
}

/// A level in per cent, to two digits.
fn level_words(level: f64) -> String {
    match 100.0 * level {
        percent if percent < 0.001 => "< 0.001 %".to_owned(),
        percent => {
            let digits = (1.0 - percent.log10().floor()).max(0.0) as usize;
            format!("{percent:.digits$} %")
        }
    }
}

/// How many verdicts would fall at stricter levels, and how many wrong ones the level allows for.
fn certainty(results: &[Result<'_>]) -> String {
    let programs = || results.iter().flat_map(|one| one.programs().into_iter().flatten());
    let verdicts: Vec<f64> = programs().filter_map(|one| one.judgement.level()).collect();
    let judged = programs().flat_map(claims).filter(|claim| claim.ours.is_some()).count();
    let a_program: usize = results.iter().map(|one| one.figure.claims.len()).sum();
    if verdicts.is_empty() {
        return String::new();
    }
    let fall = |level: f64| verdicts.iter().filter(|stands| **stands > level).count();
    format!(
        "\n**How sure are the verdicts?** Each claim is judged at a level of 5 %. Of {} with games, up to {:.1} may so have a sequence without the true rate. Of the {} \
         decided for one of the programs, {} would be open at a level of 2.5 %, and {} at 5 % for all {} of a program together (Bonferroni: {} each).\n",
        counted(judged as u64, "claim"),
        judged as f64 / 20.0,
        counted(verdicts.len() as u64, "verdict"),
        fall(0.025),
        fall(0.05 / a_program as f64),
        counted(a_program as u64, "claim"),
        level_words(0.05 / a_program as f64),
    )
}

/// Where our rates of claims are shown to differ from the published ones.
fn beside_published(programs: [Option<&Program<'_>>; 2]) -> String {
    let [correct, defect] = programs.map(|one| {
        let apart = one.into_iter().flat_map(claims).filter(|claim| claim.is_apart() == Some(true));
        let words =
            apart.filter_map(|claim| Some(if claim.deviations()? < 0.0 { "lower" } else { "higher" }));
        Vec::from_iter(words.collect::<BTreeSet<_>>()).join(" and ")
    });
    match (correct.as_str(), defect.as_str()) {
        ("", "") => "–".to_owned(),
        (correct, "") => format!("{correct} with a correct RAVE"),
        ("", defect) => format!("{defect} with the defect"),
        (correct, defect) if correct == defect => format!("{correct} in both"),
        (correct, defect) => format!("{correct} with a correct RAVE, {defect} with the defect"),
    }
}

/// Statements of the publication that decide no verdict.
fn others(results: &[Result<'_>]) -> String {
    let mut rows = String::new();
    for result in results.iter().filter(|one| one.played.is_some()) {
        let figure = result.figure;
        for (i, claim) in figure.also.iter().enumerate() {
            let [correct, defect] = result
                .programs()
                .map(|one| one.map_or("–".to_owned(), |one| in_short(&one.judgement.also[i])));
            rows += &format!(
                "| [{}]({}.md) | {} | {} | {correct} | {defect} |\n",
                figure.place(),
                figure.name,
                claim.statement,
                claim.words()
            );
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!(
        "\n## Other statements about the figures\n\nThey are judged in the same way, and decide no verdict. Games were not sent to them, so many are open.\n\n\
         | place | the publication says | judged | correct RAVE | with the defect |\n| --- | --- | --- | --- | --- |\n{rows}"
    )
}

/// The finding of a claim with our rate and its sequence.
fn in_short(judged: &JudgedClaim<'_>) -> String {
    if judged.ours.is_none() {
        return "not played".to_owned();
    }
    let (rate, sequence) = rate_and_sequence(judged);
    format!("{}, {rate} [{sequence}]", short(Some(judged.finding)))
}

/// Whether our copy of the published program scores as published.
fn copy(results: &[Result<'_>]) -> String {
    let [correct, defect] = [0, 1].map(|program| DifferingClaims::of(results, program));
    let answer = if defect.claims == 0 {
        "No game tells"
    } else if defect.differ * 10 > defect.claims {
        "It does not"
    } else {
        "It does, as far as these games tell"
    };
    format!(
        "\n**Does our copy of the published program score as published?** {answer}: of its {} with games, {} differ from the published rate \
         at a level of 5 %, where chance gives about {:.0}. Of these, {} score less here. Of the {} of a correct RAVE, {} differ, and {} of these score \
         less ([formula](method.md#claims-and-verdicts)).\n",
        counted(defect.claims as u64, "claim"),
        defect.differ,
        defect.claims as f64 / 20.0,
        defect.below,
        counted(correct.claims as u64, "claim"),
        correct.differ,
        correct.below,
    )
}

/// How many claims of a program have a rate that differs from the published one.
struct DifferingClaims {
    claims: usize,
    /// At a level of 5 %, with the errors of both.
    differ: usize,
    /// Of these, with a lower rate here.
    below: usize,
}

impl DifferingClaims {
    fn of(results: &[Result<'_>], program: usize) -> Self {
        let programs = results.iter().filter_map(|one| one.programs()[program]);
        let claims: Vec<&JudgedClaim<'_>> =
            programs.flat_map(claims).filter(|claim| claim.ours.is_some()).collect();
        let level = quantile(0.975).expect("a probability");
        let differ = claims.iter().filter_map(|claim| claim.deviations()).filter(|by| by.abs() > level);
        let differ: Vec<f64> = differ.collect();
        Self {
            claims: claims.len(),
            differ: differ.len(),
            below: differ.iter().filter(|by| **by < 0.0).count(),
        }
    }
}

fn claims<'p>(program: &'p Program<'_>) -> impl Iterator<Item = &'p JudgedClaim<'p>> {
    program.judgement.claims.iter()
}

/// The page of a figure.
pub(crate) fn figure(
    path: &Path,
    file: &File,
    figure: &Figure,
    played: &PlayedFigure<'_>,
    costs: &Costs,
    like: Option<&WeighedFigure<'_>>,
) -> String {
    let programs = [(CORRECT, &played.correct), (DEFECT, &played.defect)];
    let [correct, defect] = programs.map(|(_, one)| one.as_ref().map(|one| one.judgement.finding));
    let mut out = format!(
        "# {}\n\n{} of {} (`{}`), {} a move.\n\n**The publication says:** {}\n\n**Judged here:** {}\n\n**Verdict:** {}.\n",
        figure.title,
        if figure.is_printed() { capital(figure.place()) } else { "A figure in the source".to_owned() },
        file.publication,
        figure.name,
        file.budget(figure),
        figure.statement,
        figure.conclusion,
        verdict(figure.part.as_deref(), correct, defect)
    );
    out += &format!("\n![win rate by board size]({}.svg)\n", figure.name);
    let headings = |first| {
        format!(
            "\n| {first} | program | games | win rate | at any look | published | lowest and highest size | finding |\n| --- | --- | ---: | ---: \
             | ---: | ---: | --- | --- |\n"
        )
    };
    out += &headings("claim");
    for (name, program) in programs {
        program.iter().flat_map(claims).for_each(|claim| out += &row(name, claim));
    }
    out += "\nRates are means over the sizes of the claim, and points are differences of two such means. The confidence sequence of 95 %, \"at any look\", holds however often one \
            looks ([formula](../explanation/statistics.md#the-mean-over-sizes)). A published \
            mean is \"outside\" if it lies outside of the sequence. Sizes \"differ\" if Cochran's test has a p-value below 0.05: then the mean \
            says little about one size. A difference of two cases has the games of both.\n";
    if !figure.also.is_empty() {
        out += "\nThe publication also says what follows. It is judged in the same way, and does not decide the verdict.\n";
        out += &headings("statement");
        for (name, program) in programs {
            program.iter().flat_map(|one| &one.judgement.also).for_each(|claim| out += &row(name, claim));
        }
    }
    if let Some(like) = like {
        out += &format!(
            "\n[Which program do the published points resemble?]({}.md) {}.\n",
            programs::NAME,
            capital(&like.words())
        );
    }
    for note in played.comparison.figures.iter().flat_map(|figure| &figure.notes) {
        out += &format!("\n{}.\n", capital(note));
    }
    out += "\nBelow, points of cases that no claim names are listed from ten pairs on. The intervals of points are those of a fixed number of games.\n";
    for (name, program) in programs {
        let variants: Vec<&Variant> = program.iter().flat_map(|one| one.comparison.variants()).collect();
        for variant in &variants {
            out += &points(name, figure, variant, variants.len() > 1);
        }
    }
    let budget = file.budget(figure);
    let at_budget = |series: &Series| file.program(series).filter(|_| series.budget.to_string() == budget);
    let table = costs.table(CostPart::Game, &played.report, at_budget);
    if !table.is_empty() {
        out += &format!(
            "\n## What a case costs\n\nSimulations of the case for 100 of its baseline in the same time, by board size: moves that follow each other and use at least nine tenths of their \
             time, over whole games. In the opening, the numbers may differ much.\n\n{table}"
        );
    }
    if figure.first_move {
        let table = costs.table(CostPart::FirstMove, &played.report, at_budget);
        if !table.is_empty() {
            out += &format!("\nIn the first move of a game alone, from the empty board:\n\n{table}");
        }
    }
    let cell =
        played.correct.iter().chain(&played.defect).flat_map(claims).find_map(|claim| claim.cells.first());
    let is_first = |point: &&Point| Some(&point.cell) == cell;
    let of = |series: &Series| Some(games_of(series, series.points.iter().find(is_first)?.size));
    let games = played.report.series.iter().find_map(of).unwrap_or_default();
    out + &again((path, file), &played.comparison.experiment, &figure.name, &games)
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The points of a variant that decide a claim, and those that have enough games for a verdict.
fn points(program: &str, figure: &Figure, variant: &Variant, is_one_of_several: bool) -> String {
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
    let is_named = |point: &PointReport| {
        let names = |claim: &Claim| [Some(&claim.case), claim.than.as_ref()].contains(&Some(&point.series));
        figure.all_claims().any(|claim| names(claim) && claim.is_on(point.size))
    };
    let is_known =
        |point: &&PointReport| point.pairs.pairs() >= LEAST_PAIRS || point.ours.is_some() && is_named(point);
    let known: Vec<&PointReport> = variant.points.iter().filter(is_known).collect();
    let hidden = variant.points.len() - known.len() - variant.count(Agreement::NotPlayed);
    if hidden > 0 {
        out += &format!(
            "{} of these with fewer than ten pairs are not listed.\n",
            counted(hidden as u64, "point")
        );
    }
    if !known.is_empty() {
        out += &format!("\n```text\n{}```\n", table::points(known));
    }
    out
}

/// Options of `gauntlet game list` for the games of a case on a size.
pub(crate) fn games_of(series: &Series, size: BoardSize) -> String {
    format!("{} --size {size}", option("--case", &format!("{} {}", series.group, series.label)))
}

/// How others check the games or play more of them. `games` chooses those that are listed.
pub(crate) fn again((path, file): (&Path, &File), experiment: &str, export: &str, games: &str) -> String {
    let (conclusions, database) = (path.display(), file.database());
    let bundle = format!("{}/games/{export}.tar.gz", folder_of(path).display());
    format!(
        "\n## The games\n\n[results/{export}.json](results/{export}.json) has the counts of games and the ids of cells, and \
         `configs/{experiment}.toml` the players. The first command fetches the games with their moves from the history of this \
         repository. The second plays some of them again. The third puts all of them into a database, and the fourth lists some; \
         `gauntlet game replay GAME --database {database}` plays one of these again. The last two play more, and write the pages \
         of this folder.\n\n    docs/bundles {bundle}\n    gauntlet rerun {bundle}\n    gauntlet import {bundle} --database {database}\n    \
         gauntlet game list --experiment {experiment}{games} --database {database}\n    \
         gauntlet run configs/{experiment}.toml --exit-when-done --database {database}\n    \
         cargo run --release -p thesis -- export {conclusions} --database {database}\n",
    )
}

fn row(program: &str, judged: &JudgedClaim<'_>) -> String {
    let finding = match judged.finding {
        Finding::Undecided(outlook) => format!("undecided, {}", outlook.words()),
        Finding::Decided(decision) => {
            let level =
                judged.level.map_or_else(String::new, |level| format!(" (level {})", level_words(level)));
            format!("{}{level}", decision.words())
        }
    };
    let (rate, sequence) = rate_and_sequence(judged);
    let says = match judged.claim.statement.as_str() {
        "" => judged.claim.words(),
        statement => format!("{statement} {}", judged.claim.words()),
    };
    format!(
        "| {says} | {program} | {} | {rate} | {sequence} | {}{} | {} | {finding} |\n",
        games(judged),
        in_percent(judged, judged.published.rate),
        if judged.is_apart() == Some(true) { ", outside" } else { "" },
        judged.spread.as_ref().map_or("–".to_owned(), spread)
    )
}

/// A rate, or the difference of two.
fn in_percent(judged: &JudgedClaim<'_>, rate: f64) -> String {
    match judged.claim.than {
        Some(_) => format!("{:+.1} points", 100.0 * (rate - 0.5)),
        None => format!("{:.1} %", 100.0 * rate),
    }
}

/// Our rate and its confidence sequence.
fn rate_and_sequence(judged: &JudgedClaim<'_>) -> (String, String) {
    let Some(ours) = judged.ours else { return ("–".to_owned(), "–".to_owned()) };
    let (low, high) = judged.sequence;
    // An end near 50 % gets a second digit, which tells on which side it lies.
    let digits = if [low, high].iter().any(|end| (1000.0 * end).round() == 500.0) { 2 } else { 1 };
    let sequence = match judged.claim.than {
        Some(_) => {
            format!("{:+.digits$} to {:+.digits$} points", 100.0 * (low - 0.5), 100.0 * (high - 0.5))
        }
        None => format!("{:.digits$} to {:.digits$} %", 100.0 * low, 100.0 * high),
    };
    (in_percent(judged, ours.rate), sequence)
}

/// The number of games, of both cases if the claim is about their difference.
fn games(judged: &JudgedClaim<'_>) -> String {
    match judged.games_of_other {
        None => HumanCount(judged.games).to_string(),
        Some(other) => format!("{} + {}", HumanCount(judged.games - other), HumanCount(other)),
    }
}

fn spread(spread: &Spread) -> String {
    let shown = |(size, rate): (BoardSize, f64)| format!("{:.0} % on {size}", 100.0 * rate);
    let differ = if spread.p_value < SIZES_DIFFER { ", differ" } else { "" };
    format!("{}, {}{differ}", shown(spread.lowest), shown(spread.highest))
}
