//! An effect at several budgets: its page and its picture.

use crate::file::{ByTime, File};
use crate::judge::SIZES_DIFFER;
use crate::page::{again, games_of};
use engine::havannah::BoardSize;
use gauntlet::commands::compare::picture::{colour, document, draw_line, names_of_lines, rates, text};
use gauntlet::commands::compare::report::Interval;
use indicatif::HumanCount;
use protocol::lease::Budget;
use protocol::report::{ExperimentReport, Series};
use stats::{PairCounts, Rate, StratifiedMean, Summary, heterogeneity_of_cells, live_summary};
use std::fmt::Write;
use std::path::Path;

/// A case against a baseline, at several budgets.
pub(crate) struct Variant {
    name: String,
    /// In ascending order.
    budgets: Vec<AtBudget>,
}

struct AtBudget {
    budget: Budget,
    /// The mean over all sizes, each with the same weight, with its confidence sequence; none before every size has a complete pair.
    mean: Option<Interval>,
    /// Whether the sizes have different rates.
    differ: bool,
    sizes: Vec<(BoardSize, Option<Interval>)>,
}

/// The variants of an experiment.
pub(crate) fn variants(report: &ExperimentReport, confidence: f64) -> Vec<Variant> {
    let name = |series: &Series| format!("{} against {}", series.title(), series.baseline_label);
    let mut variants: Vec<Variant> = Vec::new();
    for series in &report.series {
        let of = name(series);
        let at = at_budget(series, confidence);
        match variants.iter_mut().find(|variant| variant.name == of) {
            Some(variant) => variant.budgets.push(at),
            None => variants.push(Variant { name: of, budgets: vec![at] }),
        }
    }
    for variant in &mut variants {
        variant.budgets.sort_by(|a, b| amount(a.budget).total_cmp(&amount(b.budget)));
    }
    variants
}

/// Reference seconds, or simulations. An experiment has only one of them.
fn amount(budget: Budget) -> f64 {
    match budget {
        Budget::Sims(sims) => sims as f64,
        Budget::ReferenceSeconds(seconds) => seconds,
    }
}

fn at_budget(series: &Series, confidence: f64) -> AtBudget {
    let cells: Vec<PairCounts> = series.points.iter().map(|point| point.pair_counts.into()).collect();
    let begun = series.points.iter().zip(&cells).map(|(point, cell)| (*cell, point.unfinished(), 1.0));
    let mean = StratifiedMean::begun(begun).map(|mean| {
        let (low, high) = mean.sequence(confidence).expect("the confidence was checked");
        Interval { value: mean.rate, low, high, games: None }
    });
    let found: Vec<Option<Summary>> = series
        .points
        .iter()
        .zip(&cells)
        .map(|(point, cell)| live_summary(cell, &point.unfinished(), confidence))
        .collect();
    let differ = heterogeneity_of_cells(&found.iter().copied().flatten().collect::<Vec<_>>());
    let sizes = series.points.iter().zip(&cells).zip(&found).map(|((point, cell), found)| {
        (point.size, found.as_ref().map(|found| Interval::of(&Rate::from(found), 2 * cell.pairs())))
    });
    AtBudget {
        budget: series.budget,
        mean,
        differ: differ.is_some_and(|test| test.p_value < SIZES_DIFFER),
        sizes: sizes.collect(),
    }
}

/// The page. `file` has the conclusions.
pub(crate) fn page(
    (path, file): (&Path, &File),
    effect: &ByTime,
    report: &ExperimentReport,
    variants: &[Variant],
) -> String {
    let mut out = format!("# {}\n\n{}\n", effect.title, report.summary.question);
    if !effect.finding.is_empty() {
        let _ = write!(out, "\n**{}**\n", effect.finding);
    }
    let _ = write!(out, "\n![win rate by budget]({}.svg)\n", effect.export());
    for variant in variants {
        let sizes = variant.budgets.first().map(|at| at.sizes.as_slice()).unwrap_or_default();
        let heads: String = sizes.iter().map(|(size, _)| format!(" size {size} |")).collect();
        let _ = write!(out, "\n## {}\n\n| for a move | games | mean |{heads}\n", variant.name);
        let _ = writeln!(out, "| --- | ---: | ---: |{}", " ---: |".repeat(sizes.len()));
        for at in &variant.budgets {
            let games: u64 = at.sizes.iter().filter_map(|(_, rate)| rate.as_ref()?.games).sum();
            let cells: String =
                at.sizes.iter().map(|(_, rate)| format!(" {} |", shown(rate.as_ref()))).collect();
            let differ = if at.differ { ", differ" } else { "" };
            let mean = shown(at.mean.as_ref());
            let _ = writeln!(out, "| {} | {} | {mean}{differ} |{cells}", at.budget, HumanCount(games));
        }
    }
    out += "\nWin rates in per cent. All sizes of the table count alike in their mean. Its interval is a 95 % confidence sequence, which holds at \
            every look. Sizes \"differ\" if Cochran's test has a p-value below 0.05: then the mean says little about one size. The intervals of sizes are those of a fixed number of games. A figure with the same players, size and budget has the \
            same games.\n";
    let is_named =
        |name: &&String| variants.iter().any(|variant| variant.name.split(' ').any(|word| word == *name));
    let names = [&file.correct, &file.defect].map(|names| names.iter().find(is_named));
    if let [Some(correct), Some(defect)] = names {
        let _ = write!(out, "\n`{correct}` is the correct program, `{defect}` the published one.\n");
    }
    let first = report.series.first();
    let games = first.and_then(|one| Some(games_of(one, one.points.first()?.size))).unwrap_or_default();
    out + &again((path, file), &report.summary.name, &effect.export(), &games)
}

fn shown(rate: Option<&Interval>) -> String {
    rate.map_or("–".to_owned(), |one| {
        let [value, low, high] = [one.value, one.low, one.high].map(|rate| 100.0 * rate);
        // An end near 50 % gets a digit, which tells on which side it lies.
        let digits = usize::from([low, high].iter().any(|end| end.round() == 50.0));
        format!("{value:.0} [{low:.digits$}, {high:.digits$}]")
    })
}

const PLOT: (f64, f64) = (420.0, 220.0);
const LEFT: f64 = 50.0;

/// The means over all sizes, by budget on a logarithmic axis.
pub(crate) fn draw(effect: &ByTime, variants: &[Variant]) -> String {
    let (left, width) = (LEFT, LEFT + PLOT.0 + 20.0);
    let mut body = String::new();
    text(&mut body, (10.0, 22.0), "start", 15.0, &effect.title);
    let names = (1..).zip(variants.iter().map(|variant| variant.name.as_str()));
    let top = 18.0 + names_of_lines(&mut body, (width, 42.0), names);
    let mut budgets: Vec<Budget> =
        variants.iter().flat_map(|v| v.budgets.iter().map(|at| at.budget)).collect();
    budgets.sort_by(|a, b| amount(*a).total_cmp(&amount(*b)));
    budgets.dedup();
    let ends = [budgets.first(), budgets.last()].map(|end| end.map_or(1.0, |budget| amount(*budget)).ln());
    let span = (ends[1] - ends[0]).max(1e-9);
    let x = |budget: Budget| left + 20.0 + (PLOT.0 - 40.0) * (amount(budget).ln() - ends[0]) / span;
    let y = |rate: f64| top + PLOT.1 * (1.0 - rate);
    rates(&mut body, left, PLOT.0, y);
    for budget in &budgets {
        text(&mut body, (x(*budget), top + PLOT.1 + 16.0), "middle", 10.0, &budget.to_string());
    }
    let unit = match budgets.first() {
        Some(Budget::Sims(_)) => "simulations",
        Some(Budget::ReferenceSeconds(_)) | None => "time",
    };
    let middle = left + PLOT.0 / 2.0;
    text(&mut body, (middle, top + PLOT.1 + 34.0), "middle", 11.0, &format!("{unit} for a move"));
    let caption = "Win rate in per cent, mean over the sizes, with 95 % confidence sequences.";
    text(&mut body, (10.0, top + PLOT.1 + 54.0), "start", 11.0, caption);
    for (i, variant) in variants.iter().enumerate() {
        // Markers of one budget stand beside each other.
        let shift = 5.0 * (i as f64 - (variants.len() - 1) as f64 / 2.0);
        let points = variant.budgets.iter().filter_map(|at| Some((x(at.budget) + shift, at.mean?, false)));
        draw_line(&mut body, points.collect(), colour(i), i + 1, y);
    }
    document((width, top + PLOT.1 + 66.0), &body)
}
