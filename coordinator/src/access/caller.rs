//! A caller who was recognised by a token, and who needs none.

use crate::principal::Principal;
use crate::store::TokenRow;
use protocol::access::Scopes;

/// Who may see results without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpenResults {
    /// Nobody.
    #[default]
    ToNobody,
    /// Whoever calls this machine by a name of its own: a call through a proxy or by another name needs a token.
    ToThisMachine,
    /// Everybody.
    ToEverybody,
}

/// A caller who showed a token that is worth something.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    /// The digest of the token.
    pub(crate) token: String,
    /// Who answers for a machine that shows it; nobody for who shows none.
    pub(crate) principal: Option<Principal>,
}

impl Caller {
    /// Whoever holds this token.
    pub(crate) fn of(token: TokenRow) -> Self {
        let principal = Some(token.principal());
        Self { name: token.name, scopes: token.scopes, token: token.hash, principal }
    }
}
