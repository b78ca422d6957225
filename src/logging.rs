//! Logging to standard error, above a progress bar if there is one, and to the last lines that a worker tells.

use indicatif::MultiProgress;
use protocol::words::is_invisible;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::{LazyLock, OnceLock};
use tracing_subscriber::Layer;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{DefaultFields, FormatFields, Writer};
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use worker::LogTail;

/// The progress bars on the terminal.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

/// The last lines of the worker in this process. Lines of other parts are not the worker's to tell.
static TAIL: LazyLock<LogTail> = LazyLock::new(LogTail::default);

/// What the last lines have, whatever standard error shows.
const TOLD: &str = "worker=info";

/// The form of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line, for programs.
    Json,
}

/// Starts logging. `level` is the default; RUST_LOG overrides it.
pub(crate) fn start(form: Form, level: &str) {
    let wanted = std::env::var("RUST_LOG").ok().filter(|wanted| !wanted.trim().is_empty());
    let wanted = wanted.as_deref().map(Targets::from_str).transpose();
    let unreadable = wanted.as_ref().err().map(ToString::to_string);
    let usual = || Targets::from_str(level).expect("a level is a filter");
    let filter = wanted.ok().flatten().unwrap_or_else(usual);
    let told = fmt::layer().with_writer(|| TAIL.clone()).with_target(false).with_ansi(false).compact();
    let told = told.fmt_fields(OneLine).with_filter(Targets::from_str(TOLD).expect("a filter"));
    let log = fmt::layer().with_writer(Above).with_target(false);
    match form {
        Form::Text => {
            let ansi = io::IsTerminal::is_terminal(&io::stderr());
            let log = log.with_ansi(ansi).compact().fmt_fields(OneLine).with_filter(filter);
            tracing_subscriber::registry().with(told).with(log).init();
        }
        Form::Json => {
            let log = log.json().flatten_event(true).with_filter(filter);
            tracing_subscriber::registry().with(told).with(log).init();
        }
    }
    if let Some(error) = unreadable {
        tracing::warn!(
            "RUST_LOG is ignored: {error}. Examples: RUST_LOG=debug, RUST_LOG=worker=debug,coordinator=info"
        );
    }
}

/// The last lines of the worker in this process.
pub(crate) fn tail() -> LogTail {
    TAIL.clone()
}

/// The progress bars. Log lines are written above them.
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

/// Writes to standard error. A message that cannot be written (a closed pipe, a full disk) is lost, and nothing else happens.
pub(crate) fn tell(message: std::fmt::Arguments<'_>) {
    let _ = io::stderr().write_fmt(message);
}

/// Escapes an event's message and fields, because parts of them come from workers and browsers: a line break in them could
/// forge a log line.
struct OneLine;

impl<'w> FormatFields<'w> for OneLine {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'w>, fields: R) -> std::fmt::Result {
        let mut text = String::new();
        DefaultFields::new().format_fields(Writer::new(&mut text), fields)?;
        for c in text.chars() {
            if is_invisible(c) {
                write!(writer, "{}", c.escape_default())?;
            } else {
                writer.write_char(c)?;
            }
        }
        Ok(())
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
        // On a full disk log lines are lost and nothing else happens. If the error were returned, the subscriber would
        // print it to standard error, which panics.
        Ok(above_progress(|| io::stderr().write(line)).unwrap_or(line.len()))
    }
    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush().or(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(line)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn foreign_text_makes_no_lines_of_its_own_wherever_it_stands() {
        let kept = Kept::default();
        let writer = kept.clone();
        let builder = tracing_subscriber::fmt().with_writer(move || writer.clone()).with_target(false);
        let subscriber = builder.with_ansi(false).compact().fmt_fields(OneLine).finish();
        let forged = "x\n2026-01-01T00:00:00Z ERROR forged\r\u{1b}[2K\u{2028}\u{202e}\u{85}\u{0}\u{200b}ü";
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("span", field = forged);
            let _entered = span.enter();
            tracing::warn!(shown = %forged, debug = ?forged, plain = forged, "a pair: {forged}");
            tracing::warn!("{forged}");
        });
        let log = String::from_utf8(kept.0.lock().expect("no panic").clone()).expect("UTF-8");
        assert_eq!(log.lines().count(), 2, "{log}");
        assert!(log.lines().all(|line| line.contains("WARN") && line.contains("x\\n2026")), "{log}");
        assert!(!log.chars().any(|c| c != '\n' && is_invisible(c)), "{log:?}");
        assert!(log.contains('ü'), "{log}");
    }
}
