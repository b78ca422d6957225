//! The comparison as a picture: a panel for each series, win rate by board size.

pub use super::report::Interval;
use super::report::{Comparison, FigureReport, LEAST_PAIRS, PointReport, Verdict};
use engine::havannah::BoardSize;
use std::fmt::Write;

const COLUMNS: usize = 4;
const PANEL: (f64, f64) = (230.0, 180.0);
/// The free space in a panel around its plot: left, top, right, bottom.
const MARGIN: (f64, f64, f64, f64) = (34.0, 24.0, 8.0, 24.0);
/// The colours and shapes of variants; colours that also colour-blind people tell apart.
const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b"];
/// The colour of published points.
pub const PUBLISHED: &str = "#777777";
/// The distance between markers of one size, so that their intervals do not hide each other.
const APART: f64 = 5.0;

/// Draws the comparison as SVG.
pub fn draw(comparison: &Comparison) -> String {
    let width = PANEL.0 * COLUMNS as f64 + 20.0;
    let mut body = String::new();
    let mut y = 26.0;
    text(&mut body, (10.0, y), "start", 15.0, &format!("{}: {}", comparison.experiment, comparison.question));
    for figure in &comparison.figures {
        let published = match comparison.figures.as_slice() {
            [_] => "the publication".to_owned(),
            _ => format!("{}, published", figure.figure),
        };
        let variants = figure.variants.iter().map(|variant| variant.name.as_str());
        let names = std::iter::once(published.as_str()).chain(variants);
        let top = names_of_lines(&mut body, (width, y + 26.0), names.enumerate());
        y = draw_panels(&mut body, figure, top);
    }
    let assumptions = &comparison.assumptions;
    let caption = format!(
        "Win rate in per cent by board size, {} % intervals. Published points are taken for {} games. ≠: the point differs. Pale: fewer \
         than {LEAST_PAIRS} pairs.",
        100.0 * assumptions.confidence,
        assumptions.published_games
    );
    y += 16.0;
    text(&mut body, (10.0, y), "start", 11.0, &caption);
    let height = y + 14.0;
    document((width, height), &body)
}

/// A whole picture.
pub fn document((width, height): (f64, f64), body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"system-ui, sans-serif\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// Draws the lines of five rates across a plot, with their numbers in per cent.
pub fn rates(out: &mut String, left: f64, width: f64, y: impl Fn(f64) -> f64) {
    for percent in [0, 25, 50, 75, 100] {
        let at = y(f64::from(percent) / 100.0);
        let dash = if percent == 50 { "" } else { " stroke-dasharray=\"2 3\"" };
        let _ = writeln!(out, "<path d=\"M{left:.1} {at:.1}h{width:.1}\" stroke=\"#cccccc\"{dash}/>");
        text(out, (left - 4.0, at + 3.5), "end", 10.0, &percent.to_string());
    }
}

/// Draws the names of lines beside each other, each behind its marker, in rows of at most this width. The line of shape 0 is the
/// published one. Returns where the last row is.
pub fn names_of_lines<'n>(
    out: &mut String,
    (width, mut top): (f64, f64),
    names: impl Iterator<Item = (usize, &'n str)>,
) -> f64 {
    let mut x = 10.0;
    for (shape, name) in names {
        let length = 34.0 + 6.6 * name.chars().count() as f64;
        if x > 10.0 && x + length > width {
            (x, top) = (10.0, top + 18.0);
        }
        let colour = shape.checked_sub(1).map_or(PUBLISHED, colour);
        marker(out, (x + 5.0, top - 4.0), colour, shape);
        text(out, (x + 14.0, top), "start", 12.0, name);
        x += length;
    }
    top
}

/// Draws the panels of a figure below `top`; returns the lower end.
fn draw_panels(out: &mut String, figure: &FigureReport, top: f64) -> f64 {
    let mut series: Vec<&str> = Vec::new();
    for point in figure.variants.iter().flat_map(|variant| &variant.points) {
        if !series.contains(&point.series.as_str()) {
            series.push(&point.series);
        }
    }
    for (i, name) in series.iter().enumerate() {
        let corner = (10.0 + PANEL.0 * (i % COLUMNS) as f64, top + 10.0 + PANEL.1 * (i / COLUMNS) as f64);
        draw_panel(out, figure, name, corner);
    }
    top + 10.0 + PANEL.1 * series.len().div_ceil(COLUMNS) as f64
}

fn draw_panel(out: &mut String, figure: &FigureReport, series: &str, corner: (f64, f64)) {
    let (left, top) = (corner.0 + MARGIN.0, corner.1 + MARGIN.1);
    let (width, height) = (PANEL.0 - MARGIN.0 - MARGIN.2, PANEL.1 - MARGIN.1 - MARGIN.3);
    let of = |points: &'_ [PointReport]| -> Vec<usize> {
        points.iter().enumerate().filter(|(_, point)| point.series == series).map(|(i, _)| i).collect()
    };
    let mut sizes: Vec<BoardSize> =
        figure.variants.iter().flat_map(|v| of(&v.points).into_iter().map(|i| v.points[i].size)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let x = |size: BoardSize| {
        let index = sizes.iter().position(|known| *known == size).unwrap_or(0);
        left + width * (index as f64 + 0.5) / sizes.len() as f64
    };
    let y = |rate: f64| top + height * (1.0 - rate);
    text(out, (left, corner.1 + 16.0), "start", 12.0, series);
    rates(out, left, width, y);
    for size in &sizes {
        text(out, (x(*size), top + height + 15.0), "middle", 10.0, &size.to_string());
    }
    let lines = figure.variants.len() + 1;
    let shift = |line: usize| APART * (line as f64 - (lines - 1) as f64 / 2.0);
    // The published points are the same for all variants.
    let longest = figure
        .variants
        .iter()
        .map(|variant| (of(&variant.points), variant))
        .max_by_key(|(points, _)| points.len());
    if let Some((points, variant)) = longest {
        let points = points
            .into_iter()
            .map(|i| (x(variant.points[i].size) + shift(0), variant.points[i].published, false));
        draw_line(out, points.collect(), PUBLISHED, 0, y);
    }
    for (i, variant) in figure.variants.iter().enumerate() {
        let points = of(&variant.points).into_iter().map(|at| &variant.points[at]);
        let (known, few): (Vec<&PointReport>, _) =
            points.partition(|point| point.pairs.pairs() >= LEAST_PAIRS);
        let at = |point: &PointReport| {
            Some((x(point.size) + shift(i + 1), point.ours?, point.verdict == Verdict::Differs))
        };
        draw_line(out, known.into_iter().filter_map(at).collect(), colour(i), i + 1, y);
        for point in few.into_iter().filter_map(at) {
            out.push_str("<g opacity=\"0.3\">\n");
            draw_line(out, vec![point], colour(i), i + 1, y);
            out.push_str("</g>\n");
        }
    }
}

/// Draws a line through points, each with its interval and a mark if it differs.
pub fn draw_line(
    out: &mut String,
    points: Vec<(f64, Interval, bool)>,
    colour: &str,
    shape: usize,
    y: impl Fn(f64) -> f64,
) {
    if points.is_empty() {
        return;
    }
    let path: Vec<String> =
        points.iter().map(|(x, point, _)| format!("{x:.1} {:.1}", y(point.value))).collect();
    let dash = if shape == 0 { " stroke-dasharray=\"4 3\"" } else { "" };
    let _ = writeln!(out, "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\"{dash}/>", path.join("L"));
    for (x, point, differs) in points {
        let (low, high) = (y(point.low), y(point.high));
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\" stroke-opacity=\"0.6\"/>"
        );
        marker(out, (x, y(point.value)), colour, shape);
        if differs {
            text(out, (x, high - 3.0), "middle", 10.0, "≠");
        }
    }
}

/// The marker of a line; only the published one is hollow.
pub fn marker(out: &mut String, (x, y): (f64, f64), colour: &str, shape: usize) {
    let _ = match shape.checked_sub(1).map(|line| line % 3) {
        None => writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"#ffffff\" stroke=\"{colour}\"/>"
        ),
        Some(0) => writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"),
        Some(1) => writeln!(out, "<path d=\"M{:.1} {:.1}h6v6h-6z\" fill=\"{colour}\"/>", x - 3.0, y - 3.0),
        _ => writeln!(out, "<path d=\"M{x:.1} {:.1}l3.5 6h-7z\" fill=\"{colour}\"/>", y - 4.0),
    };
}

/// The colour of a variant.
pub fn colour(variant: usize) -> &'static str {
    COLOURS[variant % COLOURS.len()]
}

/// Writes a text of this size at a place.
pub fn text(out: &mut String, at: (f64, f64), anchor: &str, size: f64, text: &str) {
    text_in("#222222", out, at, anchor, size, text);
}

/// Text in a colour.
pub fn text_in(colour: &str, out: &mut String, (x, y): (f64, f64), anchor: &str, size: f64, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" font-size=\"{size}\" fill=\"{colour}\">{text}</text>"
    );
}
