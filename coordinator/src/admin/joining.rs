//! Join codes, and the machines that join with them.

use crate::access::{SecretDigest, Tls, Token, id_of};
use crate::admission::check_name;
use crate::clock::long;
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::intake::bound_elsewhere;
use crate::store::TokenRow;
use crate::writer::changing;
use protocol::access::{
    JoinCode, JoinCodeRequest, JoinRequest, Joined, MOST_MACHINES, Scope, WithdrawRequest, Withdrawn,
};
use protocol::words::counted;

/// The longest life of a join code, in milliseconds: a month.
const LONGEST_CODE_MS: u64 = 31 * 86_400_000;

/// The number of machines of a join code in quarantine at which the code admits no more. A single broken machine is
/// chance.
const MOST_QUARANTINED: i64 = 2;

impl Coordinator {
    /// Makes a join code, in the name of `who`.
    ///
    /// # Errors
    /// When its number of machines or its life is out of range, or the database fails.
    pub fn create_join_code(
        &self,
        request: JoinCodeRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<JoinCode, CoordinatorError>> {
        let (inner, who) = (self.inner.clone(), who.to_owned());
        Box::pin(async move {
            let JoinCodeRequest { machines, expires_in_ms } = request;
            if !(1..=MOST_MACHINES).contains(&machines) || !(1..=LONGEST_CODE_MS).contains(&expires_in_ms) {
                return Err(CoordinatorError::Refused(format!(
                    "a code can be for 1 to {MOST_MACHINES} machines, and valid for at most 31 days"
                )));
            }
            let code = Token::code();
            let hash = Token::code_hash(&code);
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let expires_ms = now_ms.saturating_add_unsigned(expires_in_ms);
                    tx.insert_join_code(&hash, &who, machines, (now_ms, expires_ms)).await?;
                    let detail = format!(
                        "for {}, valid for {}",
                        counted(u64::from(machines), "machine"),
                        long(expires_in_ms as i64)
                    );
                    tx.note_change(&who, ("join code", "made", &detail), now_ms).await?;
                    Ok(expires_ms)
                })
            });
            let expires_ms = inner.writer.change(change).await?;
            let certificate_sha256 = inner.tls.as_ref().and_then(Tls::pin);
            Ok(JoinCode { code, expires_ms, machines, certificate_sha256 })
        })
    }

    /// Withdraws a code, or every code, in the name of `who`: no more machines join with it. Those that joined stay.
    ///
    /// # Errors
    /// When the code is not valid, or the database fails.
    pub fn withdraw_codes(
        &self,
        request: WithdrawRequest,
        who: &str,
    ) -> BoxFuture<'static, Result<Withdrawn, CoordinatorError>> {
        let (coordinator, who) = (self.clone(), who.to_owned());
        Box::pin(async move {
            let hash = request.code.as_deref().map(Token::code_hash);
            let is_one = hash.is_some();
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    let codes = tx.withdraw_codes(hash.as_deref(), now_ms).await?;
                    if codes > 0 {
                        let detail = counted(codes, "code");
                        tx.note_change(&who, ("join code", "withdrawn", &detail), now_ms).await?;
                    }
                    Ok(codes)
                })
            });
            let codes = coordinator.inner.writer.change(change).await?;
            coordinator.clear_caller_cache();
            if is_one && codes == 0 { Err(CoordinatorError::BadCode) } else { Ok(Withdrawn { codes }) }
        })
    }

    /// Admits a machine that shows a code: from now on the token whose digest it sends is valid for work, for this
    /// machine only. The same machine with the same code and token gets the same answer again.
    ///
    /// # Errors
    /// When the code is not valid, the machine has a valid token already, or the database fails.
    pub fn join(&self, request: JoinRequest) -> BoxFuture<'static, Result<Joined, CoordinatorError>> {
        let coordinator = self.clone();
        Box::pin(async move {
            let JoinRequest { code, worker, name, token_sha256: hash } = request;
            check_name("the machine's name", &name)?;
            if hash.len() != 64 || !hash.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b)) {
                return Err(CoordinatorError::Refused("token_sha256 is no SHA-256 in hexadecimal".into()));
            }
            // A caller with an invalid code causes no write.
            let token = SecretDigest::Token(hash.clone());
            if coordinator.find(&SecretDigest::code(&code)).await?.is_none()
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
                        used_ms: None,
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
}
