//! A finished game, as a worker reports it and the database stores it.

use crate::ids::{GameId, LeaseId};
use engine::havannah::{BoardSize, Notation, Outcome, ParseCellError};
use engine::search::ProvenOutcome;
use engine::selfplay::{GameRecord, MoveRecord};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// A machine's speed on one board size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Speed {
    /// The board.
    #[cfg_attr(test, schemars(with = "u8"))]
    pub size: BoardSize,
    /// Simulations per CPU second of one slot in the standard configuration (plain UCT, empty board), measured at
    /// start with all slots busy.
    pub sims_per_s: f64,
    /// CPU seconds of this machine per reference second: 1 for the reference machine, less for a faster machine.
    pub factor: f64,
    /// Drift: the speed of the baseline's recent moves relative to its first moves after calibration; 1 without a change.
    /// `factor` already includes it.
    pub drift: f64,
}

/// A game's moves as columns with one entry per move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveColumns {
    /// Cells in GUI notation, separated by single spaces, without the opening.
    pub moves: String,
    /// The mean result that the mover expects, 0 to 1.
    pub value: Vec<f32>,
    /// What the mover's search proved about the position after the move. The words name both sides.
    #[cfg_attr(test, schemars(with = "Vec<String>"))]
    pub claim: Vec<ProvenOutcome>,
    /// Simulations made for the move.
    pub sims: Vec<u64>,
    /// Nodes in the mover's tree after the search.
    pub nodes: Vec<u64>,
    /// CPU microseconds of the search.
    pub cpu_us: Vec<u64>,
}

/// Columns that are not a list of moves.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum MoveColumnsError {
    /// A column and the list of moves differ in length.
    #[error("column `{column}` has {found} entries for {moves} moves")]
    Length {
        /// The column.
        column: &'static str,
        /// The number of its entries.
        found: usize,
        /// The number of moves.
        moves: usize,
    },
    /// A move is not a cell of the board.
    #[error(transparent)]
    Cell(#[from] ParseCellError),
}

impl MoveColumns {
    /// The columns of a game's moves.
    #[must_use]
    pub fn from_record(size: BoardSize, record: &GameRecord) -> Self {
        let cells: Vec<_> = record.moves.iter().map(|m| m.cell).collect();
        Self {
            moves: Notation::Gui.write_list(size, &cells),
            value: record.moves.iter().map(|m| m.value).collect(),
            claim: record.moves.iter().map(|m| m.claim).collect(),
            sims: record.moves.iter().map(|m| m.sims).collect(),
            nodes: record.moves.iter().map(|m| m.nodes).collect(),
            cpu_us: record.moves.iter().map(|m| m.cpu.as_micros() as u64).collect(),
        }
    }

    /// The moves these columns describe.
    ///
    /// # Errors
    /// When a column's length differs or a move is not a cell of the board.
    pub fn to_moves(&self, size: BoardSize) -> Result<Vec<MoveRecord>, MoveColumnsError> {
        let cells = Notation::Gui.read_list(size, &self.moves)?;
        let moves = cells.len();
        for (column, found) in [
            ("value", self.value.len()),
            ("claim", self.claim.len()),
            ("sims", self.sims.len()),
            ("nodes", self.nodes.len()),
            ("cpu_us", self.cpu_us.len()),
        ] {
            if found != moves {
                return Err(MoveColumnsError::Length { column, found, moves });
            }
        }
        Ok(cells
            .into_iter()
            .enumerate()
            .map(|(i, cell)| MoveRecord {
                cell,
                value: self.value[i],
                claim: self.claim[i],
                sims: self.sims[i],
                nodes: self.nodes[i],
                cpu: Duration::from_micros(self.cpu_us[i]),
            })
            .collect())
    }
}

/// A finished game on its way from a worker's spool to the store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FinishedGame {
    /// The game's id, as in the lease.
    pub game: GameId,
    /// The lease under which the game was played.
    pub lease: LeaseId,
    /// The outcome according to the rules.
    #[cfg_attr(test, schemars(with = "crate::tests::Outcome"))]
    pub outcome: Outcome,
    /// The moves.
    pub record: MoveColumns,
    /// The machine's speed on this board when the game began.
    pub speed: Speed,
    /// CPU microseconds per move, when the budget was in reference seconds.
    pub move_cpu_us: Option<u64>,
    /// Wall-clock milliseconds from first move to last.
    pub wall_ms: u64,
}
