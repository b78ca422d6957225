//! What a worker shows to be let in.

use sha2::{Digest, Sha256};
use uuid::Uuid;

/// A secret of 256 bits, shown once. Only its digest is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one.
    #[must_use]
    pub fn random() -> Self {
        // Three random UUIDs carry 366 random bits, of which the digest keeps 256.
        let mut digest = Sha256::new();
        for _ in 0..3 {
            digest.update(Uuid::new_v4().as_bytes());
        }
        Self(hex(&digest.finalize()))
    }

    /// The secret itself, for the one place where it is shown or sent.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What is stored and compared of a secret.
    pub(crate) fn hash(secret: &str) -> String {
        hex(&Sha256::digest(secret.as_bytes()))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
