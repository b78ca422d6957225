//! The values of a node's unvisited slots, in vectors. The same pass updates the RAVE counters of all slots and writes
//! their RAVE means, which the values of the children need.

use super::best::Best;
use crate::search::lanes::Lanes;
use crate::search::rave::Credit;
use crate::search::slots::MAX_SLOTS;
use crate::search::tree::{Rave, Shape, UNVISITED};

/// Buffer for the RAVE means by slot of one choice. It is read soon after it was written. It is aligned because such a
/// read is slow when the vector crosses a cache line.
#[repr(C, align(64))]
pub(crate) struct Means(pub(crate) [f32; MAX_SLOTS]);

/// A scan of all slots of a node, and the terms of the unvisited ones besides their RAVE means.
pub(super) struct SlotValues<'a, L: Lanes> {
    pub(super) best: &'a mut Best<L>,
    pub(super) shape: Shape,
    pub(super) fpu: L::Floats,
    pub(super) exploration: L::Floats,
    /// One bit for each slot.
    pub(super) unvisited: &'a [u32],
    /// Slots of the node, rounded up to whole vectors.
    pub(super) slots: usize,
}

impl<L: Lanes> SlotValues<'_, L> {
    /// Adds `credit` to the RAVE counters of every slot, writes its RAVE mean to `means` (0 without RAVE playouts), and
    /// adds it to `best` if it is unvisited.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]). `rave` has counters for `slots` slots. If `shape.knows`, as
    /// many words can be read at `knowledge`.
    #[inline(always)]
    pub(super) unsafe fn add_to_best(
        self,
        rave: &mut Rave<'_>,
        credit: Option<&Credit>,
        knowledge: *const u32,
        means: &mut Means,
    ) {
        let credit = credit.unwrap_or(&Credit::NONE);
        let (bytes, halves) = (credit.bytes.as_ptr(), credit.halves.as_ptr());
        // SAFETY: the caller guarantees the instructions of `L` and that `knowledge` and the counters have `slots`
        // entries. The credit has `MAX_SLOTS`, which is no fewer. `each` passes on multiples of `L::LANES` below
        // `slots`.
        unsafe {
            match rave {
                Rave::Off => {
                    let none = L::load(Credit::NONE.halves.as_ptr());
                    self.each(knowledge, means, |_| (none, none));
                }
                Rave::Bytes(counters) => {
                    let counters = counters.as_mut_ptr().cast::<u16>();
                    self.each(knowledge, means, |at| add_bytes::<L>(counters.add(at), bytes.add(at)));
                }
                Rave::Halves(counters) => {
                    let counters = counters.as_mut_ptr();
                    self.each(knowledge, means, |at| add_halves::<L>(counters.add(at), halves.add(at)));
                }
                Rave::Words(playouts, wins) => {
                    let (playouts, wins) = (playouts.as_mut_ptr(), wins.as_mut_ptr());
                    self.each(knowledge, means, |at| {
                        add_words::<L>(playouts.add(at), wins.add(at), halves.add(at))
                    });
                }
            }
        }
    }

    /// Scans all slots. `counted` gives RAVE playouts and wins of the `L::LANES` slots from a slot on.
    ///
    /// # Safety
    /// The CPU has the instructions of `L` (see [`Lanes`]). If `shape.knows`, `slots` words can be read at `knowledge`.
    #[inline(always)]
    unsafe fn each(
        self,
        knowledge: *const u32,
        means: &mut Means,
        counted: impl Fn(usize) -> (L::Words, L::Words),
    ) {
        // SAFETY: the caller guarantees the instructions of `L` and `slots` words of knowledge. `slots` is a multiple
        // of `L::LANES` and at most `MAX_SLOTS`, the length of `means`, so that each vector is whole.
        unsafe {
            let mut key = L::sum(L::low_half_up(L::ascending()), L::splat_words(UNVISITED.into()));
            let mut at = 0;
            for &word in self.unvisited {
                let mut part = 0;
                while part < 32 / L::LANES && at < self.slots {
                    let (playouts, wins) = counted(at);
                    let playouts = L::to_floats(playouts);
                    let mean = L::div(L::to_floats(wins), L::max(playouts, L::splat(1.0)));
                    L::store_floats(mean, means.0.as_mut_ptr().add(at));
                    let seen = L::if_greater(playouts, L::splat(0.0), mean, self.fpu);
                    let mut value = seen;
                    if self.shape.explores {
                        value = L::add(value, self.exploration);
                    }
                    if self.shape.knows {
                        value = L::add(value, L::as_floats(L::load(knowledge.add(at))));
                    }
                    let value = L::if_bit(word, part, value, L::splat(f32::NEG_INFINITY));
                    self.best.add_later(value, key);
                    key = L::sum(key, L::splat_words((L::LANES as u32) << 16));
                    (part, at) = (part + 1, at + L::LANES);
                }
            }
        }
    }
}

/// Adds credit to counters of a byte each. Returns playouts and wins. (Functions: closures would not be compiled for
/// the instructions of `L`.)
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_bytes<L: Lanes>(counters: *mut u16, credit: *const u16) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at both pointers.
    unsafe {
        let sum = L::add_pairs(counters, credit);
        (L::low_byte(sum), L::high_byte(sum))
    }
}

/// Adds credit to counters of 16 bits, two in one word. Returns playouts and wins.
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_halves<L: Lanes>(counters: *mut u32, credit: *const u32) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at both pointers.
    unsafe {
        let sum = L::sum(L::load(counters), L::load(credit));
        L::store(sum, counters);
        (L::low_half(sum), L::high_half(sum))
    }
}

/// Adds credit to counters of a word each. Returns playouts and wins.
///
/// # Safety
/// The CPU has the instructions of `L`, and each pointer leads to a whole vector (see [`Lanes`]).
#[inline(always)]
unsafe fn add_words<L: Lanes>(
    playouts: *mut u32,
    wins: *mut u32,
    credit: *const u32,
) -> (L::Words, L::Words) {
    // SAFETY: the caller guarantees the instructions of `L` and whole vectors at the three pointers.
    unsafe {
        let add = L::load(credit);
        let (n, w) = (L::sum(L::load(playouts), L::low_half(add)), L::sum(L::load(wins), L::high_half(add)));
        L::store(n, playouts);
        L::store(w, wins);
        (n, w)
    }
}
