//! GTP 2 for Havannah: a [`Session`] answers one line at a time. The caller provides input, output and files.
//!
//! One table in `gtp/commands.rs` lists all commands and names their handlers. The handlers are methods of the session, grouped
//! by topic: position, game files, thinking, timing, solving, settings, log, search tree. docs/reference/gtp.md shows each
//! command with an example.

mod arguments;
mod castro_flags;
mod clock;
mod commands;
mod files;
mod first_stone;
mod game;
mod game_files;
mod log;
mod picture;
mod position;
mod refusal;
mod session;
mod settings;
mod solvers;
mod solving;
mod text;
mod thinking;
mod timing;
mod tree;

pub use arguments::quoted;
pub use files::{Files, NoFiles};
pub use session::{Answer, Session};

use crate::spelling::excerpt;
use commands::Command;
use refusal::{Refusal, Reply};

impl Session {
    /// Answers a line, which may end in a line feed. A line that is empty or only a comment has no answer.
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        let line = clean(line);
        let (id, name, rest) = split(&line);
        if name.is_empty() && id.is_empty() {
            return None;
        }
        // `lognote` writes its own line to the log.
        let logged = self.log.is_some() && !name.eq_ignore_ascii_case("lognote");
        let result = match Command::find(name) {
            Some(command) => command.run(self, rest),
            None if name.is_empty() => Err(Refusal::NoCommand(excerpt(id))),
            // No command begins like a number, so this is a malformed id.
            None if name.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit()) => {
                Err(Refusal::Id(excerpt(name)))
            }
            None => Err(commands::unknown(name)),
        };
        if logged {
            self.log_exchange(line.trim(), &result);
        }
        Some(self.framed(id, result))
    }

    fn framed(&mut self, id: &str, result: Reply) -> Answer {
        let (mark, text) = match result {
            Ok(text) => ('=', text),
            Err(refusal) => ('?', refusal.to_string()),
        };
        // An empty line would end the answer early.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let begin = if text.starts_with('\n') { "\n" } else { "" };
        Answer {
            text: format!("{mark}{id} {begin}{}\n\n", lines.join("\n")),
            notes: std::mem::take(&mut self.notes),
            quit: self.quit,
        }
    }
}

/// A line without control characters and byte order marks; a tab becomes a space.
fn clean(line: &str) -> String {
    line.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control() && *c != '\u{feff}')
        .collect()
}

/// The id of a line, the name of its command, and the rest with its comment. Each may be empty.
fn split(line: &str) -> (&str, &str, &str) {
    let word = |line: &str| line.find(|c: char| c.is_whitespace() || c == '#').unwrap_or(line.len());
    let line = line.trim();
    let (id, line) = match line.split_at(word(line)) {
        (id, rest) if id.bytes().all(|b| b.is_ascii_digit()) => (id, rest.trim_start()),
        _ => ("", line),
    };
    let (name, rest) = line.split_at(word(line));
    (id, name, rest)
}
