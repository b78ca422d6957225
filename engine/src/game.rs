//! What a search needs of a game. Monte-Carlo tree search and the solvers are written against this trait;
//! tests implement it with an explicit tree, on which all of them must agree with brute force.

use crate::policy::Policy;
use crate::rng::Rng;
use crate::side::Side;

/// The most slots a game may have.
pub const MAX_SLOTS: usize = 288;

/// A set of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SlotSet {
    words: [u32; MAX_SLOTS / 32],
}

impl SlotSet {
    /// Adds a slot.
    #[inline(always)]
    pub fn insert(&mut self, slot: u16) {
        self.words[usize::from(slot) / 32] |= 1 << (slot % 32);
    }

    /// Removes a slot.
    #[inline(always)]
    pub fn remove(&mut self, slot: u16) {
        self.words[usize::from(slot) / 32] &= !(1 << (slot % 32));
    }

    /// Removes a slot, which may be none at all. Whether it was in the set.
    #[inline(always)]
    pub(crate) fn take(&mut self, slot: u16) -> bool {
        let Some(word) = self.words.get_mut(usize::from(slot) / 32) else { return false };
        let before = *word;
        *word = before & !(1 << (slot % 32));
        *word != before
    }

    /// Whether a slot is in the set.
    #[inline(always)]
    #[must_use]
    pub fn contains(&self, slot: u16) -> bool {
        self.words[usize::from(slot) / 32] >> (slot % 32) & 1 == 1
    }

    /// The lowest slot.
    #[inline(always)]
    #[must_use]
    pub fn first(&self) -> Option<u16> {
        first_of(&self.words)
    }

    /// Whether the set is empty.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words == [0; MAX_SLOTS / 32]
    }

    /// The number of slots in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// All slots as bits.
    pub(crate) fn words(&self) -> &[u32] {
        &self.words
    }

    /// The set whose [`SlotSet::words`] these are.
    pub(crate) fn of(words: [u32; MAX_SLOTS / 32]) -> Self {
        Self { words }
    }

    /// As [`SlotSet::contains`], for a slot that may be none at all.
    pub(crate) fn contains_checked(&self, slot: u16) -> bool {
        usize::from(slot) < MAX_SLOTS && self.contains(slot)
    }

    /// The slots, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|&w| w != 0)
                .map(move |w| (i * 32) as u16 + w.trailing_zeros() as u16)
        })
    }
}

/// The lowest slot of those whose bits are set in words.
#[inline(always)]
pub(crate) fn first_of(words: &[u32]) -> Option<u16> {
    let i = words.iter().position(|&word| word != 0)?;
    Some((i * 32) as u16 + words[i].trailing_zeros() as u16)
}

impl FromIterator<u16> for SlotSet {
    fn from_iter<I: IntoIterator<Item = u16>>(slots: I) -> Self {
        let mut set = Self::default();
        slots.into_iter().for_each(|slot| set.insert(slot));
        set
    }
}

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
