//! The timelines of experiments: the changes in the audit that concern each.

use super::audit::AuditRow;
use super::sql::{execute, execute_many, rows, rows_many};
use super::{StoreError, Tx};
use protocol::ids::{ExperimentId, GameId};

impl Tx {
    /// Notes a change of an experiment in the audit and on its timeline: the author, the action, the name, details.
    pub(crate) async fn note_on_timeline(
        &mut self,
        (id, name): (ExperimentId, &str),
        who: &str,
        (action, detail): (&str, &str),
        now_ms: i64,
    ) -> Result<(), StoreError> {
        let number = self.number_change(who, (action, name, detail), now_ms).await?;
        execute!(&mut *self, "INSERT INTO timeline (experiment, change) VALUES ($1, $2)", id.0, number)?;
        Ok(())
    }

    /// Puts a change of the audit on the timelines of experiments.
    pub(crate) async fn put_on_timelines(
        &mut self,
        number: i64,
        experiments: &[ExperimentId],
    ) -> Result<(), StoreError> {
        execute_many!(
            &mut *self,
            "INSERT INTO timeline (experiment, change) VALUES {rows} ON CONFLICT (experiment, change) DO NOTHING",
            experiments,
            |experiment| experiment.0,
            number,
        )?;
        Ok(())
    }

    /// The experiments whose plans have the cells of these games.
    pub(crate) async fn experiments_of_games(
        &mut self,
        games: &[GameId],
    ) -> Result<Vec<ExperimentId>, StoreError> {
        rows_many!(
            &mut *self,
            |row| row.uuid("experiment").map(ExperimentId),
            "SELECT DISTINCT ec.experiment FROM game JOIN experiment_cell ec ON ec.cell = game.cell \
             WHERE ec.closed IS NULL AND game.id IN ({rows})",
            games,
            |game| game.0,
        )
    }

    /// The timeline of an experiment, the latest change first.
    pub(crate) async fn timeline(
        &mut self,
        id: ExperimentId,
        before: i64,
        limit: i64,
    ) -> Result<Vec<AuditRow>, StoreError> {
        rows!(
            &mut *self,
            AuditRow::from_row,
            "SELECT seq, at_ms, who, action, what, detail FROM timeline JOIN audit ON audit.seq = timeline.change \
             WHERE timeline.experiment = $1 AND timeline.change < $2 ORDER BY timeline.change DESC LIMIT $3",
            id.0,
            before,
            limit,
        )
    }
}
