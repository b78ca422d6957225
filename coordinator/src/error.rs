//! Why the coordinator refuses a request, or fails to perform it.

use crate::store::StoreError;
use engine::spelling::closest;
use protocol::ids::GameId;
use protocol::lease::Budget;
use thiserror::Error;

/// Why a request failed.
#[derive(Debug, Error)]
pub enum CoordinatorError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing has this id or name.
    #[error("no {kind} is called `{key}`{}", nearest.as_ref().map_or(String::new(), |name| format!("; did you mean `{name}`?")))]
    NotFound {
        /// The kind of the object.
        kind: &'static str,
        /// The id or name.
        key: String,
        /// The name that is most like it.
        nearest: Option<String>,
    },
    /// Several things have ids that begin so.
    #[error("several ids begin with `{key}`; type more digits of one {kind}: {}", matches.join(", "))]
    Ambiguous {
        /// The kind of the object.
        kind: &'static str,
        /// The beginning of the id.
        key: String,
        /// Their ids, with names where they have some.
        matches: Vec<String>,
    },
    /// The query of a search cannot be understood.
    #[error("{0}")]
    BadSearch(String),
    /// The request names nothing that exists; the text lists what exists.
    #[error("{0}")]
    NoMatch(String),
    /// A name matches no case of an experiment, or several.
    #[error("{0}")]
    NoCase(String),
    /// The experiment cannot be stored.
    #[error(transparent)]
    Invalid(#[from] InvalidExperiment),
    /// The content is that of a revision that a later one replaced.
    #[error(
        "this is {older}, which revision {newest} replaced: to go back to it, apply it with --supersede (in the API \
         ?supersede=true); the games of both stay"
    )]
    OlderRevision {
        /// The name of the experiment.
        name: String,
        /// The name of the content, such as ``revision 2 of `my-sweep` ``.
        older: String,
        /// The number of the newest revision.
        newest: u64,
    },
    /// The moves of this game were dropped to make room.
    #[error("the moves of game {0} were deleted; only its result is kept")]
    Dropped(GameId),
    /// The caller has another protocol or engine, or requests something impossible.
    #[error("{0}")]
    Refused(String),
    /// The caller's token does not allow it to be this machine.
    #[error("{0}")]
    Forbidden(String),
    /// The code with which a machine wants to join is not valid.
    #[error(
        "this code is not valid: it was used up, was withdrawn, has expired, or never existed; `gauntlet token join` makes another"
    )]
    BadCode,
}

impl CoordinatorError {
    /// Nothing of this kind has this id or name.
    pub(crate) fn unknown(kind: &'static str, key: impl Into<String>) -> Self {
        Self::NotFound { kind, key: key.into(), nearest: None }
    }

    /// Nothing of this kind has this id or name, but there are others.
    pub(crate) fn unknown_among<'n>(
        kind: &'static str,
        key: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        let nearest = closest(key, names).map(str::to_owned);
        Self::NotFound { kind, key: key.to_owned(), nearest }
    }
}

/// An experiment that cannot be stored.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum InvalidExperiment {
    /// It has no cells.
    #[error("the experiment has no cells: every weight is 0, or nothing is listed")]
    Empty,
    /// Its tune cannot be played.
    #[error("{0}")]
    Tune(String),
    /// Two of its rows are the same cell.
    #[error(
        "`{first}` and `{second}` are the same player against {place}: they would be one cell, shown twice"
    )]
    Twice {
        /// The label of the first case.
        first: String,
        /// The label of the second case.
        second: String,
        /// The baseline and the board.
        place: String,
    },
    /// A weight is out of range.
    #[error("{place} has weight {weight}; weights are from 1e-9 to 1e9")]
    Weight {
        /// The experiment or its cell.
        place: String,
        /// The weight.
        weight: f64,
    },
    /// A cell has no games.
    #[error("{0} plans no pairs")]
    NoPairs(String),
    /// A stopping rule has a number outside its range.
    #[error("{place} has an impossible stopping rule: {fault}")]
    Stop {
        /// The cell.
        place: String,
        /// The fault.
        fault: String,
    },
    /// A cell is for an engine with other semantics.
    #[error("{place} is for engine semantics {found}; this coordinator's engine has {known}")]
    Semantics {
        /// The cell.
        place: String,
        /// Its number.
        found: u32,
        /// The number of this program.
        known: u32,
    },
    /// The engine does not have or allow a parameter.
    #[error("{place}: {why}")]
    Params {
        /// The cell and side.
        place: String,
        /// The engine's message.
        why: String,
    },
    /// A budget allows nothing.
    #[error("{place} has a budget of {budget}; each move needs more than 0")]
    Budget {
        /// The cell.
        place: String,
        /// The budget.
        budget: Budget,
    },
    /// There are more cells than an experiment may have.
    #[error("there are {cells} cells; an experiment has at most {most}")]
    TooMany {
        /// Their number.
        cells: usize,
        /// The largest number.
        most: usize,
    },
    /// A name that has the form of an id.
    #[error("{place} cannot be `{name}`, which is written as ids are: an id would mean two things")]
    NameOfId {
        /// The object with the name.
        place: String,
        /// The name.
        name: String,
    },
    /// Text that is empty, too long or not printable.
    #[error("{place} must be 1 to {most} printable characters{}", found.as_ref().map_or(String::new(), |found| format!("; its {found}")))]
    Text {
        /// Which text.
        place: String,
        /// The longest allowed.
        most: usize,
        /// The invisible character that it has, in words.
        found: Option<String>,
    },
}
