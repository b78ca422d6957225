//! Why SQLite cannot open a file. Its own error code stands for a dozen causes.

use super::LockError;
use super::log_file::{beside, has_log};
use super::open_error::OpenError;
use super::read_only::may_be_written;
use protocol::disk::{FreeSpace, free_in_words};
use rustix::fs::{XattrFlags, getxattr, setxattr};
use std::ffi::OsStr;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The longest path of a database in bytes: SQLite has 512 for it, with the longest ending of the files beside it.
const LONGEST_PATH: usize = 504;

/// Refuses a path that is too long.
pub(super) fn check_path(path: &str) -> Result<(), OpenError> {
    let whole = Path::new(path).canonicalize().or_else(|_| std::path::absolute(path));
    let bytes = whole.map_or(path.len(), |whole| whole.as_os_str().len());
    if bytes <= LONGEST_PATH {
        return Ok(());
    }
    Err(OpenError::CannotOpen {
        database: path.to_owned(),
        why: format!(
            "the whole path has {bytes} bytes, and SQLite takes {LONGEST_PATH} at most; move the file to a folder with a shorter \
             path, or bind-mount its whole folder there"
        ),
    })
}

/// The attribute of a file in which processes note the name by which they open it.
const NAME: &str = "user.gauntlet.name";

/// Notes in a file the name by which it is opened, for a process that opens it by another name after this process was killed. Not
/// every file system has attributes.
pub(super) fn note_name(path: &str) {
    let Ok(name) = Path::new(path).canonicalize() else { return };
    let noted = noted_name(&name);
    // A log belongs to the noted name; it has another name only while the whole folder is mounted elsewhere.
    if noted.is_none() || noted.as_deref() != Some(&name) && !has_log(path) {
        let _ = setxattr(&name, NAME, name.as_os_str().as_bytes(), XattrFlags::empty());
    }
}

fn noted_name(file: &Path) -> Option<PathBuf> {
    let mut name = [0; LONGEST_PATH];
    let bytes = getxattr(file, NAME, &mut name[..]).ok()?;
    Some(OsStr::from_bytes(&name[..bytes]).into())
}

/// Refuses a file that has a log beside another name, of a process that was killed: without that log the file lacks results.
/// Other names are those in its folder, and the one by which it was opened last, in whatever folder that is.
pub(super) fn check_other_names(path: &str) -> Result<(), OpenError> {
    let Ok(path_of_file) = Path::new(path).canonicalize() else { return Ok(()) };
    let number = |path: &Path| std::fs::metadata(path).map(|file| (file.dev(), file.ino(), file.nlink()));
    let Ok(own @ (_, _, links)) = number(&path_of_file) else { return Ok(()) };
    // A symbolic link is not another name. A mount of the file alone is another name without a link.
    let folder = path_of_file.parent().filter(|_| links > 1);
    let names = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.path()).chain(noted_name(&path_of_file));
    let mut names = names.filter_map(|name| name.canonicalize().ok());
    // A mount of the whole folder has the same log.
    let log = number(&beside(path, "-wal")).ok();
    let is_other = |name: &PathBuf| {
        *name != path_of_file
            && number(name).is_ok_and(|number| number == own)
            && name.to_str().is_some_and(|name| has_log(name) && number(&beside(name, "-wal")).ok() != log)
    };
    match names.find(is_other) {
        None => Ok(()),
        Some(name) => Err(OpenError::OtherName {
            database: path.to_owned(),
            why: LockError::OtherName { by: Some(format!("{} has a log with results", name.display())) },
        }),
    }
}

/// The error with its cause and what can be done about it, where that is known.
pub(super) fn explained(path: &str, error: OpenError) -> OpenError {
    let database = || path.to_owned();
    let is_full = FreeSpace::beside(Path::new(path)).is_some_and(|room| room.is_full());
    // SQLite reports a full disk, too, as a file that cannot be opened.
    if error.is_of_the_disk() && (is_full || !error.cannot_open()) {
        return OpenError::NoRoom {
            database: database(),
            why: error.to_string(),
            room: free_in_words(Path::new(path)),
        };
    }
    if error.is_read_only() {
        return OpenError::ReadOnly { database: database() };
    }
    match cause(path).filter(|_| error.cannot_open()) {
        Some(why) => OpenError::CannotOpen { database: database(), why },
        None => error,
    }
}

/// Why the file cannot be opened, if the system reports it.
fn cause(path: &str) -> Option<String> {
    let file = std::path::absolute(path).ok()?;
    let folder = file.parent()?;
    match std::fs::metadata(folder) {
        Err(error) => return Some(format!("its folder {}: {}", folder.display(), in_words(&error))),
        Ok(found) if !found.is_dir() => return Some(format!("{} is no folder", folder.display())),
        Ok(_) => {}
    }
    let log = beside(path, "-wal");
    let (name, log_name) = (file.display(), log.display());
    match File::open(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => Some(format!(
            "the folder {} must be writable by the user that runs this program",
            folder.display()
        )),
        Err(error) => Some(in_words(&error)),
        Ok(_) if !may_be_written(&file) && has_log(path) => Some(format!(
            "some of its results are in the log beside it, {log_name}, and SQLite has to write files there to read the log. Copy both, \
             `{name}` and `{log_name}`, to a folder that can be written, and name the copy"
        )),
        Ok(_) => None,
    }
}

/// The system's message, and its meaning for a database.
fn in_words(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::PermissionDenied => "the user that runs this program may not read it".to_owned(),
        ErrorKind::NotFound => "there is no such folder".to_owned(),
        _ => error.to_string(),
    }
}
