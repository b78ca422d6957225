//! Keys of positions for transposition tables.
//!
//! Positions that a symmetry of the root maps to each other have the same value. They share a key, the least of the keys
//! of their images, so that a search solves only one of them.

use crate::rng::mix;
use crate::search::Game;
use crate::side::Side;

/// The key of a position and its images, relative to where the search began.
pub(super) type Key = u64;

/// The most symmetries of a root: those of a hexagon.
const MOST: usize = 12;

/// The sums of the words of a position's stones, for each image of the position.
#[derive(Clone, Copy, Default)]
pub(super) struct Images([u64; MOST]);

/// The contribution of each move to the keys.
///
/// In games of up to 40 slots the key spells out the moves since the root in base three: only images of each other share a
/// key. In larger games keys are sums of random words of 64 bits. A lookup then errs with a probability of the entries of the
/// table by 2⁶⁴: a thousand million lookups in 1 GiB contain an error with a probability of about 1/300, and with up to six
/// times that below a root with twelve symmetries.
pub(super) struct Keys {
    /// The words of each slot's images, for White and for Black.
    words: Vec<[Images; 2]>,
    /// The image of each slot for each symmetry of the root. The first symmetry changes nothing.
    images: Vec<Vec<u16>>,
}

/// 3⁴⁰ is the largest power of three below 2⁶⁴.
const EXACT_SLOTS: usize = 40;

impl Keys {
    /// The keys of a search below `root`.
    pub(super) fn of<G: Game>(root: &G) -> Self {
        let slots = root.slots();
        let mut images = vec![(0..slots as u16).collect::<Vec<u16>>()];
        images.extend(root.symmetries());
        assert!(images.len() <= MOST, "more symmetries than a hexagon has");
        let word = |slot: u16, side: u64| {
            if slots <= EXACT_SLOTS {
                (side + 1) * 3_u64.pow(slot.into())
            } else {
                mix(0x4861_7661_6e6e_6168 + 2 * u64::from(slot) + side)
            }
        };
        let words = |slot: usize| {
            [0, 1].map(|side| {
                let mut words = Images::default();
                for (image, sum) in images.iter().zip(&mut words.0) {
                    *sum = word(image[slot], side);
                }
                words
            })
        };
        Self { words: (0..slots).map(words).collect(), images }
    }

    /// The images' sums after a move.
    #[inline]
    pub(super) fn after(&self, position: &Images, side: Side, slot: u16) -> Images {
        let words = &self.words[usize::from(slot)][side.index()];
        Images(std::array::from_fn(|image| position.0[image].wrapping_add(words.0[image])))
    }

    /// The key of the position after a move.
    #[inline]
    pub(super) fn key_after(&self, position: &Images, side: Side, slot: u16) -> Key {
        let words = &self.words[usize::from(slot)][side.index()];
        let sums = position.0.iter().zip(&words.0).map(|(sum, word)| sum.wrapping_add(*word));
        sums.take(self.images.len()).min().expect("there is at least one image")
    }

    #[inline]
    pub(super) fn key(&self, position: &Images) -> Key {
        position.0[self.least(position)]
    }

    /// The slot of the image that the key belongs to, for a slot of the position.
    pub(super) fn stored_slot(&self, position: &Images, slot: u16) -> u16 {
        self.images[self.least(position)][usize::from(slot)]
    }

    /// The slot of the position, for a slot of the image that the key belongs to.
    pub(super) fn actual_slot(&self, position: &Images, slot: u16) -> u16 {
        let image = &self.images[self.least(position)];
        image.iter().position(|&of| of == slot).expect("a symmetry reaches every slot") as u16
    }

    /// The symmetry whose image has the least sum.
    #[inline]
    fn least(&self, position: &Images) -> usize {
        (0..self.images.len()).min_by_key(|&image| position.0[image]).expect("there is at least one image")
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
    use crate::havannah::{Board, BoardSize, Cell, canonical_position, images};
    use std::collections::HashMap;

    fn sums(keys: &Keys, line: &[(Side, u16)]) -> Images {
        line.iter().fold(Images::default(), |sums, &(side, slot)| keys.after(&sums, side, slot))
    }

    #[test]
    fn keys_are_shared_by_images_and_orders_of_moves_only() {
        let size = BoardSize::new(3).expect("size");
        let keys = Keys::of(&Board::new(size));
        assert_eq!(keys.images.len(), 12);
        let mut seen: HashMap<Key, [Vec<Cell>; 2]> = HashMap::new();
        for a in size.iter_cells() {
            for b in size.iter_cells().filter(|&b| b != a) {
                for c in size.iter_cells().filter(|&c| c != a && c != b) {
                    let slot = |cell: Cell| cell.index() as u16;
                    let line = [(Side::White, slot(a)), (Side::Black, slot(b)), (Side::White, slot(c))];
                    let before = sums(&keys, &line[..2]);
                    let key = keys.key(&sums(&keys, &line));
                    assert_eq!(keys.key_after(&before, Side::White, slot(c)), key);
                    let position = canonical_position(size, &[a, b, c]);
                    assert_eq!(*seen.entry(key).or_insert_with(|| position.clone()), position);
                }
            }
        }
        let positions: std::collections::HashSet<_> = seen.values().collect();
        assert_eq!(seen.len(), positions.len());
    }

    #[test]
    fn a_move_keeps_its_meaning_from_one_image_to_another() {
        let size = BoardSize::new(7).expect("size");
        let keys = Keys::of(&Board::new(size));
        let cells: Vec<Cell> = size.iter_cells().step_by(11).collect();
        let sums_of = |image: usize| {
            let slot = |cell: Cell| images(size, cell)[image].index() as u16;
            sums(&keys, &[(Side::White, slot(cells[0])), (Side::Black, slot(cells[1]))])
        };
        let stored = keys.stored_slot(&sums_of(0), cells[2].index() as u16);
        for image in 0..12 {
            assert_eq!(keys.key(&sums_of(image)), keys.key(&sums_of(0)));
            let moved = images(size, cells[2])[image].index() as u16;
            assert_eq!(keys.actual_slot(&sums_of(image), stored), moved);
        }
    }

    #[test]
    fn a_position_has_the_symmetries_that_its_stones_leave() {
        let size = BoardSize::new(4).expect("size");
        for (moves, symmetries) in [("", 12), ("d4", 12), ("a1", 2), ("a2", 1), ("a1 g7", 2), ("a1 b2 g7", 2)]
        {
            let cells = crate::havannah::Notation::Gui.read_list(size, moves).expect("cells");
            let board = Board::after(size, &cells).expect("legal");
            assert_eq!(Keys::of(&board).images.len(), symmetries, "{moves}");
        }
    }
}
