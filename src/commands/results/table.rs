//! Results as a table for people.

use protocol::prefix::short;
use protocol::report::{ExperimentReport, Point, Series};

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
    for (series, point) in points(report) {
        if let Some(stopping) = &point.stopping {
            out.push_str(&format!(
                "
{} against {}, size {}: {}",
                series.title(),
                series.baseline_label,
                point.size,
                stopping.words
            ));
        }
        if let Some(missing) = &point.missing {
            let (name, baseline_label) = (series.title(), &series.baseline_label);
            out.push_str(&format!(
                "\n{name} against {baseline_label}, size {}: {}",
                point.size, missing.words
            ));
        }
    }
    if report
        .series
        .iter()
        .flat_map(|series| &series.points)
        .any(|point| point.missing.is_some() || point.stopping.is_some())
    {
        out.push('\n');
    }
    out.push_str(&format!(
        "\n{} of {} games. Win rates are the case's, over complete pairs, draws as half; intervals: {:.0} %, {}.\n",
        summary.games_done,
        summary.games_planned,
        100.0 * report.confidence,
        report.interval_method
    ));
    out.push_str(&format!(
        "The interval is right for a number of games that was fixed beforehand. At any look the true rate is in the wider \
         range: {}. {}\n",
        report.sequence_method, report.guarantee
    ));
    if report.series.iter().flat_map(|series| &series.points).any(|point| point.games > point.games_planned) {
        out.push_str(
            "Cells with more games than this experiment plans are shared with another experiment: their games count in \
             both.\n",
        );
    }
    for warning in &report.warnings {
        out.push_str(&format!("\nWARNING: {warning}.\n"));
    }
    out
}

/// Rows with columns of equal width, the first `words` of them aligned to the left.
pub(crate) fn aligned<const N: usize>(rows: &[[String; N]], words: usize) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let mut out = String::new();
    for row in rows {
        let fields: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (field, &width))| {
                    if column < words { format!("{field:<width$}") } else { format!("{field:>width$}") }
                },
            )
            .collect();
        out.push_str(fields.join("  ").trim_end());
        out.push('\n');
    }
    out
}

/// Every cell with its series.
fn points(report: &ExperimentReport) -> impl Iterator<Item = (&Series, &Point)> {
    report.series.iter().flat_map(|series| series.points.iter().map(move |point| (series, point)))
}

fn row(series: &Series, point: &Point, cell: String) -> [String; HEADINGS.len()] {
    let interval = |low: Option<f64>, high: Option<f64>| match (low, high) {
        (Some(low), Some(high)) => format!("{:.1} to {:.1} %", 100.0 * low, 100.0 * high),
        _ => "-".to_owned(),
    };
    [
        series.title().to_owned(),
        series.baseline_label.clone(),
        series.budget.to_string(),
        point.size.to_string(),
        point.games.to_string(),
        point.wins.to_string(),
        point.draws.to_string(),
        point.losses.to_string(),
        percent(point.rate),
        interval(point.low, point.high),
        interval(point.cs_low, point.cs_high),
        point.verdict.name().to_owned(),
        cell,
    ]
}

/// A rate in per cent, or a dash if there is none.
pub(crate) fn percent(rate: Option<f64>) -> String {
    rate.map_or("-".to_owned(), |rate| format!("{:.1} %", 100.0 * rate))
}
