//! Elo differences, normalised Elo and expected scores.

/// Normalised Elo per standard deviation of a game's score: 800 / ln 10.
///
/// One point of normalised Elo is then close to one point of Elo for games without draws at 50 %.
pub const NORMALISED_ELO: f64 = 347.435_585_522_601_46;

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

/// Half the width of the Elo interval from the normal approximation of the rate: (E(s + e) − E(s − e)) / 2 with the
/// error e = z·SE. None when an end of the interval is not between 0 and 1.
///
/// Engine testers print this number behind "±". The true interval is not symmetric; prefer its two ends.
#[must_use]
pub fn elo_error(rate: f64, error: f64) -> Option<f64> {
    Some((elo_difference(rate + error)? - elo_difference(rate - error)?) / 2.0)
}

/// Normalised Elo of a mean score with the standard deviation of one game: (s − ½)/σ · 800/ln 10. None without variance.
///
/// The number of games that a test needs depends on the normalised Elo difference only, and not on draws or colours.
/// For pairs with score variance v, σ = √(2v).
///
/// Source: Van den Bergh, "Normalized Elo" (2020), used by fishtest and fastchess.
#[must_use]
pub fn normalised_elo(rate: f64, game_deviation: f64) -> Option<f64> {
    (game_deviation > 0.0).then(|| (rate - 0.5) / game_deviation * NORMALISED_ELO)
}
