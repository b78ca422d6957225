//! Ensures that only one coordinator at a time serves an SQLite file.
//!
//! The claim is a file lock. The system releases the lock when the process ends, even if the process is killed.
//! Commands that read or change the database without serving it do not take the lock.

use super::database::DatabaseArgs;
use super::target::TargetArgs;
use anyhow::{Context, bail};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The right to serve a database, until this value is dropped.
pub(crate) struct Claim(#[expect(dead_code, reason = "held, not used")] Option<File>);

impl Claim {
    /// Fails when another process serves the database. The check writes nothing.
    pub(crate) async fn check(database: &DatabaseArgs) -> anyhow::Result<()> {
        let Some((file, place)) = place(database) else { return Ok(()) };
        let Ok(lock) = File::open(&place) else { return Ok(()) };
        match patiently(|| lock.try_lock_shared()).await {
            Err(TryLockError::WouldBlock) => taken(&file, &place),
            _ => Ok(()),
        }
    }

    /// Takes the right to serve a database at this address. Several coordinators may serve a Postgres database.
    pub(crate) async fn take(database: &DatabaseArgs, address: &str) -> anyhow::Result<Self> {
        let Some((file, place)) = place(database) else { return Ok(Self(None)) };
        let opened =
            OpenOptions::new().create(true).read(true).write(true).truncate(false).mode(0o600).open(&place);
        let mut lock = match opened {
            // The directory is missing. Opening the database reports the error.
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
        // A second process quotes this text in its error. On a full disk the text is missing, but the lock still works.
        let words = format!("process {}, {address}", std::process::id());
        let _ = lock.set_len(0).and_then(|()| lock.write_all(words.as_bytes()));
        Ok(Self(Some(lock)))
    }
}

/// The file of an SQLite database as given, and its lock file. All paths to one database file give the same lock file.
fn place(database: &DatabaseArgs) -> Option<(String, PathBuf)> {
    let file = database.file()?;
    let mut lock = std::fs::canonicalize(file).unwrap_or_else(|_| file.into()).into_os_string();
    lock.push(".lock");
    Some((file.to_owned(), lock.into()))
}

/// Tries to lock for a second, because a process that was just killed may not have ended yet.
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
    let by = holder(place);
    let advice = match &by {
        Some(by) if by.ends_with(OWN_FILES) => "end it and start it again with all files",
        _ => "give that coordinator another experiment with `gauntlet apply FILE`, stop it first",
    };
    let by = by.map_or(String::new(), |by| format!(" ({by})"));
    bail!(
        "another gauntlet{by} serves {file}, and an SQLite file has one coordinator at a time: {advice}, or name another file \
         with --database FILE"
    )
}

/// What the process that holds the lock says of itself.
fn holder(place: &Path) -> Option<String> {
    let mut by = String::new();
    let _ = File::open(place).and_then(|lock| lock.take(200).read_to_string(&mut by));
    let by = by.trim();
    (!by.is_empty()).then(|| by.to_owned())
}

/// What `gauntlet run` says of itself: it plays no other experiments of the database, except their confirmations.
pub(crate) const OWN_FILES: &str = "`gauntlet run` of its own files";

/// Who serves the database of a command.
pub(crate) enum Server {
    /// A coordinator of all experiments, or nobody knows: it is no file, or the command asks a coordinator.
    All,
    /// `gauntlet run`, which plays its own files alone. The text is what it says of itself.
    OwnFiles(String),
    /// Nobody.
    Nobody,
}

impl Server {
    /// Who serves it now.
    pub(crate) fn of(target: &TargetArgs) -> Self {
        let Some((_, place)) = place(&target.database).filter(|_| target.coordinator.is_none()) else {
            return Self::All;
        };
        let lock = match File::open(&place) {
            Ok(lock) => lock,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Self::Nobody,
            Err(_) => return Self::All,
        };
        match lock.try_lock_shared() {
            Ok(()) => Self::Nobody,
            Err(TryLockError::Error(_)) => Self::All,
            Err(TryLockError::WouldBlock) => {
                holder(&place).filter(|by| by.ends_with(OWN_FILES)).map_or(Self::All, Self::OwnFiles)
            }
        }
    }

    /// Says on standard error what a database alone does not tell: which experiments are played, if any.
    pub(crate) fn note(&self) {
        match self {
            Self::All => {}
            Self::OwnFiles(by) => eprintln!(
                "note: this database is served by {by}, which plays no other experiments except their confirmations; ask it with --coordinator URL"
            ),
            Self::Nobody => {
                eprintln!(
                    "note: no coordinator serves this database, so nothing is played: `gauntlet serve` does"
                );
            }
        }
    }
}
