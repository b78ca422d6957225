//! The decisions of stopping rules on a cell.

use super::{StatsArgs, WhichInterval};
use serde::Serialize;
use stats::{Characteristics, Decision, Estimate, Interval, PairCounts, Rule, Sprt, Summary};

/// The rule of a half-width at these pairs.
#[derive(Debug, Serialize)]
pub(super) struct HalfWidth {
    pub(super) half_width: f64,
    /// `wilson` or `sequence`.
    pub(super) interval: &'static str,
    /// Half of the width of the interval now.
    pub(super) now: f64,
    /// precise, or none.
    pub(super) decision: Option<&'static str>,
    /// The games of all pairs at which the rule decides, if they go on in these proportions.
    pub(super) games_needed: Option<u64>,
    /// The independent games without draws that have this half-width at the observed rate, for the normal interval; absent at a
    /// rate of 0 or 1.
    pub(super) independent_games: Option<u64>,
    /// The rate and its interval, if the rule ended at these pairs.
    pub(super) estimate: Corrected,
}

/// The rule of an e-value at these pairs.
#[derive(Debug, Serialize)]
pub(super) struct EValue {
    pub(super) alpha: f64,
    /// The natural logarithm of the e-value at which the rule decides.
    pub(super) bound: f64,
    /// better, worse, or none.
    pub(super) decision: Option<&'static str>,
    /// The games of all pairs at which the rule decides, if they go on in these proportions; absent where it never does.
    pub(super) games_needed: Option<u64>,
    /// The rate and its interval, if the rule ended at these pairs.
    pub(super) estimate: Corrected,
}

/// A sequential test at these pairs.
#[derive(Debug, Serialize)]
pub(super) struct SequentialTest {
    /// The scores of H0 and H1.
    pub(super) scores: (f64, f64),
    pub(super) alpha: f64,
    pub(super) beta: f64,
    pub(super) llr: f64,
    pub(super) bounds: (f64, f64),
    /// accept_h0, accept_h1, or none.
    pub(super) decision: Option<&'static str>,
    /// The rate and its interval, if the test ended at these pairs.
    pub(super) estimate: Corrected,
    /// Pass probability and mean number of pairs, if the true rate is that of H0, of H1, in the middle, or the observed one.
    pub(super) expected: Vec<ExpectedTest>,
}

#[derive(Debug, Serialize)]
pub(super) struct Corrected {
    pub(super) rate: f64,
    /// Whether the rate is corrected for the stop. After a rule of a half-width it is the plain mean, which needs no correction.
    pub(super) is_corrected: bool,
    pub(super) interval: (f64, f64),
    pub(super) elo: Option<f64>,
    pub(super) elo_interval: (Option<f64>, Option<f64>),
}

#[derive(Debug, Serialize)]
pub(super) struct ExpectedTest {
    pub(super) at: &'static str,
    pub(super) rate: f64,
    pub(super) pass: f64,
    pub(super) pairs: f64,
}

impl HalfWidth {
    pub(super) fn of(args: &StatsArgs, half_width: f64, counts: &PairCounts) -> anyhow::Result<Self> {
        let (interval, name) = match args.interval {
            WhichInterval::Wilson => (Interval::Wilson, "wilson"),
            WhichInterval::Sequence => (Interval::Sequence, "sequence"),
        };
        let confidence = args.confidence;
        let rule = Rule::HalfWidth { half_width, interval, confidence };
        let rate = counts.moments().map_or(0.0, |moments| moments.rate);
        Ok(Self {
            half_width,
            interval: name,
            now: rule.measure(counts)?.unwrap_or(0.5),
            decision: rule.decide(counts)?.map(|_| "precise"),
            games_needed: rule.games_needed(counts)?,
            independent_games: stats::games_for_half_width(rate, half_width, confidence).ok(),
            estimate: Corrected::of(&rule, counts, confidence)?,
        })
    }
}

impl EValue {
    pub(super) fn of(args: &StatsArgs, alpha: f64, counts: &PairCounts) -> anyhow::Result<Self> {
        let rule = Rule::EValue { alpha };
        Ok(Self {
            alpha,
            bound: -alpha.ln(),
            decision: rule.decide(counts)?.map(|decision| match decision {
                Decision::Better => "better",
                _ => "worse",
            }),
            games_needed: rule.games_needed(counts)?,
            estimate: Corrected::of(&rule, counts, args.confidence)?,
        })
    }
}

impl SequentialTest {
    pub(super) fn of(args: &StatsArgs, test: Sprt, summary: &Summary) -> anyhow::Result<Self> {
        let counts = &args.pairs.unwrap_or_default();
        let kind = stats::Shape::of(counts).ok_or_else(|| anyhow::anyhow!("there are no pairs"))?;
        let scores = test.rates(&kind)?;
        let places = [
            ("h0", scores.0),
            ("middle", f64::midpoint(scores.0, scores.1)),
            ("h1", scores.1),
            ("observed", summary.rate),
        ];
        // The pairs of a case that never wins or loses do not determine the length of a test.
        let places = places.into_iter().filter(|(_, rate)| (0.001..=0.999).contains(rate));
        let places: Vec<(&'static str, f64)> = places.collect();
        let truths = places.iter().map(|(_, rate)| kind.with_mean(*rate)).collect::<Result<Vec<_>, _>>()?;
        let expected = places.into_iter().zip(test.characteristics(&truths)?).map(|((at, rate), found)| {
            let Characteristics { pass, pairs } = found;
            ExpectedTest { at, rate, pass, pairs }
        });
        let rule = Rule::Sprt(test);
        Ok(Self {
            scores,
            alpha: args.alpha,
            beta: args.beta,
            llr: test.llr(counts)?,
            bounds: test.bounds(),
            decision: match rule.decide(counts)? {
                Some(Decision::AcceptH1) => Some("accept_h1"),
                Some(_) => Some("accept_h0"),
                None => None,
            },
            estimate: Corrected::of(&rule, counts, args.confidence)?,
            expected: expected.collect(),
        })
    }
}

impl Corrected {
    pub(super) fn of(rule: &Rule, counts: &PairCounts, confidence: f64) -> anyhow::Result<Self> {
        let estimate = rule.estimate(counts, confidence)?;
        let estimate = estimate.ok_or_else(|| anyhow::anyhow!("there are no pairs"))?;
        let [elo, low, high] = [estimate.rate, estimate.low, estimate.high].map(stats::elo_difference);
        let Estimate { rate, is_corrected, .. } = estimate;
        Ok(Self {
            rate,
            is_corrected,
            interval: (estimate.low, estimate.high),
            elo,
            elo_interval: (low, high),
        })
    }
}
