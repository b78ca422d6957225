//! SIGTERM during the first moments of a process.

use crate::process::{Process, QUICK, TINY, output};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// Number of rounds for each command and moment. Each round interrupts the process at another point.
const ROUNDS: usize = 6;

fn is_empty(dir: &Path) -> bool {
    std::fs::read_dir(dir).expect("a directory").next().is_none()
}

/// The commands that shut down in order, and a directory for each, under `home`.
fn commands(home: &Path) -> [(&'static str, Vec<&'static str>); 3] {
    std::fs::write(home.join("tiny.toml"), TINY.replace("games_per_cell = 4", "games_per_cell = 4000"))
        .expect("written");
    let nowhere = ["--coordinator", "http://127.0.0.1:1", "--token", "none"];
    [
        ("serving", vec!["serve", "--port", "0", "../tiny.toml"]),
        ("working", [&["work"], &nowhere[..], &QUICK].concat()),
        ("running", [&["run", "../tiny.toml", "--port", "0"], &QUICK[..]].concat()),
    ]
}

#[test]
fn a_command_whose_messages_nobody_reads_any_more_goes_on_and_leaves_in_order() {
    let home = tempfile::tempdir().expect("a directory");
    for (place, arguments) in commands(home.path()) {
        let dir = home.path().join(place);
        std::fs::create_dir(&dir).expect("made");
        let mut process = Process::start_unread(&dir, &arguments);
        process.wait_for(|said| (!said.is_empty()).then_some(()));
        assert!(process.stop().success(), "{arguments:?}");
    }
}

#[test]
fn a_command_that_is_told_to_stop_in_its_first_moments_leaves_in_order() {
    let home = tempfile::tempdir().expect("a directory");
    for (place, arguments) in commands(home.path()) {
        let dir = home.path().join(place);
        let mut in_order = 0;
        for round in 0..2 * ROUNDS {
            if round > 0 {
                std::fs::remove_dir_all(&dir).expect("removed");
            }
            std::fs::create_dir(&dir).expect("made");
            let process = Process::start(&dir, &arguments);
            // Every other round waits until the process has written something.
            let at_once = round % 2 == 0;
            while !at_once && is_empty(&dir) {
                std::thread::yield_now();
            }
            let status = process.stop();
            // Before the process handles signals, SIGTERM kills it. It has written nothing then.
            let never_began = at_once && status.signal() == Some(15) && is_empty(&dir);
            assert!(status.success() || never_began, "{arguments:?} in round {round}: {status}");
            in_order += usize::from(status.success());
        }
        assert!(in_order >= ROUNDS, "every one that had begun");
        assert!(!is_empty(&dir), "the last one left something");
        let mut again = Process::start(&dir, &arguments);
        again.wait_for(|said| {
            ["dashboard: ", "cannot be reached"].iter().any(|word| said.contains(word)).then_some(())
        });
        assert!(again.stop().success());
    }
    let (status, _, error) = output(&home.path().join("running"), &["verify"]);
    assert!(status.success(), "{error}");
}
