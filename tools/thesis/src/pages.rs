//! The pages: what a publication concludes, and whether our results say the same.

use crate::cost::Costs;
use crate::file::{self, CORRECT, DEFECT, Figure, File};
use crate::judge::{Judgement, judge};
use crate::{by_time, overview, page, played, programs};
use anyhow::{Context, bail, ensure};
use gauntlet::commands::compare::report::{self, Assumptions, Comparison, PointReport, Variant};
use gauntlet::commands::compare::{matching, picture, published};
use gauntlet::commands::files::folder_of;
use gauntlet::commands::results::report_of;
use gauntlet::commands::target::Target;
use gauntlet::commands::{bundle, deliver};
use protocol::experiment::nearest;
use protocol::ids::CellId;
use protocol::report::{ExperimentReport, ExperimentSummary};
use protocol::words::counted;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A figure beside our results.
pub(crate) struct Result<'f> {
    pub(crate) figure: &'f Figure,
    /// None before the experiment is exported.
    pub(crate) played: Option<PlayedFigure<'f>>,
}

impl<'f> Result<'f> {
    /// What was played with the correct program, and with the defect.
    pub(crate) fn programs(&self) -> [Option<&Program<'f>>; 2] {
        self.played.as_ref().map_or([None, None], |one| [one.correct.as_ref(), one.defect.as_ref()])
    }
}

/// The results of a figure.
pub(crate) struct PlayedFigure<'f> {
    pub(crate) report: ExperimentReport,
    /// Both programs beside the published points, for the picture.
    pub(crate) comparison: Comparison,
    pub(crate) correct: Option<Program<'f>>,
    pub(crate) defect: Option<Program<'f>>,
}

impl PlayedFigure<'_> {
    /// The games of the cells that decide the figure's claims, each counted once.
    pub(crate) fn games_of_claims(&self) -> u64 {
        let claims =
            [&self.correct, &self.defect].into_iter().flatten().flat_map(|one| &one.judgement.claims);
        let cells: BTreeSet<CellId> = claims.flat_map(|claim| claim.cells.iter().copied()).collect();
        let points = self.report.series.iter().flat_map(|series| &series.points);
        let games: BTreeMap<CellId, u64> = points.map(|point| (point.cell, 2 * point.pairs)).collect();
        cells.iter().filter_map(|cell| games.get(cell)).sum()
    }
}

/// One program: its points and what they say.
pub(crate) struct Program<'f> {
    pub(crate) comparison: Comparison,
    pub(crate) judgement: Judgement<'f>,
}

/// What was played for all figures.
#[derive(Default)]
pub(crate) struct Work {
    /// The games of each cell. Experiments share cells.
    pub(crate) games: BTreeMap<CellId, u64>,
    /// The CPU time of their moves, in microseconds.
    pub(crate) cpu_us: BTreeMap<CellId, u64>,
}

impl Work {
    fn add(&mut self, report: &ExperimentReport, costs: &Costs) {
        let points = report.series.iter().flat_map(|series| &series.points);
        self.games.extend(points.map(|point| (point.cell, point.games)));
        self.cpu_us.extend(costs.cpu_us().filter(|(cell, _)| self.games.contains_key(cell)));
    }

    pub(crate) fn core_hours(&self) -> f64 {
        self.cpu_us.values().sum::<u64>() as f64 / 3.6e9
    }
}

/// Writes a page for each figure that was played, and a front page with all, beside the file of conclusions.
pub(crate) fn write(path: &Path) -> anyhow::Result<String> {
    let folder = folder_of(path);
    let files = pages(path)?;
    for (name, text) in &files {
        std::fs::write(folder.join(name), text)
            .with_context(|| format!("cannot write {name} in {}", folder.display()))?;
    }
    let pages = files.iter().filter(|(name, _)| name.ends_with(".md")).count();
    Ok(format!("{} in {}\n", counted(pages as u64, "page"), folder.display()))
}

/// The files with their names.
fn pages(path: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let file = file::read(path)?;
    let assumptions = file.assumptions();
    let folder = folder_of(path);
    let report = |figure: &Figure| exported(folder, &figure.name, &file.experiment(figure));
    let results = results(&file, folder, assumptions, report)?;
    let weighed = programs::weigh(&results, assumptions);
    let mut files = Vec::new();
    let mut work = Work::default();
    let mut cells = Vec::new();
    for Result { figure, played } in &results {
        if let Some(played) = played {
            files.push((format!("{}.svg", figure.name), picture::draw(&played.comparison)));
            let costs = costs(folder, &figure.name)?;
            work.add(&played.report, &costs);
            let judged = played.report.series.iter().filter(|series| {
                file.program(series).is_some() && series.budget.to_string() == file.budget(figure)
            });
            cells.push(played::Cells::of(&figure.title, &figure.name, judged));
            let like = weighed.iter().find(|one| one.is_of(figure));
            let text = page::figure(path, &file, figure, played, &costs, like);
            files.push((format!("{}.md", figure.name), text));
        }
    }
    let mut effects = Vec::new();
    for effect in &file.effects {
        let Some(report) = exported(folder, &effect.export(), &effect.experiment())? else { continue };
        work.add(&report, &costs(folder, &effect.export())?);
        cells.push(played::Cells::of(&effect.title, &effect.export(), report.series.iter()));
        let variants = by_time::variants(&report, assumptions.confidence);
        files.push((format!("{}.svg", effect.export()), by_time::draw(effect, &variants)));
        files.push((
            format!("{}.md", effect.export()),
            by_time::page((path, &file), effect, &report, &variants),
        ));
        effects.push(effect);
    }
    if !weighed.is_empty() {
        files.push((format!("{}.svg", programs::NAME), programs::draw(&weighed)));
        files.push((format!("{}.md", programs::NAME), programs::page(&file, &weighed)));
    }
    files.push((format!("{}.md", played::NAME), played::page(&cells)));
    files.push(("conclusions.svg".to_owned(), overview::draw(&results)));
    files.push(("README.md".to_owned(), page::front(&file, &results, &weighed, &effects, &work)));
    Ok(files)
}

/// What the players of a figure cost; nothing before its experiment is exported.
pub(crate) fn costs(folder: &Path, name: &str) -> anyhow::Result<Costs> {
    let path = costs_of(folder, name);
    match std::fs::read(&path) {
        Ok(text) => serde_json::from_slice(&text).with_context(|| format!("{} has no costs", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Costs::default()),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

fn costs_of(folder: &Path, name: &str) -> PathBuf {
    folder.join("results").join(format!("{name}.costs.json"))
}

fn export_of(folder: &Path, name: &str) -> PathBuf {
    folder.join("results").join(format!("{name}.json"))
}

fn bundle_of(folder: &Path, name: &str) -> PathBuf {
    folder.join("games").join(format!("{name}.tar.gz"))
}

/// Every figure beside the report of its experiment.
pub(crate) fn results<'f>(
    file: &'f File,
    folder: &Path,
    assumptions: Assumptions,
    report: impl Fn(&Figure) -> anyhow::Result<Option<ExperimentReport>>,
) -> anyhow::Result<Vec<Result<'f>>> {
    let published = published::read(&folder.join(&file.published))?;
    let result = |figure: &'f Figure| -> anyhow::Result<Result<'f>> {
        let report = report(figure)?;
        let played = report.map(|report| played(file, figure, &published, report, assumptions));
        let played = played.transpose().with_context(|| format!("figure `{}`", figure.name))?;
        Ok(Result { figure, played })
    };
    file.figures.iter().map(result).collect()
}

/// The games of a figure at its budget.
fn played<'f>(
    file: &File,
    figure: &'f Figure,
    published: &[published::Figure],
    report: ExperimentReport,
    assumptions: Assumptions,
) -> anyhow::Result<PlayedFigure<'f>> {
    let budget = file.budget(figure);
    let of = |names: &[&String]| -> anyhow::Result<Option<(Comparison, published::Figure)>> {
        let mut part = report.clone();
        part.series.retain(|series| {
            let is_named = |name: &&String| [&series.group, &series.baseline_label].contains(name);
            names.iter().any(is_named) && series.budget.to_string() == budget
        });
        if part.series.is_empty() {
            return Ok(None);
        }
        let matched = matching::choose(published.to_vec(), std::slice::from_ref(&figure.name), &part)?;
        let theirs = matched.first().context("no published figure")?.figure.clone();
        Ok(Some((report::compare(&part, matched, assumptions), theirs)))
    };
    let both: Vec<&String> = file.correct.iter().chain(&file.defect).collect();
    let Some((mut comparison, theirs)) = of(&both)? else {
        let budgets: BTreeSet<String> =
            report.series.iter().map(|series| series.budget.to_string()).collect();
        let budgets = Vec::from_iter(budgets).join(", ");
        bail!(
            "no case of the programs in `correct` and `defect` has a budget of {budget} (the experiment has: {budgets})"
        );
    };
    figure.check(&theirs)?;
    let program = |names: &[String]| -> anyhow::Result<Option<Program<'f>>> {
        let Some((comparison, theirs)) = of(&names.iter().collect::<Vec<_>>())? else { return Ok(None) };
        figure.check_played(&comparison)?;
        Ok(Some(Program { judgement: judge(figure, &theirs, &comparison, assumptions), comparison }))
    };
    let (correct, defect) = (program(&file.correct)?, program(&file.defect)?);
    for figure in &mut comparison.figures {
        figure.variants = [(CORRECT, &correct), (DEFECT, &defect)].into_iter().flat_map(lines).collect();
    }
    Ok(PlayedFigure { report, comparison, correct, defect })
}

/// The experiments of a file's figures.
pub(crate) async fn figures(
    file: &File,
    path: &Path,
    target: &Target,
) -> anyhow::Result<Vec<ExperimentSummary>> {
    let names: BTreeSet<String> = file.figures.iter().map(|figure| file.experiment(figure)).collect();
    let mut known = target.experiments(true).await?;
    known.retain(|one| names.contains(&one.name));
    ensure!(
        !known.is_empty(),
        "no figure of {} has an experiment here; `gauntlet run` or `gauntlet apply` makes them",
        path.display()
    );
    Ok(known)
}

/// The reports of experiments, by name.
pub(crate) async fn reports(
    target: &Target,
    experiments: impl IntoIterator<Item = &ExperimentSummary>,
) -> anyhow::Result<BTreeMap<String, ExperimentReport>> {
    let mut reports = BTreeMap::new();
    for one in experiments {
        reports.insert(one.name.clone(), report_of(target, &one.id.to_string()).await?);
    }
    Ok(reports)
}

/// A program's line in each panel of the picture, whatever its baselines. Where they share a series, each has its own line.
fn lines((name, program): (&str, &Option<Program<'_>>)) -> Vec<Variant> {
    let mut lines: Vec<Variant> = Vec::new();
    for variant in program.iter().flat_map(|one| one.comparison.variants()) {
        let is_new = |point: &PointReport| variant.points.iter().all(|other| other.series != point.series);
        match lines.iter_mut().find(|line| line.points.iter().all(is_new)) {
            Some(line) => line.points.extend_from_slice(&variant.points),
            None => lines.push(Variant {
                name: if lines.is_empty() { name.to_owned() } else { format!("{name}, {}", variant.name) },
                points: variant.points.clone(),
                tests: None,
            }),
        }
    }
    lines
}

/// How often an experiment is exported again because games arrived meanwhile.
const EXPORTS: usize = 3;

/// Exports the results and the games of the experiments that have games: all of them, or those of the figures that are named.
pub(crate) async fn export(path: &Path, only: &[String], target: &Target) -> anyhow::Result<()> {
    let file = file::read(path)?;
    let names: Vec<String> = file.exports().map(|(_, name)| name).collect();
    if let Some(unknown) = only.iter().find(|name| !names.contains(name)) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        bail!("{} has no figure `{unknown}`; {}", path.display(), nearest(unknown, &names));
    }
    let folder = folder_of(path);
    for folder in [folder.join("results"), folder.join("games")] {
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let known = target.experiments(true).await?;
    for (experiment, name) in file.exports().filter(|(_, name)| only.is_empty() || only.contains(name)) {
        let Some(summary) = known.iter().find(|one| one.name == experiment && one.games_done > 0) else {
            continue;
        };
        let id = summary.id.to_string();
        let mut report = report_of(target, &id).await?;
        let scratch = tempfile::tempdir().context("cannot make a directory for a bundle")?;
        let fresh = scratch.path().join("bundle.tar.gz");
        let mut exports = 0;
        loop {
            bundle::write(target, &id, Some(&fresh)).await?;
            exports += 1;
            // The bundle has to have the games that the report counts.
            let before = std::mem::replace(&mut report, report_of(target, &id).await?);
            if before.summary.games_done == report.summary.games_done {
                break;
            }
            ensure!(
                exports < EXPORTS,
                "games of {experiment} arrived each time that it was exported; pause it, and export again"
            );
        }
        let costs = serde_json::to_string(&Costs::read(&fresh)?)? + "\n";
        deliver(costs.as_bytes(), Some(&costs_of(folder, &name)))?;
        let bundle = bundle_of(folder, &name);
        match bundle.exists() {
            true => {
                eprintln!("{} is there, and a bundle is written once: it is left as it is", bundle.display())
            }
            false => {
                std::fs::copy(&fresh, &bundle)
                    .with_context(|| format!("cannot write {}", bundle.display()))?;
            }
        }
        let text = serde_json::to_string(&report)? + "\n";
        deliver(text.as_bytes(), Some(&export_of(folder, &name)))?;
        eprintln!("{experiment}: {}", counted(report.summary.games_done, "game"));
    }
    Ok(())
}

/// The export of an experiment in the folder of conclusions; none before there is one.
pub(crate) fn exported(
    folder: &Path,
    name: &str,
    experiment: &str,
) -> anyhow::Result<Option<ExperimentReport>> {
    let path = export_of(folder, name);
    let place = path.display();
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("cannot read {place}")),
    };
    let report: ExperimentReport = serde_json::from_str(&text)
        .with_context(|| format!("{place} is no export of `gauntlet results --json`"))?;
    let is_of = &report.summary.name;
    ensure!(is_of == experiment, "{place} has the results of `{is_of}`, and not of `{experiment}`");
    Ok(Some(report))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_of_the_thesis_are_those_of_its_exports() {
        // The pages name the file as it is given.
        std::env::set_current_dir(crate::ROOT).expect("the repository");
        let path = Path::new("docs/thesis/conclusions.toml");
        for (name, text) in pages(path).expect("pages") {
            let stored = std::fs::read_to_string(folder_of(path).join(&name)).expect(&name);
            assert!(
                stored == text,
                "{name} is old: cargo run -p thesis -- pages docs/thesis/conclusions.toml"
            );
        }
    }
}
