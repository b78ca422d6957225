//! Elo differences and expected scores.

/// The Elo difference at which a player scores `rate`: 400·log10(s / (1 − s)). None at 0 and 1, where it is
/// infinite, and outside.
///
/// Source: the logistic model of Elo, *The Rating of Chessplayers* (1978), in the form all engine testers use.
#[must_use]
pub fn elo_difference(rate: f64) -> Option<f64> {
    (rate > 0.0 && rate < 1.0).then(|| 400.0 * (rate / (1.0 - rate)).log10())
}

/// The score a player expects who is `elo` points stronger: 1 / (1 + 10^(−E/400)).
///
/// Source: as [`elo_difference`], whose inverse it is.
#[must_use]
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}
