//! The files that are written from the declared endpoints and their types.

mod calls;

use std::fs;

/// With this variable the tests write the files.
const WRITE: &str = "GAUNTLET_WRITE";

/// How the files are written.
const COMMAND: &str = "GAUNTLET_WRITE=1 cargo test -p protocol --lib tests";

/// Fails unless a file has this text. `path` is below the root of the repository.
fn check(path: &str, text: &str) {
    let file = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os(WRITE).is_some() {
        fs::write(&file, text).expect("a file of the repository");
    }
    assert!(fs::read_to_string(&file).unwrap_or_default() == text, "{path} is stale: {COMMAND}");
}
