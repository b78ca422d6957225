//! The sessions of pages.

use super::admit;
use super::admit::COOKIE;
use super::call::Call;
use super::error::ApiError;
use crate::access::{ClientKey, SecretDigest};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use protocol::access::{Scope, Session, SignIn};
use protocol::endpoints::{CloseSession, GetSession, OpenSession};

pub(super) async fn session(Call { coordinator, parts, .. }: Call<GetSession>) -> Result<Session, ApiError> {
    let caller = admit::caller(&parts, &coordinator).await?;
    let client = match &caller {
        Some(caller) => ClientKey::token(&caller.token),
        None => ClientKey::address(admit::address(&parts, &coordinator)),
    };
    coordinator.inner.limits.ask(client).map_err(ApiError::too_many)?;
    Ok(match caller {
        Some(caller) => Session { name: Some(caller.name), scopes: caller.scopes },
        None if admit::may_read_without_token(&parts, &coordinator) => {
            Session { name: None, scopes: Scope::Read.into() }
        }
        None => Session { name: None, scopes: [].into_iter().collect() },
    })
}

pub(super) async fn sign_in(
    Call { coordinator, parts, body: SignIn { token }, .. }: Call<OpenSession>,
) -> Result<Response, ApiError> {
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs in"));
    }
    let Some(caller) = coordinator.caller(token.trim()).await? else {
        return Err(ApiError::unauthorized("this token is unknown here, was revoked, or has expired"));
    };
    coordinator.inner.limits.ask(ClientKey::token(&caller.token)).map_err(ApiError::too_many)?;
    let (secret, seconds) = coordinator.sign_in(&caller).await?;
    let session = Json(Session { name: Some(caller.name), scopes: caller.scopes });
    let secure = if admit::is_encrypted(&parts, &coordinator) { "; Secure" } else { "" };
    set_cookie(session.into_response(), secret.reveal(), seconds, secure)
}

pub(super) async fn sign_out(
    Call { coordinator, parts, .. }: Call<CloseSession>,
) -> Result<Response, ApiError> {
    if !admit::is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("only a page of this coordinator signs out"));
    }
    if let Some(secret) = admit::page_of(&parts.headers) {
        coordinator.sign_out(&SecretDigest::page(&secret)).await?;
    }
    set_cookie(StatusCode::NO_CONTENT.into_response(), "", 0, "")
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
