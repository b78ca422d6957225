//! The memory of finished trees, which the next trees of the same thread reuse.
//!
//! The first write to a page costs more than everything else that a simulation does with the page: the system has to
//! find a page and clear it, on a virtual machine perhaps the host as well. So a new tree reuses the pages of an old
//! one. Large trees also ask for huge pages: accesses to a tree are random, and with small pages each would miss the
//! TLB.

use super::memory::{Line, Unit};
use std::cell::RefCell;

/// How many trees' memory a thread keeps: one for each player of a game.
const KEPT: usize = 2;
/// The first bytes of a vector stay on small pages: most trees are small, and a huge page has to be cleared whole.
const ON_SMALL_PAGES: usize = 4 << 20;

thread_local! {
    static POOL: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// The vectors of a tree, empty.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) records: Vec<Line>,
    pub(super) chunks: Vec<Unit>,
    pub(super) counters: Vec<Unit>,
}

impl Memory {
    /// Memory for a tree of `bytes`: that of the last tree, if this thread keeps any.
    pub(super) fn take(bytes: usize) -> Self {
        let spare = POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten();
        let mut memory = spare.unwrap_or_default();
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
        prefer_huge_pages(vector);
    }
}

#[cfg(target_os = "linux")]
fn prefer_huge_pages<T>(vector: &mut Vec<T>) {
    const HUGE_PAGE: usize = 2 << 20;
    let spare = vector.spare_capacity_mut();
    let from = spare.as_mut_ptr().cast::<u8>();
    let skipped = (from.addr() + ON_SMALL_PAGES).next_multiple_of(HUGE_PAGE) - from.addr();
    let Some(length) = size_of_val(spare).checked_sub(skipped) else { return };
    // SAFETY: the range is within the vector's spare capacity, and `LinuxHugepage` does not change memory contents. An
    // error means that there are no huge pages, and is ignored.
    let _ =
        unsafe { rustix::mm::madvise(from.add(skipped).cast(), length, rustix::mm::Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(memory: &Memory) -> [*const u8; 3] {
        [memory.records.as_ptr().cast(), memory.chunks.as_ptr().cast(), memory.counters.as_ptr().cast()]
    }

    #[test]
    fn a_search_inherits_the_memory_of_the_one_before_and_no_content() {
        release_pooled_memory();
        let mut first = Memory::take(1 << 20);
        first.chunks.resize(1000, Unit::default());
        let before = pages(&first);
        first.leave();
        let second = Memory::take(1 << 20);
        assert_eq!(pages(&second), before);
        assert!(second.chunks.is_empty() && second.records.is_empty() && second.counters.is_empty());
        let third = Memory::take(1 << 20);
        assert_ne!(pages(&third), before, "it is in use");
    }

    #[test]
    fn no_more_is_kept_than_the_players_of_a_game_need_and_nothing_once_it_was_released() {
        release_pooled_memory();
        let pooled = || POOL.with_borrow(Vec::len);
        let taken: [Memory; 4] = std::array::from_fn(|_| Memory::take(1 << 20));
        taken.into_iter().for_each(Memory::leave);
        assert_eq!(pooled(), KEPT);
        release_pooled_memory();
        assert_eq!(pooled(), 0);
    }

    #[test]
    fn a_bound_beyond_all_memory_is_no_reason_to_fail() {
        let mut memory = Memory::take(usize::MAX / 2);
        memory.chunks.push(Unit::default());
        assert_eq!(memory.chunks, [Unit::default()]);
    }
}
