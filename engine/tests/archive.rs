//! The Little Golem archive. Its games are not ours to copy, so they are read from `../shared/data` beside the repository, or from the
//! folder in `GAUNTLET_SHARED_DATA`.

use std::io::Write;
use std::path::{Path, PathBuf};

fn folder() -> Option<PathBuf> {
    if let Some(folder) = std::env::var_os("GAUNTLET_SHARED_DATA") {
        return Some(folder.into());
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    beside.join("littlegolem.txt").exists().then_some(beside)
}

/// Files of the archive; none if it is not here.
pub(crate) fn texts<const N: usize>(names: [&str; N]) -> Option<[String; N]> {
    let Some(folder) = folder() else {
        // Straight to stderr: the harness hides what passing tests print, and a skipped test must be seen.
        let words = "SKIPPED: the Little Golem games are not here; set GAUNTLET_SHARED_DATA to their folder";
        writeln!(std::io::stderr(), "\n{words}").expect("stderr");
        return None;
    };
    Some(names.map(|name| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }))
}
