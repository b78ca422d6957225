//! Ensures that only one coordinator at a time serves an SQLite file.
//!
//! The claim is a lock on the file itself, so it holds for every name of the file. The system releases the lock when the process
//! ends, even if the process is killed. Commands that read or change the database without serving it do not take the lock.

use super::database::DatabaseArgs;
use super::target::TargetArgs;
use anyhow::{Context, bail};
use coordinator::{FileLock, LockError, OpenError};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The right to serve a database, until this value is dropped.
pub(crate) struct Claim(#[expect(dead_code, reason = "held, not used")] Option<FileLock>);

impl Claim {
    /// Fails when another process serves the database. The check writes nothing.
    pub(crate) async fn check(database: &DatabaseArgs) -> anyhow::Result<()> {
        let Some(file) = database.file() else { return Ok(()) };
        let Some(lock) = locked(file).await? else { return Ok(()) };
        match patiently(|| Ok(!lock.is_served())).await? {
            true => Ok(()),
            false => taken(file),
        }
    }

    /// Takes the right to serve a database at this address, and makes its file if there is none. Several coordinators may serve a
    /// Postgres database.
    pub(crate) async fn take(database: &DatabaseArgs, address: &str) -> anyhow::Result<Self> {
        if let Some(file) = database.file() {
            // A lock needs the file. Why it cannot be made is reported when the database is opened.
            let _ = OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
        }
        Self::take_existing(database, address).await
    }

    /// As [`Claim::take`], and makes no file.
    pub(crate) async fn take_existing(database: &DatabaseArgs, address: &str) -> anyhow::Result<Self> {
        let Some(file) = database.file() else { return Ok(Self(None)) };
        let Some(mut lock) = locked(file).await? else { return Ok(Self(None)) };
        match patiently(|| lock.serve()).await {
            Ok(true) => {}
            Ok(false) => taken(file)?,
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                return Err(OpenError::ReadOnly { database: file.to_owned() }.into());
            }
            Err(error) => return Err(error).with_context(|| format!("cannot lock {file}")),
        }
        // A second process quotes this text in its error. On a full disk the text is missing, but the lock still works.
        let words = format!("process {}, {address}", std::process::id());
        let note =
            OpenOptions::new().create(true).write(true).truncate(true).mode(0o600).open(note_beside(file));
        let _ = note.and_then(|mut note| note.write_all(words.as_bytes()));
        Ok(Self(Some(lock)))
    }
}

/// Locks the file of a database by its name; none if it cannot be opened, which opening the database reports.
async fn locked(file: &str) -> anyhow::Result<Option<FileLock>> {
    let mut lock = Err(LockError::OtherName { by: None });
    patiently(|| {
        lock = FileLock::of(Path::new(file));
        Ok(!matches!(lock, Err(LockError::OtherName { .. })))
    })
    .await?;
    match lock {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::Io(_)) => Ok(None),
        Err(why @ LockError::OtherName { .. }) => {
            Err(OpenError::OtherName { database: file.to_owned(), why }.into())
        }
    }
}

/// The file beside a database in which the process that serves it describes itself.
fn note_beside(file: &str) -> PathBuf {
    let mut note = std::fs::canonicalize(file).unwrap_or_else(|_| file.into()).into_os_string();
    note.push(".lock");
    note.into()
}

/// Tries for a second until it succeeds, because a process that was just killed may not have ended yet.
async fn patiently(mut succeeds: impl FnMut() -> io::Result<bool>) -> io::Result<bool> {
    for _ in 0..10 {
        if succeeds()? {
            return Ok(true);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    succeeds()
}

fn taken(file: &str) -> anyhow::Result<()> {
    let by = holder(file);
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

/// The description of the process that serves a database.
fn holder(file: &str) -> Option<String> {
    let mut by = String::new();
    let _ = File::open(note_beside(file)).and_then(|note| note.take(200).read_to_string(&mut by));
    let by = by.trim();
    (!by.is_empty()).then(|| by.to_owned())
}

/// The description of `gauntlet run`: it plays no other experiments of the database, except their confirmations.
pub(crate) const OWN_FILES: &str = "`gauntlet run` of its own files";

/// The process that serves the database of a command.
pub(crate) enum Server {
    /// A coordinator of all experiments, or an unknown process: the database is not a file, or the command asks a coordinator.
    All,
    /// `gauntlet run`, which plays its own files alone. The text is its description.
    OwnFiles(String),
    /// No process.
    Absent,
}

impl Server {
    /// The process that serves it now.
    pub(crate) fn of(target: &TargetArgs) -> Self {
        let Some(file) = target.database.file().filter(|_| target.coordinator.is_none()) else {
            return Self::All;
        };
        match FileLock::of(Path::new(file)) {
            Err(LockError::Io(error)) if error.kind() == io::ErrorKind::NotFound => Self::Absent,
            Err(_) => Self::All,
            Ok(lock) if !lock.is_served() => Self::Absent,
            Ok(_) => holder(file).filter(|by| by.ends_with(OWN_FILES)).map_or(Self::All, Self::OwnFiles),
        }
    }

    /// Reports on standard error which experiments are played, if any, because the database does not contain that.
    pub(crate) fn note(&self) {
        match self {
            Self::All => {}
            Self::OwnFiles(by) => eprintln!(
                "note: this database is served by {by}, which plays no other experiments except their confirmations; ask it with --coordinator URL"
            ),
            Self::Absent => {
                eprintln!(
                    "note: no coordinator serves this database, so nothing is played: `gauntlet serve` does"
                );
            }
        }
    }
}
