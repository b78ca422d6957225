//! Ratings of several players from their games against each other.

mod pool;

use crate::chi_square::ChiSquare;
use crate::matrix::Symmetric;
use crate::normal::probability_below;
use pool::{Layout, Pool, games_of};

/// Elo points of one logit: 400/ln 10.
pub(crate) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Games between two players with the same first mover, on boards of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Games {
    /// The player that `wins` are counted for: the first mover, if `size` is given.
    pub player: usize,
    /// The other player.
    pub opponent: usize,
    /// The board size, if `player` moved first in all of these games. The advantage of the first move is estimated for each
    /// size. Without a size, the games count as if either player had moved first equally often.
    pub size: Option<u8>,
    /// Games that `player` won.
    pub wins: f64,
    /// Drawn games.
    pub draws: f64,
    /// Games that `player` lost.
    pub losses: f64,
}

/// How draws count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draws {
    /// As half a win for both. This treats two draws as as much information as a win and a loss.
    Half,
    /// By Davidson's model: the chance of a draw is proportional to ν·√(strength·strength), with ν from the games. Source:
    /// Davidson, "On extending the Bradley-Terry model to accommodate ties", Journal of the American Statistical Association
    /// 65 (1970).
    Davidson,
}

/// Why there are no ratings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// The anchor or a player of some games is not among the players.
    #[error("player {0} is not one of the {1} players")]
    NoSuchPlayer(usize, usize),
    /// Some player has no finite rating: the player won or lost all games, or met nobody, and there is no prior.
    #[error("the games determine no finite ratings; with a prior of virtual games they do")]
    Undetermined,
    /// A number of games is negative or not finite.
    #[error("a number of games is negative or infinite")]
    NotACount,
}

/// Ratings with their full covariance, by the model of Bradley and Terry: P(i beats j | i first) = σ(rᵢ − rⱼ + b_size).
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The player whose rating is 0.
    pub anchor: usize,
    /// The ratings in logits.
    pub logits: Vec<f64>,
    covariance: Symmetric,
    /// The advantage of the first move on each size, in logits, with its standard error.
    pub first_move: Vec<(u8, f64, f64)>,
    /// Davidson's ν, with draws by his model: the chance of a draw between equal players is ν/(2 + ν).
    pub draw_parameter: Option<f64>,
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
    /// The likelihood is maximised by Newton's method over ratings, first-move advantages and ν together. The covariance is
    /// the inverse of the information at the maximum. The order of `games` makes no difference, not even in the last bit.
    ///
    /// Sources: Bradley, Terry, "Rank analysis of incomplete block designs", Biometrika 39 (1952); Hunter, "MM algorithms for
    /// generalized Bradley-Terry models", Annals of Statistics 32 (2004).
    ///
    /// # Errors
    /// When a player does not exist, or the games determine no finite ratings.
    pub fn of(
        players: usize,
        anchor: usize,
        games: &[Games],
        draws: Draws,
        prior_draws: f64,
    ) -> Result<Self, RatingError> {
        let strangers = games.iter().flat_map(|games| [games.player, games.opponent]).chain([anchor]);
        if let Some(stranger) = strangers.into_iter().find(|player| *player >= players) {
            return Err(RatingError::NoSuchPlayer(stranger, players));
        }
        let is_count = |n: f64| n >= 0.0 && n.is_finite();
        if !games.iter().all(|games| [games.wins, games.draws, games.losses].into_iter().all(is_count)) {
            return Err(RatingError::NotACount);
        }
        let pool = Pool::of(games, players, anchor, prior_draws);
        let any_draws = games.iter().any(|games| games.draws > 0.0);
        let layout = Layout::of(players, anchor, &pool, draws == Draws::Davidson && any_draws);
        let (values, covariance) = pool.maximise(&layout).ok_or(RatingError::Undetermined)?;
        let rating = |player: usize| layout.rating(player).map_or(0.0, |place| values[place]);
        let logits: Vec<f64> = (0..players).map(rating).collect();
        let first_move =
            layout.sizes().map(|(size, place)| (size, values[place], covariance.at(place, place).sqrt()));
        Ok(Self {
            anchor,
            first_move: first_move.collect(),
            draw_parameter: layout.draws().map(|place| values[place].exp()),
            connected: connected(players, anchor, games),
            fit: pool.fit(&layout, &values),
            covariance: with_anchor(&covariance, &layout, players),
            logits,
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

    /// The average of ratings from several boards by weights, which need not sum to 1. None if they rate different players,
    /// or no weight is positive.
    #[must_use]
    pub fn average(ratings: &[(Ratings, f64)]) -> Option<Self> {
        let sum: f64 = ratings.iter().map(|(_, weight)| weight).sum();
        let (first, _) = ratings.first().filter(|_| sum > 0.0)?;
        let players = first.logits.len();
        if ratings.iter().any(|(other, _)| (other.logits.len(), other.anchor) != (players, first.anchor)) {
            return None;
        }
        let mut logits = vec![0.0; players];
        let mut covariance = Symmetric::zeros(players);
        for (of, weight) in ratings {
            let share = weight / sum;
            for (i, logit) in logits.iter_mut().enumerate() {
                *logit += share * of.logits[i];
                for j in 0..=i {
                    covariance.add(i, j, share * share * of.covariance(i, j));
                }
            }
        }
        Some(Self {
            anchor: first.anchor,
            logits,
            covariance,
            first_move: ratings.iter().flat_map(|(of, _)| of.first_move.clone()).collect(),
            draw_parameter: None,
            connected: (0..players).map(|i| ratings.iter().all(|(of, _)| of.connected[i])).collect(),
            fit: None,
        })
    }
}

fn with_anchor(covariance: &Symmetric, layout: &Layout, players: usize) -> Symmetric {
    let mut full = Symmetric::zeros(players);
    for i in 0..players {
        for j in 0..=i {
            if let (Some(a), Some(b)) = (layout.rating(i), layout.rating(j)) {
                full.add(i, j, covariance.at(a, b));
            }
        }
    }
    full
}

/// Whether a chain of games links each player to the anchor.
fn connected(players: usize, anchor: usize, games: &[Games]) -> Vec<bool> {
    let mut linked = vec![false; players];
    linked[anchor] = true;
    loop {
        let before = linked.clone();
        for games in games.iter().filter(|games| games_of(games) > 0.0) {
            let either = linked[games.player] || linked[games.opponent];
            linked[games.player] = either;
            linked[games.opponent] = either;
        }
        if linked == before {
            return linked;
        }
    }
}
