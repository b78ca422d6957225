//! The commands of docs/how-to/recover.md, verbatim, on both databases.

use crate::process::DEADLINE;
use crate::several::postgres;
use std::io::Write;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use tokio::net::TcpSocket;

const PAGE: &str = include_str!("../../docs/how-to/recover.md");

/// The commands of the document's block with this name.
fn block(name: &str) -> &'static str {
    let (_, rest) = PAGE.split_once(&format!("```sh {name}\n")).expect("a drill of this name");
    rest.split_once("```").expect("its end").0
}

fn drill(name: &str, database: &str, spare: &str) {
    let commands = [block("setup"), block(name)].concat();
    script(name, &commands, &[("DATABASE", database), ("SPARE", spare)]);
}

/// Runs commands of a page in a shell, in an empty directory, with a port for a coordinator.
pub(crate) fn script(name: &str, commands: &str, variables: &[(&str, &str)]) {
    let home = tempfile::tempdir().expect("a directory");
    let program = Path::new(env!("CARGO_BIN_EXE_gauntlet")).parent().expect("a directory");
    let path = std::env::var("PATH").expect("a path");
    // Two sockets that reuse addresses may have one port as long as only one of them listens. So nobody is given the port of this one, and
    // the coordinator can listen there.
    let kept = TcpSocket::new_v4().expect("a socket");
    kept.set_reuseaddr(true).expect("an option");
    kept.bind(SocketAddr::from(([127, 0, 0, 1], 0))).expect("a port");
    let port = kept.local_addr().expect("bound").port();
    // The trap kills the script's processes at its end. After the time limit, `timeout` kills the whole process group.
    let clean = "set -euo pipefail\ntrap 'kill -KILL $(jobs -p) 2>/dev/null || true' EXIT\n";
    let script = [clean, commands].concat();
    let mut command = Command::new("timeout");
    command
        .args([&DEADLINE.as_secs().to_string(), "bash", "-c", &script])
        .current_dir(home.path())
        .env_clear()
        .env("PATH", format!("{}:{path}", program.display()))
        .env("PORT", port.to_string())
        .envs(variables.iter().copied())
        .stdin(Stdio::null());
    let output = command.output().expect("bash");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{name}: {}{}", text(&output.stdout), text(&output.stderr));
}

fn on_both(name: &str) {
    drill(name, "drill.db", "spare.db");
    if let (Some(database), Some(spare)) = (postgres(), postgres()) {
        drill(name, &database, &spare);
    }
}

#[test]
fn a_worker_is_lost() {
    on_both("A worker is lost");
}

#[test]
fn the_coordinator_is_lost() {
    on_both("The coordinator is lost");
}

#[test]
fn the_database_is_lost() {
    on_both("The database is lost");
}

#[test]
fn the_database_moves() {
    on_both("Moving");
}

#[test]
fn the_disk_is_full() {
    if rustix::process::geteuid().is_root() {
        drill("The disk is full", "drill.db", "spare.db");
    } else {
        // Written directly, because the test runner captures the output of passing tests.
        writeln!(std::io::stderr(), "\nSKIPPED: a disk that can be filled can only be made as root")
            .expect("stderr");
    }
}

#[test]
fn every_drill_is_done_here() {
    assert_eq!(PAGE.matches("```sh ").count(), 1 + 5);
}
