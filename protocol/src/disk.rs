//! Room on a disk, in words: what is full may be the blocks or the inodes.

use rustix::fs::statvfs;
use std::path::Path;

/// A disk with fewer free bytes than this counts as full.
const FULL: u64 = 64 << 10;

/// Free room for ordinary users on the disk of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FreeSpace {
    /// Free bytes.
    pub bytes: u64,
    /// Free inodes, each for one more file; none on a file system that does not count them.
    pub inodes: Option<u64>,
}

impl FreeSpace {
    /// The room on the disk of a file, which need not exist.
    #[must_use]
    pub fn beside(file: &Path) -> Option<Self> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let disk = statvfs(folder).ok()?;
        Some(Self {
            bytes: disk.f_bavail.saturating_mul(disk.f_frsize),
            inodes: (disk.f_files > 0).then_some(disk.f_favail),
        })
    }

    /// Whether the disk counts as full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.bytes < FULL || self.inodes == Some(0)
    }

    /// What is free, in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        let free = match self.bytes >> 10 {
            0 => "no block is free on its disk".to_owned(),
            kib @ 1..10_000 => format!("{kib} KiB are free on its disk"),
            kib @ 10_000..10_000_000 => format!("{} MiB are free on its disk", kib >> 10),
            kib => format!("{} GiB are free on its disk", kib >> 20),
        };
        match self.inodes {
            Some(0) => format!("no inode is free on its disk, so no file can be made there, although {free}"),
            _ => free,
        }
    }
}

/// What is free on the disk of a file, in words.
#[must_use]
pub fn free_in_words(file: &Path) -> String {
    FreeSpace::beside(file).map_or("how much is free on its disk is unknown".into(), |room| room.in_words())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_full_is_named() {
        for (bytes, inodes, full, words) in [
            (0, Some(9), true, "no block is free"),
            (5 << 10, None, true, "5 KiB are free"),
            (
                9 << 30,
                Some(0),
                true,
                "no inode is free on its disk, so no file can be made there, although 9216 MiB",
            ),
            (9 << 40, Some(1), false, "9216 GiB are free"),
            (100 << 20, None, false, "100 MiB are free"),
        ] {
            let room = FreeSpace { bytes, inodes };
            assert!(room.is_full() == full && room.in_words().starts_with(words), "{}", room.in_words());
        }
        assert!(free_in_words(Path::new("x")).contains("free"));
    }
}
