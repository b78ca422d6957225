//! All claims in one picture: the published mean beside ours.

use crate::file::{CORRECT, ClaimKind, DEFECT};
use crate::finding::{Decision, Finding};
use crate::judge::JudgedClaim;
use crate::pages::Result;
use gauntlet::commands::compare::picture::{
    PUBLISHED, colour, document, marker, names_of_lines, text, text_in,
};
use std::fmt::Write;

const WIDTH: f64 = 980.0;
/// The height of a claim.
const ROW: f64 = 26.0;
/// Where the cases begin, after the titles of figures.
const CASES: f64 = 278.0;
/// Where the rate of 0 % is, and how far it is to 100 %.
const PLOT: (f64, f64) = (490.0, 430.0);
/// Where the findings of both programs are.
const FINDINGS: [f64; 2] = [938.0, 960.0];
/// Where the first claim begins.
const TOP: f64 = 94.0;
/// How far the programs of a claim are from its middle.
const APART: f64 = 5.0;

/// Draws the claims of all figures.
pub(crate) fn draw(results: &[Result<'_>]) -> String {
    let rows: usize = results.iter().map(|one| one.figure.claims.len()).sum();
    let bottom = TOP + ROW * rows as f64;
    let mut out = String::new();
    legend(&mut out);
    let mut top = TOP;
    for result in results {
        let figure = result.figure;
        let _ = writeln!(out, "<path d=\"M10 {top:.1}H{:.1}\" stroke=\"#dddddd\"/>", PLOT.0 + PLOT.1);
        text(&mut out, (10.0, top + 17.0), "start", 12.0, &figure.title);
        for (i, claim) in figure.claims.iter().enumerate() {
            text(&mut out, (CASES, top + 17.0), "start", 12.0, &claim.of());
            shade(&mut out, claim.says, top);
            let programs = result.programs().into_iter().enumerate();
            let judged = programs.filter_map(|(number, one)| Some((number, &one?.judgement.claims[i])));
            let judged: Vec<(usize, &JudgedClaim<'_>)> = judged.collect();
            for (number, one) in &judged {
                interval(&mut out, one, *number, top + ROW / 2.0 + APART * (2.0 * *number as f64 - 1.0));
                let at = (FINDINGS[*number], top + 18.0);
                text_in(colour(*number), &mut out, at, "middle", 13.0, sign(one.finding));
            }
            if judged.is_empty() {
                text(&mut out, (x(0.5) + 8.0, top + 17.0), "start", 11.0, "not played");
            }
            if let Some((_, one)) = judged.first() {
                marker(&mut out, (x(one.published.rate), top + ROW / 2.0), PUBLISHED, 0);
            }
            top += ROW;
        }
    }
    // The lines are last, so that no shade hides them.
    let ends = (TOP - 4.0, bottom + 4.0);
    for percent in [0, 25, 50, 75, 100] {
        let at = x(f64::from(percent) / 100.0);
        let dash = if percent == 50 { "" } else { " stroke-dasharray=\"2 3\"" };
        let _ = writeln!(out, "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#999999\"{dash}/>", ends.0, ends.1);
        text(&mut out, (at, ends.0 - 4.0), "middle", 10.0, &percent.to_string());
        text(&mut out, (at, ends.1 + 11.0), "middle", 10.0, &percent.to_string());
    }
    document((WIDTH, bottom + 26.0), &out)
}

fn legend(out: &mut String) {
    text(
        out,
        (10.0, 22.0),
        "start",
        13.0,
        "Win rate in per cent, mean over the sizes, with 95 % confidence sequences. \"−\": the difference of two cases, drawn around 50.",
    );
    let ours = [CORRECT, DEFECT].map(|program| format!("ours, {program}"));
    let names = std::iter::once("the publication's mean").chain(ours.iter().map(String::as_str));
    names_of_lines(out, (WIDTH, 46.0), names.enumerate());
    text(
        out,
        (10.0, 68.0),
        "start",
        12.0,
        "A claim holds (✓) when its line is wholly in the green. ✗: it does not hold; <: the effect is smaller than published; ?: it is undecided.",
    );
}

fn sign(finding: Finding) -> &'static str {
    match finding {
        Finding::Decided(Decision::Holds) => "✓",
        Finding::Decided(Decision::Smaller) => "<",
        Finding::Decided(Decision::Fails) => "✗",
        Finding::Undecided(_) => "?",
    }
}

fn x(rate: f64) -> f64 {
    PLOT.0 + PLOT.1 * rate.clamp(0.0, 1.0)
}

/// The rates for which a claim is true.
fn shade(out: &mut String, says: ClaimKind, top: f64) {
    let (least, most) = says.rates();
    let (left, right) = (x(least), x(most));
    let _ = writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#dff0d8\"/>",
        top + 1.0,
        right - left,
        ROW - 2.0
    );
}

fn interval(out: &mut String, judged: &JudgedClaim<'_>, program: usize, y: f64) {
    let Some(ours) = judged.ours else { return };
    let ((low, high), colour) = (judged.sequence, colour(program));
    let _ = writeln!(out, "<path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"{colour}\"/>", x(low), x(high));
    marker(out, (x(ours.rate), y), colour, program + 1);
}
