//! Pairs of games, counted by their results.

use std::ops::AddAssign;

/// Numbers of complete pairs, by the case's results in the two games in either order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PairCounts {
    /// Both lost.
    pub ll: u64,
    /// One lost, one drawn.
    pub ld: u64,
    /// One won, one lost.
    pub wl: u64,
    /// Both drawn. The score is that of `wl`, but the draws reduce the variance of a game.
    pub dd: u64,
    /// One won, one drawn.
    pub wd: u64,
    /// Both won.
    pub ww: u64,
}

/// Mean and variances of pairs, by the population formulas (division by the number of pairs).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// Number of pairs, at least 1.
    pub pairs: f64,
    /// Mean score of a game, from 0 to 1.
    pub rate: f64,
    /// Fraction of the games that were drawn.
    pub draw_rate: f64,
    /// Variance of the score of a pair, where a pair scores the mean of its two games.
    pub pair_variance: f64,
    /// Variance of the score of a game: s(1 − s) − d/4. At least 0.
    pub game_variance: f64,
}

impl Moments {
    /// Standard error of the rate: √(v / N).
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        (self.pair_variance / self.pairs).sqrt()
    }
}

impl From<[u64; 6]> for PairCounts {
    /// In the order LL, LD, WL, DD, WD, WW.
    fn from([ll, ld, wl, dd, wd, ww]: [u64; 6]) -> Self {
        Self { ll, ld, wl, dd, wd, ww }
    }
}

impl From<PairCounts> for [u64; 6] {
    fn from(counts: PairCounts) -> Self {
        [counts.ll, counts.ld, counts.wl, counts.dd, counts.wd, counts.ww]
    }
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, more: Self) {
        let more = <[u64; 6]>::from(more);
        let mut counts = <[u64; 6]>::from(*self);
        counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        *self = counts.into();
    }
}

impl PairCounts {
    /// Index of a pair in the order LL, LD, WL, DD, WD, WW. The arguments are the case's half-points in the two games:
    /// 0 lost, 1 drawn, 2 won.
    ///
    /// # Panics
    /// When an argument is more than 2.
    #[must_use]
    pub fn category(first: u8, second: u8) -> usize {
        match (first.min(second), first.max(second)) {
            (0, 0) => 0,
            (0, 1) => 1,
            (0, 2) => 2,
            (1, 1) => 3,
            (1, 2) => 4,
            (2, 2) => 5,
            _ => panic!("a game gives 0, 1 or 2 half-points, not {first} and {second}"),
        }
    }

    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        <[u64; 6]>::from(*self).iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Adds a pair of this category ([`PairCounts::category`]).
    ///
    /// # Panics
    /// When the category is more than 5.
    pub fn add(&mut self, category: usize) {
        let mut counts = <[u64; 6]>::from(*self);
        counts[category] += 1;
        *self = counts.into();
    }

    /// The case's points in the games of the pairs. A win is a point, a draw half a point.
    #[must_use]
    pub fn points(&self) -> f64 {
        let [wins, draws, _] = self.games();
        wins + draws / 2.0
    }

    /// Wins, draws and losses in the games of the pairs.
    #[must_use]
    pub fn games(&self) -> [f64; 3] {
        let [ll, ld, wl, dd, wd, ww] = <[u64; 6]>::from(*self).map(|count| count as f64);
        [2.0 * ww + wd + wl, ld + 2.0 * dd + wd, 2.0 * ll + ld + wl]
    }

    /// Numbers of pairs with the scores 0, ¼, ½, ¾ and 1.
    #[must_use]
    pub fn by_score(&self) -> [f64; 5] {
        let [ll, ld, wl, dd, wd, ww] = <[u64; 6]>::from(*self).map(|count| count as f64);
        [ll, ld, wl + dd, wd, ww]
    }

    /// Mean and variances; none without pairs.
    #[must_use]
    pub fn moments(&self) -> Option<Moments> {
        let counts = self.by_score();
        let pairs: f64 = counts.iter().sum();
        if pairs == 0.0 {
            return None;
        }
        let scored = || counts.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]);
        let rate = scored().map(|(count, score)| count * score).sum::<f64>() / pairs;
        let pair_variance =
            scored().map(|(count, score)| count * (score - rate).powi(2)).sum::<f64>() / pairs;
        let [_, draws, _] = self.games();
        let draw_rate = draws / (2.0 * pairs);
        let game_variance = (rate * (1.0 - rate) - draw_rate / 4.0).max(0.0);
        Some(Moments { pairs, rate, draw_rate, pair_variance, game_variance })
    }
}
