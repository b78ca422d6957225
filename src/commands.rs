//! The subcommands, and what they share: exit codes, errors in words, output.

mod apply;
mod audit;
mod baseline;
mod bench;
mod book;
pub mod bundle;
mod cells;
mod claim;
pub mod columns;
pub mod compare;
mod completions;
mod confirm;
mod database;
mod db;
pub mod experiment;
pub mod files;
mod fleet;
mod game;
mod gtp;
mod help;
mod import;
mod init;
pub mod number;
mod params;
mod parquet;
mod plan;
mod promote;
mod remote;
mod rerun;
pub mod results;
mod retry;
mod run;
mod serve;
pub mod sizes;
mod solve;
mod stats;
mod status;
mod study;
pub mod target;
mod test_length;
pub mod time;
mod token;
mod tune;
mod unit;
mod unknown;
mod user;
mod verify;
mod why;
mod work;

use anyhow::Context;
use files::read_experiment;
use std::io::{IsTerminal, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::ExitCode;

/// The port of the API and the dashboard.
pub(crate) use worker::DEFAULT_PORT;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    Init(init::InitArgs),
    Plan(plan::PlanArgs),
    Run(run::RunArgs),
    Serve(serve::ServeArgs),
    Work(work::WorkArgs),
    Apply(apply::ApplyArgs),
    #[command(subcommand)]
    Experiment(experiment::ExperimentCommand),
    Results(results::ResultsArgs),
    Compare(compare::CompareArgs),
    Bundle(bundle::BundleArgs),
    Rerun(rerun::RerunArgs),
    Import(import::ImportArgs),
    Confirm(confirm::ConfirmArgs),
    Promote(promote::PromoteArgs),
    #[command(subcommand)]
    Baseline(baseline::BaselineCommand),
    #[command(subcommand)]
    Tune(tune::TuneCommand),
    #[command(subcommand)]
    Study(study::StudyCommand),
    #[command(subcommand)]
    Token(token::TokenCommand),
    Verify(verify::VerifyArgs),
    Retry(retry::RetryArgs),
    Audit(audit::AuditArgs),
    Fleet(fleet::FleetArgs),
    Status(status::StatusArgs),
    Why(why::WhyArgs),
    #[command(subcommand)]
    Db(db::DbCommand),
    #[command(subcommand)]
    Game(game::GameCommand),
    Bench(bench::BenchArgs),
    Params(params::ParamsArgs),
    Stats(stats::StatsArgs),
    #[command(subcommand)]
    Book(book::BookCommand),
    Gtp(gtp::GtpArgs),
    Solve(solve::SolveArgs),
    Completions(completions::CompletionsArgs),
    Help(help::HelpArgs),
}

impl Command {
    /// The default log level. Servers and workers report through their log; other commands print their results.
    pub(crate) fn default_log_level(&self) -> &'static str {
        match self {
            Command::Serve(_) | Command::Work(_) => "info",
            _ => "warn",
        }
    }

    /// Runs the command.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let done = |()| ExitCode::SUCCESS;
        match self {
            Command::Init(args) => init::init(&args).map(done),
            Command::Plan(args) => block_on(plan::run(args)).map(done),
            Command::Run(args) => block_on(run::run(args)),
            Command::Serve(args) => block_on(serve::run(args)).map(done),
            Command::Work(args) => block_on(work::run(args)).map(done),
            Command::Apply(args) => block_on(apply::run(args)).map(done),
            Command::Experiment(command) => block_on(experiment::run(command)).map(done),
            Command::Results(args) => block_on(results::run(args)).map(done),
            Command::Compare(args) => block_on(compare::run(args)).map(done),
            Command::Bundle(args) => block_on(bundle::run(args)).map(done),
            Command::Rerun(args) => rerun::run(&args),
            Command::Import(args) => block_on(import::run(args)).map(done),
            Command::Confirm(args) => block_on(confirm::run(args)).map(done),
            Command::Promote(args) => block_on(promote::run(args)).map(done),
            Command::Baseline(command) => block_on(baseline::run(command)).map(done),
            Command::Tune(command) => block_on(tune::run(command)).map(done),
            Command::Study(command) => block_on(study::run(command)).map(done),
            Command::Token(args) => block_on(token::run(args)).map(done),
            Command::Verify(args) => block_on(verify::run(args)),
            Command::Retry(args) => block_on(retry::run(args)).map(done),
            Command::Audit(args) => block_on(audit::run(args)).map(done),
            Command::Fleet(args) => block_on(fleet::run(args)).map(done),
            Command::Status(args) => block_on(status::run(args)).map(done),
            Command::Why(args) => block_on(why::run(args)).map(done),
            Command::Db(command) => block_on(db::run(command)),
            Command::Game(command) => block_on(game::run(command)).map(done),
            Command::Bench(args) => bench::run(&args).map(done),
            Command::Params(args) => params::run(args).map(done),
            Command::Stats(args) => stats::run(&args).map(done),
            Command::Book(command) => book::run(&command).map(done),
            Command::Gtp(args) => gtp::run(&args).map(done),
            Command::Solve(args) => solve::run(&args).map(done),
            Command::Completions(args) => completions::run(&args).map(done),
            Command::Help(args) => help::run(&args).map(done),
        }
    }
}

/// The exit code for an error: 3 for a worker that the coordinator refuses, 5 for a worker whose build plays different
/// games, 6 for a worker that does not trust the coordinator's certificate, 1 for everything else. Usage errors exit with 2.
pub(crate) fn exit_code(error: &anyhow::Error) -> ExitCode {
    match error.downcast_ref() {
        Some(worker::WorkerError::Refused { .. }) => ExitCode::from(3),
        Some(worker::WorkerError::SelfTest { .. }) => ExitCode::from(5),
        Some(worker::WorkerError::Untrusted { .. }) => ExitCode::from(6),
        _ => ExitCode::FAILURE,
    }
}

/// An error with its causes, in one line. Causes that an outer error already contains are left out.
pub fn in_words(error: &anyhow::Error) -> String {
    let mut words = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if words.is_empty() {
            words = cause;
        } else if !words.contains(&cause) {
            words = format!("{words}: {cause}");
        }
    }
    words
}

/// Runs a command on a runtime of its own.
pub fn block_on<T>(future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("cannot start the asynchronous runtime")?;
    let result = runtime.block_on(future);
    // Do not wait for a search in the middle of a long move.
    runtime.shutdown_background();
    result
}

/// Writes results to standard output, and only results go there. A closed pipe is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    put(text.as_bytes())
}

fn put(content: &[u8]) -> anyhow::Result<()> {
    match std::io::stdout().write_all(content).and_then(|()| std::io::stdout().flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(()),
    }
}

/// Writes an export into a file, or to standard output.
pub fn deliver(content: &[u8], file: Option<&Path>) -> anyhow::Result<()> {
    if let Some(file) = file {
        spare_sources(file)?;
        return std::fs::write(file, content).with_context(|| format!("cannot write {}", file.display()));
    }
    let is_text = std::str::from_utf8(content).is_ok();
    anyhow::ensure!(
        is_text || !std::io::stdout().is_terminal(),
        "this format is not for a terminal: name a file with --out FILE"
    );
    put(content)
}

/// Whether an export can be written into a file, before hours of work for it.
pub fn can_deliver(file: &Path) -> anyhow::Result<()> {
    spare_sources(file)?;
    let mut options = std::fs::File::options();
    let is_new = !file.exists();
    options
        .append(true)
        .create(true)
        .open(file)
        .with_context(|| format!("cannot write {}", file.display()))?;
    if is_new {
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// The format of an export: the one that was asked for, or else the one that the ending of its file means; none for standard
/// output and a file without an ending. `formats` has the endings.
fn format_of<F: Copy>(
    asked: Option<F>,
    file: Option<&Path>,
    formats: &[(&str, F)],
) -> anyhow::Result<Option<F>> {
    let (None, Some(file)) = (asked, file) else { return Ok(asked) };
    let Some(ending) = file.extension() else { return Ok(None) };
    let meant = formats.iter().find(|(known, _)| ending.eq_ignore_ascii_case(known));
    let known = || formats.iter().map(|(ending, _)| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    let meant = meant.with_context(|| {
        format!(
            "the ending of {} means no format: name one with --format, or take one of the endings {}",
            file.display(),
            known()
        )
    })?;
    Ok(Some(meant.1))
}

/// Refuses to overwrite a database or an experiment file, which could not be restored.
fn spare_sources(file: &Path) -> anyhow::Result<()> {
    // Reading a pipe would consume its content.
    if !file.is_file() {
        return Ok(());
    }
    let present = std::fs::File::open(file).and_then(|open| {
        let mut present = Vec::new();
        open.take(4 << 20).read_to_end(&mut present).map(|_| present)
    });
    // A file that cannot be read may be writable.
    let present = present.unwrap_or_default();
    let what = if present.starts_with(b"SQLite format 3\0") {
        "a database"
    } else if present.split(|byte| *byte == b'\n').any(is_heading) {
        "an experiment file"
    } else {
        return Ok(());
    };
    anyhow::bail!("{} is {what} and is left as it is: write into another file", file.display())
}

/// Whether a line of TOML begins the section of an experiment.
fn is_heading(line: &[u8]) -> bool {
    let named = line.trim_ascii_start().strip_prefix(b"[").map(<[u8]>::trim_ascii_start);
    let rest = named.and_then(|named| named.strip_prefix(b"experiment"));
    rest.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"]"))
}

/// Shows a text and asks for a yes on the terminal.
fn asked(text: &str, question: &str) -> anyhow::Result<bool> {
    eprint!("{}\n{question} [y/N] ", text.trim_end());
    std::io::stderr().flush().context("cannot write to standard error")?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).context("cannot read the answer")?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// A number of slots.
fn slots(text: &str) -> Result<NonZeroUsize, String> {
    at_once(text).ok_or_else(|| {
        format!("`{text}` is no number of games at once: give a whole number from 1 to {MOST_AT_ONCE}")
    })
}

/// A number of threads.
pub fn threads(text: &str) -> Result<NonZeroUsize, String> {
    at_once(text).ok_or_else(|| {
        format!("`{text}` is no number of threads: give a whole number from 1 to {MOST_AT_ONCE}")
    })
}

/// The most games or threads at once. No machine has so many cores, and with more threads a process may end without a reason.
const MOST_AT_ONCE: usize = 1024;

fn at_once(text: &str) -> Option<NonZeroUsize> {
    engine::numbers::whole(text).filter(|number: &NonZeroUsize| number.get() <= MOST_AT_ONCE)
}

/// The number of cores that this process may use.
pub fn cores() -> NonZeroUsize {
    std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The machine's host name.
fn host_name() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "worker".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use anyhow::anyhow;

    #[test]
    fn a_cause_that_an_error_repeats_is_said_once() {
        let error =
            anyhow!("disk full").context("the database answers: disk full").context("cannot apply it");
        assert_eq!(in_words(&error), "cannot apply it: the database answers: disk full");
        assert_eq!(in_words(&anyhow!("b").context("a")), "a: b");
    }
}
