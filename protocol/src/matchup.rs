//! Conversion of leases and stored games to the engine's specification of a game.

use crate::games::GameReport;
use crate::lease::{Lease, ParamSet};
use engine::havannah::{BoardSize, Notation, ParseCellError};
use engine::params::SetParamError;
use engine::rng::mix;
use engine::search::Budget;
use engine::selfplay::{GameSpec, Player};
use engine::side::{BySide, Side};
use thiserror::Error;

/// The players, the board and the opening of a game.
#[derive(Debug, Clone, Copy)]
pub struct Matchup<'a> {
    /// The board.
    pub size: BoardSize,
    /// The opening: moves made before the players take over, in GUI notation, separated by spaces.
    pub opening: &'a str,
    /// The seed from which both players' seeds are derived, by role.
    pub seed: u64,
    /// The case's parameters.
    pub case: &'a ParamSet,
    /// The side the case plays.
    pub case_side: Side,
    /// The baseline's parameters.
    pub baseline: &'a ParamSet,
}

/// A description that this build's engine cannot play.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MatchupError {
    /// A parameter of the case is unknown or out of range.
    #[error("the case: {0}")]
    Case(SetParamError),
    /// A parameter of the baseline is unknown or out of range.
    #[error("the baseline: {0}")]
    Baseline(SetParamError),
    /// A move of the opening is not a cell of the board.
    #[error("the opening: {0}")]
    Opening(#[from] ParseCellError),
}

impl<'a> Matchup<'a> {
    /// The game of `lease` in which the case plays `case_side`.
    #[must_use]
    pub fn of_lease(lease: &'a Lease, case_side: Side) -> Self {
        Self {
            size: lease.size,
            opening: &lease.opening,
            seed: lease.seed,
            case: &lease.case,
            case_side,
            baseline: &lease.baseline,
        }
    }

    /// A stored game.
    #[must_use]
    pub fn of_stored(game: &'a GameReport) -> Self {
        Self {
            size: game.spec.size,
            opening: &game.opening,
            seed: game.seed,
            case: &game.spec.case,
            case_side: game.line.case_side,
            baseline: &game.spec.baseline,
        }
    }

    /// The engine's specification, with the same budget for both players.
    ///
    /// # Errors
    /// When this build's engine does not know a parameter or a cell.
    pub fn spec(&self, budget: Budget) -> Result<GameSpec, MatchupError> {
        // Seeds go by role, not by side, so that the two games of a pair differ even when a player meets itself.
        let seed = |role: u64| mix(self.seed).wrapping_add(role);
        let case = Player { params: self.case.resolve().map_err(MatchupError::Case)?, budget, seed: seed(0) };
        let params = self.baseline.resolve().map_err(MatchupError::Baseline)?;
        let baseline = Player { params, budget, seed: seed(1) };
        let player = |side| if side == self.case_side { case.clone() } else { baseline.clone() };
        Ok(GameSpec {
            size: self.size,
            opening: Notation::Gui.read_list(self.size, self.opening)?,
            players: BySide::from_fn(player),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_keeps_its_stream_when_colours_are_swapped() {
        let (case, baseline) = (ParamSet::default(), ParamSet::default());
        let game = |case_side| {
            let matchup = Matchup {
                size: BoardSize::MIN,
                opening: "",
                seed: 7,
                case: &case,
                case_side,
                baseline: &baseline,
            };
            matchup.spec(Budget::Sims(1)).expect("known parameters").players
        };
        let (first, second) = (game(Side::White), game(Side::Black));
        assert_eq!(first.white.seed, second.black.seed);
        assert_eq!(first.black.seed, second.white.seed);
        assert_ne!(first.white.seed, first.black.seed);
    }
}
