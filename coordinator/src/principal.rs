//! Who answers for a machine.

use protocol::ids::WorkerId;
use std::sync::Arc;

/// Tokens of the coordinator's own process, whichever process that was.
const THIS_PROCESS: &str = "this process";

/// Who answers for a machine: the join code by which its token came if one did, else the token itself. Several machines of
/// one principal are one witness and one source of failures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Principal(Arc<str>);

impl Principal {
    /// The principal of this name: a join code or a token, by its digest.
    pub(crate) fn named(digest: &str) -> Self {
        Self(digest.into())
    }

    /// The coordinator's own process, which shows another token after every start.
    pub(crate) fn this_process() -> Self {
        Self(THIS_PROCESS.into())
    }

    /// Of a machine of which no token is known: it answers for itself.
    pub(crate) fn of_worker(worker: WorkerId) -> Self {
        Self(worker.to_string().into())
    }

    /// As it is stored; nothing in rows that were written before there were principals.
    pub(crate) fn read(stored: Option<String>, worker: WorkerId) -> Self {
        stored.map_or_else(|| Self::of_worker(worker), |stored| Self(stored.into()))
    }

    /// As it is stored.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
