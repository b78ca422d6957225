//! Which figure should be played next, and which of its cells.

use super::judge::{Finding, Judged};
use protocol::ids::CellId;
use std::collections::BTreeMap;

/// The least weight of a figure, and of a cell. What is decided still gets some games.
const LEAST: f64 = 0.01;
/// So many more games are assumed to decide a claim without games.
const UNKNOWN: f64 = 200.0;
/// A figure has a weight of 1 if so many core seconds decide its next claim.
const CORE_SECONDS: f64 = 200.0;
/// Core seconds of a game, before one was played.
const A_GAME: f64 = 2.0;

/// A claim, as far as it asks for games.
pub(super) struct Wanted {
    /// The games that would decide it; none if it is decided, or if no number of games is in sight.
    games: Option<f64>,
    /// The cells that it is judged by.
    cells: Vec<CellId>,
}

/// A claim of which nothing is known.
impl Default for Wanted {
    fn default() -> Self {
        Self { games: Some(UNKNOWN), cells: Vec::new() }
    }
}

impl From<&Judged<'_>> for Wanted {
    fn from(judged: &Judged<'_>) -> Self {
        let games = match judged.finding {
            Finding::Undecided { .. } if judged.ours.is_none() => Some(UNKNOWN),
            Finding::Undecided { more } => more.map(|more| more.max(1) as f64),
            Finding::Holds | Finding::Fails => None,
        };
        Self { games, cells: judged.cells.clone() }
    }
}

/// What an experiment should get.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weights {
    /// The weight of the experiment.
    pub(super) experiment: f64,
    /// Factors on the weights of cells. Cells that no claim names keep theirs.
    pub(super) cells: BTreeMap<CellId, f64>,
}

/// The weights of a figure's experiment, by its claims with both programs and the core seconds of a game. The claim that needs the
/// fewest games is played first: a claim that needs twice as many has half the factor, and the experiment's weight falls with the
/// core time until the first one is decided.
pub(super) fn weights(claims: &[Wanted], a_game: Option<f64>) -> Weights {
    let next = claims.iter().filter_map(|claim| claim.games).reduce(f64::min);
    let mut cells = BTreeMap::new();
    // Games of the experiment until the next claim is decided.
    let mut games = 0.0;
    for claim in claims {
        let factor = match (next, claim.games) {
            (Some(next), Some(wanted)) => as_step(next / wanted),
            _ => LEAST,
        };
        games += next.unwrap_or_default() * factor;
        for cell in &claim.cells {
            let known = cells.entry(*cell).or_insert(factor);
            *known = f64::max(*known, factor);
        }
    }
    let experiment = next.map_or(LEAST, |_| CORE_SECONDS / (games * a_game.unwrap_or(A_GAME)));
    Weights { experiment: ((100.0 * experiment).round() / 100.0).max(LEAST), cells }
}

/// A factor as a power of one half, so that it does not change with every look.
fn as_step(factor: f64) -> f64 {
    factor.log2().round().exp2().max(LEAST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn cell(number: u128) -> CellId {
        CellId(Uuid::from_u128(number))
    }

    fn claim(games: Option<f64>, cells: [u128; 2]) -> Wanted {
        Wanted { games, cells: cells.map(cell).to_vec() }
    }

    #[test]
    fn the_nearest_decision_is_played_first() {
        let decided = claim(None, [1, 2]);
        let near = claim(Some(50.0), [2, 3]);
        let far = claim(Some(420.0), [3, 4]);
        let found = weights(&[decided, near, far], Some(2.0));
        assert_eq!(
            found.cells,
            BTreeMap::from([(cell(1), LEAST), (cell(2), 1.0), (cell(3), 1.0), (cell(4), 0.125)])
        );
        // 50 games of the near claim, 6.25 of the far one, and half a game of the decided one.
        assert_eq!(found.experiment, 1.76);
        assert_eq!(weights(&[claim(None, [1, 2])], Some(2.0)).experiment, LEAST);
    }

    #[test]
    fn long_games_make_a_decision_far() {
        let of = |games, a_game| weights(&[claim(Some(games), [1, 2])], a_game).experiment;
        assert_eq!((of(50.0, Some(2.0)), of(50.0, Some(20.0)), of(50.0, None)), (2.0, 0.2, 2.0));
        assert_eq!(of(1e6, Some(2.0)), LEAST);
    }
}
