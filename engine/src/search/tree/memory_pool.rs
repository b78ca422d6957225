//! The memory of finished trees, which the next trees of the same kind and thread reuse.
//!
//! The first write to a page costs more than everything else that a simulation does with the page: the system has to
//! find a page and clear it, on a virtual machine perhaps the host as well. So a new tree reuses the pages of an old
//! one. A tree of another kind would write to other pages, and keep those of the old one beside its own: it would hold more
//! than its bound. Large trees also ask for huge pages.

use super::children::Shape;
use super::memory::{Line, Unit};
use crate::huge_pages::prefer_huge_pages;
use std::cell::RefCell;

/// How many trees' memory a thread keeps: one for each player of a game.
const KEPT: usize = 2;
/// The first bytes of a vector stay on small pages: most trees are small, and a huge page has to be cleared whole.
const ON_SMALL_PAGES: usize = 4 << 20;

thread_local! {
    static POOL: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// What determines how much of each vector a tree writes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    /// The bound on the tree.
    pub(super) bytes: usize,
    /// Slots of the game.
    pub(super) slots: usize,
    pub(super) shape: Shape,
}

/// The vectors of a tree, empty.
pub(super) struct Memory {
    pub(super) kind: Kind,
    pub(super) records: Vec<Line>,
    pub(super) chunks: Vec<Unit>,
    pub(super) counters: Vec<Unit>,
}

impl Memory {
    /// Memory for a tree: that of a finished one of this kind, if this thread keeps any. Otherwise nothing is kept any
    /// longer: this thread now plays other players.
    pub(super) fn take(kind: Kind) -> Self {
        let spare = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            let at = pool.iter().position(|memory| memory.kind == kind);
            if at.is_none() {
                pool.clear();
            }
            at.map(|at| pool.swap_remove(at))
        });
        let mut memory = spare.ok().flatten().unwrap_or(Self {
            kind,
            records: Vec::new(),
            chunks: Vec::new(),
            counters: Vec::new(),
        });
        let bytes = kind.bytes;
        // This reserves addresses, not pages. Chunks and counters grow beyond it where they need more.
        reserve(&mut memory.records, bytes);
        reserve(&mut memory.chunks, bytes / 2);
        reserve(&mut memory.counters, bytes / 4);
        memory
    }

    /// Leaves the memory to the next tree of this thread.
    pub(super) fn leave(mut self) {
        self.records.clear();
        self.chunks.clear();
        self.counters.clear();
        // This fails while a thread ends: there is no next tree then.
        let _ = POOL.try_with(|pool| {
            let mut pool = pool.borrow_mut();
            if pool.len() < KEPT {
                pool.push(self);
            }
        });
    }
}

/// Frees the memory that finished searches of this thread have left to the next ones. For a thread that will not search
/// for a while.
pub fn release_pooled_memory() {
    POOL.with_borrow_mut(Vec::clear);
}

/// Reserves `bytes`, preferably on huge pages. Without enough addresses the vector grows when it is used.
fn reserve<T>(vector: &mut Vec<T>, bytes: usize) {
    let wanted = bytes / size_of::<T>();
    if vector.capacity() < wanted && vector.try_reserve_exact(wanted).is_ok() {
        prefer_huge_pages(vector, ON_SMALL_PAGES);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { bytes: 1 << 20, slots: 37, shape: Shape::RAVE };

    fn pages(memory: &Memory) -> [*const u8; 3] {
        [memory.records.as_ptr().cast(), memory.chunks.as_ptr().cast(), memory.counters.as_ptr().cast()]
    }

    #[test]
    fn a_search_inherits_the_memory_of_the_one_before_and_no_content() {
        release_pooled_memory();
        let mut first = Memory::take(KIND);
        first.chunks.resize(1000, Unit::default());
        let before = pages(&first);
        first.leave();
        let second = Memory::take(KIND);
        assert_eq!(pages(&second), before);
        assert!(second.chunks.is_empty() && second.records.is_empty() && second.counters.is_empty());
        let third = Memory::take(KIND);
        assert_ne!(pages(&third), before, "it is in use");
    }

    #[test]
    fn pooled_memory_is_bounded_and_can_be_released() {
        release_pooled_memory();
        let pooled = || POOL.with_borrow(Vec::len);
        let taken: [Memory; 4] = std::array::from_fn(|_| Memory::take(KIND));
        taken.into_iter().for_each(Memory::leave);
        assert_eq!(pooled(), KEPT);
        release_pooled_memory();
        assert_eq!(pooled(), 0);
    }

    #[test]
    fn a_search_of_another_kind_gets_new_memory() {
        for other in
            [Kind { bytes: 2 << 20, ..KIND }, Kind { slots: 61, ..KIND }, Kind { shape: Shape::UCT, ..KIND }]
        {
            release_pooled_memory();
            let [first, second] = [KIND, other].map(Memory::take);
            let before = [pages(&first), pages(&second)];
            first.leave();
            second.leave();
            let swapped = [other, KIND].map(Memory::take);
            assert_eq!([pages(&swapped[1]), pages(&swapped[0])], before, "each has its own: {other:?}");
            swapped.into_iter().for_each(Memory::leave);
            drop([KIND, KIND].map(Memory::take));
            assert_eq!(POOL.with_borrow(Vec::len), 0, "{other:?}");
        }
    }

    #[test]
    fn a_bound_beyond_all_memory_is_no_reason_to_fail() {
        let mut memory = Memory::take(Kind { bytes: usize::MAX / 2, ..KIND });
        memory.chunks.push(Unit::default());
        assert_eq!(memory.chunks, [Unit::default()]);
    }
}
