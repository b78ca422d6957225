//! Union-find over the groups of a side. A group has one or more numbers below [`NUMBERS`]. Each number has a parent in
//! the same group, and the root of a group is its own parent.
//!
//! [`Forest`] keeps the parents in memory. Random playouts on machines with AVX-512 keep them in vectors in which every
//! parent is a root. There a union takes one comparison and one blend.

#[cfg(target_arch = "x86_64")]
pub(super) mod vectors;

use super::geometry::numbers;

/// Size of the arrays that are indexed by group numbers: a power of two, and no fewer than the groups that a side can
/// begin on the largest board.
pub(super) const NUMBERS: usize = 128;

/// The parent of each group number of a side.
pub(super) type Parents = [u8; NUMBERS];

/// A union-find structure for the groups of one side.
///
/// # Safety
/// All functions share one contract. The processor has the instructions of the implementation, and the caller is
/// compiled for them. Group numbers in use, and their parents, are below [`UnionFind::CAPACITY`]. A pointer to a number
/// can be read. A root comes from [`UnionFind::find`].
pub(super) trait UnionFind: Copy {
    /// How many group numbers the structure holds.
    const CAPACITY: usize;
    /// A root, as [`UnionFind::find`] returns it.
    type Root: Copy;

    /// Loads the parents from memory.
    unsafe fn load(parents: &Parents) -> Self;
    /// Writes the parents back to memory.
    unsafe fn store(self, parents: &mut Parents);
    unsafe fn find(self, parents: &Parents, number: *const u8) -> Self::Root;
    unsafe fn number(root: Self::Root) -> u8;
    /// Joins two groups: `first` becomes the root of both.
    unsafe fn union(&mut self, parents: &mut Parents, first: Self::Root, second: Self::Root);
    /// Runs a task in a separate function, so that the task takes no registers from the caller. The structure is passed
    /// and returned by value, because a borrowed value would have to stay in memory.
    unsafe fn run_apart<T: Task>(
        self,
        board: &mut T::Board,
        side: usize,
        place: usize,
        detail: &'static T::Detail,
    ) -> (bool, Self);
}

/// Work on the groups of one side. Its input is four parameters, which are passed in registers. Fields of a struct would
/// be passed in memory, which costs 0.3 to 0.8 % of the instructions of a simulation.
pub(super) trait Task {
    type Board;
    type Detail: 'static;

    /// # Safety
    /// The contract of [`UnionFind`] holds for `R`. The caller of [`UnionFind::run_apart`] keeps the contracts of what
    /// the task calls.
    unsafe fn run<R: UnionFind>(
        board: &mut Self::Board,
        side: usize,
        place: usize,
        detail: &'static Self::Detail,
        forest: &mut R,
    ) -> bool;
}

/// A playout on a board with stride `W`, with each side's groups in the fastest structure that the machine has.
pub(super) trait PlayoutTask<const W: usize> {
    type Output;

    /// # Safety
    /// The contract of [`UnionFind`] holds for `R`, whose capacity is at least [`numbers`] of the board.
    unsafe fn run<R: UnionFind>(self) -> Self::Output;
}

/// Runs a playout with the fastest structure for this machine.
#[inline]
pub(super) fn run<const W: usize, T: PlayoutTask<W>>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if vectors::exist() {
        // SAFETY: `vectors::run` needs the instructions that `vectors::exist` has just detected.
        return unsafe { vectors::run(task) };
    }
    run_in_memory(task)
}

/// Runs a playout with the forest in memory.
// Not inlined, so that each stride has its own function: one function for all strides runs out of registers.
#[inline(never)]
pub(super) fn run_in_memory<const W: usize, T: PlayoutTask<W>>(task: T) -> T::Output {
    const { assert!(numbers::<W>() <= Forest::CAPACITY) };
    // SAFETY: `PlayoutTask::run` needs the contract of `UnionFind` and enough capacity. `Forest` needs no special
    // instructions, and the assertion above checks its capacity.
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
        // SAFETY: by the contract of `UnionFind`, `number` can be read, and numbers and parents are below CAPACITY,
        // which is the length of `Parents`.
        unsafe {
            // Two steps reach nearly every root, so this branch is predicted well.
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
        // SAFETY: by the contract of `UnionFind`, both roots come from `find` and are below the length of `Parents`.
        unsafe { *parents.get_unchecked_mut(usize::from(second)) = first }
    }

    #[cold]
    #[inline(never)]
    unsafe fn run_apart<T: Task>(
        mut self,
        board: &mut T::Board,
        side: usize,
        place: usize,
        detail: &'static T::Detail,
    ) -> (bool, Self) {
        // SAFETY: `Task::run` has the contract of `UnionFind`, which the caller of `run_apart` keeps.
        let output = unsafe { T::run(board, side, place, detail, &mut self) };
        (output, self)
    }
}

/// The rest of [`Forest`]'s find for a root more than two steps away. A separate function keeps the common path short.
///
/// # Safety
/// `root` and all parents of its group are below [`NUMBERS`].
#[cold]
unsafe fn find_on(parents: &Parents, mut root: u8) -> u8 {
    loop {
        // SAFETY: by the contract of `find_on`, `root` and the parents are below NUMBERS, the length of `Parents`.
        let next = unsafe { *parents.get_unchecked(usize::from(root)) };
        if next == root {
            return root;
        }
        root = next;
    }
}
