//! Extractors for the body, the path and the query of a request: every refusal has the error envelope, and memory is limited.

use super::admit;
use super::error::ApiError;
use crate::access::{Asker, Exceeded, Reserved};
use crate::admission::check_protocol;
use crate::computing::compute;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{self, DefaultBodyLimit, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use protocol::sync::SyncRequest;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::error::Error;

/// The largest body of a route, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Largest(pub(crate) usize);

/// A JSON body.
pub(crate) struct Body<T>(pub(crate) T);

/// Bodies from this size on are parsed on a blocking thread, so that no answer waits.
const LARGE: usize = 256 << 10;

impl<T: DeserializeOwned + Send + 'static> FromRequest<Coordinator> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let (content, _reserved) = receive(request, coordinator).await?;
        if content.len() < LARGE {
            return Ok(Self(read(&content)?));
        }
        Ok(Self(compute(move || read(&content)).await??))
    }
}

/// A worker's call, with the memory that is reserved for its body until it is answered. If a worker of another protocol sends a call that cannot be
/// read, the refusal names the protocol: "unknown field" would not suggest the installation of another version.
pub(crate) struct SyncBody(pub(crate) SyncRequest, pub(crate) Reserved);

/// The fields that all versions of the protocol share.
#[derive(Deserialize)]
struct AnyVersion {
    protocol: u32,
}

impl FromRequest<Coordinator> for SyncBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, coordinator: &Coordinator) -> Result<Self, ApiError> {
        let (content, reserved) = receive(request, coordinator).await?;
        match read(&content) {
            Ok(request) => Ok(Self(request, reserved)),
            Err(unreadable) => {
                if let Ok(AnyVersion { protocol }) = serde_json::from_slice(&content) {
                    check_protocol(protocol)?;
                }
                Err(unreadable)
            }
        }
    }
}

fn read<T: DeserializeOwned>(content: &[u8]) -> Result<T, ApiError> {
    // The other reader says where in the body a fault is, and takes twice as long.
    if let Ok(value) = serde_json::from_slice(content) {
        return Ok(value);
    }
    let read = Json::from_bytes(content).or_else(|wrong| with_whole_numbers(content).map(Json).ok_or(wrong));
    read.map(|Json(value)| value).map_err(|wrong| {
        let what = match wrong {
            JsonRejection::JsonSyntaxError(_) => "the body is not JSON",
            _ => "the body is not what this call takes",
        };
        ApiError::new(wrong.status(), "bad_body", with_limits(because(what, &wrong)))
    })
}

/// A message of serde, with the names of Rust types replaced by terms of the API.
fn with_limits(message: String) -> String {
    let whole = |from: String, to: String| format!("expected a whole number from {from} to {to}");
    macro_rules! limits {
        ($($kind:ident),*) => {
            [$((concat!("expected ", stringify!($kind)), whole($kind::MIN.to_string(), $kind::MAX.to_string()))),*]
        };
    }
    limits![u8, u16, u32, u64, usize, i32, i64]
        .iter()
        .find(|(kind, _)| message.contains(kind))
        .map_or_else(|| message.clone(), |(kind, limits)| message.replace(kind, limits))
        .replace("expected f64", "expected a number")
}

/// Reads a body that people or scripts wrote, with `5.0` as a whole number.
fn with_whole_numbers<T: DeserializeOwned>(content: &[u8]) -> Option<T> {
    if content.len() >= LARGE {
        return None;
    }
    let mut value = serde_json::from_slice(content).ok()?;
    make_whole(&mut value);
    serde_json::from_value(value).ok()
}

fn make_whole(value: &mut Value) {
    match value {
        Value::Number(number) => {
            let digits = number.as_f64().filter(|_| number.is_f64()).and_then(engine::numbers::plain);
            if let Some(whole) = digits.and_then(|digits| digits.parse().ok()) {
                *number = whole;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(make_whole),
        Value::Object(values) => values.values_mut().for_each(make_whole),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Receives a body, for which memory is reserved for the admitted caller or else for the address.
async fn receive(mut request: Request, coordinator: &Coordinator) -> Result<(Bytes, Reserved), ApiError> {
    if !is_json(request.headers()) {
        let message = "send JSON, with `Content-Type: application/json`";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_body", message));
    }
    let most = request.extensions().get().map_or(0, |Largest(most)| *most);
    let too_large = || {
        let message = format!("the body is larger than the limit, which is {} KiB here", most >> 10);
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "bad_body", message)
    };
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(most);
    if length > most {
        return Err(too_large());
    }
    DefaultBodyLimit::max(most).apply(&mut request);
    let (parts, body) = request.into_parts();
    let asker = parts.extensions.get().copied();
    let asker = asker.unwrap_or_else(|| Asker::address(admit::address(&parts, coordinator)));
    let reserved = coordinator.inner.bodies.reserve(asker, length).map_err(no_room)?;
    match Bytes::from_request(Request::from_parts(parts, body), &()).await {
        Ok(content) => Ok((content, reserved)),
        Err(wrong) if wrong.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(too_large()),
        Err(wrong) => {
            let message = format!("the body broke off: {}", wrong.body_text());
            Err(ApiError::new(wrong.status(), "bad_body", message))
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn no_room(exceeded: Exceeded) -> ApiError {
    match exceeded {
        Exceeded::All => ApiError::overloaded(
            "the coordinator is receiving too much at once; the request may be sent again",
        ),
        Exceeded::Each => ApiError::too_many(2_000),
    }
}

/// The query of an address.
pub(crate) struct Queried<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Queried<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        refuse_nul(parts.uri.query().unwrap_or_default(), "query")?;
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Self(value)),
            Err(wrong) => {
                let message = because("the query is not what this address takes", &wrong);
                Err(ApiError::new(wrong.status(), "bad_query", message))
            }
        }
    }
}

/// The variable part of a path.
pub(crate) struct Path<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        refuse_nul(parts.uri.path(), "path")?;
        match extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(extract::Path(value)) => Ok(Self(value)),
            Err(wrong) => Err(ApiError::new(wrong.status(), "bad_path", wrong.body_text())),
        }
    }
}

/// Refuses the character NUL, which no name has, and Postgres no text.
fn refuse_nul(part: &str, what: &str) -> Result<(), ApiError> {
    match part.contains("%00") {
        true => Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            "bad_address",
            format!("the {what} has a NUL character (%00), which no name has"),
        )),
        false => Ok(()),
    }
}

/// A message with the cause of an error. The error itself names types of this program, which mean nothing to a caller.
fn because(what: &str, error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{what}: {cause}"),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use protocol::access::JoinCodeRequest;

    #[test]
    fn a_float_without_a_fraction_is_a_whole_number_in_a_body() {
        let read = |machines: &str| {
            let body = format!("{{\"machines\":{machines},\"expires_in_ms\":6e4}}");
            read::<JoinCodeRequest>(body.as_bytes()).map(|request| (request.machines, request.expires_in_ms))
        };
        assert_eq!([read("5").ok(), read("5.0").ok()], [Some((5, 60_000)); 2]);
        for wrong in ["5.5", "-1.0", "1e300", "\"5\""] {
            let message = read(wrong).expect_err("refused").message;
            assert!(message.contains("expected a whole number from 0 to 4294967295"), "{wrong}: {message}");
        }
    }
}
