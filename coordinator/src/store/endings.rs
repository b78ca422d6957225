//! How the counted games of cells ended: their lengths, the case's results, and the winning shapes.

use super::sql::{Columns, execute_many, rows};
use super::{Play, StoreError, Tx};
use engine::havannah::WinKind;
use protocol::ids::CellId;
use std::collections::BTreeMap;

/// The case's results with their names in the database, by half-points.
const RESULTS: [&str; 3] = ["loss", "draw", "win"];

/// A cell, a number of moves, the case's half-points, and the name of the shape that won.
pub(super) type EndingKey = (CellId, i64, usize, String);

/// Games of a cell with the same ending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ending {
    /// The number of moves, with those of the opening.
    pub(crate) plies: u32,
    /// The case's half-points: 0 lost, 1 drawn, 2 won.
    pub(crate) half_points: usize,
    /// The shape that won.
    pub(crate) kind: Option<WinKind>,
    pub(crate) games: u64,
}

/// The name of a winning shape in column `kind`.
pub(super) fn name_of(kind: Option<WinKind>) -> String {
    kind.map_or_else(|| "none".to_owned(), |kind| kind.to_string())
}

/// The changes in a group of requests.
#[derive(Debug, Default)]
pub(super) struct EndingChanges(BTreeMap<EndingKey, i64>);

impl EndingChanges {
    /// Adds a play; with `sign` −1, subtracts it.
    pub(super) fn note(&mut self, play: &Play, sign: i64) {
        let half_points = usize::from(play.outcome.half_points(play.case_side));
        let key = (play.cell, i64::from(play.plies), half_points, name_of(play.outcome.kind()));
        *self.0.entry(key).or_default() += sign;
    }

    /// Writes the changes and clears them.
    pub(super) async fn flush(&mut self, tx: &mut Tx) -> Result<(), StoreError> {
        self.0.retain(|_, change| *change != 0);
        let changes = Vec::from_iter(std::mem::take(&mut self.0));
        execute_many!(
            &mut *tx,
            "INSERT INTO cell_ending (cell, plies, result, kind, games) VALUES {rows} \
             ON CONFLICT (cell, plies, result, kind) DO UPDATE SET games = cell_ending.games + excluded.games",
            &changes,
            |change| change.0.0.0,
            change.0.1,
            RESULTS[change.0.2],
            change.0.3.as_str(),
            change.1,
        )?;
        Ok(())
    }
}

/// Columns `plies`, `result`, `kind` and `games`.
fn read_ending(row: &dyn Columns) -> Result<Ending, StoreError> {
    Ok(Ending { games: row.count("games")?, ..read_way(row)? })
}

/// Columns `plies`, `result` and `kind`: an ending without its number of games.
pub(super) fn read_way(row: &dyn Columns) -> Result<Ending, StoreError> {
    let (result, kind) = (row.text("result")?, row.text("kind")?);
    let half_points = RESULTS.iter().position(|known| *known == result);
    let kinds = [None, Some(WinKind::Fork), Some(WinKind::Bridge), Some(WinKind::Ring)];
    let known = kinds.into_iter().find(|known| name_of(*known) == kind);
    Ok(Ending {
        plies: u32::try_from(row.bigint("plies")?).map_err(StoreError::unreadable("cell_ending.plies"))?,
        half_points: half_points.ok_or_else(|| StoreError::unreadable("cell_ending.result")(&result))?,
        kind: known.ok_or_else(|| StoreError::unreadable("cell_ending.kind")(&kind))?,
        games: 0,
    })
}

impl Tx {
    /// How the counted games of a cell ended, the shortest first.
    pub(crate) async fn endings(&mut self, cell: CellId) -> Result<Vec<Ending>, StoreError> {
        rows!(
            &mut *self,
            read_ending,
            "SELECT plies, result, kind, games FROM cell_ending WHERE cell = $1 AND games <> 0 ORDER BY plies, result, kind",
            cell.0,
        )
    }
}
