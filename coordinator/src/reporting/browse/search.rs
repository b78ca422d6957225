//! A search: walks until a page is full or the time limit is reached.

use super::super::plans::PlanCache;
use super::about::{CellNameCache, found};
use super::selection::{Selection, write_place};
use super::walk::Walk;
use crate::error::CoordinatorError;
use crate::store::{PlayCursor, PlayRow, StoreError, Tx};
use protocol::browse::{FoundGames, GameSearch};
use protocol::query::LARGEST_PAGE;
use std::time::{Duration, Instant};

/// How long a search walks for a page that is not full.
const WHILE: Duration = Duration::from_millis(500);

/// The default number of games on a page.
const PAGE: u32 = 100;

/// The result of a walk.
pub(super) struct SearchPage {
    pub(super) rows: Vec<PlayRow>,
    pub(super) cells: CellNameCache,
    /// Where to continue; none at the end.
    pub(super) next: Option<PlayCursor>,
    looked_at: u64,
}

/// Walks until it has this many games or the time limit is reached.
pub(super) async fn find(
    tx: &mut Tx,
    selection: &Selection,
    most: usize,
    a_while: Duration,
) -> Result<SearchPage, StoreError> {
    let began = Instant::now();
    let mut walk = Walk::new(&selection.walks, selection.order, selection.start);
    let mut found = SearchPage {
        rows: Vec::new(),
        cells: CellNameCache::preferring(selection.experiment),
        next: None,
        looked_at: 0,
    };
    let mut at_once = most.clamp(16, 2_000);
    loop {
        let passed = walk.take(tx, at_once).await?;
        let Some(end) = passed.last().map(|row| PlayCursor::of(row, selection.order)) else {
            return Ok(found);
        };
        let is_over = passed.len() < at_once;
        let wanted: Vec<PlayRow> = passed
            .into_iter()
            .take_while(|row| !selection.is_past(PlayCursor::of(row, selection.order)))
            .inspect(|_| found.looked_at += 1)
            .filter(|row| selection.wants(row))
            .collect();
        found.cells.read(tx, wanted.iter().map(|row| row.play.cell)).await?;
        let before = found.rows.len();
        for row in wanted {
            let is_wanted =
                found.cells.get(row.play.cell).is_some_and(|about| selection.wants_of(&row, about));
            if is_wanted {
                if found.rows.len() == most {
                    found.next = found.rows.last().map(|row| PlayCursor::of(row, selection.order));
                    return Ok(found);
                }
                found.rows.push(row);
            }
        }
        if is_over || selection.is_past(end) {
            return Ok(found);
        }
        if began.elapsed() > a_while {
            found.next = Some(end);
            return Ok(found);
        }
        if let Some(experiment) = selection.sparse_experiment()
            && found.rows.len() == before
        {
            match tx.last_game_before(experiment, end.key.saturating_add(1)).await? {
                None => return Ok(found),
                Some(last) if last < end.key => walk.jump(PlayCursor::before(last, selection.order)),
                Some(_) => {}
            }
        }
        at_once = (2 * at_once).min(2_000);
    }
}

/// A page of a search.
pub(crate) async fn search(
    tx: &mut Tx,
    plans: &PlanCache,
    query: GameSearch,
) -> Result<FoundGames, CoordinatorError> {
    let selection = Selection::read(tx, plans, query).await?;
    let most = selection.limit().unwrap_or(PAGE).clamp(1, LARGEST_PAGE);
    let SearchPage { rows, cells, next, looked_at } = find(tx, &selection, most as usize, WHILE).await?;
    let games = rows.iter().filter_map(|row| Some(found(row, cells.get(row.play.cell)?))).collect();
    Ok(FoundGames { games, next: next.map(write_place), looked_at })
}
