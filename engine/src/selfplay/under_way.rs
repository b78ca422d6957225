//! A game under way, played move by move. Between two moves it can be saved, and another process can resume it and play
//! exactly the same moves.

use super::record::{GameRecord, MoveRecord};
use super::spec::{GameSpec, GameSpecError, Player};
use crate::havannah::{Board, Outcome, PlayError};
use crate::search::{Budget, Game, Search, check_sims, mismatch};
use crate::side::{BySide, Side};
use std::io::{self, Read, Write};
use thiserror::Error;

/// A game under way.
pub struct GameUnderWay {
    board: Board,
    players: BySide<Search<Board>>,
    moves: Vec<MoveRecord>,
}

/// The saved state is not one of a game under way with this specification.
#[derive(Debug, Error)]
pub enum ResumeError {
    /// The specification describes no game.
    #[error(transparent)]
    Spec(#[from] GameSpecError),
    /// The rules forbid a move.
    #[error("move {} is not legal: {error}", .index + 1)]
    Move {
        /// The index among the players' moves, from 0.
        index: usize,
        /// Why the move is illegal.
        error: PlayError,
    },
    /// The saved game is over already.
    #[error("the game was over: {0}")]
    Over(Outcome),
    /// A saved search state does not belong to this game, or cannot be read.
    #[error(transparent)]
    Search(#[from] io::Error),
}

impl GameUnderWay {
    /// Begins a game.
    ///
    /// # Errors
    /// When the opening is illegal or ends the game, or a budget has more simulations than a search can count.
    pub fn begin(spec: &GameSpec) -> Result<Self, GameSpecError> {
        for side in Side::BOTH {
            let Player { params, budget, .. } = &spec.players[side];
            if let Budget::Sims(sims) = *budget {
                check_sims(&params.search, spec.size.cells(), sims).map_err(GameSpecError::Sims)?;
            }
        }
        let mut board = Board::new(spec.size);
        for (index, &cell) in spec.opening.iter().enumerate() {
            board.play(cell).map_err(|error| GameSpecError::Opening { index, error })?;
        }
        if let Some(outcome) = board.outcome() {
            return Err(GameSpecError::Over(outcome));
        }
        let players = BySide::from_fn(|side| {
            let Player { params, seed, .. } = &spec.players[side];
            Search::after(board.clone(), spec.opening.last().map(|cell| cell.0), params, *seed)
        });
        Ok(Self { board, players, moves: Vec::new() })
    }

    /// Resumes the game of `spec` after `moves`, with `search_states` as [`GameUnderWay::write_search_states`] wrote them.
    /// It continues exactly as the saved game would have.
    ///
    /// # Errors
    /// When the arguments do not belong to one game that is under way, or `search_states` cannot be read.
    pub fn resume(
        spec: &GameSpec,
        moves: Vec<MoveRecord>,
        search_states: &mut dyn Read,
    ) -> Result<Self, ResumeError> {
        let mut game = Self::begin(spec)?;
        for (index, played) in moves.iter().enumerate() {
            let outcome = game.board.play(played.cell);
            if let Some(outcome) = outcome.map_err(|error| ResumeError::Move { index, error })? {
                return Err(ResumeError::Over(outcome));
            }
            game.advance(played.cell.0);
        }
        game.moves = moves;
        for side in Side::BOTH {
            game.players[side].restore(search_states)?;
        }
        match search_states.read(&mut [0])? {
            0 => Ok(game),
            _ => Err(mismatch().into()),
        }
    }

    /// Writes the search states of both players: their random streams and their trees. Together with the specification and
    /// the moves they are the whole state of a game that is not over. They take some hundreds of bytes and the size of the
    /// kept trees, and no memory: the trees are written from where they are.
    ///
    /// # Errors
    /// When writing fails.
    pub fn write_search_states(&self, out: &mut dyn Write) -> io::Result<()> {
        Side::BOTH.into_iter().try_for_each(|side| self.players[side].snapshot(out))
    }

    /// The side to move.
    #[must_use]
    pub fn to_move(&self) -> Side {
        self.board.to_move()
    }

    /// How the game ended; `None` while it goes on.
    #[must_use]
    pub fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    /// The players' moves so far.
    #[must_use]
    pub fn moves(&self) -> &[MoveRecord] {
        &self.moves
    }

    /// Lets the side to move search within `budget`, and plays its move.
    ///
    /// # Panics
    /// When the game is over.
    pub fn play_move(&mut self, budget: Budget) -> MoveRecord {
        let played = MoveRecord::from(self.players[self.board.to_move()].think(budget));
        self.board.play_slot(played.cell.0);
        self.moves.push(played);
        if self.board.outcome().is_none() {
            self.advance(played.cell.0);
        }
        played
    }

    /// The finished game; `None` while it goes on.
    #[must_use]
    pub fn into_record(self) -> Option<GameRecord> {
        let outcome = self.outcome()?;
        Some(GameRecord { moves: self.moves, outcome })
    }

    fn advance(&mut self, slot: u16) {
        for side in Side::BOTH {
            self.players[side].advance(slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{play, random_opening};
    use super::*;
    use crate::havannah::{BoardSize, Params};
    use crate::params::ParamValue;
    use crate::rng::Rng;
    use std::ops::ControlFlow;

    fn with(values: &[(&str, &str)]) -> Params {
        let mut params = Params::default();
        for (name, value) in values {
            let value: ParamValue = value.parse().expect("a value");
            params.set(name, &value).expect("a value of the table");
        }
        params
    }

    /// Every player of the tables, and some in which much meets.
    fn players() -> Vec<Params> {
        let others = [
            with(&[("memory_mib", "1"), ("rave_k", "500"), ("expand_visits", "0")]),
            with(&[("last_good_reply", "lgrf"), ("vc_replies", "true"), ("locality", "5")]),
            with(&[("rave_compat", "thesis2011"), ("rave_k", "300"), ("last_good_reply", "lgr")]),
            with(&[("rave_probability", "0.5"), ("rave_k", "100"), ("rollouts", "3"), ("widening", "1.5")]),
        ];
        crate::bench::players().into_iter().map(|(_, params)| params).chain(others).collect()
    }

    fn spec(size: u8, sims: u64, [white, black]: [&Params; 2], seed: u64) -> GameSpec {
        let size = BoardSize::new(size).expect("a board size");
        let player =
            |params: &Params, seed| Player { params: params.clone(), budget: Budget::Sims(sims), seed };
        let players = BySide { white: player(white, seed), black: player(black, seed + 1) };
        GameSpec { size, opening: random_opening(size, 2, seed), players }
    }

    fn uninterrupted(spec: &GameSpec) -> GameRecord {
        play(spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("never stopped")
    }

    fn written(game: &GameUnderWay) -> Vec<u8> {
        let mut bytes = Vec::new();
        game.write_search_states(&mut bytes).expect("a vector takes everything");
        bytes
    }

    /// Plays a game that is saved and resumed before every `every`th move.
    fn interrupted(spec: &GameSpec, every: usize) -> GameRecord {
        let mut game = GameUnderWay::begin(spec).expect("legal");
        while game.outcome().is_none() {
            if game.moves().len().is_multiple_of(every) {
                let (moves, search_states) = (game.moves().to_vec(), written(&game));
                game = GameUnderWay::resume(spec, moves, &mut &search_states[..])
                    .expect("it was written down just now");
                assert!(written(&game) == search_states, "what is taken up is what was written down");
            }
            let budget = spec.players[game.to_move()].budget;
            game.play_move(budget);
        }
        game.into_record().expect("over")
    }

    #[test]
    fn a_resumed_game_ends_as_an_uninterrupted_one() {
        let players = players();
        for (index, white) in players.iter().enumerate() {
            let black = &players[(index + 3) % players.len()];
            let seed = index as u64 + 1;
            for (size, sims, every) in [(3, 90, 1), (4, 300, 3)] {
                let spec = spec(size, sims, [white, black], seed);
                let (whole, parts) = (uninterrupted(&spec), interrupted(&spec, every));
                assert_eq!(whole.outcome, parts.outcome);
                assert_eq!(whole.moves.len(), parts.moves.len());
                for (a, b) in whole.moves.iter().zip(&parts.moves) {
                    assert!(a.agrees_with(b), "player {index}: {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_full_tree_is_taken_up_again_as_it_was() {
        let small = with(&[("memory_mib", "1"), ("rave_k", "500"), ("expand_visits", "0")]);
        let spec = spec(5, 3_000, [&small, &small], 8);
        let (whole, parts) = (uninterrupted(&spec), interrupted(&spec, 2));
        assert!(whole.moves.iter().zip(&parts.moves).all(|(a, b)| a.agrees_with(b)));
        assert_eq!(whole.moves.len(), parts.moves.len());
    }

    #[test]
    fn what_is_kept_of_another_game_is_refused() {
        let default = Params::default();
        let spec = spec(4, 200, [&default, &default], 3);
        let mut game = GameUnderWay::begin(&spec).expect("legal");
        for _ in 0..6 {
            game.play_move(Budget::Sims(200));
        }
        let (moves, search_states) = (game.moves().to_vec(), written(&game));
        let resumed = |moves: &[MoveRecord], mut search_states: &[u8]| {
            GameUnderWay::resume(&spec, moves.to_vec(), &mut search_states)
                .err()
                .map(|error| error.to_string())
        };
        assert_eq!(resumed(&moves, &search_states), None);
        for cut in [0, 7, 8, 40, search_states.len() - 1] {
            assert!(resumed(&moves, &search_states[..cut]).is_some(), "cut at {cut}");
        }
        let longer = [&search_states[..], &[0]].concat();
        assert!(resumed(&moves, &longer).is_some(), "something follows");
        assert!(resumed(&moves[..5], &search_states).is_some(), "the trees have a move that was not played");
        let twice = [&moves[..], &moves[..1]].concat();
        assert!(
            resumed(&twice, &search_states).is_some_and(|error| error.starts_with("move 7 is not legal"))
        );
    }

    #[test]
    fn a_flipped_bit_is_mostly_noticed_and_never_panics() {
        let params = with(&[("rave_k", "100"), ("locality", "3")]);
        let spec = spec(3, 60, [&params, &params], 5);
        let mut game = GameUnderWay::begin(&spec).expect("legal");
        for _ in 0..4 {
            game.play_move(Budget::Sims(60));
        }
        let (moves, search_states) = (game.moves().to_vec(), written(&game));
        let (mut rng, mut refused) = (Rng::new(9), 0);
        for _ in 0..3_000 {
            let mut spoilt = search_states.clone();
            let at = rng.below(spoilt.len() as u32) as usize;
            spoilt[at] ^= 1 << rng.below(8);
            match GameUnderWay::resume(&spec, moves.clone(), &mut &spoilt[..]) {
                Ok(_) => {}
                Err(error) => {
                    assert!(matches!(error, ResumeError::Search(_)), "{error}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 300, "{refused}");
    }
}
