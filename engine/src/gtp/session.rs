//! The state of a session, which all commands share.

use super::clock::Clock;
use super::files::Files;
use super::game::Play;
use super::solvers::Solvers;
use crate::havannah::{Board, BoardSize, Notation, Params};
use crate::search::Search;

/// The answer to one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text for the controller: `=` or `?`, the id, the answer, an empty line.
    pub text: String,
    /// Remarks for people. They are not part of the protocol and belong on standard error.
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

/// One session: a game, a player, and the settings of the output.
pub struct Session {
    pub(super) play: Play,
    pub(super) params: Params,
    pub(super) clock: Clock,
    /// The search of the current position, kept from move to move; `None` until a command needs it.
    pub(super) search: Option<Search<Board>>,
    pub(super) seed: u64,
    /// Number of searches begun: each gets a random stream of its own.
    pub(super) searches: u64,
    pub(super) notation: Notation,
    pub(super) solvers: Solvers,
    pub(super) may_swap: bool,
    pub(super) extended: bool,
    pub(super) colours: bool,
    pub(super) verbosity: u64,
    pub(super) files: Box<dyn Files>,
    /// The name of the log file, if there is a log.
    pub(super) log: Option<String>,
    pub(super) notes: Vec<String>,
    pub(super) quit: bool,
}

/// The size of the board until `boardsize` changes it.
const FIRST_SIZE: u8 = 8;

impl Session {
    /// A session on an empty board of size 8 with the default player. When thinking is limited by simulations, equal
    /// seeds and equal lines give equal answers.
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

    /// Adds a remark if the verbosity is at least `level`.
    pub(super) fn note(&mut self, level: u64, remark: impl FnOnce() -> String) {
        if self.verbosity >= level {
            let remark = remark();
            self.notes.push(remark);
        }
    }
}
