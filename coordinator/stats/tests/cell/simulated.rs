//! Simulated pairs of games with a known truth.

use crate::random::Random;
use stats::PairCounts;

/// Games that are drawn with a fixed chance, and else won with log-odds that depend on who moves first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kind {
    /// Chance of a win that is no draw, moving first and second.
    win: [f64; 2],
    draw: f64,
}

impl Kind {
    /// Games of strength `strength` and first-move advantage `bias`, both in logits.
    pub(crate) fn of(strength: f64, bias: f64, draw: f64) -> Self {
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        Self { win: [logistic(strength + bias), logistic(strength - bias)], draw }
    }

    /// Games whose true rate is `rate`.
    pub(crate) fn with_rate(rate: f64, bias: f64, draw: f64) -> Self {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if Self::of(middle, bias, draw).rate() < rate { low = middle } else { high = middle }
        }
        Self::of(low, bias, draw)
    }

    /// The true rate.
    pub(crate) fn rate(&self) -> f64 {
        (1.0 - self.draw) * (self.win[0] + self.win[1]) / 2.0 + self.draw / 2.0
    }

    /// The category of one pair.
    pub(crate) fn pair(&self, random: &mut Random) -> usize {
        let [first, second] = self
            .win
            .map(|win| if random.uniform() < self.draw { 1 } else { 2 * u8::from(random.uniform() < win) });
        PairCounts::category(first, second)
    }
}

/// Four standard errors of a fraction `of` in `runs` runs. Of ten thousand such comparisons, one fails by chance.
pub(crate) fn tolerance(of: f64, runs: u32) -> f64 {
    4.0 * (of * (1.0 - of) / f64::from(runs)).sqrt()
}
