//! Huge pages for large vectors that are accessed at random: with small pages, each access would miss the TLB.

/// Asks for huge pages for the spare capacity of a vector, but for the first `small` bytes.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_huge_pages<T>(vector: &mut Vec<T>, small: usize) {
    const HUGE_PAGE: usize = 2 << 20;
    let spare = vector.spare_capacity_mut();
    let from = spare.as_mut_ptr().cast::<u8>();
    let skipped = (from.addr() + small).next_multiple_of(HUGE_PAGE) - from.addr();
    let Some(length) = size_of_val(spare).checked_sub(skipped) else { return };
    // SAFETY: the range is within the vector's spare capacity, and `LinuxHugepage` does not change memory contents. An
    // error means that there are no huge pages, and is ignored.
    let _ =
        unsafe { rustix::mm::madvise(from.add(skipped).cast(), length, rustix::mm::Advice::LinuxHugepage) };
}

/// Other systems decide by themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_huge_pages<T>(_: &mut Vec<T>, _: usize) {}
