//! The rating list of all players of a sweep.

use super::Row;
use crate::chi_square::ChiSquare;
use crate::normal::{probability_below, two_sided};
use crate::rating::{Draws, Games, Ratings};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Players by strength.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RatingList {
    /// The budget of a move.
    pub budget: String,
    /// The player whose rating is 0 on every size: the baseline with the most games.
    pub anchor: String,
    /// Virtual draws of each other player against the anchor, on every size.
    pub prior_draws: f64,
    /// How draws count: `half` a win each, or by the model of `davidson`.
    pub draws: String,
    /// The players, the strongest first. The ratings are averages over sizes.
    pub players: Vec<RatedPlayer>,
    /// The covariance of the ratings in squared Elo points, in the order of `players`.
    pub covariance: Vec<Vec<f64>>,
    /// Sizes with the advantage of the first move and its standard error in Elo points, where it is known who moved first.
    pub first_move: Vec<(u8, f64, f64)>,
    /// The test that one number for each player explains all results, by size. Absent where there is nothing to test.
    pub fit: Vec<(u8, ChiSquare)>,
}

/// A player of a rating list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RatedPlayer {
    /// The player.
    pub player: String,
    /// Rating in Elo points above the anchor.
    pub elo: f64,
    /// Standard error of the difference from the anchor. It allows for pairs that were begun and are not complete, as the interval and the
    /// likelihood.
    pub error: f64,
    /// Lower end of the interval of the rating.
    pub low: f64,
    /// Upper end of the interval of the rating.
    pub high: f64,
    /// The likelihood that the player is stronger than the next one in the list; absent for the last. For one look only.
    pub superiority: Option<f64>,
    /// Whether chains of games link the player to the anchor on every size. If not, the rating is the prior's.
    pub connected: bool,
}

/// Virtual draws of each player against the anchor.
const PRIOR_DRAWS: f64 = 2.0;

/// Davidson's model is used from this fraction of drawn games on. Below, the difference is a few Elo points.
const MANY_DRAWS: f64 = 0.05;

/// More players are not rated: the covariance would have too many entries.
const MOST_PLAYERS: usize = 300;

impl RatingList {
    /// Rates the players of these rows, which have the same budget.
    pub(super) fn of(budget: &str, rows: &[&Row], confidence: f64) -> Option<Self> {
        let z = two_sided(confidence).ok()?;
        let names: BTreeSet<&str> =
            rows.iter().flat_map(|row| [row.case.as_str(), row.against.as_str()]).collect();
        let names: Vec<&str> = names.into_iter().collect();
        if names.len() < 2 || names.len() > MOST_PLAYERS {
            return None;
        }
        let place = |name: &str| names.binary_search(&name).unwrap_or_default();
        let pairs = |player: usize| -> u64 {
            let of = rows.iter().filter(|row| place(&row.case) == player || place(&row.against) == player);
            of.map(|row| row.counts.pairs()).sum()
        };
        let baselines: BTreeSet<usize> = rows.iter().map(|row| place(&row.against)).collect();
        // Of equals the first by name, whatever the order of the rows.
        let anchor = baselines.into_iter().rev().max_by_key(|player| pairs(*player))?;
        let sum = |of: fn([f64; 3]) -> f64| -> f64 { rows.iter().map(|row| of(row.counts.games())).sum() };
        let draws = if sum(|[_, draws, _]| draws) >= MANY_DRAWS * sum(|games| games.iter().sum()) {
            Draws::Davidson
        } else {
            Draws::Half
        };
        let mut by_size = Vec::new();
        let mut missing = Vec::new();
        for size in rows.iter().map(|row| row.size).collect::<BTreeSet<_>>() {
            let on: Vec<&&Row> = rows.iter().filter(|row| row.size == size).collect();
            let games: Vec<Games> =
                on.iter().flat_map(|row| games(row, place(&row.case), place(&row.against))).collect();
            let weight = on.iter().map(|row| row.weight).fold(0.0, f64::max);
            let ratings = Ratings::of(names.len(), anchor, &games, draws, PRIOR_DRAWS).ok()?;
            let moved = on.iter().map(|row| {
                // In points of the games that count.
                let points = 2.0 * row.counts.pairs() as f64 * row.unfinished.reach(&row.counts);
                (place(&row.case), place(&row.against), points)
            });
            missing.push(moved.filter(|(.., points)| *points > 0.0).collect::<Vec<_>>());
            by_size.push((size, ratings, weight));
        }
        // Missing games may look like a player that has no single strength.
        let complete = by_size.iter().zip(&missing).filter(|(_, missing)| missing.is_empty());
        let fit = complete.filter_map(|((size, ratings, _), _)| Some((*size, ratings.fit?))).collect();
        let weighed: Vec<(Ratings, f64)> =
            by_size.into_iter().map(|(_, ratings, weight)| (ratings, weight)).collect();
        let ratings = Ratings::average(&weighed)?;
        let reach = |a: usize, b: usize| reach(&weighed, &missing, (a, b));
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| ratings.elo(*b).total_cmp(&ratings.elo(*a)));
        let scale = crate::rating::ELO_PER_LOGIT;
        let player = |(rank, &player): (usize, &usize)| {
            let (elo, error) = ratings.difference(player, anchor);
            let moved = reach(player, anchor);
            RatedPlayer {
                player: names[player].to_owned(),
                elo,
                error: error.hypot(moved),
                low: elo - z * error - moved,
                high: elo + z * error + moved,
                superiority: order.get(rank + 1).map(|&next| {
                    let (ahead, error) = ratings.difference(player, next);
                    let ahead = (ahead - reach(player, next)).max(0.0);
                    if error > 0.0 { probability_below(ahead / error) } else { 0.5 }
                }),
                connected: ratings.connected[player],
            }
        };
        let row = |a: &usize| order.iter().map(|b| scale * scale * ratings.covariance(*a, *b)).collect();
        let first_move =
            ratings.first_move.iter().map(|(size, logit, error)| (*size, scale * logit, scale * error));
        Some(Self {
            budget: budget.to_owned(),
            anchor: names[anchor].to_owned(),
            prior_draws: PRIOR_DRAWS,
            draws: if draws == Draws::Half { "half" } else { "davidson" }.to_owned(),
            players: order.iter().enumerate().map(player).collect(),
            covariance: order.iter().map(row).collect(),
            first_move: first_move.collect(),
            fit,
        })
    }
}

/// How far missing games may move the difference of two ratings, in Elo points. `missing` has, for each size, the players of a cell and
/// the points that may be missing or too many. Near the maximum of the likelihood, a further point of i against j moves the ratings by
/// C·(eᵢ − eⱼ), with their covariance C.
fn reach(sizes: &[(Ratings, f64)], missing: &[Vec<(usize, usize, f64)>], (a, b): (usize, usize)) -> f64 {
    let all: f64 = sizes.iter().map(|(_, weight)| weight).sum();
    let on = |(ratings, weight): &(Ratings, f64), cells: &Vec<(usize, usize, f64)>| {
        let moved = |(i, j, points): &(usize, usize, f64)| {
            let towards = |player| ratings.covariance(player, *i) - ratings.covariance(player, *j);
            points * (towards(a) - towards(b)).abs()
        };
        weight / all * cells.iter().map(moved).sum::<f64>()
    };
    crate::rating::ELO_PER_LOGIT * sizes.iter().zip(missing).map(|(size, cells)| on(size, cells)).sum::<f64>()
}

/// The games of a cell by first mover, if known. Both players moved first in half of the games, and draws are taken as
/// equally frequent with either: the wins as first mover follow from the wins of all first movers.
fn games(row: &Row, case: usize, against: usize) -> Vec<Games> {
    let [wins, draws, losses] = row.counts.games();
    let all = Games { player: case, opponent: against, size: None, wins, draws, losses };
    let Some(rate) = row.first_move_rate.filter(|rate| (0.0..=1.0).contains(rate)) else { return vec![all] };
    let decided = wins + losses;
    let wins_first = ((decided / 2.0 + rate * decided - losses) / 2.0)
        .clamp((wins - losses).max(0.0) / 2.0, wins.min(decided / 2.0));
    let losses_first = decided / 2.0 - wins_first;
    let first =
        Games { size: Some(row.size), wins: wins_first, draws: draws / 2.0, losses: losses_first, ..all };
    let second = Games {
        player: against,
        opponent: case,
        size: Some(row.size),
        wins: losses - losses_first,
        draws: draws / 2.0,
        losses: wins - wins_first,
    };
    vec![first, second]
}
