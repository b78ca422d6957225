//! Which rings count in a playout, and the search for a ring that counts.
//!
//! A ring is a simple loop of own stones through the new stone. It turns by at most 60 degrees at every stone, the new
//! stone included. A ring counts if it has enough stones, and enough permanent stones besides the new one. If every
//! ring counts, the board detects rings without a search. Otherwise the board still tells which few stones need a
//! search.
//!
//! No fast algorithm is known for long loops in a graph. This search gives up after [`STEPS`] steps and then answers
//! no. So every ring that it reports is a ring, and it misses only rings that need more steps.
//!
//! The published program's search, which also accepts shapes that are no rings, is in `lasso`.

mod core;
mod lasso;

use super::geometry::PADDED;
use super::permanent::Permanent;
use super::stones::{Stones, Tables, neighbour};

/// The number of stones of the smallest ring.
pub(crate) const LEAST: u32 = 6;

/// Steps after which a search gives up.
const STEPS: u32 = 4000;
/// Steps after which every further step checks whether enough stones are still in reach.
const PRUNE_THRESHOLD: u32 = 60;

/// The conditions that a ring must meet to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The least number of stones.
    pub(crate) stones: u32,
    /// The least number of permanent stones besides the new one.
    pub(crate) permanent: u32,
    /// Whether a lasso counts as a ring.
    pub(crate) lassos: bool,
}

impl Needs {
    /// Whether every ring meets the conditions.
    #[inline(always)]
    pub(crate) fn nothing(self) -> bool {
        self.stones <= LEAST && self.permanent == 0
    }
}

/// The rules that tell which rings count in one playout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rings {
    /// The number of moves, from the first of the playout, in which rings count.
    pub(crate) until: usize,
    /// The least number of stones at the first move.
    pub(crate) stones: u32,
    /// Two periods, in moves. After each period a ring needs one more stone; 0 for never.
    pub(crate) growth: [usize; 2],
    /// The least number of permanent stones.
    pub(crate) permanent: u32,
    /// Whether searches accept lassos, as in the published program.
    pub(crate) lassos: bool,
}

impl Rings {
    /// The conditions for a ring after `made` moves of the playout; `None` if no ring counts.
    #[inline(always)]
    pub(crate) fn needs(&self, made: usize) -> Option<Needs> {
        if made >= self.until {
            return None;
        }
        let grown: usize = self.growth.iter().filter_map(|every| made.checked_div(*every)).sum();
        Some(Needs { stones: self.stones + grown as u32, permanent: self.permanent, lassos: self.lassos })
    }

    /// Whether every ring counts in a playout of at most `moves` moves.
    pub(crate) fn are_plain(&self, moves: usize) -> bool {
        self.until >= moves && !self.are_choosy()
    }

    /// Whether rings have conditions that may need a search.
    pub(crate) fn are_choosy(&self) -> bool {
        self.until > 0 && (self.stones > LEAST || self.growth != [0; 2] || self.permanent > 0)
    }
}

/// The search for rings. It is reused to keep its memory.
pub(super) struct RingSearch {
    /// By place, for the stones that a ring may go through: their own neighbours, as a set of directions.
    links: [u8; PADDED],
    /// Stones with an entry in `links`.
    members: Vec<u16>,
    stack: Vec<u16>,
    /// By place: the last `look` in which the place was reached.
    seen: [u32; PADDED],
    look: u32,
    steps: u32,
    /// By place: its position on the path, from 1; 0 off the path.
    passed: [u16; PADDED],
    /// The number of searches, and of those that gave up.
    #[cfg(test)]
    pub(super) made: u64,
    #[cfg(test)]
    pub(super) given_up: u64,
}

/// What is constant during one search.
#[derive(Clone, Copy)]
struct Search<'a> {
    start: usize,
    /// Direction of the first step.
    first: usize,
    needs: Needs,
    permanent: &'a Permanent,
}

impl RingSearch {
    pub(super) fn new() -> Self {
        Self {
            links: [0; PADDED],
            members: Vec::new(),
            stack: Vec::new(),
            seen: [0; PADDED],
            look: 0,
            steps: 0,
            passed: [0; PADDED],
            #[cfg(test)]
            made: 0,
            #[cfg(test)]
            given_up: 0,
        }
    }

    /// Whether a stone of `side` at `start` closes a ring that meets `needs`. The stone may be on the board already,
    /// but is not permanent. With lassos, the caller has checked that `start` closes a ring by the rules of the game,
    /// or that [`may_close_again`] is true for it.
    pub(super) fn closes<const W: usize>(
        &mut self,
        stones: &Stones,
        side: usize,
        start: usize,
        needs: Needs,
        permanent: &Permanent,
    ) -> bool {
        #[cfg(test)]
        {
            self.made += 1;
        }
        if !needs.lassos && needs.stones > LEAST && !core::may_close::<W>(stones, side, start, needs.stones) {
            return false;
        }
        self.gather::<W>(stones, side, start);
        self.steps = 0;
        let found = if needs.lassos {
            self.finds_lasso::<W>(start, needs, permanent)
        } else if self.strip::<W>(start, needs, permanent) {
            // The search may begin with either neighbour of `start` on the loop. Their directions differ by two or
            // more, so at least one is among the first four.
            (0..4).any(|first| {
                let search = Search { start, first, needs, permanent };
                self.links[start] >> first & 1 == 1 && self.step::<W>(&search, start, first, 1, 0)
            })
        } else {
            false
        };
        #[cfg(test)]
        {
            let most = if needs.lassos { lasso::STEPS } else { STEPS };
            self.given_up += u64::from(!found && self.steps >= most);
        }
        for &member in &self.members {
            self.links[usize::from(member)] = 0;
        }
        found
    }

    /// Fills `links` and `members` with the group of a stone at `start`, which may still be empty.
    fn gather<const W: usize>(&mut self, stones: &Stones, side: usize, start: usize) {
        self.members.clear();
        self.members.push(start as u16);
        self.links[start] = stones.own_around(side, start);
        let mut done = 0;
        while let Some(&place) = self.members.get(done) {
            done += 1;
            for direction in bits(self.links[usize::from(place)]) {
                let next = neighbour::<W>(usize::from(place), direction);
                if next != start && self.links[next] == 0 {
                    self.links[next] = stones.own_around(side, next);
                    self.members.push(next as u16);
                }
            }
        }
        // If `start` is empty, the patterns of its neighbours lack it.
        for direction in bits(self.links[start]) {
            self.links[neighbour::<W>(start, direction)] |= 1 << ((direction + 3) % 6);
        }
    }

    /// Removes, repeatedly, all stones without two neighbours that are not next to each other, because no loop goes
    /// through them. False if the rest cannot meet `needs`.
    fn strip<const W: usize>(&mut self, start: usize, needs: Needs, permanent: &Permanent) -> bool {
        self.stack.clear();
        let (links, members) = (&self.links, &self.members);
        self.stack.extend(members.iter().filter(|&&place| !is_passable(links[usize::from(place)])));
        while let Some(place) = self.stack.pop() {
            let around = std::mem::take(&mut self.links[usize::from(place)]);
            for direction in bits(around) {
                let next = neighbour::<W>(usize::from(place), direction);
                let before = self.links[next];
                let after = before & !(1 << ((direction + 3) % 6));
                self.links[next] = after;
                if is_passable(before) && !is_passable(after) {
                    self.stack.push(next as u16);
                }
            }
        }
        let left =
            self.members.iter().map(|&place| usize::from(place)).filter(|&place| self.links[place] != 0);
        let (count, kept) = left.fold((0, 0), |(count, kept), place| {
            (count + 1, kept + u32::from(place != start && permanent.is(place)))
        });
        self.links[start] != 0 && count >= needs.stones && kept >= needs.permanent
    }

    /// Extends the path from `place` in `direction`. True if it can be continued to a ring that meets the needs. The
    /// path up to `place` has `stones` stones, of which `permanent` are permanent.
    fn step<const W: usize>(
        &mut self,
        search: &Search<'_>,
        place: usize,
        direction: usize,
        stones: u32,
        permanent: u32,
    ) -> bool {
        let here = neighbour::<W>(place, direction);
        if here == search.start {
            let turn = (search.first + 6 - direction) % 6;
            return turn != 2
                && turn != 3
                && turn != 4
                && stones >= search.needs.stones
                && permanent >= search.needs.permanent;
        }
        self.steps += 1;
        if self.steps >= STEPS {
            return false;
        }
        let stones = stones + 1;
        let permanent = permanent + u32::from(search.permanent.is(here));
        if self.steps > PRUNE_THRESHOLD && !self.has_enough_in_reach::<W>(search, here, stones, permanent) {
            return false;
        }
        // A stone on the path has no entry in `links`, so that the path does not go through it twice.
        let around = std::mem::take(&mut self.links[here]);
        let found = [5, 0, 1].into_iter().any(|turn| {
            let direction = (direction + turn) % 6;
            let next = neighbour::<W>(here, direction);
            around >> direction & 1 == 1
                && (next == search.start || self.links[next] != 0)
                && self.step::<W>(search, here, direction, stones, permanent)
        });
        self.links[here] = around;
        found
    }

    /// Whether the path, together with all stones that can be reached from its end, meets the needs and leads back to
    /// the start.
    fn has_enough_in_reach<const W: usize>(
        &mut self,
        search: &Search<'_>,
        end: usize,
        mut stones: u32,
        mut permanent: u32,
    ) -> bool {
        self.look += 1;
        self.stack.clear();
        self.stack.push(end as u16);
        self.seen[end] = self.look;
        let mut returns = false;
        while let Some(place) = self.stack.pop() {
            for direction in bits(self.links[usize::from(place)]) {
                let next = neighbour::<W>(usize::from(place), direction);
                if next == search.start {
                    returns = true;
                } else if self.links[next] != 0 && self.seen[next] != self.look {
                    self.seen[next] = self.look;
                    stones += 1;
                    permanent += u32::from(search.permanent.is(next));
                    self.stack.push(next as u16);
                }
            }
            if returns && stones >= search.needs.stones && permanent >= search.needs.permanent {
                return true;
            }
        }
        false
    }
}

/// Whether a stone at `place` that joins no group to itself may still close a ring, along a ring that did not count.
/// This takes three consecutive own stones around `place`.
///
/// The published program went through the directions from the first to the last, skipped the direction after each
/// meeting with a group, and searched for a ring where it met the same group twice. So stones in the first and the last
/// direction counted as two meetings, although they are next to each other.
#[inline(always)]
pub(super) fn may_close_again<const W: usize>(
    stones: &Stones,
    side: usize,
    place: usize,
    lassos: bool,
) -> bool {
    let around = stones.own_around(side, place);
    Tables::<W>::AROUND[usize::from(around)].centres != 0 || (lassos && around & ENDS == ENDS)
}

/// The first and the last of the six directions.
const ENDS: u8 = 1 | 1 << 5;

/// The patterns with two stones that are not next to each other, as bits. A loop can go through the middle of these.
const PASSABLE: u64 = {
    let mut passable = 0;
    let mut pattern = 0;
    while pattern < 64_u64 {
        let mut d = 0;
        while d < 6 {
            let near = 1 << d | 1 << ((d + 1) % 6) | 1 << ((d + 5) % 6);
            if pattern >> d & 1 == 1 && pattern & !near != 0 {
                passable |= 1 << pattern;
            }
            d += 1;
        }
        pattern += 1;
    }
    passable
};

/// Whether a loop can go through the middle of a pattern.
#[inline(always)]
fn is_passable(around: u8) -> bool {
    PASSABLE >> around & 1 == 1
}

/// The directions in a set of directions.
#[inline(always)]
pub(super) fn bits(set: u8) -> Bits {
    Bits(set)
}

/// The iterator of [`bits`].
pub(super) struct Bits(u8);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        (self.0 != 0).then(|| {
            let first = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            first
        })
    }
}
