//! Processes of the program under test.

use rustix::process::{Pid, Signal, kill_process};
use sqlx::{ConnectOptions, Connection};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The longest wait for any condition: a limit for tests that would never end, and none on the speed of the machine.
pub(crate) const DEADLINE: Duration = Duration::from_secs(900);

/// An experiment of four short games.
pub(crate) const TINY: &str = include_str!("tiny.toml");

/// Options of a worker that plays one game at a time and has measured its speed at once.
pub(crate) const QUICK: [&str; 6] = ["--slots", "1", "--calibration-runs", "1", "--calibration-sims", "2000"];

/// A running process, which is killed when the value is dropped.
pub(crate) struct Process {
    child: Child,
    output: Arc<Mutex<String>>,
    /// The threads that read the streams.
    readers: Vec<JoinHandle<()>>,
    what: String,
}

/// The program with these arguments, in this directory. It inherits no settings from the test's environment. Its
/// results need no token, unlike those of [`Process::start_closed`].
pub(crate) fn gauntlet(dir: &Path, arguments: &[&str]) -> Command {
    isolated(&program(), dir, arguments)
}

/// The program. The tests of `tools/` find it beside their own programs, where `cargo test --workspace` puts it.
fn program() -> PathBuf {
    option_env!("CARGO_BIN_EXE_gauntlet").map_or_else(
        || {
            let here = std::env::current_exe().expect("a program");
            let program = here.ancestors().nth(2).expect("the folder of programs").join("gauntlet");
            assert!(program.exists(), "{} is missing: cargo build --bins", program.display());
            program
        },
        PathBuf::from,
    )
}

/// A program with these arguments, in this directory, without the settings of the test's environment.
pub(crate) fn isolated(program: &Path, dir: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(dir).stdin(Stdio::null());
    for (name, _) in std::env::vars() {
        if name.starts_with("GAUNTLET_") || name == "RUST_LOG" {
            command.env_remove(name);
        }
    }
    command.env("GAUNTLET_OPEN_RESULTS", "true");
    // Tests count games: a coordinator adds none of its own.
    command.env("GAUNTLET_CONTROL_SHARE", "0");
    // Nobody serves there: a coordinator on the default port of this machine is no part of a test.
    command.env("GAUNTLET_PORT", "0");
    command
}

/// Runs the program to its end. Returns status, standard output and standard error.
pub(crate) fn output(dir: &Path, arguments: &[&str]) -> (ExitStatus, String, String) {
    output_of(gauntlet(dir, arguments))
}

/// As [`output`], for a command with settings of its own.
pub(crate) fn output_of(mut command: Command) -> (ExitStatus, String, String) {
    let output = command.output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status, text(output.stdout), text(output.stderr))
}

/// What a command says. It must succeed.
pub(crate) fn says(dir: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = output(dir, arguments);
    assert!(status.success(), "{arguments:?}: {stdout}{stderr}");
    stdout
}

/// What a command says on standard error. It must fail.
pub(crate) fn refuses(dir: &Path, arguments: &[&str]) -> String {
    let (status, stdout, stderr) = output(dir, arguments);
    assert!(!status.success(), "{arguments:?}: {stdout}");
    stderr
}

/// The seed of a test that draws: GAUNTLET_SEED, or another one with each run. It is printed, so that a failure can be repeated.
pub(crate) fn seed() -> u64 {
    let seed = std::env::var("GAUNTLET_SEED").map_or(std::process::id().into(), |seed| {
        seed.parse().unwrap_or_else(|_| panic!("GAUNTLET_SEED is `{seed}`, and no number"))
    });
    eprintln!("GAUNTLET_SEED={seed} repeats this");
    seed
}

/// The number of games in the spool of the worker with this directory.
pub(crate) fn spooled(state: &Path) -> usize {
    let spool = std::fs::read_dir(state.join("spool")).expect("a spool");
    spool.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file())).count()
}

/// Changes a database behind the program's back.
pub(crate) fn write_into(database: &Path, sql: &'static str) {
    let changing = async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(database);
        let mut connection = options.connect().await.expect("a database");
        sqlx::raw_sql(sql).execute(&mut connection).await.expect(sql);
        connection.close().await.expect("closed");
    };
    tokio::runtime::Runtime::new().expect("a runtime").block_on(changing);
}

impl Process {
    /// Starts the program with open results.
    pub(crate) fn start(dir: &Path, arguments: &[&str]) -> Self {
        Self::spawn(gauntlet(dir, arguments), arguments, usize::MAX)
    }

    /// As [`Process::start`], with this variable.
    pub(crate) fn start_with(dir: &Path, arguments: &[&str], (name, value): (&str, &str)) -> Self {
        let mut command = gauntlet(dir, arguments);
        command.env(name, value);
        Self::spawn(command, arguments, usize::MAX)
    }

    /// As [`Process::start`]; after the first line of each stream nobody reads on.
    pub(crate) fn start_unread(dir: &Path, arguments: &[&str]) -> Self {
        Self::spawn(gauntlet(dir, arguments), arguments, 1)
    }

    /// Starts the program with its default access: results need a token.
    pub(crate) fn start_closed(dir: &Path, arguments: &[&str]) -> Self {
        let mut command = gauntlet(dir, arguments);
        command.env_remove("GAUNTLET_OPEN_RESULTS");
        Self::spawn(command, arguments, usize::MAX)
    }

    /// Starts a program. `most` lines of each stream are read.
    pub(crate) fn spawn(mut command: Command, arguments: &[&str], most: usize) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let output = Arc::<Mutex<String>>::default();
        let streams: [Box<dyn Read + Send>; 2] =
            [Box::new(child.stdout.take().expect("piped")), Box::new(child.stderr.take().expect("piped"))];
        let read = |stream| {
            let output = output.clone();
            std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok).take(most) {
                    let mut output = output.lock().expect("no panic");
                    output.push_str(&line);
                    output.push('\n');
                }
            })
        };
        let readers = streams.map(read).into();
        Self { child, output, readers, what: arguments.join(" ") }
    }

    /// The output so far.
    pub(crate) fn said(&self) -> String {
        self.output.lock().expect("no panic").clone()
    }

    /// Waits until `find` finds something in the output.
    pub(crate) fn wait_for<T>(&mut self, find: impl Fn(&str) -> Option<T>) -> T {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(found) = find(&self.said()) {
                return found;
            }
            if let Some(status) = self.child.try_wait().expect("a child") {
                self.read_to_end();
                return find(&self.said())
                    .unwrap_or_else(|| panic!("`{}` ended with {status}:\n{}", self.what, self.said()));
            }
            assert!(Instant::now() < deadline, "`{}` says only:\n{}", self.what, self.said());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the announced address of the dashboard.
    pub(crate) fn url(&mut self) -> String {
        self.wait_for(|said| {
            let line = said.lines().find_map(|line| line.strip_prefix("dashboard: "))?;
            Some(line.trim_end_matches('/').to_owned())
        })
    }

    /// Waits for the invitation in the line with which a machine joins.
    pub(crate) fn invitation(&mut self) -> String {
        self.wait_for(|said| {
            let line = said.lines().find_map(|line| line.trim().strip_prefix("gauntlet work --join "))?;
            Some(line.to_owned())
        })
    }

    /// Kills the process with SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
    }

    /// Stops the process with SIGTERM, and returns its status.
    pub(crate) fn stop(self) -> ExitStatus {
        kill_process(self.pid(), Signal::TERM).expect("a child");
        self.wait()
    }

    /// Stops the process with SIGTERM, and returns its whole output.
    pub(crate) fn stop_and_tell(self) -> String {
        let output = self.output.clone();
        assert!(self.stop().success());
        output.lock().expect("no panic").clone()
    }

    /// Waits for the lines that a process that has ended left in the pipes.
    fn read_to_end(&mut self) {
        for reader in self.readers.drain(..) {
            reader.join().expect("no panic");
        }
    }

    /// Waits for the end of the process and of its output.
    pub(crate) fn wait(mut self) -> ExitStatus {
        let deadline = Instant::now() + DEADLINE;
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                self.read_to_end();
                return status;
            }
            assert!(Instant::now() < deadline, "`{}` does not end:\n{}", self.what, self.said());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits for the end of the process, which must be a failure that the output explains.
    pub(crate) fn wait_for_end_with(self, explained: impl Fn(&str) -> bool) {
        let output = self.output.clone();
        assert!(!self.wait().success());
        let said = output.lock().expect("no panic");
        assert!(explained(&said), "it said only:\n{said}");
    }

    /// The process id, for sending signals.
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
