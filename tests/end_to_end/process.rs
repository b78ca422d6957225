//! Processes of the program under test.

use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest wait for anything at all.
pub(crate) const DEADLINE: Duration = Duration::from_secs(120);

/// An experiment of four games, over in a moment.
pub(crate) const TINY: &str = include_str!("tiny.toml");

/// A running process, killed when it goes out of scope.
pub(crate) struct Process {
    child: Child,
    output: Arc<Mutex<String>>,
    what: String,
}

/// The program with these arguments, in a directory of its own. No setting of the caller's reaches it. What it serves
/// is open to everybody: see [`Process::start_closed`].
pub(crate) fn gauntlet(dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gauntlet"));
    command.args(arguments).current_dir(dir).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("GAUNTLET_") || name == "RUST_LOG" {
            command.env_remove(name);
        }
    }
    command.env("GAUNTLET_OPEN_RESULTS", "true");
    command
}

/// Runs the program to its end: status, standard output, standard error.
pub(crate) fn output(dir: &Path, arguments: &[&str]) -> (ExitStatus, String, String) {
    let output = gauntlet(dir, arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status, text(output.stdout), text(output.stderr))
}

impl Process {
    /// Starts the program.
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Self {
        Self::spawn(gauntlet(dir, arguments), arguments)
    }

    /// Starts the program as it is without an option: what it serves needs a token.
    pub(crate) fn start_closed(dir: &Path, arguments: &[&str]) -> Self {
        let mut command = gauntlet(dir, arguments);
        command.env_remove("GAUNTLET_OPEN_RESULTS");
        Self::spawn(command, arguments)
    }

    fn spawn(mut command: Command, arguments: &[&str]) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = Arc::<Mutex<String>>::default();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("piped")), Box::new(child.stderr.take().expect("piped"))];
        for stream in streams {
            let output = output.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let mut output = output.lock().expect("no panic");
                    output.push_str(&line);
                    output.push('\n');
                }
            });
        }
        Self { child, output, what: arguments.join(" ") }
    }

    /// What it has said so far.
    pub(crate) fn said(&self) -> String {
        self.output.lock().expect("no panic").clone()
    }

    /// Waits until it has said something that `find` recognises.
    pub(crate) fn wait_for<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = find(&self.said()) {
                return found;
            }
            let ended = self.child.try_wait().expect("a child");
            assert!(ended.is_none(), "`{}` ended with {ended:?}:\n{}", self.what, self.said());
            assert!(Instant::now() < deadline, "`{}` says only:\n{}", self.what, self.said());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The address of the dashboard it announces.
    pub(crate) fn url(&mut self) -> String {
        self.wait_for(|said| {
            let line = said.lines().find_map(|line| line.strip_prefix("dashboard: "))?;
            Some(line.trim_end_matches('/').to_owned())
        })
    }

    /// SIGKILL, now.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
    }

    /// SIGTERM, and how it ended.
    pub(crate) fn stop(self) -> ExitStatus {
        kill_process(self.pid(), Signal::TERM).expect("a child");
        self.wait()
    }

    /// SIGTERM, and what it said before and after.
    pub(crate) fn stop_and_tell(self) -> String {
        let output = self.output.clone();
        assert!(self.stop().success());
        output.lock().expect("no panic").clone()
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> ExitStatus {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < deadline, "`{}` does not end:\n{}", self.what, self.said());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for its end, which must be a failure explained by what it said.
    pub(crate) fn wait_for_end_with(self, explained: impl Fn(&str) -> bool) {
        let output = self.output.clone();
        assert!(!self.wait().success());
        // The last lines may still be on their way through the pipe.
        let deadline = Instant::now() + DEADLINE;
        while !explained(&output.lock().expect("no panic")) {
            assert!(Instant::now() < deadline, "it said only:\n{}", output.lock().expect("no panic"));
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Its process id, for those who kill it from elsewhere.
    pub(crate) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- `{}` said:\n{}", self.what, self.said());
        }
    }
}
