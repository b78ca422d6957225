//! What a search needs of a game: its rules, [`Game`], and its heuristics, [`Policy`]. Monte-Carlo tree search and the
//! solvers are written against these traits. Tests implement them with small games, on which all searches must agree
//! with brute force.

use super::params::SearchParams;
use super::slots::{BySlot, MAX_SLOTS, SlotSet};
use crate::rng::Rng;
use crate::side::Side;

/// The winning moves of one side, as far as a lookahead needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WinningMoves {
    /// There is none.
    None,
    /// There is exactly one.
    One(u16),
    /// There are two or more.
    Several {
        /// The lowest slot.
        first: u16,
        /// The highest slot.
        last: u16,
    },
}

/// How a position ended: the winner, or `None` for a draw.
pub type Winner = Option<Side>;

/// A two-player game in which a move fills a numbered slot that is never filled twice.
///
/// The search relies on these rules:
///
/// * Sides alternate, beginning with the position that the search is given. There is no pass.
/// * A game has at least one slot and at most `MAX_SLOTS`. Each move fills one, so a game ends after as many moves at
///   most.
/// * A position without an open slot is over. A full board without a winner is a draw.
/// * `open`, `open_count` and `to_move` agree with each other and with `winner` until the game is over.
///
/// A search of a game that breaks these rules may give any result or panic, but its memory accesses remain valid.
pub trait Game: Clone {
    /// Its heuristics.
    type Policy: Policy<Self>;

    /// Whether a move never gives the opponent a winning move that the opponent did not have before.
    const MOVES_HELP_ONLY_THEIR_SIDE: bool = false;

    /// The number of slots, at most [`MAX_SLOTS`]. Slots are numbered from 0.
    fn slots(&self) -> usize;

    /// Whose turn it is.
    fn to_move(&self) -> Side;

    /// The slots open to the side to move. Empty only when the game is over.
    fn open(&self) -> SlotSet;

    /// How many slots are not filled: those of [`Game::open`] until the game is over.
    fn open_count(&self) -> usize;

    /// How the game ended, once it has.
    fn winner(&self) -> Option<Winner>;

    /// Plays an open slot for the side to move. For any other slot it may panic, without changing the position.
    fn play_slot(&mut self, slot: u16);

    /// Plays several slots. Only the last may end the game.
    fn play_slots(&mut self, slots: impl Iterator<Item = u16>) {
        slots.for_each(|slot| self.play_slot(slot));
    }

    /// The open slots with which `side` would win at once if it were to move. With
    /// [`Game::MOVES_HELP_ONLY_THEIR_SIDE`], a move of the other side never adds one: it can only take one away.
    fn winning_moves(&self, side: Side) -> WinningMoves;

    /// Whether `side` could still win if the other side only passed from now on. If it could not, it cannot win by any
    /// play; if neither side could, the game is a draw. Always answering true is allowed. In a game that is over the
    /// answer has no meaning.
    fn could_win(&self, side: Side) -> bool {
        let _ = side;
        true
    }

    /// The symmetries of the position except the identity: for each, the image of every slot. A line of moves
    /// and the line of their images lead to positions of equal value. An empty list is always allowed.
    fn symmetries(&self) -> Vec<Vec<u16>> {
        Vec::new()
    }

    /// Plays uniformly random moves to the end of the game, and returns who won. May panic when the game is already
    /// over. Afterwards the position may only be used for [`Game::rollout_line`] and be assigned to.
    fn rollout(&mut self, rng: &mut Rng) -> Winner;

    /// Calls `f` with the side and the slot of every move of the last rollout, in order.
    fn rollout_line(&self, f: impl FnMut(Side, u16));
}

/// The parameters of a player of a game.
pub type ParamsOf<G> = <<G as Game>::Policy as Policy<G>>::Params;

/// What a search asks of a game's heuristics.
pub trait Policy<G: Game> {
    /// What a player may set: the parameters of the search, and those of these heuristics.
    type Params: Clone + AsRef<SearchParams> + AsMut<SearchParams>;

    /// The heuristics that `params` switch on.
    fn new(params: &Self::Params) -> Self;

    /// Whether [`Policy::knowledge`] writes any value.
    fn has_knowledge(&self) -> bool;

    /// Writes what knowledge adds to the value of each open slot of `position`, never less than 0 and never NaN. The
    /// values of other slots are arbitrary. `last` is the move that led to the position, if known.
    fn knowledge(&mut self, position: &G, last: Option<u16>, values: &mut BySlot);

    /// Called when a search begins: forgets what was learned from playouts before.
    fn begin_search(&mut self) {}

    /// Plays `position` to the end and returns who won. `last` is the move that led to the position, if known, and `tree_plies`
    /// is its distance from the root of the search. May panic when the game is over or the move `last` was not made.
    /// [`Game::rollout`] says what the position may be used for afterwards.
    fn rollout(&mut self, position: &mut G, last: Option<u16>, tree_plies: usize, rng: &mut Rng) -> Winner {
        let _ = (last, tree_plies);
        position.rollout(rng)
    }

    /// Whether searches call [`Policy::learn`].
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a playout that `winner` won. `line` is all its moves from the root of the search on.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        let _ = (line, winner);
    }

    /// For each open slot, an estimate of how many moves the nearer side still needs to win through it, if the game has
    /// such an estimate. The values of other slots are arbitrary. Proof-number searches can initialise leaves with it.
    fn distances(position: &G) -> Option<[u32; MAX_SLOTS]> {
        let _ = position;
        None
    }
}

/// No heuristics: all moves are equal until they are tried.
#[derive(Debug, Clone, Copy)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {
    type Params = SearchParams;

    fn new(_: &SearchParams) -> Self {
        Self
    }
    fn has_knowledge(&self) -> bool {
        false
    }
    fn knowledge(&mut self, _: &G, _: Option<u16>, _: &mut BySlot) {}
}
