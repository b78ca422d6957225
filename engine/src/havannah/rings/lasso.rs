//! The search for rings of the published program, as it was: it finds rings, and lassos too.
//!
//! A lasso is a path of own stones from the new one whose end is next to one of its stones. Its loop is as long as it
//! should be, but the new stone may be outside, on the tail; permanent stones on the tail count as well; and where the
//! loop meets the tail it may turn sharply. On the other hand a stone ahead that was passed before ends the look
//! around a stone, even if the loop there is too short and another stone ahead leads further.

use super::super::permanent::Permanent;
use super::super::stones::neighbour;
use super::{Needs, RingSearch};

/// Steps after which a search gives up, several times as many as any has been seen to take. The published program had
/// no limit.
pub(super) const STEPS: u32 = 1_000_000;

impl RingSearch {
    /// Whether there is a lasso from `start` whose loop has the stones, and whose path the permanent stones, that
    /// `needs` say. The group of `start` has been gathered.
    pub(super) fn finds_lasso<const W: usize>(
        &mut self,
        start: usize,
        needs: Needs,
        permanent: &Permanent,
    ) -> bool {
        self.passed[start] = 1;
        let found = (0..4).any(|first| {
            self.open[start] >> first & 1 == 1
                && self.walk::<W>(neighbour::<W>(start, first), first, 2, needs, permanent)
        });
        self.passed[start] = 0;
        found
    }

    /// Goes on from the stone at `here`, the path's number `number`, entered in `direction`. `needs` are what the path
    /// up to the stone before lacks.
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
            if self.open[here] >> ahead & 1 == 0 {
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
