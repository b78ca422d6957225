//! A game between two players, with swap, resignation and undo.

use crate::havannah::{Board, BoardSize, Cell, Outcome, PlayError};
use crate::sgf::Move;
use crate::side::Side;
use thiserror::Error;

/// A turn that cannot be taken.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum TurnError {
    /// It is the other player's turn.
    #[error("it is the turn of {0}")]
    NotYourTurn(Side),
    /// The game has ended.
    #[error("the game is already over: {0}")]
    Over(Ending),
    /// The cell has a stone.
    #[error("the cell already has a stone of {0}")]
    Occupied(Side),
    /// The swap rule is off.
    #[error("the swap rule is off; `swap 1` switches it on")]
    SwapIsOff,
    /// Swapping at another time than the second turn.
    #[error("`swap` is only a move of black right after the first stone")]
    SwapTooLate,
    /// More turns to take back than were taken.
    #[error("cannot take back more turns than the {0} there are")]
    NotThatMany(usize),
}

/// How a game ended, by player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// A winning shape on the board, or a full board.
    Board(Outcome),
    /// A player gave up.
    Resigned {
        /// The other player.
        winner: Side,
    },
}

impl Ending {
    /// The player who won, if any.
    #[must_use]
    pub(super) fn winner(self) -> Option<Side> {
        match self {
            Ending::Board(outcome) => outcome.winner(),
            Ending::Resigned { winner } => Some(winner),
        }
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ending::Board(outcome) => outcome.fmt(f),
            Ending::Resigned { winner } => write!(f, "{winner} (resignation)"),
        }
    }
}

/// The turns of a game and the position after them.
///
/// A swap changes no stone and exchanges the players: from then on the board's White is the player Black. All sides in
/// this interface are players.
#[derive(Clone)]
pub(super) struct Play {
    board: Board,
    turns: Vec<Move>,
}

impl Play {
    pub(super) fn new(size: BoardSize) -> Self {
        Self { board: Board::new(size), turns: Vec::new() }
    }

    /// The position. Its sides are players only until a swap; see [`Play::player`].
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    pub(super) fn size(&self) -> BoardSize {
        self.board.size()
    }

    pub(super) fn turns(&self) -> &[Move] {
        &self.turns
    }

    /// The stone placed last, if there is any.
    pub(super) fn last_stone(&self) -> Option<Cell> {
        let stone = |turn: &Move| if let Move::Stone(cell) = turn { Some(*cell) } else { None };
        self.turns.iter().rev().find_map(stone)
    }

    fn swapped(&self) -> bool {
        self.turns.get(1) == Some(&Move::Swap)
    }

    /// The player of a side of the board.
    pub(super) fn player(&self, side: Side) -> Side {
        if self.swapped() { side.other() } else { side }
    }

    pub(super) fn to_move(&self) -> Side {
        Side::to_move_after(self.turns.len())
    }

    /// How the game ended, once it has.
    pub(super) fn ending(&self) -> Option<Ending> {
        if self.turns.last() == Some(&Move::Resign) {
            // The resignation counts as a turn.
            return Some(Ending::Resigned { winner: self.to_move() });
        }
        self.board.outcome().map(|outcome| {
            Ending::Board(match outcome {
                Outcome::Win { winner, kind } => Outcome::Win { winner: self.player(winner), kind },
                Outcome::Draw => Outcome::Draw,
            })
        })
    }

    /// Whether Black may swap now, if the swap rule is on.
    pub(super) fn is_time_to_swap(&self) -> bool {
        self.turns.len() == 1 && self.ending().is_none()
    }

    /// Takes the turn of the player to move.
    pub(super) fn take(&mut self, turn: Move) -> Result<(), TurnError> {
        if let Some(ending) = self.ending() {
            return Err(TurnError::Over(ending));
        }
        match turn {
            Move::Stone(cell) => {
                self.board.play(cell).map(drop).map_err(|error| self.by_player(error, cell))?
            }
            Move::Swap if !self.is_time_to_swap() => return Err(TurnError::SwapTooLate),
            Move::Swap | Move::Resign => {}
        }
        self.turns.push(turn);
        Ok(())
    }

    fn by_player(&self, error: PlayError, cell: Cell) -> TurnError {
        match (error, self.board.owner(cell)) {
            (PlayError::Occupied { .. }, Some(side)) => TurnError::Occupied(self.player(side)),
            (error, _) => unreachable!("the game goes on and the cell was read for this board: {error}"),
        }
    }

    /// Takes back the last `count` turns.
    pub(super) fn undo(&mut self, count: usize) -> Result<(), TurnError> {
        let left = self.turns.len().checked_sub(count).ok_or(TurnError::NotThatMany(self.turns.len()))?;
        let mut earlier = Self::new(self.size());
        for &turn in &self.turns[..left] {
            earlier.take(turn).expect("it was taken before");
        }
        *self = earlier;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::{Notation, WinKind};

    fn play(words: &str) -> Play {
        let mut play = Play::new(BoardSize::new(4).expect("size"));
        for word in words.split_whitespace() {
            let turn = match word {
                "swap" => Move::Swap,
                "resign" => Move::Resign,
                cell => Move::Stone(Notation::Gui.read(play.size(), cell).expect("cell")),
            };
            play.take(turn).unwrap_or_else(|error| panic!("{words}: {error}"));
        }
        play
    }

    #[test]
    fn after_a_swap_the_first_stone_wins_for_black() {
        let game = play("a1 swap g4 a2 g5 a3 g6 a4");
        let bridge = Outcome::Win { winner: Side::Black, kind: WinKind::Bridge };
        assert_eq!(game.ending(), Some(Ending::Board(bridge)));
        let straight = play("a1 g4 a2 g5 a3 g6 a4");
        assert_eq!(straight.ending().and_then(Ending::winner), Some(Side::White));
    }

    #[test]
    fn a_swap_is_blacks_first_turn_or_none() {
        for words in ["", "a1 a2", "a1 swap", "a1 swap a2"] {
            assert_eq!(play(words).take(Move::Swap), Err(TurnError::SwapTooLate), "{words}");
        }
    }

    #[test]
    fn whoever_resigns_has_lost() {
        assert_eq!(play("a1 resign").ending(), Some(Ending::Resigned { winner: Side::White }));
        assert_eq!(play("a1 swap resign").ending(), Some(Ending::Resigned { winner: Side::Black }));
        assert!(matches!(play("resign").take(Move::Resign), Err(TurnError::Over(_))));
    }

    #[test]
    fn turns_taken_back_leave_no_trace() {
        let mut game = play("a1 swap b2 resign");
        game.undo(2).expect("taken");
        assert_eq!(
            (game.turns(), game.to_move(), game.board().plies()),
            (&play("a1 swap").turns[..], Side::White, 1)
        );
        game.undo(1).expect("taken");
        assert_eq!((game.to_move(), game.player(Side::White)), (Side::Black, Side::White));
        assert_eq!(game.undo(2), Err(TurnError::NotThatMany(1)));
        assert_eq!(game.turns().len(), 1);
    }
}
