//! Why a command was not carried out.

use super::game::TurnError;
use crate::havannah::{BadBoardSize, ParseCellError};
use crate::params::SetParamError;
use crate::sgf::SgfError;
use crate::spelling::excerpt;
use std::fmt::Display;
use std::io;
use std::ops::RangeInclusive;
use thiserror::Error;

/// The answer to a command: its text, or why the command was not carried out.
pub(super) type Reply = Result<String, Refusal>;

#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error(
        "`{0}` is an id without a command; a line is `[id] command [arguments]`, and `list_commands` lists the commands"
    )]
    NoCommand(String),
    #[error(
        "`{0}` is no id; an id is a whole number from 0 on, without a sign, before the command: `1 name`"
    )]
    Id(String),
    #[error("unknown command `{name}`; {}", nearest.map_or_else(|| "`list_commands` lists them".to_owned(), |n| format!("did you mean `{n}`?")))]
    UnknownCommand { name: String, nearest: Option<&'static str> },
    /// Too few or too many arguments. The table of commands turns this into [`Refusal::Usage`].
    #[error("wrong number of arguments")]
    Arguments,
    #[error("wrong number of arguments; expected `{0}`")]
    Usage(String),
    #[error("the quotation mark before `{0}` has no second one")]
    OpenQuote(String),
    #[error("`{0}` is no colour; expected white or black")]
    Colour(String),
    #[error("`{text}` is no {what}; expected {expected}")]
    Value { what: &'static str, text: String, expected: String },
    #[error("`{name}` is no option of `{command}`; it has {options}")]
    Option { command: &'static str, name: String, options: String },
    #[error("`{name}` needs a value")]
    OptionValue { name: String },
    #[error(transparent)]
    Cell(#[from] ParseCellError),
    #[error("{0}; `swap` and `resign` are moves too")]
    Move(ParseCellError),
    #[error("unacceptable size: {0}")]
    Size(#[from] BadBoardSize),
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// One move of a list; the moves before it were played.
    #[error("move {number}, `{word}`: {refusal}")]
    InList { number: usize, word: String, refusal: Box<Refusal> },
    #[error(transparent)]
    Param(#[from] SetParamError),
    #[error("player flag `{flag}` {why}")]
    Flag { flag: String, why: String },
    #[error("cannot load `{name}`: {error}")]
    Load { name: String, error: io::Error },
    #[error("cannot load `{name}`: {error}")]
    Parse { name: String, error: SgfError },
    #[error("cannot save `{name}`: {error}")]
    Save { name: String, error: io::Error },
    #[error("cannot log to `{name}`: {error}")]
    Log { name: String, error: io::Error },
    #[error("there is no log to write to; `logfile name` begins one")]
    NoLog,
}

impl Refusal {
    pub(super) fn value(what: &'static str, text: &str, expected: impl Into<String>) -> Self {
        Refusal::Value { what, text: excerpt(text), expected: expected.into() }
    }

    /// Not a whole number, or a number out of its range. `note` explains the range.
    pub(super) fn whole<N: Display>(
        what: &'static str,
        text: &str,
        range: &RangeInclusive<N>,
        note: &str,
    ) -> Self {
        let expected = format!("a whole number from {} to {}{note}", range.start(), range.end());
        Self::value(what, text, expected)
    }

    /// A refusal of one move of a list; `at` counts from 0.
    pub(super) fn in_list(at: usize, word: &str, refusal: Refusal) -> Self {
        Refusal::InList { number: at + 1, word: excerpt(word), refusal: refusal.into() }
    }
}
