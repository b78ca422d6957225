//! Sums over the games of a search, by the number of the move.

use super::super::plans::PlanCache;
use super::about::{is_of_case, result};
use super::search::{SearchPage, find};
use super::selection::Selection;
use crate::error::CoordinatorError;
use crate::pairs::opening;
use crate::store::Tx;
use protocol::browse::{ByMoveNumber, CaseResult, GameSearch, MeanInterval, MoveNumber, MovesOf};
use protocol::games::{GameStatus, PlayRecord};
use protocol::ids::{GameId, LeaseId};
use stats::Running;
use std::collections::HashMap;
use std::time::Duration;

/// The most games that are summed: their moves are read one by one, and the means of so many games are precise.
const MOST: u32 = 2_000;

/// How long the search for games may take.
const WHILE: Duration = Duration::from_secs(3);

/// Games whose moves are read at once.
const AT_ONCE: usize = 64;

const CONFIDENCE: f64 = 0.95;

/// The moves of one player with one number.
#[derive(Default)]
struct Moves {
    sims: Running,
    nodes: Running,
    seconds: Running,
    value: Running,
    result: Running,
    solved: u64,
}

impl Moves {
    fn sums(&self) -> Option<MovesOf> {
        let interval = |running: &Running| {
            let (mean, low, high) = running.interval(CONFIDENCE)?;
            Some(MeanInterval { mean, low, high })
        };
        Some(MovesOf {
            moves: self.sims.count(),
            sims: interval(&self.sims)?,
            nodes: interval(&self.nodes)?,
            seconds: interval(&self.seconds)?,
            value: interval(&self.value)?,
            result: interval(&self.result)?,
            solved: self.solved as f64 / self.sims.count() as f64,
        })
    }
}

/// All moves with one number.
#[derive(Default)]
struct MoveSums {
    case: Moves,
    baseline: Moves,
    ended: [u64; 3],
}

/// Sums by move number.
#[derive(Default)]
struct GameSums {
    games: u64,
    /// By the number of the move, from 0.
    numbers: Vec<MoveSums>,
}

impl GameSums {
    fn number(&mut self, ply: usize) -> &mut MoveSums {
        if self.numbers.len() <= ply {
            self.numbers.resize_with(ply + 1, MoveSums::default);
        }
        &mut self.numbers[ply]
    }

    /// Adds a game; `case_side` and `ended` tell the case's, `begun` the moves of the opening.
    fn add(&mut self, case_side: engine::side::Side, ended: CaseResult, begun: usize, play: &PlayRecord) {
        self.games += 1;
        let of_case = match ended {
            CaseResult::Win => 1.0,
            CaseResult::Draw => 0.5,
            CaseResult::Loss => 0.0,
        };
        let columns = &play.record;
        let moves = columns
            .sims
            .iter()
            .zip(&columns.nodes)
            .zip(&columns.cpu_us)
            .zip(&columns.value)
            .zip(&columns.claim);
        for (index, ((((sims, nodes), cpu_us), value), claim)) in moves.enumerate() {
            let ply = begun + index;
            let is_case = is_of_case(case_side, ply);
            let number = self.number(ply);
            let mover = if is_case { &mut number.case } else { &mut number.baseline };
            mover.sims.add(*sims as f64);
            mover.nodes.add(*nodes as f64);
            mover.seconds.add(*cpu_us as f64 / 1e6);
            mover.value.add(f64::from(*value));
            mover.result.add(if is_case { of_case } else { 1.0 - of_case });
            mover.solved += u64::from(claim.is_solved());
        }
        if let Some(last) = (begun + columns.sims.len()).checked_sub(1) {
            self.number(last).ended[ended as usize] += 1;
        }
    }

    fn numbers(&self) -> Vec<MoveNumber> {
        let mut going = self.games;
        let mut numbers = Vec::new();
        for (ply, number) in self.numbers.iter().enumerate() {
            let (case, baseline) = (number.case.sums(), number.baseline.sums());
            if case.is_some() || baseline.is_some() {
                let fraction = going as f64 / self.games.max(1) as f64;
                numbers.push(MoveNumber {
                    ply: ply as u32 + 1,
                    going: fraction,
                    ended: number.ended,
                    case,
                    baseline,
                });
            }
            going -= number.ended.iter().sum::<u64>();
        }
        numbers
    }
}

/// Sums over the first games of a search. By default only plays that count are summed.
pub(crate) async fn by_move(
    tx: &mut Tx,
    plans: &PlanCache,
    query: GameSearch,
) -> Result<ByMoveNumber, CoordinatorError> {
    let query = GameSearch { status: query.status.or(Some(GameStatus::Counted)), after: None, ..query };
    let selection = Selection::read(tx, plans, query).await?;
    let most = selection.limit().unwrap_or(MOST).clamp(1, MOST) as usize;
    let SearchPage { rows, cells, next, .. } = find(tx, &selection, most, WHILE).await?;
    let (mut sums, mut without_moves) = (GameSums::default(), 0);
    for some in rows.chunks(AT_ONCE) {
        let plays: Vec<(GameId, LeaseId)> = some.iter().map(|row| (row.play.id, row.play.lease)).collect();
        let records: HashMap<_, _> = tx.records(&plays).await?.into_iter().collect();
        for row in some {
            match (records.get(&(row.play.id, row.play.lease)), cells.get(row.play.cell)) {
                (Some(Some(record)), Some(about)) => {
                    let begun = opening(&about.spec, row.play.idx).len();
                    sums.add(row.play.case_side, result(row), begun, record);
                }
                _ => without_moves += 1,
            }
        }
    }
    Ok(ByMoveNumber { games: sums.games, without_moves, is_all: next.is_none(), numbers: sums.numbers() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::search::ProvenOutcome;
    use engine::side::Side;
    use protocol::lease::reference_speed;
    use protocol::result::{MoveColumns, Speed};

    fn play(sims: &[u64], value: &[f32]) -> PlayRecord {
        let size = engine::havannah::BoardSize::MIN;
        let mut claim = vec![ProvenOutcome::Unknown; sims.len()];
        claim[sims.len() - 1] = ProvenOutcome::Win;
        PlayRecord {
            record: MoveColumns {
                moves: String::new(),
                value: value.to_vec(),
                claim,
                sims: sims.to_vec(),
                nodes: sims.iter().map(|sims| sims / 2).collect(),
                cpu_us: vec![500_000; sims.len()],
            },
            speed: Speed { size, sims_per_s: reference_speed(size), factor: 1.0, drift: 1.0 },
            move_cpu_us: None,
            wall_ms: 1,
        }
    }

    #[test]
    fn moves_are_summed_by_number_and_player() {
        let mut sums = GameSums::default();
        // Two moves of opening: the next is White's.
        sums.add(Side::White, CaseResult::Win, 2, &play(&[100, 40, 300], &[0.5, 0.25, 1.0]));
        sums.add(Side::Black, CaseResult::Loss, 2, &play(&[60, 20], &[0.75, 0.5]));
        let numbers = sums.numbers();
        assert_eq!(numbers.iter().map(|number| number.ply).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(numbers.iter().map(|number| number.going).collect::<Vec<_>>(), [1.0, 1.0, 0.5]);
        assert_eq!(
            numbers.iter().map(|number| number.ended).collect::<Vec<_>>(),
            [[0; 3], [0, 0, 1], [1, 0, 0]]
        );
        let first =
            (numbers[0].case.expect("of the first game"), numbers[0].baseline.expect("of the second"));
        assert_eq!((first.0.sims.mean, first.0.value.mean, first.0.result.mean), (100.0, 0.5, 1.0));
        assert_eq!((first.1.sims.mean, first.1.value.mean, first.1.result.mean), (60.0, 0.75, 1.0));
        let second =
            (numbers[1].case.expect("of the second game"), numbers[1].baseline.expect("of the first"));
        assert_eq!((second.0.sims.mean, second.0.result.mean, second.0.solved), (20.0, 0.0, 1.0));
        assert_eq!((second.1.sims.mean, second.1.result.mean, second.1.solved), (40.0, 0.0, 0.0));
        let third = numbers[2].case.expect("of the first game");
        assert_eq!((third.nodes.mean, third.seconds.mean, third.moves), (150.0, 0.5, 1));
        assert_eq!(numbers[2].baseline, None);
    }
}
