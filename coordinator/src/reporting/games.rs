//! Single games: the list of an experiment, and one game with everything needed to replay it.

use super::plans::PlanCache;
use crate::pairs::{opening, pair_seed};
use crate::store::{ExperimentRow, GameRow, Play, PlayRow, StoreError, Tx};
use engine::havannah::Notation;
use protocol::games::{GameLine, GameReport, GamesPage};
use protocol::ids::{CellId, LeaseId};
use protocol::query::LARGEST_PAGE;

fn line(row: &PlayRow) -> GameLine {
    let play = &row.play;
    GameLine {
        id: play.id,
        lease: play.lease,
        cell: play.cell,
        pair: play.idx,
        case_side: play.case_side,
        outcome: play.outcome,
        plies: play.plies,
        status: play.status,
        reason: row.reason.clone(),
        worker: play.worker,
        worker_name: row.worker_name.clone(),
        received_ms: row.received_ms,
    }
}

/// Cells that are tested at once for games: as many as fit into one statement.
const CELLS_AT_ONCE: usize = 64;

/// The place before the first play of a cell: its pair, half and lease.
const BEFORE_ALL: (i64, i64, LeaseId) = (-1, -1, LeaseId(uuid::Uuid::nil()));

/// A page of games from `after` on, a place that an earlier page named. None if `after` is no place.
pub(crate) async fn games(
    tx: &mut Tx,
    plans: &PlanCache,
    experiment: &ExperimentRow,
    after: Option<&str>,
    limit: u32,
) -> Result<Option<GamesPage>, StoreError> {
    let first = (CellId(uuid::Uuid::nil()), BEFORE_ALL);
    let after = match after {
        None => first,
        Some(text) => match read_place(text) {
            Some((cell, idx, half, lease)) => (cell, (idx, half, lease)),
            None => return Ok(None),
        },
    };
    let limit = limit.clamp(1, LARGEST_PAGE);
    let plan = plans.get(tx, experiment).await?;
    let mut rows = Vec::new();
    // Cell by cell, so that only the index of the shown cells is read.
    'page: for cells in plan.from(after.0).chunks(CELLS_AT_ONCE) {
        let played = tx.cells_with_games(cells).await?;
        for cell in cells.iter().filter(|cell| played.contains(cell)) {
            let place = if *cell == after.0 { after.1 } else { BEFORE_ALL };
            let left = i64::from(limit) - rows.len() as i64;
            if left == 0 {
                break 'page;
            }
            rows.extend(tx.plays_after(*cell, place, left).await?);
        }
    }
    let full = rows.len() == limit as usize;
    let next = rows.last().filter(|_| full).map(|row| {
        let Play { cell, idx, case_side, lease, .. } = row.play;
        format!("{}.{idx}.{}.{}", cell.0.simple(), case_side.index(), lease.0.simple())
    });
    Ok(Some(GamesPage { games: rows.iter().map(line).collect(), next }))
}

/// Reads `cell.pair.half.lease`.
fn read_place(text: &str) -> Option<(CellId, i64, i64, LeaseId)> {
    let mut parts = text.split('.');
    let place = (
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
        parts.next()?.parse().ok()?,
    );
    parts.next().is_none().then_some(place)
}

/// The place of the play of `lease`, or else of the counted one, or else of any.
pub(crate) fn chosen_play(plays: &[GameRow], lease: Option<LeaseId>) -> Option<usize> {
    plays.iter().position(|game| lease.is_none_or(|lease| game.row.play.lease == lease))
}

/// A play and all plays of its game; none if its moves were dropped.
pub(crate) fn game(chosen: &GameRow, plays: &[GameRow]) -> Option<GameReport> {
    let size = chosen.spec.size;
    Some(GameReport {
        line: line(&chosen.row),
        opening: Notation::Gui.write_list(size, &opening(&chosen.spec, chosen.row.play.idx)),
        seed: pair_seed(&chosen.spec, chosen.row.play.idx),
        spec: chosen.spec.clone(),
        play: chosen.record.clone()?,
        other_plays: plays
            .iter()
            .map(|row| row.row.play.lease)
            .filter(|lease| *lease != chosen.row.play.lease)
            .collect(),
    })
}
