//! A sequential test before any game is played.

use super::StatsArgs;
use crate::commands::test_length::{AROUND, ExpectedLength, expected, table};
use serde::Serialize;
use stats::{NoSolution, Shape, Sprt};

/// The characteristics of a test, as in the JSON.
#[derive(Debug, Serialize)]
pub(super) struct Planned {
    alpha: f64,
    beta: f64,
    /// The fraction of the games between equal players that is drawn.
    draws: f64,
    /// The log-likelihood ratios at which H0 and H1 are accepted.
    bounds: (f64, f64),
    expected: Vec<ExpectedLength>,
}

impl Planned {
    pub(super) fn of(test: &Sprt, args: &StatsArgs) -> Result<Self, NoSolution> {
        let StatsArgs { alpha, beta, draws, .. } = *args;
        let expected = expected(test, &AROUND, &Shape::independent(draws))?;
        Ok(Self { alpha, beta, draws, bounds: test.bounds(), expected })
    }

    pub(super) fn text(&self) -> String {
        let (lower, upper) = self.bounds;
        format!(
            "The log-likelihood ratio ends the test at {lower:.3} (H0) and {upper:.3} (H1).\n\n{}",
            table(&self.expected)
        )
    }
}
