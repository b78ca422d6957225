//! Elo differences and expected scores.

/// The Elo difference at which a player scores `rate`: 400·log10(s / (1 − s)). None at rates of 0 and 1, where the
/// difference is infinite, and outside that range.
///
/// Source: the logistic model of Elo, *The Rating of Chessplayers* (1978), in the form that engine testers use.
#[must_use]
pub fn elo_difference(rate: f64) -> Option<f64> {
    (rate > 0.0 && rate < 1.0).then(|| 400.0 * (rate / (1.0 - rate)).log10())
}

/// The expected score of a player who is `elo` points stronger than the opponent: 1 / (1 + 10^(−E/400)).
///
/// This is the inverse of [`elo_difference`], from the same source.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
