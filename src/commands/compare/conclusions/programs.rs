//! Which of the two programs the published points of each figure resemble.

use super::super::picture::{colour, document, marker, text};
use super::super::report::{Assumptions, LEAST_PAIRS, PointReport};
use super::file::{CORRECT, DEFECT, Figure, File};
use super::{Program, Result};
use protocol::words::counted;
use stats::{Rate, Resemblance, resemblance, summary};
use std::fmt::Write;

/// The name of the page and of its picture.
pub(super) const NAME: &str = "programs";
/// Odds from which a figure is said to resemble one of the programs.
const CLEAR: f64 = 20.0;
/// A program fits the points from which it is no farther, as rates. The thesis states such an error for its points.
const FITS: f64 = 0.05;

/// A figure whose points both programs have played.
pub(super) struct Weighed<'f> {
    figure: &'f Figure,
    found: Resemblance,
}

/// The figures that have points of both programs, in the order of the file.
pub(super) fn weigh<'f>(results: &[Result<'f>], assumptions: Assumptions) -> Vec<Weighed<'f>> {
    let of = |result: &Result<'f>| {
        let [correct, defect] = result.programs();
        let [correct, defect] = [correct?, defect?]
            .map(|one| points(one).filter(|point| point.pairs.pairs() >= LEAST_PAIRS).collect::<Vec<_>>());
        let both = correct.iter().filter_map(|point| {
            let is_same = |other: &&&PointReport| (&other.series, other.size) == (&point.series, point.size);
            let other = defect.iter().find(is_same)?;
            rates(point, other, assumptions)
        });
        Some(Weighed { figure: result.figure, found: resemblance(&both.collect::<Vec<_>>())? })
    };
    results.iter().filter_map(of).collect()
}

/// The points of a program that have a published counterpart.
pub(super) fn points<'p>(program: &'p Program<'_>) -> impl Iterator<Item = &'p PointReport> {
    let variants = program.comparison.figures.iter().flat_map(|figure| &figure.variants);
    variants.flat_map(|variant| &variant.points)
}

/// The rates of both programs, and the published one.
fn rates(correct: &PointReport, defect: &PointReport, assumptions: Assumptions) -> Option<([Rate; 2], Rate)> {
    let ours = |point: &PointReport| summary(&point.pairs, assumptions.confidence).as_ref().map(Rate::from);
    let theirs = correct.published;
    let published = Rate::published(theirs.value, theirs.games? as f64, assumptions.confidence).ok()?;
    Some(([ours(correct)?, ours(defect)?], published))
}

/// What the points of a figure say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Like {
    /// This program, and whether it fits.
    Program(usize, bool),
    Open,
}

impl Weighed<'_> {
    pub(super) fn is_of(&self, figure: &Figure) -> bool {
        self.figure.name == figure.name
    }

    fn like(&self) -> Like {
        let program = usize::from(self.found.ln_odds < 0.0);
        match self.found.ln_odds.abs() >= CLEAR.ln() {
            true => Like::Program(program, self.found.distances[program] <= FITS),
            false => Like::Open,
        }
    }

    /// In words, with the odds.
    pub(super) fn words(&self) -> String {
        let odds = match self.found.ln_odds.abs().exp() {
            odds if odds > 1000.0 => "more than 1,000 : 1".to_owned(),
            odds if odds < 10.0 => format!("{odds:.1} : 1"),
            odds => format!("{odds:.0} : 1"),
        };
        let name = [CORRECT, DEFECT][usize::from(self.found.ln_odds < 0.0)];
        match self.like() {
            Like::Program(_, true) => format!("*{name}* ({odds})"),
            Like::Program(_, false) => format!("nearer to *{name}* ({odds}), and fits neither"),
            Like::Open => format!("open ({odds} for *{name}*)"),
        }
    }
}

/// The answer for the front page.
pub(super) fn sentence(weighed: &[Weighed<'_>]) -> String {
    let names = |is: Like| {
        let names: Vec<&str> =
            weighed.iter().filter(|one| one.like() == is).map(|one| one.figure.title.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join("; ") }
    };
    let count = |is: fn(Like) -> bool| weighed.iter().filter(|one| is(one.like())).count();
    format!(
        "\n**Which program do the published points resemble?** Not always the published one ([how we know]({NAME}.md)). Like a {CORRECT}: {}. Like the program {DEFECT}: {}. \
         {} between the two, and {} nearer to one of them and {} neither.\n",
        names(Like::Program(0, true)),
        names(Like::Program(1, true)),
        super::page::verb(count(|like| like == Like::Open), ["figure is", "figures are"]),
        super::page::verb(count(|like| matches!(like, Like::Program(_, false))), ["is", "are"]),
        if count(|like| matches!(like, Like::Program(_, false))) == 1 { "fits" } else { "fit" },
    )
}

/// The page.
pub(super) fn page(file: &File, weighed: &[Weighed<'_>]) -> String {
    let mut out = format!(
        "# Which program the published points resemble\n\n{}\n\n![the distance of each program from the published points]({NAME}.svg)\n\n\
         | figure | feature since | points | {CORRECT} | {DEFECT} | the published points resemble |\n| --- | --- | ---: | ---: | ---: | --- |\n",
        file.programs.trim()
    );
    for one in weighed {
        let [correct, defect] = one.found.distances.map(|distance| 100.0 * distance);
        let _ = writeln!(
            out,
            "| [{}]({}.md) | {} | {} | {correct:.1} | {defect:.1} | {} |",
            one.figure.title,
            one.figure.name,
            one.figure.since,
            one.found.tests[0].degrees,
            one.words()
        );
    }
    let _ = write!(
        out,
        "\nThe numbers of a program are its distance from the published points, in percentage points: the standard deviation of the differences \
         around 0, without the errors of games. Points count from {} of both programs on. The odds are those of two programs that were \
         equally likely beforehand. A figure resembles a program from {CLEAR} : 1 on. The program fits the figure if its distance is at most {:.0} \
         points ([formulas](../explanation/statistics.md#beside-published-points)).\n",
        counted(LEAST_PAIRS, "pair"),
        100.0 * FITS
    );
    out
}

const WIDTH: f64 = 760.0;
const ROW: f64 = 20.0;
const TOP: f64 = 62.0;
/// Where a distance of 0 is, how far it is to the last tick, and the ticks in percentage points.
const PLOT: (f64, f64) = (270.0, 470.0);
const TICKS: [u8; 8] = [0, 5, 10, 15, 20, 25, 30, 35];

/// Draws the distances, by figure and program.
pub(super) fn draw(weighed: &[Weighed<'_>]) -> String {
    let mut out = String::new();
    let title = "Distance from the published points, in percentage points. On the left of 5 a program fits.";
    text(&mut out, (10.0, 20.0), "start", 13.0, title);
    let x = |points: f64| {
        PLOT.0 + PLOT.1 * points.min(TICKS[TICKS.len() - 1].into()) / f64::from(TICKS[TICKS.len() - 1])
    };
    for (program, name) in [CORRECT, DEFECT].into_iter().enumerate() {
        let left = PLOT.0 + 150.0 * program as f64;
        marker(&mut out, (left, 36.0), colour(program), program + 1);
        text(&mut out, (left + 10.0, 40.0), "start", 12.0, name);
    }
    let bottom = TOP + ROW * weighed.len() as f64;
    for tick in TICKS {
        let dash = if tick == 5 { "" } else { " stroke-dasharray=\"2 3\"" };
        let at = x(tick.into());
        let _ = writeln!(out, "<path d=\"M{at:.1} {TOP}V{bottom:.1}\" stroke=\"#999999\"{dash}/>");
        text(&mut out, (at, TOP - 4.0), "middle", 10.0, &tick.to_string());
    }
    for (row, one) in weighed.iter().enumerate() {
        let y = TOP + ROW * (row as f64 + 0.5);
        text(&mut out, (10.0, y + 4.0), "start", 12.0, &one.figure.title);
        let at = one.found.distances.map(|distance| x(100.0 * distance));
        let _ = writeln!(out, "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#cccccc\"/>", at[0], at[1]);
        for (program, at) in at.into_iter().enumerate() {
            marker(&mut out, (at, y), colour(program), program + 1);
        }
    }
    document((WIDTH, bottom + 14.0), &out)
}
