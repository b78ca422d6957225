//! One game between two players: from a complete specification to a complete record, and back again.

mod under_way;

use crate::game::Game;
use crate::havannah::{Board, BoardSize, Cell, PlayError};
use crate::params::Params;
use crate::rng::Rng;
use crate::search::{Thought, TooManySims};
use crate::side::{BySide, Outcome, Side};
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::time::Duration;
use thiserror::Error;

pub use under_way::{GameUnderWay, ResumeError};

/// What one move may cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Budget {
    /// Exactly this many simulations, fewer only when the position is proven earlier.
    Sims(u64),
    /// This much CPU time of the searching thread.
    CpuTime(Duration),
}

/// One side of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Player {
    /// Its parameters.
    pub params: Params,
    /// What each of its moves may cost.
    pub budget: Budget,
    /// Seeds its random stream.
    pub seed: u64,
}

/// Everything that determines a game, with a simulation budget bit for bit.
#[derive(Debug, Clone, PartialEq)]
pub struct GameSpec {
    /// The board.
    pub size: BoardSize,
    /// Moves made before the players take over, White first.
    pub opening: Vec<Cell>,
    /// Who plays which side.
    pub players: BySide<Player>,
}

/// What a search has proved about the position after its move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Nothing.
    None,
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// Best play draws.
    Draw,
    /// White wins or draws: Black can no longer win.
    WhiteOrDraw,
    /// Black wins or draws: White can no longer win.
    BlackOrDraw,
}

impl Claim {
    /// Whether the outcome is proved, not only bounded.
    #[must_use]
    pub const fn is_solved(self) -> bool {
        matches!(self, Claim::White | Claim::Black | Claim::Draw)
    }
}

/// One move as its player saw it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MoveRecord {
    /// Where the stone went.
    pub cell: Cell,
    /// Mean result expected by the mover, 0 for a loss to 1 for a win.
    pub value: f32,
    /// What the search proved.
    pub claim: Claim,
    /// Simulations made for this move.
    pub sims: u64,
    /// Nodes in the tree after the search.
    pub nodes: u64,
    /// CPU time of the searching thread.
    pub cpu: Duration,
}

/// A finished game. The opening's moves are in its [`GameSpec`] only.
#[derive(Debug, Clone, PartialEq)]
pub struct GameRecord {
    /// The players' moves in order.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub outcome: Outcome,
}

/// The first place where a replayed game left its record.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index into [`GameRecord::moves`].
    pub index: usize,
    /// Who moved.
    pub side: Side,
    /// What the record says, if it goes on that long.
    pub recorded: Option<MoveRecord>,
    /// What was played now, if the game went on that long.
    pub replayed: Option<MoveRecord>,
}

/// A specification that describes no game.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GameSpecError {
    /// The rules forbid a move of the opening.
    #[error("move {} of the opening: {error}", .index + 1)]
    Opening {
        /// Its index, from 0.
        index: usize,
        /// Why.
        error: PlayError,
    },
    /// A player makes more simulations a move than its search counts.
    #[error("{0}")]
    Sims(TooManySims),
    /// The opening leaves nothing to play.
    #[error("the opening already ends the game: {0}")]
    Over(Outcome),
}

/// Plays a game. `on_move` sees every move as it is made and may stop the game, which gives `None`.
///
/// # Errors
/// When the opening is not legal or ends the game.
pub fn play(
    spec: &GameSpec,
    on_move: &mut dyn FnMut(&MoveRecord) -> ControlFlow<()>,
) -> Result<Option<GameRecord>, GameSpecError> {
    play_with_budgets(spec, |_, side| spec.players[side].budget, on_move)
}

/// Plays a game with so many simulations for each move, whatever the budgets of its players say; moves beyond
/// the list have one. `on_move` as in [`play`].
///
/// # Errors
/// As [`play`].
pub fn play_counted(
    spec: &GameSpec,
    sims: &[u64],
    on_move: &mut dyn FnMut(&MoveRecord) -> ControlFlow<()>,
) -> Result<Option<GameRecord>, GameSpecError> {
    play_with_budgets(spec, |index, _| Budget::Sims(sims.get(index).copied().unwrap_or(1)), on_move)
}

/// Plays a recorded game again, each move with exactly the simulations it had, and returns the first
/// difference in moves, values, claims, simulations or nodes. CPU times are not compared.
///
/// # Errors
/// When the opening is not legal or ends the game.
pub fn replay(spec: &GameSpec, recorded: &[MoveRecord]) -> Result<Option<Difference>, GameSpecError> {
    let mut difference = None;
    let mut index = 0;
    let mut side = Side::to_move_after(spec.opening.len());
    let sims = |index: usize| recorded.get(index).map_or(1, |record: &MoveRecord| record.sims);
    let budget = |index: usize, _| Budget::Sims(sims(index));
    let replayed = play_with_budgets(spec, budget, &mut |played| {
        let record = recorded.get(index).copied();
        if record.is_none_or(|record| !same_thought(&record, played)) {
            difference = Some(Difference { index, side, recorded: record, replayed: Some(*played) });
            return ControlFlow::Break(());
        }
        index += 1;
        side = side.other();
        ControlFlow::Continue(())
    })?;
    if replayed.is_some() && index < recorded.len() {
        difference = Some(Difference { index, side, recorded: Some(recorded[index]), replayed: None });
    }
    Ok(difference)
}

/// Whether two records of a move agree in everything but time.
fn same_thought(a: &MoveRecord, b: &MoveRecord) -> bool {
    *a == MoveRecord { cpu: a.cpu, ..*b }
}

fn play_with_budgets(
    spec: &GameSpec,
    budget: impl Fn(usize, Side) -> Budget,
    on_move: &mut dyn FnMut(&MoveRecord) -> ControlFlow<()>,
) -> Result<Option<GameRecord>, GameSpecError> {
    let mut game = GameUnderWay::begin(spec)?;
    while game.outcome().is_none() {
        let played = game.play_move(budget(game.moves().len(), game.to_move()));
        if on_move(&played).is_break() {
            return Ok(None);
        }
    }
    Ok(game.into_record())
}

fn record(thought: Thought) -> MoveRecord {
    MoveRecord {
        cell: Cell(thought.slot),
        value: thought.value,
        claim: thought.claim,
        sims: thought.sims,
        nodes: thought.nodes,
        cpu: thought.cpu,
    }
}

/// `plies` random moves from the empty board after which nobody has won: the opening of a pair. The same
/// size, plies and seed give the same opening on every machine.
#[must_use]
pub fn random_opening(size: BoardSize, plies: u8, seed: u64) -> Vec<Cell> {
    let mut rng = Rng::stream(seed, u64::from(size.get()));
    let plies = usize::from(plies).min(size.cells() / 2);
    loop {
        let mut board = Board::new(size);
        let mut moves = Vec::with_capacity(plies);
        while moves.len() < plies && board.outcome().is_none() {
            let empty: Vec<Cell> = board.legal_moves().collect();
            let cell = empty[rng.below(empty.len() as u32) as usize];
            board.play_slot(cell.0);
            moves.push(cell);
        }
        if board.outcome().is_none() {
            return moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(size: u8, sims: u64, seed: u64) -> GameSpec {
        let size = BoardSize::new(size).expect("size");
        let player = |name, seed| Player {
            params: Params::preset(name).expect("preset"),
            budget: Budget::Sims(sims),
            seed,
        };
        let players = BySide { white: player("rave", seed), black: player("uct", seed + 1) };
        GameSpec { size, opening: random_opening(size, 2, seed), players }
    }

    fn played(spec: &GameSpec) -> GameRecord {
        play(spec, &mut |_| ControlFlow::Continue(())).expect("legal").expect("never stopped")
    }

    #[test]
    fn the_same_spec_gives_the_same_game() {
        let spec = spec(5, 300, 11);
        let (first, second) = (played(&spec), played(&spec));
        assert_eq!(first.outcome, second.outcome);
        assert!(first.moves.iter().zip(&second.moves).all(|(a, b)| same_thought(a, b)));
        let mut other = spec;
        other.players.white.seed = 13;
        let other = played(&other);
        assert!(first.moves.iter().map(|m| m.cell).ne(other.moves.iter().map(|m| m.cell)));
    }

    #[test]
    fn a_timed_game_replays_exactly_and_a_changed_record_shows_where() {
        let mut spec = spec(4, 1, 5);
        for side in Side::BOTH {
            spec.players[side].budget = Budget::CpuTime(Duration::from_micros(400));
        }
        let record = played(&spec);
        assert_eq!(replay(&spec, &record.moves), Ok(None));
        let mut changed = record.moves.clone();
        changed[3].value += 0.25;
        let difference = replay(&spec, &changed).expect("legal").expect("different");
        assert_eq!((difference.index, difference.side), (3, Side::Black));
        let shortened = &record.moves[..record.moves.len() - 1];
        let difference = replay(&spec, shortened).expect("legal").expect("different");
        assert_eq!((difference.index, difference.recorded), (shortened.len(), None));
        let mut longer = record.moves.clone();
        longer.push(record.moves[0]);
        let difference = replay(&spec, &longer).expect("legal").expect("different");
        assert_eq!((difference.index, difference.replayed), (record.moves.len(), None));
    }

    #[test]
    fn openings_depend_on_seed_and_size_only_and_leave_a_game_to_play() {
        for size in BoardSize::all() {
            for seed in 0..20 {
                let opening = random_opening(size, 6, seed);
                assert_eq!(opening, random_opening(size, 6, seed));
                assert_eq!(opening.len(), 6);
                assert_eq!(Board::after(size, &opening).expect("legal").outcome(), None);
            }
        }
        assert_ne!(random_opening(BoardSize::MAX, 4, 1), random_opening(BoardSize::MAX, 4, 2));
    }

    #[test]
    fn openings_that_cannot_be_played_are_refused() {
        let spec = spec(4, 10, 1);
        let cell = spec.opening[0];
        let twice = GameSpec { opening: vec![cell, cell], ..spec };
        let error = play(&twice, &mut |_| ControlFlow::Continue(())).expect_err("occupied");
        assert!(error.to_string().starts_with("move 2 of the opening"), "{error}");
    }
}
