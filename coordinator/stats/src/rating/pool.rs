//! The likelihood of a pool's results, and its maximum.

use super::Games;
use crate::chi_square::ChiSquare;
use crate::logistic::{CONVERGED, gain_of};
use crate::matrix::Symmetric;
use std::collections::BTreeMap;

/// Newton steps at most. The likelihood is concave, so ten are usual.
const MOST_STEPS: usize = 200;

/// The number of games.
pub(super) fn games_of(games: &Games) -> f64 {
    games.wins + games.draws + games.losses
}

/// The results of a pool: wins, draws and losses by player, opponent and size.
pub(super) struct Pool(BTreeMap<(usize, usize, Option<u8>), [f64; 3]>, Vec<(usize, f64)>);

/// The place of every unknown.
pub(super) struct Layout {
    players: usize,
    anchor: usize,
    sizes: Vec<u8>,
    draws: bool,
}

impl Layout {
    pub(super) fn of(players: usize, anchor: usize, pool: &Pool, draws: bool) -> Self {
        let mut sizes: Vec<u8> = pool.0.keys().filter_map(|(_, _, size)| *size).collect();
        sizes.sort_unstable();
        sizes.dedup();
        Self { players, anchor, sizes, draws }
    }

    fn len(&self) -> usize {
        self.players - 1 + self.sizes.len() + usize::from(self.draws)
    }

    /// The place of a player's rating; none for the anchor.
    pub(super) fn rating(&self, player: usize) -> Option<usize> {
        (player != self.anchor).then(|| player - usize::from(player > self.anchor))
    }

    fn first_move(&self, size: Option<u8>) -> Option<usize> {
        let place = self.sizes.binary_search(&size?).ok()?;
        Some(self.players - 1 + place)
    }

    /// The sizes with the places of their first-move advantages.
    pub(super) fn sizes(&self) -> impl Iterator<Item = (u8, usize)> {
        self.sizes.iter().enumerate().map(|(place, size)| (*size, self.players - 1 + place))
    }

    /// The place of ln ν, with draws by Davidson's model.
    pub(super) fn draws(&self) -> Option<usize> {
        self.draws.then(|| self.len() - 1)
    }
}

/// The chances of the results of one pairing, and what the unknowns do to them.
struct Chances {
    win: f64,
    draw: f64,
}

impl Pool {
    /// Adds up the games. Sums of halves and quarters are exact, so their order makes no difference.
    pub(super) fn of(games: &[Games], players: usize, anchor: usize, prior_draws: f64) -> Self {
        let mut sums: BTreeMap<_, [f64; 3]> = BTreeMap::new();
        for games in games.iter().filter(|games| games.player != games.opponent && games_of(games) > 0.0) {
            // Without a first mover, both directions are one.
            let turned = games.size.is_none() && games.player > games.opponent;
            let (key, counts) = if turned {
                ((games.opponent, games.player, None), [games.losses, games.draws, games.wins])
            } else {
                ((games.player, games.opponent, games.size), [games.wins, games.draws, games.losses])
            };
            let sum = sums.entry(key).or_default();
            sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let prior = (0..players).filter(|player| *player != anchor).map(|player| (player, prior_draws / 2.0));
        Self(sums, prior.collect())
    }

    /// The unknowns of every pairing with their signs, and its results. The prior's are half won and half lost games against
    /// rating 0.
    fn terms<'a>(&'a self, layout: &'a Layout) -> impl Iterator<Item = (Vec<(usize, f64)>, [f64; 3])> + 'a {
        let played = self.0.iter().map(|(&(player, opponent, size), &counts)| {
            let unknowns = [
                (layout.rating(player), 1.0),
                (layout.rating(opponent), -1.0),
                (layout.first_move(size), 1.0),
            ];
            (unknowns.into_iter().filter_map(|(place, sign)| Some((place?, sign))).collect(), counts)
        });
        let prior = self
            .1
            .iter()
            .filter(|(_, half)| *half > 0.0)
            .filter_map(|&(player, half)| Some((vec![(layout.rating(player)?, 1.0)], [half, 0.0, half])));
        played.chain(prior)
    }

    /// The maximum of the likelihood and the inverse of the information there.
    pub(super) fn maximise(&self, layout: &Layout) -> Option<(Vec<f64>, Symmetric)> {
        let mut values = vec![0.0; layout.len()];
        let mut likelihood = self.likelihood(layout, &values);
        for _ in 0..MOST_STEPS {
            let (gradient, information) = self.derivatives(layout, &values);
            let step = information.cholesky()?.solve(&gradient);
            let mut scale = 1.0;
            let (moved, reached) = loop {
                let moved: Vec<f64> = values.iter().zip(&step).map(|(v, s)| v + scale * s).collect();
                let reached = self.likelihood(layout, &moved);
                if reached >= likelihood - 1e-12 * likelihood.abs() || scale < 1e-9 {
                    break (moved, reached);
                }
                scale /= 2.0;
            };
            let change = moved.iter().zip(&values).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            (values, likelihood) = (moved, reached);
            if change < 1e-11 && gain_of(&gradient, &step) < CONVERGED {
                let (_, information) = self.derivatives(layout, &values);
                return Some((values, information.cholesky()?.inverse()));
            }
            // An infinite rating is approached by steps of about one logit, for ever.
            if values.iter().any(|value| value.abs() > LARGEST) {
                return None;
            }
        }
        None
    }

    fn chances(&self, layout: &Layout, values: &[f64], unknowns: &[(usize, f64)]) -> Chances {
        let logit: f64 = unknowns.iter().map(|&(place, sign)| sign * values[place]).sum();
        let ratio = layout.draws().map_or(0.0, |place| values[place].exp());
        // Relative to the larger of the two strengths, so that nothing overflows.
        let (win, loss) = ((logit / 2.0 - logit.abs() / 2.0).exp(), (-logit / 2.0 - logit.abs() / 2.0).exp());
        let draw = ratio * (-logit.abs() / 2.0).exp();
        let all = win + draw + loss;
        Chances { win: win / all, draw: draw / all }
    }

    fn likelihood(&self, layout: &Layout, values: &[f64]) -> f64 {
        let term = |(unknowns, [wins, draws, losses]): (Vec<(usize, f64)>, [f64; 3])| {
            let Chances { win, draw } = self.chances(layout, values, &unknowns);
            let loss = 1.0 - win - draw;
            let ln = |count: f64, chance: f64| {
                if count > 0.0 { count * chance.max(f64::MIN_POSITIVE).ln() } else { 0.0 }
            };
            let half = if layout.draws { 0.0 } else { draws / 2.0 };
            let drawn = if layout.draws { ln(draws, draw) } else { 0.0 };
            ln(wins + half, win) + drawn + ln(losses + half, loss)
        };
        self.terms(layout).map(term).sum()
    }

    /// The gradient, and the information: the negative matrix of second derivatives.
    fn derivatives(&self, layout: &Layout, values: &[f64]) -> (Vec<f64>, Symmetric) {
        let mut gradient = vec![0.0; layout.len()];
        let mut information = Symmetric::zeros(layout.len());
        for (unknowns, [wins, draws, losses]) in self.terms(layout) {
            let games = wins + draws + losses;
            let Chances { win, draw } = self.chances(layout, values, &unknowns);
            let score = win + draw / 2.0;
            let slope = wins + draws / 2.0 - games * score;
            let variance = win + draw / 4.0 - score * score;
            for &(a, sign) in &unknowns {
                gradient[a] += sign * slope;
                for &(b, other) in unknowns.iter().filter(|(b, _)| *b <= a) {
                    information.add(a, b, games * variance * sign * other);
                }
            }
            if let Some(nu) = layout.draws() {
                gradient[nu] += draws - games * draw;
                information.add(nu, nu, games * draw * (1.0 - draw));
                for &(a, sign) in &unknowns {
                    information.add(nu, a, games * sign * draw * (0.5 - score));
                }
            }
        }
        (gradient, information)
    }

    /// Pearson's test of the scores of all pairings against the model.
    pub(super) fn fit(&self, layout: &Layout, values: &[f64]) -> Option<ChiSquare> {
        let pairings: Vec<_> = self.terms(layout).take(self.0.len()).collect();
        let deviation = |(unknowns, [wins, draws, losses]): &(Vec<(usize, f64)>, [f64; 3])| {
            let games = wins + draws + losses;
            let Chances { win, draw } = self.chances(layout, values, unknowns);
            let score = win + draw / 2.0;
            let variance = win + draw / 4.0 - score * score;
            (wins + draws / 2.0 - games * score).powi(2) / (games * variance)
        };
        let degrees = pairings.len().checked_sub(layout.len() - usize::from(layout.draws))?;
        ChiSquare::of(pairings.iter().map(deviation).sum(), degrees)
    }
}

/// No rating in logits is as large: the chance of a loss would be 1e-13.
const LARGEST: f64 = 30.0;
