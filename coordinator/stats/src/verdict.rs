//! Whether a cell is called better or worse than 50 %.

use crate::rule::{Decision, Reading, Rule};
use crate::summary::Summary;

/// Whether a cell differs from 50 %.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The true rate is above 50 %.
    Better,
    /// The true rate is below 50 %.
    Worse,
    /// The test of the cell rejected that the case is better than 50 % by what it asks for.
    NotBetter,
    /// The test of the cell rejected that the case is worse than 50 % by what it asks for.
    NotWorse,
    /// Nothing is shown.
    Open,
}

/// The verdict on a cell, which may have a stopping rule that has read so far. However often somebody looks, a case of exactly
/// 50 % is ever called better or worse with a chance of at most 1 − confidence.
///
/// One source alone speaks for a cell, because the errors of two would add up. A sequential test does if one of its decisions
/// excludes 50 % ([`Sprt::excludes_half`](crate::Sprt::excludes_half)) with an error rate of at most 1 − confidence: the cell is
/// open until it ends. After the other decision the case is [`Verdict::NotBetter`] or [`Verdict::NotWorse`], unless the confidence
/// sequence says that it is. Every other cell has the verdict of its confidence sequence.
///
/// For the sequence, the bound is a theorem if the two games of a pair are independent, given the colours. For a test it is Wald's, who neglects by how much the ratio jumps past its bounds; the
/// jump mostly makes the error smaller.
#[must_use]
pub fn verdict(summary: &Summary, rule: Option<(&Rule, &Reading)>) -> Verdict {
    // 1 − 0.95 is a little more than 0.05.
    let allowed = 1.0 - summary.confidence + 1e-9;
    if let Some((Rule::Sprt(test), reading)) = rule
        && let Some((decision, verdict, _)) = test.excludes_half().filter(|(.., error)| *error <= allowed)
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

fn of_sequence(summary: &Summary) -> Verdict {
    if summary.cs_low > 0.5 {
        Verdict::Better
    } else if summary.cs_high < 0.5 {
        Verdict::Worse
    } else {
        Verdict::Open
    }
}

/// A decision of a test, the verdict that follows from it, and the chance of it at exactly 50 %.
pub type Exclusion = (Decision, Verdict, f64);
