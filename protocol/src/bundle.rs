//! The reproducibility bundle of an experiment: a gzipped tar archive with everything that was asked, played and found.
//! `docs/reference/bundle.md` describes its files.

use crate::experiment::CellSpec;
use crate::games::{GameLine, GameReport, PlayRecord};
use crate::ids::{ExperimentId, WorkerId};
use crate::result::Speed;
use serde::{Deserialize, Serialize};

/// The word that says that an archive is a bundle.
pub const FORMAT: &str = "gauntlet-bundle";

/// The version of the format. Files are added without a new version; their meaning changes only with one.
pub const VERSION: u32 = 1;

/// The first file: a [`Manifest`].
pub const MANIFEST: &str = "manifest.json";

/// The last file: the SHA-256 digests of all others, as `sha256sum` writes them.
pub const SUMS: &str = "SHA256SUMS";

/// The folder of the games: files of [`BundledGame`]s, one in a line.
pub const GAMES: &str = "games/";

/// The folder of the plans: an experiment for each revision.
pub const REVISIONS: &str = "revisions/";

/// Where a bundle comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// The version of the program that made the bundle.
    pub program: String,
    /// `engine::SEMANTICS` of that program. Each game names the semantics that it was played by.
    pub semantics: u32,
    /// The experiment.
    pub experiment: ExperimentId,
    /// Its name.
    pub name: String,
    /// Its question.
    pub question: String,
    /// The number of its newest revision.
    pub revision: u64,
    /// When the bundle was made, in milliseconds since 1970.
    pub made_ms: i64,
}

/// A play with everything needed to replay it: a [`GameReport`] whose moves may be missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BundledGame {
    /// The summary.
    pub line: GameLine,
    /// The description of the cell's games.
    pub spec: CellSpec,
    /// The opening, in GUI notation, separated by spaces.
    pub opening: String,
    /// The seed of the pair.
    pub seed: u64,
    /// Moves, speed and times; absent if they were deleted to make room.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<PlayRecord>,
}

impl BundledGame {
    /// The game in full, if it has its moves.
    #[must_use]
    pub fn report(self) -> Option<GameReport> {
        let Self { line, spec, opening, seed, play } = self;
        Some(GameReport { line, spec, opening, seed, play: play?, other_plays: Vec::new() })
    }
}

/// A machine that played games of a bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BundledWorker {
    /// The machine.
    pub id: WorkerId,
    /// Its name.
    pub name: String,
    /// The version of its program when it called last.
    pub version: String,
    /// Games that it plays at once.
    pub slots: u32,
    /// Its speed by board size when it called last. Each game has the speed with which it was played.
    pub speeds: Vec<Speed>,
}
