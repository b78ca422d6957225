//! The calls of workers.

use super::admit::admit;
use super::body::{read, receive};
use super::error::ApiError;
use crate::access::{Caller, Reserved};
use crate::admission::check_protocol;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::{FromRequest, Request, State};
use protocol::access::Scope;
use protocol::endpoint::Endpoint;
use protocol::endpoints::SyncWorker;
use protocol::sync::{SyncRequest, SyncResponse};
use serde::Deserialize;

/// A worker's call, with the memory that is reserved for its body until it is answered. If a worker of another protocol sends a call that cannot be
/// read, the refusal names the protocol: "unknown field" would not suggest the installation of another version.
pub(super) struct SyncCall {
    caller: Caller,
    request: SyncRequest,
    _reserved: Reserved,
}

/// The fields that all versions of the protocol share.
#[derive(Deserialize)]
struct AnyVersion {
    protocol: u32,
}

impl FromRequest<Coordinator> for SyncCall {
    type Rejection = ApiError;

    async fn from_request(request: Request, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let scope = SyncWorker::DECLARATION.scope.unwrap_or(Scope::Work);
        let caller = admit(&mut parts, coordinator, scope).await?;
        let largest = SyncWorker::DECLARATION.largest_body.unwrap_or_default();
        let (content, reserved) = receive(&parts, body, coordinator, largest).await?;
        match read(&content) {
            Ok(request) => Ok(Self { caller, request, _reserved: reserved }),
            Err(unreadable) => {
                if let Ok(AnyVersion { protocol }) = serde_json::from_slice(&content) {
                    check_protocol(protocol)?;
                }
                Err(unreadable)
            }
        }
    }
}

pub(super) async fn sync(
    State(coordinator): State<Coordinator>,
    SyncCall { caller, request, _reserved }: SyncCall,
) -> Result<Json<SyncResponse>, ApiError> {
    Ok(Json(coordinator.sync_with(request, Some(caller)).await?))
}
