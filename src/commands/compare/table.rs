//! The comparison as a table for people.

use super::report::{ChiSquareTest, Comparison, Interval, LEAST_PAIRS, PointReport, Variant, Verdict};
use crate::commands::columns::aligned;
use protocol::words::{count, counted};

const HEADINGS: [&str; 8] =
    ["series", "size", "games", "ours", "interval", "published", "interval", "difference"];

/// The tables of all figures, each with its tests, and a legend.
pub fn table(comparison: &Comparison) -> String {
    let assumptions = &comparison.assumptions;
    let mut out = format!("{}: {}\n", comparison.experiment, comparison.question);
    let mut compared = 0;
    for figure in &comparison.figures {
        for variant in &figure.variants {
            out += &format!("\n{}, {}\n\n{}", figure.figure, variant.name, points(&variant.points));
            out += &in_words(variant);
            compared += variant.points.iter().filter(|point| point.pairs.pairs() >= LEAST_PAIRS).count();
        }
        for note in &figure.notes {
            out += &format!("\n{note}.");
        }
        if !figure.notes.is_empty() {
            out.push('\n');
        }
    }
    out += &format!(
        "\n{} of {} games. Intervals: {} %. A published point without a number of games is assumed to have {} independent \
         games (--games).\nA point agrees if the interval of its difference contains 0 and is at most {} points wide (twice \
         --margin). Fewer than {LEAST_PAIRS} pairs are too few for both verdicts. Of {compared} points with enough, {:.1} differ by \
         chance.\n",
        count(comparison.games_done),
        count(comparison.games_planned),
        round(100.0 * assumptions.confidence, 4),
        assumptions.published_games,
        round(200.0 * assumptions.margin, 4),
        compared as f64 * (1.0 - assumptions.confidence),
    );
    if comparison.games_missing > 0 {
        out += "Games are still missing. The verdicts hold for a number of games that was fixed beforehand: look again at \
                the end.\n";
    } else if comparison.games_done < comparison.games_planned {
        out += "A rule ended cells by their results. The verdicts hold for a number of games that was fixed beforehand: here they are \
                wrong more often.\n";
    }
    out
}

/// A number without trailing zeros.
fn round(number: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (number * scale).round() / scale
}

/// Points as a table.
pub fn points<'p>(points: impl IntoIterator<Item = &'p PointReport>) -> String {
    let mut headings = HEADINGS.map(str::to_owned).to_vec();
    headings.extend(["interval".to_owned(), "verdict".to_owned()]);
    let headings: [String; 10] = headings.try_into().expect("ten columns");
    let rows: Vec<[String; 10]> = std::iter::once(headings).chain(points.into_iter().map(row)).collect();
    aligned(&rows, 1)
}

fn row(point: &PointReport) -> [String; 10] {
    let dash = || "-".to_owned();
    let percent = |value: f64| format!("{:.1} %", 100.0 * value);
    let ends = |interval: &Interval| format!("{:.1} to {:.1}", 100.0 * interval.low, 100.0 * interval.high);
    [
        point.series.clone(),
        point.size.to_string(),
        point.ours.and_then(|ours| ours.games).unwrap_or(0).to_string(),
        point.ours.map_or_else(dash, |ours| percent(ours.value)),
        point.ours.as_ref().map_or_else(dash, ends),
        percent(point.published.value),
        ends(&point.published),
        point.difference.map_or_else(dash, |found| format!("{:+.1}", 100.0 * found.value)),
        point
            .difference
            .as_ref()
            .map_or_else(dash, |found| format!("{:+.1} to {:+.1}", 100.0 * found.low, 100.0 * found.high)),
        verdict(point.verdict).to_owned(),
    ]
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Agrees => "agrees",
        Verdict::Differs => "differs",
        Verdict::TooFewGames => "undecided: too few games",
        Verdict::NotPlayed => "no games yet",
    }
}

/// The verdicts in numbers, and the tests.
fn in_words(variant: &Variant) -> String {
    let count = |verdict| variant.count(verdict);
    let mut out = format!(
        "\n{} of {} points agree, {} differ, {} are undecided",
        count(Verdict::Agrees),
        variant.points.len(),
        count(Verdict::Differs),
        count(Verdict::TooFewGames),
    );
    if count(Verdict::NotPlayed) > 0 {
        out += &format!(", {} have no games", count(Verdict::NotPlayed));
    }
    out += ".\n";
    let Some(tests) = &variant.tests else { return out };
    let mean = &tests.mean;
    out += &format!(
        "On average ours is {:+.1} points, {:+.1} to {:+.1}. All differences are 0: {}.",
        100.0 * mean.value,
        100.0 * mean.low,
        100.0 * mean.high,
        test(&tests.all_zero)
    );
    if let Some(equal) = &tests.all_equal {
        out += &format!(" All are equal (heterogeneity): {}.", test(equal));
    }
    out + "\n"
}

fn test(test: &ChiSquareTest) -> String {
    let p = if test.p_value < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {:.4}", test.p_value) };
    let degrees = counted(test.degrees_of_freedom.into(), "degree");
    format!("chi-square {:.1} with {degrees} of freedom, {p}", test.chi_square)
}
