//! Stopping rules in reports: their decisions, the estimates after a stop, and the words.

use super::confidence::CONFIDENCE;
use crate::store::{Stopping as Stored, StoreError, stopping_rule};
use protocol::report::{StopOutcome, Stopping, Verdict};
use stats::{Decision, Estimate, Reading, Rule, Sprt, Summary};

/// A rule of a cell that plans so many pairs, in an experiment that somebody stopped or not.
pub(super) fn stopping(stored: &Stored, planned: u64, is_stopped: bool) -> Result<Stopping, StoreError> {
    let rule = stopping_rule(&stored.rule)?;
    let counts = &stored.reading.counts;
    let outcome = outcome(&stored.reading, planned, is_stopped);
    let test = if let Rule::Sprt(test) = &rule { Some(test) } else { None };
    let bounds = test.map(Sprt::bounds);
    let estimate = match outcome {
        StopOutcome::Open => None,
        // Nobody knows what made a person stop: the confidence sequence holds whatever it was.
        StopOutcome::Stopped => estimate(None, stored),
        _ => estimate(test, stored),
    };
    Ok(Stopping {
        rule: stored.rule.to_string(),
        outcome,
        pairs: counts.pairs(),
        pair_counts: (*counts).into(),
        llr: test.map(|test| test.llr(counts)),
        lower: bounds.map(|(lower, _)| lower),
        upper: bounds.map(|(_, upper)| upper),
        rate: estimate.map(|estimate| estimate.rate),
        is_corrected: estimate.is_some_and(|estimate| estimate.is_corrected),
        low: estimate.map(|estimate| estimate.low),
        high: estimate.map(|estimate| estimate.high),
        words: words(&stored.rule.to_string(), outcome, counts.pairs(), estimate),
    })
}

/// The outcome of a rule that has read so far, in a cell that plans so many pairs, in an experiment that somebody stopped or
/// not.
pub(super) fn outcome(reading: &Reading, planned: u64, is_stopped: bool) -> StopOutcome {
    match reading.decision {
        None if reading.counts.pairs() >= planned => StopOutcome::Inconclusive,
        None if is_stopped => StopOutcome::Stopped,
        None => StopOutcome::Open,
        Some(Decision::AcceptH1) => StopOutcome::AcceptH1,
        Some(Decision::AcceptH0) => StopOutcome::AcceptH0,
        Some(Decision::Precise) => StopOutcome::Precise,
        Some(Decision::Better) => StopOutcome::Better,
        Some(Decision::Worse) => StopOutcome::Worse,
    }
}

/// The estimate after a stop. A test has a median-unbiased one. After every other stop it is the plain mean, with the confidence
/// sequence, which holds at every stop.
fn estimate(test: Option<&Sprt>, stored: &Stored) -> Option<Estimate> {
    let counts = &stored.reading.counts;
    match test {
        Some(test) => test.estimate(counts, CONFIDENCE),
        None => stats::summary(counts, CONFIDENCE).map(|summary| Estimate {
            rate: summary.rate,
            is_corrected: false,
            low: summary.cs_low,
            high: summary.cs_high,
        }),
    }
}

fn words(rule: &str, outcome: StopOutcome, pairs: u64, estimate: Option<Estimate>) -> String {
    let found = match outcome {
        StopOutcome::Open => return format!("{rule}: no decision after {pairs} pairs"),
        StopOutcome::Inconclusive => "inconclusive",
        StopOutcome::Stopped => "stopped by a person, without a decision,",
        StopOutcome::AcceptH1 => "the upper hypothesis is accepted",
        StopOutcome::AcceptH0 => "the lower hypothesis is accepted",
        StopOutcome::Precise => "the interval is narrow enough",
        StopOutcome::Better => "better than 50 %",
        StopOutcome::Worse => "worse than 50 %",
    };
    let estimate = estimate.map_or(String::new(), |Estimate { rate, is_corrected, low, high }| {
        let (rate, low, high) = (100.0 * rate, 100.0 * low, 100.0 * high);
        if is_corrected {
            format!("; corrected for the stop, the win rate is {rate:.1} %, between {low:.1} and {high:.1} %")
        } else {
            format!(
                "; the win rate, not corrected for the stop, is {rate:.1} %, and the true rate is between {low:.1} and {high:.1} %"
            )
        }
    });
    format!("{rule}: {found} after {pairs} pairs{estimate}")
}

/// The verdict of a cell with its stopping rule, if it has one.
pub(super) fn verdict(summary: Option<&Summary>, stored: Option<&Stored>) -> Result<Verdict, StoreError> {
    let Some(summary) = summary else { return Ok(Verdict::Open) };
    let rule = stored.map(|stored| stopping_rule(&stored.rule)).transpose()?;
    let found = stats::verdict(summary, rule.as_ref().zip(stored.map(|stored| &stored.reading)));
    Ok(match found {
        stats::Verdict::Better => Verdict::Better,
        stats::Verdict::Worse => Verdict::Worse,
        stats::Verdict::Open => Verdict::Open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::experiment::{Hypotheses, StopRule};

    fn stored(low: f64, high: f64, counts: [u64; 6], decision: Option<Decision>) -> Stored {
        let rule = StopRule::Sprt { hypotheses: Hypotheses::Elo([low, high]), alpha: 0.05, beta: 0.05 };
        Stored { rule, reading: Reading { counts: counts.into(), decision } }
    }

    #[test]
    fn a_decision_is_said_with_its_corrected_estimate() {
        let stop =
            stopping(&stored(0.0, 35.0, [40, 0, 100, 0, 0, 62], Some(Decision::AcceptH1)), 1000, false)
                .expect("a rule");
        assert_eq!(stop.outcome, StopOutcome::AcceptH1);
        assert!(
            stop.words.starts_with("test of 35 against 0 Elo, errors 5 and 5 %: the upper"),
            "{}",
            stop.words
        );
        let plain = (40.0 * 0.0 + 50.0 + 62.0) / 202.0;
        assert!(
            stop.rate.is_some_and(|rate| rate > 0.5 && rate < plain),
            "a passed test overstates: {stop:?}"
        );
        let open = stopping(&stored(0.0, 35.0, [4, 0, 10, 0, 0, 5], None), 20, false).expect("a rule");
        assert_eq!((open.outcome, open.rate), (StopOutcome::Open, None));
        let full = stopping(&stored(0.0, 35.0, [4, 0, 10, 0, 0, 6], None), 20, false).expect("a rule");
        assert_eq!(full.outcome, StopOutcome::Inconclusive);
    }

    #[test]
    fn the_estimate_after_a_stop_by_a_person_is_that_of_the_confidence_sequence() {
        let counts = [40, 0, 100, 0, 0, 62];
        let of = |decision| stopping(&stored(0.0, 35.0, counts, decision), 1000, true).expect("a rule");
        let summary = stats::summary(&counts.into(), CONFIDENCE).expect("pairs");
        let stopped = of(None);
        assert_eq!(stopped.outcome, StopOutcome::Stopped);
        assert_eq!((stopped.low, stopped.high), (Some(summary.cs_low), Some(summary.cs_high)));
        assert!(stopped.words.contains("stopped by a person"), "{}", stopped.words);
        assert_eq!(of(Some(Decision::AcceptH1)).outcome, StopOutcome::AcceptH1, "it had decided before");
    }

    #[test]
    fn a_test_that_excludes_50_percent_speaks_for_its_cell() {
        let of = |low, high, counts: [u64; 6], decision| {
            let summary = stats::summary(&counts.into(), CONFIDENCE);
            verdict(summary.as_ref(), Some(&stored(low, high, counts, decision))).expect("a rule")
        };
        let (some, clear) = ([40, 0, 100, 0, 0, 62], [0, 0, 0, 0, 0, 300]);
        assert_eq!(of(0.0, 35.0, some, Some(Decision::AcceptH1)), Verdict::Better);
        assert_eq!(of(0.0, 35.0, clear, Some(Decision::AcceptH0)), Verdict::Open);
        assert_eq!(of(0.0, 35.0, clear, None), Verdict::Open);
        assert_eq!(of(-10.0, 10.0, some, Some(Decision::AcceptH1)), Verdict::Open);
        assert_eq!(of(-10.0, 10.0, clear, None), Verdict::Better);
        assert_eq!(of(-35.0, 0.0, some, Some(Decision::AcceptH0)), Verdict::Worse);
        assert_eq!(verdict(None, None).expect("no rule"), Verdict::Open);
    }

    #[test]
    fn only_an_estimate_of_a_test_is_called_corrected() {
        let rule = StopRule::EValue { alpha: 0.05 };
        let counts = [40, 0, 100, 0, 0, 90].into();
        let reading = Reading { counts, decision: Some(Decision::Better) };
        let stop = stopping(&Stored { rule, reading }, 1000, false).expect("a rule");
        assert!(!stop.is_corrected && stop.words.contains("not corrected for the stop"), "{}", stop.words);
        let near =
            stopping(&stored(0.0, 35.0, [40, 0, 100, 0, 0, 62], Some(Decision::AcceptH1)), 1000, false);
        assert!(near.expect("a rule").is_corrected);
        // Beyond 100 Elo the plain mean takes the place of the correction.
        let far = stopping(&stored(0.0, 35.0, [1, 0, 4, 0, 0, 30], Some(Decision::AcceptH1)), 1000, false);
        let far = far.expect("a rule");
        assert!(!far.is_corrected && far.words.contains("not corrected for the stop"), "{}", far.words);
    }
}
