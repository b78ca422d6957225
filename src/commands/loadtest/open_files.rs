//! How many files, and so how many connections, this process may have open at once.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Raises the limit to what the system allows at all, and gives it. Every connection is one file, and
/// where nobody raised it the limit is 1024.
pub(super) fn allow_as_many_as_possible() -> u64 {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current != maximum {
        // Where even this is forbidden it stays what it is, which the caller sees.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}
