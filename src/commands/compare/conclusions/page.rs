//! The pages, in Markdown.

use super::super::report::{LEAST_PAIRS, PointReport, Variant, Verdict as Agreement};
use super::super::table;
use super::cost::Costs;
use super::file::{ByTime, CORRECT, Claim, DEFECT, Figure, File, Says};
use super::judge::{Finding, Judged, Spread, verdict};
use super::programs::{self, Weighed};
use super::{Played, Program, Result, Work};
use engine::havannah::BoardSize;
use protocol::report::Series;
use protocol::words::counted;
use stats::quantile;
use std::path::Path;

/// The table of all conclusions, and the method.
pub(super) fn front(
    file: &File,
    results: &[Result<'_>],
    weighed: &[Weighed<'_>],
    effects: &[&ByTime],
    work: &Work,
) -> String {
    let mut out = format!(
        "# {}: what still holds\n\n{} of the publication's figures, as we read them, each judged by games of this program: with a \
         correct RAVE, and with the defect of the published program. {}\n\n![the claims of all figures](conclusions.svg)\n\n{}\n| figure | the publication says | judged | verdict | {CORRECT} | {DEFECT} | games |\n| --- | \
         --- | --- | --- | --- | --- | ---: |\n",
        file.publication,
        counted(results.len() as u64, "conclusion"),
        counts(results),
        summary(results)
    );
    for result in results {
        let Result { figure, played } = result;
        let title = match played {
            Some(_) => format!("[{}]({}.md)", figure.title, figure.name),
            None => figure.title.clone(),
        };
        let place = figure.after_title();
        let programs = result.programs();
        let [correct, defect] = programs.map(|one| one.map(|one| one.judgement.finding));
        let games = played.as_ref().map_or(0, Played::games_of_claims);
        out += &format!(
            "| {title}{place} | {} | {} | {} | {} | {} | {games} |\n",
            figure.statement,
            figure.conclusion,
            verdict(correct, defect),
            short(correct),
            short(defect)
        );
    }
    out += "\nA verdict is about the column \"judged\", which often says less than the publication: above 50 % where that has 80 %, or a mean \
            over the sizes where that has every size. \"Games\" are those of the cells that decide a conclusion, each counted once. \"Leans to\" and \
            \"needs N more games\" are about a correct RAVE, and assume that the rates stay as they are. N may be more than the plan: then \
            `games_per_cell` in the experiment's file has to grow.\n";
    out += &format!(
        "\nFigures and effects by budget have {} games, played in {:.1} core-hours.\n",
        work.games.values().sum::<u64>(),
        work.core_seconds / 3600.0
    );
    out += &copy(results);
    if !weighed.is_empty() {
        out += &programs::sentence(weighed);
    }
    if !effects.is_empty() {
        out += "\n## By budget of a move\n\n";
    }
    for effect in effects {
        out += &format!("* [{}]({}.md).", effect.title, effect.export());
        out += &if effect.finding.is_empty() { "\n".to_owned() } else { format!(" {}\n", effect.finding) };
    }
    out + "\n" + file.method.trim() + "\n"
}

fn short(finding: Option<Finding>) -> &'static str {
    match finding {
        None => "–",
        Some(Finding::Holds) => "holds",
        Some(Finding::Fails) => "does not hold",
        Some(Finding::Undecided { .. }) => "undecided",
    }
}

/// A number before one of two forms of a verb.
pub(super) fn verb(count: usize, [one, several]: [&str; 2]) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// How many conclusions hold, in a sentence for each program.
fn counts(results: &[Result<'_>]) -> String {
    let sentence = |(program, begin): (usize, &str)| {
        let findings = results.iter().map(|one| one.programs()[program].map(|one| one.judgement.finding));
        let findings: Vec<Option<Finding>> = findings.collect();
        let count = |is_wanted: fn(&&Option<Finding>) -> bool| findings.iter().filter(is_wanted).count();
        let not_played = match count(|one| one.is_none()) {
            0 => String::new(),
            many => format!(", {many} without games"),
        };
        format!(
            "{begin}, {}, {} and {}{not_played}.",
            verb(count(|one| **one == Some(Finding::Holds)), ["holds", "hold"]),
            verb(count(|one| **one == Some(Finding::Fails)), ["does not", "do not"]),
            verb(
                count(|one| matches!(one, Some(Finding::Undecided { .. }))),
                ["is undecided", "are undecided"]
            )
        )
    };
    [(0, "With a correct RAVE"), (1, "With the defect of the published program")].map(sentence).join(" ")
}

/// The claims that are decided, in a small table.
fn summary(results: &[Result<'_>]) -> String {
    let holds = |one: &Judged<'_>| one.finding == Finding::Holds;
    let compares = |one: &Judged<'_>| one.claim.than.is_some();
    let helps = |one: &Judged<'_>| !compares(one) && one.claim.says == Says::Better;
    let rows = [
        ("helps, as the publication says", decided(results, |one| holds(one) && helps(one))),
        (
            "does not help, as the publication says",
            decided(results, |one| holds(one) && !helps(one) && !compares(one)),
        ),
        (
            "beats another case, or loses to it, as the publication says",
            decided(results, |one| holds(one) && compares(one)),
        ),
        ("against the publication", decided(results, |one| one.finding == Finding::Fails)),
    ];
    let mut out = format!("| decided claims | {CORRECT} | {DEFECT} |\n| --- | --- | --- |\n");
    for (name, [correct, defect]) in rows {
        out += &format!("| {name} | {correct} | {defect} |\n");
    }
    out
}

/// The names of the claims of this kind, by program.
fn decided(results: &[Result<'_>], is_wanted: impl Fn(&Judged<'_>) -> bool) -> [String; 2] {
    let mut names: [Vec<String>; 2] = Default::default();
    for result in results {
        let figure = result.figure;
        for (program, names) in result.programs().into_iter().zip(&mut names) {
            let wanted = program.into_iter().flat_map(claims).filter(|claim| is_wanted(claim));
            for judged in wanted {
                let has_one_case = figure.claims.iter().all(|claim| claim.case == judged.claim.case);
                let name = match has_one_case {
                    true => figure.title.clone(),
                    false => format!("{}: {}", figure.title, judged.claim.of()),
                };
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names.map(|names| if names.is_empty() { "–".to_owned() } else { names.join("; ") })
}

/// Whether our copy of the published program scores as published.
fn copy(results: &[Result<'_>]) -> String {
    let programs = results.iter().filter_map(|one| one.programs()[1]);
    let claims: Vec<&Judged<'_>> = programs.flat_map(claims).filter(|claim| claim.ours.is_some()).collect();
    let outside = claims.iter().filter(|claim| claim.is_apart() == Some(true)).count();
    let deviations: Vec<f64> = claims.iter().filter_map(|claim| claim.deviations()).collect();
    let level = quantile(0.975).expect("a probability");
    let differ: Vec<&f64> = deviations.iter().filter(|by| by.abs() > level).collect();
    let below = differ.iter().filter(|by| ***by < 0.0).count();
    let known = claims.len();
    let answer = if differ.len() * 10 > known { "Not in general." } else { "As far as these games tell." };
    format!(
        "\n**Does our copy of the published program score as published?** {answer} Of its {} with games, {} differ from the \
         published rate at a level of 5 %, with the errors of both; chance gives about {:.0}. Of these, {below} score less here. {outside} \
         published rates lie even outside of our sequences; the pages mark them.\n",
        counted(known as u64, "claim"),
        differ.len(),
        known as f64 / 20.0
    )
}

fn claims<'p>(program: &'p Program<'_>) -> impl Iterator<Item = &'p Judged<'p>> {
    program.judgement.claims.iter()
}

/// The page of a figure.
pub(super) fn figure(
    path: &Path,
    file: &File,
    figure: &Figure,
    played: &Played<'_>,
    costs: &Costs,
    like: Option<&Weighed<'_>>,
) -> String {
    let programs = [(CORRECT, &played.correct), (DEFECT, &played.defect)];
    let [correct, defect] = programs.map(|(_, one)| one.as_ref().map(|one| one.judgement.finding));
    let mut out = format!(
        "# {}\n\n{} of {} (`{}`), {} a move. It says: {}\n\nJudged here: {}\n\n**Verdict: {}.**\n",
        figure.title,
        if figure.place.is_empty() { "A figure in the source".to_owned() } else { capital(&figure.place) },
        file.publication,
        figure.name,
        file.budget(figure),
        figure.statement,
        figure.conclusion,
        verdict(correct, defect)
    );
    out += &format!("\n![win rate by board size]({}.svg)\n", figure.name);
    out += "\n| claim | program | games | win rate | at any look | published | lowest and highest size | finding |\n| --- | --- | ---: | ---: \
            | ---: | ---: | --- | --- |\n";
    for (name, program) in programs {
        program.iter().flat_map(claims).for_each(|claim| out += &row(name, claim));
    }
    out += "\nRates are means over the sizes of the claim, and points are differences of two such means. The sequence, \"at any look\", has a confidence of 95 %. A published \
            mean is \"outside\" if it lies outside of the sequence. Sizes \"differ\" if Cochran's test has a p-value below 0.05: then the mean \
            says little about one size.\n";
    if let Some(like) = like {
        out += &format!(
            "\nThe published points resemble [one of the programs]({}.md): {}.\n",
            programs::NAME,
            like.words()
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
    let table = costs.table(&played.report, at_budget);
    if !table.is_empty() {
        out += &format!(
            "\n## What a case costs\n\nSimulations of the case for 100 of its baseline in the same time, by board size: moves that follow each other and use their time, \
             over whole games. In the opening, the numbers may differ much.\n\n{table}"
        );
    }
    out + &again(path, &played.comparison.experiment, &figure.name)
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
        figure.claims.iter().any(|claim| names(claim) && claim.is_on(point.size))
    };
    let is_known =
        |point: &&PointReport| point.pairs.pairs() >= LEAST_PAIRS || point.ours.is_some() && is_named(point);
    let known: Vec<&PointReport> = variant.points.iter().filter(is_known).collect();
    if !known.is_empty() {
        out += &format!("\n```text\n{}```\n", table::points(known));
    }
    out
}

/// How others check the games or play more of them.
pub(super) fn again(path: &Path, experiment: &str, export: &str) -> String {
    let conclusions = path.display();
    let bundle = format!("{}/games/{export}.tar.gz", path.parent().unwrap_or(Path::new(".")).display());
    format!(
        "\n## The games\n\n[games/{export}.tar.gz](games/{export}.tar.gz) has the games with their moves, [results/{export}.json](results/{export}.json) \
         their counts and the ids of cells, and `configs/{experiment}.toml` the players. The first command plays some of the games again. \
         The others put all of them into a database, play more, and judge all.\n\n    gauntlet rerun {bundle}\n    gauntlet import \
         {bundle}\n    gauntlet run configs/{experiment}.toml --exit-when-done\n    gauntlet compare --conclusions {conclusions} --export\n",
    )
}

fn row(program: &str, judged: &Judged<'_>) -> String {
    let is_difference = judged.claim.than.is_some();
    let percent = |rate: f64| match is_difference {
        true => format!("{:+.1} points", 100.0 * (rate - 0.5)),
        false => format!("{:.1} %", 100.0 * rate),
    };
    let (low, high) = judged.sequence;
    let sequence = judged.ours.map_or("–".to_owned(), |_| match is_difference {
        true => format!("{:+.1} to {}", 100.0 * (low - 0.5), percent(high)),
        false => format!("{:.1} to {}", 100.0 * low, percent(high)),
    });
    let finding = match judged.finding {
        Finding::Holds => "holds".to_owned(),
        Finding::Fails => "does not hold".to_owned(),
        Finding::Undecided { more: Some(more) } => format!("undecided, {}", more.words()),
        Finding::Undecided { more: None } => "undecided".to_owned(),
    };
    format!(
        "| {} | {program} | {} | {} | {sequence} | {}{} | {} | {finding} |\n",
        judged.claim.words(),
        judged.games,
        judged.ours.map_or("–".to_owned(), |ours| percent(ours.rate)),
        percent(judged.published.rate),
        if judged.is_apart() == Some(true) { ", outside" } else { "" },
        judged.spread.as_ref().map_or("–".to_owned(), spread)
    )
}

fn spread(spread: &Spread) -> String {
    let shown = |(size, rate): (BoardSize, f64)| format!("{:.0} % on {size}", 100.0 * rate);
    let differ = if spread.p_value < 0.05 { ", differ" } else { "" };
    format!("{}, {}{differ}", shown(spread.lowest), shown(spread.highest))
}
