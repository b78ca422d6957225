//! Columns that the statements of several files read.

use super::StoreError;
use super::sql::Columns;
use protocol::experiment::{CellSpec, Policy};

/// Column `policy`.
pub(super) fn read_policy(row: &dyn Columns) -> Result<Policy, StoreError> {
    let name = row.text("policy")?;
    Policy::named(&name).ok_or_else(|| StoreError::unreadable("experiment.policy")(name))
}

/// The specification in column `spec`.
pub(super) fn read_spec(row: &dyn Columns) -> Result<CellSpec, StoreError> {
    serde_json::from_str(&row.text("spec")?).map_err(StoreError::unreadable("cell.spec"))
}
