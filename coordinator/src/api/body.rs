//! Requests read so that every refusal has the envelope.

use super::error::ApiError;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::{header, request::Parts};
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

/// A caller who showed a token that is known here.
pub(crate) struct Authorised;

impl FromRequestParts<Coordinator> for Authorised {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let secret = parts
            .headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
            .map(|(_, secret)| secret.trim())
            .ok_or_else(|| ApiError::unauthorized("send a token: `Authorization: Bearer TOKEN`"))?;
        match coordinator.token_name(secret).await? {
            Some(name) => {
                tracing::debug!(token.name = name, "authorised");
                Ok(Self)
            }
            None => Err(ApiError::unauthorized("this token is unknown here; make one with `gauntlet token`")),
        }
    }
}
