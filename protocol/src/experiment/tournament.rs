//! Tournaments: every two players of the rows `[[player]]` meet, and each of them meets every baseline.

use super::LabelledPlayer;
use super::error::Problems;
use super::player::labelled;
use super::row::Row;
use crate::lease::ParamSet;
use engine::havannah::Params;
use std::ops::Range;

/// Two players that meet.
pub(super) struct Pairing {
    /// The player whose score is counted.
    pub(super) case: LabelledPlayer,
    /// The opponent.
    pub(super) baseline: LabelledPlayer,
    /// The product of the weights of both rows.
    pub(super) weight: f64,
    /// The place of a player's row.
    pub(super) span: Range<usize>,
}

/// All pairings. Which of two players is the case does not depend on the order of the rows, so a file with its players in
/// another order has the same cells. A baseline that is also a player is met once, as a player.
pub(super) fn pairings(players: &[&Row<Params>], baselines: &[&Row<Params>]) -> Vec<Pairing> {
    let against = |player: &Row<Params>, opponent: &Row<Params>| Pairing {
        case: labelled(player),
        baseline: labelled(opponent),
        weight: player.weight * opponent.weight,
        span: player.span.clone(),
    };
    let is_player = |baseline: &Row<Params>| {
        players.iter().any(|player| player.content.canonical() == baseline.content.canonical())
    };
    let others: Vec<_> = baselines.iter().filter(|baseline| !is_player(baseline)).collect();
    let mut pairings = Vec::new();
    for (i, player) in players.iter().enumerate() {
        pairings.extend(others.iter().map(|baseline| against(player, baseline)));
        for other in &players[i + 1..] {
            let id = |row: &Row<Params>| ParamSet::from(&row.content).player_id();
            let (case, opponent) = if id(player) < id(other) { (player, other) } else { (other, player) };
            pairings.push(against(case, opponent));
        }
    }
    pairings
}

/// The most pairings that so many players and baselines have.
pub(super) fn count(players: usize, baselines: usize) -> usize {
    let others = players.saturating_sub(1);
    players.saturating_mul(others) / 2 + players.saturating_mul(baselines)
}

/// Adds a problem if a player has no opponent.
pub(super) fn check_company(players: &[&Row<Params>], baselines: &[&Row<Params>], problems: &mut Problems) {
    if let [player] = players
        && pairings(players, baselines).is_empty()
    {
        let message = format!(
            "`{}` has no opponent: a tournament needs another [[player]], or a [[baseline]] that is another player",
            player.id
        );
        problems.at(player.span.clone(), message);
    }
}
