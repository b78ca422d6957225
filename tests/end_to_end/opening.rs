//! A database with two names, and databases that this user may only read.

use crate::process::{Process, QUICK, TINY, output_of, refuses, says};
use rustix::fs::{Mode, chmod};
use std::path::Path;
use std::process::Command;

/// The program with these arguments as a user who may write nothing of others: permissions do not bind root. `program` is a copy that
/// everybody may execute.
fn reader(dir: &Path, program: &Path, arguments: &[&str]) -> Command {
    let own = crate::process::gauntlet(dir, arguments);
    if !rustix::process::geteuid().is_root() {
        return own;
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=65534", "--regid=65534", "--clear-groups"]);
    command.arg(program).args(own.get_args()).current_dir(dir);
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
}

/// Plays the four games of [`TINY`].
fn play(dir: &Path) {
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    says(dir, &[&["run", "tiny.toml", "--port", "0", "--exit-when-done"], &QUICK[..]].concat());
}

#[test]
fn a_database_in_use_is_not_opened_by_another_name_of_its_file() {
    let home = tempfile::tempdir().expect("a directory");
    let dir = home.path();
    std::fs::create_dir(dir.join("mounted")).expect("made");
    std::fs::write(dir.join("tiny.toml"), TINY).expect("written");
    let mut serving = Process::start(dir, &["serve", "--port", "0", "tiny.toml"]);
    serving.url();
    std::fs::hard_link(dir.join("gauntlet.db"), dir.join("hard.db")).expect("a link");
    std::fs::create_dir(dir.join("elsewhere")).expect("made");
    std::fs::hard_link(dir.join("gauntlet.db"), dir.join("elsewhere/hard.db")).expect("a link");
    std::os::unix::fs::symlink("gauntlet.db", dir.join("symbolic.db")).expect("a link");
    for command in [
        &["serve", "--port", "0", "--database", "hard.db"][..],
        &["run", "tiny.toml", "--port", "0", "--database", "hard.db"],
        &["results", "tiny", "--database", "hard.db"],
        &["serve", "--port", "0", "--database", "elsewhere/hard.db"],
        &["results", "tiny", "--database", "elsewhere/hard.db"],
        &["apply", "tiny.toml", "--database", "hard.db"],
        &["db", "backup", "backup.db", "--database", "hard.db"],
    ] {
        let said = refuses(dir, command);
        let by = format!("process {} uses ", serving.pid().as_raw_nonzero());
        assert!(said.contains("another name of the file is in use") && said.contains(&by), "{said}");
    }
    assert!(!dir.join("hard.db-wal").exists() && !dir.join("backup.db").exists());
    // A symbolic link is no other name for SQLite: readers use it, and a second coordinator is refused as by the first name.
    says(dir, &["results", "tiny", "--database", "symbolic.db"]);
    for name in ["gauntlet.db", "symbolic.db"] {
        let said = refuses(dir, &["serve", "--port", "0", "--database", name]);
        assert!(said.contains("another gauntlet (process ") && said.contains(" serves "), "{said}");
    }
    // The lock is on the database, and not on the file that names its owner.
    std::fs::remove_file(dir.join("gauntlet.db.lock")).expect("removed");
    let said = refuses(dir, &["serve", "--port", "0"]);
    assert!(said.contains("another gauntlet serves gauntlet.db"), "{said}");
    if rustix::process::geteuid().is_root() {
        let mount = |arguments: &[&str]| {
            Command::new("mount").args(arguments).current_dir(dir).status().is_ok_and(|done| done.success())
        };
        std::fs::write(dir.join("mounted/alone.db"), "").expect("written");
        if mount(&["--bind", "gauntlet.db", "mounted/alone.db"]) {
            let said = refuses(dir, &["serve", "--port", "0", "--database", "mounted/alone.db"]);
            let unmounted = Command::new("umount").arg(dir.join("mounted/alone.db")).status();
            assert!(unmounted.is_ok_and(|done| done.success()));
            assert!(said.contains("another name of the file is in use"), "{said}");
        }
        std::fs::remove_file(dir.join("mounted/alone.db")).expect("removed");
        // A mount of the whole folder has the log, too.
        if mount(&["--bind", ".", "mounted"]) {
            let read = std::panic::catch_unwind(|| {
                says(dir, &["results", "tiny", "--database", "mounted/gauntlet.db"]);
                refuses(dir, &["serve", "--port", "0", "--database", "mounted/gauntlet.db"])
            });
            let unmounted = Command::new("umount").arg(dir.join("mounted")).status();
            assert!(unmounted.is_ok_and(|done| done.success()));
            let said = read.expect("read, and not served");
            assert!(said.contains("serves mounted/gauntlet.db"), "{said}");
        }
    }
    // The log of a process that was killed belongs to its name.
    serving.kill();
    let mut names = vec!["hard.db"];
    // A log in another folder is known by what the file itself says, where the file system has attributes.
    let mut name = [0; 512];
    if rustix::fs::getxattr(dir.join("gauntlet.db"), "user.gauntlet.name", &mut name[..]).is_ok() {
        names.push("elsewhere/hard.db");
    }
    for name in names {
        for command in [&["results", "tiny"][..], &["serve", "--port", "0"]] {
            let said = refuses(dir, &[command, &["--database", name]].concat());
            assert!(said.contains("gauntlet.db has a log with results"), "{said}");
        }
    }
    assert!(!dir.join("elsewhere/hard.db-wal").exists());
    let mut again = Process::start(dir, &["serve", "--port", "0"]);
    again.url();
    assert!(again.stop().success());
    for name in ["hard.db", "elsewhere/hard.db"] {
        says(dir, &["results", "tiny", "--database", name]);
    }
}

#[test]
fn whoever_may_only_read_a_database_reads_it() {
    let home = tempfile::tempdir().expect("a directory");
    let (dir, away) = (home.path().join("kept"), home.path().join("away"));
    for folder in [&dir, &away] {
        std::fs::create_dir(folder).expect("made");
    }
    play(&dir);
    says(&dir, &["db", "backup", "backup.db"]);
    let open = |path: &Path, mode| chmod(path, Mode::from_raw_mode(mode)).expect("a mode");
    open(home.path(), 0o755);
    open(&away, 0o777);
    open(&dir.join("backup.db"), 0o444);
    open(&dir.join("tiny.toml"), 0o444);
    open(&dir, 0o555);
    let backup = dir.join("backup.db").display().to_string();
    let program = home.path().join("gauntlet");
    std::fs::copy(env!("CARGO_BIN_EXE_gauntlet"), &program).expect("copied");
    let reads = |arguments: &[&str]| {
        let mut command = reader(&away, &program, arguments);
        command.env("GAUNTLET_DATABASE", &backup);
        output_of(command)
    };
    let list = reads(&["game", "list", "--format", "csv"]).1;
    let game = list.lines().nth(1).and_then(|line| line.split(',').next()).expect("a game").to_owned();
    for command in [
        &["results", "tiny"][..],
        &["results", "tiny", "--analysis"],
        &["results", "tiny", "--format", "csv"],
        &["verify"],
        &["experiment", "list"],
        &["experiment", "show", "tiny"],
        &["status"],
        &["why", "tiny"],
        &["audit"],
        &["token", "list"],
        &["game", "list"],
        &["game", "show", &game],
        &["game", "replay", &game],
        &["game", "sgf", &game],
        &["bundle", "tiny"],
        &["db", "backup", "copy.db"],
        &["db", "copy", &backup, "other.db"],
        &["db", "restore", &backup, "--database", "restored.db"],
    ] {
        let (status, _, error) = reads(command);
        assert!(status.success(), "{command:?}: {error}");
    }
    for command in [
        &["token", "add", "me"][..],
        &["experiment", "archive", "tiny"],
        &["serve", "--port", "0"],
        &["db", "prune", "--older-than", "1d", "--yes"],
    ] {
        let (status, said, error) = reads(command);
        let told = error.contains("can only be read") || error.contains("must be writable by the user");
        assert!(!status.success() && told && !error.contains("code:"), "{command:?}: {said}{error}");
    }
    let left: Vec<_> =
        std::fs::read_dir(&dir).expect("a folder").flatten().map(|file| file.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("backup.db-")), "{left:?}");

    // A log that nobody may bring into the file, of a coordinator that was killed.
    open(&dir, 0o755);
    std::fs::write(dir.join("backup.db-wal"), "left").expect("written");
    open(&dir, 0o555);
    let (status, _, error) = reads(&["results", "tiny"]);
    assert!(
        !status.success() && error.contains("in the log beside it") && !error.contains("code:"),
        "{error}"
    );
    open(&dir, 0o755);
    std::fs::remove_file(dir.join("backup.db-wal")).expect("removed");
    open(&dir.join("backup.db"), 0o600);
    let (status, _, error) = reads(&["results", "tiny"]);
    assert!(!status.success() && error.contains("may not read it") && !error.contains("code:"), "{error}");
}

#[test]
fn a_path_that_sqlite_cannot_take_is_named() {
    let home = tempfile::tempdir().expect("a directory");
    let mut dir = home.path().to_owned();
    for _ in 0..3 {
        dir.push("d".repeat(200));
    }
    std::fs::create_dir_all(&dir).expect("made");
    for command in [&["db", "create"][..], &["serve", "--port", "0"]] {
        let said = refuses(&dir, command);
        assert!(said.contains("SQLite takes 504 at most") && !said.contains("code:"), "{said}");
    }
    std::fs::write(dir.join("gauntlet.db"), "").expect("written");
    let said = refuses(&dir, &["results"]);
    assert!(said.contains("SQLite takes 504 at most"), "{said}");
    for (database, why) in [("nowhere/x.db", "there is no such folder"), ("gauntlet.db/x.db", "is no folder")]
    {
        let said = refuses(home.path(), &["db", "create", "--database", database]);
        assert!(said.contains(why) || database.starts_with("gauntlet.db"), "{database}: {said}");
    }
}
