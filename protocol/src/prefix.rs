//! Ids as people read and type them: their first digits.

use crate::ids::{CellId, ExperimentId, GameId, LeaseId, PlayerId, WorkerId};
use std::str::FromStr;
use thiserror::Error;
use uuid::Uuid;

/// Digits of an id in lists, at least.
const SHOWN: usize = 8;

/// Digits that name an id, at least.
const TYPED: usize = 4;

/// The beginning of an id: four or more hexadecimal digits, with or without the dashes of a whole id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdPrefix {
    first: Uuid,
    last: Uuid,
}

/// Text that is no beginning of an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("an id, or its first {TYPED} or more hexadecimal digits")]
pub struct NoIdPrefix;

impl IdPrefix {
    /// The first and the last id that begin so.
    #[must_use]
    pub fn range(&self) -> (Uuid, Uuid) {
        (self.first, self.last)
    }

    /// Whether it has as many digits as lists show, or more. Text of fewer digits that something has as its name means that thing.
    #[must_use]
    pub fn is_as_shown(&self) -> bool {
        let digits = (self.first.as_u128() ^ self.last.as_u128()).leading_zeros() / 4;
        digits as usize >= SHOWN
    }
}

/// Whether text is a whole id, in any of the ways to write one. Such text always means the id, so that nothing may have it as its name.
#[must_use]
pub fn is_whole_id(text: &str) -> bool {
    let text = text.trim();
    let is_whole = |prefix: IdPrefix| prefix.first == prefix.last;
    Uuid::parse_str(text).is_ok() || text.parse::<IdPrefix>().is_ok_and(is_whole)
}

impl FromStr for IdPrefix {
    type Err = NoIdPrefix;

    fn from_str(text: &str) -> Result<Self, NoIdPrefix> {
        let digits: String = text.chars().filter(|c| *c != '-').collect();
        let is_number = digits.chars().all(|c| c.is_ascii_hexdigit());
        if !is_number || !(TYPED..=32).contains(&digits.len()) || text.starts_with('-') {
            return Err(NoIdPrefix);
        }
        let filled = |with: char| {
            let number: String = digits.chars().chain(std::iter::repeat(with)).take(32).collect();
            u128::from_str_radix(&number, 16).map(Uuid::from_u128).map_err(|_| NoIdPrefix)
        };
        Ok(Self { first: filled('0')?, last: filled('f')? })
    }
}

/// The shortest beginning of each id that no other id of the list has, of eight digits or more.
#[must_use]
pub fn short(ids: &[Uuid]) -> Vec<String> {
    let digits: Vec<String> = ids.iter().map(|id| id.simple().to_string()).collect();
    let mut sorted: Vec<&String> = digits.iter().collect();
    sorted.sort_unstable();
    sorted.dedup();
    let shared = |a: &str, b: &str| a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let length = sorted.windows(2).map(|pair| shared(pair[0], pair[1]) + 1).max().unwrap_or(0).max(SHOWN);
    digits.iter().map(|digits| digits[..length.min(digits.len())].to_owned()).collect()
}

macro_rules! short {
    ($($name:ident)+) => {$(
        impl $name {
            /// The first eight digits, which mostly are enough to name it.
            #[must_use]
            pub fn short(&self) -> String {
                short(&[self.0]).concat()
            }
        }
    )+};
}
short!(CellId ExperimentId GameId LeaseId PlayerId WorkerId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_range_of_ids() {
        let range = |text: &str| text.parse().map(|prefix: IdPrefix| prefix.range());
        let id = |text: &str| text.parse::<Uuid>().expect("an id");
        assert_eq!(
            range("6F1c"),
            Ok((id("6f1c0000-0000-0000-0000-000000000000"), id("6f1cffff-ffff-ffff-ffff-ffffffffffff")))
        );
        let whole = id("6f1c0123-4567-89ab-cdef-0123456789ab");
        assert_eq!(range(&whole.to_string()), Ok((whole, whole)));
        assert_eq!(range("6f1c0123-4"), range("6f1c01234"));
        for wrong in ["", "6f1", "6f1g", "-6f1c", "node7", "6f1c0123-4567-89ab-cdef-0123456789ab0"] {
            assert_eq!(range(wrong), Err(NoIdPrefix), "{wrong}");
        }
    }

    #[test]
    fn ids_are_shortened_as_far_as_they_stay_apart() {
        let ids = [
            "6f1c0123-4567-89ab-cdef-0123456789ab",
            "6f1c0123-4568-89ab-cdef-0123456789ab",
            "0b5c0000-0000-0000-0000-000000000000",
        ];
        let ids = ids.map(|id| id.parse().expect("an id"));
        assert_eq!(short(&ids), ["6f1c01234567", "6f1c01234568", "0b5c00000000"]);
        assert_eq!(short(&ids[1..]), ["6f1c0123", "0b5c0000"]);
        assert_eq!(short(&[ids[0], ids[0]]), ["6f1c0123", "6f1c0123"], "the same id twice");
        assert!(short(&[]).is_empty());
    }
}
