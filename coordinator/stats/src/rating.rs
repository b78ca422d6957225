//! Ratings of several players from their games against each other.

mod pool;

use crate::chi_square::ChiSquare;
use crate::matrix::Symmetric;
use crate::normal::probability_below;
use pool::Pool;

/// Elo points of one logit: 400/ln 10.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between two players, who moved first equally often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Games {
    /// The player that `points` are counted for.
    pub player: usize,
    /// The other player.
    pub opponent: usize,
    /// Points of `player`: a win is one, a draw half a point.
    pub points: f64,
    /// The number of games. Of games whose points vary less than those of independent games without draws, so many independent
    /// games as are worth as much.
    pub games: f64,
}

/// Why there are no ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The anchor or a player of some games is not among the players.
    #[error("player {0} is not one of the {1} players")]
    NoSuchPlayer(usize, usize),
    /// Some player has no finite rating: the player won or lost all games, or had no opponent, and there is no prior.
    #[error("the games determine no finite ratings; with a prior of virtual games they do")]
    Undetermined,
    /// A number of games is negative or not finite, or there are more points than games.
    #[error("a number of games is negative or infinite, or less than the points")]
    NotACount,
}

/// Ratings with their full covariance, by the model of Bradley and Terry: the expected score of i against j is σ(rᵢ − rⱼ). So the
/// rating of a player with one opponent is the Elo of its score.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The player whose rating is 0.
    pub anchor: usize,
    /// The ratings in logits.
    pub logits: Vec<f64>,
    covariance: Symmetric,
    /// Whether a chain of games links each player to the anchor. If not, only the prior sets the rating.
    pub connected: Vec<bool>,
    /// Whether one number for each player explains the results between all pairs of players; absent without more pairs of
    /// players than ratings.
    pub fit: Option<ChiSquare>,
}

impl Ratings {
    /// Rates `players` players, of which the `anchor` has the rating 0.
    ///
    /// `prior_draws` are virtual games of every other player against an opponent of the anchor's strength, half of them won
    /// and half lost; 2 is usual. They keep a player finite who won every game. With 0 the differences of ratings do not
    /// depend on the choice of the anchor.
    ///
    /// The likelihood is maximised by Newton's method. A draw counts as half a win. The covariance is the inverse of the
    /// information at the maximum. The order of `games` makes no difference, not even in the last bit.
    ///
    /// Sources: Bradley, Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952); Hunter, "MM algorithms for
    /// generalized Bradley-Terry models", Annals of Statistics 32 (2004).
    ///
    /// # Errors
    /// When a player does not exist, or the games determine no finite ratings.
    pub fn of(players: usize, anchor: usize, games: &[Games], prior_draws: f64) -> Result<Self, RatingError> {
        let strangers = games.iter().flat_map(|games| [games.player, games.opponent]).chain([anchor]);
        if let Some(stranger) = strangers.into_iter().find(|player| *player >= players) {
            return Err(RatingError::NoSuchPlayer(stranger, players));
        }
        let is_count = |games: &Games| games.games.is_finite() && (0.0..=games.games).contains(&games.points);
        if !games.iter().all(is_count) {
            return Err(RatingError::NotACount);
        }
        let pool = Pool::of(games, players, anchor, prior_draws);
        let (values, own) = pool.maximise().ok_or(RatingError::Undetermined)?;
        let mut covariance = Symmetric::zeros(players);
        for a in 0..players {
            for b in 0..=a {
                if let (Some(i), Some(j)) = (pool.place(a), pool.place(b)) {
                    covariance.add(a, b, own.at(i, j));
                }
            }
        }
        let groups = pool.groups();
        Ok(Self {
            anchor,
            logits: (0..players)
                .map(|player| pool.place(player).map_or(0.0, |place| values[place]))
                .collect(),
            connected: groups.iter().map(|group| *group == groups[anchor]).collect(),
            fit: pool.fit(&values),
            covariance,
        })
    }

    /// A rating in Elo points above the anchor.
    #[must_use]
    pub fn elo(&self, player: usize) -> f64 {
        ELO_PER_LOGIT * self.logits[player]
    }

    /// The covariance of two ratings, in squared logits. The anchor's covariances are 0.
    #[must_use]
    pub fn covariance(&self, a: usize, b: usize) -> f64 {
        self.covariance.at(a, b)
    }

    /// The difference of two ratings in Elo points, a's less b's, with its standard error.
    #[must_use]
    pub fn difference(&self, a: usize, b: usize) -> (f64, f64) {
        let variance = self.covariance(a, a) + self.covariance(b, b) - 2.0 * self.covariance(a, b);
        (ELO_PER_LOGIT * (self.logits[a] - self.logits[b]), ELO_PER_LOGIT * variance.max(0.0).sqrt())
    }

    /// The likelihood of superiority: the chance that player a is stronger than player b, for a normal error.
    #[must_use]
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        let (difference, error) = self.difference(a, b);
        if error > 0.0 { probability_below(difference / error) } else { 0.5 }
    }
}
