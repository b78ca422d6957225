//! Reproducible random numbers.

/// SplitMix64: small, seeded, the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform on (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Standard normal, by the inverse of the distribution function.
    pub(crate) fn normal(&mut self) -> f64 {
        stats::quantile(self.uniform()).expect("inside the unit interval")
    }

    /// The score of a pair in quarters: two games without draws in which the case has the same strength in logits, and the
    /// first mover an advantage.
    pub(crate) fn pair(&mut self, strength: f64, first_move: f64) -> usize {
        let chance = |logit: f64| 1.0 / (1.0 + (-logit).exp());
        2 * usize::from(self.uniform() < chance(strength + first_move))
            + 2 * usize::from(self.uniform() < chance(strength - first_move))
    }

    /// The counts of pairs like [`Random::pair`].
    pub(crate) fn pairs(&mut self, number: usize, strength: f64, first_move: f64) -> stats::PairCounts {
        let mut counts = [0; 6];
        for _ in 0..number {
            counts[[0, 1, 2, 4, 5][self.pair(strength, first_move)]] += 1;
        }
        counts.into()
    }
}
