//! Columns that the statements of several files read.

use super::StoreError;
use super::sql::{Columns, write_json};
use protocol::experiment::{CellSpec, Policy};
use tuner::{Opponent, Proposal};

/// Column `policy`.
pub(super) fn read_policy(row: &dyn Columns) -> Result<Policy, StoreError> {
    let name = row.text("policy")?;
    Policy::named(&name).ok_or_else(|| StoreError::unreadable("experiment.policy")(name))
}

/// The specification in column `spec`.
pub(super) fn read_spec(row: &dyn Columns) -> Result<CellSpec, StoreError> {
    parse_spec(&row.text("spec")?)
}

pub(super) fn parse_spec(text: &str) -> Result<CellSpec, StoreError> {
    serde_json::from_str(text).map_err(StoreError::unreadable("cell.spec"))
}

/// The proposal in columns `point`, `opponent` and `size` of a log.
pub(super) fn read_proposal(row: &dyn Columns, log: &'static str) -> Result<Proposal, StoreError> {
    let point = |text: &str| serde_json::from_str(text).map_err(StoreError::unreadable(log));
    let opponent = row.maybe_text("opponent")?.map(|text| point(&text)).transpose()?;
    Ok(Proposal {
        point: point(&row.text("point")?)?,
        opponent: opponent.map_or(Opponent::Baseline, Opponent::Point),
        size: u8::try_from(row.bigint("size")?).map_err(StoreError::unreadable(log))?,
    })
}

/// The text of column `opponent`; none for the baseline.
pub(super) fn opponent_text(proposal: &Proposal) -> Option<String> {
    match &proposal.opponent {
        Opponent::Baseline => None,
        Opponent::Point(point) => Some(write_json(point)),
    }
}
