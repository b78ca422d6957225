//! What is proved about the outcome of a position: its result under best play, or a bound on it.
//!
//! A search works with [`Proof`], from the view of one side. It reports a [`Claim`], which names the sides.

use crate::side::Side;
use serde::{Deserialize, Serialize};

/// What a search has proved about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Nothing.
    None,
    /// White wins.
    White,
    /// Black wins.
    Black,
    /// Best play draws.
    Draw,
    /// White wins or draws: Black can no longer win.
    WhiteOrDraw,
    /// Black wins or draws: White can no longer win.
    BlackOrDraw,
}

impl Claim {
    /// Whether the outcome is proved, not only bounded.
    #[must_use]
    pub const fn is_solved(self) -> bool {
        matches!(self, Claim::White | Claim::Black | Claim::Draw)
    }
}

/// What is proved about a position, from the view of the side to move there. Children have it from the view of their
/// parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Proof {
    Unknown = 0,
    /// A loss or a draw: the side cannot win.
    NotWon = 1,
    /// A draw or a win: the side cannot lose.
    NotLost = 2,
    Loss = 4,
    Draw = 5,
    Win = 6,
}

impl Proof {
    /// Whether the outcome is known, not only bounded.
    #[inline(always)]
    pub(crate) const fn is_solved(self) -> bool {
        self as u8 >= Proof::Loss as u8
    }

    /// The same proof from the opponent's view.
    pub(crate) const fn inverted(self) -> Self {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
            Proof::NotWon => Proof::NotLost,
            Proof::NotLost => Proof::NotWon,
            Proof::Unknown | Proof::Draw => self,
        }
    }

    /// The conjunction of two proofs that do not contradict each other. Opposite bounds give a draw.
    pub(crate) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Proof::NotWon, Proof::NotLost) | (Proof::NotLost, Proof::NotWon) => Proof::Draw,
            _ if other.is_solved() || matches!(self, Proof::Unknown) => other,
            _ => self,
        }
    }

    /// The proof of a position that is not over, from whether the side to move and its opponent could still win.
    pub(crate) const fn of_chances(winnable: [bool; 2]) -> Self {
        match winnable {
            [true, true] => Proof::Unknown,
            [true, false] => Proof::NotLost,
            [false, true] => Proof::NotWon,
            [false, false] => Proof::Draw,
        }
    }

    /// The proof whose number is in the three lowest bits; `Unknown` for other numbers.
    #[inline(always)]
    pub(super) const fn from_bits(bits: u32) -> Self {
        const BY_NUMBER: [Proof; 8] = [
            Proof::Unknown,
            Proof::NotWon,
            Proof::NotLost,
            Proof::Unknown,
            Proof::Loss,
            Proof::Draw,
            Proof::Win,
            Proof::Unknown,
        ];
        BY_NUMBER[bits as usize & 7]
    }

    /// Whether a proof has this number.
    pub(super) const fn is_number(number: u32) -> bool {
        Self::from_bits(number) as u32 == number
    }

    /// The result for the side to move, once solved: 1, ½ or 0.
    pub(super) const fn mean(self) -> f32 {
        match self {
            Proof::Win => 1.0,
            Proof::Loss => 0.0,
            _ => 0.5,
        }
    }

    /// The fixed value of a solved child in selection. A win comes before all other children; a draw or a loss after
    /// all unsolved ones.
    pub(super) const fn value(self) -> f32 {
        match self {
            Proof::Win => 1e9,
            Proof::Draw => -1.0,
            _ => -2.0,
        }
    }

    /// The claim of a proof from the view of `mover`.
    pub(super) const fn claim(self, mover: Side) -> Claim {
        match (self, mover) {
            (Proof::Unknown, _) => Claim::None,
            (Proof::Draw, _) => Claim::Draw,
            (Proof::Win, Side::White) | (Proof::Loss, Side::Black) => Claim::White,
            (Proof::Win | Proof::Loss, _) => Claim::Black,
            (Proof::NotLost, Side::White) | (Proof::NotWon, Side::Black) => Claim::WhiteOrDraw,
            (Proof::NotLost | Proof::NotWon, _) => Claim::BlackOrDraw,
        }
    }
}
