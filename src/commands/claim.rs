//! One coordinator at a time serves an SQLite file.
//!
//! The mark is a lock that the system holds for the process and ends with it, however it ends: what a killed coordinator
//! leaves behind keeps nobody out. Commands that only look or change something do not take it.

use super::serve::DatabaseArgs;
use anyhow::{Context, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The right to serve a database. It goes with the value.
pub(crate) struct Claim(#[expect(dead_code, reason = "held, not used")] Option<File>);

impl Claim {
    /// Fails when another process serves the database. Nothing is written.
    pub(crate) async fn check(database: &DatabaseArgs) -> anyhow::Result<()> {
        let Some((file, place)) = place(database) else { return Ok(()) };
        let Ok(lock) = File::open(&place) else { return Ok(()) };
        match patiently(|| lock.try_lock_shared()).await {
            Err(TryLockError::WouldBlock) => taken(&file, &place),
            _ => Ok(()),
        }
    }

    /// Takes the right to serve it at this address. A database on a server may be served by several.
    pub(crate) async fn take(database: &DatabaseArgs, address: &str) -> anyhow::Result<Self> {
        let Some((file, place)) = place(database) else { return Ok(Self(None)) };
        let opened =
            OpenOptions::new().create(true).read(true).write(true).truncate(false).mode(0o600).open(&place);
        let mut lock = match opened {
            // Who opens the database says that its directory is not there.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self(None)),
            lock => lock.with_context(|| format!("cannot write {}", place.display()))?,
        };
        match patiently(|| lock.try_lock()).await {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => taken(&file, &place)?,
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", place.display()));
            }
        }
        // For whoever comes second. On a full disk the lock holds all the same.
        let words = format!("process {}, {address}", std::process::id());
        let _ = lock.set_len(0).and_then(|()| lock.write_all(words.as_bytes()));
        Ok(Self(Some(lock)))
    }
}

/// The file of an SQLite database as it was given, and that of its lock: one for all the names that the file has.
fn place(database: &DatabaseArgs) -> Option<(String, PathBuf)> {
    let file = database.file()?;
    let mut lock = std::fs::canonicalize(file).unwrap_or_else(|_| file.into()).into_os_string();
    lock.push(".lock");
    Some((file.to_owned(), lock.into()))
}

/// Tries again for a second: a process that was killed a moment ago has yet to end.
async fn patiently(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..10 {
        match lock() {
            Err(TryLockError::WouldBlock) => tokio::time::sleep(Duration::from_millis(100)).await,
            locked => return locked,
        }
    }
    lock()
}

fn taken(file: &str, place: &Path) -> anyhow::Result<()> {
    let mut by = String::new();
    let _ = File::open(place).and_then(|lock| lock.take(200).read_to_string(&mut by));
    let by = if by.is_empty() { String::new() } else { format!(" ({})", by.trim()) };
    bail!(
        "another gauntlet{by} serves {file}, and an SQLite file has one coordinator at a time: `gauntlet apply FILE` gives that \
         one another experiment; or stop it first, or name another file with --database FILE"
    )
}
