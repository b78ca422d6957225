//! The ring search of the published program, unchanged: it finds rings and lassos.
//!
//! A lasso is a path of own stones from the new stone whose end is next to an earlier stone of the path. It has a loop
//! and a tail. The loop has enough stones, but the new stone may be on the tail. Permanent stones on the tail count
//! too. Where the loop meets the tail, it may turn sharply. The search also misses rings: where a stone ahead is on the
//! path already, it tries no further direction from that point, even if the loop is too short.

use super::super::permanent::Permanent;
use super::super::stones::neighbour;
use super::{Needs, RingSearch};

/// Steps after which a search gives up: several times as many as the longest search seen took. The published program
/// had no limit.
pub(super) const STEPS: u32 = 1_000_000;

impl RingSearch {
    /// Whether there is a lasso from `start` that meets `needs`: the stones are counted on the loop, the permanent
    /// stones on the whole path. The caller has gathered the group of `start`.
    pub(super) fn finds_lasso<const W: usize>(
        &mut self,
        start: usize,
        needs: Needs,
        permanent: &Permanent,
    ) -> bool {
        self.passed[start] = 1;
        let found = (0..4).any(|first| {
            self.links[start] >> first & 1 == 1
                && self.walk::<W>(neighbour::<W>(start, first), first, 2, needs, permanent)
        });
        self.passed[start] = 0;
        found
    }

    /// Extends the path with the stone at `here`, its `number`th, entered in `direction`. `needs.permanent` is the
    /// number of permanent stones that the path lacks so far.
    fn walk<const W: usize>(
        &mut self,
        here: usize,
        direction: usize,
        number: u16,
        mut needs: Needs,
        permanent: &Permanent,
    ) -> bool {
        self.steps += 1;
        if self.steps >= STEPS {
            return false;
        }
        needs.permanent = needs.permanent.saturating_sub(u32::from(permanent.is(here)));
        self.passed[here] = number;
        let mut found = false;
        // Left, straight on, right.
        for turn in [5, 0, 1] {
            let ahead = (direction + turn) % 6;
            if self.links[here] >> ahead & 1 == 0 {
                continue;
            }
            let next = neighbour::<W>(here, ahead);
            let passed = self.passed[next];
            if passed != 0 {
                found = u32::from(number + 1 - passed) >= needs.stones && needs.permanent == 0;
                break;
            }
            found = self.walk::<W>(next, ahead, number + 1, needs, permanent);
            if found {
                break;
            }
        }
        self.passed[here] = 0;
        found
    }
}
