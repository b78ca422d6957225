//! A reserve for a full disk beside an SQLite file.
//!
//! On a full disk SQLite can neither be opened, because it makes files of its own, nor drop anything, because each
//! change goes through its log first. So a file beside the database reserves some space, which is given up then.

use protocol::disk::Room;
use rustix::fs::{FallocateFlags, fallocate};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

/// The size of the reserve where there is enough space.
const LARGEST: u64 = 16 << 20;

/// The smallest reserve that is kept.
const SMALLEST: u64 = 64 << 10;

/// The part that is given up to open a database: enough for the files that SQLite makes.
const FOR_OPENING: u64 = 1 << 20;

/// The file that reserves space.
#[derive(Debug, Clone)]
pub(super) struct Reserve(PathBuf);

impl Reserve {
    /// The reserve of a database.
    pub(super) fn of(database: &str) -> Self {
        Self(format!("{database}-reserve").into())
    }

    fn size(&self) -> u64 {
        std::fs::metadata(&self.0).map_or(0, |found| found.len())
    }

    /// Enlarges the reserve to its size, if there is space: it takes only a part of the free space, so that other
    /// programs come first.
    pub(super) fn keep(&self, part: u64) -> io::Result<()> {
        let size = self.size();
        let free = Room::beside(&self.0).map_or(0, |room| room.bytes);
        let wanted = ((free + size) / part).min(LARGEST);
        if wanted < SMALLEST || wanted <= size || size >= LARGEST / 2 {
            return Ok(());
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&self.0)?;
        let kept = fill(&file, size, wanted - size);
        if kept.is_err() {
            file.set_len(size)?;
        }
        kept
    }

    /// Gives up a part of the reserve; gives whether there was any.
    pub(super) fn give_up_for_opening(&self) -> bool {
        let size = self.size();
        let file = OpenOptions::new().write(true).open(&self.0);
        size > 0
            && file.and_then(|file| file.set_len(size.saturating_sub(FOR_OPENING.min(size / 2 + 1)))).is_ok()
    }

    /// Gives up the whole reserve; gives whether there was any.
    pub(super) fn give_up(&self) -> bool {
        self.size() > 0 && std::fs::remove_file(&self.0).is_ok()
    }
}

/// Allocates blocks for this many bytes of a file.
fn fill(mut file: &File, from: u64, bytes: u64) -> io::Result<()> {
    if fallocate(file, FallocateFlags::empty(), from, bytes).is_ok() {
        return Ok(());
    }
    // Not every file system can allocate. The content has no repetition, so that no file system compresses it.
    io::Seek::seek(&mut file, io::SeekFrom::Start(from))?;
    let (mut word, mut left) = (engine::rng::mix(from | 1), bytes);
    while left > 0 {
        let block: Vec<u8> = (0..512)
            .flat_map(|_| {
                word = engine::rng::mix(word);
                word.to_le_bytes()
            })
            .collect();
        let part = left.min(block.len() as u64);
        file.write_all(&block[..part as usize])?;
        left -= part;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reserve_is_kept_given_up_in_part_and_wholly() {
        let home = tempfile::tempdir().expect("a directory");
        let database = home.path().join("g.db").display().to_string();
        let reserve = Reserve::of(&database);
        assert!(!reserve.give_up_for_opening() && !reserve.give_up(), "there is none");
        reserve.keep(8).expect("kept");
        let whole = reserve.size();
        assert!((SMALLEST..=LARGEST).contains(&whole), "{whole}");
        let blocks = std::os::unix::fs::MetadataExt::blocks(&std::fs::metadata(&reserve.0).expect("there"));
        assert!(blocks * 512 >= whole, "it takes the room that it shows");
        assert!(reserve.give_up_for_opening());
        assert_eq!(reserve.size(), whole - FOR_OPENING.min(whole / 2 + 1));
        assert!(reserve.give_up() && !reserve.0.exists());
    }

    #[test]
    fn a_file_system_that_cannot_allocate_is_written_to() {
        let home = tempfile::tempdir().expect("a directory");
        let file = File::create(home.path().join("x")).expect("a file");
        fill(&file, 0, 100_000).expect("filled");
        assert_eq!(file.metadata().expect("there").len(), 100_000);
    }
}
