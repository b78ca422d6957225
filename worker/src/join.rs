//! Joining: a machine exchanges a code for a token of its own and keeps the token in the state directory.

use crate::address::{Address, NoAddress};
use crate::backoff::Backoff;
use crate::client::{CallError, ClientError, JoinClient};
pub use crate::credentials::Credentials;
use crate::state::{StateDir, StateError};
use engine::spelling::excerpt;
use protocol::access::JoinRequest;
use protocol::hex::hex;
use sha2::{Digest, Sha256};
use std::str::FromStr;
use thiserror::Error;
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

/// `CODE@HOST:PORT`, or `CODE@` and an [`Address`]: `CODE@https://HOST`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The code.
    pub code: String,
    /// The coordinator's address, as a URL.
    pub coordinator: String,
}

impl Invitation {
    /// The text of an invitation, as short as it can be.
    #[must_use]
    pub fn text(code: &str, coordinator: &Address) -> String {
        format!("{code}@{}", coordinator.short())
    }
}

/// An invitation that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoInvitation {
    /// No code, or none of the right length, before an `@` and an address.
    #[error("`{0}` is no invitation: it should look like K7F3-9QXM-2TBD@host:8437")]
    Form(String),
    /// The address after the `@` cannot be used.
    #[error("`{text}` is no invitation: {why}")]
    Address {
        /// The invitation.
        text: String,
        /// The fault of the address.
        why: NoAddress,
    },
}

impl FromStr for Invitation {
    type Err = NoInvitation;

    fn from_str(text: &str) -> Result<Self, NoInvitation> {
        let wrong = || NoInvitation::Form(excerpt(text));
        let (code, place) = text.trim().split_once('@').ok_or_else(wrong)?;
        let whole = code.chars().filter(char::is_ascii_alphanumeric).count() == 12;
        if !whole || place.is_empty() || place.contains(char::is_whitespace) {
            return Err(wrong());
        }
        match place.parse::<Address>() {
            Ok(address) => Ok(Self { code: code.to_owned(), coordinator: address.to_string() }),
            Err(why) => Err(NoInvitation::Address { text: excerpt(text), why }),
        }
    }
}

/// Why a machine could not join.
#[derive(Debug, Error)]
pub enum JoinError {
    /// The directory cannot be used.
    #[error(transparent)]
    State(#[from] StateError),
    /// The address cannot be used.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The coordinator refuses.
    #[error("{why}")]
    Refused {
        /// The coordinator's reason.
        why: String,
    },
    /// TLS does not trust the coordinator's certificate.
    #[error("{why}")]
    Untrusted {
        /// The cause, and what to change.
        why: String,
    },
    /// Stopped before the coordinator answered.
    #[error("stopped before the coordinator answered")]
    Stopped,
}

/// Joins, unless this machine has joined with this invitation before. A unit file can therefore keep the invitation.
///
/// A machine that joined this coordinator before keeps its old token if the coordinator accepts no other.
///
/// Unless the machine has joined before, the token is on disk before the coordinator receives it. After a crash or a lost answer
/// the machine sends the same token again, so that no code is lost.
///
/// # Errors
/// See [`JoinError`]. An absent coordinator is not an error: the machine waits for it.
pub async fn join(
    state: &StateDir,
    invitation: &Invitation,
    name: &str,
    cancel: &CancellationToken,
) -> Result<Credentials, JoinError> {
    let code_sha256 = digest(&invitation.code);
    let (known, before) = match state.credentials()? {
        Some(kept) if kept.code_sha256 == code_sha256 && kept.coordinator == invitation.coordinator => {
            (Some(kept), None)
        }
        kept => (None, kept.filter(|kept| kept.joined)),
    };
    let mut credentials = match known {
        Some(kept) if kept.joined => return Ok(kept),
        Some(kept) => kept,
        None => {
            let coordinator = invitation.coordinator.clone();
            Credentials { coordinator, token: secret(), code_sha256, joined: false }
        }
    };
    // The token of an earlier join stays on disk until another one replaces it.
    if before.is_none() {
        state.keep_credentials(&credentials)?;
    }
    let client = JoinClient::new(&invitation.coordinator)?;
    let request = JoinRequest {
        code: invitation.code.clone(),
        worker: state.worker(),
        name: name.to_owned(),
        token_sha256: digest(&credentials.token),
    };
    let mut backoff = Backoff::default();
    loop {
        let answer = tokio::select! {
            () = cancel.cancelled() => return Err(JoinError::Stopped),
            answer = client.join(&request) => answer,
        };
        match answer {
            Ok(joined) => {
                credentials.joined = true;
                state.keep_credentials(&credentials)?;
                info!("joined {} as {name}, token {}", credentials.coordinator, joined.id);
                return Ok(credentials);
            }
            Err(CallError::Stop { why }) => {
                let before = before.filter(|before| before.coordinator == invitation.coordinator);
                let Some(before) = before else { return Err(JoinError::Refused { why }) };
                warn!(
                    "the coordinator does not take the code: {why}; the machine goes on as it joined before"
                );
                return Ok(before);
            }
            Err(CallError::Untrusted { why }) => return Err(JoinError::Untrusted { why }),
            Err(CallError::Retry { after, why }) => {
                let wait = backoff.after_failure(after);
                warn!(
                    "cannot join {} yet: {why}; next attempt in {:.1} s",
                    credentials.coordinator,
                    wait.as_secs_f64()
                );
                tokio::select! {
                    () = cancel.cancelled() => return Err(JoinError::Stopped),
                    () = tokio::time::sleep(wait) => {}
                }
            }
        }
    }
}

/// The coordinator that this machine joined before.
///
/// # Errors
/// When the stored credentials cannot be read.
pub fn joined_before(state: &StateDir) -> Result<Option<Credentials>, StateError> {
    Ok(state.credentials()?.filter(|kept| kept.joined))
}

/// A secret of 256 bits: the digest of three random UUIDs, which contain 366 random bits.
fn secret() -> String {
    let random = (0..3).map(|_| uuid::Uuid::new_v4().to_string()).collect::<String>();
    digest(&random)
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use axum::routing::post;
    use axum::{Json, Router};
    use protocol::access::Joined;
    use std::sync::{Arc, Mutex};

    #[test]
    fn an_invitation_names_a_code_and_a_place() {
        for (text, code, url) in [
            ("K7F3-9QXM-2TBD@host:8437", "K7F3-9QXM-2TBD", "http://host:8437"),
            ("k7f39qxm2tbd@10.0.0.1:99", "k7f39qxm2tbd", "http://10.0.0.1:99"),
            ("K7F3-9QXM-2TBD@host", "K7F3-9QXM-2TBD", "http://host:8437"),
            ("K7F3-9QXM-2TBD@[::1]", "K7F3-9QXM-2TBD", "http://[::1]:8437"),
            ("K7F3-9QXM-2TBD@[::1]:9", "K7F3-9QXM-2TBD", "http://[::1]:9"),
            (" K7F3-9QXM-2TBD@https://tune.example/x ", "K7F3-9QXM-2TBD", "https://tune.example/x"),
        ] {
            let invitation = Invitation { code: code.into(), coordinator: url.into() };
            assert_eq!(text.parse(), Ok(invitation), "{text}");
            let written = Invitation::text(code, &url.parse().expect("an address"));
            assert_eq!(written.parse::<Invitation>(), text.parse(), "{written}");
            assert!(!written.contains("http://"), "{written}");
        }
        for (place, hint) in
            [("::1", "http://[::1]:8437"), ("host/tune", "https://host/tune"), ("ftp://host", "ftp")]
        {
            let error = format!("K7F3-9QXM-2TBD@{place}").parse::<Invitation>().expect_err(place);
            assert!(error.to_string().contains(hint), "{error}");
        }
        for text in ["", "host:8437", "K7F3-9QXM@host", "K7F3-9QXM-2TBD@", "K7F3-9QXM-2TBD@a b"] {
            let error = text.parse::<Invitation>().expect_err(text);
            assert!(error.to_string().contains("K7F3-9QXM-2TBD@host:8437"), "{error}");
        }
    }

    /// A machine whose worker ends before it has the answer, and starts again.
    #[tokio::test]
    async fn after_a_lost_answer_the_machine_sends_the_same_token_again() {
        let (cancel, digests) = (CancellationToken::new(), Arc::<Mutex<Vec<String>>>::default());
        let (lost, seen) = (cancel.clone(), digests.clone());
        let answer = async move |Json(request): Json<JoinRequest>| {
            let mut seen = seen.lock().expect("no panic");
            seen.push(request.token_sha256);
            if seen.len() == 1 {
                lost.cancel();
                return Err(StatusCode::BAD_GATEWAY);
            }
            Ok(Json(Joined { id: "0123456789ab".into() }))
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let coordinator = format!("http://{}", listener.local_addr().expect("bound"));
        let routes = Router::new().route("/api/v1/join", post(answer));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let invitation = Invitation { code: "K7F3-9QXM-2TBD".into(), coordinator };
        let home = tempfile::tempdir().expect("a directory");
        let state = StateDir::open(home.path()).expect("free");

        let stopped = join(&state, &invitation, "node7", &cancel).await.expect_err("no answer");
        assert!(matches!(stopped, JoinError::Stopped), "{stopped}");
        assert_eq!(joined_before(&state).expect("readable"), None);
        let again = CancellationToken::new();
        let joined = join(&state, &invitation, "node7", &again).await.expect("joined");
        assert_eq!(*digests.lock().expect("no panic"), [digest(&joined.token), digest(&joined.token)]);
        assert_eq!(joined_before(&state).expect("readable"), Some(joined.clone()));
        assert_eq!(join(&state, &invitation, "node7", &again).await.expect("joined before"), joined);
        assert_eq!(digests.lock().expect("no panic").len(), 2, "who has joined does not ask again");
    }

    #[test]
    fn secrets_are_long_and_never_shown() {
        let credentials = Credentials {
            coordinator: "http://host".into(),
            token: secret(),
            code_sha256: String::new(),
            joined: true,
        };
        assert_eq!(credentials.token.len(), 64);
        assert_ne!(credentials.token, secret());
        assert!(!format!("{credentials:?}").contains(&credentials.token));
    }
}
