//! Principals: the parties that are responsible for machines.

use protocol::ids::WorkerId;
use std::sync::Arc;

/// The principal of the coordinator's own process, the same after every start.
const THIS_PROCESS: &str = "this process";

/// The party that is responsible for a machine: the join code with which its token was issued, or else the token itself. All
/// machines of one principal are one witness and one source of failures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Principal(Arc<str>);

impl Principal {
    /// The principal with this digest, of a join code or a token.
    pub(crate) fn named(digest: &str) -> Self {
        Self(digest.into())
    }

    /// The coordinator's own process, which has another token after every start.
    pub(crate) fn this_process() -> Self {
        Self(THIS_PROCESS.into())
    }

    /// A machine without a known token: it is its own principal.
    pub(crate) fn of_worker(worker: WorkerId) -> Self {
        Self(worker.to_string().into())
    }

    /// Reads a stored principal. Rows from before there were principals have none.
    pub(crate) fn read(stored: Option<String>, worker: WorkerId) -> Self {
        stored.map_or_else(|| Self::of_worker(worker), |stored| Self(stored.into()))
    }

    /// The stored form.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}
