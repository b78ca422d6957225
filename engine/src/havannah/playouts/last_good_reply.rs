//! Last good reply: a reply from an earlier playout that its side won is played again after the same move.

use super::policy::PlayoutPolicy;
use crate::havannah::cell::Cell;
use crate::havannah::params::{HeuristicParams, LastGoodReply};
use crate::havannah::playout::Playout;
use crate::rng::Rng;
use crate::search::MAX_SLOTS;
use crate::side::Side;

const NONE: u16 = u16::MAX;

/// Each side's replies, by the slot of the move that they answer.
pub(super) struct GoodReplies {
    replies: [[u16; MAX_SLOTS]; 2],
    forgets: bool,
}

impl PlayoutPolicy for GoodReplies {
    fn new(params: &HeuristicParams) -> Option<Self> {
        let forgets = match params.last_good_reply {
            LastGoodReply::Off => return None,
            LastGoodReply::Keep => false,
            LastGoodReply::Forget => true,
        };
        Some(Self { replies: [[NONE; MAX_SLOTS]; 2], forgets })
    }

    fn begin_search(&mut self) {
        self.replies = [[NONE; MAX_SLOTS]; 2];
    }

    /// The reply of the side to move to a stone at `last`, if there is a reply and its cell is empty.
    #[inline(always)]
    fn choose<const W: usize>(
        &mut self,
        playout: &mut Playout<'_, W>,
        last: Option<u16>,
        _: &mut Rng,
    ) -> Option<u16> {
        let slot = self.replies[playout.side()][playout.cell(last?).index()];
        if slot == NONE {
            return None;
        }
        let place = playout.place(Cell(slot));
        playout.is_empty(place).then_some(place)
    }

    fn learns(&self) -> bool {
        true
    }

    /// Learns from a line that `winner` won. The winner's replies replace older ones. If replies are forgotten, every
    /// move to which the loser replied loses its reply, even if the stored reply was another one.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
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
