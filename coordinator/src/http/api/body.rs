//! Readers of the body, the path and the query of a request: every refusal has the error envelope, and memory is limited.

use super::admit;
use super::error::ApiError;
use crate::access::{Exceeded, Reserved};
use crate::computing::compute;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::error::Error;

/// Bodies from this size on are parsed on a blocking thread, so that no answer waits.
const LARGE: usize = 256 << 10;

/// Reads a JSON body.
pub(super) async fn read_body<T: DeserializeOwned + Send + 'static>(content: Bytes) -> Result<T, ApiError> {
    match content.len() {
        0..LARGE => read(&content),
        _ => compute(move || read(&content)).await?,
    }
}

pub(super) fn read<T: DeserializeOwned>(content: &[u8]) -> Result<T, ApiError> {
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

/// Receives a body of at most so many bytes, for which memory is reserved for the admitted caller or else for the address.
pub(super) async fn receive(
    parts: &Parts,
    body: Body,
    coordinator: &Coordinator,
    most: usize,
) -> Result<(Bytes, Reserved), ApiError> {
    if !is_json(&parts.headers) {
        let message = "send JSON, with `Content-Type: application/json`";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "bad_body", message));
    }
    let too_large = || {
        let message = format!("the body is larger than the limit, which is {} KiB here", most >> 10);
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "bad_body", message)
    };
    let length = parts.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(most);
    if length > most {
        return Err(too_large());
    }
    let mut request = Request::new(body);
    DefaultBodyLimit::max(most).apply(&mut request);
    let client = admit::client(parts, coordinator);
    let reserved = coordinator.inner.bodies.reserve(client, length).map_err(no_room)?;
    match Bytes::from_request(request, &()).await {
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

/// Reads the query of an address.
pub(super) fn read_query<T: DeserializeOwned>(address: &Uri) -> Result<T, ApiError> {
    refuse_nul(address.query().unwrap_or_default(), "query")?;
    Query::try_from_uri(address).map(|Query(value)| value).map_err(|wrong| {
        let message = because("the query is not what this address takes", &wrong);
        ApiError::new(wrong.status(), "bad_query", message)
    })
}

/// Reads the variable parts of a path.
pub(super) async fn read_path<T: DeserializeOwned + Send>(parts: &mut Parts) -> Result<T, ApiError> {
    refuse_nul(parts.uri.path(), "path")?;
    let read = Path::<T>::from_request_parts(parts, &()).await;
    read.map(|Path(value)| value)
        .map_err(|wrong| ApiError::new(wrong.status(), "bad_path", wrong.body_text()))
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
