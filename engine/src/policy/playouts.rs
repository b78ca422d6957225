//! How playouts are played when not uniformly at random by the plain rules.
//!
//! A move is, in this order, the reply that a mate in one forces; what stops the opponent's mate in one; the reply
//! that keeps a virtual connection; the last good reply; any empty cell. Random numbers: first one word if rings
//! count in some playouts only, then one word for every move that nothing else decides. Once no policy will choose a
//! move, at the beginning or after the last look for a mate, the rest is drawn as by [`Game::rollout`].

use super::mate_in_one::MateInOne;
use super::replies::GoodReplies;
use super::ring_rules::RingRules;
use super::vc_replies::VcReplies;
use crate::game::{Game, Winner};
use crate::havannah::{Board, Cell, Playout, Rings, Workspace, with_stride};
use crate::params::Params;
use crate::rng::Rng;
use crate::side::Side;

/// The policies that choose moves of playouts, and the rules for rings in them.
pub(super) struct Playouts {
    rings: RingRules,
    mate_in_one: Option<MateInOne>,
    vc_replies: Option<VcReplies>,
    replies: Option<GoodReplies>,
    work: Workspace,
}

impl Playouts {
    /// `None` if playouts are uniformly random by the rules of the game.
    pub(super) fn new(params: &Params) -> Option<Self> {
        let playouts = Self {
            rings: RingRules::new(params),
            mate_in_one: MateInOne::new(params),
            vc_replies: params.vc_replies.then(VcReplies::default),
            replies: GoodReplies::new(params.last_good_reply),
            work: Workspace::new(),
        };
        (playouts.choose() || playouts.rings.matter()).then_some(playouts)
    }

    /// Whether any move is chosen.
    fn choose(&self) -> bool {
        self.mate_in_one.is_some() || self.vc_replies.is_some() || self.replies.is_some()
    }

    pub(super) fn begin_search(&mut self) {
        if let Some(vc_replies) = &mut self.vc_replies {
            vc_replies.begin_search();
        }
        if let Some(replies) = &mut self.replies {
            replies.begin_search();
        }
    }

    pub(super) fn learns(&self) -> bool {
        self.replies.is_some()
    }

    pub(super) fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        if let Some(replies) = &mut self.replies {
            replies.learn(line, winner);
        }
    }

    /// Plays a board to the end.
    ///
    /// # Panics
    /// When the game is over, or the last move is none that was made.
    pub(super) fn play(
        &mut self,
        board: &mut Board,
        last: Option<Cell>,
        tree_plies: usize,
        rng: &mut Rng,
    ) -> Winner {
        assert!(board.winner().is_none(), "the game is over");
        assert!(last.is_none_or(|cell| board.owner(cell).is_some()), "the last move has left no stone");
        let rings = self.rings.draw(board.open_count(), tree_plies, rng);
        if !self.choose() && rings.are_plain(board.open_count()) {
            return board.rollout(rng);
        }
        with_stride!(board.stride(), W => self.play_strided::<W>(board, rings, last, rng))
    }

    fn play_strided<const W: usize>(
        &mut self,
        board: &mut Board,
        rings: Rings,
        last: Option<Cell>,
        rng: &mut Rng,
    ) -> Winner {
        let mut looks = self.mate_in_one.as_ref().map_or(0, |mate| mate.choices(board.size()));
        let mut playout = Playout::<W>::new(board, &mut self.work, rings, looks > 0);
        let replies = self.vc_replies.is_some() || self.replies.is_some();
        let mut last = last.map(|cell| playout.place(cell));
        let mut forced: Option<u16> = None;
        loop {
            if looks == 0 && forced.is_none() && !replies {
                // Nothing chooses any more.
                playout.play_out(rng);
                return playout.winner();
            }
            let mut choice = forced.take();
            if choice.is_none()
                && looks > 0
                && let Some(mate) = &self.mate_in_one
                && mate.can_look(last)
            {
                looks -= 1;
                if let Some(found) = mate.choose(&mut playout, last) {
                    (choice, forced) = (Some(found.place), found.reply);
                }
                if looks == 0 {
                    playout.stop_watching();
                }
            }
            if let (None, Some(last)) = (choice, last) {
                if let Some(vc_replies) = &mut self.vc_replies {
                    choice = vc_replies.reply(&playout, last);
                }
                if choice.is_none()
                    && let Some(replies) = &self.replies
                {
                    choice = replies.reply(&playout, last);
                }
            }
            let place = choice.unwrap_or_else(|| playout.random(rng));
            if playout.play(place) {
                return playout.winner();
            }
            last = Some(place);
        }
    }
}
