//! The life of an experiment beside its plan: weight, pauses, the end, the archive, tags.

use super::sql::{execute, write_json};
use super::{StoreError, Tx};
use protocol::ids::ExperimentId;

impl Tx {
    /// Sets an experiment's share of the workers. With another weight it enters the queue again: with the virtual time from a
    /// small weight it would wait as if it still had that weight.
    pub(crate) async fn set_weight(&mut self, id: ExperimentId, weight: f64) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE experiment SET weight = $2, virtual_time = CASE WHEN weight = $2 THEN virtual_time ELSE 0 END, \
             virtual_start = CASE WHEN weight = $2 THEN virtual_start END WHERE id = $1",
            id.0,
            weight,
        )?;
        Ok(())
    }

    /// Pauses an experiment since this time, or resumes it.
    pub(crate) async fn set_paused(
        &mut self,
        id: ExperimentId,
        since_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE experiment SET paused_ms = $2 WHERE id = $1", id.0, since_ms)?;
        self.lease_or_not(id).await
    }

    /// Stops an experiment for good at this time.
    pub(crate) async fn set_stopped(&mut self, id: ExperimentId, now_ms: i64) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE experiment SET stopped_ms = $2 WHERE id = $1", id.0, now_ms)?;
        self.lease_or_not(id).await
    }

    /// Puts an experiment into the archive since this time, or takes it out.
    pub(crate) async fn set_archived(
        &mut self,
        id: ExperimentId,
        since_ms: Option<i64>,
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE experiment SET archived_ms = $2 WHERE id = $1", id.0, since_ms)?;
        self.lease_or_not(id).await
    }

    /// Sets the states of an experiment's rows after its own state: nothing is leased while it is paused, stopped or archived.
    async fn lease_or_not(&mut self, id: ExperimentId) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE experiment_cell SET state = CASE WHEN EXISTS (SELECT 1 FROM experiment WHERE experiment.id = $1 \
             AND (paused_ms IS NOT NULL OR stopped_ms IS NOT NULL OR archived_ms IS NOT NULL)) THEN 'off' \
             WHEN stop_decision IS NULL AND pairs > (SELECT pairs_in_flight + pairs_done + pairs_aside FROM cell WHERE cell.id = experiment_cell.cell) \
             THEN 'open' ELSE 'full' END WHERE experiment = $1 AND closed IS NULL",
            id.0,
        )?;
        Ok(())
    }

    /// Replaces the tags of an experiment.
    pub(crate) async fn set_tags(&mut self, id: ExperimentId, tags: &[String]) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE experiment SET tags = $2 WHERE id = $1", id.0, write_json(&tags))?;
        Ok(())
    }
}
