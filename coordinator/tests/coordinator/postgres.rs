//! A Postgres server for the tests, with the installed Postgres, started once for the whole run. The end-to-end tests
//! use this file, too.

use std::io::{Read, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// The address of the server; none if Postgres is not installed.
pub(crate) static SERVER: LazyLock<Option<String>> = LazyLock::new(|| {
    if let Ok(address) = std::env::var("GAUNTLET_TEST_PG_URL") {
        return Some(address);
    }
    let Some(programs) = find_programs() else {
        let insisted = std::env::var("CI").is_ok_and(|ci| ci == "true")
            || std::env::var_os("GAUNTLET_REQUIRE_POSTGRES").is_some();
        assert!(!insisted, "initdb and postgres are not installed, and this run must not skip them");
        // Written directly, because the test runner captures the output of passing tests.
        writeln!(
            std::io::stderr(),
            "\nSKIPPED: initdb and postgres are not installed; the tests on Postgres did not run"
        )
        .expect("stderr");
        return None;
    };
    Some(start(&programs))
});

/// The directory of `initdb` and `postgres`: on the path, or in Debian's place.
pub(crate) fn find_programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        let mut versions: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
        versions.sort();
        places.extend(versions.into_iter().rev());
    }
    places.into_iter().find(|place| place.join("initdb").is_file() && place.join("postgres").is_file())
}

/// User and group of the `postgres` account, if this process runs as root: Postgres refuses to run as root.
fn account() -> Option<(u32, u32)> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let users = std::fs::read_to_string("/etc/passwd").expect("/etc/passwd");
    let line = users.lines().find(|line| line.starts_with("postgres:")).expect("an account `postgres`");
    let fields: Vec<&str> = line.split(':').collect();
    Some((fields[2].parse().expect("user id"), fields[3].parse().expect("group id")))
}

/// Starts a server that listens only on a socket in a temporary directory. The server runs under a shell, whose input
/// closes when this process ends in any way. The shell then stops the server and removes the directory.
pub(crate) fn start(programs: &Path) -> String {
    start_with(programs, &[])
}

/// As [`start`], with these settings.
pub(crate) fn start_with(programs: &Path, settings: &[&str]) -> String {
    let new =
        ["initdb", "--no-sync", "-A", "trust", "-U", "postgres", "--locale=C", "-E", "UTF8", "-D", "data"];
    begin(programs, &new, settings)
}

/// As [`start_with`], of the data that a program makes.
pub(crate) fn begin(programs: &Path, maker: &[&str], settings: &[&str]) -> String {
    let directory = tempfile::Builder::new().prefix("gpg").tempdir().expect("a temporary directory").keep();
    let account = account();
    if let Some((user, group)) = account {
        chown(&directory, Some(user), Some(group)).expect("chown");
    }
    let command = |program: &Path| {
        let mut command = Command::new(program);
        if let Some((user, group)) = account {
            command.uid(user).gid(group);
        }
        command.current_dir(&directory);
        command
    };
    // Not every program of Postgres must be in the same directory.
    let beside = Some(programs.join(maker[0])).filter(|program| program.is_file());
    let made =
        command(beside.as_deref().unwrap_or(Path::new(maker[0]))).args(&maker[1..]).output().expect(maker[0]);
    assert!(made.status.success(), "{}: {}", maker[0], String::from_utf8_lossy(&made.stderr));
    let script = "server=$1; directory=$2; shift 2; \"$server\" -D data -k \"$PWD\" -c listen_addresses= -c fsync=off \
                  -c full_page_writes=off -c synchronous_commit=off -c max_connections=500 \"$@\" >log 2>&1 </dev/null & \
                  server=$!; until grep -q 'ready to accept' log || ! kill -0 $server; do sleep 0.02; done; \
                  echo; cat; kill -QUIT $server; wait $server; cd /; rm -rf \"$directory\"";
    let mut shell = command(Path::new("/bin/sh"))
        .args(["-c", script, "sh"])
        .arg(programs.join("postgres"))
        .arg(&directory)
        .args(settings.iter().flat_map(|setting| ["-c", setting]))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh");
    let mut ready = [0];
    shell.stdout.as_mut().expect("piped").read_exact(&mut ready).expect("the server's start");
    // The shell's input must stay open as long as this process lives.
    std::mem::forget(shell);
    let directory = directory.display().to_string().replace('/', "%2F");
    format!("postgres://postgres@localhost/postgres?host={directory}")
}
