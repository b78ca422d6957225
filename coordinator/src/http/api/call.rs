//! Routes made from declarations: scope, path, query, body and answer of a call are those of its endpoint.

use super::admit::admit;
use super::body::{read_body, read_path, read_query, receive};
use super::error::ApiError;
use crate::access::Caller;
use crate::coordinator::Coordinator;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::handler::Handler;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use axum::{Json, Router};
use protocol::endpoint::{Endpoint, JSON, Method};
use serde::Serialize;
use std::future::Future;

/// A call of an endpoint by a caller that may make it.
pub(crate) struct Call<E: Endpoint> {
    pub(crate) coordinator: Coordinator,
    /// Empty for a caller without a token.
    pub(crate) caller: Caller,
    pub(crate) path: E::Path,
    pub(crate) query: E::Query,
    pub(crate) body: E::Body,
    pub(crate) parts: Parts,
}

impl<E: Endpoint> FromRequest<Coordinator> for Call<E> {
    type Rejection = ApiError;

    async fn from_request(request: Request, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let (mut parts, body) = request.into_parts();
        let caller = match E::DECLARATION.scope {
            Some(scope) => admit(&mut parts, coordinator, scope).await?,
            None => Caller::default(),
        };
        let path = read_path(&mut parts).await?;
        // An endpoint without a query disregards one.
        let none = Uri::default();
        let query = read_query(if E::DECLARATION.has_query { &parts.uri } else { &none })?;
        let body = match E::DECLARATION.largest_body {
            Some(largest) => {
                let (content, _reserved) = receive(&parts, body, coordinator, largest).await?;
                read_body(content).await?
            }
            None => read_body(Bytes::from_static(b"null")).await?,
        };
        Ok(Self { coordinator: coordinator.clone(), caller, path, query, body, parts })
    }
}

/// The routes of declared endpoints.
#[derive(Default)]
pub(crate) struct Routes {
    pub(crate) router: Router<Coordinator>,
    /// The names of the endpoints.
    #[cfg(test)]
    pub(crate) names: Vec<&'static str>,
}

impl Routes {
    /// Serves an endpoint by a function that gives the answer.
    pub(crate) fn json<E, A, F>(
        self,
        endpoint: E,
        answer: impl Fn(Call<E>) -> A + Clone + Send + Sync + 'static,
    ) -> Self
    where
        E: Endpoint<Answer: Serialize>,
        A: Future<Output = Result<E::Answer, F>> + Send,
        F: Into<ApiError>,
    {
        self.response(endpoint, move |call| {
            let answer = answer(call);
            async move { answer.await.map(answered::<E>) }
        })
    }

    /// Serves an endpoint by a function that gives the body of the response, or all of it.
    pub(crate) fn response<E, A, R, F>(
        self,
        endpoint: E,
        response: impl Fn(Call<E>) -> A + Clone + Send + Sync + 'static,
    ) -> Self
    where
        E: Endpoint,
        A: Future<Output = Result<R, F>> + Send,
        R: IntoResponse,
        F: Into<ApiError>,
    {
        self.with(endpoint, async move |call: Call<E>| {
            let mut response = response(call).await.map_err(Into::<ApiError>::into)?.into_response();
            if let Some(content) = E::DECLARATION.content.filter(|content| *content != JSON) {
                response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
            }
            Ok::<_, ApiError>(response)
        })
    }

    /// Serves an endpoint by a handler with extractors of its own.
    pub(crate) fn with<E: Endpoint, T: 'static>(
        mut self,
        _: E,
        handler: impl Handler<T, Coordinator>,
    ) -> Self {
        let method = match E::DECLARATION.method {
            Method::Get => MethodFilter::GET,
            Method::Post => MethodFilter::POST,
            Method::Delete => MethodFilter::DELETE,
        };
        self.router = self.router.route(E::DECLARATION.path, on(method, handler));
        #[cfg(test)]
        self.names.push(E::DECLARATION.name);
        self
    }
}

/// The response with an answer.
fn answered<E: Endpoint<Answer: Serialize>>(answer: E::Answer) -> Response {
    match E::DECLARATION.content {
        Some(_) => Json(answer).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}
