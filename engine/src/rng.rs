//! The random generator of games and searches. The project has a generator of its own, pinned by a test, so that no
//! release of a library can change the game of a seed.

/// A wyrand generator: 64 bits of state, and one multiplication for each word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    state: u64,
}

/// The difference between consecutive states.
const STEP: u64 = 0xa076_1d64_78bd_642f;

/// Spreads the bits of `x` over the whole word (the finaliser of splitmix64).
#[must_use]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

impl Rng {
    /// A generator for `seed`. Neighbouring seeds give unrelated streams.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) }
    }

    /// A generator for the `stream`-th user of `seed`.
    #[must_use]
    pub const fn stream(seed: u64, stream: u64) -> Self {
        Self::new(mix(seed ^ 0x6a09_e667_f3bc_c909).wrapping_add(stream))
    }

    /// The state, which is the position in the stream.
    #[must_use]
    pub(crate) const fn state(&self) -> u64 {
        self.state
    }

    /// Moves to the position in the stream that [`Rng::state`] returned.
    pub(crate) const fn set_state(&mut self, state: u64) {
        self.state = state;
    }

    #[inline(always)]
    pub(crate) fn skip(&mut self, words: usize) {
        self.state = self.state.wrapping_add(STEP.wrapping_mul(words as u64));
    }

    /// The next word.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        let product = u128::from(self.state) * u128::from(self.state ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// A number below `n`, from the upper 32 bits of a word. The distribution differs from uniform by at most `n` /
    /// 2³².
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        scale((self.next_u64() >> 32) as u32, n)
    }

    /// Whether an event of this probability happens. Probabilities 0 and 1 consume no random word.
    pub fn happens(&mut self, probability: f64) -> bool {
        const STEPS: f64 = (1_u64 << 53) as f64;
        probability >= 1.0 || (probability > 0.0 && ((self.next_u64() >> 11) as f64) < probability * STEPS)
    }
}

/// Maps 32 random bits to a number below `n`.
#[inline(always)]
pub(crate) fn scale(bits: u32, n: u32) -> u32 {
    ((u64::from(bits) * u64::from(n)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::new(1);
        let words: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        // From an independent implementation in Python.
        assert_eq!(words, [0x987e7e31fc95735b, 0x8291b762cc3c274c, 0xd992eb33f73987e]);
    }

    #[test]
    fn numbers_below_a_bound_are_uniform() {
        let mut rng = Rng::stream(7, 1);
        let mut counts = [0_f64; 19];
        let draws = 190_000;
        for _ in 0..draws {
            counts[rng.below(19) as usize] += 1.0;
        }
        let expected = f64::from(draws) / 19.0;
        let chi2: f64 = counts.iter().map(|c| (c - expected).powi(2) / expected).sum();
        // With 18 degrees of freedom, a uniform generator exceeds 61 for one seed in a million.
        assert!(chi2 < 61.0, "chi2 {chi2}");
    }
}
