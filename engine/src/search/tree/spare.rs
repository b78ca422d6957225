//! Memory that a finished search leaves to the next one of its thread.
//!
//! A page that nobody wrote before costs more than everything else a simulation does to it: the system has to find it and
//! clear it, and on a virtual machine perhaps the host, too. So a tree inherits the pages of the tree before. Large ones
//! ask for huge pages besides, because a tree is walked in no order and every step would miss the table of small ones.

use super::memory::{Line, Unit};
use std::cell::RefCell;

/// Trees whose memory a thread keeps: those of the two players of a game.
const KEPT: usize = 2;
/// Bytes of a vector that stay on small pages: most trees are small, and a huge page has to be cleared whole.
const ON_SMALL_PAGES: usize = 4 << 20;

thread_local! {
    static SPARE: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) };
}

/// The vectors of a tree, empty.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) records: Vec<Line>,
    pub(super) chunks: Vec<Unit>,
    pub(super) counters: Vec<Unit>,
}

impl Memory {
    /// Memory for a tree of at most `bytes`, of the last one if this thread has any.
    pub(super) fn take(bytes: usize) -> Self {
        let spare = SPARE.try_with(|spare| spare.borrow_mut().pop()).ok().flatten();
        let mut memory = spare.unwrap_or_default();
        // Addresses, not pages. More chunks or counters than that take their room as they come.
        reserve(&mut memory.records, bytes);
        reserve(&mut memory.chunks, bytes / 2);
        reserve(&mut memory.counters, bytes / 4);
        memory
    }

    /// Leaves it to the next search of this thread.
    pub(super) fn leave(mut self) {
        self.records.clear();
        self.chunks.clear();
        self.counters.clear();
        // At the end of a thread there is none to leave it to.
        let _ = SPARE.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < KEPT {
                spare.push(self);
            }
        });
    }
}

/// Gives the memory back that finished searches of this thread left to the next, for a thread that will not search for a
/// while.
pub fn release_spare_memory() {
    SPARE.with_borrow_mut(Vec::clear);
}

/// Makes room for so many bytes at once, where the system has as many addresses, on huge pages where it has those.
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
    // SAFETY: the range lies within the vector's own memory, and the advice changes no content. Without huge pages, which
    // the answer would be about, all goes on as before.
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
        release_spare_memory();
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
        release_spare_memory();
        let spares = || SPARE.with_borrow(Vec::len);
        let taken: [Memory; 4] = std::array::from_fn(|_| Memory::take(1 << 20));
        taken.into_iter().for_each(Memory::leave);
        assert_eq!(spares(), KEPT);
        release_spare_memory();
        assert_eq!(spares(), 0);
    }

    #[test]
    fn a_bound_beyond_all_memory_is_no_reason_to_fail() {
        let mut memory = Memory::take(usize::MAX / 2);
        memory.chunks.push(Unit::default());
        assert_eq!(memory.chunks, [Unit::default()]);
    }
}
