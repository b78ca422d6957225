//! GTP 2 for Havannah: a [`Session`] answers one line at a time and knows nothing of pipes or files.
//!
//! All of its commands stand in one table, in `gtp/commands.rs`; docs/reference/gtp.md shows each with an example.

mod clock;
mod commands;
mod dialect;
mod files;
mod first_stone;
mod game;
mod log;
mod picture;
mod position;
mod refusal;
mod settings;
mod solving;
mod thinking;
mod timing;
mod tree;

pub use files::{Files, NoFiles};

use crate::havannah::{Board, BoardSize, Notation};
use crate::params::Params;
use crate::search::Search;
use clock::Clock;
use commands::Command;
use game::{Play, TurnError};
use refusal::{Refusal, excerpt};
use solving::Solvers;

/// The answer to one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// What goes to the controller: `=` or `?`, the id, the text, an empty line.
    pub text: String,
    /// Remarks for people, not part of the protocol: they belong on standard error.
    pub notes: Vec<String>,
    /// Whether the session is over.
    pub quit: bool,
}

impl Answer {
    /// Whether the command was carried out.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.text.starts_with('=')
    }
}

/// The state of one conversation: a game, a player, and how they are shown.
pub struct Session {
    play: Play,
    params: Params,
    clock: Clock,
    /// Kept from move to move; none until there is something to think about.
    search: Option<Search<Board>>,
    seed: u64,
    /// Searches begun, so that each has a random stream of its own.
    searches: u64,
    notation: Notation,
    solvers: Solvers,
    may_swap: bool,
    extended: bool,
    colours: bool,
    verbosity: u64,
    files: Box<dyn Files>,
    /// The file that the conversation is written to.
    log: Option<String>,
    notes: Vec<String>,
    quit: bool,
}

/// The size of the board until `boardsize` says otherwise.
const FIRST_SIZE: u8 = 8;

impl Session {
    /// A session on an empty board of size 8 with the default player. With limits in simulations, equal seeds and
    /// equal lines give equal answers.
    #[must_use]
    pub fn new(seed: u64, files: Box<dyn Files>) -> Self {
        Self {
            play: Play::new(BoardSize::new(FIRST_SIZE).expect("within range")),
            params: Params::default(),
            clock: Clock::default(),
            search: None,
            seed,
            searches: 0,
            notation: Notation::default(),
            solvers: Solvers::default(),
            may_swap: false,
            extended: false,
            colours: false,
            verbosity: 1,
            files,
            log: None,
            notes: Vec::new(),
            quit: false,
        }
    }

    /// Answers a line, which may end in a line feed; nothing for a line that is empty but for comments.
    pub fn answer(&mut self, line: &str) -> Option<Answer> {
        let line = clean(line);
        let mut words = line.split_whitespace().peekable();
        let is_id = |word: &&str| word.bytes().all(|b| b.is_ascii_digit());
        let id = words.next_if(is_id).unwrap_or_default();
        let name = words.next().unwrap_or_default();
        if name.is_empty() && id.is_empty() {
            return None;
        }
        // A remark writes itself.
        let logged = self.log.is_some() && !name.eq_ignore_ascii_case("lognote");
        let arguments: Vec<&str> = words.collect();
        let result = match Command::find(name) {
            Some(command) => command.run(self, &arguments),
            None if name.is_empty() => Err(Refusal::NoCommand(excerpt(id))),
            // No command begins like a number.
            None if name.trim_start_matches(['-', '+', '.']).starts_with(|c: char| c.is_ascii_digit()) => {
                Err(Refusal::Id(excerpt(name)))
            }
            None => Err(Refusal::unknown_command(name)),
        };
        if logged {
            self.log_exchange(line.trim(), &result);
        }
        Some(self.framed(id, result))
    }

    fn framed(&mut self, id: &str, result: Result<String, Refusal>) -> Answer {
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

    /// Adds a remark if `level` is asked for.
    fn note(&mut self, level: u64, remark: impl FnOnce() -> String) {
        if self.verbosity >= level {
            let remark = remark();
            self.notes.push(remark);
        }
    }
}

/// A line without its comment, control characters and byte order marks; a tab counts as a space.
fn clean(line: &str) -> String {
    let line = line.split_once('#').map_or(line, |(command, _)| command);
    line.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control() && *c != '\u{feff}')
        .collect()
}
