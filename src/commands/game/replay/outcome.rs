//! A stored game, played again on this machine.

use anyhow::{Context, Result};
use engine::havannah::{Board, BoardSize, Cell, Outcome};
use engine::search::Budget;
use engine::selfplay::{self, Difference, MoveRecord};
use protocol::games::GameReport;
use protocol::matchup::Matchup;

/// How a stored game goes when it is played again.
#[derive(Debug)]
pub(crate) enum ReplayOutcome {
    /// Every move with all its numbers is as recorded, and so is the result.
    Same,
    /// A move, or a number of its search, is another one.
    OtherMoves(Difference),
    /// The moves are as recorded. By the rules their result is another one than the stored one.
    OtherResult {
        /// The stored result.
        stored: Outcome,
        /// The result by the rules, if the game is over.
        by_rules: Option<Outcome>,
    },
}

impl ReplayOutcome {
    /// The difference in words, if there is one.
    pub(crate) fn difference(&self) -> Option<String> {
        match self {
            Self::Same => None,
            Self::OtherMoves(Difference { index, side, .. }) => {
                Some(format!("the game differs from its record at move {} ({side})", index + 1))
            }
            Self::OtherResult { stored, by_rules } => {
                let by_rules = by_rules.map_or("not over".to_owned(), |outcome| outcome.to_string());
                Some(format!(
                    "the moves are as recorded, but the stored result is {stored}, and by the rules the game is {by_rules}"
                ))
            }
        }
    }
}

/// Plays a stored game again, each move with the simulations it had: so a game with a budget in time goes alike too.
pub(crate) fn again(game: &GameReport) -> Result<ReplayOutcome> {
    let size = game.spec.size;
    // The budget is a placeholder: every move is replayed with its recorded number of simulations.
    let spec = Matchup::of_stored(game).spec(Budget::Sims(1)).context("this build cannot play the game")?;
    let recorded = game.play.record.to_moves(size).context("the game's record is damaged")?;
    if let Some(difference) = selfplay::replay(&spec, &recorded).context("the game's opening")? {
        return Ok(ReplayOutcome::OtherMoves(difference));
    }
    let stored = game.line.outcome;
    let by_rules = outcome_of(size, &spec.opening, &recorded)?;
    Ok(if by_rules == Some(stored) {
        ReplayOutcome::Same
    } else {
        ReplayOutcome::OtherResult { stored, by_rules }
    })
}

/// The outcome of a game according to the rules, if it is over.
fn outcome_of(size: BoardSize, opening: &[Cell], moves: &[MoveRecord]) -> Result<Option<Outcome>> {
    let cells: Vec<Cell> = opening.iter().copied().chain(moves.iter().map(|played| played.cell)).collect();
    Ok(Board::after(size, &cells).context("the game's record is damaged")?.outcome())
}
