//! The stones of a side that loops can go through at all, found for the whole board at once, a bit for each place.
//! Most searches for a ring end here: what is left around the new stone has too few stones.

use super::super::geometry::PADDED;
use super::super::stones::{Stones, Tables};

/// One bit for each place, the lowest first.
const WORDS: usize = PADDED.div_ceil(64);
type Places = [u64; WORDS];

/// Whether as many `stones` of `side`, that at `start` included, are connected with it by stones that each have two
/// neighbours which are not next to each other. The stone at `start` need not be there yet.
///
/// Every ring through `start` consists of such stones.
#[inline(never)]
pub(super) fn may_close<const W: usize>(stones: &Stones, side: usize, start: usize, count: u32) -> bool {
    let mut own = stones.of_side::<W>(side);
    own[start / 64] |= 1 << (start % 64);
    loop {
        let left = passable::<W>(&own);
        if left[start / 64] >> (start % 64) & 1 == 0 || number(&left) < count {
            return false;
        }
        if left == own {
            break;
        }
        own = left;
    }
    let mut reached = [0; WORDS];
    reached[start / 64] = 1 << (start % 64);
    loop {
        let more = spread::<W>(&reached, &own);
        if number(&more) >= count {
            return true;
        }
        if more == reached {
            return false;
        }
        reached = more;
    }
}

/// Of some stones those that a loop can go through: with two neighbours that are not next to each other.
#[inline(always)]
fn passable<const W: usize>(own: &Places) -> Places {
    std::array::from_fn(|word| {
        let near = |direction: usize| moved(own, word, Tables::<W>::DIRECTIONS[direction]);
        let [a, b, c, d, e, f] = [near(0), near(1), near(2), near(3), near(4), near(5)];
        own[word] & (a & (c | d | e) | b & (d | e | f) | c & (e | f) | d & f)
    })
}

/// Some stones of `own`, and those of `own` next to them.
#[inline(always)]
fn spread<const W: usize>(reached: &Places, own: &Places) -> Places {
    std::array::from_fn(|word| {
        let near = |direction: usize| moved(reached, word, Tables::<W>::DIRECTIONS[direction]);
        own[word] & (reached[word] | near(0) | near(1) | near(2) | near(3) | near(4) | near(5))
    })
}

/// A word of `places` moved so that each bit tells of the place at an offset, fewer than 64 places away.
#[inline(always)]
fn moved(places: &Places, word: usize, offset: isize) -> u64 {
    let by = offset.unsigned_abs() as u32;
    if offset > 0 {
        let next = if word + 1 < WORDS { places[word + 1] } else { 0 };
        places[word] >> by | next << (64 - by)
    } else {
        let before = if word > 0 { places[word - 1] } else { 0 };
        places[word] << by | before >> (64 - by)
    }
}

#[inline(always)]
fn number(places: &Places) -> u32 {
    places.iter().map(|word| word.count_ones()).sum()
}
