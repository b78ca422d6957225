//! Authentication and authorisation of callers: by a token in a header, or by the cookie of a page that signed in.

use super::error::ApiError;
use crate::access::{Caller, ClientKey, OpenResults, SecretDigest, proxies};
use crate::coordinator::Coordinator;
use crate::store::StoreError;
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum_server::tls::TlsInfo;
use protocol::access::Scope;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The cookie of a page that signed in. Scripts cannot read it, and requests from other sites do not carry it.
pub(crate) const COOKIE: &str = "gauntlet_page";

/// The owner of the database, which this process has opened. No connection can claim this.
#[derive(Debug, Clone)]
pub(crate) struct Owner(pub(crate) String);

/// The place where a secret was found.
#[derive(Debug, PartialEq, Eq)]
enum SecretSource {
    Header(String),
    Cookie(String),
}

impl SecretSource {
    fn digest(&self) -> SecretDigest {
        match self {
            SecretSource::Header(secret) => SecretDigest::token(secret),
            SecretSource::Cookie(secret) => SecretDigest::page(secret),
        }
    }
}

/// The caller, if it may make calls that need this scope.
pub(super) async fn admit(
    parts: &mut Parts,
    coordinator: &Coordinator,
    scope: Scope,
) -> Result<Caller, ApiError> {
    if let Some(Owner(name)) = parts.extensions.get() {
        return Ok(Caller { name: name.clone(), ..Caller::default() });
    }
    let limits = &coordinator.inner.limits;
    let Some(caller) = caller(parts, coordinator).await? else {
        limits.ask(ClientKey::address(address(parts, coordinator))).map_err(ApiError::too_many)?;
        if scope == Scope::Read && may_read_without_token(parts, coordinator) {
            return Ok(Caller::default());
        }
        return Err(ApiError::unauthorized(format!(
            "this needs a token with the scope `{scope}`: a command reads it from --token or GAUNTLET_TOKEN, a program sends \
             `Authorization: Bearer TOKEN`; on the machine with the database, `gauntlet token add NAME --scope {scope}` makes one"
        )));
    };
    let client = ClientKey::token(&caller.token);
    if scope != Scope::Work {
        limits.ask(client).map_err(ApiError::too_many)?;
    }
    if caller.scopes.allow(scope) {
        parts.extensions.insert(client);
        Ok(caller)
    } else if scope == Scope::Read && may_read_without_token(parts, coordinator) {
        Ok(Caller::default())
    } else {
        Err(ApiError::forbidden(format!(
            "this needs a token with the scope `{scope}`; the token of `{}` allows only: {}",
            caller.name, caller.scopes
        )))
    }
}

/// The caller with the request's token. A wrong token in the header is an error, because the sender relies on it; a stale cookie
/// is not.
pub(crate) async fn caller(parts: &Parts, coordinator: &Coordinator) -> Result<Option<Caller>, ApiError> {
    let Some(found) = found(&parts.headers) else { return Ok(None) };
    let changes = !matches!(parts.method, Method::GET | Method::HEAD);
    if changes && matches!(found, SecretSource::Cookie(_)) && !is_same_origin(&parts.headers) {
        return Err(ApiError::forbidden("this request comes from another site's page"));
    }
    let caller = coordinator.find(&found.digest()).await?;
    match (caller, found) {
        (None, SecretSource::Header(_)) => Err(ApiError::unauthorized(
            "this token is unknown here, was revoked, or has expired; on the machine with the database, `gauntlet token add NAME --scope SCOPE` makes one",
        )),
        (caller, _) => Ok(caller),
    }
}

/// The reason why a caller may read, which is checked again during a stream.
pub(crate) struct ReadPermit {
    secret: Option<SecretDigest>,
    /// Whether results are open to this caller without a token.
    open: bool,
}

impl ReadPermit {
    /// The permit of an admitted reader.
    pub(crate) fn of(parts: &Parts, coordinator: &Coordinator) -> Self {
        Self {
            secret: found(&parts.headers).map(|found| found.digest()),
            open: may_read_without_token(parts, coordinator),
        }
    }

    /// Whether the permit is still valid. An invalid token ends it, even where no token is needed, because the same
    /// call would be refused now.
    pub(crate) async fn holds(&self, coordinator: &Coordinator) -> Result<bool, StoreError> {
        let Some(secret) = &self.secret else { return Ok(self.open) };
        let caller = coordinator.find(secret).await?;
        let without = self.open && !matches!(secret, SecretDigest::Token(_));
        Ok(caller.map_or(without, |caller| self.open || caller.scopes.allow(Scope::Read)))
    }
}

fn found(headers: &HeaderMap) -> Option<SecretSource> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let bearer = value.to_str().ok().and_then(|value| value.split_once(' '));
        let secret = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        return Some(SecretSource::Header(
            secret.map_or(String::new(), |(_, secret)| secret.trim().to_owned()),
        ));
    }
    page_of(headers).map(SecretSource::Cookie)
}

/// The secret in the cookie of a page that signed in.
pub(crate) fn page_of(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let secret = pairs.filter(|(name, _)| *name == COOKIE).map(|(_, secret)| secret.to_owned()).next();
    secret.filter(|secret| !secret.is_empty())
}

/// Whether a page of this server sent the request, by the browser's headers. Programs send tokens in the header.
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

/// Whether a caller may read, without a query of the database: results are open to the caller, or its secret was valid at the
/// last query.
pub(crate) fn may_read_unasked(parts: &Parts, coordinator: &Coordinator) -> bool {
    may_read_without_token(parts, coordinator)
        || found(&parts.headers).is_some_and(|found| coordinator.is_proven(&found.digest()))
}

/// Whether a call comes from this machine and uses one of its own names, given once. Under another name the call came
/// through a proxy, or from a page whose owner pointed a name at this machine.
fn is_of_this_machine(parts: &Parts) -> bool {
    let forwarded = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
    if forwarded.iter().any(|name| parts.headers.contains_key(*name)) {
        return false;
    }
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    if peer.is_some_and(|peer| !is_loopback(peer.0.ip())) {
        return false;
    }
    let mut named = parts.headers.get_all(header::HOST).iter();
    let (Some(host), None) = (named.next(), named.next()) else { return false };
    let names_itself = |host: &str| {
        host.eq_ignore_ascii_case("localhost") || host.trim_matches(['[', ']']).parse().is_ok_and(is_loopback)
    };
    host.to_str().is_ok_and(|host| names_itself(without_port(host)))
        && parts.uri.host().is_none_or(names_itself)
}

/// Whether an address is this machine's own, also in the IPv6 form of an IPv4 address.
fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

fn peer(parts: &Parts) -> IpAddr {
    let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

/// The caller's address: that of the connection, or the one that named proxies report.
pub(crate) fn address(parts: &Parts, coordinator: &Coordinator) -> IpAddr {
    let values = parts.headers.get_all("x-forwarded-for").iter();
    let forwarded: Vec<&str> = values.map(|value| value.to_str().unwrap_or_default()).collect();
    proxies::caller(&coordinator.inner.trusted_proxies, peer(parts), forwarded.into_iter())
}

/// The unit of limits that counts an admitted caller: its token, or its address.
pub(crate) fn client(parts: &Parts, coordinator: &Coordinator) -> ClientKey {
    let token = parts.extensions.get().copied();
    token.unwrap_or_else(|| ClientKey::address(address(parts, coordinator)))
}

/// Whether the caller used TLS, with this coordinator or with a named proxy.
pub(crate) fn is_encrypted(parts: &Parts, coordinator: &Coordinator) -> bool {
    let says = || parts.headers.get("x-forwarded-proto").is_some_and(|value| value == "https");
    parts.extensions.get::<Arc<TlsInfo>>().is_some()
        || (proxies::is_named(&coordinator.inner.trusted_proxies, peer(parts)) && says())
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
        for host in [
            "localhost",
            "LOCALHOST:8437",
            "127.0.0.1",
            "127.0.0.1:1",
            "[::1]:8437",
            "[::1]",
            "[::ffff:127.0.0.1]:8437",
        ] {
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
            "[::ffff:10.0.0.1]",
            "localhost, lab",
            "lab:8437@localhost",
        ] {
            assert!(!is_of_this_machine(&parts(&[("host", host)])), "{host}");
        }
        for proxy in ["x-forwarded-for", "Forwarded", "via"] {
            assert!(!is_of_this_machine(&parts(&[("host", "localhost"), (proxy, "1.2.3.4")])), "{proxy}");
        }
        assert!(!is_of_this_machine(&parts(&[])), "none");
        assert!(!is_of_this_machine(&parts(&[("host", "localhost"), ("host", "localhost")])), "two");
        let at = |uri: &str, peer: [u8; 4]| {
            let mut parts = parts(&[("host", "localhost")]);
            parts.uri = uri.parse().expect("a URI");
            parts.extensions.insert(ConnectInfo(SocketAddr::from((peer, 1))));
            is_of_this_machine(&parts)
        };
        assert!(at("/", [127, 0, 0, 1]) && at("http://localhost:8437/", [127, 0, 0, 1]));
        assert!(!at("http://lab/", [127, 0, 0, 1]), "an address that names another");
        assert!(!at("/", [10, 0, 0, 1]), "from elsewhere");
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
    fn the_header_comes_before_the_cookie() {
        let secret = |headers: &[(&str, &str)]| match found(&parts(headers).headers) {
            Some(SecretSource::Header(secret)) => format!("header {secret}"),
            Some(SecretSource::Cookie(secret)) => format!("cookie {secret}"),
            None => "none".into(),
        };
        assert_eq!(secret(&[]), "none");
        assert_eq!(secret(&[("cookie", "a=b; gauntlet_page=t; c=d")]), "cookie t");
        assert_eq!(secret(&[("cookie", "gauntlet_page=t"), ("authorization", "bearer  x ")]), "header x");
        assert_eq!(secret(&[("cookie", "gauntlet_page=")]), "none");
    }
}
