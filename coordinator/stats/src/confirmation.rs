//! Confirmations: a case is tested again in several cells, each with a test of its own. Their length, and the joint conclusion
//! from their outcomes.

use crate::counts::PairCounts;
use crate::shape::Shape;
use crate::solve::NoSolution;
use crate::sprt::Sprt;

/// Where a test ends without a decision, in multiples of its mean length at the worst rate. A test reaches this length with
/// a chance of at most 1 %: its length has the tail (4/π)·exp(−π²t/8) at that rate.
const MOST: f64 = 4.0;

/// The mean number of pairs until a test decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedPairs {
    /// If the lower hypothesis is true.
    pub lower: f64,
    /// Halfway between the hypotheses, where a test takes longest.
    pub between: f64,
    /// If the upper hypothesis is true.
    pub upper: f64,
}

impl ExpectedPairs {
    /// The mean lengths of all cells together.
    #[must_use]
    pub fn total(cells: &[Self]) -> Self {
        let sum = |of: fn(&Self) -> f64| cells.iter().map(of).sum();
        Self { lower: sum(|one| one.lower), between: sum(|one| one.between), upper: sum(|one| one.upper) }
    }
}

impl Sprt {
    /// How long the test takes on average, for pairs of the kind that these are ([`Sprt::characteristics`]). Without pairs, their
    /// games are independent and never drawn.
    ///
    /// # Errors
    /// When a likelihood ratio was not found.
    pub fn expected_pairs(&self, counts: &PairCounts) -> Result<ExpectedPairs, NoSolution> {
        let kind = Shape::of(counts).unwrap_or(Shape::independent(0.0));
        let (lower, upper) = self.rates(&kind)?;
        let rates = [lower, f64::midpoint(lower, upper), upper];
        let truths = rates.map(|rate| kind.with_mean(rate));
        let truths = truths.into_iter().collect::<Result<Vec<_>, _>>()?;
        let found = self.characteristics(&truths)?;
        let [lower, between, upper] = [0, 1, 2].map(|place| found[place].pairs);
        Ok(ExpectedPairs { lower, between, upper })
    }

    /// The number of pairs at which the test ends without a decision. It does not depend on results.
    ///
    /// # Errors
    /// As [`Sprt::expected_pairs`].
    pub fn most_pairs(&self) -> Result<u64, NoSolution> {
        let longest = self.expected_pairs(&PairCounts::default())?.between;
        // A test between nearly equal hypotheses would take too long.
        Ok((MOST * longest).clamp(1.0, 1e9).ceil() as u64)
    }
}

/// The numbers of cells of a confirmation, by the outcomes of their tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Tests that are not at their end.
    pub open: u64,
    /// Tests that accepted the upper hypothesis.
    pub upper: u64,
    /// Tests that accepted the lower hypothesis.
    pub lower: u64,
    /// Tests that were given up without a decision.
    pub undecided: u64,
}

/// The outcome of a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Confirmed {
    /// Some test is not at its end.
    Open,
    /// Every test accepted the upper hypothesis.
    Everywhere,
    /// Some tests accepted the upper hypothesis, others did not.
    Somewhere,
    /// Every test accepted the lower hypothesis.
    Nowhere,
    /// No test accepted the upper hypothesis, and some did not decide.
    Undecided,
}

impl Outcomes {
    /// The joint conclusion from the tests. A case whose lower hypothesis is true in some cell is confirmed everywhere with a
    /// chance of at most α, however many cells there are, because that cell's own test must pass (Berger, "Multiparameter
    /// hypothesis testing and acceptance sampling", Technometrics 24, 1982).
    #[must_use]
    pub fn together(&self) -> Confirmed {
        match *self {
            Self { open: 1.., .. } => Confirmed::Open,
            Self { upper: 1.., lower: 0, undecided: 0, .. } => Confirmed::Everywhere,
            Self { upper: 1.., .. } => Confirmed::Somewhere,
            Self { lower: 1.., undecided: 0, .. } => Confirmed::Nowhere,
            _ => Confirmed::Undecided,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::expected_score;
    use crate::sprt::Hypotheses;

    fn test(low: f64, high: f64) -> Sprt {
        Sprt::new(Hypotheses::Elo(low, high), 0.05, 0.05).expect("a test")
    }

    #[test]
    fn all_tests_must_pass_for_a_confirmation() {
        let of = |open, upper, lower, undecided| Outcomes { open, upper, lower, undecided }.together();
        assert_eq!(of(0, 3, 0, 0), Confirmed::Everywhere);
        assert_eq!(of(1, 2, 0, 0), Confirmed::Open);
        assert_eq!(of(0, 2, 1, 0), Confirmed::Somewhere);
        assert_eq!(of(0, 2, 0, 1), Confirmed::Somewhere);
        assert_eq!(of(0, 0, 3, 0), Confirmed::Nowhere);
        assert_eq!(of(0, 0, 2, 1), Confirmed::Undecided);
        assert_eq!(of(0, 0, 0, 0), Confirmed::Undecided, "no cell confirms nothing");
    }

    #[test]
    fn the_expected_length_is_that_of_the_test_and_follows_the_variance_of_the_pairs() {
        let sprt = test(0.0, 20.0);
        let unknown = sprt.expected_pairs(&PairCounts::default()).expect("a length");
        let (high, (_, bound)) = (expected_score(20.0) - 0.5, sprt.bounds());
        // Driftless Brownian motion between ±bound, and the jumps past it.
        let longest = bound.powi(2) * 0.125 / (high * high);
        assert!((1.0..1.07).contains(&(unknown.between / longest)), "{unknown:?}, {longest}");
        assert!(unknown.upper < unknown.between && unknown.lower < unknown.between);
        let split = sprt.expected_pairs(&[50, 0, 900, 0, 0, 50].into()).expect("a length");
        assert!(split.between < unknown.between / 3.0, "pairs that mostly split say more: {split:?}");
        assert_eq!(sprt.most_pairs(), Ok((4.0 * unknown.between).ceil() as u64));
        assert_eq!(test(0.0, 1e-5).most_pairs(), Ok(1_000_000_000));
        let both = ExpectedPairs::total(&[unknown, split]);
        assert!((both.upper - unknown.upper - split.upper).abs() < 1e-9);
    }
}
