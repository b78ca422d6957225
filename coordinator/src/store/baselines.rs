//! Named baselines, which never change.

use super::sql::{Columns, execute, row, rows, write_json};
use super::{StoreError, Tx};
use engine::havannah::Params;
use protocol::baseline::NamedBaseline;
use protocol::ids::{ExperimentId, PlayerId};
use protocol::lease::ParamSet;
use serde::de::DeserializeOwned;

fn read_json<T: DeserializeOwned>(text: &str, column: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(StoreError::unreadable(column))
}

/// The preset with these parameters.
fn preset(params: &ParamSet) -> Option<String> {
    let of = |name: &str| Params::preset(name).is_ok_and(|preset| ParamSet::from(&preset) == *params);
    Params::PRESETS.iter().find(|(name, _)| of(name)).map(|(name, _)| (*name).to_owned())
}

fn from_row(row: &dyn Columns) -> Result<NamedBaseline, StoreError> {
    let against_params: ParamSet = read_json(&row.text("against_params")?, "player.params")?;
    let confirmation = row.maybe_text("confirmation")?;
    Ok(NamedBaseline {
        name: row.text("name")?,
        player: PlayerId(row.uuid("player")?),
        params: read_json(&row.text("params")?, "player.params")?,
        origin: ExperimentId(row.uuid("origin")?),
        origin_name: row.text("origin_name")?,
        origin_revision: row.count("origin_revision")?,
        case: row.text("case_label")?,
        against: row.text("against_label")?,
        preset: preset(&against_params),
        against_params,
        parent: row.maybe_text("parent")?,
        confirmation: confirmation.map(|text| read_json(&text, "baseline.confirmation")).transpose()?,
        promoted_ms: row.bigint("promoted_ms")?,
        who: row.text("who")?,
    })
}

/// A name for comparison: no two names differ in letter case only.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

impl Tx {
    /// Every named baseline, the oldest first.
    pub(crate) async fn baselines(&mut self) -> Result<Vec<NamedBaseline>, StoreError> {
        rows!(
            &mut *self,
            from_row,
            "SELECT baseline.*, origin.name AS origin_name, player.params, other.params AS against_params FROM baseline \
             JOIN experiment origin ON origin.id = baseline.origin JOIN player ON player.id = baseline.player \
             JOIN player other ON other.id = baseline.against ORDER BY promoted_ms, baseline.name",
        )
    }

    /// The baseline of this name, regardless of letter case.
    pub(crate) async fn baseline_named(&mut self, name: &str) -> Result<Option<NamedBaseline>, StoreError> {
        row!(
            &mut *self,
            from_row,
            "SELECT baseline.*, origin.name AS origin_name, player.params, other.params AS against_params FROM baseline \
             JOIN experiment origin ON origin.id = baseline.origin JOIN player ON player.id = baseline.player \
             JOIN player other ON other.id = baseline.against WHERE folded = $1",
            folded(name),
        )
    }

    /// The oldest name of each of the players that are named baselines.
    pub(crate) async fn baseline_names(&mut self) -> Result<Vec<(PlayerId, String)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((PlayerId(row.uuid("player")?), row.text("name")?)),
            "SELECT player, name FROM baseline ORDER BY promoted_ms, name",
        )
    }

    /// Stores a named baseline.
    pub(crate) async fn insert_baseline(&mut self, new: &NamedBaseline) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO baseline (name, folded, player, origin, origin_revision, case_label, against, against_label, parent, \
             confirmation, promoted_ms, who) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            new.name.as_str(),
            folded(&new.name),
            new.player.0,
            new.origin.0,
            new.origin_revision.cast_signed(),
            new.case.as_str(),
            new.against_params.player_id().0,
            new.against.as_str(),
            new.parent.as_deref(),
            new.confirmation.as_ref().map(write_json),
            new.promoted_ms,
            new.who.as_str(),
        )?;
        Ok(())
    }
}
