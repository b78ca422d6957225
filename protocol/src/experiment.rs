//! Experiment files: TOML in, cells out.
//!
//! A file asks one question. [`REFERENCE`] describes every key, and `gauntlet help experiment-file` prints it.

mod counts;
mod error;
mod expand;
mod file;
mod layout;
mod player;
mod policy;
mod remarks;
mod row;
mod section;
mod stop;
mod sweep;
mod syntax;
mod tournament;
mod tune;
pub(crate) mod tuning;

pub use error::{ExperimentFileError, Problem, SourceLocation};
pub use policy::Policy;
pub use remarks::{NamedCell, remarks};
pub use section::nearest;
pub use stop::{ERRORS, Hypotheses, StopInterval, StopRule};

use crate::book::Book;
use crate::ids::{CellId, ExperimentId, KindId, PlayerId, content_id};
use crate::lease::{Budget, ParamSet, reference_speed, typical_plies};
use engine::havannah::BoardSize;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::de::DeTable;
use tuning::Tune;

/// The reference of the file format. A test compares every key, range, default and example with the parser.
pub const REFERENCE: &str = include_str!("../../docs/reference/experiment-file.md");

/// Named baselines with their parameters.
pub type Baselines = BTreeMap<String, ParamSet>;

/// The largest number of cells of an experiment.
pub const MAX_CELLS: usize = 10_000;

/// Longer files, in bytes, are not kept beside what they say.
pub const MOST_FILE: usize = 100_000;

/// A parsed, checked and expanded experiment file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name, a label. A new revision of the same name supersedes the older one.
    pub name: String,
    /// The question that the experiment answers.
    pub question: String,
    /// The share of the workers, relative to other experiments.
    pub weight: f64,
    /// The policy that orders the cells.
    #[serde(default, skip_serializing_if = "Policy::is_default")]
    pub policy: Policy,
    /// The text of the file, for readers; absent if there was none, or one of more than [`MOST_FILE`] bytes. It is no part of the
    /// content: comments make no other revision.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What is tuned. Then `cells` are the first trials, one for each size: the point where the tune begins against the baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tune: Option<Tune>,
    /// The cells: case × baseline × size × budget, in the order of the file, without rows of weight 0.
    pub cells: Vec<PlannedCell>,
}

/// A player with its names in this experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct LabelledPlayer {
    /// The test group of a case, or the name of a baseline.
    pub group: String,
    /// What distinguishes the player, such as `rave_k=500`.
    pub label: String,
    /// The player's parameters.
    pub params: ParamSet,
}

/// The description of a cell's games. Equal descriptions are the same cell in all experiments, which share its games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CellSpec {
    /// `engine::SEMANTICS`: a new number starts new cells.
    pub semantics: u32,
    /// The case's parameters.
    pub case: ParamSet,
    /// The baseline's parameters.
    pub baseline: ParamSet,
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// The budget of a move.
    pub budget: Budget,
    /// Number of random opening moves, which are the same in both games of a pair. 0 with a book.
    pub opening_plies: u8,
    /// The book that the pairs' openings are taken from, in place of random moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Option<uuid::Uuid>"))]
    pub book: Option<Book>,
    /// The seed from which the seeds of pairs are derived.
    pub seed: u64,
}

impl CellSpec {
    /// The id of the cell.
    #[must_use]
    pub fn id(&self) -> CellId {
        CellId(content_id("cell", self))
    }

    /// CPU seconds that a game is expected to take on the reference machine.
    #[must_use]
    pub fn reference_seconds(&self) -> f64 {
        let move_seconds = match self.budget {
            Budget::ReferenceSeconds(seconds) => seconds,
            Budget::Sims(sims) => sims as f64 / reference_speed(self.size),
        };
        f64::from(typical_plies(self.size).saturating_sub(self.longest_opening())) * move_seconds
    }

    /// Plies of the longest opening.
    #[must_use]
    pub fn longest_opening(&self) -> u32 {
        self.book.map_or(u32::from(self.opening_plies), |book| book.plies() as u32)
    }

    /// The kinds of moves of the case and the baseline; other cells may have the same.
    #[must_use]
    pub fn kinds(&self) -> [KindId; 2] {
        let kind =
            |player: &ParamSet| KindId(content_id("kind", &(self.semantics, self.size, self.budget, player)));
        [kind(&self.case), kind(&self.baseline)]
    }
}

impl ParamSet {
    /// The identity of the player with these parameters.
    #[must_use]
    pub fn player_id(&self) -> PlayerId {
        PlayerId(content_id("player", self))
    }
}

/// A cell as an experiment plans it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PlannedCell {
    /// The case's names and parameters.
    pub case: LabelledPlayer,
    /// The baseline's names and parameters.
    pub baseline: LabelledPlayer,
    /// The description of the games.
    pub spec: CellSpec,
    /// The cell's share of the games: the product of the weights of test group, baseline, size and budget.
    pub weight: f64,
    /// The number of planned pairs.
    pub pairs: u32,
    /// When fewer pairs are enough. Absent rules are not written, so that older experiments keep their ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
}

impl Experiment {
    /// Reads an experiment file. `file` is its name in errors.
    ///
    /// # Errors
    /// Lists every problem with its line: invalid TOML, unknown keys and parameters with the closest known ones, values
    /// out of range, duplicate rows, and experiments without games.
    pub fn parse(file: &str, text: &str) -> Result<Self, ExperimentFileError> {
        Self::parse_with(file, text, None)
    }

    /// As [`Experiment::parse`], with the named baselines that the file may use. Without them, a file that uses one asks for them
    /// ([`ExperimentFileError::asks_for_baselines`]).
    ///
    /// # Errors
    /// As [`Experiment::parse`], and for names of baselines that are not known.
    pub fn parse_with(
        file: &str,
        text: &str,
        known: Option<&Baselines>,
    ) -> Result<Self, ExperimentFileError> {
        let mut problems = error::Problems::default();
        let (root, errors) = DeTable::parse_recoverable(text);
        if errors.is_empty() {
            let rows = file::read(text, root.get_ref(), known, &mut problems);
            if problems.is_empty() {
                let mut experiment = expand::expand(&rows, text, &mut problems);
                if problems.is_empty() {
                    experiment.file = (text.len() <= MOST_FILE).then(|| text.to_owned());
                    return Ok(experiment);
                }
            }
        } else if syntax::note(text, &errors, &mut problems) {
            let mut others = error::Problems::default();
            file::read(text, root.get_ref(), known, &mut others);
            problems.add_independent(text, others);
        }
        Err(problems.into_error(file, text))
    }

    /// As [`Experiment::parse`], from the bytes of a file.
    ///
    /// # Errors
    /// As [`Experiment::parse`], and when the bytes are not UTF-8.
    pub fn read(file: &str, bytes: &[u8]) -> Result<Self, ExperimentFileError> {
        Self::read_with(file, bytes, None)
    }

    /// As [`Experiment::parse_with`], from the bytes of a file.
    ///
    /// # Errors
    /// As [`Experiment::parse_with`], and when the bytes are not UTF-8.
    pub fn read_with(
        file: &str,
        bytes: &[u8],
        known: Option<&Baselines>,
    ) -> Result<Self, ExperimentFileError> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Self::parse_with(file, text, known),
            Err(error) => error,
        };
        let mut problems = error::Problems::default();
        let (good, bad) = bytes.split_at(error.valid_up_to());
        let good = String::from_utf8_lossy(good);
        let message = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
                "the file is UTF-16; save it as UTF-8, with \"Save as\" and its encoding".to_owned()
            }
            _ => format!(
                "byte {} of the file, 0x{:02x}, is not UTF-8; save the file as UTF-8, or leave the character out",
                good.len() + 1,
                bad.first().copied().unwrap_or_default()
            ),
        };
        // The readable part of the line, and a replacement character for the first wrong byte.
        let text = format!("{good}\u{fffd}");
        problems.at(good.len()..text.len(), message);
        Err(problems.into_error(file, &text))
    }

    /// The id of the experiment. Equal content has the same id.
    #[must_use]
    pub fn id(&self) -> ExperimentId {
        match self.file {
            None => ExperimentId(content_id("experiment", self)),
            Some(_) => Self { file: None, ..self.clone() }.id(),
        }
    }
}
