//! The last lines of the log, for the machine's page.

use protocol::machine::{LONGEST_LINE, MOST_LINES};
use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// The last lines of a log. The logger writes one line at a time.
#[derive(Debug, Clone, Default)]
pub struct LogTail(Arc<Mutex<VecDeque<String>>>);

impl LogTail {
    /// The lines, oldest first, with every secret in them replaced.
    pub(crate) fn without(&self, secret: &str) -> Vec<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let hide = |line: &String| if secret.is_empty() { line.clone() } else { line.replace(secret, "…") };
        lines.iter().map(|line| hide(line).chars().take(LONGEST_LINE).collect()).collect()
    }
}

impl io::Write for LogTail {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in text.lines() {
            if lines.len() == MOST_LINES {
                lines.pop_front();
            }
            // A secret that is cut in two would not be found, so lines are cut when they are reported.
            lines.push_back(line.chars().take(4 * LONGEST_LINE).collect());
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn the_last_lines_are_kept_cut_and_without_the_token() {
        let mut tail = LogTail::default();
        // The log writes a line at once; `writeln!` would write it in pieces.
        let mut say = |line: String| tail.write_all(line.as_bytes()).expect("written");
        for line in 0..MOST_LINES + 5 {
            say(format!("line {line} with s3cret\n"));
        }
        say(format!("{}s3cret{}", "x".repeat(LONGEST_LINE - 3), "ü".repeat(9 * LONGEST_LINE)));
        let lines = tail.without("s3cret");
        assert_eq!((lines.len(), lines[0].as_str()), (MOST_LINES, "line 6 with …"));
        let last = lines.last().expect("lines");
        assert_eq!(last.chars().count(), LONGEST_LINE);
        assert!(lines.iter().all(|line| !line.contains("s3c")), "{last}");
    }
}
