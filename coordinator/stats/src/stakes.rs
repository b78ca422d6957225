//! Bets against the rates of several cells, for a confidence sequence of their mean.
//!
//! A bet with the stake g multiplies the capital by (1 + g·y)/(1 + g·p) at a pair with the score y, where p is the rate of its
//! cell. If p is the true rate, this is 1 on average, whatever else is true of the pairs. Where the two games of a pair are
//! independent, given the colours, the same holds for each game; its two rates have the mean p, and the product of both factors
//! is 1 or less on average, by the inequality of the arithmetic and the geometric mean. Pairs gain where the first move makes
//! them vary less, games where nearly all are won.
//!
//! The capital is shared out beforehand to bets with all stakes of a grid, and stays nonnegative and fair in whatever order the
//! cells progress and whenever they end. So it reaches 1/α with a chance of at most α if p are the true rates (Ville's
//! inequality). All stakes are positive: a bet gains with every point, and loses where the rates are higher. That makes each end
//! of a sequence monotone. The logarithm of the capital is convex in the rates.
//!
//! Sources: betting on bounded means, Waudby-Smith, Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86
//! (2024); shares of capital, Robbins, "Statistical methods related to the law of the iterated logarithm", Ann. Math. Statist. 41
//! (1970).

use crate::matrix::Symmetric;

/// The pairs of a cell and its part of the mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stratum {
    /// Numbers of pairs in the order LL, LD, WL, DD, WD, WW, if all missing games are lost.
    pub(crate) least: [f64; 6],
    /// The same, if all missing games are won.
    pub(crate) most: [f64; 6],
    /// The part of all weights, above 0.
    pub(crate) weight: f64,
}

/// The scores of pairs, in the order of the counts.
pub(crate) const SCORES: [f64; 6] = [0.0, 0.25, 0.5, 0.5, 0.75, 1.0];

impl Stratum {
    /// The cell as the opponent sees it.
    pub(crate) fn mirrored(&self) -> Self {
        let swapped = |[ll, ld, wl, dd, wd, ww]: [f64; 6]| [ww, wd, wl, dd, ld, ll];
        Self { least: swapped(self.most), most: swapped(self.least), ..*self }
    }

    pub(crate) fn pairs(&self) -> f64 {
        self.least.iter().sum()
    }

    /// The mean score, if all missing games are lost.
    pub(crate) fn rate(&self) -> f64 {
        self.least.iter().zip(SCORES).map(|(count, score)| count * score).sum::<f64>() / self.pairs()
    }

    /// The logarithm of Π (1 + g·y) over the pairs, and over their games with half of the stake: the slope at small stakes is the
    /// same.
    fn won(&self, stake: f64) -> [f64; 2] {
        let [_, ld, wl, dd, wd, ww] = self.least;
        let [quarter, half, most, all] = [0.25, 0.5, 0.75, 1.0].map(|score| (score * stake).ln_1p());
        let pairs = ld * quarter + (wl + dd) * half + wd * most + ww * all;
        [pairs, (2.0 * ww + wd + wl) * half + (ld + 2.0 * dd + wd) * quarter]
    }
}

/// The number of stakes: 2⁻¹², 2⁻¹¹, … 2¹⁰. Neighbours grow nearly as fast as the best stake between them.
const STAKES: usize = 23;

/// The exponents of the smallest stake, and of the one with most capital.
const FIRST: i32 = -12;
const CENTRE: i32 = 1;

/// Stakes that are so many times 2 away from the centre have half of its capital.
const SPREAD: f64 = 3.0;

/// The parts of the capital that bet with one stake on the pairs of all cells, and on their games.
const TOGETHER: [f64; 2] = [0.3, 0.3];

/// The rest bets on each cell by itself, in these parts: on its pairs or games, with the common stake or less by so many powers
/// of 2. It gains most where cells have unequal numbers of pairs: the best stakes are about in inverse proportion. What is left
/// is not staked.
const APART: [(usize, usize, f64); 4] = [(PAIRS, 0, 0.1), (GAMES, 0, 0.6), (PAIRS, 3, 0.1), (PAIRS, 6, 0.1)];
const IDLE: f64 = 0.1;

const PAIRS: usize = 0;
const GAMES: usize = 1;

/// The factor of the logarithms of rates and their complements that keep the rates between 0 and 1. The least capital is
/// overestimated by no more than so much for each end.
const BARRIER: f64 = 1e-6;

/// Bets with a smaller share of the capital do not count for derivatives.
const SMALL: f64 = 1e-10;

/// All bets against rates of these cells.
pub(crate) struct Bets<'s> {
    pub(crate) strata: &'s [Stratum],
    pub(crate) weights: Vec<f64>,
    families: Vec<Family>,
    /// The part of the capital of each stake.
    prior: [f64; STAKES],
}

/// Bets whose stakes have the same proportions over the cells: equal ones, which are best for pairs in proportion to the weights,
/// or ones in proportion to the weights, which are best for equally many pairs.
struct Family {
    /// Cell by cell, the stakes and the logarithms of what is won with them.
    stakes: Vec<[f64; STAKES]>,
    won: Vec<[[f64; STAKES]; 2]>,
}

/// The winnings of a family of bets in a cell.
struct Bet {
    /// The logarithms of the capital by pairs and by games, their falls with the rate, and the capital relative to the largest.
    logs: [[f64; STAKES]; 2],
    falls: [[f64; STAKES]; 2],
    relative: [[f64; STAKES]; 2],
    /// The capital of the bets on each cell by itself, relative to the largest one.
    apart: [f64; STAKES],
    /// The logarithm of the largest capital.
    most: f64,
}

impl Bet {
    fn of(stakes: &[f64; STAKES], won: &[[f64; STAKES]; 2], pairs: f64, rate: f64) -> Self {
        let mut bet = Self {
            logs: *won,
            falls: [[0.0; STAKES]; 2],
            relative: [[0.0; STAKES]; 2],
            apart: [0.0; STAKES],
            most: 0.0,
        };
        for kind in [PAIRS, GAMES] {
            let (part, times) = unit(kind, pairs);
            for (i, stake) in stakes.iter().enumerate() {
                let stake = part * stake;
                bet.logs[kind][i] -= times * (stake * rate).ln_1p();
                bet.falls[kind][i] = times * stake / (1.0 + stake * rate);
                bet.most = bet.most.max(bet.logs[kind][i]);
            }
        }
        bet.relative = bet.logs.map(|logs| logs.map(|log| (log - bet.most).exp()));
        let idle = (-bet.most).exp();
        for i in 0..STAKES {
            let capital = |(kind, less, part): (usize, usize, f64)| {
                part * if less <= i { bet.relative[kind][i - less] } else { idle }
            };
            bet.apart[i] = IDLE * idle + APART.into_iter().map(capital).sum::<f64>();
        }
        bet
    }

    /// The fall of the logarithm of the capital with the rate, and its second derivative: of the bet `place` of
    /// [`Bets::capital`].
    fn derivatives(&self, place: usize, i: usize, pairs: f64) -> (f64, f64) {
        if let PAIRS | GAMES = place {
            let fall = self.falls[place][i];
            return (fall, fall * fall / unit(place, pairs).1);
        }
        let (mut first, mut second) = (0.0, 0.0);
        for (kind, less, part) in APART.into_iter().filter(|(_, less, _)| *less <= i) {
            let share = part * self.relative[kind][i - less] / self.apart[i];
            let fall = self.falls[kind][i - less];
            first += share * fall;
            second += share * fall * fall * (1.0 + 1.0 / unit(kind, pairs).1);
        }
        (first, second - first * first)
    }
}

/// The part of a stake that a bet takes, and the number of its factors.
fn unit(kind: usize, pairs: f64) -> (f64, f64) {
    if kind == PAIRS { (1.0, pairs) } else { (0.5, 2.0 * pairs) }
}

/// The logarithm of the capital at some rates, with its derivatives.
pub(crate) struct Capital {
    pub(crate) log: f64,
    pub(crate) slope: Vec<f64>,
    pub(crate) bend: Symmetric,
}

impl<'s> Bets<'s> {
    pub(crate) fn of(strata: &'s [Stratum]) -> Self {
        let mut prior: [f64; STAKES] = std::array::from_fn(|i| {
            let away = f64::from(i as i32 + FIRST - CENTRE) / SPREAD;
            1.0 / (1.0 + away * away)
        });
        let all: f64 = prior.iter().sum();
        prior.iter_mut().for_each(|part| *part /= all);
        let weights: Vec<f64> = strata.iter().map(|stratum| stratum.weight).collect();
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let by_weight: Vec<f64> = weights.iter().map(|weight| weight / largest).collect();
        let are_equal = by_weight.iter().all(|factor| (factor - 1.0).abs() < 1e-9);
        let equal = vec![1.0; strata.len()];
        let factors = if are_equal { vec![equal] } else { vec![equal, by_weight] };
        let family = |factors: Vec<f64>| {
            let stakes: Vec<[f64; STAKES]> = factors
                .iter()
                .map(|factor| std::array::from_fn(|i| factor * 2f64.powi(FIRST + i as i32)))
                .collect();
            let won = stakes.iter().zip(strata).map(|(stakes, stratum)| {
                let both = stakes.map(|stake| stratum.won(stake));
                [PAIRS, GAMES].map(|kind| both.map(|won| won[kind]))
            });
            Family { won: won.collect(), stakes }
        };
        Self { strata, weights, families: factors.into_iter().map(family).collect(), prior }
    }

    /// The capital at these rates, strictly between 0 and 1, with the barrier that keeps them there.
    pub(crate) fn capital(&self, rates: &[f64]) -> Capital {
        let families = self.families.len() as f64;
        let mut bets: Vec<Vec<Bet>> = Vec::with_capacity(self.families.len());
        // Three bets for each stake: on the pairs of all cells, on their games, and on each cell by itself.
        let mut logs: Vec<[[f64; STAKES]; 3]> = Vec::with_capacity(self.families.len());
        for family in &self.families {
            let parts = [TOGETHER[PAIRS], TOGETHER[GAMES], 1.0 - TOGETHER[PAIRS] - TOGETHER[GAMES]];
            let mut sums = parts.map(|part| self.prior.map(|prior| (part * prior / families).ln()));
            let cells: Vec<Bet> = (0..rates.len())
                .map(|k| Bet::of(&family.stakes[k], &family.won[k], self.strata[k].pairs(), rates[k]))
                .collect();
            for bet in &cells {
                for kind in [PAIRS, GAMES] {
                    sums[kind].iter_mut().zip(bet.logs[kind]).for_each(|(sum, log)| *sum += log);
                }
                sums[2].iter_mut().zip(bet.apart).for_each(|(sum, apart)| *sum += bet.most + apart.ln());
            }
            bets.push(cells);
            logs.push(sums);
        }
        let most = logs.iter().flatten().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = logs.iter().flatten().flatten().map(|log| (log - most).exp()).sum();
        let (mut slope, mut own) = (vec![0.0; rates.len()], vec![0.0; rates.len()]);
        let mut bend = Symmetric::zeros(rates.len());
        for (cells, logs) in bets.iter().zip(&logs) {
            for (place, i) in (0..3).flat_map(|place| (0..STAKES).map(move |i| (place, i))) {
                let share = (logs[place][i] - most).exp() / sum;
                if share < SMALL {
                    continue;
                }
                for (k, bet) in cells.iter().enumerate() {
                    let (first, second) = bet.derivatives(place, i, self.strata[k].pairs());
                    own[k] = -first;
                    slope[k] -= share * first;
                    bend.add(k, k, share * second);
                }
                bend.add_square(&own, share);
            }
        }
        bend.add_square(&slope, -1.0);
        let mut log = most + sum.ln();
        for (k, &rate) in rates.iter().enumerate() {
            log -= BARRIER * (rate.ln() + (-rate).ln_1p());
            slope[k] += BARRIER * (1.0 / (1.0 - rate) - 1.0 / rate);
            bend.add(k, k, BARRIER * (rate.powi(-2) + (1.0 - rate).powi(-2)));
        }
        Capital { log, slope, bend }
    }
}
