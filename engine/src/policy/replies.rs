//! Last good reply: what answered a move in a playout that was won answers it again.

use crate::game::MAX_SLOTS;
use crate::havannah::{Cell, Playout};
use crate::params::LastGoodReply;
use crate::side::Side;

const NONE: u16 = u16::MAX;

/// Each side's replies by the slot of the move they answer.
pub(super) struct GoodReplies {
    replies: [[u16; MAX_SLOTS]; 2],
    forgets: bool,
}

impl GoodReplies {
    pub(super) fn new(mode: LastGoodReply) -> Option<Self> {
        let forgets = match mode {
            LastGoodReply::Off => return None,
            LastGoodReply::Keep => false,
            LastGoodReply::Forget => true,
        };
        Some(Self { replies: [[NONE; MAX_SLOTS]; 2], forgets })
    }

    pub(super) fn begin_search(&mut self) {
        self.replies = [[NONE; MAX_SLOTS]; 2];
    }

    /// The reply of the side to move to a stone at `last`, if there is one and its cell is empty.
    #[inline(always)]
    pub(super) fn reply<const W: usize>(&self, playout: &Playout<'_, W>, last: u16) -> Option<u16> {
        let slot = self.replies[playout.side()][playout.cell(last).index()];
        if slot == NONE {
            return None;
        }
        let place = playout.place(Cell(slot));
        playout.is_empty(place).then_some(place)
    }

    /// Learns from a line that `winner` won: each of its replies takes the place of an older one. Those of the loser,
    /// if replies are forgotten, leave none, even where the reply kept was another.
    pub(super) fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        for pair in line.windows(2) {
            let ((_, last), (side, reply)) = (pair[0], pair[1]);
            let kept = &mut self.replies[side.index()][usize::from(last)];
            if side == winner {
                *kept = reply;
            } else if self.forgets {
                *kept = NONE;
            }
        }
    }
}
