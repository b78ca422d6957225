//! The life of an experiment beside its plan.

use super::sql::execute;
use super::{StoreError, Tx};
use protocol::ids::ExperimentId;

impl Tx {
    /// Sets an experiment's share of the workers.
    pub(crate) async fn set_weight(&mut self, id: ExperimentId, weight: f64) -> Result<(), StoreError> {
        execute!(&mut *self, "UPDATE experiment SET weight = $2 WHERE id = $1", id.0, weight)?;
        Ok(())
    }
}
