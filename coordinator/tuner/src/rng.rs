//! Random numbers that are a function of their seed on every machine and in every release.

/// SplitMix64.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A stream of its own for each seed and number.
    pub(crate) fn stream(seed: u64, number: u64) -> Self {
        let mut rng = Self(seed);
        let first = rng.next();
        Self(first ^ number.wrapping_mul(0xd134_2543_de82_ef95))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform on (0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.next() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// A whole number from 0 to `below` − 1.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        ((self.uniform() * below as f64) as usize).min(below.saturating_sub(1))
    }

    /// A fair coin.
    pub(crate) fn flip(&mut self) -> bool {
        self.next() >> 63 == 1
    }

    /// The place of one of the weights, with a chance in proportion to the weight.
    pub(crate) fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.uniform() * weights.iter().sum::<f64>();
        for (place, weight) in weights.iter().enumerate() {
            left -= weight;
            if left <= 0.0 && *weight > 0.0 {
                return place;
            }
        }
        weights.len().saturating_sub(1)
    }
}
