//! A reproducibility bundle, sent while it is made.

use super::call::Call;
use crate::coordinator::Bundle;
use crate::error::CoordinatorError;
use axum::body::Body;
use axum::http::header;
use axum::response::IntoResponse;
use futures_util::stream;
use protocol::endpoints::GetBundle;

/// If making the archive fails, the connection ends before the archive does, which the caller detects.
pub(super) async fn bundle(call: Call<GetBundle>) -> Result<impl IntoResponse, CoordinatorError> {
    let Bundle { file, parts } = call.coordinator.bundle(&call.path).await?;
    let parts = stream::unfold(parts, async |mut parts| {
        let part = parts.recv().await?;
        if let Err(error) = &part {
            tracing::error!("a bundle is not complete: {error}");
        }
        Some((part, parts))
    });
    let named = (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\""));
    Ok(([named], Body::from_stream(parts)))
}
