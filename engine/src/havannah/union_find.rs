//! Union-find: which groups have become one. Groups have numbers below [`NUMBERS`], and each number has a parent of the
//! same group; the root of a group is its own parent.
//!
//! [`Forest`] keeps the parents in memory. Random playouts on machines with AVX-512 use vectors in which every parent is
//! a root: one comparison and one blend make the union of two groups.

#[cfg(target_arch = "x86_64")]
pub(super) mod vectors;

use super::geometry::numbers;

/// More than the groups that a side can begin on the largest board; a power of two.
pub(super) const NUMBERS: usize = 128;

/// The parents of all numbers of a side.
pub(super) type Parents = [u8; NUMBERS];

/// A union-find structure for the groups of one side.
///
/// # Safety
/// Functions may be called only where the instructions of the implementation exist, and inlined into a function compiled
/// for them. Numbers are below [`UnionFind::CAPACITY`].
pub(super) trait UnionFind: Copy {
    /// How many numbers it can tell apart.
    const CAPACITY: usize;
    /// A root found.
    type Root: Copy;

    /// Begins with the parents in memory.
    unsafe fn load(parents: &Parents) -> Self;
    /// Brings the parents in memory up to date.
    unsafe fn store(self, parents: &mut Parents);
    unsafe fn find(self, parents: &Parents, number: *const u8) -> Self::Root;
    unsafe fn number(root: Self::Root) -> u8;
    /// Makes the first root that of the second as well.
    unsafe fn union(&mut self, parents: &mut Parents, first: Self::Root, second: Self::Root);
    /// Runs a task in a function of its own, so that it takes no registers from its caller. The structure goes in and
    /// comes out by value: what is lent out is not kept in registers.
    unsafe fn run_apart<T: Task>(self, task: T) -> (T::Output, Self);
}

/// Work on the groups of one side.
pub(super) trait Task {
    type Output;

    /// # Safety
    /// As for the functions of [`UnionFind`].
    unsafe fn run<R: UnionFind>(self, groups: &mut R) -> Self::Output;
}

/// A playout of a board with stride `W`, for which each side's groups are loaded into the fastest structure there is.
pub(super) trait PlayoutTask<const W: usize> {
    type Output;

    /// # Safety
    /// As for the functions of [`UnionFind`], whose capacity is enough for the board.
    unsafe fn run<R: UnionFind>(self) -> Self::Output;
}

/// Runs a playout with the fastest structure that this machine has.
#[inline]
pub(super) fn run<const W: usize, T: PlayoutTask<W>>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if vectors::exist() {
        // SAFETY: the instructions were just detected.
        return unsafe { vectors::run(task) };
    }
    run_in_memory(task)
}

/// Runs a playout with the forest in memory.
// A function for each stride: in one for all of them there are not registers enough.
#[inline(never)]
pub(super) fn run_in_memory<const W: usize, T: PlayoutTask<W>>(task: T) -> T::Output {
    const { assert!(numbers::<W>() <= Forest::CAPACITY) };
    // SAFETY: the forest in memory needs no special instructions, and its capacity was just checked.
    unsafe { task.run::<Forest>() }
}

/// The forest in memory.
#[derive(Clone, Copy)]
pub(super) struct Forest;

impl UnionFind for Forest {
    const CAPACITY: usize = NUMBERS;
    type Root = u8;

    #[inline(always)]
    unsafe fn load(_: &Parents) -> Self {
        Self
    }

    #[inline(always)]
    unsafe fn store(self, _: &mut Parents) {}

    #[inline(always)]
    unsafe fn find(self, parents: &Parents, number: *const u8) -> u8 {
        // SAFETY: `number` points to a number by the contract of `UnionFind`, and parents are numbers.
        unsafe {
            // Two steps reach nearly every root, and what stops there is predicted well.
            let root = *parents.get_unchecked(usize::from(*number));
            let next = *parents.get_unchecked(usize::from(root));
            if next == root { root } else { find_on(parents, next) }
        }
    }

    #[inline(always)]
    unsafe fn number(root: u8) -> u8 {
        root
    }

    #[inline(always)]
    unsafe fn union(&mut self, parents: &mut Parents, first: u8, second: u8) {
        // SAFETY: by the contract of `UnionFind` both are roots, which are numbers.
        unsafe { *parents.get_unchecked_mut(usize::from(second)) = first }
    }

    #[cold]
    #[inline(never)]
    unsafe fn run_apart<T: Task>(mut self, task: T) -> (T::Output, Self) {
        // SAFETY: the caller keeps the contract of `UnionFind`, which is also that of tasks.
        let output = unsafe { task.run(&mut self) };
        (output, self)
    }
}

/// The rest of a find, which few need: out of the way of all others.
///
/// # Safety
/// `root` is a number.
#[cold]
unsafe fn find_on(parents: &Parents, mut root: u8) -> u8 {
    loop {
        // SAFETY: `root` is a number by contract of this function, and parents are numbers.
        let next = unsafe { *parents.get_unchecked(usize::from(root)) };
        if next == root {
            return root;
        }
        root = next;
    }
}
