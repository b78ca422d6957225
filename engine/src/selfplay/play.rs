//! Playing a game to its end, and replaying a recorded game.

use super::record::{GameRecord, MoveRecord};
use super::spec::{GameSpec, GameSpecError};
use super::under_way::GameUnderWay;
use crate::search::Budget;
use crate::side::Side;
use std::ops::ControlFlow;

/// The first move at which a replayed game differs from its record.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index into [`GameRecord::moves`].
    pub index: usize,
    /// The side to move.
    pub side: Side,
    /// The recorded move; `None` if the record is shorter.
    pub recorded: Option<MoveRecord>,
    /// The replayed move; `None` if the replayed game is shorter.
    pub replayed: Option<MoveRecord>,
}

/// Plays a game. `on_move` is called with every move when it is made. If it breaks, the game stops and the result is
/// `None`.
///
/// # Errors
/// When the specification describes no game.
pub fn play(
    spec: &GameSpec,
    on_move: &mut dyn FnMut(&MoveRecord) -> ControlFlow<()>,
) -> Result<Option<GameRecord>, GameSpecError> {
    play_with_budgets(spec, |_, side| spec.players[side].budget, on_move)
}

/// Plays a game with the number of simulations that `sims` lists for each move, instead of the budgets of the players.
/// Moves beyond the list have one simulation. `on_move` is called as in [`play`].
///
/// # Errors
/// When the specification describes no game.
pub fn play_counted(
    spec: &GameSpec,
    sims: &[u64],
    on_move: &mut dyn FnMut(&MoveRecord) -> ControlFlow<()>,
) -> Result<Option<GameRecord>, GameSpecError> {
    play_with_budgets(spec, |index, _| Budget::Sims(sims.get(index).copied().unwrap_or(1)), on_move)
}

/// Plays a recorded game again, each move with exactly its recorded number of simulations. Returns the first difference
/// in moves, values, proven outcomes, simulations or nodes. CPU times are not compared.
///
/// # Errors
/// When the specification describes no game.
pub fn replay(spec: &GameSpec, recorded: &[MoveRecord]) -> Result<Option<Difference>, GameSpecError> {
    let mut difference = None;
    let mut index = 0;
    let mut side = Side::to_move_after(spec.opening.len());
    let sims = |index: usize| recorded.get(index).map_or(1, |record: &MoveRecord| record.sims);
    let budget = |index: usize, _| Budget::Sims(sims(index));
    let replayed = play_with_budgets(spec, budget, &mut |played| {
        let record = recorded.get(index).copied();
        if record.is_none_or(|record| !record.agrees_with(played)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::{BoardSize, Params};
    use crate::selfplay::{Player, random_opening};
    use crate::side::BySide;
    use std::time::Duration;

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
        assert!(first.moves.iter().zip(&second.moves).all(|(a, b)| a.agrees_with(b)));
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
    fn openings_that_cannot_be_played_are_refused() {
        let spec = spec(4, 10, 1);
        let cell = spec.opening[0];
        let twice = GameSpec { opening: vec![cell, cell], ..spec };
        let error = play(&twice, &mut |_| ControlFlow::Continue(())).expect_err("occupied");
        assert!(error.to_string().starts_with("move 2 of the opening"), "{error}");
    }
}
