//! Keys of positions for transposition tables.

use crate::rng::mix;
use crate::search::Game;
use crate::side::Side;

/// The key of a position, relative to where the search began.
pub(super) type Key = u64;

/// The contribution of each move to the key.
///
/// In games of up to 40 slots the key is the position itself, written in base three, so that different positions have
/// different keys. In larger games keys are sums of random words. With 64 bits, a billion lookups contain an error with
/// probability 10⁻¹⁰.
pub(super) struct Keys {
    words: Vec<[u64; 2]>,
}

/// 3⁴⁰ is the largest power of three below 2⁶⁴.
const EXACT_SLOTS: usize = 40;

impl Keys {
    pub(super) fn of<G: Game>(game: &G) -> Self {
        let slots = game.slots();
        let word = |slot: usize, side: u64| {
            if slots <= EXACT_SLOTS {
                (side + 1) * 3_u64.pow(slot as u32)
            } else {
                mix(0x4861_7661_6e6e_6168 + 2 * slot as u64 + side)
            }
        };
        Self { words: (0..slots).map(|slot| [word(slot, 0), word(slot, 1)]).collect() }
    }

    /// The key after a move.
    #[inline]
    pub(super) fn after(&self, key: Key, side: Side, slot: u16) -> Key {
        key.wrapping_add(self.words[usize::from(slot)][side.index()])
    }
}

/// The home of a key among `places` places.
#[inline]
pub(super) fn home(key: Key, places: usize) -> usize {
    ((u128::from(mix(key)) * places as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::havannah::{Board, BoardSize};
    use std::collections::HashMap;

    #[test]
    fn positions_of_small_boards_have_keys_of_their_own_whatever_the_order_of_moves() {
        let size = BoardSize::new(3).expect("size");
        let keys = Keys::of(&Board::new(size));
        let mut seen: HashMap<Key, Vec<(Side, u16)>> = HashMap::new();
        let mut pairs = 0;
        for a in 0..19 {
            for b in (0..19).filter(|&b| b != a) {
                for c in (0..19).filter(|&c| c != a && c != b) {
                    let line = [(Side::White, a), (Side::Black, b), (Side::White, c)];
                    let key = line.iter().fold(0, |key, &(side, slot)| keys.after(key, side, slot));
                    let mut position = line.to_vec();
                    position.sort_by_key(|&(side, slot)| (side.index(), slot));
                    let known = seen.entry(key).or_insert_with(|| position.clone());
                    assert_eq!(*known, position);
                    pairs += 1;
                }
            }
        }
        assert_eq!(seen.len() * 2, pairs);
    }
}
