//! Logging to standard error, above a progress bar if there is one, and to the last lines that a worker reports.

use indicatif::{MultiProgress, ProgressDrawTarget};
use protocol::words::is_invisible;
use serde_json::json;
use std::ffi::OsString;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, OnceLock};
use tracing_subscriber::Layer;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::format::{DefaultFields, FormatFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use worker::LogTail;

/// The progress bars on the terminal.
static BARS: OnceLock<MultiProgress> = OnceLock::new();

/// The last lines of the worker in this process. The worker does not report lines of other parts.
static TAIL: LazyLock<LogTail> = LazyLock::new(LogTail::default);

/// Whether every line on standard error is a JSON object.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// The level of the last lines, independent of that of standard error.
const TOLD: &str = "worker=info";

/// The form of log lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// One JSON object per line, for programs.
    Json,
}

/// The form by the words of the command line, before they are parsed: errors in them are reported in this form, too.
pub(crate) fn form_of(words: impl IntoIterator<Item = OsString>) -> LogFormat {
    let (mut form, mut is_next) = (LogFormat::Text, false);
    for word in words {
        let value =
            if is_next { word.to_str() } else { word.to_str().and_then(|word| word.strip_prefix("--log=")) };
        match value {
            Some("json") => form = LogFormat::Json,
            Some("text") => form = LogFormat::Text,
            _ => {}
        }
        is_next = word == "--log";
    }
    form
}

/// Sets the form of every line on standard error, which includes those of a panic.
pub(crate) fn set_form(form: LogFormat) {
    IS_JSON.store(form == LogFormat::Json, Ordering::Relaxed);
    if form == LogFormat::Json {
        std::panic::set_hook(Box::new(|panic| tell(format_args!("error: {panic}\n"))));
    }
}

/// Whether every line on standard error is a JSON object.
pub(crate) fn is_json() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

/// Whether standard error is a log that others may read: lines for programs, or the journal of systemd. No secret may be written
/// there.
pub(crate) fn is_kept() -> bool {
    is_json() || std::env::var_os("JOURNAL_STREAM").is_some()
}

/// Starts logging. `level` is the default; RUST_LOG overrides it.
pub(crate) fn start(form: LogFormat, level: &str) {
    let wanted = std::env::var("RUST_LOG").ok().filter(|wanted| !wanted.trim().is_empty());
    let wanted = wanted.as_deref().map(Targets::from_str).transpose();
    let unreadable = wanted.as_ref().err().map(ToString::to_string);
    let usual = || Targets::from_str(level).expect("a level is a filter");
    let filter = wanted.ok().flatten().unwrap_or_else(usual);
    let told = fmt::layer().with_writer(|| TAIL.clone()).with_target(false).with_ansi(false).compact();
    let told = told.fmt_fields(OneLine).with_filter(Targets::from_str(TOLD).expect("a filter"));
    let log = fmt::layer().with_writer(LogAboveBars).with_target(false);
    match form {
        LogFormat::Text => {
            let ansi = io::IsTerminal::is_terminal(&io::stderr());
            let log = log.with_ansi(ansi).compact().fmt_fields(OneLine).with_filter(filter);
            tracing_subscriber::registry().with(told).with(log).init();
        }
        LogFormat::Json => {
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
    BARS.get_or_init(|| match is_json() {
        true => MultiProgress::with_draw_target(ProgressDrawTarget::hidden()),
        false => MultiProgress::new(),
    })
}

/// Writes something to the terminal above the bars.
pub(crate) fn above_progress<T>(write: impl FnOnce() -> T) -> T {
    match BARS.get() {
        Some(bars) => bars.suspend(write),
        None => write(),
    }
}

/// Writes to standard error. A message that cannot be written (a closed pipe, a full disk) is lost without an error.
pub(crate) fn tell(message: std::fmt::Arguments<'_>) {
    let _ = match is_json() {
        false => io::stderr().write_fmt(message),
        true => io::stderr().write_all(as_json(&message.to_string()).as_bytes()),
    };
}

/// A message as a line of JSON with the fields of the log; nothing for an empty message.
fn as_json(message: &str) -> String {
    let message = message.trim();
    if message.is_empty() {
        return String::new();
    }
    let (level, message) = match (message.strip_prefix("error: "), message.strip_prefix("warning: ")) {
        (Some(message), _) => ("ERROR", message),
        (_, Some(message)) => ("WARN", message),
        _ => ("INFO", message),
    };
    let mut timestamp = String::new();
    let _ = SystemTime.format_time(&mut Writer::new(&mut timestamp));
    format!("{}\n", json!({ "timestamp": timestamp, "level": level, "message": message }))
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

struct LogAboveBars;

impl MakeWriter<'_> for LogAboveBars {
    type Writer = LogAboveBars;
    fn make_writer(&self) -> LogAboveBars {
        LogAboveBars
    }
}

impl Write for LogAboveBars {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        // On a full disk log lines are lost without an error. If the error were returned, the subscriber would print it to
        // standard error, which panics.
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

    #[test]
    fn a_message_is_one_object_with_the_fields_of_the_log() {
        let form = |line: &str| form_of(line.split(' ').map(OsString::from));
        for line in
            ["--log json serve", "--log=json", "serve --log text --log json", "serve --port x --log json"]
        {
            assert_eq!(form(line), LogFormat::Json, "{line}");
        }
        for line in ["", "--log", "json", "--log=json --log text", "--log jsonl"] {
            assert_eq!(form(line), LogFormat::Text, "{line}");
        }
        for (message, level, text) in [
            ("error: a\nb \"c\"\n", "ERROR", "a\nb \"c\""),
            ("warning: a\n", "WARN", "a"),
            ("    gauntlet work\n", "INFO", "gauntlet work"),
        ] {
            let line = as_json(message);
            let object: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            assert!(line.ends_with('\n') && line.lines().count() == 1, "{line}");
            assert_eq!((&object["level"], &object["message"]), (&json!(level), &json!(text)));
            assert!(
                object["timestamp"].as_str().is_some_and(|at| at.contains('T') && at.ends_with('Z')),
                "{line}"
            );
        }
        assert_eq!(as_json(" \n"), "");
    }

    #[derive(Clone, Default)]
    struct CapturedLog(Arc<Mutex<Vec<u8>>>);

    impl Write for CapturedLog {
        fn write(&mut self, line: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(line)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn foreign_text_makes_no_lines_of_its_own_wherever_it_stands() {
        let kept = CapturedLog::default();
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
