//! How games of Havannah end.

use crate::side::Side;
use serde::{Deserialize, Serialize};

/// The winning shape. A move that completes several shapes counts as the first of fork, bridge, ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WinKind {
    /// One group on three sides; corners belong to no side.
    Fork,
    /// One group on two corners.
    Bridge,
    /// A loop of stones around at least one cell, whatever is inside.
    Ring,
}

impl std::fmt::Display for WinKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            WinKind::Fork => "fork",
            WinKind::Bridge => "bridge",
            WinKind::Ring => "ring",
        })
    }
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "result", rename_all = "lowercase")]
pub enum Outcome {
    /// A side completed a winning shape.
    Win {
        /// The side that won.
        winner: Side,
        /// The winning shape.
        kind: WinKind,
    },
    /// The board is full, and neither side has a winning shape.
    Draw,
}

impl Outcome {
    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win { winner, .. } => Some(winner),
            Outcome::Draw => None,
        }
    }

    /// The winning shape; `None` for a draw.
    #[must_use]
    pub const fn kind(self) -> Option<WinKind> {
        match self {
            Outcome::Win { kind, .. } => Some(kind),
            Outcome::Draw => None,
        }
    }

    /// Half-points of `side`: 2 for a win, 1 for a draw, 0 for a loss.
    #[must_use]
    pub fn half_points(self, side: Side) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == side => 2,
            Some(_) => 0,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Win { winner, kind } => write!(f, "{winner} ({kind})"),
            Outcome::Draw => f.write_str("draw"),
        }
    }
}
