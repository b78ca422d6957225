//! Virtual connection replies: when the opponent plays into one of the two cells between two own stones, the playout
//! plays the other cell.

use super::policy::PlayoutPolicy;
use crate::havannah::params::HeuristicParams;
use crate::havannah::playout::Playout;
use crate::rng::Rng;

/// The policy, with the direction from which the next search around the opponent's stone starts.
pub(super) struct VcReplies {
    from: u32,
}

impl PlayoutPolicy for VcReplies {
    fn new(params: &HeuristicParams) -> Option<Self> {
        params.vc_replies.then_some(Self { from: 0 })
    }

    fn begin_search(&mut self) {
        self.from = 0;
    }

    /// The reply to `last`, if there is one: an empty cell next to `last` whose two neighbours around `last` are own or
    /// off the board. Each call starts from the next of the six directions, so that no direction is preferred when
    /// several cells qualify.
    #[inline(always)]
    fn choose<const W: usize>(
        &mut self,
        playout: &mut Playout<'_, W>,
        last: Option<u16>,
        _: &mut Rng,
    ) -> Option<u16> {
        let last = last?;
        let from = self.from;
        self.from = if from == 5 { 0 } else { from + 1 };
        let around = playout.around(last);
        let held = around.own | around.outside;
        let replies = around.empty & rotated(held, 1) & rotated(held, 5);
        (replies != 0).then(|| {
            let direction = (rotated(replies, 6 - from).trailing_zeros() + from) % 6;
            playout.neighbour(last, direction as usize)
        })
    }
}

/// A set of directions, rotated by some steps.
#[inline(always)]
fn rotated(directions: u8, steps: u32) -> u8 {
    let twice = u16::from(directions) << steps;
    (twice | twice >> 6) as u8 & 63
}
