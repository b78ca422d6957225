//! Tokens, codes and the sessions of pages over HTTP.

use super::admit;
use super::admit::{Admin, COOKIE, Machine};
use super::body::{Body, Path};
use super::error::ApiError;
use crate::access::{Asker, Shown};
use crate::computing::compute;
use crate::coordinator::Coordinator;
use axum::Json;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::access::{
    JoinCode, JoinCodeRequest, JoinRequest, Joined, NewToken, PageLine, Scope, Session, SignIn, TokenLine,
    TokenRequest, WithdrawRequest, Withdrawn,
};
use protocol::selftest::{Trial, trials};

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

/// `POST /api/v1/join-codes/withdraw`.
pub(crate) async fn withdraw(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Body(request): Body<WithdrawRequest>,
) -> Result<Json<Withdrawn>, ApiError> {
    Ok(Json(coordinator.withdraw_codes(request, &who).await?))
}

/// `POST /api/v1/join`: a machine joins with a code.
pub(crate) async fn join(
    State(coordinator): State<Coordinator>,
    Body(request): Body<JoinRequest>,
) -> Result<Json<Joined>, ApiError> {
    Ok(Json(coordinator.join(request).await?))
}

/// `GET /api/v1/self-test`: the set of games as the coordinator's build plays it.
pub(crate) async fn self_test(_: Machine) -> Result<Json<&'static [Trial]>, ApiError> {
    // The first call in a process plays the games, on a blocking thread, so that no other answer waits.
    Ok(Json(compute(trials).await?))
}

/// `GET /api/v1/session`: who the caller is.
pub(crate) async fn session(
    State(coordinator): State<Coordinator>,
    parts: Parts,
) -> Result<Json<Session>, ApiError> {
    let caller = admit::caller(&parts, &coordinator).await?;
    let asker = match &caller {
        Some(caller) => Asker::token(&caller.token),
        None => Asker::address(admit::address(&parts, &coordinator)),
    };
    coordinator.inner.limits.ask(asker).map_err(ApiError::too_many)?;
    Ok(Json(match caller {
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
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs in"));
    }
    let Some(caller) = coordinator.caller(token.trim()).await? else {
        return Err(ApiError::unauthorized("this token is unknown here, was revoked, or has expired"));
    };
    coordinator.inner.limits.ask(Asker::token(&caller.token)).map_err(ApiError::too_many)?;
    let (secret, seconds) = coordinator.sign_in(&caller).await?;
    let session = Json(Session { name: Some(caller.name), scopes: caller.scopes });
    let secure = if admit::is_encrypted(&parts, &coordinator) { "; Secure" } else { "" };
    set_cookie(session.into_response(), secret.reveal(), seconds, secure)
}

/// `DELETE /api/v1/session`: a page signs out.
pub(crate) async fn sign_out(
    State(coordinator): State<Coordinator>,
    parts: Parts,
) -> Result<Response, ApiError> {
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs out"));
    }
    if let Some(secret) = admit::page_of(&parts.headers) {
        coordinator.sign_out(&Shown::page(&secret)).await?;
    }
    set_cookie(StatusCode::NO_CONTENT.into_response(), "", 0, "")
}

/// `GET /api/v1/pages`: pages that are signed in.
pub(crate) async fn pages(
    _: Admin,
    State(coordinator): State<Coordinator>,
) -> Result<Json<Vec<PageLine>>, ApiError> {
    Ok(Json(coordinator.pages().await?))
}

/// `POST /api/v1/pages/{id}/end`: signs a page out.
pub(crate) async fn end_page(
    Admin(who): Admin,
    State(coordinator): State<Coordinator>,
    Path(id): Path<String>,
) -> Result<Json<PageLine>, ApiError> {
    Ok(Json(coordinator.end_page(&id, &who).await?))
}

/// Sets the cookie of a page. Without a path, the browser sends the cookie only with calls of this API, below any prefix that a
/// proxy strips: other programs behind the same host do not get the secret.
fn set_cookie(
    mut response: Response,
    secret: &str,
    seconds: i64,
    secure: &str,
) -> Result<Response, ApiError> {
    let cookie = format!("{COOKIE}={secret}; HttpOnly; SameSite=Strict; Max-Age={seconds}{secure}");
    let value = HeaderValue::from_str(&cookie).map_err(|_| ApiError::unauthorized("this is no token"))?;
    response.headers_mut().append(header::SET_COOKIE, value);
    Ok(response)
}
