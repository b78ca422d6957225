//! A playout whose moves are chosen one at a time, or in which only some rings count. A playout that needs neither uses
//! [`Game::rollout`](crate::search::Game::rollout), which is several times as fast.

use super::board::Board;
use super::cell::Cell;
use super::draws::Draws;
use super::geometry::SURROUNDED;
use super::groups::Groups;
use super::outcome::{Outcome, WinKind};
use super::permanent::Permanent;
use super::rings::{Needs, RingSearch, Rings, may_close_again};
use super::stones::neighbour;
use super::threats::Threats;
use super::union_find::{self, PlayoutTask, UnionFind};
use crate::rng::Rng;
use crate::side::Side;

/// What playouts keep beside the board. All playouts of a search share one workspace.
pub(crate) struct Workspace {
    groups: Groups,
    threats: Threats,
    rings: RingSearch,
    permanent: Permanent,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self {
            groups: Groups::new(),
            threats: Threats::new(),
            rings: RingSearch::new(),
            permanent: Permanent::new(),
        }
    }
}

/// A playout on a board with stride `W`.
pub(crate) struct Playout<'a, const W: usize> {
    board: &'a mut Board,
    work: &'a mut Workspace,
    rings: Rings,
    first: Side,
    made: usize,
    /// Empty cells when the playout began.
    len: usize,
    /// Whether the playout tracks threats.
    tracks_threats: bool,
    /// Whether a side has closed a ring that did not count although others might: a later ring may close along that
    /// one.
    has_ring: [bool; 2],
}

/// [`Playout::play_out`] as a task.
struct Rest<'p, 'a, const W: usize> {
    playout: &'p mut Playout<'a, W>,
    rng: &'p mut Rng,
}

impl<const W: usize> PlayoutTask<W> for Rest<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    unsafe fn run<R: UnionFind>(self) {
        // SAFETY: `play_out_among` has the contract of `PlayoutTask::run`, which the caller keeps.
        unsafe { self.playout.play_out_among::<R>(self.rng) }
    }
}

/// The six cells around a cell as sets of directions, from the point of view of the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Surroundings {
    pub(crate) own: u8,
    pub(crate) empty: u8,
    pub(crate) outside: u8,
}

impl<'a, const W: usize> Playout<'a, W> {
    /// Begins a playout of a game that is not over, on a board with stride `W`. Only a `tracks_threats` playout tracks
    /// threats, which [`Playout::threats`] needs.
    pub(crate) fn new(
        board: &'a mut Board,
        work: &'a mut Workspace,
        mut rings: Rings,
        tracks_threats: bool,
    ) -> Self {
        // No ring counts where neither side can have enough permanent stones: sides alternate, so each has at most half
        // of the stones, rounded up.
        if board.plies().div_ceil(2) < rings.permanent as usize {
            rings.until = 0;
        }
        // A playout that panics leaves the board inconsistent. Marked as over, the board then refuses all moves.
        board.outcome = Some(Outcome::Draw);
        work.permanent.forget();
        if tracks_threats {
            work.groups.reset::<W>(&mut board.stones);
            work.threats.reset::<W>(board, rings);
        }
        Self {
            rings,
            first: board.to_move,
            made: 0,
            len: board.empty_count,
            tracks_threats,
            has_ring: [false; 2],
            board,
            work,
        }
    }

    /// The side to move: 0 for White, 1 for Black.
    #[inline(always)]
    pub(crate) fn side(&self) -> usize {
        // Computed, not kept in a field: a byte that is written and then read as a word would stall every move.
        (self.first.index() + self.made) & 1
    }

    /// Whether rings may count at this move.
    pub(crate) fn counts_rings(&self) -> bool {
        self.rings.needs(self.made).is_some()
    }

    /// A uniformly random empty place. Takes one word of `rng`.
    #[inline(always)]
    pub(crate) fn random(&self, rng: &mut Rng) -> u16 {
        let left = self.len - self.made;
        self.board.empties[rng.below(left as u32) as usize]
    }

    /// Plays random moves until the playout is over. They are drawn as in
    /// [`Game::rollout`](crate::search::Game::rollout).
    pub(crate) fn play_out(&mut self, rng: &mut Rng) {
        union_find::run(Rest { playout: self, rng });
    }

    /// [`Playout::play_out`] with the forest in memory, on any machine.
    #[cfg(test)]
    fn play_out_in_memory(&mut self, rng: &mut Rng) {
        union_find::run_in_memory(Rest { playout: self, rng });
    }

    /// [`Playout::play_out`] with the groups in the structure `R`.
    ///
    /// # Safety
    /// The contract of [`PlayoutTask::run`] holds.
    #[inline(always)]
    unsafe fn play_out_among<R: UnionFind>(&mut self, rng: &mut Rng) {
        debug_assert!(!self.tracks_threats);
        let (first, mover, other) = (self.made, self.side(), self.side() ^ 1);
        let stones = &mut self.board.stones;
        // SAFETY: `UnionFind::load` has the contract of `UnionFind`, which that of `PlayoutTask::run` includes.
        let (mut movers, mut others) =
            unsafe { (R::load(stones.parents(mover)), R::load(stones.parents(other))) };
        let mut draws = Draws::begin(self.board, first, rng);
        let mut at = first;
        // Each round plays one move of each side, so that no code asks which side moves. `Board::rollout_among` has a
        // loop of the same kind. One loop for both would take closures, which are not compiled for the instructions of
        // `R`.
        let last = loop {
            if at >= self.len {
                break None;
            }
            draws.go_on(self.board);
            // SAFETY: `play_drawn` needs a drawn move: `go_on` has drawn the moves `at` and `at + 1` if there are as
            // many. The contract of `PlayoutTask::run` includes that of `UnionFind`.
            if let Some(kind) = unsafe { self.play_drawn(mover, at, &mut movers) } {
                break Some((at, mover, kind));
            }
            if at + 1 >= self.len {
                break None;
            }
            // SAFETY: `play_drawn` needs a drawn move: `go_on` has drawn `at + 1`, which is below `len`. The contract
            // of `PlayoutTask::run` includes that of `UnionFind`.
            if let Some(kind) = unsafe { self.play_drawn(other, at + 1, &mut others) } {
                break Some((at + 1, other, kind));
            }
            at += 2;
        };
        self.made = last.map_or(self.len, |(at, ..)| at + 1);
        draws.settle(rng, self.made);
        self.end(
            last.map_or(Outcome::Draw, |(_, side, kind)| Outcome::Win { winner: Side::BOTH[side], kind }),
        );
    }

    /// Plays the move that was drawn for `at`. Returns the winning shape if the move wins.
    ///
    /// # Safety
    /// The move `at` was drawn in this playout and has not been played. `side` is 0 or 1. The contract of [`UnionFind`]
    /// holds.
    #[inline(always)]
    unsafe fn play_drawn<R: UnionFind>(&mut self, side: usize, at: usize, forest: &mut R) -> Option<WinKind> {
        // SAFETY: `place_among` needs an empty place. By the contract of `play_drawn`, the line has one at `at`: draws
        // are distinct places of empty cells, and the board of a `Playout<W>` has stride W.
        unsafe {
            let place = *self.board.line.get_unchecked(at);
            let won = self.board.stones.place_among::<W, R>(side, usize::from(place), forest);
            if !won && !self.has_ring[side] {
                return None;
            }
            self.made = at;
            // `win` reads the side's groups in memory.
            forest.store(self.board.stones.parents(side));
            self.win(place, won)
        }
    }

    #[inline(always)]
    pub(crate) fn place(&self, cell: Cell) -> u16 {
        self.board.geometry.place[cell.index()]
    }

    /// The cell at an on-board place.
    #[inline(always)]
    pub(crate) fn cell(&self, place: u16) -> Cell {
        self.board.geometry.cell_at(place)
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self, place: u16) -> bool {
        self.board.stones.is_empty(usize::from(place))
    }

    /// What the six cells around an on-board place hold.
    #[inline(always)]
    pub(crate) fn around(&self, place: u16) -> Surroundings {
        let at = usize::from(place);
        let stones = &self.board.stones;
        let (own, other) = (stones.own_around(self.side(), at), stones.own_around(self.side() ^ 1, at));
        let outside = self.board.geometry.outside[at];
        Surroundings { own, empty: !(own | other | outside) & SURROUNDED, outside }
    }

    /// The opponent's stones around a place as a set of directions. The place is on the board or next to it. (One byte
    /// of padding both ends a row and begins the next, but it never has neighbours on both sides: the rows that reach
    /// the left edge are above those that reach the right edge.)
    #[inline(always)]
    pub(crate) fn opponents_around(&self, place: u16) -> u8 {
        self.board.stones.own_around(self.side() ^ 1, usize::from(place))
    }

    /// Whether a place, on the board or next to it, is an empty cell.
    #[inline(always)]
    pub(crate) fn is_open(&self, place: u16) -> bool {
        self.board.geometry.inside[usize::from(place)] != 0 && self.is_empty(place)
    }

    /// The place next to another in a direction.
    #[inline(always)]
    pub(crate) fn neighbour(&self, place: u16, direction: usize) -> u16 {
        neighbour::<W>(usize::from(place), direction) as u16
    }

    /// The two lowest empty cells next to the opponent's group at `last` where the opponent would win, under the ring
    /// rules of this move.
    #[inline(always)]
    pub(crate) fn threats(&mut self, last: u16) -> [Option<u16>; 2] {
        debug_assert!(self.tracks_threats);
        let (needs, other) = (self.rings.needs(self.made), self.side() ^ 1);
        let Workspace { threats, rings, permanent, .. } = &mut *self.work;
        let board = &*self.board;
        if threats.none(other) {
            return [None; 2];
        }
        let root = board.stones.root(last);
        threats.of_group::<W>(&board.stones, other, root, |place| {
            would_count::<W>(board, self.made, needs, (rings, permanent), (other, place))
        })
    }

    /// The lowest and the highest empty cell where `side` wins, under the ring rules of this move. With
    /// `every_ring` every ring counts if any does. All calls in one playout must pass the same `every_ring`, because
    /// answers about cells that close no ring are cached.
    pub(crate) fn wins(&mut self, side: usize, every_ring: bool) -> Option<[u16; 2]> {
        debug_assert!(self.tracks_threats);
        let needs = self.rings.needs(self.made);
        let Workspace { threats, rings, permanent, .. } = &mut *self.work;
        let board = &*self.board;
        threats.of_side::<W>(&board.stones, side, |place| {
            if every_ring && needs.is_some() {
                // SAFETY: `would_win` needs an empty on-board place: `Threats::of_side` lists places of cells and asks
                // only about the empty ones. The board of a `Playout<W>` has stride W.
                unsafe { board.stones.would_win::<W>(side, place) }
            } else {
                would_count::<W>(board, self.made, needs, (rings, permanent), (side, place))
            }
        })
    }

    /// Whether an on-board place is on a corner or side.
    pub(crate) fn is_on_border(&self, place: u16) -> bool {
        self.board.geometry.marks[usize::from(place)] != 0
    }

    /// Whether the opponent has a winning cell next to its group at `last` if every ring counts. May err towards true.
    #[inline(always)]
    pub(crate) fn is_threatened(&mut self, last: u16) -> bool {
        debug_assert!(self.tracks_threats);
        let (other, stones) = (self.side() ^ 1, &self.board.stones);
        let threats = &mut self.work.threats;
        !threats.none(other) && threats.of_group::<W>(stones, other, stones.root(last), |_| true)[0].is_some()
    }

    /// Whether `place`, on the board or next to it, is an empty cell where the opponent would win. Every ring counts if
    /// any does at this move.
    pub(crate) fn would_lose(&self, place: u16) -> bool {
        debug_assert!(self.tracks_threats);
        if !self.is_open(place) {
            return false;
        }
        let (stones, other, at) = (&self.board.stones, self.side() ^ 1, usize::from(place));
        let loses = || {
            if self.counts_rings() {
                // SAFETY: `would_win` needs an empty on-board place, which `is_open` has checked. The board of a
                // `Playout<W>` has stride W.
                unsafe { stones.would_win::<W>(other, at) }
            } else {
                stones.would_connect::<W>(other, at)
            }
        };
        let listed = self.work.threats.lists(other, at);
        debug_assert!(listed || !loses());
        listed && loses()
    }

    /// Stops tracking threats. [`Playout::threats`] may not be called any more.
    #[inline(always)]
    pub(crate) fn stop_tracking_threats(&mut self) {
        self.tracks_threats = false;
    }

    /// Puts a stone of the side to move on `place`. True if that ends the playout.
    ///
    /// # Safety
    /// `place` is an empty on-board place.
    #[inline(always)]
    pub(crate) unsafe fn play(&mut self, place: u16) -> bool {
        let (at, side) = (usize::from(place), self.side());
        self.take(place);
        let won = if self.tracks_threats {
            // SAFETY: `put_tracked` has the contract of `play`.
            unsafe { self.put_tracked(side, place) }
        } else {
            // SAFETY: `Stones::place` needs an empty on-board place, which the contract of `play` gives. The board of a
            // `Playout<W>` has stride W.
            unsafe { self.board.stones.place::<W>(side, at) }
        };
        let kind = self.win(place, won);
        self.made += 1;
        if let Some(kind) = kind {
            self.end(Outcome::Win { winner: Side::BOTH[side], kind });
            return true;
        }
        if self.made == self.len {
            self.end(Outcome::Draw);
            return true;
        }
        false
    }

    /// [`Stones::place`](super::stones::Stones::place) that also updates groups and threats. Not inlined, because that
    /// would slow playouts that track no threats by a tenth.
    ///
    /// # Safety
    /// `place` is an empty on-board place.
    #[inline(never)]
    unsafe fn put_tracked(&mut self, side: usize, place: u16) -> bool {
        let Workspace { groups, threats, .. } = &mut *self.work;
        let Board { stones, geometry, .. } = &mut *self.board;
        let at = usize::from(place);
        // SAFETY: `join` has the contract of `Stones::place`: an empty on-board place, which the contract of
        // `put_tracked` gives, and the stride W, which the board of a `Playout<W>` has.
        let joined = unsafe { stones.join::<W>(side, at, groups.sizes()) };
        threats.update::<W>(stones, geometry, groups, (side, at), &joined);
        groups.join(&joined, place);
        joined.won
    }

    /// The shape with which the stone just put on `place` wins, if it does. `connected` tells whether the stone made a
    /// winning shape by the rules of the game, where every ring counts.
    #[inline(always)]
    fn win(&mut self, place: u16, connected: bool) -> Option<WinKind> {
        if connected {
            let kind = self.board.stones.shape(place);
            (kind != WinKind::Ring || self.ring_counts(place)).then_some(kind)
        } else if self.has_ring[self.side()] && self.may_close_again(place) {
            self.ring_counts(place).then_some(WinKind::Ring)
        } else {
            None
        }
    }

    /// Whether the stone just put on `place` may have closed a ring although it joined no group to itself.
    #[inline(always)]
    fn may_close_again(&self, place: u16) -> bool {
        may_close_again::<W>(&self.board.stones, self.side(), usize::from(place), self.rings.lassos)
    }

    /// The winner of the finished playout.
    pub(crate) fn winner(&self) -> Option<Side> {
        self.board.rollout_outcome().winner()
    }

    /// Moves a place from the empty places to the line.
    #[inline(always)]
    fn take(&mut self, place: u16) {
        let Board { empties, index, line, geometry, .. } = &mut *self.board;
        let last = empties[self.len - self.made - 1];
        let at = index[geometry.cell_at(place).index()];
        empties[usize::from(at)] = last;
        index[geometry.cell_at(last).index()] = at;
        line[self.made] = place;
    }

    /// Whether a ring that the stone at `place` closed counts. If it does not although others might, the playout
    /// remembers that the side has such a ring.
    #[cold]
    fn ring_counts(&mut self, place: u16) -> bool {
        let Some(needs) = self.rings.needs(self.made) else { return false };
        if needs.nothing() {
            return true;
        }
        let side = self.side();
        let Workspace { threats, rings, permanent, .. } = &mut *self.work;
        let Board { stones, geometry, line, .. } = &*self.board;
        if needs.permanent > 0 {
            permanent.learn(stones, geometry, &line[..=self.made]);
        }
        let counts = permanent.has(stones, side, &[stones.root(place)], needs.permanent)
            && rings.closes::<W>(stones, side, usize::from(place), needs, permanent);
        if !counts && !self.has_ring[side] {
            self.has_ring[side] = true;
            if self.tracks_threats {
                let left: &[u16] = &self.board.empties[..self.len - self.made - 1];
                threats.note_ring::<W>(stones, left, side);
            }
        }
        counts
    }

    fn end(&mut self, outcome: Outcome) {
        self.board.outcome = Some(outcome);
        self.board.rollout = (self.made, self.first);
    }
}

/// Whether a ring that `side` closes at the empty `place` meets `needs` after `made` moves of a playout.
#[inline(always)]
fn would_count<const W: usize>(
    board: &Board,
    made: usize,
    needs: Option<Needs>,
    (rings, permanent): (&mut RingSearch, &mut Permanent),
    (side, place): (usize, usize),
) -> bool {
    let Board { stones, geometry, line, .. } = board;
    match needs {
        None => false,
        Some(needs) if needs.nothing() => true,
        Some(needs) => {
            if needs.permanent > 0 {
                permanent.learn(stones, geometry, &line[..made]);
            }
            permanent.has(stones, side, stones.touched::<W>(side, place).roots(), needs.permanent)
                && rings.closes::<W>(stones, side, place, needs, permanent)
        }
    }
}

#[cfg(test)]
mod tests;
