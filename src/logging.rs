//! Log lines: to standard error, above a progress bar if there is one.

use indicatif::MultiProgress;
use std::io::{self, Write};
use std::sync::OnceLock;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// The bars on the terminal, if any.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

/// How log lines look.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// For people.
    #[default]
    Text,
    /// One JSON object a line, for programs.
    Json,
}

/// Starts logging. `level` holds unless RUST_LOG says otherwise.
pub(crate) fn start(form: Form, level: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(Above).with_target(false);
    match form {
        Form::Text => builder.with_ansi(io::IsTerminal::is_terminal(&io::stderr())).compact().init(),
        Form::Json => builder.json().flatten_event(true).init(),
    }
}

/// The bars that log lines must not run into.
pub(crate) fn bars() -> &'static MultiProgress {
    BARS.get_or_init(MultiProgress::new)
}

/// Writes something to the terminal above the bars.
pub(crate) fn above_progress<T>(write: impl FnOnce() -> T) -> T {
    match BARS.get() {
        Some(bars) => bars.suspend(write),
        None => write(),
    }
}

struct Above;

impl MakeWriter<'_> for Above {
    type Writer = Above;
    fn make_writer(&self) -> Above {
        Above
    }
}

impl Write for Above {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // A log on a full disk costs its lines and nothing more: told of the error, the subscriber would print it to
        // standard error too, and that panics.
        Ok(above_progress(|| io::stderr().write(line)).unwrap_or(line.len()))
    }
    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush().or(Ok(()))
    }
}
