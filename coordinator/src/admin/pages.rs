//! The sessions of pages.

use super::fleet::find_digest;
use crate::access::{Caller, SecretDigest, Token, id_of};
use crate::coordinator::{BoxFuture, Coordinator};
use crate::error::CoordinatorError;
use crate::store::PageRow;
use crate::writer::changing;
use protocol::access::PageLine;

/// The length of a session, in milliseconds: a week.
const PAGE_MS: i64 = 7 * 86_400_000;

/// The most sessions of one token. One more ends the oldest.
const MOST_PAGES: u32 = 50;

/// The most pages that are signed in with tokens of this process. Beyond this number all have to sign in again.
const MOST_PAGES_HERE: usize = 1000;

/// The most sessions in a list.
const MOST_LISTED: u32 = 10_000;

impl Coordinator {
    /// Signs a page in for the holder of a token; gives the secret for its cookie, and the length of the session in
    /// seconds.
    pub(crate) async fn sign_in(&self, caller: &Caller) -> Result<(Token, i64), CoordinatorError> {
        let secret = Token::random();
        if self.is_own(caller) {
            let mut own = self.own_secrets();
            if own.len() >= MOST_PAGES_HERE {
                own.retain(|shown, _| !matches!(shown, SecretDigest::Page(_)));
            }
            own.insert(SecretDigest::page(secret.reveal()), caller.clone());
            return Ok((secret, PAGE_MS / 1000));
        }
        let (hash, token) = (Token::hash(secret.reveal()), caller.token.clone());
        let change = changing(move |tx, now_ms| {
            Box::pin(async move {
                tx.insert_page(&hash, &token, (now_ms, now_ms.saturating_add(PAGE_MS)), MOST_PAGES).await
            })
        });
        self.inner.writer.change(change).await?;
        Ok((secret, PAGE_MS / 1000))
    }

    /// Ends a session, at once here and within a second on other coordinators of the database.
    pub(crate) async fn sign_out(&self, page: &SecretDigest) -> Result<(), CoordinatorError> {
        if self.own_secrets().remove(page).is_some() {
            return Ok(());
        }
        if let (Some(_), SecretDigest::Page(hash)) = (self.find(page).await?, page.clone()) {
            self.inner
                .writer
                .change(changing(move |tx, _| Box::pin(async move { tx.end_page(&hash).await })))
                .await?;
            self.clear_caller_cache();
        }
        Ok(())
    }

    /// The present sessions, the latest first.
    ///
    /// # Errors
    /// When the database fails.
    pub fn pages(&self) -> BoxFuture<'static, Result<Vec<PageLine>, CoordinatorError>> {
        let inner = self.inner.clone();
        Box::pin(async move {
            let rows = inner.store.read().await?.pages(inner.clock.now_ms(), MOST_LISTED).await?;
            Ok(rows.into_iter().map(line_of).collect())
        })
    }

    /// Ends the session with this id, in the name of `who`.
    ///
    /// # Errors
    /// When there is none, or the database fails.
    pub fn end_page(&self, id: &str, who: &str) -> BoxFuture<'static, Result<PageLine, CoordinatorError>> {
        let (coordinator, id, who) = (self.clone(), id.to_owned(), who.to_owned());
        Box::pin(async move {
            let inner = &coordinator.inner;
            let rows = inner.store.read().await?.pages(inner.clock.now_ms(), MOST_LISTED).await?;
            let meant = find_digest(&id, rows.iter().map(|row| id_of(&row.hash)))?;
            let row = rows.into_iter().find(|row| Some(id_of(&row.hash)) == meant);
            let row = row.ok_or(CoordinatorError::unknown("signed-in page", id))?;
            let line = line_of(row.clone());
            let change = changing(move |tx, now_ms| {
                Box::pin(async move {
                    tx.end_page(&row.hash).await?;
                    tx.note_change(&who, ("sign out", &row.token.name, &id_of(&row.hash)), now_ms).await
                })
            });
            inner.writer.change(change).await?;
            coordinator.clear_caller_cache();
            Ok(line)
        })
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
