//! The estimated strength of one cell.

use crate::counts::{Moments, PairCounts};
use crate::elo::{NORMALISED_ELO, elo_difference, elo_error, normalised_elo};
use crate::interval::wilson;
use crate::normal::{probability_below, two_sided};
use crate::sequence::{PRIOR, confidence_sequence, log_e_value};

/// The method of [`summary`]'s intervals, for legends.
pub const INTERVAL_METHOD: &str = "Wilson score interval on the effective number of games: pairs of games with \
     swapped colours, their design effect shrunk towards independence by 30 pairs";

/// The method of [`summary`]'s confidence sequences, for legends.
pub const SEQUENCE_METHOD: &str = "confidence sequence of the games, from a mixture of betting strategies with a Beta(1, 1) \
     prior: it contains the true rate at all numbers of games at once";

/// Imaginary pairs of independent games that are added when the design effect is estimated. Without them, nominal 95 %
/// intervals from the first few pairs cover the true rate in only 90 % of cases.
pub(crate) const SHRINKAGE_PAIRS: f64 = 30.0;

/// A game variance below this means that all results are identical; the rest is rounding.
const NO_VARIANCE: f64 = 1e-9;

/// The estimated strength of a cell's case, from its complete pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Complete pairs, each two games.
    pub pairs: u64,
    /// The confidence of all intervals, such as 0.95.
    pub confidence: f64,
    /// Win rate; a draw counts as half a win.
    pub rate: f64,
    /// Standard error of the rate, from the variance of the pairs. It is 0 when all pairs scored the same.
    pub standard_error: f64,
    /// Lower end of the rate's interval for a number of games that was fixed beforehand.
    pub low: f64,
    /// Upper end of that interval.
    pub high: f64,
    /// Lower end of the confidence sequence of the rate.
    pub cs_low: f64,
    /// Upper end of the confidence sequence.
    pub cs_high: f64,
    /// Natural logarithm of the e-value against a true rate of 50 %.
    pub log_e_value: f64,
    /// Fraction of the games that were drawn.
    pub draw_rate: f64,
    /// Variance of the pairs relative to pairs of independent games, shrunk towards 1. It is below 1 where the first
    /// move is an advantage.
    pub design_effect: f64,
    /// Number of independent games with the same precision.
    pub effective_games: f64,
    /// Elo difference at the rate; none when every game was won or every game was lost.
    pub elo: Option<f64>,
    /// Elo difference at the lower end of the interval; none at a rate of 0.
    pub elo_low: Option<f64>,
    /// Elo difference at the upper end of the interval; none at a rate of 1.
    pub elo_high: Option<f64>,
    /// Half the width of the Elo interval from the normal approximation ([`elo_error`]).
    pub elo_error: Option<f64>,
    /// Elo difference at the lower end of the confidence sequence; none at a rate of 0.
    pub cs_elo_low: Option<f64>,
    /// Elo difference at the upper end of the confidence sequence; none at a rate of 1.
    pub cs_elo_high: Option<f64>,
    /// Normalised Elo; none when all pairs scored the same.
    pub normalised_elo: Option<f64>,
    /// Half the width of the interval of normalised Elo: z/√(2N) · 800/ln 10, widened for the deviation, which is estimated too.
    pub normalised_elo_error: f64,
    /// Normalised Elo at the lower end of the confidence sequence, with the deviation of these pairs, and as much wider as the interval; none
    /// when all pairs scored the same. It holds at any look approximately, from 50 pairs on.
    pub cs_normalised_elo_low: Option<f64>,
    /// Normalised Elo at the upper end of the confidence sequence, as at the lower one.
    pub cs_normalised_elo_high: Option<f64>,
    /// Likelihood of superiority, from 0 to 1: Φ((s − ½)/SE), where SE is not 0 even if all pairs scored the same. The number holds for a single look only.
    pub los: f64,
}

impl Summary {
    /// The e-value against a true rate of 50 %: the capital of a gambler who started with 1 and bet against 50 %. Values
    /// beyond 1e300 are 1e300.
    #[must_use]
    pub fn e_value(&self) -> f64 {
        self.log_e_value.exp().min(1e300)
    }

    /// The ends of the interval of normalised Elo for a number of games that was fixed beforehand; none when all pairs
    /// scored the same.
    #[must_use]
    pub fn normalised_elo_ends(&self) -> Option<(f64, f64)> {
        self.normalised_elo.map(|elo| (elo - self.normalised_elo_error, elo + self.normalised_elo_error))
    }
}

/// Summarises complete pairs. `confidence` is the confidence level of the intervals, such as 0.95. None without pairs,
/// or when `confidence` is not between 0 and 1.
///
/// With N pairs of score y in {0, 1/4, 1/2, 3/4, 1}, rate s, draw fraction d and n = 2N games:
///
/// ```text
/// v    = mean of (y − s)²                    variance of a pair
/// v_g  = s(1 − s) − d/4                      variance of a game if games were independent
/// deff = (N·2v + 30·v_g) / (N·v_g + 30·v_g)  and 1 where v_g = 0
/// ```
///
/// The interval is [`wilson`]'s for n / deff games. The pair variance is that of fishtest's pentanomial statistics (Van
/// den Bergh, "Fishtest mathematics"); the design effect follows Kish, *Survey Sampling* (1965). The shrinkage was
/// chosen by simulation: from 5 pairs on, the 95 % interval covers the true rate in at least 93 % of cases, for true
/// rates of 50 % and 90 %, with and without an advantage of the first move.
///
/// The confidence sequence is [`confidence_sequence`]'s with [`PRIOR`]. It is wider than the interval, because it holds
/// at every look.
#[must_use]
pub fn summary(counts: &PairCounts, confidence: f64) -> Option<Summary> {
    let z = two_sided(confidence).ok()?;
    let moments = counts.moments()?;
    let (draw_rate, design_effect, effective_games) = effective(&moments);
    let (low, high) = wilson(moments.rate, draw_rate, effective_games, z);
    let (points, games) = (counts.points(), 2.0 * moments.pairs);
    let (cs_low, cs_high) = confidence_sequence(points, games, confidence, PRIOR).ok()?;
    let standard_error = moments.standard_error();
    let normalised = |rate: f64| normalised_elo(rate, (2.0 * moments.pair_variance).sqrt());
    let widening = widening(counts, &moments);
    let normalised_end = |end: f64| {
        normalised(moments.rate).zip(normalised(end)).map(|(elo, end)| elo + widening * (end - elo))
    };
    Some(Summary {
        pairs: counts.pairs(),
        confidence,
        rate: moments.rate,
        standard_error,
        low,
        high,
        cs_low,
        cs_high,
        log_e_value: log_e_value(points, games, 0.5, PRIOR),
        draw_rate: moments.draw_rate,
        design_effect,
        effective_games,
        elo: elo_difference(moments.rate),
        elo_low: elo_difference(low),
        elo_high: elo_difference(high),
        elo_error: elo_error(moments.rate, z * standard_error),
        cs_elo_low: elo_difference(cs_low),
        cs_elo_high: elo_difference(cs_high),
        normalised_elo: normalised(moments.rate),
        normalised_elo_error: widening * z / (2.0 * moments.pairs).sqrt() * NORMALISED_ELO,
        cs_normalised_elo_low: normalised_end(cs_low),
        cs_normalised_elo_high: normalised_end(cs_high),
        los: superiority(&moments, standard_error),
    })
}

/// By how much the deviation of pairs, which is estimated too, widens the interval of (s − ½)/√v: by the delta method, the standard deviation
/// of z − δ/2·(z² − 1), with δ = (s − ½)/√v and the standardised scores z of pairs. It is 1 at 50 %. Few pairs may seem to narrow the interval,
/// and are not believed.
fn widening(counts: &PairCounts, moments: &Moments) -> f64 {
    let Moments { pairs, rate, pair_variance, .. } = *moments;
    if pair_variance < NO_VARIANCE {
        return 1.0;
    }
    let deviation = pair_variance.sqrt();
    let influence = |score: f64| {
        let z = (score - rate) / deviation;
        z - (rate - 0.5) / deviation / 2.0 * (z * z - 1.0)
    };
    let scored = counts.by_score().into_iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
    (scored.map(|(count, score)| count * influence(score).powi(2)).sum::<f64>() / pairs).sqrt().max(1.0)
}

/// Draw rate for the interval, design effect, and effective number of games.
pub(crate) fn effective(moments: &Moments) -> (f64, f64, f64) {
    let Moments { pairs, pair_variance, game_variance, draw_rate, .. } = *moments;
    if game_variance < NO_VARIANCE {
        // With draws only, the game variance is 0 and the interval would have no width. Counting the draws as equally
        // many wins and losses gives the widest interval instead.
        return (0.0, 1.0, 2.0 * pairs);
    }
    let design_effect = (pairs * 2.0 * pair_variance + SHRINKAGE_PAIRS * game_variance)
        / ((pairs + SHRINKAGE_PAIRS) * game_variance);
    (draw_rate, design_effect, 2.0 * pairs / design_effect)
}

/// The probability that the true rate is above 50 %, for a normal estimate and a flat prior. Where all pairs scored the same, the error is that
/// with half a lost and half a won pair among them: a single won pair proves nothing.
fn superiority(Moments { pairs, rate, .. }: &Moments, standard_error: f64) -> f64 {
    let error = if standard_error > 0.0 {
        standard_error
    } else {
        let mean = (pairs * rate + 0.5) / (pairs + 1.0);
        let squares = pairs * (rate - mean).powi(2) + (mean.powi(2) + (1.0 - mean).powi(2)) / 2.0;
        squares.sqrt() / pairs
    };
    probability_below((rate - 0.5) / error)
}
