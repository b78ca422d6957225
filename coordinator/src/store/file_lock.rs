//! Locks on an SQLite file itself, by whatever name it is opened.
//!
//! SQLite keeps a log beside the *name* of a file. A file with two names (a hard link, or a mount of the file alone) would get
//! two logs, and lose what one of them has. So every process holds a lock that stands for the name by which it opened the file,
//! and refuses a file that another process holds by another name. Another lock stands for the right to serve the file.
//!
//! The locks belong to an open file description and are on bytes that SQLite does not lock. Network file systems turn `flock`
//! into a lock on all bytes, for which SQLite would wait. When a process closes any descriptor of a file, the system ends the
//! locks of SQLite in that process, so all users of a file share one descriptor, which is closed after the last of them.

use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use thiserror::Error;

/// The byte that stands for the right to serve. SQLite locks the 512 bytes that begin at 2^30.
const SERVING: i64 = (1 << 30) + 4096;

/// The number of bytes after [`SERVING`] that stand for names.
const NAMES: i64 = 1 << 29;

/// Device and number of a file.
type FileNumber = (u64, u64);

/// The files that this process has opened.
static OPENED: Mutex<BTreeMap<FileNumber, Opened>> = Mutex::new(BTreeMap::new());

/// An open file, and how often this process uses it.
struct Opened {
    file: File,
    name: i64,
    users: usize,
    is_served: bool,
}

/// A lock on a file, until this value is dropped.
#[derive(Debug)]
pub struct FileLock {
    number: FileNumber,
    serves: bool,
}

/// Why a file cannot be locked.
#[derive(Debug, Error)]
pub enum LockError {
    /// The system cannot lock or open the file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Another process has opened the file by another name. The process is named if it can be found.
    #[error("another name of the file is in use{}", by.as_ref().map_or(String::new(), |by| format!(" ({by})")))]
    OtherName {
        /// The process and its name of the file.
        by: Option<String>,
    },
}

impl FileLock {
    /// Locks an existing file by this name.
    ///
    /// # Errors
    /// When another process has opened the file by another name, or there is no such file, or it cannot be read.
    pub fn of(path: &Path) -> Result<Self, LockError> {
        let path = path.canonicalize()?;
        let name = byte_of(&path)?;
        let mut opened = opened();
        let number = number(&path.metadata()?);
        if let Some(file) = opened.get_mut(&number) {
            if file.name != name {
                return Err(LockError::OtherName { by: user(number) });
            }
            file.users += 1;
            return Ok(Self { number, serves: false });
        }
        let file = OpenOptions::new().read(true).write(true).open(&path).or_else(|_| File::open(&path))?;
        // On a file system without locks, other users cannot be detected.
        let _ = set(&file, libc::F_RDLCK, (name, 1));
        let others = [(SERVING + 1, name - SERVING - 1), (name + 1, SERVING + NAMES - name)];
        if others.into_iter().any(|bytes| is_locked(&file, bytes)) {
            return Err(LockError::OtherName { by: user(number) });
        }
        opened.insert(number, Opened { file, name, users: 1, is_served: false });
        Ok(Self { number, serves: false })
    }

    /// Takes the right to serve the file. Gives whether it was free.
    ///
    /// # Errors
    /// When the file system gives no lock, or the file cannot be written.
    pub fn serve(&mut self) -> io::Result<bool> {
        let mut opened = opened();
        let Some(file) = opened.get_mut(&self.number) else { return Ok(false) };
        if file.is_served {
            return Ok(self.serves);
        }
        match set(&file.file, libc::F_WRLCK, (SERVING, 1)) {
            Ok(()) => {
                (file.is_served, self.serves) = (true, true);
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
            // The file is open read-only.
            Err(error) if error.raw_os_error() == Some(libc::EBADF) => {
                Err(io::ErrorKind::PermissionDenied.into())
            }
            Err(error) => Err(error),
        }
    }

    /// Whether this process serves the file.
    pub(super) fn is_served_here(&self) -> bool {
        opened().get(&self.number).is_some_and(|file| file.is_served)
    }

    /// Whether another process serves the file.
    #[must_use]
    pub fn is_served(&self) -> bool {
        opened().get(&self.number).is_some_and(|file| is_locked(&file.file, (SERVING, 1)))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        let mut opened = opened();
        let Some(file) = opened.get_mut(&self.number) else { return };
        if std::mem::take(&mut self.serves) {
            file.is_served = false;
            let _ = set(&file.file, libc::F_UNLCK, (SERVING, 1));
        }
        file.users -= 1;
        if file.users == 0 {
            // Closed before another thread may open the file again, whose locks this would end.
            opened.remove(&self.number);
        }
    }
}

fn opened() -> MutexGuard<'static, BTreeMap<FileNumber, Opened>> {
    OPENED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn number(file: &std::fs::Metadata) -> FileNumber {
    (file.dev(), file.ino())
}

/// The byte that stands for a name: the file's name in its folder, by whatever path the folder is reached.
fn byte_of(path: &Path) -> io::Result<i64> {
    let (device, folder) = number(&path.parent().unwrap_or(Path::new("/")).metadata()?);
    let mut digest = Sha256::new();
    digest.update(device.to_le_bytes());
    digest.update(folder.to_le_bytes());
    digest.update(path.file_name().unwrap_or_default().as_bytes());
    let first = digest.finalize().iter().take(7).fold(0, |all, byte| (all << 8) | i64::from(*byte));
    Ok(SERVING + 1 + first % NAMES)
}

/// A lock's description: kind, first byte and number of bytes.
fn described(kind: libc::c_int, (first, bytes): (i64, i64)) -> libc::flock {
    // SAFETY: the type has integers only, for which zero is a value.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = kind as libc::c_short;
    lock.l_whence = libc::SEEK_SET as libc::c_short;
    lock.l_start = first as libc::off_t;
    lock.l_len = bytes as libc::off_t;
    lock
}

/// Sets or ends a lock, without waiting.
fn set(file: &File, kind: libc::c_int, bytes: (i64, i64)) -> io::Result<()> {
    let lock = described(kind, bytes);
    // SAFETY: the descriptor is open, and this command reads one `flock` at the address.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_SETLK, &raw const lock) } {
        -1 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// Whether others have a lock on one of these bytes.
fn is_locked(file: &File, bytes: (i64, i64)) -> bool {
    // Zero bytes would mean all bytes that follow.
    if bytes.1 <= 0 {
        return false;
    }
    let mut lock = described(libc::F_WRLCK, bytes);
    // SAFETY: the descriptor is open, and this command reads and writes one `flock` at the address.
    let asked = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_OFD_GETLK, &raw mut lock) };
    asked != -1 && i32::from(lock.l_type) != libc::F_UNLCK
}

/// Another process that has opened the file, and its name of the file, if this user may see that.
fn user(number_of_file: FileNumber) -> Option<String> {
    let own = std::process::id().to_string();
    for process in std::fs::read_dir("/proc").ok()?.flatten() {
        let id = process.file_name();
        let Some(id) = id.to_str().filter(|id| *id != own && id.bytes().all(|c| c.is_ascii_digit())) else {
            continue;
        };
        let open = std::fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten();
        for descriptor in open.map(|entry| entry.path()) {
            if std::fs::metadata(&descriptor).is_ok_and(|file| number(&file) == number_of_file) {
                let name = std::fs::read_link(&descriptor).unwrap_or_else(|_| PathBuf::from("?"));
                return Some(format!("process {id} uses {}", name.display()));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lock of another process, as far as the system can tell: of another open file description.
    fn elsewhere(path: &Path) -> File {
        let file = OpenOptions::new().read(true).write(true).open(path).expect("a file");
        set(&file, libc::F_RDLCK, (byte_of(path).expect("a name"), 1)).expect("locked");
        file
    }

    #[test]
    fn a_file_in_use_is_refused_by_any_other_name_and_served_once() {
        let home = tempfile::tempdir().expect("a directory");
        let home = home.path().canonicalize().expect("a path");
        let [file, link, hard] = ["a.db", "b.db", "c.db"].map(|name| home.join(name));
        std::fs::write(&file, "").expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        std::fs::hard_link(&file, &hard).expect("a link");
        let other = elsewhere(&file);
        drop(FileLock::of(&file).expect("by the same name"));
        let mut lock = FileLock::of(&link).expect("SQLite follows symbolic links, too");
        assert!(matches!(FileLock::of(&hard), Err(LockError::OtherName { .. })), "in this process");
        assert!(!lock.is_served());
        set(&other, libc::F_WRLCK, (SERVING, 1)).expect("served");
        assert!(lock.is_served() && !lock.serve().expect("asked"));
        set(&other, libc::F_UNLCK, (SERVING, 1)).expect("not served");
        assert!(lock.serve().expect("asked") && !lock.is_served(), "by this process alone");
        let mut second = FileLock::of(&file).expect("by the same name");
        assert!(!second.serve().expect("asked"), "once in a process, too");
        drop((lock, second));
        assert!(matches!(FileLock::of(&hard), Err(LockError::OtherName { .. })), "in another");
        drop(other);
        let by_hard_link = FileLock::of(&hard).expect("the only name in use");
        assert!(matches!(FileLock::of(&file), Err(LockError::OtherName { .. })));
        drop(by_hard_link);
        FileLock::of(&file).expect("free again");
    }
}
