//! Stored games in the read API, with everything needed to replay them.

use crate::experiment::CellSpec;
use crate::ids::{CellId, GameId, LeaseId, WorkerId};
use crate::result::{MoveColumns, Speed};
use engine::havannah::Outcome;
use engine::side::Side;
use serde::{Deserialize, Serialize};

/// Whether a play of a game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// The play counts.
    Counted,
    /// Another play of the same game was counted before.
    Superseded,
    /// A person excluded the play, with a reason.
    Excluded,
}

impl std::fmt::Display for GameStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GameStatus::Counted => "counted",
            GameStatus::Superseded => "superseded",
            GameStatus::Excluded => "excluded",
        })
    }
}

/// What is stored of a play besides its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlayRecord {
    /// The moves.
    pub record: MoveColumns,
    /// The machine's speed on this board when the game began.
    pub speed: Speed,
    /// CPU microseconds per move, when the budget was in reference seconds.
    pub move_cpu_us: Option<u64>,
    /// Wall-clock milliseconds from first move to last.
    pub wall_ms: u64,
}

/// A summary of a stored play: `GET /api/v1/experiments/{id}/games`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameLine {
    /// The game's id, the same for all plays of the game.
    pub id: GameId,
    /// The lease of this play, which identifies the play.
    pub lease: LeaseId,
    /// The game's cell.
    pub cell: CellId,
    /// The number of the pair within the cell.
    pub pair: u32,
    /// The side the case played.
    #[cfg_attr(test, schemars(with = "crate::tests::Colour"))]
    pub case_side: Side,
    /// The outcome.
    #[cfg_attr(test, schemars(with = "crate::tests::Outcome"))]
    pub outcome: Outcome,
    /// The number of moves, including the opening.
    pub plies: u32,
    /// Whether the play counts.
    pub status: GameStatus,
    /// Why the play was excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The worker that played it.
    pub worker: WorkerId,
    /// The worker's name.
    pub worker_name: String,
    /// When the play was stored, in milliseconds since 1970.
    pub received_ms: i64,
}

/// A page of stored plays, in the order of cells, pairs and halves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GamesPage {
    /// The plays.
    pub games: Vec<GameLine>,
    /// The value of `after` for the next page; absent on the last page.
    pub next: Option<String>,
}

/// A stored play in full: `GET /api/v1/games/{id}`. With a budget in simulations the specification is enough to replay it;
/// otherwise the replay uses the simulations of each move in `play.record.sims`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GameReport {
    /// The summary.
    pub line: GameLine,
    /// The description of the cell's games.
    pub spec: CellSpec,
    /// The opening: moves made before the players took over, in GUI notation, separated by spaces.
    pub opening: String,
    /// The seed of the pair, as in the lease.
    pub seed: u64,
    /// Moves, speed and times.
    pub play: PlayRecord,
    /// Leases of other plays of the same game.
    #[serde(default)]
    pub other_plays: Vec<LeaseId>,
}
