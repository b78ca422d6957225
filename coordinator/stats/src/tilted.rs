//! The e-value against a mean of rates, from games of several cells.
//!
//! Against given rates p of all cells there are two bets, each with half of the capital. The first bets on every cell by itself: the
//! product of the cells' own e-values. The second bets that all cells are stronger, or all weaker, by the same amount. Its capital
//! grows faster where the mean is what differs, because it learns one number instead of one for each cell; with unequal numbers of
//! games it knows little of the mean, and the first bet bounds how far the rates may be apart. Both are fair, in whatever order the
//! cells progress and whenever they end. So the capital is a nonnegative martingale if p are the true rates, and reaches 1/α with a
//! chance of at most α (Ville's inequality). The e-value against a mean is the least capital over all rates with this mean.

use crate::matrix::Symmetric;
use crate::sequence::log_e_value;
use statrs::function::beta::ln_beta;

/// The games of a cell and its part of the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stratum {
    /// The points, if all missing games are lost.
    pub(crate) points: f64,
    /// The points that the missing games may add.
    pub(crate) open: f64,
    pub(crate) games: f64,
    /// The part of all weights, above 0.
    pub(crate) weight: f64,
}

impl Stratum {
    /// The cell as the opponent sees it.
    pub(crate) fn mirrored(&self) -> Self {
        Self { points: self.games - self.points - self.open, ..*self }
    }
}

/// The logarithm of the e-value against a weighted mean of the rates, strictly between 0 and 1.
///
/// With Sₖ points in nₖ games of cell k, λ = logit θ − logit m and factors cₖ of the common amount:
///
/// ```text
/// each cell   Π ∫₀¹ (θ/pₖ)^Sₖ·((1 − θ)/(1 − pₖ))^(nₖ − Sₖ) dθ
/// together    ∫₀¹ Π e^(λ·cₖ·Sₖ)/(1 − pₖ + pₖ·e^(λ·cₖ))^nₖ dθ
/// e-value     the least of the mean of both over all p with Σ uₖ·pₖ = m
/// ```
///
/// The best factors are uₖ/nₖ. The bet must not know the games to come, so it takes both that can be planned: cₖ = 1, for games in
/// proportion to the weights, and cₖ in proportion to uₖ, for equal numbers. With one cell both bets are that of
/// [`crate::log_e_value`] with the prior 1.
///
/// Sources: the second bet is the exponential family of Wald's tests, mixed over its parameter as by Robbins (1970); products and means
/// of e-values: Vovk, Wang, "E-values: calibration, combination and applications", Annals of Statistics 49 (2021).
pub(crate) fn log_e_value_of_mean(strata: &[Stratum], mean: f64) -> f64 {
    if let [only] = strata {
        return log_e_value(only.points, only.games, mean, 1.0);
    }
    let bets = Bets::of(strata, mean);
    let mut rates = start(strata, mean);
    let weights: Vec<f64> = strata.iter().map(|stratum| stratum.weight).collect();
    let mut here = bets.with_barrier(&rates);
    for _ in 0..STEPS {
        let Some(step) = here.step(&weights) else { break };
        let gain: f64 = step.iter().zip(&here.slope).map(|(step, slope)| -step * slope).sum();
        if gain < PRECISION {
            break;
        }
        // The largest part of the step that stays between 0 and 1 and lowers the capital.
        let mut part = 1.0;
        let next = loop {
            let moved: Vec<f64> = rates.iter().zip(&step).map(|(rate, step)| rate + part * step).collect();
            if moved.iter().all(|rate| *rate > 0.0 && *rate < 1.0) {
                let next = bets.with_barrier(&moved);
                if next.log <= here.log - 0.1 * part * gain {
                    break Some((moved, next));
                }
            }
            part /= 2.0;
            if part < 1e-6 {
                break None;
            }
        };
        let Some(next) = next else { break };
        (rates, here) = next;
    }
    bets.capital(&rates).log
}

/// Newton's steps at most; five are usual.
const STEPS: usize = 60;

/// A step that lowers the logarithm by less is not taken.
const PRECISION: f64 = 1e-6;

/// The factor of the logarithms of rates and their complements that keep the rates between 0 and 1. By so much for each end, the
/// least capital is overestimated at most.
const BARRIER: f64 = 1e-5;

/// Newton's steps to the maximum of the integrand at most.
const SUMMIT_STEPS: usize = 40;

/// Points of the numerical integral.
const POINTS: usize = 32;

/// The integral leaves out what is smaller than its largest term by this exponent.
const REACH: f64 = 28.0;

/// Rates with this mean, that differ from those of the games by the same log-odds.
fn start(strata: &[Stratum], mean: f64) -> Vec<f64> {
    let odds = |stratum: &Stratum| ((stratum.points + 0.5) / (stratum.games - stratum.points + 0.5)).ln();
    let shifted = |by: f64| -> Vec<f64> {
        strata.iter().map(|stratum| crate::logistic::sigmoid(odds(stratum) + by)).collect()
    };
    let of = |rates: &[f64]| -> f64 {
        rates.iter().zip(strata).map(|(rate, stratum)| rate * stratum.weight).sum()
    };
    let (mut low, mut high) = (-60.0, 60.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if of(&shifted(middle)) < mean { low = middle } else { high = middle }
    }
    // What rounding leaves is spread over the rates in proportion to their room.
    let mut rates = shifted(low);
    let room: f64 =
        rates.iter().zip(strata).map(|(rate, stratum)| stratum.weight * rate * (1.0 - rate)).sum();
    let left = (mean - of(&rates)) / room.max(f64::MIN_POSITIVE);
    rates.iter_mut().for_each(|rate| *rate += left * *rate * (1.0 - *rate));
    rates
}

/// The bets against rates with a given mean.
struct Bets<'s> {
    strata: &'s [Stratum],
    /// The factors cₖ of the bets on all cells together.
    factors: Vec<Vec<f64>>,
    /// The logarithm of the odds of the mean.
    odds: f64,
    /// The logarithm of the part of the product bet that does not depend on the rates.
    own: f64,
}

/// The logarithm of the capital at some rates, with its derivatives.
struct Capital {
    log: f64,
    slope: Vec<f64>,
    bend: Symmetric,
}

impl Capital {
    /// Newton's step towards the least capital that leaves the weighted mean as it is; none where the second derivatives vanish.
    fn step(&self, weights: &[f64]) -> Option<Vec<f64>> {
        let bend = self.bend.cholesky()?;
        let (down, across) = (bend.solve(&self.slope), bend.solve(weights));
        let along = |vector: &[f64]| -> f64 { vector.iter().zip(weights).map(|(a, b)| a * b).sum() };
        let back = along(&down) / along(&across);
        Some(down.iter().zip(&across).map(|(down, across)| back * across - down).collect())
    }
}

impl<'s> Bets<'s> {
    fn of(strata: &'s [Stratum], mean: f64) -> Self {
        let largest = strata.iter().map(|stratum| stratum.weight).fold(0.0, f64::max);
        let by_weight: Vec<f64> = strata.iter().map(|stratum| stratum.weight / largest).collect();
        let mut factors = vec![vec![1.0; strata.len()]];
        if by_weight.iter().any(|factor| (factor - 1.0).abs() > 1e-9) {
            factors.push(by_weight);
        }
        let own = strata
            .iter()
            .map(|stratum| ln_beta(stratum.points + 1.0, stratum.games - stratum.points + 1.0))
            .sum();
        Self { strata, factors, odds: (mean / (1.0 - mean)).ln(), own }
    }

    fn capital(&self, rates: &[f64]) -> Capital {
        let cells = self.strata.len();
        // The terms of the mean of all bets: the logarithm, the slopes, and the diagonal of the second derivatives.
        let mut terms: Vec<(f64, Vec<f64>, Vec<f64>)> = Vec::with_capacity(1 + POINTS * self.factors.len());
        let (mut log, mut slope, mut bend) = (self.own - 2f64.ln(), Vec::new(), Vec::new());
        for (stratum, &rate) in self.strata.iter().zip(rates) {
            let (won, lost) = (stratum.points, stratum.games - stratum.points);
            let term = |points: f64, log: f64| if points == 0.0 { 0.0 } else { points * log };
            log -= term(won, rate.ln()) + term(lost, (-rate).ln_1p());
            slope.push(lost / (1.0 - rate) - won / rate);
            bend.push(won / rate.powi(2) + lost / (1.0 - rate).powi(2));
        }
        terms.push((log, slope, bend));
        let part = (2.0 * self.factors.len() as f64).ln();
        for factors in &self.factors {
            let (from, step) = self.reach(factors, rates);
            for point in 0..=POINTS {
                let amount = from + step * point as f64;
                let (mut slope, mut bend) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
                for ((stratum, factor), &rate) in self.strata.iter().zip(factors).zip(rates) {
                    let growth = (factor * amount).exp_m1();
                    let each = growth / (1.0 + rate * growth);
                    slope.push(-stratum.games * each);
                    bend.push(stratum.games * each * each);
                }
                let log = self.together(factors, rates, amount) + step.ln() - part;
                terms.push((log, slope, bend));
            }
        }
        let most = terms.iter().map(|(log, ..)| *log).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = terms.iter().map(|(log, ..)| (log - most).exp()).sum();
        let mut slope = vec![0.0; cells];
        let mut squares = Symmetric::zeros(cells);
        for (log, own, bend) in &terms {
            let share = (log - most).exp() / sum;
            if share < 1e-17 {
                continue;
            }
            slope.iter_mut().zip(own).for_each(|(slope, own)| *slope += share * own);
            squares.add_square(own, share);
            bend.iter().enumerate().for_each(|(k, bend)| squares.add(k, k, share * bend));
        }
        squares.add_square(&slope, -1.0);
        Capital { log: most + sum.ln(), slope, bend: squares }
    }

    /// As [`Bets::capital`], with the barrier that keeps rates between 0 and 1.
    fn with_barrier(&self, rates: &[f64]) -> Capital {
        let mut capital = self.capital(rates);
        for (k, &rate) in rates.iter().enumerate() {
            capital.log -= BARRIER * (rate.ln() + (-rate).ln_1p());
            capital.slope[k] += BARRIER * (1.0 / (1.0 - rate) - 1.0 / rate);
            capital.bend.add(k, k, BARRIER * (rate.powi(-2) + (1.0 - rate).powi(-2)));
        }
        capital
    }

    /// The logarithm of the integrand over λ: of the bet on a common amount λ, and of the density θ(1 − θ) of the prior.
    fn together(&self, factors: &[f64], rates: &[f64], amount: f64) -> f64 {
        let cells = self.strata.iter().zip(factors).zip(rates);
        let bet: f64 = cells
            .map(|((stratum, factor), &rate)| {
                let by = factor * amount;
                // ln(1 − p + p·e^by), also where e^by is too large for a number.
                let mean = if by > 0.0 {
                    by + ((1.0 - rate) * (-by).exp_m1()).ln_1p()
                } else {
                    (rate * by.exp_m1()).ln_1p()
                };
                by * stratum.points - stratum.games * mean
            })
            .sum();
        let place = amount + self.odds;
        bet - place.abs() - 2.0 * (-place.abs()).exp().ln_1p()
    }

    /// The first point of the integral over λ, and the step to the next. The integrand is log-concave.
    fn reach(&self, factors: &[f64], rates: &[f64]) -> (f64, f64) {
        let value = |amount: f64| self.together(factors, rates, amount);
        let (top, deviation) = self.summit(factors, rates);
        let least = value(top) - REACH;
        let edge = |direction: f64| {
            // Of a normal density, the edge is here.
            let mut width = deviation * (2.0 * REACH).sqrt();
            while value(top + direction * width) > least {
                width *= 1.4;
            }
            top + direction * width
        };
        let (low, high) = (edge(-1.0), edge(1.0));
        (low, (high - low) / POINTS as f64)
    }

    /// The place of the maximum of the integrand over λ, roughly, and the deviation that its curvature there suggests.
    fn summit(&self, factors: &[f64], rates: &[f64]) -> (f64, f64) {
        let mut amount = 0.0;
        let mut deviation = 1.0;
        for _ in 0..SUMMIT_STEPS {
            let place = crate::logistic::sigmoid(amount + self.odds);
            let (mut slope, mut bend) = (1.0 - 2.0 * place, 2.0 * place * (1.0 - place));
            for ((stratum, factor), &rate) in self.strata.iter().zip(factors).zip(rates) {
                let tilted = crate::logistic::sigmoid((rate / (1.0 - rate)).ln() + factor * amount);
                slope += factor * (stratum.points - stratum.games * tilted);
                bend += factor * factor * stratum.games * tilted * (1.0 - tilted);
            }
            deviation = bend.sqrt().recip();
            let step = (slope / bend).clamp(-2.0, 2.0);
            amount += step;
            if step.abs() < 0.3 * deviation {
                break;
            }
        }
        (amount, deviation)
    }
}
