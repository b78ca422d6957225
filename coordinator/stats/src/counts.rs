//! Pairs of games, counted by their results.

/// Numbers of complete pairs, by the case's results in the two games in either order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
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
}
