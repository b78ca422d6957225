//! Named baselines: cases that were promoted, with the lineage that says where each comes from.

use crate::confirm::Confirmation;
use crate::ids::{ExperimentId, PlayerId};
use crate::lease::ParamSet;
use serde::{Deserialize, Serialize};

/// `POST /api/v1/experiments/{id or name}/promote`: makes a case of this experiment a named baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PromoteRequest {
    /// The case, as in a [`crate::confirm::ConfirmRequest`].
    pub case: String,
    /// The baseline, where the case meets several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<String>,
    /// The name of the new baseline; absent for that of the case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether to promote a case that is not confirmed.
    #[serde(default)]
    pub unconfirmed: bool,
}

/// The answer to a [`PromoteRequest`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Promoted {
    /// Whether this request made the baseline; false if it existed as it is.
    pub is_new: bool,
    /// The baseline.
    pub baseline: NamedBaseline,
}

/// A case that was promoted. It never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NamedBaseline {
    /// The name, which experiment files use: `baseline = "NAME"`.
    pub name: String,
    /// The player.
    pub player: PlayerId,
    /// Its parameters, as differences from the engine's defaults.
    pub params: ParamSet,
    /// The experiment that the case comes from.
    pub origin: ExperimentId,
    /// Its name.
    pub origin_name: String,
    /// The revision of its plan when the case was promoted.
    pub origin_revision: u64,
    /// The name of the case in it.
    pub case: String,
    /// The name of the baseline that the case was measured against.
    pub against: String,
    /// The parameters of that baseline.
    pub against_params: ParamSet,
    /// The named baseline that it is, if it is one: the parent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The engine's preset that it is, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The last confirmation of the case as it stood at the promotion; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// When it was promoted, in milliseconds since 1970.
    pub promoted_ms: i64,
    /// Who promoted it.
    pub who: String,
}

/// `GET /api/v1/baselines/{name}`: a named baseline with its ancestors and its children.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct BaselineLineage {
    /// The baseline.
    pub baseline: NamedBaseline,
    /// Its parent, the parent of that, and so on.
    pub ancestors: Vec<NamedBaseline>,
    /// The names of the baselines whose parent it is.
    pub children: Vec<String>,
}
