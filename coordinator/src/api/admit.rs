//! Who calls, and whether it may: tokens in a header, or in the cookie of a page that signed in.

use super::error::ApiError;
use crate::access::{Caller, OpenResults};
use crate::coordinator::Coordinator;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use protocol::access::Scope;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

/// The cookie that holds a page's token. Scripts cannot read it, and no other site's request carries it.
pub(crate) const COOKIE: &str = "gauntlet_token";

/// Where a secret was found.
enum Shown {
    Header(String),
    Cookie(String),
}

macro_rules! callers {
    ($($(#[$meta:meta])* struct $name:ident $(($field:ty))?, $build:expr, needs $scope:expr;)+) => {$(
        $(#[$meta])*
        pub(crate) struct $name $((pub(crate) $field))?;

        impl FromRequestParts<Coordinator> for $name {
            type Rejection = ApiError;

            async fn from_request_parts(parts: &mut Parts, coordinator: &Coordinator) -> Result<Self, ApiError> {
                admit(parts, coordinator, $scope).await.map($build)
            }
        }
    )+};
}

callers! {
    /// A machine that plays.
    struct Machine(Caller), Machine, needs Scope::Work;
    /// Somebody who looks at results.
    struct Reader, |_| Reader, needs Scope::Read;
    /// Somebody who applies experiments; the name of the token.
    struct Experimenter(String), |caller: Caller| Experimenter(caller.name), needs Scope::Experiment;
    /// Somebody who may do everything; the name of the token.
    struct Admin(String), |caller: Caller| Admin(caller.name), needs Scope::Admin;
}

/// A caller who may do what `scope` says.
async fn admit(parts: &Parts, coordinator: &Coordinator, scope: Scope) -> Result<Caller, ApiError> {
    if scope != Scope::Work {
        coordinator.inner.limits.ask(address(parts)).map_err(ApiError::too_many)?;
    }
    match caller(parts, coordinator).await? {
        Some(caller) if caller.scopes.allow(scope) => Ok(caller),
        _ if scope == Scope::Read && may_read_without_token(parts, coordinator) => Ok(Caller::default()),
        Some(caller) => Err(ApiError::forbidden(format!(
            "this needs a token with the scope `{scope}`; that of `{}` allows: {}",
            caller.name, caller.scopes
        ))),
        None => Err(ApiError::unauthorized(format!(
            "send a token with the scope `{scope}`: `Authorization: Bearer TOKEN`; `gauntlet token add` makes one"
        ))),
    }
}

/// Whoever shows a token. A wrong one in the header is an error, for its sender believes in it; a stale cookie is none.
pub(crate) async fn caller(parts: &Parts, coordinator: &Coordinator) -> Result<Option<Caller>, ApiError> {
    match shown(&parts.headers) {
        None => Ok(None),
        Some(Shown::Header(secret)) => match coordinator.caller(&secret).await? {
            Some(caller) => Ok(Some(caller)),
            None => Err(ApiError::unauthorized(
                "this token is unknown here, was revoked, or has ended; `gauntlet token add` makes one",
            )),
        },
        Some(Shown::Cookie(secret)) => {
            let changes = !matches!(parts.method, Method::GET | Method::HEAD);
            if changes && !is_same_origin(&parts.headers) {
                return Err(ApiError::forbidden("this request comes from another site's page"));
            }
            Ok(coordinator.caller(&secret).await?)
        }
    }
}

/// Whether a caller who was let in to read is still to be let in. When the database does not say, nothing has changed.
pub(crate) async fn may_still_read(parts: &Parts, coordinator: &Coordinator) -> bool {
    match caller(parts, coordinator).await {
        Ok(Some(caller)) if caller.scopes.allow(Scope::Read) => true,
        Ok(_) => may_read_without_token(parts, coordinator),
        Err(error) => !error.is_of_the_caller(),
    }
}

fn shown(headers: &HeaderMap) -> Option<Shown> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
        let secret = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        return Some(Shown::Header(secret.map_or(String::new(), |(_, secret)| secret.trim().to_owned())));
    }
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let secret = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, secret)| secret.to_owned()).next();
    secret.filter(|secret| !secret.is_empty()).map(Shown::Cookie)
}

/// Whether a page of this very server sent the request, as its browser says. Programs send tokens in the header.
pub(crate) fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return site == "same-origin";
    }
    match (text(header::ORIGIN), text(header::HOST)) {
        (Some(origin), Some(host)) => origin.split_once("://").is_some_and(|(_, of)| of == host),
        _ => false,
    }
}

/// Whether results are open to this caller.
pub(crate) fn may_read_without_token(parts: &Parts, coordinator: &Coordinator) -> bool {
    match coordinator.inner.open_results {
        OpenResults::ToEverybody => true,
        OpenResults::ToNobody => false,
        OpenResults::ToThisMachine => is_of_this_machine(parts),
    }
}

/// Whether a call reached this machine under a name of its own. Under any other name it came through a proxy, or from
/// a page whose owner pointed his name at this machine.
fn is_of_this_machine(parts: &Parts) -> bool {
    let forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
    if forwarded.iter().any(|name| parts.headers.contains_key(*name)) {
        return false;
    }
    let host = match parts.headers.get(header::HOST) {
        None => parts.uri.host().map(str::to_owned),
        Some(value) => match value.to_str() {
            Ok(host) => Some(without_port(host).to_owned()),
            Err(_) => return false,
        },
    };
    // Before HTTP/1.1 nobody named a host, and no browser is that old.
    host.is_none_or(|host| {
        host.eq_ignore_ascii_case("localhost")
            || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.is_loopback())
    })
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// The caller's address: that of the connection, or what a proxy on this machine says of it.
pub(crate) fn address(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let peer = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    let forwarded = parts.headers.get_all("x-forwarded-for").iter().next_back();
    let last = forwarded.and_then(|value| value.to_str().ok()).and_then(|list| list.rsplit(',').next());
    match last.and_then(|text| text.trim().parse().ok()) {
        Some(address) if peer.is_loopback() => address,
        _ => peer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;

    fn parts(headers: &[(&str, &str)]) -> Parts {
        let request =
            headers.iter().fold(Request::get("/"), |request, (name, value)| request.header(*name, *value));
        request.body(()).expect("a request").into_parts().0
    }

    #[test]
    fn a_call_is_this_machines_when_it_names_no_other() {
        for host in ["localhost", "LOCALHOST:8437", "127.0.0.1", "127.0.0.1:1", "[::1]:8437", "[::1]"] {
            assert!(is_of_this_machine(&parts(&[("host", host)])), "{host}");
        }
        for host in [
            "lab",
            "lab:8437",
            "10.0.0.1:8437",
            "evil.example",
            "localhost.evil.example",
            "",
            "[2001:db8::1]",
        ] {
            assert!(!is_of_this_machine(&parts(&[("host", host)])), "{host}");
        }
        for proxy in ["x-forwarded-for", "Forwarded", "via"] {
            assert!(!is_of_this_machine(&parts(&[("host", "localhost"), (proxy, "1.2.3.4")])), "{proxy}");
        }
        assert!(is_of_this_machine(&parts(&[])));
    }

    #[test]
    fn a_page_is_of_this_server_when_its_browser_says_so() {
        for (headers, same) in [
            (&[("sec-fetch-site", "same-origin")][..], true),
            (&[("sec-fetch-site", "same-site"), ("origin", "http://lab"), ("host", "lab")], false),
            (&[("sec-fetch-site", "cross-site")], false),
            (&[("origin", "http://lab:8437"), ("host", "lab:8437")], true),
            (&[("origin", "http://lab"), ("host", "lab:8437")], false),
            (&[("origin", "null"), ("host", "lab")], false),
            (&[], false),
        ] {
            assert_eq!(is_same_origin(&parts(headers).headers), same, "{headers:?}");
        }
    }

    #[test]
    fn only_a_proxy_of_this_machine_is_believed_about_the_caller() {
        let mut call = parts(&[("x-forwarded-for", "9.9.9.9, 10.1.2.3")]);
        assert_eq!(address(&call), IpAddr::from([10, 1, 2, 3]));
        call.extensions.insert(ConnectInfo(SocketAddr::from(([8, 8, 8, 8], 1))));
        assert_eq!(address(&call), IpAddr::from([8, 8, 8, 8]));
    }

    #[test]
    fn the_header_comes_before_the_cookie() {
        let secret = |headers: &[(&str, &str)]| match shown(&parts(headers).headers) {
            Some(Shown::Header(secret)) => format!("header {secret}"),
            Some(Shown::Cookie(secret)) => format!("cookie {secret}"),
            None => "none".into(),
        };
        assert_eq!(secret(&[]), "none");
        assert_eq!(secret(&[("cookie", "a=b; gauntlet_token=t; c=d")]), "cookie t");
        assert_eq!(secret(&[("cookie", "gauntlet_token=t"), ("authorization", "bearer  x ")]), "header x");
        assert_eq!(secret(&[("cookie", "gauntlet_token=")]), "none");
    }
}
