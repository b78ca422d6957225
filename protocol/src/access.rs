//! Who may do what: scopes of tokens, and how machines join.

use crate::ids::WorkerId;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Something that a token can allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// To play: to lease pairs and report games.
    Work,
    /// To see results.
    Read,
    /// To apply experiments, and to read.
    Experiment,
    /// Everything: to exclude games, to make and revoke tokens, to pause machines, and what the others allow.
    Admin,
}

impl Scope {
    /// Every scope.
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

/// A word that names no scope.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no scope: there are work, read, experiment and admin")]
pub struct UnknownScope(pub String);

impl std::str::FromStr for Scope {
    type Err = UnknownScope;
    fn from_str(text: &str) -> Result<Self, UnknownScope> {
        Scope::ALL
            .into_iter()
            .find(|scope| scope.to_string() == text)
            .ok_or_else(|| UnknownScope(text.chars().take(40).collect()))
    }
}

/// The scopes of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub struct Scopes(u8);

impl Scopes {
    /// Whether `scope` is allowed: by itself, or by one that contains it.
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

/// Who a caller is: the answer to `GET /api/v1/session` and `POST /api/v1/session`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Session {
    /// The name of the token shown, if one was.
    pub name: Option<String>,
    /// What the caller may do; reading may be allowed to everybody.
    pub scopes: Scopes,
}

/// `POST /api/v1/session`: a browser shows its token once and is known by a cookie from then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The token.
    pub token: String,
}

/// `POST /api/v1/tokens`: makes a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Who it is for.
    pub name: String,
    /// What it allows.
    pub scopes: Scopes,
    /// Milliseconds until it is worth nothing; for good if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_in_ms: Option<u64>,
    /// How many machines may work with it; 16 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<u32>,
}

/// A new token: the only time its secret is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewToken {
    /// What it is called in lists.
    pub id: String,
    /// The secret.
    pub token: String,
}

/// A token in a list: `GET /api/v1/tokens`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenLine {
    /// The first twelve digits of its digest: enough to name it, worth nothing to who wants to use it.
    pub id: String,
    /// Who it is for.
    pub name: String,
    /// What it allows.
    pub scopes: Scopes,
    /// Milliseconds since 1970 when it was made.
    pub created_ms: i64,
    /// Milliseconds since 1970 when it ends, if it does.
    pub expires_ms: Option<i64>,
    /// Milliseconds since 1970 when it was revoked, if it was.
    pub revoked_ms: Option<i64>,
    /// How many machines may work with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machines: Option<u32>,
    /// How many do.
    #[serde(default)]
    pub bound: u64,
}

/// A page that is signed in, in a list: `GET /api/v1/pages`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageLine {
    /// The first twelve digits of the digest of what its cookie holds.
    pub id: String,
    /// The id of the token with which it signed in.
    pub token: String,
    /// That token's name.
    pub name: String,
    /// Milliseconds since 1970 when it signed in.
    pub signed_in_ms: i64,
    /// Milliseconds since 1970 when it has to do so again.
    pub expires_ms: i64,
}

/// `POST /api/v1/join-codes`: makes a code by which machines join.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct JoinCodeRequest {
    /// For how many machines.
    pub machines: u32,
    /// Milliseconds until it is worth nothing.
    pub expires_in_ms: u64,
}

/// A new code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JoinCode {
    /// Twelve letters and digits, such as `K7F3-9QXM-2TBD`.
    pub code: String,
    /// Milliseconds since 1970 until when it is worth something.
    pub expires_ms: i64,
    /// For how many machines.
    pub machines: u32,
    /// SHA-256 of the coordinator's certificate in hexadecimal, when no authority vouches for it: it belongs into the
    /// invitation, as `CODE@https://HOST:PORT#sha256=…`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificate_sha256: Option<String>,
}

/// `POST /api/v1/join`: a machine shows its code and the digest of a token that it has made for itself. The same
/// again is the same success, so that a lost answer costs no code; the token itself is never sent but as one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The code, in any case, with or without its dashes.
    pub code: String,
    /// The machine.
    pub worker: WorkerId,
    /// Its name, for people.
    pub name: String,
    /// SHA-256 of the token, in hexadecimal.
    pub token_sha256: String,
}

/// The machine has joined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// What its token is called in lists.
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
