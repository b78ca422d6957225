//! Tokens: made, listed, revoked, and recognised.

use super::fleet::find_digest;
use crate::access::{Caller, SecretDigest, Token, id_of};
use crate::admission::check_name;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::principal::Principal;
use crate::scheduling;
use crate::store::{StoreError, TokenRow, WriteBatch};
use crate::writer::changing;
use protocol::access::{MOST_MACHINES, NewToken, Scopes, TokenLine, TokenRequest};
use protocol::prefix::IdPrefix;
use protocol::words::quoted;
use std::collections::HashMap;
use std::sync::{MutexGuard, PoisonError};

/// The default number of machines for one token.
const USUAL_MACHINES: u32 = 16;

impl Coordinator {
    /// A token of this process, which is not stored and ends with the process.
    #[must_use]
    pub fn token_of_this_process(&self, name: &str, scopes: impl Into<Scopes>) -> Token {
        let token = Token::random();
        let caller = Caller {
            name: name.to_owned(),
            scopes: scopes.into(),
            token: Token::hash(token.reveal()),
            principal: Some(Principal::this_process()),
        };
        self.own_secrets().insert(SecretDigest::token(token.reveal()), caller);
        token
    }

    /// Makes a token in the name of `who`. Its secret is shown only here.
    ///
    /// # Errors
    /// When its name cannot be stored, it has no scope, or the database fails.
    pub fn create_token(
        &self,
        request: TokenRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<NewToken, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            let TokenRequest { name, scopes, expires_in_ms, machines } = request;
            let machines = machines.unwrap_or(USUAL_MACHINES);
            check_name("the token's name", &name)?;
            if scopes.is_empty() {
                return Err(CoordinatorError::Refused("a token needs a scope".into()));
            }
            if !(1..=MOST_MACHINES).contains(&machines) {
                return Err(CoordinatorError::Refused(format!(
                    "a token can be for 1 to {MOST_MACHINES} machines"
                )));
            }
            let token = Token::random();
            let hash = Token::hash(token.reveal());
            let id = id_of(&hash);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    if let Some(valid) = tx.valid_token_of(&name, now_ms).await? {
                        let id = id_of(&valid.hash);
                        return Ok(Err(CoordinatorError::Refused(format!(
                            "a valid token is called {} already, with the id {id}: choose another name, or revoke that one first with \
                             `gauntlet token revoke {id}`",
                            quoted(&name)
                        ))));
                    }
                    let expires_ms = expires_in_ms.map(|ms| now_ms.saturating_add_unsigned(ms));
                    let detail = format!("{}: {scopes}", id_of(&hash));
                    let row = TokenRow {
                        hash,
                        name,
                        scopes,
                        created_ms: now_ms,
                        expires_ms,
                        revoked_ms: None,
                        join_code: None,
                        machines: i64::from(machines),
                        worker: None,
                        used_ms: None,
                    };
                    tx.insert_token(&row).await?;
                    tx.note_change(&who, ("token", &row.name, &detail), now_ms).await?;
                    Ok(Ok(()))
                })
            });
            inner.writer.change(change).await??;
            inner.callers.admit(SecretDigest::token(token.reveal()));
            Ok(NewToken { id, token: token.reveal().to_owned() })
        })
    }

    /// Every token, the newest first, without secrets.
    ///
    /// # Errors
    /// When the database fails.
    pub fn tokens(&self) -> BoxFuture<'static, Result<Vec<TokenLine>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let rows = inner.store.read().await?.tokens().await?;
            let line = |(row, bound): (TokenRow, u64)| TokenLine {
                id: id_of(&row.hash),
                name: row.name,
                scopes: row.scopes,
                created_ms: row.created_ms,
                expires_ms: row.expires_ms,
                revoked_ms: row.revoked_ms,
                used_ms: row.used_ms,
                machines: u32::try_from(row.machines).ok(),
                bound,
            };
            Ok(rows.into_iter().map(line).collect())
        })
    }

    /// Revokes a token, at once and on every coordinator of the database: the token with this id, or the only valid one
    /// with this name. The leases of machines that joined with it, and with no other token, are released at once.
    ///
    /// # Errors
    /// When there is none or several, or the database fails.
    pub fn revoke_token(
        &self,
        key: &str,
        who: &str,
    ) -> BoxFuture<'static, Result<TokenLine, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        Box::pin(async move {
            let rows = coordinator.inner.store.read().await?.tokens().await?;
            let rows = rows.into_iter().map(|(row, _)| row);
            let (mut rows, revoked): (Vec<TokenRow>, Vec<TokenRow>) =
                rows.partition(|row| row.revoked_ms.is_none());
            let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
            let named = rows.iter().any(|row| row.name == key);
            let ids = rows.iter().map(|row| id_of(&row.hash));
            // A name of as many digits as ids are shown with may be meant as the id of another token.
            let is_prefix = !named || key.parse::<IdPrefix>().is_ok_and(|prefix| prefix.is_as_shown());
            let id = if is_prefix { find_digest(&key, ids)? } else { None };
            rows.retain(|row| row.name == key || id_of(&row.hash) == *id.as_ref().unwrap_or(&key));
            let row = match (rows.pop(), rows.len()) {
                (Some(row), 0) => row,
                (None, _) => {
                    if let Some(before) = revoked_before(&key, &revoked)? {
                        return Err(CoordinatorError::Refused(before));
                    }
                    let names = names.iter().map(String::as_str);
                    return Err(CoordinatorError::unknown_among("token", &key, names));
                }
                (Some(row), _) => {
                    let ids: Vec<String> = rows.iter().chain([&row]).map(|row| id_of(&row.hash)).collect();
                    return Err(CoordinatorError::Refused(format!(
                        "several tokens are called `{key}`, or have ids that begin so: name one by its id, of {}",
                        ids.join(", ")
                    )));
                }
            };
            let id = id_of(&row.hash);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.revoke_token(&row.hash, now_ms).await?;
                    for worker in tx.workers_with_token(&row.hash).await? {
                        scheduling::return_all_leases(&mut WriteBatch::new(tx, now_ms), worker).await?;
                    }
                    tx.note_change(&who, ("revoke", &row.name, &id_of(&row.hash)), now_ms).await
                })
            });
            coordinator.inner.writer.change(change).await?;
            coordinator.clear_caller_cache();
            let lines = coordinator.tokens().await?;
            let line = lines.into_iter().find(|line| line.id == id);
            line.ok_or(CoordinatorError::unknown("token", key))
        })
    }

    /// The holder of this token, if it is valid now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn caller(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        self.find(&SecretDigest::token(secret)).await
    }

    /// The holder of this secret, if it is valid now.
    pub(crate) async fn find(&self, shown: &SecretDigest) -> Result<Option<Caller>, StoreError> {
        if let Some(caller) = self.own_secrets().get(shown) {
            return Ok(Some(caller.clone()));
        }
        let now_ms = self.inner.clock.now_ms();
        let found = self.inner.callers.find(&self.inner.store, shown, now_ms).await?;
        if let Some(caller) = &found {
            self.inner.uses.note(&caller.token, now_ms);
        }
        Ok(found)
    }

    /// Stores when tokens were used last. Requests themselves write nothing.
    pub(crate) async fn store_uses(&self) -> Result<(), StoreError> {
        let uses = self.inner.uses.unstored();
        if uses.is_empty() {
            return Ok(());
        }
        let stored = uses.clone();
        let change = changing(move |tx, _| Box::pin(async move { tx.note_uses(&uses).await }));
        self.inner.writer.change(change).await?;
        self.inner.uses.are_stored(&stored);
        Ok(())
    }

    /// Whether a secret was valid at its last lookup, or is one of this process.
    pub(crate) fn is_proven(&self, shown: &SecretDigest) -> bool {
        let own = self.own_secrets().contains_key(shown);
        own || self.inner.callers.is_proven(shown)
    }

    pub(super) fn own_secrets(&self) -> MutexGuard<'_, HashMap<SecretDigest, Caller>> {
        self.inner.own_secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a token is one of this process, which is not stored.
    pub(crate) fn is_own(&self, caller: &Caller) -> bool {
        self.own_secrets().contains_key(&SecretDigest::Token(caller.token.clone()))
    }
}

/// Says that a token was revoked before, if the name or id matches such a token.
fn revoked_before(key: &str, revoked: &[TokenRow]) -> Result<Option<String>, CoordinatorError> {
    let id = find_digest(key, revoked.iter().map(|row| id_of(&row.hash)))?;
    // The latest is the first.
    let meant = |row: &&TokenRow| row.name == key || id.as_ref().is_some_and(|id| id_of(&row.hash) == *id);
    Ok(revoked.iter().find(meant).map(|row| {
        format!(
            "the token {} ({}) was revoked before: nothing is changed",
            quoted(&row.name),
            id_of(&row.hash)
        )
    }))
}
