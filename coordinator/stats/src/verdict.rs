//! Whether a cell is called better or worse than 50 %.

use crate::rule::{Decision, Reading, Rule};
use crate::sprt::{Hypotheses, Sprt};
use crate::summary::Summary;

/// Whether a cell differs from 50 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The true rate is above 50 %.
    Better,
    /// The true rate is below 50 %.
    Worse,
    /// The test of the cell rejected H1, by which the case is better than 50 %.
    NotBetter,
    /// The test of the cell rejected H0, by which the case is worse than 50 %.
    NotWorse,
    /// Nothing is shown.
    Open,
}

/// The verdict on a cell, which may have a stopping rule with its present reading. Over any number of looks, a case of exactly 50
/// % is ever called better or worse with a chance of at most 1 − confidence.
///
/// The verdict has one source, because the errors of two would add up. A sequential test does if one of its decisions excludes 50
/// % with an error rate of at most 1 − confidence: the cell is open until it ends. After the other decision the case is
/// [`Verdict::NotBetter`] or [`Verdict::NotWorse`], unless the confidence sequence says that it is. Every other cell has the
/// verdict of its confidence sequence.
///
/// For the sequence, the bound is a theorem if the two games of a pair are independent, given the colours. For a test it is
/// Wald's, who neglects by how much the ratio jumps past its bounds; the jump mostly makes the error smaller.
#[must_use]
pub fn verdict(summary: &Summary, rule: Option<(&Rule, &Reading)>) -> Verdict {
    // 1 − 0.95 is a little more than 0.05.
    let allowed = 1.0 - summary.confidence + 1e-9;
    if let Some((Rule::Sprt(test), reading)) = rule
        && let Some((decision, verdict, _)) = excludes_half(test).filter(|(.., error)| *error <= allowed)
    {
        let shown = of_sequence(summary);
        return match (reading.decision, verdict) {
            (None, _) => Verdict::Open,
            (Some(found), _) if found == decision => verdict,
            (_, Verdict::Better) if shown != Verdict::Better => Verdict::NotBetter,
            (_, Verdict::Worse) if shown != Verdict::Worse => Verdict::NotWorse,
            _ => Verdict::Open,
        };
    }
    of_sequence(summary)
}

/// The decision of a test that excludes a rate of 50 %, if there is one, with the verdict that follows from it and its chance at
/// exactly 50 %: to accept H1 where H0 is 50 % or more, with error rate α; or to accept H0 where H1 is 50 % or less, with error
/// rate β.
fn excludes_half(test: &Sprt) -> Option<(Decision, Verdict, f64)> {
    let ((low, high), half) = match test.hypotheses {
        Hypotheses::Elo(e0, e1) | Hypotheses::NormalisedElo(e0, e1) => ((e0, e1), 0.0),
        Hypotheses::Score(s0, s1) => ((s0, s1), 0.5),
    };
    if low >= half {
        Some((Decision::AcceptH1, Verdict::Better, test.alpha))
    } else {
        (high <= half).then_some((Decision::AcceptH0, Verdict::Worse, test.beta))
    }
}

fn of_sequence(summary: &Summary) -> Verdict {
    if summary.cs_low > 0.5 {
        Verdict::Better
    } else if summary.cs_high < 0.5 {
        Verdict::Worse
    } else {
        Verdict::Open
    }
}
