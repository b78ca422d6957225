//! Secrets: tokens, and the codes by which machines join.

use protocol::hex::hex;
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// Crockford's letters and digits, which people do not mistake for each other.
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// The number of digits of a token's digest that serve as its id in lists.
const ID_DIGITS: usize = 12;

/// A secret of 256 bits, shown once. Only its digest is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new random secret.
    #[must_use]
    pub fn random() -> Self {
        // Three random UUIDs carry 366 random bits, of which the digest keeps 256.
        let mut digest = Sha256::new();
        for _ in 0..3 {
            digest.update(Uuid::new_v4().as_bytes());
        }
        Self(hex(&digest.finalize()))
    }

    /// A code by which machines join: 60 random bits, to be typed by people.
    pub(crate) fn code() -> String {
        let bits = Uuid::new_v4().as_u128();
        // Of a random UUID the last 62 bits are random.
        let letters: String =
            (0..12).map(|n| char::from(ALPHABET[((bits >> (5 * n)) & 31) as usize])).collect();
        format!("{}-{}-{}", &letters[..4], &letters[4..8], &letters[8..])
    }

    /// The digest of a code, however the code was typed.
    pub(crate) fn code_hash(code: &str) -> String {
        let typed = code.chars().filter(char::is_ascii_alphanumeric).map(|c| match c.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        });
        Self::hash(&format!("join {}", typed.take(64).collect::<String>()))
    }

    /// The secret itself, for the one place where it is shown or sent.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// The digest of a secret: its SHA-256 in hexadecimal.
    #[must_use]
    pub fn hash(secret: &str) -> String {
        hex(&Sha256::digest(secret.as_bytes()))
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

/// The id of a token in lists.
pub(crate) fn id_of(hash: &str) -> String {
    hash.chars().take(ID_DIGITS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_the_same_however_it_is_typed() {
        let code = Token::code();
        assert_eq!(code.len(), 14);
        let typed = code.to_lowercase().replace('-', " ").replace('0', "o").replace('1', "l");
        assert_eq!(Token::code_hash(&code), Token::code_hash(&typed));
        assert_ne!(Token::code_hash(&code), Token::code_hash(&Token::code()));
    }

    #[test]
    fn nothing_shows_a_token_by_accident() {
        let token = Token::random();
        assert!(!format!("{token:?}").contains(token.reveal()));
        assert_eq!((token.reveal().len(), Token::hash(token.reveal()).len()), (64, 64));
    }
}
