//! What is proved about the outcome of a position: its result under best play, or a bound on it.
//!
//! An outcome is from the view of one side. In the tree and in solvers, this is the side to move at the position; for a
//! child it is the side to move at its parent. The results that leave a search or a solver say whose view they have.

use crate::side::Side;
use serde::{Deserialize, Serialize};

/// What is proved about the outcome of a position, from the view of one side.
///
/// The text form, which records of games have, names both sides. It is that of White's view: see
/// [`ProvenOutcome::as_seen_by`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum ProvenOutcome {
    /// Nothing.
    #[serde(rename = "none")]
    Unknown = 0,
    /// A loss or a draw: the side cannot win.
    #[serde(rename = "black_or_draw")]
    AtMostDraw = 1,
    /// A draw or a win: the side cannot lose.
    #[serde(rename = "white_or_draw")]
    AtLeastDraw = 2,
    /// The other side wins.
    #[serde(rename = "black")]
    Loss = 4,
    /// Best play draws.
    #[serde(rename = "draw")]
    Draw = 5,
    /// The side wins.
    #[serde(rename = "white")]
    Win = 6,
}

/// The text form: from White's view, the side or sides that can still reach their aim.
impl std::fmt::Display for ProvenOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

impl ProvenOutcome {
    /// Whether the outcome is known, not only bounded.
    #[inline(always)]
    #[must_use]
    pub const fn is_solved(self) -> bool {
        self as u8 >= ProvenOutcome::Loss as u8
    }

    /// The same outcome from the other side's view.
    #[must_use]
    pub const fn inverted(self) -> Self {
        match self {
            ProvenOutcome::Win => ProvenOutcome::Loss,
            ProvenOutcome::Loss => ProvenOutcome::Win,
            ProvenOutcome::AtMostDraw => ProvenOutcome::AtLeastDraw,
            ProvenOutcome::AtLeastDraw => ProvenOutcome::AtMostDraw,
            ProvenOutcome::Unknown | ProvenOutcome::Draw => self,
        }
    }

    /// Changes White's view into that of `side`, and the view of `side` into White's.
    #[must_use]
    pub const fn as_seen_by(self, side: Side) -> Self {
        match side {
            Side::White => self,
            Side::Black => self.inverted(),
        }
    }

    /// The least that the side gets, in half-points: 0 for a loss, 1 for a draw, 2 for a win.
    #[must_use]
    pub const fn least(self) -> u8 {
        match self {
            ProvenOutcome::Unknown | ProvenOutcome::AtMostDraw | ProvenOutcome::Loss => 0,
            ProvenOutcome::AtLeastDraw | ProvenOutcome::Draw => 1,
            ProvenOutcome::Win => 2,
        }
    }

    /// The most that the side gets, in half-points: 0 for a loss, 1 for a draw, 2 for a win.
    #[must_use]
    pub const fn most(self) -> u8 {
        2 - self.inverted().least()
    }

    /// The outcome with these bounds in half-points, `least` ≤ `most` ≤ 2.
    pub(crate) const fn between(least: u8, most: u8) -> Self {
        match (least, most) {
            (0, 0) => ProvenOutcome::Loss,
            (0, 1) => ProvenOutcome::AtMostDraw,
            (0, _) => ProvenOutcome::Unknown,
            (1, 1) => ProvenOutcome::Draw,
            (1, _) => ProvenOutcome::AtLeastDraw,
            _ => ProvenOutcome::Win,
        }
    }

    /// Whether all results that are possible under `other` are possible under this outcome.
    #[must_use]
    pub const fn includes(self, other: Self) -> bool {
        self.least() <= other.least() && other.most() <= self.most()
    }

    /// The conjunction of two outcomes that do not contradict each other. Opposite bounds give a draw.
    pub(crate) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (ProvenOutcome::AtMostDraw, ProvenOutcome::AtLeastDraw)
            | (ProvenOutcome::AtLeastDraw, ProvenOutcome::AtMostDraw) => ProvenOutcome::Draw,
            _ if other.is_solved() || matches!(self, ProvenOutcome::Unknown) => other,
            _ => self,
        }
    }

    /// The outcome for a side that can choose between these two.
    pub(crate) fn better(self, other: Self) -> Self {
        Self::between(self.least().max(other.least()), self.most().max(other.most()))
    }

    /// The outcome of a move at a position with the outcome `position`. No move is better than its position.
    pub(crate) fn of_move_at(self, position: Self) -> Self {
        Self::between(self.least().min(position.most()), self.most().min(position.most()))
    }

    /// The outcome of a position that is not over, from whether the side to move and its opponent could still win.
    pub(crate) const fn of_chances(winnable: [bool; 2]) -> Self {
        match winnable {
            [true, true] => ProvenOutcome::Unknown,
            [true, false] => ProvenOutcome::AtLeastDraw,
            [false, true] => ProvenOutcome::AtMostDraw,
            [false, false] => ProvenOutcome::Draw,
        }
    }

    /// The outcome whose number is in the three lowest bits; `Unknown` for other numbers.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u32) -> Self {
        const BY_NUMBER: [ProvenOutcome; 8] = [
            ProvenOutcome::Unknown,
            ProvenOutcome::AtMostDraw,
            ProvenOutcome::AtLeastDraw,
            ProvenOutcome::Unknown,
            ProvenOutcome::Loss,
            ProvenOutcome::Draw,
            ProvenOutcome::Win,
            ProvenOutcome::Unknown,
        ];
        BY_NUMBER[bits as usize & 7]
    }

    /// Whether an outcome has this number.
    pub(super) const fn is_number(number: u32) -> bool {
        Self::from_bits(number) as u32 == number
    }

    /// The mean result for the side, once solved: 1, ½ or 0.
    pub(super) const fn mean(self) -> f32 {
        match self {
            ProvenOutcome::Win => 1.0,
            ProvenOutcome::Loss => 0.0,
            _ => 0.5,
        }
    }

    /// The fixed value of a solved child in selection. A win comes before all other children; a draw or a loss after
    /// all unsolved ones.
    pub(super) const fn value(self) -> f32 {
        match self {
            ProvenOutcome::Win => 1e9,
            ProvenOutcome::Draw => -1.0,
            _ => -2.0,
        }
    }
}
