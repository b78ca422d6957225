//! The one map from errors to status codes, and the one error envelope.

use crate::error::CoordinatorError;
use crate::store::StoreError;
use axum::Json;
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use protocol::sync::{ErrorBody, ErrorDetail};

/// An answer that is an error.
#[derive(Debug)]
pub(crate) struct ApiError {
    status: StatusCode,
    code: &'static str,
    pub(super) message: String,
    retry_after_ms: Option<u64>,
    /// Whether the coordinator is at fault, so that the log has it.
    is_fault: bool,
}

/// The fault of an answer, for the log.
#[derive(Debug, Clone)]
pub(crate) struct Fault(pub(crate) String);

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after_ms: None, is_fault: false }
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// Too many requests: the caller should repeat the request after `ms` milliseconds.
    pub(crate) fn too_many(ms: u64) -> Self {
        let message = "too many requests at once from this caller; wait a little";
        let retry_after_ms = Some(ms);
        Self { retry_after_ms, ..Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message) }
    }

    /// Too many requests for the coordinator.
    pub(crate) fn overloaded(message: &str) -> Self {
        Self {
            retry_after_ms: Some(2_000),
            ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "overloaded", message)
        }
    }

    pub(crate) fn forbidden(message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, "forbidden", message)
    }

    pub(crate) fn unauthorized(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "unauthorized", message)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let (status, code, retry_after_ms) = match &error {
            StoreError::Overloaded => (StatusCode::SERVICE_UNAVAILABLE, "overloaded", Some(2_000)),
            StoreError::Closed => (StatusCode::SERVICE_UNAVAILABLE, "closing", Some(5_000)),
            StoreError::Outdated { .. } => (StatusCode::SERVICE_UNAVAILABLE, "outdated", Some(30_000)),
            StoreError::Database(_)
            | StoreError::Unanswered(_)
            | StoreError::Disk(_)
            | StoreError::NotCommitted(_)
            | StoreError::Moved(_) => (StatusCode::SERVICE_UNAVAILABLE, "database", Some(5_000)),
            StoreError::ReadOnly(_) => (StatusCode::SERVICE_UNAVAILABLE, "read_only", None),
            StoreError::Null(_) | StoreError::Unreadable { .. } => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", None)
            }
            StoreError::Panicked => (StatusCode::INTERNAL_SERVER_ERROR, "panicked", None),
        };
        // The caller that ran the shared query has logged an `Unanswered`.
        let is_fault = !matches!(error, StoreError::Unanswered(_));
        Self { status, code, message: error.to_string(), retry_after_ms, is_fault }
    }
}

impl From<CoordinatorError> for ApiError {
    fn from(error: CoordinatorError) -> Self {
        match error {
            CoordinatorError::Store(error) => error.into(),
            CoordinatorError::NotFound { .. } => {
                Self::new(StatusCode::NOT_FOUND, "unknown_name", error.to_string())
            }
            CoordinatorError::NoMatch(_) => Self::not_found(error.to_string()),
            CoordinatorError::NoCase(message) => Self::new(StatusCode::NOT_FOUND, "no_case", message),
            CoordinatorError::Invalid(_) => {
                Self::new(StatusCode::UNPROCESSABLE_ENTITY, "invalid", error.to_string())
            }
            CoordinatorError::Ambiguous { .. } => {
                Self::new(StatusCode::CONFLICT, "ambiguous", error.to_string())
            }
            CoordinatorError::OlderRevision { .. } => {
                Self::new(StatusCode::CONFLICT, "older_revision", error.to_string())
            }
            CoordinatorError::BadSearch(message) => Self::new(StatusCode::BAD_REQUEST, "bad_query", message),
            CoordinatorError::Dropped(_) => Self::new(StatusCode::GONE, "dropped", error.to_string()),
            CoordinatorError::BadCode => Self::new(StatusCode::FORBIDDEN, "bad_code", error.to_string()),
            CoordinatorError::Forbidden(message) => Self::forbidden(message),
            CoordinatorError::Refused(message) => Self::new(StatusCode::CONFLICT, "refused", message),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self { status, code, message, retry_after_ms, is_fault } = self;
        let fault = is_fault.then(|| Fault(message.clone()));
        let error = ErrorDetail { code: code.to_owned(), message, retry_after_ms };
        let mut response = (status, Json(ErrorBody { error })).into_response();
        if let Some(ms) = retry_after_ms {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(ms.div_ceil(1000)));
        }
        if let Some(fault) = fault {
            response.extensions_mut().insert(fault);
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// The answer to plain HTTP on a TLS listener. It is final: after an answer that allows a retry, the sender would repeat the
/// request, token included, in the clear.
pub(crate) async fn needs_tls() -> ApiError {
    ApiError::new(
        StatusCode::BAD_REQUEST,
        "needs_tls",
        "this coordinator speaks TLS: use an address with https://",
    )
}

/// The answer to a request with a very long address.
pub(crate) fn too_long(longest: usize) -> Response {
    let message = format!("the address is longer than the limit, which is {longest} bytes");
    ApiError::new(StatusCode::URI_TOO_LONG, "address_too_long", message).into_response()
}

/// The answer for unknown paths.
pub(crate) async fn unknown_route(uri: Uri) -> ApiError {
    ApiError::not_found(format!("there is nothing at {}", uri.path()))
}

/// The answer to a request that takes too long.
pub(crate) fn too_slow() -> Response {
    let message = "the request took too long; it may be sent again";
    let retry_after_ms = Some(5_000);
    ApiError { retry_after_ms, ..ApiError::new(StatusCode::REQUEST_TIMEOUT, "timeout", message) }
        .into_response()
}

/// The answer when a handler panicked, which is a defect. The log has the panic's message.
pub(crate) fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    ApiError::from(StoreError::Panicked).into_response()
}

/// The answer for a known path with another method.
pub(crate) async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    ApiError::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method_not_allowed",
        format!("{} does not take {method}", uri.path()),
    )
}
