//! Machines in quarantine, and their plays.

use super::games::play_id;
use super::sql::{execute, row, rows};
use super::{StoreError, Tx};
use protocol::ids::{GameId, LeaseId, WorkerId};

/// The author of exclusions of plays from machines in quarantine.
pub(crate) const BY_QUARANTINE: &str = "coordinator: quarantine";

impl Tx {
    /// Why a worker is in quarantine, if so.
    pub(crate) async fn quarantine(&mut self, worker: WorkerId) -> Result<Option<String>, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.maybe_text("quarantine"),
            "SELECT quarantine FROM worker WHERE id = $1",
            worker.0,
        )?;
        Ok(found.flatten())
    }

    /// Puts a worker in quarantine, or releases it.
    pub(crate) async fn set_quarantine(
        &mut self,
        worker: WorkerId,
        why: Option<&str>,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE worker SET quarantine = $2, no_work = NULL WHERE id = $1",
            worker.0,
            why
        )?;
        Ok(())
    }

    /// Plays that were excluded because their worker was in quarantine when they arrived.
    pub(crate) async fn plays_in_quarantine(
        &mut self,
        worker: WorkerId,
    ) -> Result<Vec<(GameId, LeaseId)>, StoreError> {
        rows!(
            &mut *self,
            play_id,
            // The name is a literal in the text, so that the partial index is used; with `+`, no index in the order of time is.
            "SELECT id, lease FROM game WHERE worker = $1 AND excluded_by = 'coordinator: quarantine' \
             ORDER BY +received_ms, id, lease",
            worker.0,
        )
    }
}
