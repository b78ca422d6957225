//! Lists and reports of experiments.

use super::call::Call;
use super::error::ApiError;
use crate::computing::compute;
use crate::error::CoordinatorError;
use crate::reporting::keep_best;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::analysis::ExperimentAnalysis;
use protocol::endpoint::JSON;
use protocol::endpoints::{GetExperiment, ListExperiments};
use protocol::query::{ReportFormat, ReportQuery};
use protocol::report::{ExperimentReport, ExperimentSummary};
use protocol::table::cells;

/// About the largest size of a cell in a report, in bytes.
const BYTES_A_CELL: usize = 640;

pub(super) async fn list(call: Call<ListExperiments>) -> Result<Vec<ExperimentSummary>, CoordinatorError> {
    let mut experiments = call.coordinator.experiments(call.query.all).await?;
    let tag = call.query.tag;
    experiments.retain(|experiment| tag.as_ref().is_none_or(|tag| experiment.tags.contains(tag)));
    Ok(experiments)
}

pub(super) async fn report(
    Call { coordinator, path, query, .. }: Call<GetExperiment>,
) -> Result<Response, ApiError> {
    let ReportQuery { format, best, since } = query;
    let (key, suffixed) = match path.strip_suffix(".csv") {
        Some(key) => (key, true),
        None => (path.as_str(), false),
    };
    let as_csv = suffixed || format == ReportFormat::Csv;
    let mut report = match &since {
        Some(_) if as_csv || best.is_some() => {
            let why = "`since` goes with neither `best` nor a table: leave it out";
            return Err(ApiError::new(StatusCode::BAD_REQUEST, "invalid", why));
        }
        Some(since) => coordinator.report_since(key, since).await?,
        None => coordinator.report(key).await?,
    };
    if let Some(best) = best {
        keep_best(&mut report, best);
    }
    // With ten thousand cells these are megabytes: no other answer should wait for them.
    if as_csv {
        let analysis = coordinator.analysis(&report.summary.id.to_string(), None).await?;
        return Ok(compute(move || table(&report, &analysis)).await?);
    }
    Ok(compute(move || json(&report)).await?)
}

fn table(report: &ExperimentReport, analysis: &ExperimentAnalysis) -> Response {
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], cells(report, analysis).csv()).into_response()
}

/// Like `Json`, but writes into a vector of the expected size, which takes less than half the time.
fn json(report: &ExperimentReport) -> Response {
    let mut content = Vec::with_capacity(BYTES_A_CELL * (1 + report.summary.cells as usize));
    serde_json::to_writer(&mut content, report).expect("protocol types serialise: their keys are strings");
    ([(header::CONTENT_TYPE, JSON)], content).into_response()
}
