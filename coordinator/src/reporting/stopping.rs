//! Stopping rules in reports: their decisions, the estimates after a stop, and the words.

use super::confidence::CONFIDENCE;
use crate::store::{Stopping as Stored, StoreError, stopping_rule};
use protocol::experiment::{Hypotheses, StopRule};
use protocol::report::{StopOutcome, Stopping, Verdict};
use protocol::words::counted;
use stats::{Decision, Estimate, PairCounts, Reading, Rule, Sprt, Summary, Unfinished};
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The rate at a stop.
#[derive(Clone, Copy)]
struct AtStop {
    /// None where no single number is right for every reason to stop.
    rate: Option<f64>,
    is_corrected: bool,
    low: f64,
    high: f64,
}

/// The stopping rule of a cell for reports. `planned` is the cell's number of pairs, `is_stopped` whether a person stopped the
/// experiment, and `unfinished` counts the pairs that were begun and are not complete.
pub(super) fn stopping(
    stored: &Stored,
    planned: u64,
    (is_stopped, unfinished): (bool, &Unfinished),
) -> Result<Stopping, StoreError> {
    let rule = stopping_rule(&stored.rule)?;
    let counts = &stored.reading.counts;
    let outcome = outcome(&stored.reading, planned, is_stopped);
    let test = if let Rule::Sprt(test) = &rule { Some(test) } else { None };
    let bounds = test.map(Sprt::bounds);
    let llr =
        test.map(|test| test.llr(counts)).transpose().map_err(StoreError::unreadable("a stopping rule"))?;
    let estimate =
        match outcome {
            StopOutcome::Open => None,
            // A person may have stopped for any reason: the confidence sequence holds for all.
            StopOutcome::Stopped => stats::live_summary(counts, unfinished, CONFIDENCE).map(|summary| {
                AtStop { rate: None, is_corrected: false, low: summary.cs_low, high: summary.cs_high }
            }),
            _ => estimate(&rule, counts)?.map(|Estimate { rate, is_corrected, low, high }| AtStop {
                rate: Some(rate),
                is_corrected,
                low,
                high,
            }),
        };
    Ok(Stopping {
        rule: stored.rule.to_string(),
        outcome,
        found: found(&stored.rule, outcome),
        pairs: counts.pairs(),
        pair_counts: (*counts).into(),
        llr,
        lower: bounds.map(|(lower, _)| lower),
        upper: bounds.map(|(_, upper)| upper),
        rate: estimate.and_then(|estimate| estimate.rate),
        is_corrected: estimate.is_some_and(|estimate| estimate.is_corrected),
        low: estimate.map(|estimate| estimate.low),
        high: estimate.map(|estimate| estimate.high),
        words: words(&stored.rule, outcome, counts.pairs(), estimate, llr.zip(bounds)),
    })
}

/// The outcome of a rule after the pairs that it has read. `planned` is the cell's number of pairs, and `is_stopped` whether a
/// person stopped the experiment.
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

/// The most estimates in the cache.
const MOST_KEPT: usize = 50_000;

type KnownEstimates = HashMap<(String, PairCounts), Option<Estimate>>;

/// The estimates by rule and pairs. Pages ask for those of all cells again and again, and each takes about a millisecond.
static KNOWN: LazyLock<Mutex<KnownEstimates>> = LazyLock::new(Mutex::default);

/// The estimate after the rule stopped at these pairs.
fn estimate(rule: &Rule, counts: &PairCounts) -> Result<Option<Estimate>, StoreError> {
    let key = (format!("{rule:?}"), *counts);
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(estimate) = known().get(&key) {
        return Ok(*estimate);
    }
    let found = rule.estimate(counts, CONFIDENCE).map_err(StoreError::unreadable("a stopping rule"))?;
    let mut known = known();
    if known.len() >= MOST_KEPT {
        known.clear();
    }
    known.insert(key, found);
    Ok(found)
}

/// `ratio` is the log-likelihood ratio of a sequential test, with its bounds.
fn words(
    rule: &StopRule,
    outcome: StopOutcome,
    pairs: u64,
    at_stop: Option<AtStop>,
    ratio: Option<(f64, (f64, f64))>,
) -> String {
    if outcome == StopOutcome::Open {
        let ratio = ratio.map(|(llr, (lower, upper))| format!(", LLR {llr:.2} [{lower:.2}, {upper:.2}]"));
        return format!("{rule}: no decision after {}{}", counted(pairs, "pair"), ratio.unwrap_or_default());
    }
    let estimate = at_stop.map_or(String::new(), |AtStop { rate, is_corrected, low, high }| {
        let (low, high) = (100.0 * low, 100.0 * high);
        match rate.map(|rate| 100.0 * rate) {
            Some(rate) if is_corrected => {
                format!("; corrected for the stop, the win rate is {rate:.1} %, between {low:.1} and {high:.1} %")
            }
            Some(rate) => format!(
                "; the win rate is {rate:.1} %, between {low:.1} and {high:.1} %, and needs no correction: the rule looks at the \
                 spread alone"
            ),
            None => format!(
                "; whatever made the person stop, the true rate is between {low:.1} and {high:.1} %; no single rate is right for \
                 every reason"
            ),
        }
    });
    format!("{rule}: {} after {}{estimate}", found(rule, outcome), counted(pairs, "pair"))
}

/// The decision of a rule, in a few words.
fn found(rule: &StopRule, outcome: StopOutcome) -> String {
    match outcome {
        StopOutcome::Open => "open".to_owned(),
        StopOutcome::Inconclusive => "inconclusive".to_owned(),
        StopOutcome::Stopped => "stopped by a person".to_owned(),
        StopOutcome::AcceptH1 => format!("H1{} accepted", hypothesis(rule, |[_, high]| high)),
        StopOutcome::AcceptH0 => format!("H0{} accepted", hypothesis(rule, |[low, _]| low)),
        StopOutcome::Precise => "precise enough".to_owned(),
        StopOutcome::Better => "better than 50 %".to_owned(),
        StopOutcome::Worse => "worse than 50 %".to_owned(),
    }
}

/// One hypothesis of a test, in brackets.
fn hypothesis(rule: &StopRule, one: impl Fn([f64; 2]) -> f64) -> String {
    let StopRule::Sprt { hypotheses, .. } = rule else { return String::new() };
    match *hypotheses {
        Hypotheses::Elo(ends) => format!(" ({} Elo)", one(ends)),
        Hypotheses::NormalisedElo(ends) => format!(" ({} normalised Elo)", one(ends)),
        // Without the digits that binary fractions add.
        Hypotheses::Score(ends) => format!(" ({} %)", (1e6 * one(ends)).round() / 1e4),
    }
}

/// The verdict of a cell with its stopping rule, if it has one.
pub(super) fn verdict(summary: Option<&Summary>, stored: Option<&Stored>) -> Result<Verdict, StoreError> {
    let Some(summary) = summary else { return Ok(Verdict::Open) };
    let rule = stored.map(|stored| stopping_rule(&stored.rule)).transpose()?;
    let found = stats::verdict(summary, rule.as_ref().zip(stored.map(|stored| &stored.reading)));
    Ok(match found {
        stats::Verdict::Better => Verdict::Better,
        stats::Verdict::Worse => Verdict::Worse,
        stats::Verdict::NotBetter => Verdict::NotBetter,
        stats::Verdict::NotWorse => Verdict::NotWorse,
        stats::Verdict::Open => Verdict::Open,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(low: f64, high: f64, counts: [u64; 6], decision: Option<Decision>) -> Stored {
        let rule = StopRule::Sprt { hypotheses: Hypotheses::Elo([low, high]), alpha: 0.05, beta: 0.05 };
        Stored { rule, reading: Reading { counts: counts.into(), decision } }
    }

    #[test]
    fn a_decision_is_said_with_its_corrected_estimate() {
        let stop = stopping(
            &stored(0.0, 35.0, [40, 0, 100, 0, 0, 62], Some(Decision::AcceptH1)),
            1000,
            (false, &Unfinished::default()),
        )
        .expect("a rule");
        assert_eq!(stop.outcome, StopOutcome::AcceptH1);
        assert!(
            stop.words.starts_with("SPRT of 35 against 0 Elo, errors 5 and 5 %: H1 (35 Elo) accepted after"),
            "{}",
            stop.words
        );
        let plain = (40.0 * 0.0 + 50.0 + 62.0) / 202.0;
        assert!(
            stop.rate.is_some_and(|rate| rate > 0.5 && rate < plain),
            "a passed test overstates: {stop:?}"
        );
        let open =
            stopping(&stored(0.0, 35.0, [4, 0, 10, 0, 0, 5], None), 20, (false, &Unfinished::default()))
                .expect("a rule");
        assert_eq!((open.outcome, open.rate), (StopOutcome::Open, None));
        let words = open
            .words
            .strip_prefix("SPRT of 35 against 0 Elo, errors 5 and 5 %: no decision after 19 pairs, LLR ");
        assert!(words.is_some_and(|words| words.ends_with(" [-2.94, 2.94]")), "{}", open.words);
        let full =
            stopping(&stored(0.0, 35.0, [4, 0, 10, 0, 0, 6], None), 20, (false, &Unfinished::default()))
                .expect("a rule");
        assert_eq!(full.outcome, StopOutcome::Inconclusive);
    }

    #[test]
    fn the_estimate_after_a_stop_by_a_person_is_that_of_the_confidence_sequence() {
        let counts = [40, 0, 100, 0, 0, 62];
        let of = |decision| {
            stopping(&stored(0.0, 35.0, counts, decision), 1000, (true, &Unfinished::default()))
                .expect("a rule")
        };
        let summary = stats::summary(&counts.into(), CONFIDENCE).expect("pairs");
        let stopped = of(None);
        assert_eq!(stopped.outcome, StopOutcome::Stopped);
        assert_eq!((stopped.low, stopped.high), (Some(summary.cs_low), Some(summary.cs_high)));
        assert_eq!((stopped.rate, stopped.is_corrected), (None, false), "no rate is right for every reason");
        let words =
            "stopped by a person after 202 pairs; whatever made the person stop, the true rate is between";
        assert!(stopped.words.contains(words), "{}", stopped.words);
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
        assert_eq!(of(0.0, 35.0, [62, 0, 100, 0, 0, 40], Some(Decision::AcceptH0)), Verdict::NotBetter);
        assert_eq!(of(0.0, 35.0, clear, None), Verdict::Open);
        assert_eq!(of(-10.0, 10.0, some, Some(Decision::AcceptH1)), Verdict::Open);
        assert_eq!(of(-10.0, 10.0, clear, None), Verdict::Better);
        assert_eq!(of(-35.0, 0.0, some, Some(Decision::AcceptH0)), Verdict::Worse);
        assert_eq!(verdict(None, None).expect("no rule"), Verdict::Open);
    }

    #[test]
    fn an_accepted_hypothesis_is_named_with_its_number_and_unit() {
        let found =
            |hypotheses, outcome| found(&StopRule::Sprt { hypotheses, alpha: 0.05, beta: 0.05 }, outcome);
        assert_eq!(found(Hypotheses::Elo([0.0, 20.0]), StopOutcome::AcceptH1), "H1 (20 Elo) accepted");
        assert_eq!(found(Hypotheses::Score([0.5, 0.55]), StopOutcome::AcceptH1), "H1 (55 %) accepted");
        let normalised = Hypotheses::NormalisedElo([-5.0, 5.0]);
        assert_eq!(found(normalised, StopOutcome::AcceptH0), "H0 (-5 normalised Elo) accepted");
    }

    #[test]
    fn words_say_whether_a_rate_is_corrected() {
        let of = |rule, counts: [u64; 6], decision| {
            let reading = Reading { counts: counts.into(), decision: Some(decision) };
            stopping(&Stored { rule, reading }, 1000, (false, &Unfinished::default())).expect("a rule")
        };
        let won = of(StopRule::EValue { alpha: 0.05 }, [40, 0, 100, 0, 0, 72], Decision::Better);
        assert!(won.is_corrected && won.words.contains("corrected for the stop"), "{}", won.words);
        assert!(won.rate.is_some_and(|rate| rate < 0.5 + 16.0 / 212.0), "{won:?}");
        // A test far from 50 % is corrected, too.
        let far = stopping(
            &stored(0.0, 35.0, [1, 0, 4, 0, 0, 30], Some(Decision::AcceptH1)),
            1000,
            (false, &Unfinished::default()),
        );
        let far = far.expect("a rule");
        assert!(far.is_corrected && far.words.contains("H1 (35 Elo) accepted"), "{}", far.words);
        let interval = protocol::experiment::StopInterval::Wilson;
        let rule = StopRule::HalfWidth { half_width: 0.05, interval, confidence: 0.95 };
        let narrow = of(rule, [40, 0, 100, 0, 0, 60], Decision::Precise);
        assert_eq!((narrow.rate, narrow.is_corrected), (Some(0.55), false));
        assert!(narrow.words.contains("needs no correction"), "{}", narrow.words);
    }

    #[test]
    fn an_estimate_is_computed_once() {
        let rule = Rule::EValue { alpha: 0.031 };
        let counts = PairCounts::from([3, 1, 4, 1, 5, 9]);
        let found = estimate(&rule, &counts).expect("a rule");
        assert_eq!(Ok(found), rule.estimate(&counts, CONFIDENCE));
        let key = (format!("{rule:?}"), counts);
        assert_eq!(KNOWN.lock().expect("a lock").get(&key), Some(&found));
    }
}
