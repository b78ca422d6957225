//! How long a sequential test takes and how often it accepts H1, before any game is played.

use super::columns::{aligned, percent};
use serde::Serialize;
use stats::{NoSolution, Shape, Sprt};

/// Where a test is between its hypotheses: 0 is H0, and 1 is H1.
pub(super) const BETWEEN: [f64; 3] = [0.0, 0.5, 1.0];

/// The same, with some places beyond the hypotheses.
pub(super) const AROUND: [f64; 8] = [-0.5, 0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0];

/// The characteristics of a test at a true strength, if the games of a pair are independent.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ExpectedLength {
    /// The true win rate, as a fraction.
    pub(super) rate: f64,
    /// The same in logistic Elo.
    pub(super) elo: Option<f64>,
    /// The probability that H1 is accepted.
    pub(super) pass: f64,
    /// The mean number of games until a decision.
    pub(super) games: f64,
}

/// The characteristics of the test at these places, for pairs of this kind. Places beyond all win rates are skipped.
pub(super) fn expected(test: &Sprt, places: &[f64], kind: &Shape) -> Result<Vec<ExpectedLength>, NoSolution> {
    let (low, high) = test.rates(kind)?;
    let rates = places.iter().map(|place| low + place * (high - low));
    let rates: Vec<f64> = rates.filter(|rate| (0.001..=0.999).contains(rate)).collect();
    let truths = rates.iter().map(|rate| kind.with_mean(*rate)).collect::<Result<Vec<_>, _>>()?;
    let found = test.characteristics(&truths)?;
    let line = |(rate, found): (f64, stats::Characteristics)| ExpectedLength {
        rate,
        elo: stats::elo_difference(rate),
        pass: found.pass,
        games: 2.0 * found.pairs,
    };
    Ok(rates.into_iter().zip(found).map(line).collect())
}

/// A line for each place.
pub(super) fn table(expected: &[ExpectedLength]) -> String {
    let mut rows = vec![["true Elo", "win rate", "accepts H1", "games on average"].map(str::to_owned)];
    rows.extend(expected.iter().map(|ExpectedLength { rate, elo, pass, games }| {
        let elo = elo.map_or("-".to_owned(), |elo| format!("{elo:+.1}"));
        [elo, percent(Some(*rate)), percent(Some(*pass)), format!("{games:.0}")]
    }));
    aligned(&rows, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Hypotheses;

    #[test]
    fn a_test_of_twenty_elo_takes_the_games_of_the_field() {
        let test = Sprt::new(Hypotheses::Elo(0.0, 20.0), 0.05, 0.05).expect("a test");
        let found = expected(&test, &BETWEEN, &Shape::independent(0.0)).expect("a length");
        // Wald at H0: the drift is −(s₁ − s₀)²/(2·0.125) a pair, towards −2.944 in 95 % and +2.944 in 5 %.
        let step = stats::expected_score(20.0) - 0.5;
        let games = 2.0 * 0.9 * 2.944_439 / (step * step / 0.25);
        // A walk of so small steps jumps a little past its bound.
        assert!((1.0..1.05).contains(&(found[0].games / games)), "{found:?}, {games}");
        assert!((found[0].pass - 0.05).abs() < 5e-3 && (found[2].pass - 0.95).abs() < 5e-3, "{found:?}");
        assert!(found[1].games > 1.5 * found[0].games);
        assert_eq!(found[2].elo.map(f64::round), Some(20.0));
    }

    #[test]
    fn places_without_a_rate_are_skipped() {
        let test = Sprt::new(Hypotheses::Score(0.6, 0.9), 0.05, 0.05).expect("a test");
        let found = expected(&test, &AROUND, &Shape::independent(0.0)).expect("lengths");
        assert_eq!(found.len(), AROUND.len() - 2, "1.05 and 1.2 are no rates");
    }
}
