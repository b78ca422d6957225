//! The state directory of a worker: its lock, its identity and its spool.

use crate::credentials::Credentials;
use engine::spelling::excerpt;
use protocol::ids::WorkerId;
use protocol::sync::MOST_STARTS;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tracing::warn;

/// A state directory that cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// Another worker uses it.
    #[error(
        "another worker (process {pid}) is using {}: give this one a directory of its own with --dir",
        dir.display()
    )]
    InUse {
        /// The directory.
        dir: PathBuf,
        /// The other worker's process id.
        pid: String,
    },
    /// The worker's id cannot be read.
    #[error("{} holds no worker id but {found:?}; remove the file to be given a new one", path.display())]
    BadId {
        /// The file.
        path: PathBuf,
        /// Its content.
        found: String,
    },
    /// The stored credentials cannot be read. The message does not repeat them: they are secret.
    #[error("{} cannot be read ({why}); remove it and join again", path.display())]
    BadCredentials {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// A file operation failed.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The operation.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        #[source]
        source: io::Error,
    },
}

/// Adds the operation and the path to an I/O error.
pub(crate) fn at<'a>(action: &'static str, path: &'a Path) -> impl FnOnce(io::Error) -> StateError + 'a {
    move |source| StateError::Io { action, path: path.to_owned(), source }
}

/// A locked state directory. The lock ends with the value, or with the process.
#[derive(Debug)]
pub struct StateDir {
    path: PathBuf,
    worker: WorkerId,
    _lock: File,
}

impl StateDir {
    /// Creates the directory if there is none, locks it, and reads or creates the worker's id.
    ///
    /// # Errors
    /// When another process has locked the directory, or it cannot be used.
    pub fn open(path: &Path) -> Result<Self, StateError> {
        create_private_dir(path)?;
        let lock = lock(path)?;
        let worker = worker_id(path)?;
        Ok(Self { path: path.to_owned(), worker, _lock: lock })
    }

    /// The machine's identity.
    pub(crate) fn worker(&self) -> WorkerId {
        self.worker
    }

    /// The credentials from joining, if this machine ever joined.
    pub(crate) fn credentials(&self) -> Result<Option<Credentials>, StateError> {
        let path = self.credentials_path();
        match std::fs::read(&path) {
            Ok(content) => serde_json::from_slice(&content).map(Some).map_err(|error| {
                // The error's own message would repeat the text in place of the object, and that may be secret.
                let what = if error.is_data() { "no credentials" } else { "no JSON" };
                let why = format!("{what} at line {}, column {}", error.line(), error.column());
                StateError::BadCredentials { path, why }
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at("read", &path)(error)),
        }
    }

    /// Stores the credentials in a file that only its owner may read.
    pub(crate) fn keep_credentials(&self, credentials: &Credentials) -> Result<(), StateError> {
        let path = self.credentials_path();
        let content = serde_json::to_vec_pretty(credentials).expect("text serialises");
        write_durably(&path, &path.with_extension("new"), &content).map_err(at("write", &path))
    }

    fn credentials_path(&self) -> PathBuf {
        self.path.join("credentials.json")
    }

    /// Begins a start of the worker in this directory and returns its number. The number is larger than that of every
    /// earlier start, even if the directory was restored from an old copy; it is therefore at least the clock's seconds.
    pub(crate) fn begin(&self) -> Result<u64, StateError> {
        let path = self.path.join("starts");
        let kept = match std::fs::read_to_string(&path) {
            Ok(text) => {
                text.trim().parse().ok().filter(|&number| number < MOST_STARTS).unwrap_or_else(|| {
                    warn!(
                        "{} contains no number of starts: the number now comes from the clock",
                        path.display()
                    );
                    0
                })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(at("read", &path)(error)),
        };
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let number = seconds.clamp(kept + 1, MOST_STARTS);
        write_durably(&path, &path.with_extension("new"), format!("{number}\n").as_bytes())
            .map_err(at("write", &path))?;
        Ok(number)
    }

    /// The directory of checkpoints.
    pub(crate) fn checkpoints_path(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// The directory of the spool.
    pub(crate) fn spool_path(&self) -> PathBuf {
        self.path.join("spool")
    }
}

/// Creates a directory that only its owner may enter.
pub(crate) fn create_private_dir(path: &Path) -> Result<(), StateError> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(path);
    created.map_err(at("create the directory", path))
}

/// Creates or empties a file that only its owner may read.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    Ok(file)
}

/// Writes a file atomically: after a crash it is complete or absent: it writes to a temporary name, syncs, renames, and syncs the
/// directory.
pub(crate) fn write_durably(path: &Path, temporary: &Path, content: &[u8]) -> io::Result<()> {
    write_durably_by(path, temporary, |file| file.write_all(content))
}

/// [`write_durably`] with a content that is written piece by piece.
pub(crate) fn write_durably_by(
    path: &Path,
    temporary: &Path,
    content: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let write = || {
        let mut file = create_private_file(temporary)?;
        content(&mut file)?;
        file.sync_all()?;
        std::fs::rename(temporary, path)
    };
    write().map_err(|error| {
        // An incomplete file is useless and takes room.
        let _ = std::fs::remove_file(temporary);
        with_room(error, temporary)
    })?;
    let dir = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(dir)?.sync_all()
}

/// Adds the free room to the error of a full disk.
fn with_room(error: io::Error, path: &Path) -> io::Error {
    if !matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return error;
    }
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let free = rustix::fs::statvfs(dir).map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) >> 10);
    let free = free.map_or("an unknown number of".into(), |kib| kib.to_string());
    io::Error::new(error.kind(), format!("{error}: {free} KiB are free where {} is", path.display()))
}

fn lock(dir: &Path) -> Result<File, StateError> {
    let path = dir.join("lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(at("open", &path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut pid = String::new();
            // Only for the message: the directory is in use even if this file is unreadable.
            let _ = file.read_to_string(&mut pid);
            let pid = if pid.trim().is_empty() { "unknown" } else { pid.trim() }.to_owned();
            return Err(StateError::InUse { dir: dir.to_owned(), pid });
        }
        Err(TryLockError::Error(error)) => return Err(at("lock", &path)(error)),
    }
    let written =
        file.set_len(0).and_then(|()| file.rewind()).and_then(|()| writeln!(file, "{}", std::process::id()));
    written.map_err(at("write", &path))?;
    Ok(file)
}

fn worker_id(dir: &Path) -> Result<WorkerId, StateError> {
    let path = dir.join("worker-id");
    match std::fs::read_to_string(&path) {
        Ok(text) => {
            text.trim().parse().map_err(|_| StateError::BadId { path: path.clone(), found: excerpt(&text) })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let worker = WorkerId::random();
            write_durably(&path, &dir.join("worker-id.new"), format!("{worker}\n").as_bytes())
                .map_err(at("write", &path))?;
            Ok(worker)
        }
        Err(error) => Err(at("read", &path)(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_worker_in_the_same_directory_is_refused_by_name() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("deep/worker");
        let first = StateDir::open(&dir).expect("free");
        let error = StateDir::open(&dir).expect_err("taken").to_string();
        assert!(error.contains(&dir.display().to_string()), "{error}");
        assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
        drop(first);
        StateDir::open(&dir).expect("free again");
    }

    #[test]
    fn the_identity_stays_and_is_for_the_owner_alone() {
        let home = tempfile::tempdir().expect("a directory");
        let dir = home.path().join("worker");
        let id = StateDir::open(&dir).expect("free").worker();
        assert_eq!(StateDir::open(&dir).expect("free").worker(), id);
        let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&dir), 0o700);
        assert_eq!(mode(&dir.join("worker-id")), 0o600);
        assert_eq!(mode(&dir.join("lock")), 0o600);
    }

    #[test]
    fn spoilt_credentials_are_not_repeated() {
        let home = tempfile::tempdir().expect("a directory");
        let state = StateDir::open(home.path()).expect("free");
        for (spoilt, what) in [
            ("\"5ec2e7\"", "no credentials at line 1"),
            ("{\"token\": 5ec2e7", "no JSON at line 1"),
            ("{\n\"token\": [\"5ec2e7\"]}", "no credentials at line 2"),
        ] {
            std::fs::write(state.credentials_path(), spoilt).expect("written");
            let error = state.credentials().expect_err("spoilt").to_string();
            assert!(error.contains(what) && !error.contains("5ec2e7"), "{error}");
        }
    }

    #[test]
    fn every_start_has_a_larger_number_whatever_became_of_the_file() {
        let home = tempfile::tempdir().expect("a directory");
        let state = StateDir::open(home.path()).expect("free");
        let (first, second) = (state.begin().expect("begins"), state.begin().expect("begins"));
        assert!(second > first && first > 1_700_000_000, "{first} {second}");
        let path = home.path().join("starts");
        let ahead = 1_u64 << 60;
        std::fs::write(&path, format!("{ahead}\n")).expect("written");
        assert_eq!(state.begin().expect("begins"), ahead + 1, "the clock may be set back");
        for spoilt in ["", "no number", "18446744073709551615", "9223372036854775807"] {
            std::fs::write(&path, spoilt).expect("written");
            let number = state.begin().expect("begins");
            assert!(number >= first && number < ahead, "{spoilt}: {number}");
        }
    }

    #[test]
    fn spoilt_credentials_are_an_error_that_names_the_file_and_tells_no_secret() {
        let home = tempfile::tempdir().expect("a directory");
        let state = StateDir::open(home.path()).expect("free");
        assert_eq!(state.credentials().expect("none yet"), None);
        let secret = "5".repeat(64);
        let credentials = Credentials {
            coordinator: "http://host:8437".into(),
            token: secret.clone(),
            code_sha256: "6".repeat(64),
            joined: true,
        };
        state.keep_credentials(&credentials).expect("kept");
        assert_eq!(state.credentials().expect("whole"), Some(credentials));
        let path = state.credentials_path();
        let whole = std::fs::read(&path).expect("there");
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).expect("written");
            let error = state.credentials().expect_err("cut off");
            assert!(matches!(error, StateError::BadCredentials { .. }), "{error:?}");
            let error = error.to_string();
            assert!(error.contains("credentials.json") && error.contains("join again"), "{error}");
            assert!(!error.contains(&secret), "{error}");
        }
    }

    #[test]
    fn a_spoilt_identity_is_an_error_that_names_the_file() {
        let home = tempfile::tempdir().expect("a directory");
        std::fs::write(home.path().join("worker-id"), "me").expect("written");
        let error = StateDir::open(home.path()).expect_err("no id").to_string();
        assert!(error.contains("worker-id") && error.contains("\"me\""), "{error}");
    }
}
