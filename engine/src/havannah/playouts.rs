//! Playouts with policies and ring rules. Other playouts are uniformly random by the rules of the game.
//!
//! The policies of the list below are asked in order, and the first one that has a move chooses it. If none has a move,
//! the move is a random empty cell. A playout takes random words as follows: one word if rings count in some playouts
//! only, then for every move the words that policies take, and one if no policy chooses it. Once no policy can choose a
//! move any more, the other moves are drawn as in [`Game::rollout`].
//!
//! A policy consists of one file that implements [`PlayoutPolicy`], one line of the list, and its rows in the table of
//! parameters.

mod last_good_reply;
mod mate_in_one;
mod policy;
mod ring_rules;
mod vc_replies;

use super::board::Board;
use super::cell::{BoardSize, Cell};
use super::geometry::with_stride;
use super::params::HeuristicParams;
use super::playout::{Playout, Workspace};
use super::rings::Rings;
use crate::rng::Rng;
use crate::search::{Game, Winner};
use crate::side::Side;
use policy::PlayoutPolicy;
use ring_rules::RingRules;

/// Declares the policies, in the order in which they are asked.
macro_rules! policies {
    ($($policy:ident: $Policy:ty;)+) => {
        /// The policies that a player has switched on.
        struct Policies { $($policy: Option<$Policy>),+ }

        impl Policies {
            fn new(params: &HeuristicParams) -> Self {
                Self { $($policy: <$Policy>::new(params)),+ }
            }

            fn are_any(&self) -> bool {
                $(self.$policy.is_some())||+
            }

            fn begin_search(&mut self) {
                $(self.$policy.iter_mut().for_each(PlayoutPolicy::begin_search);)+
            }

            fn begin_playout(&mut self, size: BoardSize) {
                $(self.$policy.iter_mut().for_each(|policy| policy.begin_playout(size));)+
            }

            fn need_threats(&self) -> bool {
                $(self.$policy.as_ref().is_some_and(PlayoutPolicy::needs_threats))||+
            }

            #[inline(always)]
            fn may_choose(&self) -> bool {
                $(self.$policy.as_ref().is_some_and(PlayoutPolicy::may_choose))||+
            }

            #[inline(always)]
            fn choose<const W: usize>(
                &mut self,
                playout: &mut Playout<'_, W>,
                last: Option<u16>,
                rng: &mut Rng,
            ) -> Option<u16> {
                $(if let Some(policy) = &mut self.$policy
                    && let Some(place) = policy.choose(playout, last, rng)
                {
                    return Some(place);
                })+
                None
            }

            fn learn_from_playouts(&self) -> bool {
                $(self.$policy.as_ref().is_some_and(PlayoutPolicy::learns))||+
            }

            fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
                $(self.$policy.iter_mut().for_each(|policy| policy.learn(line, winner));)+
            }
        }
    };
}

policies! {
    mate_in_one: mate_in_one::MateInOne;
    vc_replies: vc_replies::VcReplies;
    last_good_reply: last_good_reply::GoodReplies;
}

/// The playout policies and ring rules of a player.
pub(super) struct Playouts {
    rings: RingRules,
    policies: Policies,
    work: Workspace,
}

/// Whether playouts under `params` differ from uniformly random ones by the rules of the game.
pub(super) fn are_special(params: &HeuristicParams) -> bool {
    Policies::new(params).are_any() || RingRules::new(params).matter()
}

impl Playouts {
    /// `None` if playouts are uniformly random by the rules of the game.
    pub(super) fn new(params: &HeuristicParams) -> Option<Self> {
        are_special(params).then(|| Self {
            rings: RingRules::new(params),
            policies: Policies::new(params),
            work: Workspace::new(),
        })
    }

    pub(super) fn begin_search(&mut self) {
        self.policies.begin_search();
    }

    pub(super) fn learns(&self) -> bool {
        self.policies.learn_from_playouts()
    }

    pub(super) fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        self.policies.learn(line, winner);
    }

    /// Plays a game to the end. `last` is the last move, if known, and `tree_plies` the number of moves in the tree.
    ///
    /// # Panics
    /// When the game is over, or `last` has no stone.
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
        if !self.policies.are_any() && rings.are_plain(board.open_count()) {
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
        self.policies.begin_playout(board.size());
        let mut playout = Playout::<W>::new(board, &mut self.work, rings, self.policies.need_threats());
        let mut last = last.map(|cell| playout.place(cell));
        while self.policies.may_choose() {
            let place = match self.policies.choose(&mut playout, last, rng) {
                Some(place) => {
                    assert!(playout.is_open(place), "a playout policy chose a place that is no empty cell");
                    place
                }
                None => playout.random(rng),
            };
            // SAFETY: `play` needs an empty on-board place. `is_open` has checked a chosen one; `random` gives one.
            if unsafe { playout.play(place) } {
                return playout.winner();
            }
            last = Some(place);
        }
        playout.play_out(rng);
        playout.winner()
    }
}
