//! Tokens, codes and sessions over HTTP.

use super::admit::{self, Admin, COOKIE, Machine};
use super::body::Body;
use super::error::ApiError;
use crate::coordinator::{Coordinator, CoordinatorError};
use crate::listen::Encrypted;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::access::{
    JoinCode, JoinCodeRequest, JoinRequest, Joined, NewToken, Scope, Session, SignIn, TokenLine, TokenRequest,
};
use protocol::selftest::{Trial, trials};

/// How long a browser keeps its cookie, in seconds: a month.
const COOKIE_SECONDS: u32 = 31 * 86_400;

/// `GET /api/v1/tokens`.
pub(crate) async fn list(
    _: Admin,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Vec<TokenLine>>, ApiError> {
    Ok(Json(coordinator.tokens().await?))
}

/// `POST /api/v1/tokens`.
pub(crate) async fn create(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<TokenRequest>,
) -> Result<Json<NewToken>, ApiError> {
    Ok(Json(coordinator.create_token(request, &who).await?))
}

/// `POST /api/v1/tokens/{id or name}/revoke`.
pub(crate) async fn revoke(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Path(key): Path<String>,
) -> Result<Json<TokenLine>, ApiError> {
    Ok(Json(coordinator.revoke_token(&key, &who).await?))
}

/// `POST /api/v1/join-codes`.
pub(crate) async fn code(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<JoinCodeRequest>,
) -> Result<Json<JoinCode>, ApiError> {
    Ok(Json(coordinator.create_join_code(request, &who).await?))
}

/// `POST /api/v1/join`: a machine shows its code.
pub(crate) async fn join(
    State(coordinator): State<Coordinator>,
    parts: Parts,
    Body(request): Body<JoinRequest>,
) -> Result<Json<Joined>, ApiError> {
    let (limits, address) = (&coordinator.inner.limits, admit::address(&parts));
    limits.may_guess(address).map_err(ApiError::too_many)?;
    let joined = coordinator.join(request).await;
    if let Err(CoordinatorError::BadCode) = joined {
        limits.guessed_wrong(address);
    }
    Ok(Json(joined?))
}

/// `GET /api/v1/self-test`: the set of games as the coordinator's build plays it.
pub(crate) async fn self_test(_: Machine) -> Result<Json<&'static [Trial]>, ApiError> {
    // The first call of a process plays them: a moment of work that no other answer should wait for.
    let trials = tokio::task::spawn_blocking(trials).await;
    trials.map(Json).map_err(|_| {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the self-test failed; see the log")
    })
}

/// `GET /api/v1/session`: who the caller is.
pub(crate) async fn session(
    State(coordinator): State<Coordinator>,
    parts: Parts,
) -> Result<Json<Session>, ApiError> {
    coordinator.inner.limits.ask(admit::address(&parts)).map_err(ApiError::too_many)?;
    Ok(Json(match admit::caller(&parts, &coordinator).await? {
        Some(caller) => Session { name: Some(caller.name), scopes: caller.scopes },
        None if admit::may_read_without_token(&parts, &coordinator) => {
            Session { name: None, scopes: Scope::Read.into() }
        }
        None => Session { name: None, scopes: [].into_iter().collect() },
    }))
}

/// `POST /api/v1/session`: a page signs in.
pub(crate) async fn sign_in(
    State(coordinator): State<Coordinator>,
    parts: Parts,
    Body(SignIn { token }): Body<SignIn>,
) -> Result<Response, ApiError> {
    let (limits, address) = (&coordinator.inner.limits, admit::address(&parts));
    limits.may_guess(address).map_err(ApiError::too_many)?;
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs in"));
    }
    let token = token.trim();
    let Some(caller) = coordinator.caller(token).await? else {
        limits.guessed_wrong(address);
        return Err(ApiError::unauthorized("this token is unknown here, was revoked, or has ended"));
    };
    let encrypted = parts.extensions.get::<Encrypted>().is_some()
        || parts.headers.get("x-forwarded-proto").is_some_and(|value| value == "https");
    let secure = if encrypted { "; Secure" } else { "" };
    let cookie =
        format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}{secure}");
    let session = Json(Session { name: Some(caller.name), scopes: caller.scopes });
    set_cookie(session.into_response(), &cookie)
}

/// `DELETE /api/v1/session`: a page signs out.
pub(crate) async fn sign_out(parts: Parts) -> Result<Response, ApiError> {
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs out"));
    }
    let cookie = format!("{COOKIE}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0");
    set_cookie(StatusCode::NO_CONTENT.into_response(), &cookie)
}

fn set_cookie(mut response: Response, cookie: &str) -> Result<Response, ApiError> {
    let value = HeaderValue::from_str(cookie).map_err(|_| ApiError::unauthorized("this is no token"))?;
    response.headers_mut().insert(header::SET_COOKIE, value);
    Ok(response)
}
