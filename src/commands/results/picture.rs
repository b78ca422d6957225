//! Results as a picture: for each baseline and budget, the win rate of the best cases by board size.

use crate::commands::compare::picture::{Interval, colour, document, draw_line, names_of_lines, rates, text};
use coordinator::keep_best;
use protocol::report::{ExperimentReport, Point, Series};
use protocol::words::counted;

const WIDTH: f64 = 760.0;
const PLOT: f64 = 260.0;
const LEFT: f64 = 44.0;
/// The distance between the points of one size, at most, so that their intervals do not hide each other.
const APART: f64 = 9.0;

/// Draws the `most` best cases of each panel as SVG. Cases are ordered by the lower ends of their intervals, as on the page.
pub(super) fn draw(report: &ExperimentReport, most: usize) -> String {
    let all = report.series.len();
    let mut report = report.clone();
    keep_best(&mut report, most);
    let mut panels: Vec<(String, Vec<&Series>)> = Vec::new();
    for series in &report.series {
        let title = format!("against {}, {} a move", series.baseline_label, series.budget.words());
        match panels.iter_mut().find(|(known, _)| *known == title) {
            Some((_, panel)) => panel.push(series),
            None => panels.push((title, vec![series])),
        }
    }
    let summary = &report.summary;
    let mut body = String::new();
    let mut y = 26.0;
    text(&mut body, (10.0, y), "start", 15.0, &format!("{}: {}", summary.name, summary.question));
    for (title, series) in &panels {
        y = draw_panel(&mut body, &report, (title, series), y + 26.0);
    }
    let left_out = match all - report.series.len() {
        0 => String::new(),
        others => format!(
            " The best {} of {all}; {} left out.",
            counted(report.series.len() as u64, "case"),
            if others == 1 { "one is".to_owned() } else { format!("{others} are") }
        ),
    };
    let caption = format!(
        "Win rate in per cent by board size, {:.0} % intervals for a number of games that was fixed beforehand. {} of {} games.{left_out}",
        100.0 * report.confidence,
        summary.games_done,
        summary.games_planned
    );
    text(&mut body, (10.0, y + 20.0), "start", 11.0, &caption);
    document((WIDTH, y + 34.0), &body)
}

/// Draws a panel below `top`; returns the lower end.
fn draw_panel(
    out: &mut String,
    report: &ExperimentReport,
    (title, series): (&str, &[&Series]),
    top: f64,
) -> f64 {
    text(out, (10.0, top), "start", 13.0, title);
    let names = series.iter().enumerate().map(|(place, series)| (place + 1, series.title()));
    let top = names_of_lines(out, (WIDTH, top + 22.0), names) + 16.0;
    let width = WIDTH - LEFT - 10.0;
    let column = width / report.sizes.len().max(1) as f64;
    let y = |rate: f64| top + PLOT * (1.0 - rate);
    rates(out, LEFT, width, y);
    for (place, size) in report.sizes.iter().enumerate() {
        let x = LEFT + column * (place as f64 + 0.5);
        text(out, (x, top + PLOT + 15.0), "middle", 10.0, &format!("size {size}"));
    }
    let apart = APART.min(0.8 * column / series.len().max(1) as f64);
    let middle = series.len().saturating_sub(1) as f64 / 2.0;
    for (place, series) in series.iter().enumerate() {
        let shift = apart * (place as f64 - middle);
        let at = |point: &Point| {
            let column_of = report.sizes.iter().position(|size| *size == point.size)?;
            let estimate = point.estimate?;
            let interval =
                Interval { value: estimate.rate, low: estimate.low, high: estimate.high, games: None };
            Some((LEFT + column * (column_of as f64 + 0.5) + shift, interval, false))
        };
        draw_line(out, series.points.iter().filter_map(at).collect(), colour(place), place + 1, y);
    }
    top + PLOT + 22.0
}
