//! CPU affinity and niceness of the slots' threads.

use engine::spelling::excerpt;
use protocol::words::counted;
use rustix::process::nice;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::num::NonZeroUsize;
use std::str::FromStr;
use thiserror::Error;

/// The processors that slots are pinned to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Pinning {
    /// Not pinned: the system chooses.
    #[default]
    Off,
    /// One processor per slot, from those that this process may use, in their order.
    Auto,
    /// One processor per slot, from this list, in its order.
    To(Vec<usize>),
}

/// A list of processors that slots cannot be pinned to.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PinningError {
    /// It cannot be read.
    #[error("`{0}` names no processors: write auto, off, or a list such as 0,2,4-7")]
    Unreadable(String),
    /// Two slots would share a processor.
    #[error("processor {0} is named twice: each slot needs a processor of its own")]
    Repeated(usize),
}

impl FromStr for Pinning {
    type Err = PinningError;

    fn from_str(text: &str) -> Result<Self, PinningError> {
        let wrong = || PinningError::Unreadable(excerpt(text));
        match text {
            "off" => return Ok(Self::Off),
            "auto" => return Ok(Self::Auto),
            _ => {}
        }
        let mut processors = Vec::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (usize, usize) =
                (first.trim().parse().map_err(|_| wrong())?, last.trim().parse().map_err(|_| wrong())?);
            if first > last || last >= CpuSet::MAX_CPU {
                return Err(wrong());
            }
            if let Some(repeated) = (first..=last).find(|n| processors.contains(n)) {
                return Err(PinningError::Repeated(repeated));
            }
            processors.extend(first..=last);
        }
        Ok(Self::To(processors))
    }
}

/// An affinity that this machine does not allow.
#[derive(Debug, Error)]
pub enum AffinityError {
    /// There are more slots than processors to pin them to.
    #[error(
        "{} cannot be pinned to {}, each to its own: fewer slots, or --pin off",
        counted(*slots as u64, "slot"),
        counted(*processors as u64, "processor")
    )]
    TooFew {
        /// The number of slots.
        slots: usize,
        /// Processors named or allowed.
        processors: usize,
    },
    /// A processor that this process may not use.
    #[error("this process may not use processor {0}")]
    NotAllowed(usize),
    /// The system does not report its processors.
    #[error("cannot ask which processors this process may use: {0}")]
    Unknown(#[from] rustix::io::Errno),
}

/// The processor of each slot, or `None` when slots are not pinned.
///
/// # Errors
/// When there are too few processors, or one is not allowed.
pub(crate) fn processors(
    pinning: &Pinning,
    slots: NonZeroUsize,
) -> Result<Option<Vec<usize>>, AffinityError> {
    let listed = match pinning {
        Pinning::Off => return Ok(None),
        Pinning::Auto => None,
        Pinning::To(list) => Some(list),
    };
    let set = sched_getaffinity(None)?;
    let allowed: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&n| set.is_set(n)).collect();
    let list = listed.unwrap_or(&allowed);
    if let Some(&other) = list.iter().find(|n| !allowed.contains(n)) {
        return Err(AffinityError::NotAllowed(other));
    }
    if list.len() < slots.get() {
        return Err(AffinityError::TooFew { slots: slots.get(), processors: list.len() });
    }
    Ok(Some(list[..slots.get()].to_vec()))
}

/// Sets the affinity and the niceness of the calling thread. A failure is logged; the games continue.
pub(crate) fn apply(processor: Option<usize>, niceness: i32) {
    if let Some(processor) = processor {
        let mut set = CpuSet::new();
        set.set(processor);
        if let Err(error) = sched_setaffinity(None, &set) {
            tracing::warn!("cannot keep a slot on processor {processor}: {error}");
        }
    }
    // On Linux niceness belongs to the thread: the loop that talks to the coordinator keeps its own.
    if niceness != 0
        && let Err(error) = nice(niceness)
    {
        tracing::warn!("cannot change a slot's priority by {niceness}: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).expect("not zero")
    }

    #[test]
    fn lists_of_processors_are_numbers_and_ranges() {
        assert_eq!("off".parse(), Ok(Pinning::Off));
        assert_eq!("auto".parse(), Ok(Pinning::Auto));
        assert_eq!("0,2,4-6".parse(), Ok(Pinning::To(vec![0, 2, 4, 5, 6])));
        for wrong in ["", "a", "3-1", "1,,2", "0-99999999"] {
            assert!(wrong.parse::<Pinning>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_processor_that_is_named_twice_is_refused_by_its_number() {
        for (list, twice) in [("0,0", 0), ("2,4-7,6", 6), ("0-3,3-5", 3)] {
            assert_eq!(list.parse::<Pinning>(), Err(PinningError::Repeated(twice)), "{list}");
        }
    }

    #[test]
    fn every_slot_has_a_processor_of_its_own_or_none() {
        assert_eq!(processors(&Pinning::Off, slots(9_999)).expect("off"), None);
        let one = processors(&Pinning::Auto, slots(1)).expect("one is allowed").expect("pinned");
        assert_eq!(one.len(), 1);
        let error = processors(&Pinning::Auto, slots(9_999)).expect_err("nobody has so many").to_string();
        assert!(error.contains("9999 slots"), "{error}");
        let error = processors(&Pinning::To(vec![1_023]), slots(1)).expect_err("nor such a one").to_string();
        assert!(error.contains("1023"), "{error}");
        assert_eq!(processors(&Pinning::To(one.clone()), slots(1)).expect("allowed"), Some(one));
    }

    #[test]
    fn a_thread_settles_where_it_is_told_to_and_gives_way() {
        // The last of them: a thread that stays where it was would be allowed on all of them, and one of several is distinguished
        // from the others. Where this process may use only one processor, that half of the test is void.
        let count = std::thread::available_parallelism().expect("processors");
        let own = *processors(&Pinning::Auto, count).expect("allowed").expect("pinned").last().expect("one");
        let (before, placed) = std::thread::spawn(move || {
            let before = niceness();
            apply(Some(own), 3);
            let set = sched_getaffinity(None).expect("asked");
            let placed = (0..CpuSet::MAX_CPU).filter(|&n| set.is_set(n)).collect::<Vec<_>>();
            assert_eq!(niceness(), (before + 3).min(19), "the thread gives way");
            (before, placed)
        })
        .join()
        .expect("no panic");
        assert_eq!(placed, [own]);
        assert_eq!(niceness(), before, "and no other thread does");
    }

    fn niceness() -> i32 {
        rustix::process::getpriority_process(None).expect("asked")
    }
}
