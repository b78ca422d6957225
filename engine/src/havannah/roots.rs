//! Which groups have become one. Groups have numbers below [`NUMBERS`], and each number leads to another of the same group
//! or, the root, to itself.
//!
//! In memory the numbers form a union-find forest, which is all that most need. Random playouts on machines with AVX-512
//! hold a forest in which every number leads to its root at once, as one vector: a comparison and a blend unite two groups.

#[cfg(target_arch = "x86_64")]
pub(super) mod vectors;

use super::geometry::Around;
use super::stones::Stones;

/// More than the groups that a side can begin on the largest board; a power of two.
pub(super) const NUMBERS: usize = 128;

/// Where the numbers of a side lead.
pub(super) type Up = [u8; NUMBERS];

/// How the roots of a side are found.
///
/// # Safety
/// Functions may be called only where the instructions of the implementation exist, and inlined into a function compiled
/// for them. Numbers are below [`Roots::CAPACITY`].
pub(super) trait Roots: Copy {
    /// How many numbers it can tell apart.
    const CAPACITY: usize;
    /// A root found.
    type Root: Copy;

    /// Begins with the forest in memory.
    unsafe fn load(up: &Up) -> Self;
    /// Brings the forest in memory up to date.
    unsafe fn store(self, up: &mut Up);
    unsafe fn find(self, up: &Up, number: *const u8) -> Self::Root;
    unsafe fn number(root: Self::Root) -> u8;
    /// Makes the first root that of the second as well.
    unsafe fn unite(&mut self, up: &mut Up, first: Self::Root, second: Self::Root);
    /// [`Stones::join_rare`] in a function of its own.
    unsafe fn join_rare<const W: usize>(
        self,
        stones: &mut Stones,
        side: usize,
        place: usize,
        around: &Around,
    ) -> (bool, Self);
}

/// The forest in memory.
#[derive(Clone, Copy)]
pub(super) struct Forest;

impl Roots for Forest {
    const CAPACITY: usize = NUMBERS;
    type Root = u8;

    #[inline(always)]
    unsafe fn load(_: &Up) -> Self {
        Self
    }

    #[inline(always)]
    unsafe fn store(self, _: &mut Up) {}

    #[inline(always)]
    unsafe fn find(self, up: &Up, number: *const u8) -> u8 {
        // SAFETY: numbers lead to numbers; the first is one by contract.
        unsafe {
            // Two steps reach nearly every root, and what stops there is predicted well.
            let root = *up.get_unchecked(usize::from(*number));
            let next = *up.get_unchecked(usize::from(root));
            if next == root { root } else { find_on(up, next) }
        }
    }

    #[inline(always)]
    unsafe fn number(root: u8) -> u8 {
        root
    }

    #[inline(always)]
    unsafe fn unite(&mut self, up: &mut Up, first: u8, second: u8) {
        // SAFETY: roots are numbers.
        unsafe { *up.get_unchecked_mut(usize::from(second)) = first }
    }

    #[cold]
    #[inline(never)]
    unsafe fn join_rare<const W: usize>(
        self,
        stones: &mut Stones,
        side: usize,
        place: usize,
        around: &Around,
    ) -> (bool, Self) {
        // SAFETY: by contract.
        unsafe { stones.join_rare::<W, Self>(side, place, around, self) }
    }
}

/// The rest of a find, which few need: out of the way of all others.
///
/// # Safety
/// `root` is a number.
#[cold]
unsafe fn find_on(up: &Up, mut root: u8) -> u8 {
    loop {
        // SAFETY: numbers lead to numbers.
        let next = unsafe { *up.get_unchecked(usize::from(root)) };
        if next == root {
            return root;
        }
        root = next;
    }
}
