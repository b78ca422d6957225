//! The RAVE credit of one simulation: which slots each side filled, and how often this side won.

use super::game::Game;
use super::lanes::MOST_LANES;
use super::params::SearchParams;
use super::slots::MAX_SLOTS;
use super::snapshot_bytes::{Reader, mismatch, put, put_words};
use crate::side::Side;
use std::io::{self, Write};

/// The RAVE counters of a node with r empty slots are updated while 50·r·k exceeds its playouts.
pub(super) const RAVE_UPDATES_PER_EMPTY: f32 = 50.0;

/// What one simulation adds to each slot's RAVE counters.
#[repr(C, align(64))]
pub(crate) struct Credit {
    /// For counters of a byte: playouts in the low byte, wins in the high byte. Valid only while both are below 256.
    pub(crate) bytes: [u16; MAX_SLOTS],
    /// For wider counters: playouts in the low half, wins in the high half.
    pub(crate) halves: [u32; MAX_SLOTS],
}

impl Credit {
    pub(crate) const NONE: Self = Self { bytes: [0; MAX_SLOTS], halves: [0; MAX_SLOTS] };
}

/// The credit of both sides, summed over the rollouts of a simulation.
pub(crate) struct Credits {
    by_side: [Credit; 2],
    slots: usize,
    any: bool,
    /// The move list of the thesis' program, which outlives simulations. `None` entries were never written.
    stale: Option<Vec<Option<(Side, u16)>>>,
    /// How many entries of `stale` the last line read.
    read: usize,
}

impl Credits {
    pub(crate) fn new(params: &SearchParams, slots: usize) -> Self {
        let stale = params.overwrites_tree_moves().then(|| vec![None; slots]);
        Self { by_side: [Credit::NONE; 2], slots, any: false, stale, read: 0 }
    }

    /// Writes the state that outlives a simulation: the list of the thesis' program, if there is one.
    pub(super) fn snapshot(&self, out: &mut dyn Write) -> io::Result<()> {
        let entry = |entry: &Option<(Side, u16)>| match entry {
            None => u32::MAX,
            Some((side, slot)) => u32::from(*slot) << 1 | side.index() as u32,
        };
        let list: Vec<u32> = self.stale.iter().flatten().map(entry).collect();
        put_words(out, &list)?;
        put(out, self.read as u32)
    }

    /// Reads what [`Credits::snapshot`] wrote.
    pub(super) fn restore(&self, input: &mut Reader<'_>) -> io::Result<Self> {
        let list = input.words()?;
        let read = input.u32()? as usize;
        if list.len() != self.stale.as_ref().map_or(0, Vec::len) || read > list.len() {
            return Err(mismatch());
        }
        let entry = |word: u32| match word {
            u32::MAX => Ok(None),
            word if ((word >> 1) as usize) < self.slots => {
                Ok(Some((Side::BOTH[word as usize & 1], (word >> 1) as u16)))
            }
            _ => Err(mismatch()),
        };
        let list: Vec<_> = list.into_iter().map(entry).collect::<Result<_, _>>()?;
        let stale = self.stale.is_some().then_some(list);
        Ok(Self { by_side: [Credit::NONE; 2], slots: self.slots, any: false, stale, read })
    }

    /// Credit of the moves of one side.
    #[inline(always)]
    pub(crate) fn of(&self, side: Side) -> &Credit {
        &self.by_side[side.index()]
    }

    /// Computes the credit for counters of a byte, after all lines were added.
    #[inline(always)]
    pub(crate) fn narrow(&mut self) {
        let slots = self.slots.next_multiple_of(MOST_LANES);
        for Credit { bytes, halves } in &mut self.by_side {
            bytes[..slots].iter_mut().zip(&halves[..slots]).for_each(|(byte, &half)| {
                *byte = (half | half >> 8) as u16;
            });
        }
    }

    /// Whether any line was credited since the last [`Credits::clear`].
    pub(crate) fn any(&self) -> bool {
        self.any
    }

    pub(crate) fn clear(&mut self) {
        if self.any {
            let slots = self.slots;
            self.by_side.iter_mut().for_each(|credit| credit.halves[..slots].fill(0));
            self.any = false;
        }
    }

    /// Credits every move of a line that `winner` won: the moves in the tree, the first of which `first` made, then
    /// those of the rollout that ended on `board`.
    pub(crate) fn add_line<G: Game>(
        &mut self,
        first: Side,
        tree_line: impl ExactSizeIterator<Item = u16>,
        board: Option<&G>,
        winner: Side,
    ) {
        self.any = true;
        if let Some(mut list) = self.stale.take() {
            self.add_thesis_line(&mut list, first, tree_line, board, winner);
            self.stale = Some(list);
            return;
        }
        let mut side = first;
        for slot in tree_line {
            self.add(side, slot, winner);
            side = side.other();
        }
        if let Some(board) = board {
            board.rollout_line(|side, slot| self.add(side, slot, winner));
        }
    }

    #[inline(always)]
    fn add(&mut self, side: Side, slot: u16, winner: Side) {
        let won = u32::from(side == winner);
        self.by_side[side.index()].halves[usize::from(slot)] += 1 | won << 16;
    }

    /// Writes the moves of a playout from the root of the search on into `line`. With the thesis' defect, these are the
    /// moves credited last.
    pub(crate) fn copy_line<G: Game>(
        &self,
        first: Side,
        tree_line: impl Iterator<Item = u16>,
        board: &G,
        line: &mut Vec<(Side, u16)>,
    ) {
        line.clear();
        // Without RAVE nothing is credited, so that nothing was read.
        if let Some(list) = self.stale.as_ref().filter(|_| self.read > 0) {
            line.extend(list[..self.read].iter().flatten());
            return;
        }
        let sides = [first, first.other()];
        line.extend(tree_line.enumerate().map(|(ply, slot)| (sides[ply % 2], slot)));
        board.rollout_line(|side, slot| line.push((side, slot)));
    }

    /// [`Credits::add_line`] with the defect that the program behind the thesis had from December 2010 to April 2014.
    /// The rollout's moves were written from the start of the list, over those of the tree. But as many entries were
    /// read as tree and rollout have moves together, so that the last ones were leftovers of older, longer playouts.
    fn add_thesis_line<G: Game>(
        &mut self,
        list: &mut [Option<(Side, u16)>],
        first: Side,
        tree_line: impl ExactSizeIterator<Item = u16>,
        board: Option<&G>,
        winner: Side,
    ) {
        let mut read = tree_line.len();
        let mut side = first;
        for (entry, slot) in list.iter_mut().zip(tree_line) {
            *entry = Some((side, slot));
            side = side.other();
        }
        if let Some(board) = board {
            let mut at = 0;
            board.rollout_line(|side, slot| {
                list[at] = Some((side, slot));
                at += 1;
            });
            read += at;
        }
        self.read = read;
        for &(side, slot) in list[..read].iter().flatten() {
            // A slot may be in the list more than once, so that the rollouts of one simulation could overflow 16 bits.
            if self.by_side[side.index()].halves[usize::from(slot)] & 0xffff < 0xffff {
                self.add(side, slot, winner);
            }
        }
    }
}
