//! Resolves the first digits of an id.

use crate::error::CoordinatorError;
use crate::store::Tx;
use protocol::ids::{CellId, GameId};
use protocol::prefix::IdPrefix;
use std::fmt::Display;

/// The only one of the candidates, or none if there is none.
pub(crate) fn only<T: Display>(
    kind: &'static str,
    key: &str,
    candidates: Vec<T>,
) -> Result<Option<T>, CoordinatorError> {
    if candidates.len() > 1 {
        let matches = candidates.iter().map(ToString::to_string).collect();
        return Err(CoordinatorError::Ambiguous { kind, key: key.to_owned(), matches });
    }
    Ok(candidates.into_iter().next())
}

/// The game with this id, or with the only id that begins so. A whole id is not looked up.
pub(crate) async fn game_id(tx: &mut Tx, key: &str) -> Result<GameId, CoordinatorError> {
    if let Ok(id) = key.parse() {
        return Ok(id);
    }
    let found = match key.parse::<IdPrefix>() {
        Ok(prefix) => only("game", key, tx.games_beginning(prefix).await?)?,
        Err(_) => None,
    };
    found.ok_or_else(|| CoordinatorError::unknown("game", key.to_owned()))
}

/// The cell with this id, or with the only id that begins so. A whole id is not looked up.
pub(crate) async fn cell_id(tx: &mut Tx, key: &str) -> Result<CellId, CoordinatorError> {
    if let Ok(id) = key.parse() {
        return Ok(id);
    }
    let found = match key.parse::<IdPrefix>() {
        Ok(prefix) => only("cell", key, tx.cells_beginning(prefix).await?)?,
        Err(_) => None,
    };
    found.ok_or_else(|| CoordinatorError::unknown("cell", key.to_owned()))
}
