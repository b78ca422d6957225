//! `GET /api/v1/experiments/{id or name}/bundle`: a reproducibility bundle, sent while it is made.

use super::admit::Reader;
use super::body::Path;
use super::error::ApiError;
use crate::coordinator::{Bundle, Coordinator};
use axum::body::Body;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;

/// The type of compressed content.
pub(crate) const GZIP: &str = "application/gzip";

/// If making the archive fails, the connection ends before the archive does, which the caller detects.
pub(crate) async fn bundle(
    _: Reader,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let Bundle { file, parts } = coordinator.bundle(&key).await?;
    let parts = stream::unfold(parts, async |mut parts| {
        let part = parts.recv().await?;
        if let Err(error) = &part {
            tracing::error!("a bundle is not complete: {error}");
        }
        Some((part, parts))
    });
    let headers = [
        (header::CONTENT_TYPE, GZIP.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
    ];
    Ok((headers, Body::from_stream(parts)).into_response())
}
