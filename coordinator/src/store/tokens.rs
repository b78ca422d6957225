//! Tokens, stored as digests.

use super::sql::{execute, row};
use super::{StoreError, Tx};

impl Tx {
    /// Stores the digest of a new token.
    pub(crate) async fn insert_token(
        &mut self,
        hash: &str,
        name: &str,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        execute!(
            &mut *self,
            "INSERT INTO token (hash, name, created_ms) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING",
            hash,
            name,
            now_ms,
        )?;
        Ok(())
    }

    /// The name of the token with this digest.
    pub(crate) async fn token_name(&mut self, hash: &str) -> Result<Option<String>, StoreError> {
        row!(&mut *self, |row| row.text("name"), "SELECT name FROM token WHERE hash = $1", hash)
    }
}
