//! Who may do what: tokens, the codes by which machines join, and the callers who show them.

use crate::access::{Caller, Shown, Tls, Token, id_of};
use crate::admission::{NAME, check_given, check_text};
use crate::coordinator::{Boxed, Coordinator};
use crate::error::CoordinatorError;
use crate::intake::bound_elsewhere;
use crate::principal::Principal;
use crate::scheduling;
use crate::store::{PageRow, StoreError, TokenRow, WriteBatch};
use crate::writer::changing;
use protocol::access::{
    JoinCode, JoinCodeRequest, JoinRequest, Joined, NewToken, PageLine, Scope, Scopes, TokenLine,
    TokenRequest,
};

/// Longest life of a code by which machines join, in milliseconds: a month.
const LONGEST_CODE_MS: u64 = 31 * 86_400_000;

/// Machines that join by one code, or work with one token, at most.
const MOST_MACHINES: u32 = 100_000;

/// Machines that work with a token unless its maker says for how many it is.
const USUAL_MACHINES: u32 = 16;

/// Machines of a join code in quarantine with which it lets no more in. One that breaks is chance.
const MOST_QUARANTINED: i64 = 2;

/// How long a page is signed in, in milliseconds: a week.
const PAGE_MS: i64 = 7 * 86_400_000;

/// Pages that are signed in with one token at most; the oldest goes.
const MOST_PAGES: u32 = 50;

/// Pages in a list at most.
const MOST_LISTED: u32 = 10_000;

impl Coordinator {
    /// A token that lives and dies with this process: nothing of it is stored.
    #[must_use]
    pub fn token_of_this_process(&self, name: &str, scopes: impl Into<Scopes>) -> Token {
        let token = Token::random();
        let caller = Caller {
            name: name.to_owned(),
            scopes: scopes.into(),
            token: Token::hash(token.reveal()),
            principal: Some(Principal::this_process()),
        };
        let mut known = self.inner.own_tokens.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        known.insert(caller.token.clone(), caller);
        token
    }

    /// Makes a token, in the name of `who`. Its secret is shown only now.
    ///
    /// # Errors
    /// When its name cannot be stored, it allows nothing, or the database fails.
    pub fn create_token(
        &self,
        request: TokenRequest,
        who: &str,
    ) -> Boxed<'static, Result<NewToken, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            let TokenRequest { name, scopes, expires_in_ms, machines } = request;
            let machines = machines.unwrap_or(USUAL_MACHINES);
            check_given("the token's name", &name)?;
            check_text("the token's name", &name, NAME)?;
            if scopes.is_empty() {
                return Err(CoordinatorError::Refused("a token needs a scope".into()));
            }
            if !(1..=MOST_MACHINES).contains(&machines) {
                return Err(CoordinatorError::Refused(format!(
                    "a token is for 1 to {MOST_MACHINES} machines"
                )));
            }
            let token = Token::random();
            let hash = Token::hash(token.reveal());
            let id = id_of(&hash);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
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
                    };
                    tx.insert_token(&row).await?;
                    tx.note_change(&who, ("token", &row.name, &detail), now_ms).await
                })
            });
            inner.writer.change(change).await?;
            inner.callers.admit(Shown::token(token.reveal()));
            Ok(NewToken { id, token: token.reveal().to_owned() })
        })
    }

    /// Every token, the newest first, without secrets.
    ///
    /// # Errors
    /// When the database fails.
    pub fn tokens(&self) -> Boxed<'static, Result<Vec<TokenLine>, CoordinatorError>> {
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
                machines: u32::try_from(row.machines).ok(),
                bound,
            };
            Ok(rows.into_iter().map(line).collect())
        })
    }

    /// Makes a token worth nothing, at once and on every coordinator of the database: that of this id, or the only
    /// one of this name that is worth something. What a machine holds that joined with it, and with no other, is free
    /// for others at once.
    ///
    /// # Errors
    /// When there is none or several, or the database fails.
    pub fn revoke_token(&self, key: &str, who: &str) -> Boxed<'static, Result<TokenLine, CoordinatorError>> {
        let (coordinator, key, who) = (self.clone(), key.to_owned(), who.to_owned());
        Box::pin(async move {
            let rows = coordinator.inner.store.read().await?.tokens().await?;
            let mut rows: Vec<TokenRow> = rows.into_iter().map(|(row, _)| row).collect();
            rows.retain(|row| row.revoked_ms.is_none() && (id_of(&row.hash) == key || row.name == key));
            let row = match (rows.pop(), rows.len()) {
                (Some(row), 0) => row,
                (None, _) => return Err(CoordinatorError::NotFound { kind: "token", key }),
                (Some(row), _) => {
                    let ids: Vec<String> = rows.iter().chain([&row]).map(|row| id_of(&row.hash)).collect();
                    return Err(CoordinatorError::Refused(format!(
                        "several tokens are called `{key}`: name one by its id, of {}",
                        ids.join(", ")
                    )));
                }
            };
            let id = id_of(&row.hash);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.revoke_token(&row.hash, now_ms).await?;
                    for worker in tx.workers_with_token(&row.hash).await? {
                        scheduling::take_all_back(&mut WriteBatch::new(tx, now_ms), worker).await?;
                    }
                    tx.note_change(&who, ("revoke", &row.name, &id_of(&row.hash)), now_ms).await
                })
            });
            coordinator.inner.writer.change(change).await?;
            coordinator.ask_everybody_again();
            let lines = coordinator.tokens().await?;
            let line = lines.into_iter().find(|line| line.id == id);
            line.ok_or(CoordinatorError::NotFound { kind: "token", key })
        })
    }

    /// Makes a code by which machines join, in the name of `who`.
    ///
    /// # Errors
    /// When it is for no machine or for ever, or the database fails.
    pub fn create_join_code(
        &self,
        request: JoinCodeRequest,
        who: &str,
    ) -> Boxed<'static, Result<JoinCode, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            let JoinCodeRequest { machines, expires_in_ms } = request;
            if !(1..=MOST_MACHINES).contains(&machines) || !(1..=LONGEST_CODE_MS).contains(&expires_in_ms) {
                return Err(CoordinatorError::Refused(format!(
                    "a code is for 1 to {MOST_MACHINES} machines, and for at most 31 days"
                )));
            }
            let code = Token::code();
            let hash = Token::code_hash(&code);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let expires_ms = now_ms.saturating_add_unsigned(expires_in_ms);
                    tx.insert_join_code(&hash, &who, machines, (now_ms, expires_ms)).await?;
                    let detail = format!("for {machines} machines, {} minutes", expires_in_ms / 60_000);
                    tx.note_change(&who, ("join code", "made", &detail), now_ms).await?;
                    Ok(expires_ms)
                })
            });
            let expires_ms = inner.writer.change(change).await?;
            let certificate_sha256 = inner.tls.as_ref().and_then(Tls::pin);
            Ok(JoinCode { code, expires_ms, machines, certificate_sha256 })
        })
    }

    /// Lets a machine in that shows a code: from now on the token whose digest it sends allows it to work. The same
    /// machine asking again with the same code and token gets the same answer. The token is for this machine only.
    ///
    /// # Errors
    /// When the code is worth nothing, the machine has a token that is worth something, or the database fails.
    pub fn join(&self, request: JoinRequest) -> Boxed<'static, Result<Joined, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move {
            let JoinRequest { code, worker, name, token_sha256: hash } = request;
            check_given("the machine's name", &name)?;
            check_text("the machine's name", &name, NAME)?;
            if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
                return Err(CoordinatorError::Refused("token_sha256 is no SHA-256 in hexadecimal".into()));
            }
            // Whoever shows what is worth nothing writes nothing.
            let token = Shown::Token(hash.clone());
            if coordinator.find(&Shown::code(&code)).await?.is_none()
                && coordinator.find(&token).await?.is_none()
            {
                return Err(CoordinatorError::BadCode);
            }
            let code = Token::code_hash(&code);
            let id = id_of(&hash);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    if let Some(known) = tx.token(&hash).await? {
                        let own = known.worker.is_none_or(|named| named == worker);
                        let fits = own && known.join_code.as_deref() == Some(&code) && known.is_valid(now_ms);
                        return Ok(if fits { Ok(()) } else { Err(CoordinatorError::BadCode) });
                    }
                    let before = tx.workers_before(&[worker]).await?.remove(&worker);
                    if let Some(why) = bound_elsewhere(tx, worker, before.as_ref(), now_ms).await? {
                        return Ok(Err(CoordinatorError::Forbidden(why)));
                    }
                    if tx.quarantined_by_code(&code).await? >= MOST_QUARANTINED {
                        let why = "several machines that joined with this code are in quarantine: it lets no more in";
                        return Ok(Err(CoordinatorError::Forbidden(format!(
                            "{why}; make another with `gauntlet token join`"
                        ))));
                    }
                    if !tx.use_join_code(&code, now_ms).await? {
                        return Ok(Err(CoordinatorError::BadCode));
                    }
                    let row = TokenRow {
                        hash,
                        name,
                        scopes: Scope::Work.into(),
                        created_ms: now_ms,
                        expires_ms: None,
                        revoked_ms: None,
                        join_code: Some(code),
                        machines: 1,
                        worker: Some(worker),
                    };
                    tx.insert_token(&row).await?;
                    let detail = format!("token {}", id_of(&row.hash));
                    let who = format!("machine {worker}");
                    tx.note_change(&who, ("join", &row.name, &detail), now_ms).await?;
                    Ok(Ok(()))
                })
            });
            let joined = coordinator.inner.writer.change(change).await?;
            if joined.is_ok() {
                coordinator.inner.callers.admit(token);
            }
            joined.map(|()| Joined { id })
        })
    }

    /// Whoever shows this token, if it is worth something now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn caller(&self, secret: &str) -> Result<Option<Caller>, StoreError> {
        self.find(&Shown::token(secret)).await
    }

    /// Signs a page in, in the name of whoever holds a token: gives the secret for its cookie, and for how many seconds
    /// it is worth something.
    pub(crate) async fn sign_in(&self, caller: &Caller) -> Result<(Token, i64), CoordinatorError> {
        let secret = Token::random();
        let (hash, token) = (Token::hash(secret.reveal()), caller.token.clone());
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                tx.insert_page(&hash, &token, (now_ms, now_ms.saturating_add(PAGE_MS)), MOST_PAGES).await
            })
        });
        self.inner.writer.change(change).await?;
        Ok((secret, PAGE_MS / 1000))
    }

    /// Ends what a page may do, at once here and within a second on other coordinators of the database.
    pub(crate) async fn sign_out(&self, page: &Shown) -> Result<(), CoordinatorError> {
        if let (Some(_), Shown::Page(hash)) = (self.find(page).await?, page.clone()) {
            self.inner
                .writer
                .change(changing(move |tx, _| Box::pin(async move { tx.end_page(&hash).await })))
                .await?;
            self.ask_everybody_again();
        }
        Ok(())
    }

    /// The pages that are signed in, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn pages(&self) -> Boxed<'static, Result<Vec<PageLine>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let rows = inner.store.read().await?.pages(inner.clock.now_ms(), MOST_LISTED).await?;
            Ok(rows.into_iter().map(line_of).collect())
        })
    }

    /// Signs the page with this id out, in the name of `who`.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn end_page(&self, id: &str, who: &str) -> Boxed<'static, Result<PageLine, CoordinatorError>> {
        let (coordinator, id, who) = (self.clone(), id.to_owned(), who.to_owned());
        Box::pin(async move {
            let inner = &coordinator.inner;
            let rows = inner.store.read().await?.pages(inner.clock.now_ms(), MOST_LISTED).await?;
            let row = rows.into_iter().find(|row| id_of(&row.hash) == id);
            let row = row.ok_or(CoordinatorError::NotFound { kind: "signed-in page", key: id })?;
            let line = line_of(row.clone());
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.end_page(&row.hash).await?;
                    tx.note_change(&who, ("sign out", &row.token.name, &id_of(&row.hash)), now_ms).await
                })
            });
            inner.writer.change(change).await?;
            coordinator.ask_everybody_again();
            Ok(line)
        })
    }

    /// Whoever shows this secret, if it is worth something now.
    pub(crate) async fn find(&self, shown: &Shown) -> Result<Option<Caller>, StoreError> {
        if let Shown::Token(hash) = shown
            && let Some(caller) = self.own_token(hash)
        {
            return Ok(Some(caller));
        }
        let clock = &self.inner.clock;
        self.inner.callers.find(&self.inner.store, shown, || clock.now_ms()).await
    }

    /// Whether a secret was worth something when it was last shown, or nobody need ask whether it is.
    pub(crate) fn is_proven(&self, shown: &Shown) -> bool {
        let own = matches!(shown, Shown::Token(hash) if self.own_token(hash).is_some());
        own || self.inner.callers.is_proven(shown, self.inner.clock.now_ms())
    }

    fn own_token(&self, hash: &str) -> Option<Caller> {
        let own = self.inner.own_tokens.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        own.get(hash).cloned()
    }

    /// Whether a token is one of this process, and stored nowhere.
    pub(crate) fn is_own(&self, caller: &Caller) -> bool {
        self.own_token(&caller.token).is_some()
    }
}

fn line_of(row: PageRow) -> PageLine {
    PageLine {
        id: id_of(&row.hash),
        token: id_of(&row.token.hash),
        name: row.token.name,
        signed_in_ms: row.created_ms,
        expires_ms: row.expires_ms,
    }
}
