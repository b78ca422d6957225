//! Revisions of tunes: a tune keeps its space, its players and its sizes.

use super::{NewPlan, StoredExperiment};
use crate::error::CoordinatorError;
use crate::store::Tx;
use protocol::tune::Tune;
use protocol::words::{count, counted};

impl StoredExperiment {
    /// Refuses a plan with another tune than the stored experiment, or with a tune where that has none. Gives whether it is a
    /// tune: revisions do not change its rows.
    pub(super) async fn check_tune(&self, tx: &mut Tx, plan: &NewPlan) -> Result<bool, CoordinatorError> {
        let name = &self.row.name;
        let refuse =
            |why: &str| CoordinatorError::Refused(format!("`{name}` {why}: give the tune another name"));
        let (known, new) = match (tx.tune(self.row.id).await?, &plan.experiment.tune) {
            (None, None) => return Ok(false),
            (Some(_), None) => return Err(refuse("is a tune, and this experiment has none")),
            (None, Some(_)) => return Err(refuse("is an experiment without a tune")),
            (Some(known), Some(new)) => (known, new),
        };
        let same = Tune { games: known.games, confirm: known.confirm, ..new.clone() } == known;
        let first = self.rows.iter().take(plan.cells.len());
        let same_cells = first.map(|row| (row.cell, row.plan.weight)).eq(plan
            .cells
            .iter()
            .zip(&plan.experiment.cells)
            .map(|(cell, planned)| (*cell, planned.weight)));
        if !(same && same_cells) {
            return Err(refuse(
                "is a tune of another space, player, size, budget, strategy or seed; a revision of a tune changes its games, \
                 confirm, weight and question",
            ));
        }
        // The last points of a tune are its recommendation on every size.
        let fewest =
            tx.games_asked(self.row.id).await? + 2 * new.last_trials(&plan.experiment.cells).len() as u64;
        if new.games != known.games && new.games < fewest {
            return Err(CoordinatorError::Refused(format!(
                "`{name}` has come so far that it plays {} at least, or the {} as before",
                counted(fewest, "game"),
                count(known.games)
            )));
        }
        Ok(true)
    }
}
