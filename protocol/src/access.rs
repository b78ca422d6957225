//! Permissions: tokens, their scopes, and how machines join.

use crate::ids::WorkerId;
use engine::spelling::excerpt;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Machines of one join code or one token, at most.
pub const MOST_MACHINES: u32 = 100_000;

/// A permission of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Lease pairs and report games.
    Work,
    /// See results.
    Read,
    /// Apply experiments; includes `Read`.
    Experiment,
    /// Everything: exclude games, make and revoke tokens, pause machines, and all other scopes.
    Admin,
}

impl Scope {
    /// All scopes.
    pub const ALL: [Scope; 4] = [Scope::Work, Scope::Read, Scope::Experiment, Scope::Admin];
}

impl std::fmt::Display for Scope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Scope::Work => "work",
            Scope::Read => "read",
            Scope::Experiment => "experiment",
            Scope::Admin => "admin",
        })
    }
}

/// A word that is not a scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no scope: there are work, read, experiment and admin")]
pub struct UnknownScope(pub String);

impl std::str::FromStr for Scope {
    type Err = UnknownScope;
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Scope::ALL
            .into_iter()
            .find(|scope| scope.to_string() == text)
            .ok_or_else(|| UnknownScope(excerpt(text)))
    }
}

/// The scopes of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct Scopes(u8);

impl Scopes {
    /// Whether `scope` is allowed, directly or by a scope that includes it.
    #[must_use]
    pub fn allow(self, scope: Scope) -> bool {
        let has = |scope: Scope| self.0 & (1 << scope as u8) != 0;
        has(scope) || has(Scope::Admin) || (scope == Scope::Read && has(Scope::Experiment))
    }

    /// Whether nothing is allowed.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<Scope> for Scopes {
    fn from_iter<I: IntoIterator<Item = Scope>>(scopes: I) -> Self {
        Self(scopes.into_iter().fold(0, |bits, scope| bits | (1 << scope as u8)))
    }
}

impl From<Scope> for Scopes {
    fn from(scope: Scope) -> Self {
        Self::from_iter([scope])
    }
}

impl std::fmt::Display for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = Scope::ALL.into_iter().filter(|scope| self.0 & (1 << *scope as u8) != 0);
        f.pad(&own.map(|scope| scope.to_string()).collect::<Vec<_>>().join(" "))
    }
}

impl std::str::FromStr for Scopes {
    type Err = UnknownScope;
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        text.split([' ', ',']).filter(|word| !word.is_empty()).map(str::parse).collect()
    }
}

impl Serialize for Scopes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Scopes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The identity of a caller: the answer to `GET /api/v1/session` and `POST /api/v1/session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Session {
    /// The name of the caller's token, if there is one.
    pub name: Option<String>,
    /// The caller's permissions. Reading may be allowed to all callers.
    pub scopes: Scopes,
}

/// `POST /api/v1/session`: a browser sends its token once and gets a cookie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The token.
    pub token: String,
}

/// `POST /api/v1/tokens`: makes a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// The name of the machine or person.
    pub name: String,
    /// The permissions.
    pub scopes: Scopes,
    /// Milliseconds until the token expires; it never does if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_ms: Option<u64>,
    /// How many machines may work with the token; 16 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<u32>,
}

/// A new token. Only this answer contains the secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewToken {
    /// The token's id in lists.
    pub id: String,
    /// The secret.
    pub token: String,
}

/// A token in a list: `GET /api/v1/tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TokenLine {
    /// The token's id: the first twelve digits of its digest, which do not reveal the secret.
    pub id: String,
    /// The name of the machine or person.
    pub name: String,
    /// The permissions.
    pub scopes: Scopes,
    /// When the token was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// When the token expires, in milliseconds since 1970, if it does.
    pub expires_ms: Option<i64>,
    /// When the token was revoked, in milliseconds since 1970, if it was.
    pub revoked_ms: Option<i64>,
    /// When the token was used last, in milliseconds since 1970 and within ten minutes, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_ms: Option<i64>,
    /// How many machines may work with the token.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<u32>,
    /// How many machines work with the token.
    pub bound: u64,
}

/// A signed-in page in a list: `GET /api/v1/pages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PageLine {
    /// The page's id: the first twelve digits of the digest of its cookie.
    pub id: String,
    /// The id of the token that the page signed in with.
    pub token: String,
    /// That token's name.
    pub name: String,
    /// When the page signed in, in milliseconds since 1970.
    pub signed_in_ms: i64,
    /// When the page must sign in again, in milliseconds since 1970.
    pub expires_ms: i64,
}

/// `POST /api/v1/join-codes`: makes a code with which machines join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JoinCodeRequest {
    /// How many machines may join with the code.
    pub machines: u32,
    /// Milliseconds until the code expires.
    pub expires_in_ms: u64,
}

/// Codes that shall let no more machines in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct WithdrawRequest {
    /// The code; without one, every code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

/// How many codes were valid and let no more machines in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Withdrawn {
    /// Their number.
    pub codes: u64,
}

/// A new code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct JoinCode {
    /// Twelve letters and digits, such as `K7F3-9QXM-2TBD`.
    pub code: String,
    /// When the code expires, in milliseconds since 1970.
    pub expires_ms: i64,
    /// How many machines may join with the code.
    pub machines: u32,
    /// SHA-256 of the coordinator's certificate in hexadecimal, when no authority has signed it. The invitation must
    /// contain it: `CODE@https://HOST:PORT#sha256=…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
}

/// `POST /api/v1/join`: a machine sends its code and the digest of a token that it has made itself. A repeated request has
/// the same success, so that a lost answer costs no code. The token itself is only sent to authenticate later calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The code, in upper or lower case, with or without dashes.
    pub code: String,
    /// The machine.
    pub worker: WorkerId,
    /// The machine's name, for people.
    pub name: String,
    /// SHA-256 of the token, in hexadecimal.
    pub token_sha256: String,
}

/// The machine has joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Joined {
    /// The id of the machine's token in lists.
    pub id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_allows_itself_and_what_it_contains() {
        let allowed = |scopes: &str| {
            let scopes: Scopes = scopes.parse().expect("scopes");
            Scope::ALL.map(|scope| scopes.allow(scope))
        };
        assert_eq!(allowed("work"), [true, false, false, false]);
        assert_eq!(allowed("read"), [false, true, false, false]);
        assert_eq!(allowed("experiment"), [false, true, true, false]);
        assert_eq!(allowed("admin"), [true; 4]);
        assert_eq!(allowed("work,read"), [true, true, false, false]);
        assert_eq!(allowed(""), [false; 4]);
    }

    #[test]
    fn scopes_are_written_and_read_as_words() {
        let scopes: Scopes = "admin work".parse().expect("scopes");
        assert_eq!(scopes.to_string(), "work admin");
        assert_eq!(serde_json::to_string(&scopes).expect("JSON"), "\"work admin\"");
        let error = "work,root".parse::<Scopes>().expect_err("no scope");
        assert!(error.to_string().contains("`root`"), "{error}");
    }
}
