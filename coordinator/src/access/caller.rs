//! An authenticated caller, and the rule for callers without a token.

use crate::principal::Principal;
use crate::store::TokenRow;
use protocol::access::Scopes;

/// The callers that may read results without a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OpenResults {
    /// No caller.
    #[default]
    ToNobody,
    /// Callers that reach this machine by one of its own names. A call through a proxy or by another name needs a
    /// token.
    ToThisMachine,
    /// Every caller.
    ToEverybody,
}

/// A caller with a valid token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Caller {
    pub(crate) name: String,
    pub(crate) scopes: Scopes,
    /// The digest of the token.
    pub(crate) token: String,
    /// The principal of a machine with this token; none for a caller without a token.
    pub(crate) principal: Option<Principal>,
}

impl Caller {
    /// The holder of this token.
    pub(crate) fn of(token: TokenRow) -> Self {
        let principal = Some(token.principal());
        Self { name: token.name, scopes: token.scopes, token: token.hash, principal }
    }
}
