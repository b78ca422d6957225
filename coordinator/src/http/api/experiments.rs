//! Experiments over HTTP: applying, comparing and changing them, and their history.

use super::admit::{Experimenter, Reader};
use super::body::{Body, Path, Queried};
use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use protocol::experiment::Experiment;
use protocol::life::{ExperimentChange, ExperimentHistory, PlanDifference, RevisionChanges};
use protocol::report::{Applied, ExperimentSummary};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Over {
    #[serde(default)]
    supersede: bool,
}

/// `POST /api/v1/experiments?supersede=…`.
pub(crate) async fn apply(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Queried(Over { supersede }): Queried<Over>,
    Body(experiment): Body<Experiment>,
) -> Result<Json<Applied>, ApiError> {
    Ok(Json(coordinator.apply_over(&experiment, &who, supersede).await?))
}

/// `POST /api/v1/diff`: the changes that applying an experiment would make.
pub(crate) async fn difference(
    _: Experimenter,
    State(coordinator): State<Coordinator>,
    Body(experiment): Body<Experiment>,
) -> Result<Json<PlanDifference>, ApiError> {
    Ok(Json(coordinator.difference(&experiment).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    #[serde(default)]
    all: bool,
    tag: Option<String>,
}

/// `GET /api/v1/experiments?all=…&tag=…`.
pub(crate) async fn list(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Queried(Which { all, tag }): Queried<Which>,
) -> Result<Json<Vec<ExperimentSummary>>, ApiError> {
    let mut experiments = coordinator.experiments(all).await?;
    experiments.retain(|experiment| tag.as_ref().is_none_or(|tag| experiment.tags.contains(tag)));
    Ok(Json(experiments))
}

/// `POST /api/v1/experiments/{id or name}/change`.
pub(crate) async fn change(
    Experimenter(who): Experimenter,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
    Body(change): Body<ExperimentChange>,
) -> Result<Json<ExperimentSummary>, ApiError> {
    Ok(Json(coordinator.change_experiment(&key, change, &who).await?))
}

/// `GET /api/v1/experiments/{id or name}/history`.
pub(crate) async fn history(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<ExperimentHistory>, ApiError> {
    Ok(Json(coordinator.history(&key).await?))
}

/// `GET /api/v1/experiments/{id or name}/revisions/{number}`: the applied experiment, in the form in which it can be applied
/// again.
pub(crate) async fn revision(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path((key, number)): Path<(String, u64)>,
) -> Result<Json<Experiment>, ApiError> {
    Ok(Json(coordinator.revision(&key, number).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Since {
    #[serde(default, deserialize_with = "protocol::query::maybe_exact")]
    since: Option<u64>,
}

/// `GET /api/v1/experiments/{id or name}/revisions/{number}/changes?since=…`.
pub(crate) async fn changes(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path((key, number)): Path<(String, u64)>,
    Queried(Since { since }): Queried<Since>,
) -> Result<Json<RevisionChanges>, ApiError> {
    Ok(Json(coordinator.revision_changes(&key, number, since).await?))
}
