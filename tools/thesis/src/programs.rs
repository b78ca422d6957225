//! Which of the two programs the published points of each figure resemble.

mod odds;

use crate::file::{CORRECT, DEFECT, Figure, File};
use crate::pages::Result;
use gauntlet::commands::compare::picture::{colour, document, marker, names_of_lines, text};
use gauntlet::commands::compare::report::{Assumptions, LEAST_PAIRS, PointReport};
use odds::{CLEAR, Odds, Point, SIMULATIONS, clear_by_chance};
use protocol::words::counted;
use stats::{Rate, live_summary};
use std::fmt::Write;

/// The name of the page and of its picture.
pub(crate) const NAME: &str = "programs";

/// A figure whose points both programs have played.
pub(crate) struct WeighedFigure<'f> {
    figure: &'f Figure,
    odds: Odds,
    /// The chance that these points would be clear with equal rates.
    by_chance: f64,
}

/// The figures that have points of both programs, in the order of the file.
pub(crate) fn weigh<'f>(results: &[Result<'f>], assumptions: Assumptions) -> Vec<WeighedFigure<'f>> {
    let of = |result: &Result<'f>| {
        let [correct, defect] = result.programs();
        let [correct, defect] = [correct?, defect?]
            .map(|one| one.comparison.points().filter(|point| point.pairs.pairs() >= LEAST_PAIRS))
            .map(Iterator::collect::<Vec<_>>);
        let both = correct.iter().filter_map(|point| {
            let is_same = |other: &&&PointReport| (&other.series, other.size) == (&point.series, point.size);
            let other = defect.iter().find(is_same)?;
            Some((point.size, rates(point, other, assumptions)?))
        });
        let points: Vec<Point> = both.collect();
        Some(WeighedFigure {
            figure: result.figure,
            odds: Odds::of(&points)?,
            by_chance: clear_by_chance(&points),
        })
    };
    results.iter().filter_map(of).collect()
}

/// The rates of both programs, and the published one.
fn rates(correct: &PointReport, defect: &PointReport, assumptions: Assumptions) -> Option<([Rate; 2], Rate)> {
    let ours = |point: &PointReport| {
        live_summary(&point.pairs, &point.unfinished, assumptions.confidence).as_ref().map(Rate::from)
    };
    let theirs = correct.published;
    let published = Rate::published(theirs.value, theirs.games? as f64, assumptions.confidence).ok()?;
    Some(([ours(correct)?, ours(defect)?], published))
}

impl WeighedFigure<'_> {
    pub(crate) fn is_of(&self, figure: &Figure) -> bool {
        self.figure.name == figure.name
    }

    /// Whether the points are clear about this program.
    fn is_like(&self, program: usize) -> bool {
        self.odds.nearer == program && self.odds.clear()
    }

    /// In words, with the odds.
    pub(crate) fn words(&self) -> String {
        let odds = match self.odds.ln_odds.exp() {
            odds if odds > 1000.0 => "more than 1,000 : 1".to_owned(),
            odds if odds < 10.0 => format!("{odds:.1} : 1"),
            odds => format!("{odds:.0} : 1"),
        };
        let name = [CORRECT, DEFECT][self.odds.nearer];
        match self.odds.ln_odds {
            _ if self.odds.clear() => format!("*{name}* ({odds})"),
            ln_odds if ln_odds > 0.0 => format!("open ({odds} for *{name}*)"),
            _ => "open".to_owned(),
        }
    }
}

/// The answer for the front page.
pub(crate) fn sentence(figures: usize, weighed: &[WeighedFigure<'_>]) -> String {
    let names = |program: usize| {
        let like = weighed.iter().filter(|one| one.is_like(program));
        let names: Vec<&str> = like.map(|one| one.figure.title.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { names.join("; ") }
    };
    let open = weighed.iter().filter(|one| !one.odds.clear()).count();
    let without = match figures - weighed.len() {
        0 => String::new(),
        some => format!(", and {} too few games", super::page::verb(some, ["has", "have"])),
    };
    format!(
        "\n**Which program do the published points resemble?** [Figure by figure]({NAME}.md): {} open{without}. Like a {CORRECT}: {}. Like our copy of \
         the published program: {}.\n",
        super::page::verb(open, ["figure is", "figures are"]),
        names(0),
        names(1),
    )
}

/// The page.
pub(crate) fn page(file: &File, weighed: &[WeighedFigure<'_>]) -> String {
    let mut out = format!(
        "# Which program the published points resemble\n\n{}\n\n![the distance of each program from the published points]({NAME}.svg)\n\n\
         | place | figure | feature since | points | {CORRECT} | {DEFECT} | the published points resemble |\n| --- | --- | --- | ---: | ---: | ---: | --- |\n",
        file.programs.trim()
    );
    for one in weighed {
        let Figure { title, name, since, .. } = one.figure;
        let place = one.figure.place();
        let [correct, defect] = one.odds.found.distances.map(|distance| 100.0 * distance);
        let _ = writeln!(
            out,
            "| {place} | [{title}]({name}.md) | {since} | {} | {correct:.1} | {defect:.1} | {} |",
            one.odds.found.tests[0].degrees,
            one.words()
        );
    }
    let _ = write!(
        out,
        "\nThe numbers of a program are its distance from the published points, in percentage points: the standard deviation of the differences \
         around 0, without the errors of games. 0 means that the errors explain all of it. Points count from {} of both programs on, unless one of the programs and the publication won every game, or lost every game. A figure without such points is not listed. The odds are those \
         of two programs that were equally likely beforehand, and the smallest ones when any one size is left out. A figure resembles a program from {CLEAR} : 1 \
         on; otherwise the answer is open, and has no odds where the nearer program changes with the size that is left out ([formulas](../explanation/statistics.md#beside-published-points)).\n\n{} clear. If both programs and the publication had the same rates, with \
         as many games as they have, chance would make {:.1} of {} clear ({SIMULATIONS} simulations of each figure).\n",
        counted(LEAST_PAIRS, "pair"),
        super::page::verb(
            weighed.iter().filter(|one| one.odds.clear()).count(),
            ["figure is", "figures are"]
        ),
        weighed.iter().map(|one| one.by_chance).sum::<f64>(),
        weighed.len(),
    );
    out
}

const WIDTH: f64 = 760.0;
const ROW: f64 = 20.0;
const TOP: f64 = 62.0;
/// Where a distance of 0 is, how far it is to the last tick, and the ticks in percentage points.
const PLOT: (f64, f64) = (290.0, 450.0);
const TICKS: [u8; 8] = [0, 5, 10, 15, 20, 25, 30, 35];

/// Draws the distances, by figure and program.
pub(crate) fn draw(weighed: &[WeighedFigure<'_>]) -> String {
    let mut out = String::new();
    let title = "Distance from the published points, in percentage points. The thesis states an error of 5 for its points.";
    text(&mut out, (10.0, 20.0), "start", 13.0, title);
    let last = f64::from(TICKS[TICKS.len() - 1]);
    let x = |points: f64| PLOT.0 + PLOT.1 * points.min(last) / last;
    names_of_lines(&mut out, (WIDTH, 40.0), (1..).zip([CORRECT, DEFECT]));
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
        let at = one.odds.found.distances.map(|distance| x(100.0 * distance));
        let _ = writeln!(out, "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#cccccc\"/>", at[0], at[1]);
        for (program, at) in at.into_iter().enumerate() {
            // A little apart, so that equal distances are both seen.
            marker(&mut out, (at, y + 6.0 * program as f64 - 3.0), colour(program), program + 1);
        }
    }
    document((WIDTH, bottom + 14.0), &out)
}
