//! The search effort of both sides of a game, in the stored form, and implausible efforts.

use protocol::ids::KindId;

/// The effort of both sides of a game, in thousandths of a natural logarithm: the mean number of simulations relative
/// to what plain UCT makes in the time, over the moves that no proof ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Work {
    /// The case and the baseline.
    pub(crate) kinds: [KindId; 2],
    pub(crate) levels: [i64; 2],
}

/// Why a game does not count, although it may have been played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EffortAnomaly {
    /// A move with so many simulations, where plain UCT makes `expected`.
    Move { number: usize, sims: u64, expected: f64 },
    /// A move with so many simulations, where the middle one of its side has `usual`.
    Uneven { number: usize, sims: u64, usual: u64 },
    /// The two players cost about the same, and the case made so many times the baseline's simulations.
    Sides(f64),
}

impl std::fmt::Display for EffortAnomaly {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Move { number, sims, expected } => write!(
                f,
                "move {number} after the opening had {sims} simulations, where plain UCT makes {expected:.0} in that time"
            ),
            Self::Uneven { number, sims, usual } => write!(
                f,
                "move {number} after the opening had {sims} simulations, where its side's middle move had {usual}"
            ),
            Self::Sides(ratio) => {
                write!(
                    f,
                    "the case had {ratio:.2} times the baseline's simulations, where both players cost alike"
                )
            }
        }
    }
}
