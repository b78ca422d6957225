//! A filter for ring searches: the stones of a side that loops can go through, computed for the whole board at once
//! with one bit for each place. Most searches end here, because too few such stones are connected with the new stone.

use super::super::places::{Places, WORDS};
use super::super::stones::{Stones, Tables};

/// Whether a ring of at least `count` stones of `side` may go through `start`, which may still be empty. Every stone of a ring
/// has two neighbours that are not next to each other. The answer is no if fewer than `count` such stones are connected
/// with `start`, with `start` included.
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

/// The stones of `own` that have two neighbours which are not next to each other.
#[inline(always)]
fn passable<const W: usize>(own: &Places) -> Places {
    std::array::from_fn(|word| {
        let near = |direction: usize| moved(own, word, Tables::<W>::DIRECTIONS[direction]);
        let [a, b, c, d, e, f] = [near(0), near(1), near(2), near(3), near(4), near(5)];
        own[word] & (a & (c | d | e) | b & (d | e | f) | c & (e | f) | d & f)
    })
}

/// The stones of `reached`, and the stones of `own` next to them.
#[inline(always)]
fn spread<const W: usize>(reached: &Places, own: &Places) -> Places {
    std::array::from_fn(|word| {
        let near = |direction: usize| moved(reached, word, Tables::<W>::DIRECTIONS[direction]);
        own[word] & (reached[word] | near(0) | near(1) | near(2) | near(3) | near(4) | near(5))
    })
}

/// A word of `places`, shifted so that the bit of each place tells about the place at `offset` from it. The offset is
/// shorter than 64.
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
