//! What a search needs of a game: its rules, [`Game`], and its heuristics, [`Policy`]. Monte-Carlo tree search and the
//! solvers are written against these traits; tests implement them with an explicit tree, on which all searches must
//! agree with brute force.

use super::params::SearchParams;
use super::slots::{BySlot, MAX_SLOTS, SlotSet};
use crate::rng::Rng;
use crate::side::Side;

/// Winning moves of one side as far as a lookahead needs them.
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
/// * Sides alternate, from the position that the search is given on. Nobody passes.
/// * A game has at least one slot and at most `MAX_SLOTS`. Each move fills one, so a game ends after as many moves at most.
/// * A position without an open slot is over. A full board that nobody has won is a draw.
/// * `open`, `open_count` and `to_move` agree with each other and with `winner`.
///
/// A search of a game that breaks these contracts may answer anything or panic; it reaches no memory but its own.
pub trait Game: Clone {
    /// Its heuristics.
    type Policy: Policy<Self>;

    /// Whether a move never gives the opponent a winning move that it had not before.
    const MOVES_HELP_ONLY_THEIR_SIDE: bool = false;

    /// Slots are numbered from 0 to one below this, at most [`MAX_SLOTS`].
    fn slots(&self) -> usize;

    /// Whose turn it is.
    fn to_move(&self) -> Side;

    /// Slots open to the side to move; empty only when the game is over.
    fn open(&self) -> SlotSet;

    /// How many slots are open.
    fn open_count(&self) -> usize;

    /// How the game ended, once it has.
    fn winner(&self) -> Option<Winner>;

    /// Plays an open slot for the side to move. May panic on any other, and leaves the position as it was then.
    fn play_slot(&mut self, slot: u16);

    /// Plays several, none of which but the last ends the game.
    fn play_slots(&mut self, slots: impl Iterator<Item = u16>) {
        slots.for_each(|slot| self.play_slot(slot));
    }

    /// Open slots with which `side`, were it to move, would win at once. A move of the other side never adds
    /// to them: it can only take one away.
    fn winning_moves(&self, side: Side) -> WinningMoves;

    /// Whether `side` could win a game not over yet if the other side only passed from now on. When it could
    /// not, no play at all makes it win; when neither could, the game is drawn. Always answering true is
    /// allowed. Once the game is over the answer means nothing.
    fn could_win(&self, side: Side) -> bool {
        let _ = side;
        true
    }

    /// Plays uniformly random moves to the end of a game not over yet, and returns who won. May panic when it is over.
    /// The position is over then, and only good for [`Game::rollout_line`] and for being assigned.
    fn rollout(&mut self, rng: &mut Rng) -> Winner;

    /// Calls `f` with side and slot of every move of the last rollout, in order.
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

    /// Whether [`Policy::knowledge`] ever says anything.
    fn has_knowledge(&self) -> bool;

    /// Writes what knowledge adds to the value of each open slot of `position`, never less than 0 and never NaN; other slots may hold anything. `last`
    /// is the move that led to it, if known.
    fn knowledge(&mut self, position: &G, last: Option<u16>, values: &mut BySlot);

    /// A search begins: what playouts taught before is forgotten.
    fn begin_search(&mut self) {}

    /// Plays `position`, not over yet, to the end and returns who won; see [`Game::rollout`] for what is left of it.
    /// `last` is the move that led to it, if known, and `tree_plies` its plies below the root of the search. May panic
    /// when the game is over or nobody made that move.
    fn rollout(&mut self, position: &mut G, last: Option<u16>, tree_plies: usize, rng: &mut Rng) -> Winner {
        let _ = (last, tree_plies);
        position.rollout(rng)
    }

    /// Whether [`Policy::learn`] wants to be told of playouts.
    fn learns(&self) -> bool {
        false
    }

    /// Learns from a playout that `winner` won: all its moves from the root of the search on.
    fn learn(&mut self, line: &[(Side, u16)], winner: Side) {
        let _ = (line, winner);
    }

    /// For each open slot the moves that whichever side is nearer still needs to win through it, if there is an
    /// estimate; other slots may hold anything. Proof-number searches can begin with it.
    fn distances(position: &G) -> Option<[u32; MAX_SLOTS]> {
        let _ = position;
        None
    }
}

/// No heuristics: all moves are alike until they are tried.
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
