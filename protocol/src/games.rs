//! Stored games as the read API shows them: everything needed to play one again.

use crate::experiment::CellSpec;
use crate::ids::{CellId, GameId, LeaseId, WorkerId};
use crate::result::{MoveColumns, Speed};
use engine::havannah::Outcome;
use engine::side::Side;
use serde::{Deserialize, Serialize};

/// Whether a play of a game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// Its result is in the counters.
    Counted,
    /// Another play of the same game was counted before.
    Superseded,
    /// Taken out by somebody, with a reason.
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

/// What the store keeps of a play besides its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlayRecord {
    /// Its moves.
    pub record: MoveColumns,
    /// The machine's speed on this board when the game began.
    pub speed: Speed,
    /// CPU microseconds each move was given, when the budget was in reference seconds.
    pub move_cpu_us: Option<u64>,
    /// Wall-clock milliseconds from first move to last.
    pub wall_ms: u64,
}

/// A stored play in a line: `GET /api/v1/experiments/{id}/games`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// The game, the same whoever played it.
    pub id: GameId,
    /// The lease it was played under: the name of this play.
    pub lease: LeaseId,
    /// The cell it belongs to.
    pub cell: CellId,
    /// Number of its pair within the cell.
    pub pair: u32,
    /// The side the case played.
    pub case_side: Side,
    /// How it ended.
    pub outcome: Outcome,
    /// Its moves, those of the opening included.
    pub plies: u32,
    /// Whether it counts.
    pub status: GameStatus,
    /// Why it was excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Who played it.
    pub worker: WorkerId,
    /// The worker's name.
    pub worker_name: String,
    /// Milliseconds since 1970 when it was stored.
    pub received_ms: i64,
}

/// A page of stored plays, in the order of cells, pairs and halves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GamesPage {
    /// The plays.
    pub games: Vec<GameLine>,
    /// What to give as `after` for the next page; none on the last.
    pub next: Option<String>,
}

/// A stored play in full: `GET /api/v1/games/{id}`. With a budget in simulations it can be played again from the
/// specification alone, otherwise with the simulations of each move in `play.record.sims`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameReport {
    /// The line.
    pub line: GameLine,
    /// What the games of the cell are.
    pub spec: CellSpec,
    /// Moves made before the players took over, in GUI notation separated by spaces.
    pub opening: String,
    /// The seed of the pair, as in the lease.
    pub seed: u64,
    /// Moves, speed and times.
    pub play: PlayRecord,
    /// Leases of other plays of the same game.
    pub other_plays: Vec<LeaseId>,
}
