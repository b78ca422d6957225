//! The likelihood of a pool's results, and its maximum.

use super::Games;
use crate::chi_square::ChiSquare;
use crate::logistic::{CONVERGED, gain_of, sigmoid};
use crate::matrix::Symmetric;
use std::collections::BTreeMap;

/// Newton steps at most. The likelihood is concave, so ten are usual.
const MOST_STEPS: usize = 200;

/// The results of a pool: points and games by player and opponent, the smaller number first.
pub(super) struct Pool {
    players: usize,
    anchor: usize,
    sums: BTreeMap<(usize, usize), [f64; 2]>,
    prior_draws: f64,
}

impl Pool {
    /// Adds up the games. Sums of halves and quarters are exact, so their order makes no difference.
    pub(super) fn of(games: &[Games], players: usize, anchor: usize, prior_draws: f64) -> Self {
        let mut sums: BTreeMap<_, [f64; 2]> = BTreeMap::new();
        for games in games.iter().filter(|games| games.player != games.opponent && games.games > 0.0) {
            let (key, points) = if games.player > games.opponent {
                ((games.opponent, games.player), games.games - games.points)
            } else {
                ((games.player, games.opponent), games.points)
            };
            let sum = sums.entry(key).or_default();
            sum[0] += points;
            sum[1] += games.games;
        }
        Self { players, anchor, sums, prior_draws }
    }

    /// The place of a player's rating among the unknowns; none for the anchor.
    pub(super) fn place(&self, player: usize) -> Option<usize> {
        (player != self.anchor).then(|| player - usize::from(player > self.anchor))
    }

    /// The unknowns of every pairing with their signs, its points and its games. The prior's are drawn games against rating 0.
    fn terms(&self) -> impl Iterator<Item = (Vec<(usize, f64)>, [f64; 2])> + '_ {
        let played = self.sums.iter().map(|(&(player, opponent), &sums)| {
            let unknowns = [(self.place(player), 1.0), (self.place(opponent), -1.0)];
            (unknowns.into_iter().filter_map(|(place, sign)| Some((place?, sign))).collect(), sums)
        });
        let virtual_games = [self.prior_draws / 2.0, self.prior_draws];
        let prior = (0..self.players - 1).map(move |place| (vec![(place, 1.0)], virtual_games));
        played.chain(prior.filter(|(_, [_, games])| *games > 0.0))
    }

    /// The maximum of the likelihood and the inverse of the information there.
    pub(super) fn maximise(&self) -> Option<(Vec<f64>, Symmetric)> {
        let mut values = vec![0.0; self.players - 1];
        let mut likelihood = self.likelihood(&values);
        for _ in 0..MOST_STEPS {
            let (gradient, information) = self.derivatives(&values);
            let step = information.cholesky()?.solve(&gradient);
            let mut scale = 1.0;
            let (moved, reached) = loop {
                let moved: Vec<f64> = values.iter().zip(&step).map(|(v, s)| v + scale * s).collect();
                let reached = self.likelihood(&moved);
                if reached >= likelihood - 1e-12 * likelihood.abs() || scale < 1e-9 {
                    break (moved, reached);
                }
                scale /= 2.0;
            };
            let change = moved.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            (values, likelihood) = (moved, reached);
            if change < 1e-11 && gain_of(&gradient, &step) < CONVERGED {
                let (_, information) = self.derivatives(&values);
                return Some((values, information.cholesky()?.inverse()));
            }
            // An infinite rating is approached by steps of about one logit, for ever.
            if values.iter().any(|value| value.abs() > LARGEST) {
                return None;
            }
        }
        None
    }

    fn likelihood(&self, values: &[f64]) -> f64 {
        let term = |(unknowns, [points, games]): (Vec<(usize, f64)>, [f64; 2])| {
            let logit = logit(values, &unknowns);
            let ln = |count: f64, chance: f64| {
                if count > 0.0 { count * chance.max(f64::MIN_POSITIVE).ln() } else { 0.0 }
            };
            ln(points, sigmoid(logit)) + ln(games - points, sigmoid(-logit))
        };
        self.terms().map(term).sum()
    }

    /// The gradient, and the information: the negative matrix of second derivatives.
    fn derivatives(&self, values: &[f64]) -> (Vec<f64>, Symmetric) {
        let mut gradient = vec![0.0; values.len()];
        let mut information = Symmetric::zeros(values.len());
        for (unknowns, [points, games]) in self.terms() {
            let expected = sigmoid(logit(values, &unknowns));
            for &(a, sign) in &unknowns {
                gradient[a] += sign * (points - games * expected);
                for &(b, other) in unknowns.iter().filter(|(b, _)| *b <= a) {
                    information.add(a, b, games * expected * (1.0 - expected) * sign * other);
                }
            }
        }
        (gradient, information)
    }

    /// Pearson's test of the points of all pairings against the model. In a group of players that games link, one rating is free.
    pub(super) fn fit(&self, values: &[f64]) -> Option<ChiSquare> {
        let deviation = |(unknowns, [points, games]): (Vec<(usize, f64)>, [f64; 2])| {
            let expected = sigmoid(logit(values, &unknowns));
            (points - games * expected).powi(2) / (games * expected * (1.0 - expected))
        };
        let groups = self.groups();
        let is_root = |player: &usize| groups[*player] == *player;
        let present: std::collections::BTreeSet<usize> =
            self.sums.keys().flat_map(|&(a, b)| [a, b]).collect();
        let ratings = present.iter().filter(|player| !is_root(player)).count();
        let pairings = self.sums.len();
        ChiSquare::of(self.terms().take(pairings).map(deviation).sum(), pairings.checked_sub(ratings)?)
    }

    /// For each player, the smallest number of a player that a chain of games links to it.
    pub(super) fn groups(&self) -> Vec<usize> {
        let mut groups: Vec<usize> = (0..self.players).collect();
        loop {
            let before = groups.clone();
            for &(a, b) in self.sums.keys() {
                let smallest = groups[a].min(groups[b]);
                (groups[a], groups[b]) = (smallest, smallest);
            }
            if groups == before {
                return groups;
            }
        }
    }
}

fn logit(values: &[f64], unknowns: &[(usize, f64)]) -> f64 {
    unknowns.iter().map(|&(place, sign)| sign * values[place]).sum()
}

/// No rating in logits is as large: the chance of a loss would be 1e-13.
const LARGEST: f64 = 30.0;
