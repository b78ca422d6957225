//! The lowest mean of rates that the bets do not exclude, and their winnings against a given mean.
//!
//! The capital against a mean is the least one over all rates with this mean. It falls with the mean, and both searches are
//! convex: one for the least capital, by Newton's method, inside one for the mean, which starts where the other ended.

use crate::stakes::{Bets, Capital, SCORES, Stratum};

/// Newton's steps to the least capital at most; two or three are usual.
const STEPS: usize = 80;

/// A step that lowers the logarithm of the capital by less is not taken.
const PRECISION: f64 = 1e-7;

/// The means that are tried at most; three or four are usual.
const MEANS: usize = 60;

/// The tolerance of the lowest mean.
const CLOSE: f64 = 1e-8;

/// The logarithm of the least winnings of the bets, if the mean of the rates is this: strictly between 0 and 1.
pub(crate) fn log_capital(strata: &[Stratum], mean: f64) -> f64 {
    let bets = Bets::of(strata);
    let mut rates = with_mean(strata, mean);
    least(&bets, &mut rates).map_or(0.0, |(log, _)| log)
}

/// The lowest mean at which the logarithm of the capital is no more than `bound`, which is above 0. It is no more than the mean
/// of the games.
pub(crate) fn lowest_mean(strata: &[Stratum], bound: f64) -> f64 {
    let rate: f64 = strata.iter().map(|stratum| stratum.weight * stratum.rate()).sum();
    if rate <= 0.0 {
        return 0.0;
    }
    let bets = Bets::of(strata);
    // Of a normal distribution, the mean is about here.
    let guess = rate - (2.0 * (bound + 2.0) * variance(strata)).sqrt();
    let mut rates = with_mean(strata, guess.max(rate / 20.0));
    let (mut outside, mut inside) = (0.0, rate);
    for _ in 0..MEANS {
        let Some((log, way)) = least(&bets, &mut rates) else { break };
        let mean = along(&bets.weights, &rates);
        *(if log > bound { &mut outside } else { &mut inside }) = mean;
        // The square root of the logarithm is nearly linear in the mean.
        let newton = mean + 2.0 * (log - (log * bound).sqrt()) / way.price;
        if log > 0.0 && (newton - mean).abs() < CLOSE {
            return newton.clamp(0.0, rate);
        }
        if inside - outside < CLOSE {
            break;
        }
        let is_between = log > 0.2 * bound && newton > outside && newton < inside;
        let next = if is_between { newton } else { f64::midpoint(outside, inside) };
        let change: Vec<f64> = way.by_mean.iter().map(|by| (next - mean) * by).collect();
        let part = room(&rates, &change);
        rates = moved(&rates, &change, part);
    }
    // A mean that is not known to be outside belongs to the sequence.
    outside
}

/// The variance of the mean, with half a lost and half a won pair more in each cell.
fn variance(strata: &[Stratum]) -> f64 {
    let of = |stratum: &Stratum| {
        let (pairs, rate) = (stratum.pairs(), stratum.rate());
        let squares = stratum.least.iter().zip(SCORES).map(|(count, score)| count * (score - rate).powi(2));
        stratum.weight.powi(2) * (squares.sum::<f64>() + 0.25) / (pairs + 1.0) / pairs
    };
    strata.iter().map(of).sum()
}

/// Rates with this mean, that differ from those of the games by the same log-odds.
fn with_mean(strata: &[Stratum], mean: f64) -> Vec<f64> {
    let odds: Vec<f64> = strata
        .iter()
        .map(|stratum| {
            let won = stratum.pairs() * stratum.rate();
            ((won + 0.25) / (stratum.pairs() - won + 0.25)).ln()
        })
        .collect();
    let shifted =
        |by: f64| -> Vec<f64> { odds.iter().map(|odds| crate::logistic::sigmoid(odds + by)).collect() };
    let of = |rates: &[f64]| -> f64 { rates.iter().zip(strata).map(|(rate, one)| rate * one.weight).sum() };
    let (mut low, mut high) = (-60.0, 60.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if of(&shifted(middle)) < mean { low = middle } else { high = middle }
    }
    // The rounding error is spread over the rates in proportion to their distance from the bounds.
    let mut rates = shifted(low);
    let room: f64 = rates.iter().zip(strata).map(|(rate, one)| one.weight * rate * (1.0 - rate)).sum();
    let left = (mean - of(&rates)) / room.max(f64::MIN_POSITIVE);
    rates.iter_mut().for_each(|rate| *rate += left * *rate * (1.0 - *rate));
    rates
}

/// Where the least capital lies, as far as the derivatives at some rates tell.
struct DescentStep {
    /// Newton's step to it, which leaves the mean as it is.
    step: Vec<f64>,
    /// By how much the step lowers the logarithm, to the first order.
    gain: f64,
    /// How much the logarithm falls with the mean.
    price: f64,
    /// How the rates of the least capital change with the mean.
    by_mean: Vec<f64>,
}

/// None where the second derivatives vanish.
fn way(weights: &[f64], here: &Capital) -> Option<DescentStep> {
    let bend = here.bend.cholesky()?;
    let (down, across) = (bend.solve(&here.slope), bend.solve(weights));
    let room = along(&across, weights);
    let price = -along(&down, weights) / room;
    let step: Vec<f64> = down.iter().zip(&across).map(|(down, across)| -price * across - down).collect();
    let gain = -along(&step, &here.slope);
    Some(DescentStep { step, gain, price, by_mean: across.iter().map(|across| across / room).collect() })
}

/// Moves the rates to the least capital with their mean, and returns its logarithm.
fn least(bets: &Bets, rates: &mut Vec<f64>) -> Option<(f64, DescentStep)> {
    let mut here = bets.capital(rates);
    for _ in 0..STEPS {
        let way = way(&bets.weights, &here)?;
        if way.gain < PRECISION {
            return Some((here.log - way.gain / 2.0, way));
        }
        // The largest part of the step that stays between 0 and 1 and lowers the capital.
        let mut part = room(rates, &way.step);
        let next = loop {
            let next = moved(rates, &way.step, part);
            let there = bets.capital(&next);
            if there.log <= here.log - 0.1 * part * way.gain {
                break Some((next, there));
            }
            part /= 2.0;
            if part < 1e-9 {
                break None;
            }
        };
        let Some((next, there)) = next else { return Some((here.log, way)) };
        (*rates, here) = (next, there);
    }
    way(&bets.weights, &here).map(|way| (here.log, way))
}

fn along(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The part of a change, at most 1, that stays between 0 and 1.
fn room(rates: &[f64], change: &[f64]) -> f64 {
    let of = |(rate, change): (&f64, &f64)| {
        let left = if *change > 0.0 { 1.0 - rate } else { *rate };
        0.95 * left / change.abs()
    };
    rates.iter().zip(change).map(of).fold(1.0, f64::min)
}

fn moved(rates: &[f64], change: &[f64], part: f64) -> Vec<f64> {
    rates.iter().zip(change).map(|(rate, change)| rate + part * change).collect()
}
