//! The rating list of all players of a sweep.

use super::Row;
use crate::chi_square::ChiSquare;
use crate::counts::Moments;
use crate::estimate::{PAIRS_OF_MEAN, pooled_variances};
use crate::normal::two_sided;
use crate::rating::{ELO_PER_LOGIT, Games, Ratings};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Players by strength.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingList {
    /// The budget of a move.
    pub budget: String,
    /// The player whose rating is 0: the baseline with the most games.
    pub anchor: String,
    /// The sizes on which all pairings were played. Games on other sizes are left out.
    pub sizes: Vec<u8>,
    /// Virtual draws of each other player against the anchor.
    pub prior_draws: f64,
    /// The players, the strongest first.
    pub players: Vec<RatedPlayer>,
    /// The covariance of the ratings in squared Elo points, in the order of `players`.
    pub covariance: Vec<Vec<f64>>,
    /// The test that one number for each player explains all results, by size. Absent where there is nothing to test.
    pub fit: Vec<(u8, ChiSquare)>,
}

/// A player of a rating list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatedPlayer {
    /// The player.
    pub player: String,
    /// Rating in Elo points above the anchor: that of the average score over sizes.
    pub elo: f64,
    /// Standard error of the difference from the anchor.
    pub error: f64,
    /// Lower end of the interval of the rating.
    pub low: f64,
    /// Upper end of the interval of the rating.
    pub high: f64,
    /// The likelihood that the player is stronger than the next one in the list; absent for the last. For one look only.
    pub superiority: Option<f64>,
    /// Whether a chain of games links the player to the anchor. If not, the rating is the prior's.
    pub connected: bool,
}

/// Virtual draws of each player against the anchor.
const PRIOR_DRAWS: f64 = 2.0;

/// More players are not rated: the covariance would have too many entries.
const MOST_PLAYERS: usize = 300;

/// Two players by their numbers: the case and the baseline.
type Pairing = (usize, usize);

impl RatingList {
    /// Rates the players of these rows, which have the same budget. None where every player has one opponent, so that the list
    /// would repeat the ranking, or where no size is common to all pairings.
    pub(super) fn of(budget: &str, rows: &[&Row], confidence: f64) -> Option<Self> {
        let z = two_sided(confidence).ok()?;
        let names: BTreeSet<&str> =
            rows.iter().flat_map(|row| [row.case.as_str(), row.against.as_str()]).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let place = |name: &str| names.binary_search(&name).unwrap_or_default();
        let pairing = |row: &Row| (place(&row.case), place(&row.against));
        let pairings: BTreeSet<Pairing> = rows.iter().map(|row| pairing(row)).collect();
        let baselines: BTreeSet<usize> = pairings.iter().map(|(_, against)| *against).collect();
        if baselines.len() < 2 || names.len() > MOST_PLAYERS {
            return None;
        }
        let played = |player: usize| -> u64 {
            let of = rows.iter().filter(|row| [pairing(row).0, pairing(row).1].contains(&player));
            of.map(|row| row.counts.pairs()).sum()
        };
        // Of equals the first by name, whatever the order of the rows.
        let anchor = baselines.into_iter().rev().max_by_key(|player| played(*player))?;
        let mut by_size: BTreeMap<u8, BTreeMap<Pairing, &Row>> = BTreeMap::new();
        for row in rows {
            by_size.entry(row.size).or_default().insert(pairing(row), row);
        }
        let is_common = |on: &BTreeMap<Pairing, &Row>| on.len() == pairings.len();
        let common: BTreeMap<u8, BTreeMap<Pairing, PairingInformation>> =
            by_size.iter().filter(|(_, on)| is_common(on)).map(|(size, on)| (*size, worth(on))).collect();
        let averaged: Vec<Games> =
            pairings.iter().map(|of| average(*of, common.values().filter_map(|on| on.get(of)))).collect();
        if common.is_empty() {
            return None;
        }
        let ratings = Ratings::of(names.len(), anchor, &averaged, PRIOR_DRAWS).ok()?;
        let fit = by_size.iter().filter_map(|(size, on)| {
            let games: Vec<Games> =
                worth(on).iter().map(|(of, own)| average(*of, std::iter::once(own))).collect();
            Some((*size, Ratings::of(names.len(), anchor, &games, PRIOR_DRAWS).ok()?.fit?))
        });
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| ratings.elo(*b).total_cmp(&ratings.elo(*a)));
        let player = |(rank, &player): (usize, &usize)| {
            let (elo, error) = ratings.difference(player, anchor);
            RatedPlayer {
                player: names[player].to_owned(),
                elo,
                error,
                low: elo - z * error,
                high: elo + z * error,
                superiority: order.get(rank + 1).map(|next| ratings.superiority(player, *next)),
                connected: ratings.connected[player],
            }
        };
        let squared = ELO_PER_LOGIT * ELO_PER_LOGIT;
        let row = |a: &usize| order.iter().map(|b| squared * ratings.covariance(*a, *b)).collect();
        Some(Self {
            budget: budget.to_owned(),
            anchor: names[anchor].to_owned(),
            sizes: common.keys().copied().collect(),
            prior_draws: PRIOR_DRAWS,
            players: order.iter().enumerate().map(player).collect(),
            covariance: order.iter().map(row).collect(),
            fit: fit.collect(),
        })
    }
}

/// The information in the games of a pairing on one size.
struct PairingInformation {
    rate: f64,
    /// So many independent games without draws would give the rate the same variance.
    games: f64,
    weight: f64,
}

/// The information of all pairings on a size, with the variance that the pairs of all of them give.
fn worth(on: &BTreeMap<Pairing, &Row>) -> BTreeMap<Pairing, PairingInformation> {
    let moments: Vec<(Pairing, &Row, Moments)> =
        on.iter().filter_map(|(of, row)| Some((*of, *row, row.counts.moments()?))).collect();
    let all: Vec<Moments> = moments.iter().map(|(.., moments)| *moments).collect();
    let variances = pooled_variances(&all, PAIRS_OF_MEAN);
    let worth = |((of, row, moments), variance): (&(Pairing, &Row, Moments), f64)| {
        // A rate of 0 or 1 has no variance of its own.
        let rate = (moments.rate * moments.pairs + 0.5) / (moments.pairs + 1.0);
        let games = rate * (1.0 - rate) / variance;
        (*of, PairingInformation { rate: moments.rate, games, weight: row.weight })
    };
    moments.iter().zip(variances).map(worth).collect()
}

/// The average of a pairing over sizes by weights, as games.
fn average<'w>((player, opponent): Pairing, sizes: impl Iterator<Item = &'w PairingInformation>) -> Games {
    let sizes: Vec<&PairingInformation> = sizes.collect();
    let all: f64 = sizes.iter().map(|own| own.weight).sum();
    let part = |own: &PairingInformation| if all > 0.0 { own.weight / all } else { 1.0 / sizes.len() as f64 };
    let rate = sizes.iter().map(|own| part(own) * own.rate).sum::<f64>().clamp(0.0, 1.0);
    let inverse: f64 = sizes.iter().map(|own| part(own).powi(2) / own.games).sum();
    let games = if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
    Games { player, opponent, points: rate * games, games }
}
