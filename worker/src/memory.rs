//! The memory that this machine can give to games.

use protocol::memory::Mib;
use std::num::NonZeroUsize;
use std::path::Path;

/// The memory reserved for the system: a part of the whole, within these bounds.
const RESERVED_PART: u64 = 16;
const LEAST_RESERVED: u64 = 256;
const MOST_RESERVED: u64 = 1024;

/// The memory assumed when the system does not report it: no game needs more.
const UNKNOWN: Mib = Mib(8192);

/// The default memory per slot for the trees of a game's two players: an equal share of the machine's memory or of the
/// limit of this process's control group, after a part for the system is subtracted.
#[must_use]
pub fn per_slot(slots: NonZeroUsize) -> Mib {
    available(Path::new("/")).map_or(UNKNOWN, |mib| share(mib, slots))
}

fn share(mib: u64, slots: NonZeroUsize) -> Mib {
    let reserved = (mib / RESERVED_PART).clamp(LEAST_RESERVED, MOST_RESERVED);
    let each = mib.saturating_sub(reserved) / slots.get() as u64;
    Mib(u32::try_from(each).unwrap_or(u32::MAX))
}

/// MiB of memory that this process may use; `root` is where the system's files are.
fn available(root: &Path) -> Option<u64> {
    let limits = limits(root).into_iter().map(|bytes| bytes >> 20);
    limits.chain(installed(root)).min()
}

/// MiB of memory in the machine.
fn installed(root: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}

/// The limits, in bytes, of this process's control groups and all groups that contain them, cgroup v1 and v2.
fn limits(root: &Path) -> Vec<u64> {
    let groups = std::fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (parts.next(), parts.next()) else { continue };
        let (mount, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            _ if controllers.split(',').any(|name| name == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => continue,
        };
        // In a container the group has its name on the host, but only the container's own group is mounted.
        for group in Path::new(group.trim_start_matches('/')).ancestors() {
            let limit = std::fs::read_to_string(root.join(mount).join(group).join(file));
            // Without a limit, v2 says `max` and v1 a huge number.
            found.extend(limit.ok().and_then(|text| text.trim().parse::<u64>().ok()));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A system with these files.
    fn system(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().expect("below the root")).expect("made");
            std::fs::write(path, text).expect("written");
        }
        root
    }

    const INSTALLED: (&str, &str) = ("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:   1024 kB\n");

    #[test]
    fn the_lowest_limit_around_this_process_counts_in_either_version_of_control_groups() {
        assert_eq!(available(system(&[INSTALLED]).path()), Some(16_384));
        assert_eq!(available(system(&[]).path()), None);
        let gib = |n: u64| format!("{}\n", n << 30);
        let second = system(&[
            INSTALLED,
            ("proc/self/cgroup", "0::/lab/job.slice/task\n"),
            ("sys/fs/cgroup/lab/memory.max", &gib(5)),
            ("sys/fs/cgroup/lab/job.slice/memory.max", &gib(3)),
            ("sys/fs/cgroup/lab/job.slice/task/memory.max", "max\n"),
            ("sys/fs/cgroup/other/memory.max", &gib(1)),
        ]);
        assert_eq!(available(second.path()), Some(3072));
        let first = system(&[
            INSTALLED,
            ("proc/self/cgroup", "9:cpu,cpuacct:/docker/7\n8:memory:/docker/7\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", &gib(2)),
        ]);
        assert_eq!(available(first.path()), Some(2048), "a container sees its own group as the topmost");
        let no_limit = system(&[
            INSTALLED,
            ("proc/self/cgroup", "8:memory:/\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ]);
        assert_eq!(available(no_limit.path()), Some(16_384));
    }

    #[test]
    fn slots_share_what_the_system_leaves() {
        let slots = |n| NonZeroUsize::new(n).expect("not zero");
        assert_eq!(share(16_384, slots(4)), Mib((16_384 - 1024) / 4));
        assert_eq!(share(2048, slots(1)), Mib(2048 - 256));
        assert_eq!(share(100, slots(3)), Mib(0), "it is too small for any game");
        let own = per_slot(slots(1));
        assert!(own > Mib(0) && per_slot(slots(64)) < own, "this machine has some: {own}");
    }
}
