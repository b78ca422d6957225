//! Whether a reported game is a game of its lease, by the rules and within the budget.

use super::plausible;
use super::rejection::Rejection;
use crate::pairs::opening;
use crate::store::{LeasedCell, Play};
use engine::havannah::{Board, BoardSize, Cell};
use engine::side::Side;
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{GameId, WorkerId};
use protocol::lease::{Budget, reference_speed};
use protocol::result::FinishedGame;

/// The largest count that is believed: 2^53, the largest count that a browser reads exactly.
const LARGEST_COUNT: u64 = 1 << 53;

/// Checks one game against its lease; `leased` is the stored lease. Whether the play counts is decided when it is
/// stored.
pub(crate) fn judge(
    game: &FinishedGame,
    worker: WorkerId,
    leased: Option<&LeasedCell>,
) -> Result<(Play, PlayRecord), Rejection> {
    let leased = leased.ok_or(Rejection::UnknownLease)?;
    if leased.worker != worker {
        return Err(Rejection::OtherWorker);
    }
    let [white, black] = [0, 1].map(|half| GameId::of(leased.cell, leased.idx, half));
    let case_side = match game.game {
        id if id == white => Side::White,
        id if id == black => Side::Black,
        found => return Err(Rejection::OtherGame { found, white, black }),
    };
    let size = leased.spec.size;
    let budget = leased.spec.budget;
    check_counts(game, budget)?;
    if game.speed.size != size {
        let found = game.speed.size;
        return Err(Rejection::BadSpeed(format!("the speed is of size {found}, the game of size {size}")));
    }
    plausible::check_speed(&game.speed)?;
    plausible::check_times(game, budget)?;
    let opening = opening(&leased.spec, leased.idx);
    let plies = replay(game, size, &opening)?;
    let (mut work, mut odd) = (None, None);
    // The recheck of a game with a budget in time repeats the simulations of the first play, whatever time that takes.
    if leased.rechecks.is_none() || matches!(budget, Budget::Sims(_)) {
        plausible::check_moves(&game.record, budget, game.move_cpu_us.unwrap_or_default())?;
    }
    if let (Budget::ReferenceSeconds(seconds), None) = (budget, leased.rechecks) {
        let case_first = Side::to_move_after(opening.len()) == case_side;
        (work, odd) = plausible::weigh(&game.record, &leased.spec, seconds, case_first);
    }
    let play = Play {
        id: game.game,
        lease: game.lease,
        cell: leased.cell,
        idx: leased.idx,
        case_side,
        worker,
        outcome: game.outcome,
        plies,
        status: GameStatus::Counted,
        work,
        ratio_off: None,
        odd,
        core_us: Some(core_us(game)),
        speed_level: speed_level(game),
        surprise: surprise(game, opening.len()),
    };
    let record = PlayRecord {
        record: game.record.clone(),
        speed: game.speed,
        move_cpu_us: game.move_cpu_us,
        wall_ms: game.wall_ms,
    };
    Ok((play, record))
}

/// Core microseconds of a game's searches.
fn core_us(game: &FinishedGame) -> i64 {
    let us = game.record.cpu_us.iter().fold(0_u64, |sum, us| sum.saturating_add(*us));
    i64::try_from(us).unwrap_or(i64::MAX)
}

/// A game was lost against expectation if the loser once expected at least this result, in thousandths.
const MUCH: i64 = 700;

/// The highest result that the loser expected at one of its moves after an opening of so many plies, in thousandths, if that is
/// much.
fn surprise(game: &FinishedGame, opening: usize) -> Option<i64> {
    let winner = game.outcome.winner()?;
    let of_loser =
        game.record.value.iter().zip(opening..).filter(|(_, plies)| Side::to_move_after(*plies) != winner);
    let most = of_loser.map(|(value, _)| (1000.0 * value).round() as i64).max()?;
    (most >= MUCH).then_some(most)
}

/// The simulations per CPU second of the moves that no proof ended, relative to the machine's reported speed on the board. It is
/// the same on all machines, apart from chance, if their measurements are right.
fn speed_level(game: &FinishedGame) -> Option<i64> {
    let record = &game.record;
    let columns = record.claim.iter().zip(&record.sims).zip(&record.cpu_us);
    let (mut sims, mut us) = (0.0, 0.0);
    for ((_, move_sims), move_us) in columns.filter(|((claim, _), _)| !claim.is_solved()) {
        sims += *move_sims as f64;
        us += *move_us as f64;
    }
    let says = reference_speed(game.speed.size) / game.speed.factor;
    if sims > 0.0 && us > 0.0 { stats::level([sims / (us / 1e6) / says]) } else { None }
}

/// Plays the opening and the reported moves on a board; gives the number of plies.
fn replay(game: &FinishedGame, size: BoardSize, opening: &[Cell]) -> Result<u32, Rejection> {
    let moves = game.record.to_moves(size)?;
    let mut board = Board::new(size);
    for (number, cell) in opening.iter().copied().chain(moves.iter().map(|played| played.cell)).enumerate() {
        let number = number + 1;
        if let Some(outcome) = board.outcome() {
            return Err(Rejection::GoesOn { number: number - 1, outcome });
        }
        board.play(cell).map_err(|why| Rejection::Illegal { number, why })?;
    }
    match board.outcome() {
        None => Err(Rejection::NotOver { plies: board.plies() }),
        Some(by_rules) if by_rules != game.outcome => {
            Err(Rejection::OtherOutcome { by_rules, reported: game.outcome })
        }
        Some(_) => Ok(board.plies() as u32),
    }
}

/// Refuses counts that no search reports.
fn check_counts(game: &FinishedGame, budget: Budget) -> Result<(), Rejection> {
    let record = &game.record;
    for (index, value) in record.value.iter().enumerate() {
        if !(0.0..=1.0).contains(value) {
            let what = format!("value {value} is outside 0 to 1");
            return Err(Rejection::Insane { number: index + 1, what });
        }
    }
    let most = match budget {
        Budget::Sims(sims) => sims,
        Budget::ReferenceSeconds(_) => LARGEST_COUNT,
    };
    for (name, column, most) in [
        ("simulations", &record.sims, most),
        ("nodes", &record.nodes, LARGEST_COUNT),
        ("CPU microseconds", &record.cpu_us, LARGEST_COUNT),
    ] {
        if let Some((index, count)) = column.iter().enumerate().find(|(_, count)| **count > most) {
            let what = format!("{count} {name}, where at most {most} are possible");
            return Err(Rejection::Insane { number: index + 1, what });
        }
    }
    Ok(())
}
