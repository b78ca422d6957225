//! The credentials of a machine that joined.

use serde::{Deserialize, Serialize};

/// The credentials of a machine that joined.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Credentials {
    /// The coordinator's address.
    pub coordinator: String,
    /// The machine's token.
    pub token: String,
    /// Digest of the code that the machine joined with.
    pub(crate) code_sha256: String,
    /// Whether the coordinator has accepted them.
    pub(crate) joined: bool,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Credentials for {}", self.coordinator)
    }
}
