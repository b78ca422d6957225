//! `gauntlet compare --conclusions`: what a publication concludes, and whether our results say the same.

mod by_time;
mod file;
mod page;

use super::report::{self, Assumptions, Comparison, PointReport, Variant, Verdict as Agreement};
use super::{matching, picture, published};
use crate::commands::experiment::summaries;
use crate::commands::results::report_of;
use crate::commands::target::Target;
use crate::commands::{bundle, deliver};
use anyhow::Context;
use file::{Claim, Figure, Says};
use protocol::report::ExperimentReport;
use protocol::words::counted;
use stats::{PRIOR, PairCounts, confidence_sequence};
use std::path::Path;

/// What the games say of a claim, or of all claims of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    Holds,
    Fails,
    /// With so many games in all it would be decided, if the rate stays as it is; none where no number of games is in sight.
    Undecided {
        needs: Option<u64>,
    },
}

/// A claim with the games that it is judged by.
struct Judged<'f> {
    claim: &'f Claim,
    /// The games on all sizes of the claim.
    games: u64,
    /// The mean of the rates by size; none before every size has a complete pair.
    rate: Option<f64>,
    /// The confidence sequence of that mean, which holds at every look.
    sequence: (f64, f64),
    finding: Finding,
}

/// The claims of a figure, by the games of one program.
struct Judgement<'f> {
    /// The names of the variants that are of this program: several where the figure has several baselines.
    variants: Vec<String>,
    claims: Vec<Judged<'f>>,
    finding: Finding,
}

/// A figure beside our results.
struct Result<'f> {
    figure: &'f Figure,
    /// None before the experiment is exported.
    comparison: Option<Comparison>,
    correct: Option<Judgement<'f>>,
    defect: Option<Judgement<'f>>,
}

/// Writes a page for each figure that was played, and a front page with all, beside the file of conclusions.
pub(super) fn write(path: &Path, assumptions: Assumptions) -> anyhow::Result<String> {
    let file = file::read(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let published = published::read(&folder.join(&file.published))?;
    let mut results = Vec::new();
    for figure in &file.figures {
        let report = exported(folder, &figure.name)?;
        let comparison = match &report {
            None => None,
            Some(report) => {
                let matched = matching::choose(published.clone(), std::slice::from_ref(&figure.name), report)
                    .with_context(|| format!("figure `{}`", figure.name))?;
                Some(report::compare(report, matched, assumptions))
            }
        };
        let judgement = |names: &[String]| judge(figure, comparison.as_ref()?, names, assumptions.confidence);
        let (correct, defect) = (judgement(&file.correct), judgement(&file.defect));
        results.push(Result { figure, correct, defect, comparison });
    }
    let save = |name: String, text: &str| {
        std::fs::write(folder.join(&name), text)
            .with_context(|| format!("cannot write {name} in {}", folder.display()))
    };
    let mut pages = 1;
    for result in &results {
        let Some(comparison) = &result.comparison else { continue };
        save(format!("{}.svg", result.figure.name), &picture::draw(comparison))?;
        save(format!("{}.md", result.figure.name), &page::figure(path, &file, result, comparison))?;
        pages += 1;
    }
    let mut effects = Vec::new();
    for effect in &file.effects {
        let Some(report) = exported(folder, &effect.export())? else { continue };
        let variants = by_time::variants(&report, assumptions.confidence);
        save(format!("{}.svg", effect.export()), &by_time::draw(effect, &variants))?;
        save(format!("{}.md", effect.export()), &by_time::page(path, effect, &report, &variants))?;
        effects.push(effect);
        pages += 1;
    }
    save("README.md".to_owned(), &page::front(&file, &results, &effects))?;
    Ok(format!("{} in {}\n", counted(pages, "page"), folder.display()))
}

/// Exports the results and the games of all experiments that have games.
pub(super) async fn export(path: &Path, target: &Target) -> anyhow::Result<()> {
    let file = file::read(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let (results, games) = (folder.join("results"), folder.join("games"));
    for folder in [&results, &games] {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let known = summaries(target, true).await?;
    for (experiment, name) in file.exports() {
        let Some(summary) = known.iter().find(|one| one.name == experiment && one.games_done > 0) else {
            continue;
        };
        let report = report_of(target, &summary.id.to_string()).await?;
        let (json, bundle) = (results.join(format!("{name}.json")), games.join(format!("{name}.tar.gz")));
        deliver((serde_json::to_string(&report)? + "\n").as_bytes(), Some(&json))?;
        bundle::write(target, &summary.id.to_string(), Some(&bundle)).await?;
        eprintln!("{experiment}: {}", counted(report.summary.games_done, "game"));
    }
    Ok(())
}

/// An export in the folder of conclusions; none before there is one.
fn exported(folder: &Path, name: &str) -> anyhow::Result<Option<ExperimentReport>> {
    let path = folder.join("results").join(format!("{name}.json"));
    match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text)
            .with_context(|| format!("{} is no export of `gauntlet results --json`", path.display()))
            .map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn judge<'f>(
    figure: &'f Figure,
    comparison: &Comparison,
    names: &[String],
    confidence: f64,
) -> Option<Judgement<'f>> {
    let variants = comparison.figures.iter().flat_map(|figure| &figure.variants);
    let variants: Vec<&Variant> = variants.filter(|variant| names.contains(&variant.name)).collect();
    if variants.is_empty() {
        return None;
    }
    let points: Vec<&PointReport> = variants.iter().flat_map(|variant| &variant.points).collect();
    let claims: Vec<Judged<'f>> =
        figure.claims.iter().map(|claim| judged(claim, &points, confidence)).collect();
    let finding =
        claims.iter().map(|one| one.finding).reduce(both).unwrap_or(Finding::Undecided { needs: None });
    let variants = variants.iter().map(|variant| variant.name.clone()).collect();
    Some(Judgement { variants, claims, finding })
}

/// The claim by the games of its case on its sizes. Every size has the same weight, however many games it has.
fn judged<'f>(claim: &'f Claim, points: &[&PointReport], confidence: f64) -> Judged<'f> {
    let is_of = |point: &&&PointReport| point.series == claim.case && claim.is_on(point.size);
    let cells: Vec<PairCounts> = points.iter().filter(is_of).map(|point| point.pairs).collect();
    let Stratified { rate, games } = stratified(&cells);
    let at = |factor: f64| {
        let games = games * factor;
        confidence_sequence(rate * games, games, confidence, PRIOR).expect("the confidence was checked")
    };
    let finding = |sequence| finding(claim.says, sequence);
    let sequence = at(1.0);
    let played: u64 = cells.iter().map(|cell| 2 * cell.pairs()).sum();
    // More games narrow the sequence, where the rate stays as it is.
    let decides =
        (1..=48).map(|step| 2f64.powf(f64::from(step) / 4.0)).find(|&factor| finding(at(factor)).is_some());
    let needs = decides.filter(|_| games > 0.0).map(|factor| round(played as f64 * factor));
    Judged {
        claim,
        games: played,
        rate: (games > 0.0).then_some(rate),
        sequence,
        finding: finding(sequence).unwrap_or(Finding::Undecided { needs }),
    }
}

/// The mean of the rates of some cells.
struct Stratified {
    rate: f64,
    /// With so many games in all, spread evenly, the mean would have the same standard error; 0 if a cell is empty.
    games: f64,
}

fn stratified(cells: &[PairCounts]) -> Stratified {
    let count = cells.len() as f64;
    let rates: f64 = cells.iter().map(|cell| cell.points() / (2.0 * cell.pairs() as f64)).sum();
    let inverses: f64 = cells.iter().map(|cell| 1.0 / (2.0 * cell.pairs() as f64)).sum();
    if cells.is_empty() || !inverses.is_finite() {
        return Stratified { rate: 0.5, games: 0.0 };
    }
    Stratified { rate: rates / count, games: count * count / inverses }
}

/// To two digits.
fn round(games: f64) -> u64 {
    let unit = 10f64.powf(games.max(1.0).log10().floor() - 1.0).max(1.0);
    ((games / unit).ceil() * unit) as u64
}

/// Whether rates between these ends decide.
fn finding(says: Says, (low, high): (f64, f64)) -> Option<Finding> {
    let (holds, fails) = match says {
        Says::Better => (low > 0.5, high < 0.5),
        Says::Worse => (high < 0.5, low > 0.5),
        Says::Alike => (low > 0.5 - ALIKE && high < 0.5 + ALIKE, low > 0.5 + ALIKE || high < 0.5 - ALIKE),
    };
    match (holds, fails) {
        (true, _) => Some(Finding::Holds),
        (_, true) => Some(Finding::Fails),
        _ => None,
    }
}

/// Rates within so much of 50 % are alike.
const ALIKE: f64 = 0.05;

/// A figure's conclusion holds if all its claims do.
fn both(a: Finding, b: Finding) -> Finding {
    match (a, b) {
        (Finding::Fails, _) | (_, Finding::Fails) => Finding::Fails,
        (Finding::Holds, Finding::Holds) => Finding::Holds,
        (Finding::Undecided { needs: a }, Finding::Undecided { needs: b }) => {
            Finding::Undecided { needs: a.zip(b).map(|(a, b)| a.max(b)) }
        }
        (undecided @ Finding::Undecided { .. }, Finding::Holds) | (Finding::Holds, undecided) => undecided,
    }
}

/// What remains of the conclusion, by its finding with the correct program and with the defect.
fn verdict(correct: Option<Finding>, defect: Option<Finding>) -> String {
    let undecided = |needs: Option<u64>| match needs {
        Some(games) => format!("*undecided* (needs about {games} games)"),
        None => "*undecided*".to_owned(),
    };
    match (correct, defect) {
        (None, _) => "*undecided* (not played)".to_owned(),
        (Some(Finding::Holds), _) => "*holds*".to_owned(),
        (Some(Finding::Undecided { needs }), _) => undecided(needs),
        (Some(Finding::Fails), Some(Finding::Holds)) => "*holds only with the defect*".to_owned(),
        (Some(Finding::Fails), Some(Finding::Fails)) => "*does not hold*".to_owned(),
        (Some(Finding::Fails), _) => {
            "*does not hold* with a correct RAVE; with the defect *undecided*".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::{FigureReport, Interval};
    use super::*;
    use engine::havannah::BoardSize;

    #[test]
    fn a_claim_is_decided_by_the_whole_sequence() {
        assert_eq!(finding(Says::Better, (0.51, 0.7)), Some(Finding::Holds));
        assert_eq!(finding(Says::Better, (0.3, 0.49)), Some(Finding::Fails));
        assert_eq!(finding(Says::Better, (0.49, 0.9)), None);
        assert_eq!(finding(Says::Worse, (0.3, 0.49)), Some(Finding::Holds));
        assert_eq!(finding(Says::Alike, (0.46, 0.54)), Some(Finding::Holds));
        assert_eq!(finding(Says::Alike, (0.56, 0.7)), Some(Finding::Fails));
        assert_eq!(finding(Says::Alike, (0.44, 0.54)), None);
    }

    #[test]
    fn every_size_counts_alike_and_unequal_games_are_worth_fewer() {
        let cell = |losses, wins| PairCounts { ll: losses, ww: wins, ..PairCounts::default() };
        let even = stratified(&[cell(5, 5), cell(0, 10)]);
        assert!((even.rate - 0.75).abs() < 1e-12 && (even.games - 40.0).abs() < 1e-9);
        let uneven = stratified(&[cell(50, 50), cell(0, 10)]);
        assert!((uneven.rate - 0.75).abs() < 1e-12);
        assert!((uneven.games - 4.0 / (1.0 / 200.0 + 1.0 / 20.0)).abs() < 1e-9);
        assert_eq!(stratified(&[cell(5, 5), cell(0, 0)]).games, 0.0);
        assert_eq!(stratified(&[]).games, 0.0);
        assert_eq!((round(7.2), round(129.3), round(12_345.0)), (8, 130, 13_000));
    }

    #[test]
    fn the_claims_of_a_program_are_judged_by_all_its_baselines() {
        let variant = |name: &str, series: &str, ww| {
            let published = Interval { value: 0.5, low: 0.4, high: 0.6, games: None };
            let point = PointReport {
                series: series.to_owned(),
                case: series.to_owned(),
                size: BoardSize::new(4).expect("a size"),
                pairs: PairCounts { ww, ..PairCounts::default() },
                ours: None,
                published,
                difference: None,
                verdict: Agreement::NotPlayed,
            };
            Variant { name: name.to_owned(), points: vec![point], tests: None }
        };
        let variants =
            vec![variant("against a", "1", 50), variant("against b", "2", 50), variant("other", "2", 0)];
        let figures = vec![FigureReport { figure: "f".to_owned(), variants, notes: Vec::new() }];
        let assumptions = Assumptions { published_games: 300, margin: 0.1, confidence: 0.95 };
        let comparison = Comparison {
            experiment: "e/f".to_owned(),
            question: String::new(),
            games_done: 200,
            games_planned: 200,
            assumptions,
            figures,
        };
        let figure: Figure = toml::from_str(
            "name = \"f\"\ntitle = \"F\"\nconclusion = \"C.\"\n[[claim]]\ncase = \"1\"\nsays = \"better\"\n[[claim]]\ncase = \
             \"2\"\nsays = \"better\"\n",
        )
        .expect("a figure");
        let by = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            judge(&figure, &comparison, &names, 0.95).map(|judgement| judgement.finding)
        };
        assert_eq!(by(&["against a", "against b"]), Some(Finding::Holds));
        assert_eq!(by(&["against a"]), Some(Finding::Undecided { needs: None }), "claim 2 has no games");
        assert_eq!(by(&["nobody"]), None);
    }

    #[test]
    fn a_conclusion_needs_all_its_claims_and_names_the_program_it_holds_for() {
        let undecided = |needs| Finding::Undecided { needs };
        assert_eq!(both(Finding::Holds, Finding::Fails), Finding::Fails);
        assert_eq!(both(undecided(Some(5)), Finding::Holds), undecided(Some(5)));
        assert_eq!(both(undecided(Some(5)), undecided(Some(9))), undecided(Some(9)));
        assert_eq!(both(undecided(None), undecided(Some(9))), undecided(None));
        for (correct, defect, words) in [
            (None, None, "not played"),
            (Some(Finding::Holds), Some(Finding::Fails), "*holds*"),
            (Some(Finding::Fails), Some(Finding::Holds), "*holds only with the defect*"),
            (Some(Finding::Fails), Some(Finding::Fails), "*does not hold*"),
            (Some(undecided(Some(700))), Some(Finding::Holds), "needs about 700 games"),
        ] {
            assert!(verdict(correct, defect).contains(words), "{words}");
        }
    }
}
