//! One game on its board.

use super::super::parameters::of_players;
use super::about::{CellAbout, CellNameCache, found, is_of_case};
use crate::error::CoordinatorError;
use crate::pairs::opening;
use crate::store::{GameRow, StoreError, Tx};
use engine::havannah::{Board, BoardSize, Cell, Notation};
use engine::selfplay::MoveRecord;
use engine::side::Side;
use protocol::browse::{GameView, OtherPlay, ViewedMove};
use protocol::ids::GameId;

/// The names of cells in GUI notation.
pub(super) fn names(size: BoardSize, cells: &[Cell]) -> Vec<String> {
    cells.iter().map(|&cell| Notation::Gui.write(size, cell)).collect()
}

/// The moves of a stored play; none if they were dropped.
pub(super) fn moves(row: &GameRow) -> Result<Option<Vec<MoveRecord>>, StoreError> {
    let read = row.record.as_ref().map(|play| play.record.to_moves(row.spec.size));
    read.transpose().map_err(StoreError::unreadable("game.record"))
}

/// Moves after `begun` moves of an opening, for people.
pub(super) fn viewed(
    size: BoardSize,
    case_side: Side,
    begun: usize,
    moves: &[MoveRecord],
) -> Vec<ViewedMove> {
    let view = |(index, played): (usize, &MoveRecord)| {
        let is_case = is_of_case(case_side, begun + index);
        ViewedMove {
            cell: Notation::Gui.write(size, played.cell),
            value: played.value,
            case_value: if is_case { played.value } else { 1.0 - played.value },
            claim: played.claim,
            sims: played.sims,
            nodes: played.nodes,
            cpu_us: u64::try_from(played.cpu.as_micros()).unwrap_or(u64::MAX),
        }
    };
    moves.iter().enumerate().map(view).collect()
}

/// The cell of a game, with the names that experiments give it.
pub(super) async fn about<'a>(
    tx: &mut Tx,
    cells: &'a mut CellNameCache,
    game: GameId,
    row: &GameRow,
) -> Result<&'a CellAbout, CoordinatorError> {
    cells.read(tx, [row.row.play.cell]).await?;
    cells.get(row.row.play.cell).ok_or_else(|| CoordinatorError::unknown("game", game.to_string()))
}

/// A play for its page, with the other plays of its game.
pub(crate) async fn view(
    tx: &mut Tx,
    chosen: &GameRow,
    plays: &[GameRow],
) -> Result<GameView, CoordinatorError> {
    let (row, spec) = (&chosen.row, &chosen.spec);
    let (play, size) = (&row.play, spec.size);
    let mut cells = CellNameCache::default();
    let about = about(tx, &mut cells, play.id, chosen).await?;
    let begun = opening(spec, play.idx);
    let moves = moves(chosen)?;
    let all: Vec<Cell> =
        begun.iter().copied().chain(moves.iter().flatten().map(|played| played.cell)).collect();
    let end = Board::after(size, &all).map_err(StoreError::unreadable("game.record"))?;
    Ok(GameView {
        game: found(row, about),
        opening: names(size, &begun),
        moves: moves.as_ref().map(|moves| viewed(size, play.case_side, begun.len(), moves)),
        winning: names(size, &end.winning_structure()),
        parameters: of_players(spec),
        case_params: spec.case.clone(),
        baseline_params: spec.baseline.clone(),
        semantics: spec.semantics,
        is_repeatable: moves.is_some() && spec.semantics == engine::SEMANTICS,
        speed: chosen.record.as_ref().map(|record| record.speed),
        wall_ms: chosen.record.as_ref().map(|record| record.wall_ms),
        other_plays: plays
            .iter()
            .map(|other| &other.row)
            .filter(|other| other.play.lease != play.lease)
            .map(|other| OtherPlay {
                lease: other.play.lease,
                status: other.play.status,
                worker_name: other.worker_name.clone(),
            })
            .collect(),
    })
}
