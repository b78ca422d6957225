//! The pairs that machines play at the moment.

use super::about::CellNameCache;
use super::view::{names, viewed};
use crate::pairs::opening;
use crate::store::{InPlay, StoreError, Tx};
use crate::watching::WatchedReport;
use engine::havannah::{Board, Cell};
use engine::selfplay::MoveRecord;
use engine::side::Side;
use protocol::browse::{GameInPlay, PairInPlay, PairsInPlay};
use protocol::ids::{GameId, WorkerId};

/// The most pairs in play that are shown.
const MOST: i64 = 100;

/// A pair for people; none if nothing is known of its cell.
fn pair(row: InPlay, cells: &CellNameCache) -> Option<PairInPlay> {
    let about = cells.get(row.cell)?;
    Some(PairInPlay {
        lease: row.lease,
        cell: row.cell,
        pair: row.idx,
        experiments: about.experiments(),
        case: about.case(),
        baseline: about.baseline(),
        size: about.spec.size,
        budget: about.spec.budget,
        worker: row.worker,
        worker_name: row.worker_name,
        plies: row.plies,
        granted_ms: row.granted_ms,
        progress_ms: row.progress_ms,
    })
}

/// Some of the pairs in play.
pub(crate) async fn in_play(tx: &mut Tx, now_ms: i64) -> Result<PairsInPlay, StoreError> {
    let rows = tx.pairs_in_play(MOST).await?;
    let mut cells = CellNameCache::default();
    cells.read(tx, rows.iter().map(|row| row.cell)).await?;
    let total = tx.count_pairs_in_play().await?;
    Ok(PairsInPlay { pairs: rows.into_iter().filter_map(|row| pair(row, &cells)).collect(), total, now_ms })
}

/// The pairs that a machine holds, or some of them.
pub(super) async fn held_by(tx: &mut Tx, worker: WorkerId) -> Result<Vec<PairInPlay>, StoreError> {
    let rows = tx.pairs_held_by(worker, MOST).await?;
    let mut cells = CellNameCache::default();
    cells.read(tx, rows.iter().map(|row| row.cell)).await?;
    Ok(rows.into_iter().filter_map(|row| pair(row, &cells)).collect())
}

/// The game of a pair in progress, as far as its worker has reported it.
pub(crate) async fn game_in_play(
    tx: &mut Tx,
    row: InPlay,
    told: Option<WatchedReport>,
    now_ms: i64,
) -> Result<Option<GameInPlay>, StoreError> {
    let mut cells = CellNameCache::default();
    cells.read(tx, [row.cell]).await?;
    let Some(about) = cells.get(row.cell) else { return Ok(None) };
    let size = about.spec.size;
    let begun = opening(&about.spec, row.idx);
    let games = [0, 1].map(|half| GameId::of(row.cell, row.idx, half));
    // Only reports by the holder of the lease count, and only moves that the rules allow.
    let told = told.filter(|told| told.worker == row.worker).and_then(|told| {
        let half = games.iter().position(|game| *game == told.watched.game)?;
        let moves: Vec<MoveRecord> = told.watched.record.to_moves(size).ok()?;
        let all: Vec<Cell> = begun.iter().copied().chain(moves.iter().map(|played| played.cell)).collect();
        Board::after(size, &all).ok()?;
        Some((told.watched.game, Side::BOTH[half], moves, told.heard_ms))
    });
    let opening = names(size, &begun);
    let Some(pair) = pair(row, &cells) else { return Ok(None) };
    Ok(Some(match told {
        None => GameInPlay {
            pair,
            opening,
            games,
            game: None,
            case_side: Side::White,
            moves: Vec::new(),
            heard_ms: None,
            now_ms,
        },
        Some((game, case_side, moves, heard_ms)) => GameInPlay {
            pair,
            games,
            game: Some(game),
            case_side,
            moves: viewed(size, case_side, opening.len(), &moves),
            opening,
            heard_ms: Some(heard_ms),
            now_ms,
        },
    }))
}
