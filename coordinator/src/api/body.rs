//! Requests read so that every refusal has the envelope.

use super::error::ApiError;
use crate::admission::check_protocol;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use protocol::sync::SyncRequest;
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::new(rejection.status(), "bad_body", rejection.body_text())),
        }
    }
}

/// A worker's call. One that cannot be read because the worker speaks another protocol is refused for that: "unknown
/// field" would tell nobody to install another version.
pub(crate) struct Spoken(pub(crate) SyncRequest);

/// What every version of the protocol has in common.
#[derive(Deserialize)]
struct AnyVersion {
    protocol: u32,
}

impl FromRequest<Coordinator> for Spoken {
    type Rejection = ApiError;

    async fn from_request(request: Request, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let content = Bytes::from_request(Request::from_parts(parts.clone(), body), coordinator).await;
        let content = content
            .map_err(|rejection| ApiError::new(rejection.status(), "bad_body", rejection.body_text()))?;
        let again = Request::from_parts(parts, content.clone().into());
        match Body::<SyncRequest>::from_request(again, coordinator).await {
            Ok(Body(request)) => Ok(Self(request)),
            Err(unreadable) => match serde_json::from_slice::<AnyVersion>(&content) {
                Ok(AnyVersion { protocol }) => {
                    check_protocol(protocol)?;
                    Err(unreadable)
                }
                Err(_) => Err(unreadable),
            },
        }
    }
}

/// The query of an address.
pub(crate) struct Queried<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Queried<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(rejection) => Err(ApiError::new(rejection.status(), "bad_query", rejection.body_text())),
        }
    }
}
