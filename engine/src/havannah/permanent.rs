//! The permanent stones, which were on the board before the playout. They are determined only when a ring needs them.

use super::geometry::{Geometry, PADDED};
use super::stones::Stones;

/// Permanent stones by place and by side.
pub(super) struct Permanent {
    known: bool,
    at: [bool; PADDED],
    of_side: [Vec<u16>; 2],
}

impl Permanent {
    pub(super) fn new() -> Self {
        Self { known: false, at: [false; PADDED], of_side: [Vec::new(), Vec::new()] }
    }

    /// Forgets the stones at the beginning of another playout.
    pub(super) fn forget(&mut self) {
        self.known = false;
    }

    /// Finds the permanent stones, unless they are known: all stones but those at `played`, the moves of the playout.
    pub(super) fn learn(&mut self, stones: &Stones, geometry: &Geometry, played: &[u16]) {
        if self.known {
            return;
        }
        self.known = true;
        self.at[..geometry.padded].fill(true);
        for &place in played {
            self.at[usize::from(place)] = false;
        }
        self.of_side.iter_mut().for_each(Vec::clear);
        for &place in &geometry.place {
            let at = usize::from(place);
            match stones.owner(place) {
                Some(side) if self.at[at] => self.of_side[side].push(place),
                _ => self.at[at] = false,
            }
        }
    }

    /// Whether the stone at an on-board place is permanent.
    #[inline(always)]
    pub(super) fn is(&self, place: usize) -> bool {
        self.at[place]
    }

    /// Whether the groups of `side` with these roots have at least `count` permanent stones.
    pub(super) fn has(&self, stones: &Stones, side: usize, roots: &[u16], count: u32) -> bool {
        let in_groups = |place: &&u16| roots.contains(&stones.root(**place));
        count == 0 || self.of_side[side].iter().filter(in_groups).nth(count as usize - 1).is_some()
    }
}
