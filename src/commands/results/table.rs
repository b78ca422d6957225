//! Results as a table for people.

use crate::commands::columns::{aligned, percent};
use protocol::prefix::short;
use protocol::report::{ExperimentReport, Point, Series};
use protocol::words::{count, counted};
use stats::Summary;
use std::collections::{BTreeSet, HashSet};

const HEADINGS: [&str; 13] = [
    "case",
    "against",
    "budget",
    "size",
    "games",
    "wins",
    "draws",
    "losses",
    "win rate",
    "interval",
    "at any look",
    "verdict",
    "cell",
];
/// The most cells with unfinished pairs that are listed one by one; of more, the sum is printed.
const MOST_UNFINISHED: usize = 5;
/// The number of left-aligned columns, which contain words. The other columns contain numbers.
const WORDS: usize = 3;

/// The table with one row per cell, and a legend.
pub(crate) fn table(report: &ExperimentReport) -> String {
    let summary = &report.summary;
    let mut out = format!("{}: {}\n\n", summary.name, summary.question);
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    let cells = short(&points(report).map(|(_, point)| point.cell.0).collect::<Vec<_>>());
    rows.extend(points(report).zip(cells).map(|((series, point), cell)| row(series, point, cell)));
    out.push_str(&aligned(&rows, WORDS));
    let budgets: BTreeSet<String> = report.series.iter().map(|series| series.budget.words()).collect();
    let place = |series: &Series, point: &Point| {
        let budget = if budgets.len() > 1 { format!(", {}", series.budget.words()) } else { String::new() };
        format!("{} against {}, size {}{budget}", series.title(), series.baseline_label, point.size)
    };
    for (series, point) in points(report) {
        if let Some(stopping) = &point.stopping {
            out.push_str(&format!("\n{}: {}", place(series, point), stopping.words));
        }
    }
    let unfinished =
        points(report).filter_map(|(series, point)| Some((series, point, point.missing.as_ref()?)));
    let unfinished: Vec<_> = unfinished.collect();
    if unfinished.len() > MOST_UNFINISHED {
        let pairs = unfinished.iter().map(|(_, _, missing)| missing.pairs).sum();
        out.push_str(&format!(
            "\n{} of {} are begun and not finished: what is said of these cells holds however they end",
            counted(pairs, "pair"),
            counted(unfinished.len() as u64, "cell"),
        ));
    } else {
        for (series, point, missing) in unfinished {
            out.push_str(&format!("\n{}: {}", place(series, point), missing.words));
        }
    }
    let voids: u64 = points(report).map(|(_, point)| point.void_games).sum();
    if report
        .series
        .iter()
        .flat_map(|series| &series.points)
        .any(|point| point.missing.is_some() || point.stopping.is_some())
    {
        out.push('\n');
    }
    out.push_str(&confirmations(report));
    let planned =
        if summary.is_control { String::new() } else { format!(" of {}", count(summary.games_planned)) };
    out.push_str(&format!(
        "\n{}{planned} games. Win rates are the case's, over complete pairs, draws as half; intervals: {:.0} %, {}.\n",
        count(summary.games_done),
        100.0 * report.confidence,
        report.interval_method
    ));
    if voids > 0 {
        // A cell is named if more than half of them are its own.
        let most = points(report).find(|(_, point)| 2 * point.void_games > voids);
        let most = most.map_or(String::new(), |(series, point)| {
            let how_many = match point.void_games {
                1 if voids == 1 => String::new(),
                all if all == voids => ", all of them".to_owned(),
                many => format!(", {many} of them"),
            };
            format!("{how_many} in {}", place(series, point))
        });
        out.push_str(&format!(
            "{} void{most}: attempts that failed, and plays that were excluded. They are no losses.\n",
            counted(voids, "game")
        ));
    }
    out.push_str(&format!(
        "The interval is right for a number of games that was fixed beforehand. At any look the true rate is in the wider \
         range: {}. {}\n",
        report.sequence_method, report.guarantee
    ));
    if report.series.iter().flat_map(|series| &series.points).any(|point| point.games > point.games_planned) {
        out.push_str(
            "Cells with more games than planned: another experiment shares them, or an earlier revision planned more. All \
             their games count.\n",
        );
    }
    for warning in &report.warnings {
        out.push_str(&format!("\nWARNING: {warning}.\n"));
    }
    out
}

/// Confirmed and promoted cases, a line each.
fn confirmations(report: &ExperimentReport) -> String {
    let mut lines: Vec<String> = Vec::new();
    if let Some(confirms) = &report.summary.confirms {
        lines.push(format!("This experiment confirms {confirms}."));
    }
    for series in &report.series {
        let of = || format!("{} against {}", series.title(), series.baseline_label);
        let said = series.confirmation.as_ref();
        lines.extend(said.map(|found| format!("{}: {} (experiment {}).", of(), found.words, found.name)));
        let name = series.promoted.as_ref();
        lines.extend(name.map(|name| format!("{} is the baseline {name}.", series.title())));
    }
    // Every budget of a case has a series of its own.
    let mut seen = HashSet::new();
    lines.retain(|line| seen.insert(line.clone()));
    if lines.is_empty() { String::new() } else { format!("\n{}\n", lines.join("\n")) }
}

/// Every cell with its series.
fn points(report: &ExperimentReport) -> impl Iterator<Item = (&Series, &Point)> {
    report.series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)))
}

fn row(series: &Series, point: &Point, cell: String) -> [String; HEADINGS.len()] {
    let interval = |ends: fn(&Summary) -> (f64, f64)| match point.estimate.as_ref().map(ends) {
        Some((low, high)) => format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
        None => "-".to_owned(),
    };
    [
        series.title().to_owned(),
        series.baseline_label.clone(),
        series.budget.words(),
        point.size.to_string(),
        point.games.to_string(),
        point.wins.to_string(),
        point.draws.to_string(),
        point.losses.to_string(),
        percent(point.estimate.map(|estimate| estimate.rate)),
        interval(|estimate| (estimate.low, estimate.high)),
        interval(|estimate| (estimate.cs_low, estimate.cs_high)),
        point.verdict.name().replace('_', " "),
        cell,
    ]
}
