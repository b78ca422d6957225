//! Virtual connection replies: in a playout, when the opponent plays into one of the two cells between two own
//! stones, the other is played.

use super::policy::PlayoutPolicy;
use crate::havannah::params::HeuristicParams;
use crate::havannah::playout::Playout;

/// Where the look around the opponent's stone begins.
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

    /// The reply to `last`, if there is one: an empty cell next to it between two cells that are own or off the
    /// board. The look begins in another of the six directions every time, so that none is preferred where several
    /// qualify.
    #[inline(always)]
    fn choose<const W: usize>(&mut self, playout: &mut Playout<'_, W>, last: Option<u16>) -> Option<u16> {
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

/// Six directions turned by some steps.
#[inline(always)]
fn rotated(directions: u8, steps: u32) -> u8 {
    let twice = u16::from(directions) << steps;
    (twice | twice >> 6) as u8 & 63
}
