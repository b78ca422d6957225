//! The timelines of experiments: the changes in the audit that concern each.

use super::sql::execute;
use super::{StoreError, Tx};
use protocol::ids::ExperimentId;

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
}
