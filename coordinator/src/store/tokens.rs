//! Tokens, join codes and sessions, all stored as digests.

use super::sql::{Columns, execute, row, rows};
use super::{StoreError, Tx};
use crate::principal::Principal;
use protocol::access::Scopes;
use protocol::ids::WorkerId;

/// A row of `token`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TokenRow {
    /// SHA-256 of the secret, in hexadecimal.
    pub(crate) hash: String,
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    pub(crate) created_ms: i64,
    pub(crate) expires_ms: Option<i64>,
    pub(crate) revoked_ms: Option<i64>,
    /// The digest of the join code with which its machine joined.
    pub(crate) join_code: Option<String>,
    /// The number of machines that may use it.
    pub(crate) machines: i64,
    /// The machine that joined with it, which alone may use it.
    pub(crate) worker: Option<WorkerId>,
    /// When it was used last, within ten minutes.
    pub(crate) used_ms: Option<i64>,
}

impl TokenRow {
    /// The principal of a machine with this token: the join code with which the token came, or else the token itself.
    pub(crate) fn principal(&self) -> Principal {
        Principal::named(self.join_code.as_ref().unwrap_or(&self.hash))
    }

    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            hash: row.text("hash")?,
            name: row.text("name")?,
            scopes: row.text("scopes")?.parse().map_err(StoreError::unreadable("token.scopes"))?,
            created_ms: row.bigint("created_ms")?,
            expires_ms: row.maybe_bigint("expires_ms")?,
            revoked_ms: row.maybe_bigint("revoked_ms")?,
            join_code: row.maybe_text("join_code")?,
            machines: row.bigint("machines")?,
            worker: row.maybe_uuid("worker")?.map(WorkerId),
            used_ms: row.maybe_bigint("used_ms")?,
        })
    }
}

impl TokenRow {
    /// Whether it is valid at this time.
    pub(crate) fn is_valid(&self, now_ms: i64) -> bool {
        self.revoked_ms.is_none() && self.expires_ms.is_none_or(|end| now_ms < end)
    }
}

/// A row of `page_session`, with the token whose rights the page has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageRow {
    /// SHA-256 of the secret in its cookie, in hexadecimal.
    pub(crate) hash: String,
    pub(crate) created_ms: i64,
    pub(crate) expires_ms: i64,
    pub(crate) token: TokenRow,
}

impl PageRow {
    fn from_row(row: &dyn Columns) -> Result<Self, StoreError> {
        Ok(Self {
            hash: row.text("page")?,
            created_ms: row.bigint("signed_in_ms")?,
            expires_ms: row.bigint("page_ends_ms")?,
            token: TokenRow::from_row(row)?,
        })
    }
}

impl Tx {
    /// Stores a new token.
    pub(crate) async fn insert_token(&mut self, token: &TokenRow) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO token (hash, name, scopes, created_ms, expires_ms, revoked_ms, join_code, machines, worker) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            token.hash.as_str(),
            token.name.as_str(),
            token.scopes.to_string(),
            token.created_ms,
            token.expires_ms,
            token.revoked_ms,
            token.join_code.as_deref(),
            token.machines,
            token.worker.map(|worker| worker.0),
        )?;
        Ok(())
    }

    /// The token with this digest, valid or not.
    pub(crate) async fn token(&mut self, hash: &str) -> Result<Option<TokenRow>, StoreError> {
        row!(&mut *self, TokenRow::from_row, "SELECT * FROM token WHERE hash = $1", hash)
    }

    /// A token of this name that is valid at this time.
    pub(crate) async fn valid_token_of(
        &mut self,
        name: &str,
        now_ms: i64,
    ) -> Result<Option<TokenRow>, StoreError> {
        row!(
            &mut *self,
            TokenRow::from_row,
            "SELECT * FROM token WHERE name = $1 AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > $2) \
             ORDER BY created_ms, hash LIMIT 1",
            name,
            now_ms
        )
    }

    /// The page with this digest.
    pub(crate) async fn page(&mut self, hash: &str) -> Result<Option<PageRow>, StoreError> {
        row!(
            &mut *self,
            PageRow::from_row,
            "SELECT page_session.hash AS page, page_session.created_ms AS signed_in_ms, \
             page_session.expires_ms AS page_ends_ms, token.* \
             FROM page_session JOIN token ON token.hash = page_session.token WHERE page_session.hash = $1",
            hash
        )
    }

    /// Pages that are signed in, the latest first.
    pub(crate) async fn pages(&mut self, now_ms: i64, most: u32) -> Result<Vec<PageRow>, StoreError> {
        rows!(
            &mut *self,
            PageRow::from_row,
            "SELECT page_session.hash AS page, page_session.created_ms AS signed_in_ms, \
             page_session.expires_ms AS page_ends_ms, token.* \
             FROM page_session JOIN token ON token.hash = page_session.token \
             WHERE page_session.expires_ms > $1 AND token.revoked_ms IS NULL \
             AND (token.expires_ms IS NULL OR token.expires_ms > $1) \
             ORDER BY page_session.created_ms DESC, page_session.hash LIMIT $2",
            now_ms,
            i64::from(most),
        )
    }

    /// Stores a session. Ended sessions are removed, and the oldest of a token that has more than `most`.
    pub(crate) async fn insert_page(
        &mut self,
        hash: &str,
        token: &str,
        (now_ms, expires_ms): (i64, i64),
        most: u32,
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM page_session WHERE expires_ms <= $1", now_ms)?;
        execute!(
            &mut *self,
            "DELETE FROM page_session WHERE token = $1 AND hash NOT IN (SELECT hash FROM page_session \
             WHERE token = $1 ORDER BY created_ms DESC, hash LIMIT $2)",
            token,
            i64::from(most) - 1,
        )?;
        execute!(
            &mut *self,
            "INSERT INTO page_session (hash, token, created_ms, expires_ms) VALUES ($1, $2, $3, $4)",
            hash,
            token,
            now_ms,
            expires_ms,
        )?;
        Ok(())
    }

    /// Ends a session.
    pub(crate) async fn end_page(&mut self, hash: &str) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM page_session WHERE hash = $1", hash)?;
        Ok(())
    }

    /// Whether a machine can join with this code.
    pub(crate) async fn is_live_code(&mut self, hash: &str, now_ms: i64) -> Result<bool, StoreError> {
        let live = row!(
            &mut *self,
            |row| row.text("hash"),
            "SELECT hash FROM join_code WHERE hash = $1 AND uses_left > 0 AND expires_ms >= $2",
            hash,
            now_ms
        )?;
        Ok(live.is_some())
    }

    /// Every token with the number of its machines, the newest first.
    pub(crate) async fn tokens(&mut self) -> Result<Vec<(TokenRow, u64)>, StoreError> {
        rows!(
            &mut *self,
            |row| Ok((TokenRow::from_row(row)?, row.count("bound")?)),
            "SELECT token.*, (SELECT COUNT(*) FROM worker WHERE worker.token = token.hash) AS bound FROM token \
             ORDER BY created_ms DESC, hash",
        )
    }

    /// Notes when tokens were used last.
    pub(crate) async fn note_uses(&mut self, uses: &[(String, i64)]) -> Result<(), StoreError> {
        for (hash, used_ms) in uses {
            execute!(
                &mut *self,
                "UPDATE token SET used_ms = $2 WHERE hash = $1 AND (used_ms IS NULL OR used_ms < $2)",
                hash.as_str(),
                *used_ms
            )?;
        }
        Ok(())
    }

    /// The number of machines of a join code that are in quarantine.
    pub(crate) async fn quarantined_by_code(&mut self, code: &str) -> Result<i64, StoreError> {
        let found = row!(
            &mut *self,
            |row| row.bigint("machines"),
            "SELECT COUNT(*) AS machines FROM worker WHERE principal = $1 AND quarantine IS NOT NULL",
            code,
        )?;
        Ok(found.unwrap_or_default())
    }

    /// Revokes a token, unless it was revoked before. The code with which its machine joined admits no more machines: this
    /// machine still has it.
    pub(crate) async fn revoke_token(&mut self, hash: &str, now_ms: i64) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "UPDATE token SET revoked_ms = $2 WHERE hash = $1 AND revoked_ms IS NULL",
            hash,
            now_ms,
        )?;
        execute!(
            &mut *self,
            "UPDATE join_code SET uses_left = 0 WHERE hash = (SELECT join_code FROM token WHERE hash = $1)",
            hash,
        )?;
        execute!(&mut *self, "DELETE FROM page_session WHERE token = $1", hash)?;
        Ok(())
    }

    /// Stores a new code, and removes those that have ended.
    pub(crate) async fn insert_join_code(
        &mut self,
        hash: &str,
        name: &str,
        machines: u32,
        (now_ms, expires_ms): (i64, i64),
    ) -> Result<(), StoreError> {
        execute!(&mut *self, "DELETE FROM join_code WHERE expires_ms < $1", now_ms)?;
        execute!(
            &mut *self,
            "INSERT INTO join_code (hash, name, created_ms, expires_ms, uses_left) VALUES ($1, $2, $3, $4, $5)",
            hash,
            name,
            now_ms,
            expires_ms,
            i64::from(machines),
        )?;
        Ok(())
    }

    /// Lets a code, or every code, admit no more machines; gives how many were valid.
    pub(crate) async fn withdraw_codes(
        &mut self,
        hash: Option<&str>,
        now_ms: i64,
    ) -> Result<u64, StoreError> {
        execute!(
            &mut *self,
            "UPDATE join_code SET uses_left = 0 WHERE uses_left > 0 AND expires_ms >= $1 AND ($2 IS NULL OR hash = $2)",
            now_ms,
            hash,
        )
    }

    /// Uses a code once; gives whether it was valid.
    pub(crate) async fn use_join_code(&mut self, hash: &str, now_ms: i64) -> Result<bool, StoreError> {
        let used = execute!(
            &mut *self,
            "UPDATE join_code SET uses_left = uses_left - 1 WHERE hash = $1 AND uses_left > 0 AND expires_ms >= $2",
            hash,
            now_ms,
        )?;
        Ok(used > 0)
    }
}
